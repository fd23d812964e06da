"""Which memories hold the words of a query, found within a budget of postings: by rarity, exactly, and in the same way on any machine.

The rarest words name the candidates; common ones only tell them apart. A naive OR query over a session's words costs more than
everything else of a hook together. Light imports only: hooks load this file.
"""

from __future__ import annotations

from math import log

from memorybank.cycle import ranking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.query import Word

MOST_ASKED = 12
"""Words whose rows are looked for, the rarest first."""
MOST_COUNTED = 24
"""Known words, and as many unknown ones, that a match is a share of: a pasted log is not about each of its words."""
EXACT = 40
"""Candidates whose whole text is compared with the query."""
_MOST_TIES = 120
_PRIOR = 500
"""Memories of any project, added to those of this one: in a small bank no word is known to be rare or common."""


class Corpus:
    """One full text. text: its FTS5 table; terms: SQL that yields (term, how many rows hold it) for `{}` marks; tokens: SQL that
    yields (row, columns …) of the stored terms for a list of rows; phrases: whether its rows know the places of terms;
    postings: rows of the full text that one query may name."""

    __slots__ = ("phrases", "postings", "terms", "text", "tokens")

    def __init__(self, text: str, terms: str, tokens: str, postings: int, *, phrases: bool) -> None:
        self.postings = postings
        self.text = text
        self.terms = terms
        self.tokens = tokens
        self.phrases = phrases


NOTES = Corpus(
    "note_text",
    "SELECT term, notes FROM frequencies WHERE term IN ({})",
    "SELECT id, title, headings, tags, body FROM tokens WHERE id IN ({})",
    2_000,
    phrases=True,
)
MEMORIES = Corpus(
    "memory_text",
    "SELECT term, memories FROM frequencies WHERE term IN ({})",
    "SELECT id, text FROM memory_tokens WHERE id IN ({})",
    1_000,  # calls say the same again and again: what 1,000 of them say is nothing in particular
    phrases=False,
)


class Match:
    """What one row holds of a query: labels of words, their share of it by rarity, and how likely that is by chance (see `ranking`)."""

    __slots__ = ("chance", "match", "matched")

    def __init__(self, matched: Sequence[str], match: float, chance: float) -> None:
        self.matched = matched
        self.match = match
        self.chance = chance


class _Known:
    """A word that some rows hold: how many, its weight (inverse document frequency) and its surprise."""

    __slots__ = ("rows", "surprise", "weight", "word")

    def __init__(self, word: Word, rows: int, count: int) -> None:
        self.word = word
        self.rows = rows
        self.weight = max(0.05, log((count + 1) / (rows + 0.5)))
        self.surprise = -log((rows + 0.5) / (count + _PRIOR))


def match(connection: Connection, corpus: Corpus, words: Sequence[Word], also: Iterable[int] = ()) -> dict[int, Match]:
    """{row: what it holds of the words} for the best rows, and for those in `also` (found by their anchors)."""
    count = rows_in(connection, corpus)
    if not words or not count:
        return {}
    known, unknown = _known(connection, corpus, words, count)
    counted = known[:MOST_COUNTED]
    missing = min(unknown, MOST_COUNTED)
    whole = sum(word.weight for word in counted) + missing * log((count + 1) / 0.5)
    bounds = ranking.chance_of([2.718281828459045**-word.surprise for word in counted] + [0.5 / (count + _PRIOR)] * missing, count)
    rows = _candidates(connection, corpus, known[:MOST_ASKED])
    found = {}
    for row, tokens in _tokens(connection, corpus, {*rows, *also}):
        held = [word for word in counted if all_in(word.word, tokens, corpus.phrases)]
        surprise = sum(word.surprise for word in held)
        found[row] = Match([word.word.label for word in held], sum(word.weight for word in held) / whole, ranking.chance(bounds, surprise))
    return found


def rows_in(connection: Connection, corpus: Corpus) -> int:
    """How many rows the full text has, from the averages record of FTS5 (row 1 of its data, the first variable-length integer)."""
    row = connection.execute(f"SELECT block FROM {corpus.text}_data WHERE id = 1").fetchone()
    value = 0
    for byte in row[0] if row else b"":
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value
    return 0


def all_in(word: Word, tokens: str, phrases: bool) -> bool:
    """Whether a text, its terms between blanks, holds the whole word."""
    if phrases:
        return f" {' '.join(word.terms)} " in tokens
    return all(f" {term} " in tokens for term in word.terms)


def _known(connection: Connection, corpus: Corpus, words: Sequence[Word], count: int) -> tuple[list[_Known], int]:
    """(the words that some row may hold, the rarest first; how many others there are)."""
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    frequencies: dict[str, int] = dict(connection.execute(corpus.terms.format(",".join("?" * len(terms))), terms))
    known = [_Known(word, rows, count) for word in words if (rows := min(frequencies.get(term, 0) for term in word.terms))]
    known.sort(key=lambda word: (word.rows, word.word.label))
    return known, len(words) - len(known)


def _candidates(connection: Connection, corpus: Corpus, asked: list[_Known]) -> list[int]:
    """The rows that hold the most of the asked words, by weight."""
    left = corpus.postings
    weights: dict[int, float] = {}
    expanded: list[str] = []
    for at, word in enumerate(asked):
        if word.rows > left:
            asked = asked[at:]
            break
        left -= word.rows
        expanded.append(_expression(word.word, corpus))
        for (row,) in connection.execute(f"SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?", (expanded[-1],)):
            weights[row] = weights.get(row, 0.0) + word.weight
    else:
        asked = []
    if len(weights) > EXACT:
        named = " OR ".join(expanded)
        for word in asked:
            both = f"({named}) AND {_expression(word.word, corpus)}"
            for (row,) in connection.execute(f"SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?", (both,)):
                weights[row] += word.weight
    best = sorted(weights, key=lambda row: -weights[row])
    if len(best) <= EXACT:
        return best
    least = weights[best[EXACT - 1]] - 1e-9
    return [row for row in best[:_MOST_TIES] if weights[row] >= least]


def _expression(word: Word, corpus: Corpus) -> str:
    """A word in the query language of FTS5; our terms hold no quotes."""
    if corpus.phrases:
        return f'"{" ".join(word.terms)}"'
    return "(" + " AND ".join(f'"{term}"' for term in word.terms) + ")"


def _tokens(connection: Connection, corpus: Corpus, rows: Iterable[int]) -> Iterable[tuple[int, str]]:
    listed = ",".join(str(int(row)) for row in rows)
    for row, *columns in connection.execute(corpus.tokens.format(listed)):
        yield row, f" {' '.join(columns)} "
