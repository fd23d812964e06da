"""Content search: every line that contains a literal text, in any script, also inside words, front matter included.

It finds what `rg -a --hidden --no-ignore -i -F` finds, and more: both sides are NFKC-normalized and case-folded, so that ｱｸｾｽ matches
アクセス and ß matches ss. With `regex` it matches a regular expression instead.

Notes are tried in the order of the answer, the most important first, until enough lines are found or until it is clear that too many
notes would have to be read in that order, which is several times as expensive as reading all in the order in which they are stored. From
then on, a query with two adjacent Japanese or Chinese characters is looked up in the full-text index, where each such pair is a token;
for any other text every note is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import groupby, islice, pairwise
from types import FrameType
from unicodedata import normalize

from memorybank.errors import ResourceExhausted, UsageError
from memorybank.search import reading
from memorybank.search.corpus import ACTIVE, Corpus, SqlCondition, size, sql_condition
from memorybank.search.hit import Hit
from memorybank.search.query import Query
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose import snippets
from memorybank.text.words import tokens
from memorybank.text.words.tokens import fold
from memorybank.values import NamedTuple

TRIED_FIRST = 200
"""Number of notes tried in order of importance before deciding whether to continue in that order."""
STORED_ORDER_SPEEDUP = 4
"""Cost of reading a note in order of importance, relative to reading one in stored order."""
PATIENCE = 20.0
"""Seconds that a regular expression may take in total."""
_STRETCH = 100_000
"""Characters that are split into lines at a time."""
_RUN = lazy_pattern(f"{tokens.CJK_LETTER}{{2,}}")


class Needle(NamedTuple):
    """The text or pattern to find.

    literal: the folded text in UTF-8; b"" for a regular expression.
    pattern: finds every match in a folded text.
    expression: FTS5 expression that matches every note containing the text; None when notes must be read to find out.
    """

    literal: bytes
    pattern: re.Pattern[str]
    expression: str | None


class CandidateRow(NamedTuple):
    """A document that may contain the needle. For an episode the instant takes the place of importance."""

    importance: float
    key: str
    note: int


class MatchingNote(NamedTuple):
    """A note that contains the needle."""

    importance: float
    lines: int
    key: str
    note: int

    def order(self) -> tuple[float, int, str]:
        """Sort key: importance, then number of matching lines, both descending, then key."""
        return (-self.importance, -self.lines, self.key)


def search(connection: sqlite3.Connection, layout: Layout, query: Query, corpora: Iterable[Corpus]) -> list[Hit]:
    """Return one hit per matching line, at most `query.limit`, from one corpus after another.

    Raises `UsageError` for a query that cannot be searched for, and `ResourceExhausted` when a regular expression takes too long.
    """
    needle = needle_of(query)
    # Archived notes and episodes have no folded text in the index, so SQLite folds it while it reads.
    connection.create_function("folded_bytes", 1, lambda text: fold(text).encode("utf-8", "surrogatepass"), deterministic=True)
    with deadline(PATIENCE) if query.regex else nullcontext():
        return _search(connection, layout, query, needle, corpora)


def _search(connection: sqlite3.Connection, layout: Layout, query: Query, needle: Needle, corpora: Iterable[Corpus]) -> list[Hit]:
    hits: list[Hit] = []
    for corpus in corpora:
        condition = sql_condition(connection, corpus, query)
        for match in _matches(connection, corpus, needle, condition, query.limit):
            hits += _hits(connection, corpus, layout, needle, match.note, query.limit - len(hits))
            if len(hits) >= query.limit:
                return hits
    return hits


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Limit the time of a block, because one match can take practically forever. Raises `ResourceExhausted` after `seconds`.

    Only a signal can interrupt a match, and Python handles signals only in the main thread; elsewhere there is no limit.
    """
    import signal  # late: most searches look for a literal text

    def expire(number: int, frame: FrameType | None) -> None:
        raise ResourceExhausted(
            f"the regular expression took longer than {seconds:g} seconds",
            next_step="avoid a repetition inside a repetition, such as (a+)+, or search for literal text without --regex",
        )

    try:
        before = signal.signal(signal.SIGALRM, expire)
    except ValueError:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def needle_of(query: Query) -> Needle:
    """Return what a query looks for. Raises `UsageError` for an empty text, a text with a line end, and an invalid regular expression."""
    if query.regex:
        try:
            return Needle(b"", re.compile("".join(map(_letter, query.text)), re.IGNORECASE | re.MULTILINE), None)
        except (re.error, RecursionError, OverflowError) as error:
            raise UsageError(f"{query.text!r} is not a valid regular expression: {error}", next_step="leave out --regex to search for it literally") from error
    folded = fold(query.text)
    if not folded.strip() or "\n" in folded:
        raise UsageError("a content search needs a text on one line", next_step="search for a word or a part of one")
    return Needle(folded.encode("utf-8", "surrogatepass"), re.compile(re.escape(folded)), _expression(folded))


