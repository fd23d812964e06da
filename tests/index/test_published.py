"""The published documents: the source document's shapes, the same bytes for the same truth, wherever they are made."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import DAY, FixedClock
from memorybank.config.settings import load
from memorybank.index import check, extract, keyword_entries
from memorybank.index.document_text import pretty
from memorybank.index.fold import fold
from memorybank.index.keyword_entries import importance_weight
from memorybank.index.publish import distribution, publish
from memorybank.index.working import open_index
from memorybank.log import access, rotation
from memorybank.log.access import AccessLine

NOW = 1_758_112_496_789
NOTES = {
    "planning/overview.md": "---\ntitle: Overview\ntags: [decision, 設計]\nrating: 9\nagent_created: planner\nsession_id: s1\n---\n# Overview\n\n"
    "The architecture and the architecture's goals. TODO\n\n- [glossary](../shared/用語集.md)\n- <https://example.org/a?b=1>\n",
    "shared/用語集.md": "---\ntags: 設計\n---\n# 用語集\n\n検索と索引。検索は索引を使う。\r\n",
    "empty.md": "",
}


@pytest.fixture
def published(bank):
    """published(notes, now) → (bank, {document name: parsed}) after a fold and a publish."""

    def make(notes=NOTES, now=NOW, scratch=None):
        scratch = scratch or bank(notes)
        layout = scratch.layout
        rotation.append(layout, [rotation.entry("begin", NOW - DAY, rotation_id="r1", tree=".", trigger="manual")], FixedClock(NOW - DAY))
        with open_index(layout, load(layout), FixedClock(now)) as index:
            fold(index)
            publish(index)
        return scratch, {path.stem: json.loads(path.read_bytes()) for folder in (layout.indexes, layout.metadata) for path in Path(folder).glob("*.json")}

    return make


def test_content_index_has_the_documents_shape(published):
    _scratch, documents = published()
    content = documents["content_index"]
    assert list(content) == ["@schema", "version", "last_updated", "index_statistics", "files", "related"]
    assert content["last_updated"] == "2025-09-17T12:34:56.789Z"
    assert content["index_statistics"]["total_files"] == 3
    assert content["index_statistics"]["last_rotation"] == "2025-09-16T12:34:56.789Z"
    assert list(content["files"]) == sorted(NOTES)
    entry = content["files"]["planning/overview.md"]
    assert entry["path"] == ".claude/memory/active/planning/overview.md"
    assert entry["file_id"] == "file_" + str(int.from_bytes(bytes.fromhex(__import__("hashlib").sha256(b"planning/overview.md").hexdigest())[:6], "big"))
    assert entry["size_bytes"] == len(NOTES["planning/overview.md"].encode())
    assert entry["content_hash"].startswith("sha256:")
    assert "architecture" in entry["keywords"]
    assert entry["topics"] == ["decision", "設計"]
    assert entry["links"] == {"internal": ["shared/用語集.md"], "external": ["https://example.org/a?b=1"]}
    assert entry["metadata"] == {"agent_created": "planner", "session_id": "s1", "tags": ["decision", "設計"], "language": "en", "word_count": 20}
    assert content["related"] == {"設計": ["planning/overview.md", "shared/用語集.md"]}


def test_keyword_index_counts_weighs_and_shows(published):
    _, documents = published()
    keywords = documents["keyword_index"]["keywords"]
    assert list(keywords) == sorted(keywords)
    assert keywords["検索"]["frequency"] == 2
    (entry,) = keywords["architecture"]["files"]
    assert entry["occurrences"] == 2
    assert "architecture" in entry["context_snippets"][0]
    assert all(len(snippet) <= 80 for word in keywords.values() for file in word["files"] for snippet in file["context_snippets"])
    assert set(documents["keyword_index"]["keyword_extraction"]) == {"min_frequency", "max_keywords_per_file", "weight_boost_keywords"}
    assert "the" in documents["keyword_index"]["stop_words"]


def test_one_note_has_one_score_in_all_documents(published):
    _, documents = published()
    for key, entry in documents["content_index"]["files"].items():
        path = entry["path"]
        assert [
            file["score"] for bucket in documents["importance_index"]["importance_buckets"].values() for file in bucket["files"] if file["path"] == path
        ] == [entry["importance_score"]], key
        assert [file["score"] for file in documents["temporal_index"]["timeline"] if file["path"] == path] == [entry["importance_score"]]
        for word in entry["keywords"]:
            assert [file["score"] for file in documents["keyword_index"]["keywords"][word]["files"] if file["path"] == path] == [entry["importance_score"]]


def test_temporal_index_counts_days_months_ages_and_views(bank, published):
    scratch = bank(NOTES, days_old=10)
    scratch.write("new.md", "new\n", days_old=0)
    access.append(scratch.layout, [AccessLine("view", "new.md", NOW - DAY), AccessLine("view", "gone.md", NOW - DAY)], FixedClock(NOW))
    _, documents = published(scratch=scratch)
    temporal = documents["temporal_index"]
    assert temporal["age_buckets"] == {"0-7": 1, "8-30": 3, "31+": 0}
    assert temporal["by_date"]["2025-09-07"] == {"created": 3, "modified": 3, "accessed": 0}
    assert temporal["by_date"]["2025-09-16"] == {"created": 0, "modified": 0, "accessed": 2}
    assert temporal["by_month"] == {"2025-09": 4}
    assert temporal["timeline"][0]["path"].endswith("/new.md")
    metadata = documents["file_metadata"]["files"]["new.md"]
    assert (metadata["access_count_30d"], metadata["last_access_at"]) == (1, "2025-09-16T12:34:56.789Z")


def test_an_empty_bank_publishes_empty_documents(published):
    _, documents = published({})
    assert documents["content_index"]["files"] == {}
    assert documents["keyword_index"]["keywords"] == {}
    assert documents["importance_index"]["trends"]["score_distribution"] == {"mean": None, "median": None, "std_dev": None}


def test_tag_relationships_and_snippets_obey_their_switches(bank, published):
    scratch = bank(NOTES)
    scratch.configure("scoring", '{"relationship_analysis": {"dependency_tracking": {"tag_relationships": false}}}')
    scratch.configure("index", '{"publish": {"snippets_per_file": 0}}')
    _, documents = published(scratch=scratch)
    assert "related" not in documents["content_index"]
    assert all(file["context_snippets"] == [] for word in documents["keyword_index"]["keywords"].values() for file in word["files"])


def test_trends_compare_with_seven_days_ago(published):
    _scratch, documents = published()
    assert documents["importance_index"]["trends"]["temporal_trends"]["declining_importance"] >= 1


@pytest.mark.parametrize(
    ("scores", "boosted", "weight"), [([8.7], False, 1.4), ([0.0], False, 1.0), ([10.0], True, 2.25), ([5.0, 6.0], False, 1.3), ([1.0], False, 1.1)]
)
def test_importance_weight_rounds_half_up(scores, boosted, weight):
    assert importance_weight(scores, boosted) == weight


def test_distribution_is_mean_median_and_population_deviation():
    assert distribution([1.0, 2.0, 6.0]) == {"mean": 3.0, "median": 2.0, "std_dev": 2.16}
    assert distribution([1.0, 2.0]) == {"mean": 1.5, "median": 1.5, "std_dev": 0.5}


REBUILD = """
import os, sys
listed = os.scandir
class Reversed:
    def __init__(self, path): self.entries = sorted(listed(path), key=lambda entry: entry.name, reverse=True)
    def __enter__(self): return iter(self.entries)
    def __exit__(self, *_): return None
