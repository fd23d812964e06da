"""Earlier turns that a question is about in other words: they share concepts with it (`text.words.concepts`), and names.

Asked only where the words themselves found nothing, and not in a large bank: among many turns every concept occurs.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.standing import stated_in
from memorybank.cycle.know.turns import first_said
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts import wanted
from memorybank.text.prompts.questions import asks
from memorybank.text.prompts.stated import STANDING
from memorybank.text.words import concepts
from memorybank.text.words.compounds import words_of
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING, MODAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

    Common = dict[str, float]

_OF_THE_PAST = lazy_pattern(
    r"\b(?:did|was|were|had|used to|turn(?:s|ed) out|remember|remind|these days|nowadays|by now|last (?:week|month|year|time)|back then|at the time"
    r"|in the end|finally|once|ever|ago|any ?more|until)\b"
    r"|っけ|でした|だった|ました(?:か|よね|[?？])|た(?:の|件|とき|時|話|やつ|現象|問題|理由|原因|んだ)|前に|以前|結局|改めて|今(?:は|うち|どこ|何)",
    "i",
)
"""Matches a question about what was. For it, one word that stands for a concept in common is enough."""
_LEAST = 2
"""Number of words of any other question that must stand for something in common."""
_COVERED, _COVERED_BY_ONE, _MANY, _MOST_COVERED = 0.15, 0.34, 30, 2.5
"""Least parts of the words of a question that stand for something in common, if several do and if one does, among `_MANY` turns. Among fewer, less is enough,
and among more, more is needed, up to `_MOST_COVERED` times as much."""
_LONGEST = 160
"""Characters of a question. A longer one tells a story, and stands for something in common with any turn."""
_OF_A_REPORT = 0.3
"""The same part of a report or a request, however few turns there are: it asks for nothing that somebody knows."""
_ORDINARY = 0.7
"""Factor on the weight of a word that is ordinary in texts about software. Alone it is not enough."""
_NEAR, _MOST_NEAR = 1.3, 2
"""How much more the best turn has in common than one that is not near it, and the maximum number of turns that are near: among more, it is unknown which is
meant. Of two, the later may have changed what came of the earlier."""
_COUNTERS = lazy_pattern(r"何([件回個日分秒冊人度枚台倍円週年月名匹本])")
_COUNTED = lazy_pattern(r"(?<=[0-9０-９])([件回個日分秒冊人度枚台倍円週年月名匹本])|([冊件回個人枚台])(?=数)")
"""Match what a question counts in, and what a text does."""
_LACKS = 0.75
"""Factor on what a turn has in common with a question if it contains no answer of the kind that the question wants."""
_SAME_VALUE = 2.0
"""The same as `_NEAR` for a later turn that gives a value too, where the question wants one."""
_TURNS = f"turn IS NOT NULL AND {search.IS_SAID} ORDER BY p.id"


def like(earlier: Earlier, question: str) -> list[Passage]:
    """Return the turn that a question is about, as its request or else its first answer; [] if it may be about several."""
    if len(question) > _LONGEST:
        return []
    asking = AskedConcepts(question)
    turns: dict[int, list[Passage]] = {}
    for passage in earlier.selected(_TURNS, (earlier.own, earlier.now)) if asking.asked else ():
        if not stated_in(earlier.connection, passage, trait=STANDING) and earlier.shows(passage):
            turns.setdefault(passage.turn or 0, []).append(passage)
    common = asking.in_common(turns)
    weights = {turn: asking.weight(turns[turn], found) for turn, found in common.items()}
    about = {turn: weights[turn] for turn, found in common.items() if asking.is_about(found, len(turns))}
    most = max(about.values(), default=0.0)
    near = [turn for turn, weight in about.items() if weight * _NEAR >= most]
    if not near or len(near) > max(1, min(_MOST_NEAR, len(turns) - 1)):
        return []
    meant = max(near, key=lambda turn: (turns[turn][0].at, turn))
    later = (turn for turn, weight in weights.items() if weight * _SAME_VALUE >= most and turns[turn][0].at > turns[meant][0].at)
    meant = max((turn for turn in later if asking.has_value(turns[turn]) and common[turn].keys() & common[meant].keys()), default=meant)
    best = first_said(turns[meant])
    best.matched = sorted(term for term in best.terms if term in common[meant])
    best.sum = best.rank = weights[meant]
    best.share = asking.covered(common[meant])
    return [best]


class AskedConcepts:
    """A question. asked: {concept, name or counter: its words in the question}; kinds: the kinds of answers that it wants."""

    def __init__(self, text: str) -> None:
        self.kinds = wanted.kinds_wanted(text)
        self._is_of_the_past = _OF_THE_PAST.search(text) is not None
        self._least = 0.0 if asks(text) else _OF_A_REPORT
        self._text = subject = wanted.subject(text)
        terms = content_terms(subject)
        self._words = words_of(term for term in terms if term not in ASKING and term not in MODAL)
        self.asked: dict[int | str, Collection[str]] = {number: words for number, words in concepts.known().in_text(subject).items()}
        self.asked |= {term: (term,) for term in (*filter(is_name, terms), *_COUNTERS.findall(text))}

    def in_common(self, turns: Mapping[int, Sequence[Passage]]) -> dict[int, Common]:
        """Return what each turn has in common with the question."""
        shared = {turn: self._shared(passages) for turn, passages in turns.items()}
        occurs = {one: sum(one in found for found in shared.values()) for one in self.asked}
        weights = {one: log(1 + (len(turns) + 3) / (occurs[one] + 0.5)) for one in self.asked}
        return {turn: self.by_word({one: weights[one] for one in found}) for turn, found in shared.items()}

    def _shared(self, passages: Sequence[Passage]) -> Collection[int | str]:
        text = "\n".join(passage.text for passage in passages)
        terms = {term for passage in passages for term in passage.terms}
        return self.asked.keys() & {*concepts.known().in_text(text), *terms, *map("".join, _COUNTED.findall(text))}

    def by_word(self, weights: dict[int | str, float]) -> Common:
        """Return {word of the question: its weight}. Of words that overlap or stand for the same, one has a weight, and each other has 0."""
        found: Common = {}
        for one in sorted(weights, key=lambda one: (-weights[one], str(one))):
            word = next((word for word in self.asked[one] if not any(self._overlap(word, other) for other in found)), None)
            if word is not None:
                found[word] = weights[one] * (_ORDINARY if share_of(word) else 1.0)
        return {word: found.get(word, 0.0) for one in weights for word in self.asked[one]}

    def _overlap(self, one: str, other: str) -> bool:
        if one.isascii() or other.isascii():
            return one == other
        begins = self._text.find(one), self._text.find(other)
        return begins[0] < begins[1] + len(other) and begins[1] < begins[0] + len(one)

    def weight(self, passages: Sequence[Passage], common: Common) -> float:
        """Return how much a turn has in common with the question."""
        answers = not self.kinds or any(self._contains(kind, passages) for kind in self.kinds)
        return sum(common.values()) * (1.0 if answers else _LACKS)

    def has_value(self, passages: Sequence[Passage]) -> bool:
        """Return whether the question wants a value and a turn contains one."""
        return any(self._contains(kind, passages) for kind in self.kinds if kind in wanted.VALUES)

    def is_about(self, common: Common, turns: int) -> bool:
        """Return whether a turn has enough of the question in common. turns: number of those among which it is looked for"""
        words = [word for word, weight in common.items() if weight]
        if self._least and not any(map(is_name, words)):
            return False  # "phone, members" may be in common with any report
        if len(words) < _LEAST and (not words or share_of(words[0]) or len(words[0]) == 1 or not (self._is_of_the_past or self.kinds)):
            return False
        covered = (_COVERED if len(words) >= _LEAST else _COVERED_BY_ONE) * min(_MOST_COVERED, turns / _MANY)
        return self.covered(common) >= max(covered, self._least)

    def covered(self, words: Collection[str]) -> float:
        """Return the part of the question that these of its words make up."""
        parts = {part for word in words for part in (word, *content_terms(word.replace("_", " ")))}
        shares = [sum(any(term in part or part in term for part in parts) for term in group) / len(group) for group in self._words]
        return sum(shares) / max(1, len(shares))

    def _contains(self, kind: str, passages: Sequence[Passage]) -> bool:
        return any(wanted.contains(kind, passage.text) for passage in passages if passage.kind != SAID)
