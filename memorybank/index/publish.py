"""The published documents of `indexes/` and `metadata/file_metadata.json`, in the schemas of the specification.

They are streamed from rendered fragments that the cache stores. A fragment is rendered again only when its text or a rounded score
changed. The output is indented and sorted, and byte-identical for the same sources of truth and the same `now`.
"""

import math
import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import orjson

from memorybank.clock import DAY, day_of, isoformat
from memorybank.index import document_text, keyword_entries, meta, rotation_lines
from memorybank.index.queries import IS_OWN
from memorybank.index.working import Index
from memorybank.scoring.importance import BUCKETS, bucket
from memorybank.storage import database, disk
from memorybank.storage.layout import PUBLISHED_PREFIX

TREND_STEP = 0.5
"""A score that moved by at most this much in seven days is stable."""

_MEGABYTE = 1_048_576


def publish(index: Index) -> int:
    """Write the four indexes and the file metadata. The caller has brought the index up to date.

    Returns the size of the four indexes in bytes.
    """
    render_entries(index)
    begun = index.clock.monotonic()
    disk.make_directories(index.layout.indexes)
    disk.make_directories(index.layout.metadata)
    sizes = 0
    for name, chunks in (
        ("keyword_index.json", _keyword_index(index)),
        ("importance_index.json", _importance_index(index)),
        ("temporal_index.json", _temporal_index(index)),
    ):
        sizes += _write(os.path.join(index.layout.indexes, name), chunks)
    sizes += _write(os.path.join(index.layout.indexes, "content_index.json"), _content_index(index, sizes))
    _write(os.path.join(index.layout.metadata, "file_metadata.json"), _file_metadata(index))
    meta.write(index.connection, "published_revision", meta.integer(index.connection, "revision") or 0)
    meta.write(index.connection, "published_ms", round((index.clock.monotonic() - begun) * 1000))
    meta.write(index.connection, "published_at", index.clock.now())
    return sizes


def render_entries(index: Index) -> None:
    """Render again the fragments of the notes and keywords that changed since they were last rendered."""
    connection = index.connection
    rendered = meta.integer(connection, "rendered_revision") or 0
    boosted = frozenset(word.casefold() for word in index.settings.index.keyword_extraction.weight_boost_keywords)
    with database.transaction(connection):
        notes = connection.execute(_CONTENTS, (rendered,))
        connection.executemany("INSERT OR REPLACE INTO content_entries VALUES (?, ?)", ((row[0], _content_entry(connection, *row)) for row in notes))
        of_notes = "SELECT k.value FROM notes n CROSS JOIN note_entries e ON e.id = n.id, json_each(e.keywords) k WHERE n.revision > ?"
        connection.execute(f"INSERT OR IGNORE INTO stale_words {of_notes}", (rendered,))
        connection.execute("DELETE FROM keyword_entries WHERE word IN (SELECT word FROM stale_words)")
        connection.executemany("INSERT INTO keyword_entries VALUES (?, ?, ?)", keyword_entries.rendered(connection, boosted))
        connection.execute("DELETE FROM stale_words")
        meta.write(connection, "rendered_revision", meta.integer(connection, "revision") or 0)


# ---- fragments


_CONTENTS = f"""
SELECT n.id, key, file_id, size, created, modified, importance, digest, topics, tags, agent_created, session_id, language, words, keywords
  FROM notes n CROSS JOIN note_entries e ON e.id = n.id WHERE n.revision > ? AND {IS_OWN}
"""


def _content_entry(connection: sqlite3.Connection, note: int, *columns: Any) -> str:
    """Return the entry of a note. columns: the others of `_CONTENTS`"""
    key, file_id, size, created, modified, score, digest, topics, tags, agent, session, language, words, keywords = columns
    targets = connection.execute("SELECT kind, written, target, internal FROM links WHERE source = ? ORDER BY position", (note,)).fetchall()
    entry = {
        "file_id": file_id,
        "path": PUBLISHED_PREFIX + key,
        "size_bytes": size,
        "created_at": isoformat(created),
        "modified_at": isoformat(modified),
        "importance_score": score,
        "content_hash": f"sha256:{digest}",
        "keywords": orjson.loads(keywords),
        "topics": orjson.loads(topics),
        "links": {
            # A file outside the repository is the person's own: documents say what the note says.
            "internal": list(dict.fromkeys(written if target[:1] in ("", "/") else target for _, written, target, internal in targets if internal)),
            "external": [written for kind, written, target, internal in targets if kind == "external"],
        },
        "metadata": {"agent_created": agent, "session_id": session, "tags": orjson.loads(tags), "language": language, "word_count": words},
    }
    return document_text.member(key, entry, 4)


# ---- documents


