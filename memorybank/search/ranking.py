"""Computes how well a document answers a query, from tokens, units and frequencies.

A note's own evidence is BM25 over its weighted columns (S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework", 2009), plus
what BM25 does not see: how much of the query occurs in one passage, and how much in the order of the query. The gain in both languages is
measured (docs/search.md).

Short notes whose names form a series (`text.series`) are pieces of one longer text. Such a piece borrows evidence from its neighbours and
from the entire series, because its subject is often stated one piece earlier. Long notes need no such help: the borrowed share decreases
with the mean length of the notes in the series, so that only series of short pieces are affected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from memorybank.search.query import QueryUnit
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    TokenMatch: TypeAlias = tuple[int, int, int]
    """One match in a column: its position among the tokens, the place of the unit in the query, and the offset of its first character."""

K1 = 1.2
B = 0.5
"""Parameters of BM25: saturation (`K1`), and how much length counts (`B`). Notes are long because they contain more, so `B` is below the usual 0.75."""
TITLE, HEADINGS, TAGS, BODY = 2.0, 1.5, 1.5, 1.0
"""Weight of an occurrence in each column."""
PASSAGE_TOKENS = 50
"""Length of a passage, in tokens."""
PASSAGE = 1.0
ADJACENCY = 0.5
NEIGHBOURS = (0.4, 0.2)
"""Fractions of a neighbour's score added to a short note: of the better note one place away, and of the better one two places away."""
SERIES = 0.5
SUPPORT_SHARE = 0.5
"""The score of a piece including its support is divided by 1 plus this number times its `lending`."""
SHORT, LONG = 40, 80
"""Mean number of words per note of a series (a Japanese character counts as one word). Up to SHORT (remarks) its notes borrow fully; from
LONG on (self-contained paragraphs) not at all.
"""
LONGEST_COLUMN = 400_000
"""Maximum number of characters of a column that are scored. The rest of a huge note only helps to find it."""


class DocumentTokens(Value):
    """The stored tokens of one document; `body` contains line ends as tokens of their own."""

    title: str
    headings: str
    tags: str
    body: str


class DocumentEvidence(Value):
    """The evidence of one document for a query.

    score: its own evidence, without support.
    counts: weighted occurrences of each unit.
    length: number of tokens.
    lines: first and last line of the best passage in the body (0-based); None when only title, headings or tags match.
    """

    score: float
    counts: tuple[float, ...]
    length: int
    lines: tuple[int, int] | None


class WeightedQuery:
    """A query weighted for one corpus: its units and their inverse document frequencies."""

    def __init__(self, units: Sequence[QueryUnit], frequencies: Sequence[int], notes: int, average: float) -> None:
        """frequencies: number of documents that contain each unit.
        notes: number of documents in the corpus.
        average: mean number of tokens in a document.
        """
        self.units = tuple(units)
        self.counts = dict(zip(self.units, frequencies, strict=True))
        self.average = average
        self.weights = tuple(unit.weight * rarity(count, notes) for unit, count in zip(units, frequencies, strict=True))
        self._plain = {unit.tokens[0]: place for place, unit in enumerate(units) if len(unit.tokens) == 1 and not unit.prefix}
        self._compound = [(place, unit) for place, unit in enumerate(units) if len(unit.tokens) > 1 or unit.prefix]

    def evidence(self, text: DocumentTokens) -> DocumentEvidence:
        """Return the evidence of `text` alone."""
        body = text.body[:LONGEST_COLUMN]
        hits = self._hits(body)
        counts = [0.0] * len(self.units)
        for _, place, _ in hits:
            counts[place] += BODY
        for column, weight in ((text.title, TITLE), (text.headings, HEADINGS), (text.tags, TAGS)):
            if column:
                for _, place, _ in self._hits(column[:LONGEST_COLUMN]):
                    counts[place] += weight
        length = text.body.count(" ") + text.title.count(" ") + text.headings.count(" ") + 3
        best, first, last = _best_passage(hits, self.weights)
        score = self.bm25(counts, length) + PASSAGE * best + ADJACENCY * _adjacency(hits, self.weights)
        lines = (body.count("\n", 0, first), body.count("\n", 0, last)) if hits else None
        return DocumentEvidence(score, tuple(counts), length, lines)

    def bm25(self, counts: Sequence[float], length: float) -> float:
        """BM25 of a text of `length` tokens with these weighted occurrences of the units."""
        # Standard BM25, over counts that the columns have weighted already: only one saturation applies to all columns together.
        floor = K1 * (1 - B + B * length / self.average)
        return math.fsum(weight * count * (K1 + 1) / (count + floor) for weight, count in zip(self.weights, counts, strict=True) if count)

    def _hits(self, column: str) -> list[TokenMatch]:
        """Return every match, in order."""
        # Finding the few words of a query takes a tenth of the time of splitting a text into its tokens and looking at each.
        text = f" {column} "
        found = []
        for token, place in self._plain.items():
            wanted = f" {token} "
            at = text.find(wanted)
            while at >= 0:
                found.append((at, place))
                at = text.find(wanted, at + len(wanted) - 1)
        found.sort()
        hits = []
        position = counted = 0
        for at, place in found:
            position += text.count(" ", counted, at)
            counted = at
            hits.append((position, place, at))
        if self._compound:
            tokens = column.split(" ")
            hits += [(at, place, sum(map(len, tokens[:at])) + at) for place, unit in self._compound for at in _places(tokens, unit)]
            hits.sort()
        return hits


