"""What to mind about the thing that a request is about: sentences of other sessions that caution, and name it.

A request has little in common with what was said about its subject weeks ago: the name of a thing, seldom more. That is enough for a sentence which says what
to mind, because few sentences do.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.fold.kinds import ANSWER
from memorybank.cycle.know import search, turns
from memorybank.cycle.know.turns import QuestionWords
from memorybank.text.prompts.building import builds
from memorybank.text.prose.cautions import cautions, is_for_later
from memorybank.text.prose.passages import is_table_row, sentences
from memorybank.text.words.everyday import is_name
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memorybank.cycle.know.search import Passage

_LEAST, _FOR_LATER = 2.5, 1.5
"""Nats in common, in addition to the logarithm of the number of passages; and how much less a sentence needs that speaks to whoever does it later."""
_AROUND, _OWN = 0.5, 0.5
"""Factor on what the rest of its turn has in common with the request: the turn says what the sentence is about. And the least part that the sentence has."""
_RARE, _AMONG_MANY = 12, 2
"""In a bank that is not small a sentence has `_AMONG_MANY` names in common with the request, each in at most `_RARE` passages."""
_MOST_READ, _MOST_TURNS = 40, 12
"""Passages of which the turns are looked up, and the turns that are read, those with the rarest names first."""
_BESIDE = 0.75
"""Least part of the rank of the most specific one."""
LONGEST = 240
"""Characters of all cautions that are shown at once."""
MOST = 2


class Caution(Value):
    """A sentence that says what to mind. passage: the one that contains it, with what it has in common with the request."""

    passage: Passage
    sentence: str


def at_request(connection: Connection, asked: Sequence[str], own: str, now: int, without: Callable[[Passage], bool]) -> list[Caution]:
    """Return what to mind about what a prompt asks to make or change, the most specific first, at most one of each passage; [] if it asks for nothing.

    asked: the sentences of the prompt. own, now, without: see `search.portions`
    """
    rows = search.rows_in(connection, "passage_text")
    if rows >= turns.FULL or not any(map(builds, asked)):
        return []
    words = QuestionWords(search.Rarity(connection, turns.FULL), "\n".join(asked))
    least = _LEAST + log(rows + 1)
    found = []
    is_small = rows <= turns.SMALL
    names = {term for term in words.terms if is_name(term) and 0 < words.rarity.count(term) <= (turns.most_named(rows) if is_small else _RARE)}
    for passages in _turns(connection, words, names, own, now):
        around = words.sum({term for passage in passages for term in passage.matched})
        for passage in passages:
            best = None if passage.kind != ANSWER or is_table_row(passage.text) else _best(words, names, passage, around, least)
            if best is not None and not without(passage):
                found.append(best)
    found.sort(key=lambda one: search.order(one.passage))
    return [one for one in found if one.passage.rank >= _BESIDE * found[0].passage.rank]


def _turns(connection: Connection, words: QuestionWords, names: Collection[str], own: str, now: int) -> Iterable[list[Passage]]:
    """Return the passages of each turn that contains a name of the request."""
    bounds = search.bounds(connection, words.rarity, [*names], 0.0) if names else {}
    first = sorted(bounds, key=lambda row: (-bounds[row], -row))[:_MOST_READ]
    listed = ",".join(map(str, first))
    asked = f"SELECT DISTINCT turn FROM passages WHERE id IN ({listed}) AND turn IS NOT NULL AND +{search.IS_SAID} ORDER BY turn DESC LIMIT {_MOST_TURNS}"
    numbers = [str(turn) for (turn,) in connection.execute(asked, (own, now))] if first else []
    found: dict[int, list[Passage]] = {}
    wanted = set(words.terms)
    for passage in search.selected(connection, f"turn IN ({','.join(numbers)}) AND +{search.IS_SAID}", (own, now)) if numbers else ():
        passage.matched = [term for term in passage.terms if term in wanted]
        found.setdefault(passage.turn or 0, []).append(passage)
    return found.values()


def _best(words: QuestionWords, names: set[str], passage: Passage, around: float, least: float) -> Caution | None:
    """Return the sentence of a passage that cautions and has most in common with a request, None if none has enough. around: nats of its entire turn"""
    is_small = words.rarity.passages <= turns.SMALL
    best: Caution | None = None
    for sentence in sentences(passage.text):
        terms = set(content_terms(sentence))
        common = [term for term in words.terms if term in terms]
        own = words.sum(common)
        weight = own + _AROUND * (around - own)
        if own < least * _OWN or weight <= passage.rank or (not is_small and words.rare(names.intersection(common), _RARE) < _AMONG_MANY):
            continue
        if weight >= least - (_FOR_LATER if is_for_later(sentence) else 0.0) and cautions(sentence):
            passage.matched, passage.sum, passage.share, passage.rank = common, weight, weight / words.mass, weight
            best = Caution(passage, sentence)
    return best