def _content_index(index: Index, other_bytes: int) -> Iterator[bytes]:
    connection = index.connection
    last_rotation = rotation_lines.state(index).last_rotation
    count, size = connection.execute(f"SELECT count(*), coalesce(sum(size), 0) FROM notes WHERE {IS_OWN}").fetchone()
    statistics = {
        "total_files": count,
        "total_size_mb": round(size / _MEGABYTE, 2),
        "last_rotation": None if last_rotation is None else isoformat(last_rotation),
        "index_size_mb": 0.0,
    }
    # The document states the size of all indexes, itself included: measure its parts before the first byte is written.
    closing = sum(map(len, _closing(index)))
    head = document_text.head("content", index.now, {"index_statistics": statistics}) + b',\n  "files": {'
    members = connection.execute("SELECT coalesce(sum(length(CAST(rendered AS BLOB)) + 2) - 1, 0) FROM content_entries").fetchone()[0]
    statistics["index_size_mb"] = round((other_bytes + len(head) + members + closing) / _MEGABYTE, 2)
    yield document_text.head("content", index.now, {"index_statistics": statistics}) + b',\n  "files": {'
    yield from document_text.members(connection.execute("SELECT CAST(e.rendered AS BLOB), 0 FROM content_entries e JOIN notes n ON n.id = e.id ORDER BY n.key"))
    yield from _closing(index)


def _closing(index: Index) -> Iterator[bytes]:
    """Yield what follows the entries: the specification's tag relationships, for each tag the notes that share it. They are published and never scored."""
    yield b"\n  }"
    if index.settings.scoring.relationship_analysis.dependency_tracking.tag_relationships:
        yield b',\n  "related": {'
        is_empty = True
        for chunk in document_text.members((document_text.member(tag, keys, 4).encode(), 0) for tag, keys in _shared_tags(index)):
            is_empty = is_empty and not chunk
            yield chunk
        # An empty object is one pair of braces.
        yield b"}" if is_empty else b"\n  }"
    yield b"\n}\n"


def _shared_tags(index: Index) -> Iterator[tuple[str, list[str]]]:
    """Yield (tag, the keys of its notes) of the tags that several notes share. Only the notes of one tag are in memory at a time."""
    rows = index.connection.execute("SELECT t.tag, n.key FROM tags t JOIN notes n ON n.id = t.note WHERE n.source = '' ORDER BY t.tag, n.key")
    for tag, each in groupby(rows, key=itemgetter(0)):
        keys = [key for _, key in each]
        if len(keys) > 1:
            yield tag, keys


def _keyword_index(index: Index) -> Iterator[bytes]:
    extraction = index.settings.index.keyword_extraction
    yield document_text.head("keyword", index.now, {}) + b',\n  "keywords": {'
    yield from document_text.members(index.connection.execute("SELECT CAST(rendered AS BLOB), part FROM keyword_entries ORDER BY word, part"))
    tail = {
        "stop_words": list(index.settings.index.stop_words),
        "keyword_extraction": {
            "min_frequency": extraction.min_frequency,
            "max_keywords_per_file": extraction.max_keywords_per_file,
            "weight_boost_keywords": list(extraction.weight_boost_keywords),
        },
    }
    yield b"\n  }," + document_text.pretty(tail, 0)[1:] + b"\n"


def _importance_index(index: Index) -> Iterator[bytes]:
    # Ordered by score, the notes of a bucket are next to each other. As long as this query is open, the one below sees the same rows.
    rows = index.connection.execute(f"SELECT importance, key, file_id, reasons FROM notes WHERE {IS_OWN} ORDER BY importance DESC, key")
    counts = dict.fromkeys(BUCKETS, 0)
    scores = array("d")
    rising = declining = 0
    for score, earlier in index.connection.execute(f"SELECT importance, earlier FROM notes WHERE {IS_OWN} ORDER BY importance DESC, key"):
        counts[bucket(score)] += 1
        scores.append(score)
        rising += score - earlier > TREND_STEP
        declining += earlier - score > TREND_STEP
    yield document_text.head("importance", index.now, {}) + b',\n  "importance_buckets": {'
    separator = b""
    for name, limits in BUCKETS.items():
        opening = document_text.member(name, {"range": list(limits), "count": counts[name]}, 4).encode()[:-6]
        yield separator + b"\n" + opening + b',\n      "files": '
        yield from document_text.array(map(_scored, islice(rows, counts[name])), 6)
        yield b"\n    }"
        separator = b","
    trends = {
        "score_distribution": distribution(scores),
        "temporal_trends": {"rising_importance": rising, "declining_importance": declining, "stable_importance": len(scores) - rising - declining},
    }
    yield b"\n  }," + document_text.pretty({"trends": trends}, 0)[1:] + b"\n"


