"""What earlier sessions said about one sentence of a prompt.

A prompt of several wishes is about several things, and a passage about one of them has little in common with all of it. So each sentence is compared with one
passage at a time: the less of the sentence a passage contains, the rarer that must be.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.findings import LEAST_SUM, says_enough
from memorybank.cycle.know.named import minds
from memorybank.cycle.know.question_words import QuestionWords
from memorybank.cycle.know.standing import stated_in
from memorybank.cycle.know.turns import rare_at_most
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.questions import asks
from memorybank.text.prompts.routine import is_routine
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_COVERED = 0.65
"""Share of `LEAST_SUM` that the words in common must weigh, times the part of the sentence that they make up."""
_STATED = 0.75
"""The part of a sentence that a passage with a lasting statement counts as having at least: a person said it to be used later, whatever else is asked."""
_LEAST_RARE = 2
"""Rare words in common. One may be there by chance."""
_MOST_SENTENCES, _MOST_READ = 8, 40
_QUESTION = ("?", "？")
_AGREES = lazy_pattern(
    r"\W*(?:does (?:that|this|it) )?(?:sounds? (?:good|ok(?:ay)?|right|fair)|makes? sense|ok(?:ay)?|all right|right|agreed|deal|understood|got it)\W*$"
    r"|\W*(?:これで|それで)?(?:いい|良い|よい|よろしい|大丈夫|OK)(?:です|でしょう)?か?[？?。]*$",
    "i",
)
"""Matches a question that only asks whether the agent agrees."""


def said_about(earlier: Earlier, sentences: Iterable[str]) -> list[Passage]:
    """Return the passages of other sessions that one of these sentences is about, the best first."""
    rarity = earlier.filled
    most = rare_at_most(rarity)
    found: dict[int, Passage] = {}
    for number, sentence in enumerate(sentences):
        if number == _MOST_SENTENCES:
            break
        words = QuestionWords(rarity, sentence)
        if words.rare(words.terms, most) < _LEAST_RARE or is_routine(sentence) or _AGREES.match(sentence) is not None:
            continue
        is_question = asks(sentence)
        for passage in _passages(earlier, words, most):
            weight = words.sum(passage.matched)
            share = weight / words.mass
            if weight * max(share, _STATED) < _COVERED * LEAST_SUM or words.rare(passage.matched, most) < _LEAST_RARE:
                continue
            if weight * share < _COVERED * LEAST_SUM and not stated_in(earlier.connection, passage):
                continue
            if not is_question and not words.names_rarely(passage.matched, most):
                continue  # "ten, nothing" may be in common with any request
            if not (is_question or stated_in(earlier.connection, passage) or minds(passage)):
                continue  # what was done to the same thing does not tell what to mind now
            if not (_answers(passage, sentence) and earlier.finds(passage) and _is_left(passage, words, most)):
                continue
            if passage.id not in found or weight * share > found[passage.id].rank:
                passage.sum, passage.share, passage.rank = weight, share, weight * share
                found[passage.id] = passage
    return sorted(found.values(), key=search.order)


def _is_left(passage: Passage, words: QuestionWords, most: int) -> bool:
    """Return whether what is left of a passage without what is over still has a rare word of a sentence."""
    left = set(content_terms(f"{passage.heading} {passage.text}"))
    return words.rare(left.intersection(passage.matched), most) > 0


def _passages(earlier: Earlier, words: QuestionWords, most: int) -> list[Passage]:
    """Return the passages with the most rare words of a sentence."""
    found = [*map(search.read, earlier.said(earlier.nearest(words.rarity, words.terms, _MOST_READ, most)))]
    search.weigh(words.rarity, set(words.terms), found)
    return found


def _answers(passage: Passage, sentence: str) -> bool:
    """Return whether a passage says something to a sentence. A question that a person asked says something only to a question."""
    if passage.kind == SAID:
        return sentence.rstrip().endswith(_QUESTION) or not passage.text.rstrip().endswith(_QUESTION)
    return says_enough(passage)
