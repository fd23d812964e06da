"""Where a file is that a prompt seeks: what earlier sessions said of its being renamed, moved or removed, in a bank of any size."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know import search
from memorybank.text.prompts.moved_files import sought, tells_where
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_MOST_SENTENCES = 6
"""Sentences of a prompt that are read."""
_MOST_READ = 400
"""Passages with words of the name that are read, those with the rarest ones first."""


def said_of(earlier: Earlier, prompt: str) -> list[Passage]:
    """Return the last passage that says where a file is that a prompt seeks, rather an answer than a request of the same turn; [] without one."""
    rarity = earlier.rarity
    for name in (name for sentence in sentences(prompt)[:_MOST_SENTENCES] for name in sought(sentence)):
        terms = content_terms(name)
        rarity.learn(terms)
        near = map(search.read, earlier.said(earlier.nearest(rarity, terms, _MOST_READ)))
        told = [passage for passage in near if name.lower() in passage.text.lower() and _tells(passage, name)]
        told.sort(key=lambda passage: (passage.at, passage.kind == ANSWER, passage.id), reverse=True)
        found = next((passage for passage in told if earlier.finds(passage) and _tells(passage, name)), None)  # what is over is cut
        if found is not None:
            search.weigh(rarity, set(terms), [found])
            found.rank = found.sum
            return [found]
    return []


def _tells(passage: Passage, name: str) -> bool:
    is_request = passage.kind == SAID
    return (is_request or passage.kind == ANSWER) and any(tells_where(said, name, is_request=is_request) for said in sentences(passage.text))