def rarity(count: int, notes: int) -> float:
    """Return the inverse document frequency of a unit that `count` of `notes` documents contain."""
    return math.log(1 + (max(notes, count) - count + 0.5) / (count + 0.5))


def lending(words: Sequence[int]) -> float:
    """Return how far the notes of a series are pieces of one text (1.0) or texts of their own (0.0), judged by their mean number of words.

    It is one number for all of them: a piece must not rank below its neighbour because it is one word shorter.
    """
    mean = sum(words) / max(1, len(words))
    return min(1.0, max(0.0, (LONG - mean) / (LONG - SHORT)))


def supported(own: DocumentEvidence, before: Sequence[DocumentEvidence], after: Sequence[DocumentEvidence], row_score: float, share: float) -> float:
    """Return the score of a piece including the support of its series.

    before, after: evidence of the notes next to it, nearest first.
    row_score: BM25 of the entire series as one text; 0.0 when the series is too long to be one.
    share: `lending` of the series.
    The sum is divided, so that pieces do not outrank notes with as much evidence of their own.
    """
    near = math.fsum(part * max(side[distance].score if distance < len(side) else 0.0 for side in (before, after)) for distance, part in enumerate(NEIGHBOURS))
    return (own.score + share * (near + SERIES * row_score)) / (1 + share * SUPPORT_SHARE)


def row_score(question: WeightedQuery, members: Sequence[DocumentEvidence]) -> float:
    """BM25 of an entire series, treated as one text of mean length."""
    counts = [math.fsum(column) for column in zip(*(member.counts for member in members), strict=True)]
    return question.bm25(counts, question.average)


def affordable(frequencies: Sequence[int], budget: int) -> list[int]:
    """Return the indexes of the units to look up: the rarest ones, as long as the sum of their frequencies is at most `budget`.

    Common words hardly affect which note comes first; they are weighed in the notes that the rare words find.
    """
    chosen, spent = [], 0
    for place in sorted(range(len(frequencies)), key=lambda place: (frequencies[place], place)):
        spent += frequencies[place]
        if spent > budget:
            break
        chosen.append(place)
    return [place for place in chosen if frequencies[place]]


def with_standing(score: float, importance: float, age_days: float) -> float:
    """Return the score with importance (0–10) and recency (half-life 30 days) as tie-breakers of at most one twentieth each."""
    return score * (1 + 0.05 * importance / 10 + 0.05 * 2 ** (-max(0.0, age_days) / 30))


def _best_passage(hits: Sequence[TokenMatch], weights: Sequence[float]) -> tuple[float, int, int]:
    """Return (weight of the distinct units in the best window of tokens, offset of its first and of its last match)."""
    best, first, last = 0.0, 0, 0
    counts: dict[int, int] = {}
    current, low = 0.0, 0
    for at, place, offset in hits:
        counts[place] = counts.get(place, 0) + 1
        if counts[place] == 1:
            current += weights[place]
        # Slide the window: drop the matches at its left end that are too far away.
        while at - hits[low][0] > PASSAGE_TOKENS:
            left = hits[low][1]
            counts[left] -= 1
            if not counts[left]:
                current -= weights[left]
            low += 1
        # The tolerance keeps rounding errors of the sliding sum from moving the passage; of equal passages the first one wins.
        if current > best + 1e-9:
            best, first, last = current, hits[low][2], offset
    return best, first, last


def _adjacency(hits: Sequence[TokenMatch], weights: Sequence[float]) -> float:
    """Return the sum over the pairs of units that are adjacent in the query and at most two tokens apart in the text, each by the lesser weight."""
    pairs = {place for (at, place, _), (next_at, following, _) in pairwise(hits) if following == place + 1 and next_at - at <= 2}
    return math.fsum(min(weights[place], weights[place + 1]) for place in pairs)


def _places(tokens: list[str], unit: QueryUnit) -> list[int]:
    """Return the positions at which a phrase or prefix begins. Line ends between its tokens are ignored."""
    words = [(at, token) for at, token in enumerate(tokens) if token and token != "\n"]
    wanted, last = unit.tokens[:-1], unit.tokens[-1]
    found = []
    for start in range(len(words) - len(wanted)):
        end = words[start + len(wanted)][1]
        if (end.startswith(last) if unit.prefix else end == last) and all(words[start + step][1] == token for step, token in enumerate(wanted)):
            found.append(words[start][0])
    return found