def _scored(row: tuple[float, str, str, str]) -> dict[str, Any]:
    score, key, file_id, reasons = row
    return {"file_id": file_id, "path": PUBLISHED_PREFIX + key, "score": score, "reasons": reasons.split()}


def distribution(scores: Sequence[float]) -> dict[str, float | None]:
    """Mean, median and population standard deviation, rounded to two decimals; null for an empty bank."""
    if not scores:
        return {"mean": None, "median": None, "std_dev": None}
    mean = math.fsum(scores) / len(scores)
    ordered = sorted(scores)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
    return {"mean": round(mean, 2), "median": round(median, 2), "std_dev": round(deviation, 2)}


def _temporal_index(index: Index) -> Iterator[bytes]:
    rows = index.connection.execute(f"SELECT file_id, key, created, modified, importance FROM notes WHERE {IS_OWN} ORDER BY modified DESC, key")
    yield document_text.head("temporal", index.now, {}) + b',\n  "timeline": '
    yield from document_text.array(map(_timed, rows), 2)
    yield b"," + document_text.pretty(_counted_times(index), 0)[1:] + b"\n"


def _timed(row: tuple[str, str, int, int, float]) -> dict[str, Any]:
    file_id, key, created, modified, score = row
    return {"file_id": file_id, "path": PUBLISHED_PREFIX + key, "created_at": isoformat(created), "modified_at": isoformat(modified), "score": score}


def _counted_times(index: Index) -> dict[str, Any]:
    """Return the notes and views by day, by month and by age."""
    days: dict[str, dict[str, int]] = {}
    months: dict[str, int] = {}
    ages = {"0-7": 0, "8-30": 0, "31+": 0}
    for created, modified in index.connection.execute(f"SELECT created, modified FROM notes WHERE {IS_OWN}"):
        _count_day(days, created, "created")
        _count_day(days, modified, "modified")
        month = day_of(modified)[:7]
        months[month] = months.get(month, 0) + 1
        age = max(0, index.now - modified) // DAY
        ages["0-7" if age <= 7 else "8-30" if age <= 30 else "31+"] += 1
    for at, views in index.connection.execute(_VIEWS, (index.now,)):
        _count_day(days, at, "accessed", views)
    return {"by_date": dict(sorted(days.items())), "by_month": dict(sorted(months.items())), "age_buckets": ages}


_VIEWS = """
SELECT at, count(*) FROM reads
 WHERE kind IN ('view', 'helped') AND at <= ? AND substr(key, 1, 1) <> '/' AND substr(key, 1, 2) <> './' GROUP BY at
"""
"""Views of the bank's own notes."""


def _count_day(days: dict[str, dict[str, int]], instant: int, what: str, count: int = 1) -> None:
    entry = days.setdefault(day_of(instant), {"created": 0, "modified": 0, "accessed": 0})
    entry[what] += count


def _file_metadata(index: Index) -> Iterator[bytes]:
    yield document_text.pretty({"version": document_text.VERSION}, 0)[:-2] + b',\n  "files": {'
    rows = index.connection.execute(_FACTS_OF_FILES, (index.now - index.settings.scoring.window_days * DAY, index.now))
    yield from document_text.members((document_text.member(row[0], _facts(row), 4).encode(), 0) for row in rows)
    # An empty object is one pair of braces.
    yield b"\n  }\n}\n" if index.connection.execute(f"SELECT 1 FROM notes WHERE {IS_OWN} LIMIT 1").fetchone() else b"}\n}\n"


_FACTS_OF_FILES = f"""
SELECT n.key, n.file_id, n.digest, n.created, n.modified, n.date_source, n.edits, coalesce(r.recent, 0), r.last FROM notes n
  LEFT JOIN (SELECT key, sum(kind IN ('view', 'helped') AND at > ?1) recent, max(at) last FROM reads WHERE at <= ?2 GROUP BY key) r ON r.key = n.key
 WHERE n.{IS_OWN} ORDER BY n.key
"""


def _facts(row: tuple[Any, ...]) -> dict[str, Any]:
    _, file_id, digest, created, modified, source, edits, recent, last = row
    return {
        "file_id": file_id,
        "digest": f"sha256:{digest}",
        "created_at": isoformat(created),
        "modified_at": isoformat(modified),
        "date_source": source,
        "edit_count": edits,
        "access_count_30d": recent,
        "last_access_at": None if last is None else isoformat(last),
    }


def _write(path: str, chunks: Iterable[bytes]) -> int:
    """Replace the file with the chunks; returns the number of bytes written."""
    written = 0

    def counted() -> Iterator[bytes]:
        nonlocal written
        for chunk in chunks:
            written += len(chunk)
            yield chunk

    disk.replace(path, counted(), durable=False)
    return written