def _letter(sign: str) -> str:
    """NFKC-normalize a letter or digit of a pattern, as the folded text is; other characters keep their meaning in the pattern."""
    normal = normalize("NFKC", sign)
    return normal if normal.isalnum() else sign


def _expression(folded: str) -> str | None:
    """FTS5 phrases, one for each CJK run of the needle, made of its overlapping pairs of characters; None without such a run."""
    phrases = (" ".join(first + second for first, second in pairwise(run)) for run in _RUN.findall(folded))
    return " AND ".join(f'"{phrase}"' for phrase in phrases) or None


def _matches(connection: sqlite3.Connection, corpus: Corpus, needle: Needle, condition: SqlCondition, limit: int) -> Iterator[MatchingNote]:
    """Yield the notes that contain the needle, in the order of the answer. The caller stops when it has enough."""
    tried: set[int] = set()
    lines = 0
    notes = size(connection, corpus).notes
    for group in _groups(_all_rows(connection, corpus, condition)):
        # A group of equal importance must be read completely before its order is known: one this large is better read in stored order.
        if len(group) > TRIED_FIRST and len(group) * STORED_ORDER_SPEEDUP > notes:
            break
        found = _held(connection, corpus, needle, group)
        yield from found
        tried.update(row.note for row in group)
        lines += sum(match.lines for match in found)
        # At the present rate of matches, len(tried) * (limit - lines) / lines more notes would be read in this order.
        if len(tried) >= TRIED_FIRST and len(tried) * (limit - lines) * STORED_ORDER_SPEEDUP > lines * notes:
            break
    else:
        return
    others = (note for note in _holders(connection, corpus, needle) if note not in tried)
    for group in _groups(sorted(_rows(connection, corpus, condition, others), key=lambda row: (-row.importance, row.key))):
        yield from _held(connection, corpus, needle, group)


def _all_rows(connection: sqlite3.Connection, corpus: Corpus, condition: SqlCondition) -> Iterable[CandidateRow]:
    """Return all documents that pass, the most important first."""
    query = f"SELECT {corpus.first}, key, id FROM {corpus.rows}{condition.clause('WHERE')} ORDER BY {corpus.first} DESC, key"
    return map(CandidateRow._make, connection.execute(query, condition.values))


def _rows(connection: sqlite3.Connection, corpus: Corpus, condition: SqlCondition, notes: Iterable[int]) -> Iterator[CandidateRow]:
    """Yield the rows of `_all_rows` for those among `notes` that pass."""
    statement = f"SELECT {corpus.first}, key, id FROM {corpus.rows} WHERE id = ?{condition.clause('AND')}"
    for note in notes:
        row = connection.execute(statement, (note, *condition.values)).fetchone()
        if row:
            yield CandidateRow._make(row)


def _groups(rows: Iterable[CandidateRow]) -> Iterator[list[CandidateRow]]:
    """Yield the rows grouped by importance. The number of matching lines decides the order within a group, so all of its notes must be read."""
    for _, group in groupby(rows, key=lambda row: row.importance):
        yield list(group)


def _holders(connection: sqlite3.Connection, corpus: Corpus, needle: Needle) -> Iterator[int]:
    """Yield the ids of all notes that may contain the needle. Bytes are compared, because decoding would cost more than the comparison."""
    if needle.expression:
        for row in connection.execute(f"SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?", (needle.expression,)):
            yield row[0]
        return
    holds = _test(needle)
    for note, data in connection.execute(_text_of(corpus)):
        if holds(data):
            yield note


