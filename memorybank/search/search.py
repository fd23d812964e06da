"""Answers one query: runs the requested type of search and builds the hits to show.

Notes, archived notes and episodes are searched separately, so that none of them affects how notes rank. Their hits are then merged into
one order; `keyword` describes how the scores of episodes become comparable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memorybank.errors import UsageError
from memorybank.index import queries
from memorybank.scoring.rank import ImportanceRank
from memorybank.search import keyword, reading
from memorybank.search.corpus import ACTIVE, ARCHIVED, EPISODES, Corpus
from memorybank.search.hit import Hit, SearchAnswer
from memorybank.search.keyword import CorpusAnswer, RankedDocument
from memorybank.search.query import BY_MEANING, EPISODE, KEYWORD, KINDS, NOTE, SEMANTIC, TYPES, Query
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.text.prose import snippets

if TYPE_CHECKING:
    from typing import Protocol

    from memorybank.search.semantic import QueryLikeness

    class SearchSource(Protocol):
        """The source of a search: an open index and the place of its notes (`index.working.Index`)."""

        connection: sqlite3.Connection
        layout: Layout


_PASSAGE_LINES = 12
_ENOUGH_CHARACTERS = 120


def search(source: SearchSource, query: Query, now: int, like: Mapping[str, QueryLikeness] | None = None) -> SearchAnswer:
    """Answer `query` at the instant `now` (ms).

    like: {wording: the likeness of all documents to it}, for the types semantic and hybrid.
    Finding nothing is not an error. Raises `UsageError` for a malformed query.
    """
    query = query.or_listing()
    _check(query)
    if query.type in BY_MEANING and like is None:
        raise UsageError(f"a search of type {query.type} needs the likeness of the documents", next_step="search through `Bank.search`")
    corpora = _corpora(query)
    if query.type == "content":
        from memorybank.search import content

        return SearchAnswer(query.text, query.type, _ranked(source, content.search(source.connection, source.layout, query, corpora)))
    hits = _best_of_wordings([_worded(source, query.with_changes(text=text), corpora, now, (like or {}).get(text)) for text in query.wordings])
    return SearchAnswer(query.text, query.type, _ranked(source, hits[: query.limit]))


def _worded(source: SearchSource, query: Query, corpora: Sequence[Corpus], now: int, like: QueryLikeness | None) -> tuple[list[Hit], float]:
    """Return the hits of one wording in their order, and the total weight of its words; 1.0 where scores are shares already."""
    answers: dict[Corpus, CorpusAnswer] = {}
    for corpus in corpora:
        if like is not None:
            answers[corpus] = _by_meaning(source, query, corpus, now, like)
        elif query.type == KEYWORD:
            answers[corpus] = keyword.search(source.connection, corpus, query, now, answers.get(ACTIVE))
        else:
            answers[corpus] = keyword.listing(source.connection, corpus, query)
    hits = [_hit(source, corpus, query.type, found, answered.terms) for corpus, answered in answers.items() for found in answered.notes]
    if len(corpora) > 1:
        hits = sorted(hits, key=lambda hit: _order(query.type, hit))[: query.limit]
    if like is not None:
        return hits, 1.0
    return hits, max((sum(answered.looked_at.question.weights) for answered in answers.values() if answered.looked_at is not None), default=0.0)


def _by_meaning(source: SearchSource, query: Query, corpus: Corpus, now: int, like: QueryLikeness) -> CorpusAnswer:
    from memorybank.search import semantic  # late: few searches need it

    return (semantic.search if query.type == SEMANTIC else semantic.hybrid)(source.connection, corpus, query, now, like)


def _best_of_wordings(worded: Sequence[tuple[list[Hit], float]]) -> list[Hit]:
    """Return the hits of all wordings, each where it is best: by its share of what a wording asks for, on the scale of the first wording."""
    if len(worded) == 1:
        return worded[0][0]
    scale = next((weight for _, weight in worded if weight), 1.0)
    best: dict[tuple[str, str | None], Hit] = {}
    for hits, weight in worded:
        for hit in hits:
            place = (hit.key, hit.archive_id)
            found = hit.with_changes(score=hit.score * scale / weight)
            known = best.get(place, found)
            best[place] = max(found, known, key=lambda each: each.score).with_changes(is_weak=found.is_weak and known.is_weak)
    return sorted(best.values(), key=lambda hit: _order(KEYWORD, hit))


def _ranked(source: SearchSource, hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits, those of active notes with their ranks."""
    found = tuple(hits)
    importances = {hit.importance for hit in found if hit.importance is not None and hit.archive_id is None}
    if not importances:
        return found
    total, above = queries.ranked_among_own(source.connection, importances)
    ranks = {importance: ImportanceRank(count + 1, total) for importance, count in above.items()}
    return tuple(hit if hit.importance is None or hit.archive_id is not None else hit.with_changes(rank=ranks.get(hit.importance)) for hit in found)


