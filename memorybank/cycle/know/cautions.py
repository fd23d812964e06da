"""What to mind about the thing that a request is about: sentences of other sessions that caution, and name it.

A request has little in common with what was said about its subject weeks ago: the name of a thing, seldom more. That is enough for a sentence which says what
to mind, because few sentences do.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.fold.kinds import ANSWER
from memorybank.cycle.know import search, turns
from memorybank.cycle.know.earlier import FULL
from memorybank.cycle.know.question_words import QuestionWords
from memorybank.text.prompts.building import builds
from memorybank.text.prompts.sentences import joined
from memorybank.text.prose.cautions import cautions, is_for_later
from memorybank.text.prose.passages import is_table_row, sentences
from memorybank.text.words import concepts
from memorybank.text.words.code_names import names_in
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.pointing import opens
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

_LEAST, _FOR_LATER = 2.5, 1.5
"""Nats in common, in addition to the logarithm of the number of passages; and how much less a sentence needs that speaks to whoever does it later."""
_AROUND, _OWN = 0.5, 0.5
"""Factor on what the rest of its turn has in common with the request: the turn says what the sentence is about. And the least part that the sentence has."""
_EVERYDAY, _ALIKE = 0.5, 0.5
"""Factors on everyday words, which the request has in common with any sentence, and on a word for the same thing."""
_MANY_NAMES = 4
"""A request with this many names of code is about what they have in common: a sentence with one of them is about another thing."""
_LONGEST_REQUEST = 200
"""Characters. A longer one is a ticket or a story."""
_SMALL, _AMONG_MANY = 200, 2
"""Passages up to which one name in common is enough, because few of them caution; and the number of names in a larger bank."""
_MOST_READ, _MOST_TURNS = 40, 12
"""Passages of which the turns are looked up, and the turns that are read, those with the rarest names first."""
_BESIDE = 0.75
"""Least part of the rank of the most specific one that another one has."""
LONGEST = 240
"""Characters of all cautions that are shown at once."""
MOST = 2


class Caution(Value):
    """What to mind: sentences of a passage. passage: with what the best of them has in common with the request."""

    passage: Passage
    said: str


class _Request:
    """The words of a request in a bank.

    names: those that name something which some passages contain.
    alike: other words, of a small bank, for names that no passage contains.
    lists: whether it names many things in code.
    least: nats that a sentence must have in common with it.
    """

    def __init__(self, rarity: Rarity, asked: str) -> None:
        self.words = QuestionWords(rarity, asked)
        rows = rarity.rows
        self.least = _LEAST + log(rows + 1)
        self.is_small = rows <= _SMALL
        self.most = min(turns.RARE, turns.most_named(rows))
        self.lists = len(names_in(asked)) >= _MANY_NAMES
        named = [*self.words.naming(self.words.terms)]
        self.names = self._known(named)
        unknown = [term for term in named if not self.words.rarity.count(term)] if self.is_small else []
        self.alike = self._known(concepts.known().beside(unknown)) - self.names if unknown else set()

    def _known(self, terms: Iterable[str]) -> set[str]:
        found = [*terms]
        self.words.rarity.learn(found)
        return {term for term in found if 0 < self.words.rarity.count(term) <= self.most}

    def best(self, passage: Passage, around: float) -> Caution | None:
        """Return the sentences of a passage that caution and have most in common, None if none has enough. around: nats in common with the entire turn"""
        from memorybank.text.prose.momentary import is_supposed  # late: most prompts have nothing in common with a caution

        found = []
        said = sentences(passage.text)
        for before, sentence in zip(("", *said), said, strict=False):
            terms = set(content_terms(sentence))
            common = [term for term in self.words.terms if term in terms]
            alike = terms & self.alike
            own = self.sum(common) + _ALIKE * max(map(self.words.rarity.of, alike), default=0.0)
            weight = own + _AROUND * max(0.0, around - own)
            if own < self.least * _OWN or not self._is_subject(passage.matched, alike) or not (alike or self._names_enough(common)):
                continue
            if opens(sentence) and not before:
                continue
            if weight >= self.least - (_FOR_LATER if is_for_later(sentence) else 0.0) and cautions(sentence) and not is_supposed(sentence):
                found.append((weight, (before, sentence) if opens(sentence) else (sentence,), common))  # the one before says what "it" is
        if not found:
            return None
        passage.rank, best, passage.matched = max(found, key=lambda one: one[0])
        passage.sum, passage.share = passage.rank, passage.rank / self.words.mass
        both = joined([*dict.fromkeys(part for weight, parts, _ in found if weight >= _BESIDE * passage.rank for part in parts)])
        return Caution(passage, both if len(both) <= LONGEST else joined(best))

    def sum(self, terms: Collection[str]) -> float:
        """Return what terms in common weigh, in nats."""
        everyday = list(filter(_is_everyday, terms))
        return self.words.sum(terms) - (1 - _EVERYDAY) * self.words.sum(everyday)

    def _is_subject(self, common: Collection[str], alike: Collection[str]) -> bool:
        """Return whether what a passage has in common with the request is a large part of what the request names."""
        return self.words.named(set(common)) + bool(alike) >= turns.OF_NAMES * self.words.names

    def _names_enough(self, common: Collection[str]) -> bool:
        if self.lists or not self.is_small:
            return self.words.rare(self.names.intersection(common), self.most) >= _AMONG_MANY
        return not all(map(_is_everyday, common))  # its turn has the name


def _is_everyday(term: str) -> bool:
    return not is_name(term) and not share_of(term)


def at_request(earlier: Earlier, asked: Sequence[str]) -> list[Caution]:
    """Return what to mind about what a prompt asks to make or change, the most specific first, at most one of each passage; [] if it asks for nothing.

    asked: the sentences of the prompt.
    """
    if earlier.rarity.rows >= FULL or sum(map(len, asked)) > _LONGEST_REQUEST or not any(map(builds, asked)):
        return []
    request = _Request(earlier.filled, "\n".join(asked))
    found = []
    for passages in _turns(earlier, request):
        around = request.sum({term for passage in passages for term in passage.matched})
        for passage in passages:
            best = None if passage.kind != ANSWER or is_table_row(passage.text) else request.best(passage, around)
            if best is not None and earlier.shows(passage):
                found.append(best)
    found.sort(key=lambda one: search.order(one.passage))
    return [one for one in found if one.passage.rank >= _BESIDE * found[0].passage.rank]


def _turns(earlier: Earlier, request: _Request) -> Iterable[list[Passage]]:
    """Return the passages of each turn that contains a name of the request."""
    first = earlier.nearest(earlier.filled, [*request.names, *request.alike], _MOST_READ)
    listed = ",".join(map(str, first))
    asked = f"SELECT DISTINCT turn FROM passages WHERE id IN ({listed}) AND turn IS NOT NULL AND +{search.IS_SAID} ORDER BY turn DESC LIMIT {_MOST_TURNS}"
    numbers = [str(turn) for (turn,) in earlier.connection.execute(asked, (earlier.own, earlier.now))] if first else []
    found: dict[int, list[Passage]] = {}
    wanted = set(request.words.terms)
    listed = ",".join(numbers)
    of_turns = f"session IN (SELECT session FROM turns WHERE id IN ({listed})) AND turn IN ({listed}) AND +{search.IS_SAID}"
    for passage in earlier.selected(of_turns, (earlier.own, earlier.now)) if numbers else ():
        passage.matched = [term for term in passage.terms if term in wanted]
        found.setdefault(passage.turn or 0, []).append(passage)
    return found.values()
