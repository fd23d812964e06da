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
"""Matches a question about what was. For it, one word that stands for a concept in common is enough."""
_LEAST = 2
"""Number of words of any other question that must stand for concepts in common."""
_NEAR, _MOST_NEAR = 1.3, 2
"""How much more the best turn has in common than one that is not near it, and the maximum number of turns that are near: among more, it is unknown which is
meant. Of two, the later may have changed what came of the earlier."""
_TURNS = f"turn IS NOT NULL AND {search.IS_SAID} ORDER BY p.id"


def like(connection: Connection, question: str, own: str, now: int, without: Callable[[Passage], bool]) -> list[Passage]:
    """Return the turn that a question is about, as its request or else its first answer; [] if it may be about several.

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
    words = {turn: _by_word(asked, common, [*shared.values()]) for turn, common in shared.items()}
    weights = {turn: sum(found.values()) for turn, found in words.items()}
    most = max(weights.values(), default=0.0)
    near = [turn for turn, weight in weights.items() if weight * _NEAR >= most > 0]
    if not near or len(near) > max(1, min(_MOST_NEAR, len(turns) - 1)):
        return []
    meant = max(near, key=lambda turn: (turns[turn][0].at, turn))
    if len(words[meant]) < _LEAST and _OF_THE_PAST.search(question) is None:
        return []
    best = next((passage for passage in turns[meant] if passage.kind == SAID), turns[meant][0])
    best.matched = sorted(term for term in best.terms if term in words[meant])
    best.sum = best.rank = weights[meant]
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