def _check(query: Query) -> None:
    if query.type not in TYPES:
        raise UsageError(f"{query.type!r} is not a type of search", next_step=f"use one of {', '.join(TYPES)}")
    unknown = [kind for kind in query.kinds if kind not in KINDS]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is not a kind of memory that can be searched", next_step=f"use {' or '.join(KINDS)}")
    if query.limit < 1:
        raise UsageError("the limit must be at least 1")
    if query.also and query.type not in (KEYWORD, *BY_MEANING):
        raise UsageError(f"a search of type {query.type} takes one text", next_step="use the type keyword, or search for one text at a time")
    if query.regex and query.type != "content":
        raise UsageError(f"a search of type {query.type} takes no regular expression", next_step="use the type content, or search for words")
    if query.category is not None and "/" in query.category.strip("/"):
        raise UsageError(f"{query.category!r} is not a category: a category is the first folder of a note's key", next_step="use the first folder alone")
    lacking = query.only_of_notes or ("a searchable archive" if query.archive else "")
    if lacking and query.kinds and NOTE not in query.kinds:
        raise UsageError(f"only notes have {lacking}", next_step="include notes in the search, or leave this filter out")


def _corpora(query: Query) -> list[Corpus]:
    """Return the corpora to search, in the order in which hits of equal rank are shown."""
    found = [ACTIVE] if not query.kinds or NOTE in query.kinds else []
    if not query.only_of_notes and (not query.kinds or EPISODE in query.kinds):
        found.append(EPISODES)
    return [*found, ARCHIVED] if query.archive else found


def _order(kind: str, hit: Hit) -> tuple[float, bool, str]:
    """Return the sort key of a hit, across corpora: score, importance or date, then active before archived, then key."""
    first = {"importance": hit.importance or 0.0, "recent": float(hit.modified)}.get(kind, hit.score)
    return (-first, hit.archive_id is not None, hit.key)


def _hit(source: SearchSource, corpus: Corpus, kind: str, found: RankedDocument, terms: frozenset[str]) -> Hit:
    """Build the hit for a document with its best passage; with its first words if only title, headings or front matter match."""
    row = reading.row(source.connection, corpus, source.layout, found.note)
    lines = reading.lines(source.connection, source.layout, row)
    if all(line.strip() in ("", "---") for line in lines[row.body_line :]):  # nothing below the front matter
        return row.hit(kind, (len(lines), len(lines)), row.title, (), round(found.score, 4)).with_changes(is_weak=found.is_weak, found_by=found.found_by)
    if found.lines is None or row.body_line + found.lines[1] >= len(lines):
        first = last = snippets.first_line(lines, min(row.body_line, len(lines) - 1))
    else:
        first, last = row.body_line + found.lines[0], row.body_line + min(found.lines[1], found.lines[0] + _PASSAGE_LINES - 1)
    last = _with_what_follows(lines, first, last)
    snippet = snippets.cut(snippets.with_plain_headings(lines[: last + 1])[first:], terms if found.found_by != "meaning" else frozenset())
    return row.hit(kind, (first + 1, last + 1), snippet.text, snippet.marks, round(found.score, 4)).with_changes(is_weak=found.is_weak, found_by=found.found_by)


def _with_what_follows(lines: list[str], first: int, last: int) -> int:
    """Return the last line of a passage that is long enough to be understood: after a heading or a few words, the following lines are included."""
    end = min(len(lines), first + _PASSAGE_LINES)
    characters = sum(map(len, lines[first : last + 1]))
    for at in range(last + 1, end):
        if characters >= _ENOUGH_CHARACTERS:
            break
        if lines[at].strip():
            last = at
            characters += len(lines[at])
    return last
