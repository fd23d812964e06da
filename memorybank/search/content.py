"""Content search: every line that holds a literal text, in any script, mid-word too, front matter included.

What `rg -a --hidden --no-ignore -i -F` finds, and more: both sides are NFKC-normalised and case folded, so that ｱｸｾｽ is
アクセス and ß is ss. With `regex`, the same by regular expression.

Notes are tried in the order of the answer, the most important first, until enough lines are found or it is clear that too
many would have to be read in that order, which is several times dearer than reading everything in the order it is stored.
Then a query with two Japanese or Chinese characters in a row is looked up, each such pair being a token of the full text;
any other text is looked for in every note.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import groupby, pairwise
from typing import NamedTuple
from unicodedata import normalize

from memorybank.errors import UsageError
from memorybank.search import filters, reading
from memorybank.search.corpus import ACTIVE, Corpus, size
from memorybank.search.deadline import deadline
from memorybank.search.filters import Condition
from memorybank.search.hit import Hit
from memorybank.search.query import Query
from memorybank.storage.layout import Layout
from memorybank.text import snippets, tokens

TRIED_FIRST = 200
"""Notes that are tried in order of importance before it is decided whether to go on so."""
DEARER = 4
"""How much dearer a note read in order of importance is than one read in stored order."""
PATIENCE = 20.0
"""Seconds that a regular expression may take in all."""
_RUN = re.compile(f"{tokens.CJK_LETTER}{{2,}}")


class Needle(NamedTuple):
    """literal: UTF-8 of the folded text, b"" for a regular expression; pattern: finds every match in a folded text;
    expression: what FTS5 must match in a note that holds it, or None when only reading tells."""

    literal: bytes
    pattern: re.Pattern[str]
    expression: str | None


class Match(NamedTuple):
    """A note that holds the needle, ordered as it is shown: importance, then number of lines, then key."""

    importance: float
    lines: int
    key: str
    note: int

    def order(self) -> tuple[float, int, str]:
        return (-self.importance, -self.lines, self.key)


def search(connection: sqlite3.Connection, layout: Layout, query: Query, corpora: Iterable[Corpus]) -> list[Hit]:
    """One hit a matching line, at most `query.limit`; of one corpus after another."""
    needle = needle_of(query)
    connection.create_function("folded_bytes", 1, lambda text: fold(text).encode("utf-8", "surrogatepass"), deterministic=True)
    with deadline(PATIENCE) if query.regex else nullcontext():
        return _search(connection, layout, query, needle, corpora)


def _search(connection: sqlite3.Connection, layout: Layout, query: Query, needle: Needle, corpora: Iterable[Corpus]) -> list[Hit]:
    hits: list[Hit] = []
    for corpus in corpora:
        condition = filters.condition(connection, corpus, query)
        for match in _matches(connection, corpus, needle, condition, query.limit):
            hits += _hits(connection, corpus, layout, needle, match.note, query.limit - len(hits))
            if len(hits) >= query.limit:
                return hits
    return hits


def needle_of(query: Query) -> Needle:
    """What is looked for; `UsageError` for nothing, for a line end, and for an invalid regular expression."""
    if query.regex:
        try:
            return Needle(b"", re.compile("".join(map(_letter, query.text)), re.IGNORECASE | re.MULTILINE), None)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"{query.text!r} is no regular expression: {error}", next_step="leave out --regex to search for it literally") from error
    folded = fold(query.text)
    if not folded.strip() or "\n" in folded:
        raise UsageError("a content search needs a text on one line", next_step="ask for a word or a part of one")
    return Needle(folded.encode("utf-8", "surrogatepass"), re.compile(re.escape(folded)), _expression(folded))


def fold(text: str) -> str:
    """NFKC and case folded: the form in which texts are compared, equal to that of the index."""
    return (text if text.isascii() else normalize("NFKC", text)).casefold()


def _letter(sign: str) -> str:
    """Full-width letters of a pattern as the folded text has them; signs stay what they mean in a pattern."""
    normal = normalize("NFKC", sign)
    return normal if normal.isalnum() else sign


def _expression(folded: str) -> str | None:
    """The CJK runs of the needle, as the pairs that any text with it must hold side by side; None without such a run."""
    phrases = (" ".join(first + second for first, second in pairwise(run)) for run in _RUN.findall(folded))
    return " AND ".join(f'"{phrase}"' for phrase in phrases) or None


def _matches(connection: sqlite3.Connection, corpus: Corpus, needle: Needle, condition: Condition, limit: int) -> Iterator[Match]:
    """Notes that hold the needle, in order. The caller stops when it has enough."""
    tried: set[int] = set()
    lines = 0
    notes = size(connection, corpus).notes
    for group in _groups(_all_rows(connection, corpus, condition)):
        if len(group) > TRIED_FIRST and len(group) * DEARER > notes:
            break
        found = _held(connection, corpus, needle, group)
        yield from found
        tried.update(note for _, _, note in group)
        lines += sum(match.lines for match in found)
        if len(tried) >= TRIED_FIRST and len(tried) * (limit - lines) * DEARER > lines * notes:
            break
    else:
        return
    others = (note for note in _holders(connection, corpus, needle) if note not in tried)
    for group in _groups(sorted(_rows(connection, corpus, condition, others), key=lambda row: (-row[0], row[1]))):
        yield from _held(connection, corpus, needle, group)


def _all_rows(connection: sqlite3.Connection, corpus: Corpus, condition: Condition) -> Iterable[tuple[float, str, int]]:
    """(importance, key, id) of all notes, the most important first; of episodes the instant stands for it."""
    return connection.execute(
        f"SELECT {corpus.first}, key, id FROM {corpus.rows}{condition.clause('WHERE')} ORDER BY {corpus.first} DESC, key", condition.values
    )


def _rows(connection: sqlite3.Connection, corpus: Corpus, condition: Condition, notes: Iterable[int]) -> Iterator[tuple[float, str, int]]:
    """The same of those among `notes` that may be shown."""
    statement = f"SELECT {corpus.first}, key, id FROM {corpus.rows} WHERE id = ?{condition.clause('AND')}"
    for note in notes:
        row = connection.execute(statement, (note, *condition.values)).fetchone()
        if row:
            yield row


def _groups(rows: Iterable[tuple[float, str, int]]) -> Iterator[list[tuple[float, str, int]]]:
    """The rows of one importance together: within it the number of lines decides, so that all must be read."""
    for _, group in groupby(rows, key=lambda row: row[0]):
        yield list(group)


def _holders(connection: sqlite3.Connection, corpus: Corpus, needle: Needle) -> Iterator[int]:
    """Ids of all notes that may hold the needle. Bytes are compared: decoding would cost more than looking."""
    if needle.expression:
        for row in connection.execute(f"SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?", (needle.expression,)):
            yield row[0]
        return
    holds = _test(needle)
    for note, data in connection.execute(_text_of(corpus)):
        if holds(data):
            yield note


def _held(connection: sqlite3.Connection, corpus: Corpus, needle: Needle, rows: Iterable[tuple[float, str, int]]) -> list[Match]:
    """Those of the notes that hold the needle, in order."""
    statement = _text_of(corpus) + " WHERE id = ?"
    holds = _test(needle)
    found = []
    for importance, key, note in rows:
        data = connection.execute(statement, (note,)).fetchone()[1]
        if holds(data) and (numbers := lines_of(data.decode("utf-8", "surrogatepass"), needle)):
            found.append(Match(importance, len(numbers), key, note))
    return sorted(found, key=Match.order)


def _test(needle: Needle) -> Callable[[bytes], bool]:
    if needle.literal:
        literal = needle.literal
        return lambda data: literal in data
    return lambda data: needle.pattern.search(data.decode("utf-8", "surrogatepass")) is not None


def _text_of(corpus: Corpus) -> str:
    return "SELECT id, CAST(text AS BLOB) FROM folded" if corpus is ACTIVE else f"SELECT id, folded_bytes(text) FROM {corpus.rows}"


def lines_of(text: str, needle: Needle) -> list[int]:
    """0-based numbers of the lines with a match; a match that begins on a line belongs to it."""
    found: list[int] = []
    number, counted = 0, 0
    at = 0
    while at <= len(text) and (match := needle.pattern.search(text, at)):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        if counted == len(text) and text.endswith("\n"):
            break
        found.append(number)
        end = text.find("\n", match.start())
        if end < 0:
            break
        at = end + 1
    return found


def _hits(connection: sqlite3.Connection, corpus: Corpus, layout: Layout, needle: Needle, note: int, limit: int) -> list[Hit]:
    """The matching lines of one note as its file shows them."""
    row = reading.row(connection, corpus, layout, note)
    folded = connection.execute(_text_of(corpus) + " WHERE id = ?", (note,)).fetchone()[1].decode("utf-8", "surrogatepass")
    numbers = lines_of(folded, needle)[:limit]
    lines = reading.lines(connection, layout, row)
    folded_lines = folded.split("\n")
    hits = []
    for number in numbers:
        line = lines[number] if number < len(lines) else folded_lines[number]
        snippet = snippets.around(snippets.shown(line), _marks(snippets.shown(line), needle))
        hits.append(
            Hit(
                row.key,
                row.path,
                row.title,
                row.importance,
                row.modified,
                row.size,
                "content",
                (number + 1, number + 1),
                *snippet,
                0.0,
                row.archive_id,
                row.kind,
            )
        )
    return hits


def _marks(line: str, needle: Needle) -> list[tuple[int, int]]:
    """Where the needle stands in a line as written; nowhere when folding changes its length."""
    folded = fold(line)
    if len(folded) != len(line):
        return []
    return [match.span() for match in needle.pattern.finditer(folded) if match.end() > match.start()]
