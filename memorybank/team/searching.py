"""Search on the server: which candidates it is asked for, and how they are ranked.

The database finds candidates by BM25 and by the distance of vectors. Here their texts are weighed as those of a bank are (`search.ranking`), with document
frequencies of the repositories that the caller may read, and words and meaning are added up as ADR 0082 says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from memorybank.clock import DAY
from memorybank.errors import UsageError
from memorybank.meaning import cutting
from memorybank.search import guessing, ranking
from memorybank.search.keyword import QueryCoverage
from memorybank.search.query import HYBRID, KEYWORD, SEMANTIC, QueryUnit, excluded, units
from memorybank.search.ranking import DocumentEvidence, DocumentTokens, WeightedQuery
from memorybank.search.semantic import BEGINS, BY_BOTH, BY_MEANING, BY_WORDS, CLEAR, WEAK
from memorybank.team.row import KINDS, SharedRow, TeamHit, quoted
from memorybank.text.words import tokens
from memorybank.values import Value

DEPTH = 40
"""Number of candidates to weigh, of each way; twice the limit of the query if that is more."""
POSTINGS = 5_000
"""Maximum number of memories that the words of a query may match before only its rarest words are looked up."""
MOST_HITS = 200
_EARLIEST, _LATEST = -(2**62), 2**62

Ask = Callable[[str, Sequence[Any]], list[dict[str, Any]]]
"""Calls a function of the schema with its arguments after the organisation; returns its rows."""


class TeamQuery(Value):
    """A question to the server.

    text: as in `memorybank search`; may be empty with a vector
    vector: of the text, with the length 1, or None; model: its embedder
    type: keyword, semantic or hybrid
    repositories: ids; () for all that the caller may read
    team: only repositories of this team, or ""
    kinds: some of `KINDS`; () for all
    since, until: instants (ms); `since` ≤ modified < `until`
    """

    text: str = ""
    vector: Sequence[float] | None = None
    model: str = ""
    type: str = KEYWORD
    repositories: tuple[str, ...] = ()
    team: str = ""
    kinds: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    limit: int = 10

    @property
    def places(self) -> tuple[list[str] | None, str | None]:
        return (list(self.repositories) or None, self.team or None)

    @property
    def filters(self) -> tuple[list[str] | None, int, int]:
        return (list(self.kinds) or None, _EARLIEST if self.since is None else self.since, _LATEST if self.until is None else self.until)

    @property
    def depth(self) -> int:
        return min(500, max(DEPTH, 2 * self.limit))


class _WordSide(Value, frozen=False):
    """What the words of a query find. unwanted: what no hit may contain; rows: the candidates"""

    question: WeightedQuery
    coverage: QueryCoverage
    unwanted: list[QueryUnit]
    rows: list[dict[str, Any]]

    def evidence(self, row: Mapping[str, Any]) -> DocumentEvidence:
        return self.question.evidence(document_tokens(row))

    def is_excluded(self, row: Mapping[str, Any]) -> bool:
        """Return whether a memory, found by its meaning, contains what the query excludes."""
        return bool(self.unwanted) and any(WeightedQuery(self.unwanted, [1] * len(self.unwanted), 1, 1.0).evidence(document_tokens(row)).counts)


def search(ask: Ask, row_of: Callable[[Mapping[str, Any]], SharedRow], query: TeamQuery, now: int) -> list[TeamHit]:
    """Return the best memories. now: instant (ms), for their age"""
    _check(query)
    by_words = words(ask, query) if query.type != SEMANTIC and query.text.strip() else None
    by_meaning = meaning(ask, query) if query.type != KEYWORD and query.vector is not None else []
    return _Ranking(by_words, by_meaning, now).hits(query, row_of)


def _check(query: TeamQuery) -> None:
    if query.type not in (KEYWORD, SEMANTIC, HYBRID):
        raise UsageError(f"{query.type!r} is not a type of search on a server", next_step=f"use {KEYWORD}, {SEMANTIC} or {HYBRID}")
    if unknown := sorted(set(query.kinds) - set(KINDS)):
        raise UsageError(f"{unknown[0]!r} is not a kind of memory", next_step=f"use {', '.join(KINDS)}")
    if not 1 <= query.limit <= MOST_HITS:
        raise UsageError(f"{query.limit} hits are too few or too many", next_step=f"ask for 1 to {MOST_HITS}")
    if query.type == SEMANTIC and query.vector is None:
        raise UsageError("a search by meaning needs an embedder", next_step="search with --type keyword, or configure an embedder (docs/search.md)")


def words(ask: Ask, query: TeamQuery) -> _WordSide | None:
    """Return the candidates by words; None when no memory that the caller may read contains a word of the query."""
    text, unwanted = excluded(query.text)
    asked = units(text)
    vocabulary = _SharedVocabulary(ask, query, asked)
    resolved = guessing.resolve(vocabulary, asked)
    if not resolved:
        return None
    average = vocabulary.average
    question = WeightedQuery(list(resolved), list(resolved.values()), vocabulary.documents, average)
    singles = [place for place, unit in enumerate(question.units) if len(unit.tokens) == 1 and not unit.prefix]
    rows = ask(
        "search_words",
        (
            *query.places,
            *query.filters,
            expression(question, list(resolved.values()), unwanted),
            [in_tsquery(unit) for unit in question.units],
            list(question.weights),
            average,
            [question.units[place].tokens[0] for place in singles],
            [question.weights[place] for place in singles],
            query.depth,
        ),
    )
    return _WordSide(question, QueryCoverage(asked, question), unwanted, rows)


def meaning(ask: Ask, query: TeamQuery) -> list[dict[str, Any]]:
    """Return the candidates by meaning, the most similar first."""
    assert query.vector is not None
    vector = f"[{','.join(format(number, '.6g') for number in query.vector)}]"
    return ask("search_meaning", (*query.places, *query.filters, query.model, len(query.vector), vector, query.depth))


class _SharedVocabulary:
    """The words of the memories that the caller may read. documents: their number; average: their mean length"""

    def __init__(self, ask: Ask, query: TeamQuery, asked: Sequence[QueryUnit]) -> None:
        self._ask = ask
        self._query = query
        self.documents = 1
        self.average = 1.0
        self._counts: dict[QueryUnit, int] = {}
        self._count(asked)

    def frequency(self, unit: QueryUnit) -> int:
        if unit not in self._counts:
            self._count([unit])
        return self._counts[unit]

    def beginning_with(self, prefix: str, lengths: tuple[int, int] = guessing.ANY_LENGTH) -> Sequence[tuple[str, int]]:
        found = self._ask("vocabulary", (*self._query.places, prefix))
        return [(row["token"], int(row["documents"])) for row in found if lengths[0] <= len(row["token"]) <= lengths[1]]

    def is_known_elsewhere(self, unit: QueryUnit) -> bool:
        return False

    def _count(self, asked: Sequence[QueryUnit]) -> None:
        """Count units: a phrase as its rarest token, a beginning as all its tokens together."""
        plain = sorted({token for unit in asked for token in (unit.tokens[:-1] if unit.prefix else unit.tokens)})
        beginnings = sorted({unit.tokens[-1] for unit in asked if unit.prefix})
        found = self._ask("frequencies", (*self._query.places, plain, beginnings))[0]["frequencies"]
        self.documents = max(int(found["documents"]), 1)
        self.average = max(1.0, float(found["length"]) / self.documents)
        for unit in asked:
            parts = [int(found["tokens"].get(token, 0)) for token in (unit.tokens[:-1] if unit.prefix else unit.tokens)]
            if unit.prefix:
                parts.append(min(self.documents, int(found["beginnings"].get(unit.tokens[-1], 0))))
            self._counts[unit] = min(parts)


def expression(question: WeightedQuery, counts: Sequence[int], unwanted: Sequence[QueryUnit]) -> str:
    """Return the `tsquery` of the candidates: those with one of the rarest words, or with all the common ones together."""
    chosen = ranking.affordable(counts, POSTINGS)
    rare = [in_tsquery(question.units[place]) for place in chosen]
    common = [in_tsquery(unit) for place, unit in enumerate(question.units) if place not in set(chosen)]
    if common:
        rare.append(f"({' & '.join(common)})")
    return f"({' | '.join(rare)})" + "".join(f" & !({in_tsquery(unit)})" for unit in unwanted)


def in_tsquery(unit: QueryUnit) -> str:
    """Return a unit in the language of `tsquery`."""
    parts = [quoted(token) for token in unit.tokens]
    if unit.prefix:
        parts[-1] += ":*"
    return " <-> ".join(parts) if len(parts) == 1 else f"({' <-> '.join(parts)})"


def document_tokens(row: Mapping[str, Any]) -> DocumentTokens:
    """Return the tokens of a memory, as the index of a bank contains them."""
    title, tags, body = (tokens.read(part).indexed for part in (row["title"], " \n ".join(row["tags"]), row["text"]))
    return DocumentTokens(title, "", tags, body)


class _Ranking:
    """The candidates of both ways, put in order."""

    def __init__(self, by_words: _WordSide | None, by_meaning: Sequence[Mapping[str, Any]], now: int) -> None:
        self._words = by_words
        self._meaning = {_place(row): row for row in by_meaning}
        self._rows = {_place(row): row for row in (*(by_words.rows if by_words else ()), *by_meaning)}
        self._now = now

    def hits(self, query: TeamQuery, row_of: Callable[[Mapping[str, Any]], SharedRow]) -> list[TeamHit]:
        ranked = sorted(self._scores(query.type), key=lambda entry: (-entry[0], entry[1]))
        hits = []
        for score, place, how, is_weak in ranked[: query.limit]:
            row = self._rows[place]
            hits.append(TeamHit(row_of(row), score, self._lines(place, how), how, is_weak, tuple(dict.fromkeys(row["origins"]))))
        return hits

    def _scores(self, kind: str) -> Iterator[tuple[float, tuple[str, str, int], str, bool]]:
        """Yield (score with recency, place, how it was found, whether it is weak)."""
        side = self._words
        evidence = {place: side.evidence(row) for place, row in self._rows.items()} if side else {}
        full = side.coverage.full if side and kind == HYBRID else 1.0
        for place, row in self._rows.items():
            if side and side.is_excluded(row):
                continue
            share = self._share(place)
            own = evidence[place].score / full if place in evidence else 0.0
            in_words = bool(side) and own > 0
            how = BY_BOTH if in_words and share > 0 else BY_WORDS if in_words else BY_MEANING
            weak_words = not (side and place in evidence) or side.coverage.is_weak(evidence[place].counts)
            score = own + (share if share > 0 or kind == SEMANTIC else 0.0)
            if score > 0 or kind == SEMANTIC:
                age = (self._now - row["modified"]) / DAY
                yield ranking.with_standing(score, 0.0, age) if score > 0 else score, place, how, weak_words and share < WEAK

    def _share(self, place: tuple[str, str, int]) -> float:
        """Return how far the likeness of a memory stands out from the mean, below 0 if it does not."""
        row = self._meaning.get(place)
        if row is None:
            return 0.0
        deviation = row["deviation"] or 1.0
        return float(((row["likeness"] - row["mean"]) / deviation - BEGINS) / (CLEAR - BEGINS))

    def _lines(self, place: tuple[str, str, int], how: str) -> tuple[int, int] | None:
        row = self._rows[place]
        if how != BY_MEANING and self._words is not None:
            return self._words.evidence(row).lines
        cut = cutting.cut(row["title"], row["text"])
        number = int(self._meaning[place]["passage"]) - 1
        return cut[number].lines if number < len(cut) else None


def _place(row: Mapping[str, Any]) -> tuple[str, str, int]:
    return (row["repository"], row["origin"], int(row["sequence"]))
