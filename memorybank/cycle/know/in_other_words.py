"""Earlier turns that a question is about in other words: they share concepts with it (`text.words.concepts`).

Asked only in a small bank, and only where the words themselves found nothing: among many turns every concept occurs.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.know import search
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import concepts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Mapping, Sequence

    from memorybank.cycle.know.search import Passage

_OF_THE_PAST = lazy_pattern(
    r"\b(?:did|was|were|had|used to|turn(?:s|ed) out|remember|remind|these days|nowadays|by now|last (?:week|month|year|time)|back then|at the time"
    r"|in the end|finally|once|ever|ago|any ?more|until)\b"
    r"|っけ|でした|だった|ました(?:か|よね|[?？])|た(?:の|件|とき|時|話|やつ|現象|問題|理由|原因|んだ)|前に|以前|結局|改めて|今(?:は|うち|どこ|何)",
    "i",
)
"""Matches a question about what was: one concept in common is enough for it."""
_LEAST, _LEAST_OF_PAST, _TWO = 2.8, 1.5, 2
"""Weight of the concepts in common, and the number of words of any other question that they must come from."""
_FIRST = 1.3
"""How much more the best turn must have in common than the next one: else it is unknown which is meant."""
_TURNS = f"turn IS NOT NULL AND {search.IS_SAID} ORDER BY p.id"


def like(connection: Connection, question: str, own: str, now: int, without: Callable[[Passage], bool]) -> list[Passage]:
    """Return the turn that a question is about, as its request or else its first answer; [] if none stands out.

    own: id of the current session.
    now: ms.
    without: returns whether a passage is left out.
    """
    asked = concepts.known().in_text(question)
    turns: dict[int, list[Passage]] = {}
    for passage in search.selected(connection, _TURNS, (own, now)) if asked else ():
        if not without(passage):
            turns.setdefault(passage.turn or 0, []).append(passage)
    shared = {turn: _shared(asked, passages) for turn, passages in turns.items()}
    weights = {turn: _by_word(asked, common, [*shared.values()]) for turn, common in shared.items()}
    ranked = sorted(turns, key=lambda turn: (-sum(weights[turn].values()), -turns[turn][0].at))
    if not ranked:
        return []
    first, *others = ranked
    weight = sum(weights[first].values())
    is_past = _OF_THE_PAST.search(question) is not None
    is_enough = weight >= _LEAST_OF_PAST if is_past else weight >= _LEAST and len(weights[first]) >= _TWO
    if not is_enough or (others and weight < _FIRST * sum(weights[others[0]].values())):
        return []
    best = next((passage for passage in turns[first] if passage.kind == SAID), turns[first][0])
    best.matched = sorted(term for term in best.terms if term in weights[first])
    best.sum = best.rank = weight
    return [best]


def _shared(asked: Mapping[int, Collection[str]], passages: Sequence[Passage]) -> Collection[int]:
    return asked.keys() & concepts.known().in_text("\n".join(passage.text for passage in passages)).keys()


def _by_word(asked: Mapping[int, Collection[str]], common: Collection[int], turns: Sequence[Collection[int]]) -> dict[str, float]:
    """Return {a word of the question: weight of the rarest concept in common that it stands for}. turns: what each turn has in common"""
    found: dict[str, float] = {}
    for concept in common:
        weight = log(1 + (len(turns) + 3) / (sum(concept in turn for turn in turns) + 0.5))
        for word in asked[concept]:
            found[word] = max(weight, found.get(word, 0.0))
    return found
