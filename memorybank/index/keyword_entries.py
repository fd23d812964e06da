"""The entries of keyword_index.json: each keyword with the notes that have it, the most important first, as it is rendered there."""

import math
import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import orjson

from memorybank.index.queries import IS_OWN
from memorybank.storage.layout import PUBLISHED_PREFIX

_PART = 256
"""Number of notes in a part of the entry of a keyword: about 100 kB."""
_MOST_SORTED = 5_000
"""Number of notes whose snippets SQLite may sort in memory: about 2 MB."""
_MOST_PATHS = 20_000
"""Number of rendered paths that are kept."""


def rendered(connection: sqlite3.Connection, boosted: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    """Yield (word, number, part of the rendered entry) of every stale keyword that notes still contain. Part 0 is the head, which depends on all of them.

    A third of 100,000 notes can have the same keyword, so only `_PART` notes of one are in memory at a time.
    """
    paths = _Rendered()
    for word, found in _files_by_word(connection):
        files: list[str] = []
        number, frequency, scores = 1, 0, array("d")
        for _, score, occurrences, file_id, key, snippets in found:
            if len(files) == _PART:
                yield word, number, _JOIN.join(files) + _JOIN
                number += 1
                files.clear()
            files.append(_FILE.format(file_id=file_id, path=paths[key], score=score, occurrences=occurrences, snippets=snippets))
            frequency += occurrences
            scores.append(score)
        if scores:
            weight = importance_weight(scores, word.casefold() in boosted)
            head, last = _KEYWORD.format(word=orjson.dumps(word).decode(), frequency=frequency, weight=weight), _JOIN.join(files) + _END_OF_KEYWORD
            if number == 1:
                yield word, 0, head + last
            else:
                yield word, number, last
                yield word, 0, head


def _files_by_word(connection: sqlite3.Connection) -> Iterator[tuple[str, Iterator[tuple[str, float, int, str, str, str]]]]:
    """Yield each stale keyword that notes contain, and (keyword, score, occurrences, file id, key, snippets) of these notes, the highest score first."""
    is_large = connection.execute("SELECT 1 FROM notes LIMIT 1 OFFSET ?", (_MOST_SORTED,)).fetchone() is not None
    common = [row[0] for row in connection.execute(_COMMON, (_MOST_SORTED,))] if is_large else []
    connection.executemany("DELETE FROM stale_words WHERE word = ?", ((word,) for word in common))
    # One query for all words: SQLite sorts the notes of each.
    yield from groupby(connection.execute(_FILES.format(words="stale_words w", condition="")), key=itemgetter(0))
    for word in common:
        yield word, _files_of_common(connection, word)


def _files_of_common(connection: sqlite3.Connection, word: str) -> Iterator[tuple[str, float, int, str, str, str]]:
    """Yield the notes of a keyword that many have. SQLite would sort the snippets of all of them in memory."""
    rows = connection.execute(f"SELECT n.id FROM keywords k JOIN notes n ON n.id = k.note WHERE k.word = ? AND {IS_OWN} ORDER BY {_RANKED}", (word,))
    query = _FILES.format(words="(SELECT ? AS word) w", condition="AND k.note = ?")
    for note in array("q", (row[0] for row in rows)):
        yield from connection.execute(query, (word, note))


def importance_weight(scores: Iterable[float], boosted: bool) -> float:
    """Return the weight of a keyword: 1 + mean score / 20, rounded half up to one decimal; × 1.5 for a boosted keyword."""
    values = list(scores)
    weight = math.floor((1 + math.fsum(values) / len(values) / 20) * 10 + 0.5) / 10
    return round(weight * 1.5, 2) if boosted else weight


class _Rendered(dict[str, str]):
    """{key: published path as a JSON string}. A bank has more keys than are kept."""

    def __missing__(self, key: str) -> str:
        if len(self) == _MOST_PATHS:
            self.clear()
        found = self[key] = orjson.dumps(PUBLISHED_PREFIX + key).decode()
        return found


_COMMON = "SELECT w.word FROM stale_words w WHERE EXISTS (SELECT 1 FROM keywords k WHERE k.word = w.word LIMIT 1 OFFSET ?)"
_RANKED = "n.importance DESC, n.key"
_FILES = f"""SELECT k.word, n.importance, k.occurrences, n.file_id, n.key, k.snippets
  FROM {{words}} CROSS JOIN keywords k ON k.word = w.word CROSS JOIN notes n ON n.id = k.note WHERE {IS_OWN} {{condition}}
 ORDER BY w.word, {_RANKED}"""
_JOIN = ",\n"
_FILE = """        {{
          "file_id": "{file_id}",
          "path": {path},
          "score": {score},
          "occurrences": {occurrences},
          "context_snippets": {snippets}
        }}"""
_KEYWORD = """    {word}: {{
      "frequency": {frequency},
      "importance_weight": {weight},
      "files": [
"""
_END_OF_KEYWORD = """
      ]
    }"""