def _held(connection: sqlite3.Connection, corpus: Corpus, needle: Needle, rows: Iterable[CandidateRow]) -> list[MatchingNote]:
    """Matches of those notes that contain the needle, in order."""
    statement = _text_of(corpus) + " WHERE id = ?"
    holds = _test(needle)
    found = []
    for importance, key, note in rows:
        data = connection.execute(statement, (note,)).fetchone()[1]
        if holds(data) and (lines := sum(1 for _ in matching_lines(data.decode("utf-8", "surrogatepass"), needle))):
            found.append(MatchingNote(importance, lines, key, note))
    return sorted(found, key=MatchingNote.order)


def _test(needle: Needle) -> Callable[[bytes], bool]:
    if needle.literal:
        literal = needle.literal
        return lambda data: data.find(literal) >= 0  # `in` would first take the literal for a number, and drop an exception for each note
    return lambda data: needle.pattern.search(data.decode("utf-8", "surrogatepass")) is not None


def _text_of(corpus: Corpus) -> str:
    return "SELECT id, CAST(text AS BLOB) FROM folded" if corpus is ACTIVE else f"SELECT id, folded_bytes(text) FROM {corpus.rows}"


def matching_lines(text: str, needle: Needle) -> Iterator[int]:
    """Yield the 0-based numbers of the lines in which a match begins, in order."""
    return _lines_with(text, needle.literal.decode("utf-8", "surrogatepass")) if needle.literal else _lines_matching(text, needle.pattern)


def _lines_with(text: str, literal: str) -> Iterator[int]:
    begin = number = 0
    while begin < len(text):
        # In stretches, because the lines of a large note as separate texts take several times the memory of the note.
        end = text.find("\n", begin + _STRETCH)
        lines = text[begin : end if end >= 0 else len(text)].split("\n")
        yield from [at for at, line in enumerate(lines, number) if literal in line]
        begin, number = (end + 1 if end >= 0 else len(text)), number + len(lines)


def _lines_matching(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    number = counted = at = 0
    while at <= len(text) and (match := pattern.search(text, at)):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        # An empty match after the final line feed is on no line.
        if counted == len(text) and text.endswith("\n"):
            break
        yield number
        end = text.find("\n", match.start())
        if end < 0:
            break
        at = end + 1


def _hits(connection: sqlite3.Connection, corpus: Corpus, layout: Layout, needle: Needle, note: int, limit: int) -> list[Hit]:
    """Return the hits for the matching lines of one note, as they are in its file."""
    row = reading.row(connection, corpus, layout, note)
    folded = connection.execute(_text_of(corpus) + " WHERE id = ?", (note,)).fetchone()[1].decode("utf-8", "surrogatepass")
    numbers = list(islice(matching_lines(folded, needle), limit))
    lines = reading.lines(connection, layout, row)
    folded_lines = folded.split("\n")
    hits = []
    for number in numbers:
        line = lines[number] if number < len(lines) else folded_lines[number]
        shown = snippets.shown(_near_match(line, needle))
        snippet = snippets.around(shown, _marks(shown, needle))
        hits.append(row.hit("content", (number + 1, number + 1), snippet.text, snippet.marks))
    return hits


def _near_match(line: str, needle: Needle) -> str:
    """Return a line, of a very long one the part around its first match."""
    if len(line) <= snippets.LONGEST_LINE:
        return line
    folded = fold(line)
    found = needle.pattern.search(folded) if len(folded) == len(line) else None
    begin = max(0, found.start() - snippets.LONGEST_LINE // 2) if found else 0
    return line[begin : begin + snippets.LONGEST_LINE]


def _marks(line: str, needle: Needle) -> list[tuple[int, int]]:
    """Return [start, end) of each match in a line as written; none when folding changes the length of the line, because the offsets would be wrong."""
    folded = fold(line)
    if len(folded) != len(line):
        return []
    return [match.span() for match in needle.pattern.finditer(folded) if match.end() > match.start()]