if sys.argv[2] == "reversed": os.scandir = Reversed
from memorybank.bank import Bank
from memorybank.clock import FixedClock
Bank.open(sys.argv[1], clock=FixedClock(1_758_112_496_789)).index.rebuild(as_of="2025-09-17T12:34:56.789Z")
"""


@pytest.mark.slow
def test_rebuild_is_the_same_under_any_zone_locale_hash_seed_and_listing_order(bank):
    scratch = bank({**NOTES, **{f"shared/n{number}.md": NOTES["planning/overview.md"] + str(number) for number in range(6)}})
    seen = set()
    for zone, locale, seed, order in (("UTC", "C", "0", "sorted"), ("Asia/Tokyo", "C.UTF-8", "1", "reversed"), ("America/St_Johns", "POSIX", "77", "reversed")):
        environment = {**os.environ, "TZ": zone, "LC_ALL": locale, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        subprocess.run([sys.executable, "-c", REBUILD, str(scratch.root), order], check=True, env=environment, timeout=60)
        derived = {name: digest for folder in ("indexes", "metadata", "archive") for name, (digest, _) in scratch.snapshot(folder).items()}
        seen.add(json.dumps(derived, sort_keys=True))
        for folder in ("indexes", "metadata", "cache"):
            for path in (scratch.root / folder).iterdir():
                path.unlink()
    assert len(seen) == 1


def test_check_finds_every_kind_of_difference(bank, published):
    scratch, _ = published()
    layout = scratch.layout

    def codes() -> list[str]:
        with open_index(layout, load(layout), FixedClock(NOW), frozen=True) as index:
            return sorted(problem.code for problem in check.check(index))

    assert codes() == []
    scratch.write("extra.md", "extra\n")
    scratch.write("empty.md", "no longer\n")
    (scratch.active / "shared/用語集.md").unlink()
    assert codes() == ["index_missing", "index_outdated", "index_phantom"]
    (scratch.root / "indexes/temporal_index.json").write_bytes(b"{ torn")
    document = json.loads((scratch.root / "indexes/importance_index.json").read_bytes())
    document["importance_buckets"]["low"]["files"] = []
    document["importance_buckets"]["medium"]["files"] = []
    (scratch.root / "indexes/importance_index.json").write_text(json.dumps(document))
    assert codes() == ["index_missing", "index_outdated", "index_phantom", "published_outdated", "published_unreadable"]


@pytest.mark.parametrize(
    "change",
    [
        lambda keywords: keywords.popitem(),
        lambda keywords: keywords.setdefault("stray", {"files": [{"path": ".claude/memory/active/nowhere.md"}]}),
        lambda keywords: next(iter(keywords.values()))["files"].clear(),
        lambda keywords: next(iter(keywords.values()))["files"][0].update(path=".claude/memory/active/nowhere.md"),
        lambda keywords: next(iter(keywords.values())).update(files=3),
    ],
)
def test_check_compares_which_notes_a_keyword_has(published, change):
    scratch, _ = published()
    path = scratch.root / "indexes/keyword_index.json"
    document = json.loads(path.read_bytes())
    change(document["keywords"])
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW), frozen=True) as index:
        assert [(problem.code, problem.path) for problem in check.check(index)] == [("published_outdated", "indexes/keyword_index.json")]


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 100, None], ids=["empty", "foreign", "flipped"])
def test_a_broken_cache_is_set_aside_and_built_again(bank, published, damage):
    scratch, before = published()
    cache = scratch.root / "cache/bank.sqlite3"
    cache.write_bytes(damage if damage is not None else b"\0" * 4096 + cache.read_bytes()[4096:])
    _, after = published(scratch=scratch)
    assert after == before


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4).map(tuple))
def test_snippets_are_written_as_the_rest_of_the_document(snippets):
    """They are rendered when a note is read, where hooks wait, without the library that writes the document."""
    assert extract._published(snippets).encode() == pretty(snippets, extract.SNIPPETS_INDENT)


def test_an_entry_of_many_parts_is_the_same_text(published, bank, monkeypatch):
    notes = {f"shared/{number:02d}.md": f"# Index {number}\n\nThe index of the archive {'index ' * (number % 4)}\n" for number in range(23)}
    texts = []
    for part, most_sorted in ((256, 5_000), (1, 0), (2, 0), (7, 3), (23, 22)):
        monkeypatch.setattr(keyword_entries, "_PART", part)
        monkeypatch.setattr(keyword_entries, "_MOST_SORTED", most_sorted)
        scratch, documents = published(scratch=bank(notes))
        texts.append((Path(scratch.layout.indexes) / "keyword_index.json").read_bytes())
        assert [len(word["files"]) for word in documents["keyword_index"]["keywords"].values()].count(23) == 1
    assert len(set(texts)) == 1
    scratch.write("shared/03.md", "# Another subject\n\nNothing else.\n", days_old=0)
    _scratch, documents = published(scratch=scratch)
    assert len(documents["keyword_index"]["keywords"]["index"]["files"]) == 22
