"""Earlier turns: a request and what was answered to it, compared with a prompt as one text.

A person who says that something happens again uses some words of the earlier request and some of its answer. Each word counts once here, however many terms
it has, and a small bank is read among ordinary texts, so that the sums mean the same in every language and in banks of every size.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.earlier import SMALL
from memorybank.cycle.know.findings import LEAST_SUM, says_enough
from memorybank.cycle.know.question_words import QuestionWords
from memorybank.cycle.know.standing import stated_in
from memorybank.text.prompts.stated import STANDING
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

RARE, _TWO = 12, 2
"""A turn has `_TWO` words in common, each in at most `RARE` passages, with a prompt that refers to an earlier time."""
_SELDOM, _THREE = 0.02, 3
"""With another prompt it has `_THREE`: two may be in common by chance. In a small bank at most `_SELDOM` of the passages contain one: the words for what the
project is about are in more."""
_REFERRED, _LIKE, _SHARE, _SHARE_OF_REQUEST = 0.6, 1.2, 0.3, 0.45
"""Shares of `LEAST_SUM` that the words in common must weigh: where a prompt refers to an earlier time, and where it does not; their share of the text, and that
of a request, which is about something new unless most of it was asked before."""
_ASKED = 3.5
"""Nats that a question must have in common, in addition to the logarithm of the number of passages: with one name in a small bank, with two in another."""
_FEW = 6
"""Number of passages in which a name may occur in a small bank, or else a quarter of them: the name of the project itself is in more."""
OF_NAMES = 0.2
"""Least share of the names in a question that a turn has in common with it: a report that names six things is about none of them alone."""
_SAME_THING = 0.25
"""Share of what a turn has in common with a prompt that a later turn of its session must have too, to be about the same thing."""
_MOST_READ = 400
"""Passages of sessions that are compared."""
_ROUNDING = 1e-9


def rare_at_most(rarity: Rarity) -> int:
    """Return how many passages of this bank a rare word is in at most. In a small bank the words for what the project is about are in more."""
    return min(RARE, round(_SELDOM * rarity.passages))


def most_named(passages: int) -> int:
    """Return in how many passages of a small bank a name may occur: that of the project itself is in more."""
    return max(_FEW, passages // 4)


class _Bar(Value):
    """What a turn must have in common with a prompt.

    least: nats.
    words: number of rare words, each in at most `most` passages.
    share: the part of the text that all words in common make up.
    named: whether each of the rare words must be a name (`everyday.is_name`).
    """

    least: float
    words: int
    most: int
    share: float = _SHARE
    named: bool = False

    def is_reached(self, words: QuestionWords, common: Collection[str], weight: float) -> bool:
        """Return whether a turn has enough in common. common: terms; weight: what they weigh"""
        least = max(self.words, OF_NAMES * words.names) if self.named else self.words
        if weight < self.least or weight < self.share * words.mass or self.counts(words, common) < least:
            return False
        # "API, ten, nothing" may be in common with anything.
        return self.words < _THREE or self.named or words.names_rarely(common, self.most) > 0

    def counts(self, words: QuestionWords, terms: Collection[str]) -> int:
        """Return how many of these terms count as rare words."""
        return words.rare(words.naming(terms) if self.named else terms, self.most)


def _bar(rarity: Rarity, *, refers: bool, asks: bool) -> _Bar:
    if asks and rarity.rows <= SMALL:
        return _Bar(_ASKED + log(rarity.rows + 1), 1, most_named(rarity.rows), 0.0, named=True)
    if refers:
        return _Bar(LEAST_SUM * _REFERRED, _TWO, RARE)
    if asks:
        return _Bar(_ASKED + log(rarity.rows + 1), _TWO, RARE, named=True)
    return _Bar(LEAST_SUM * _LIKE, _THREE, rare_at_most(rarity), _SHARE_OF_REQUEST)


def like(earlier: Earlier, texts: Sequence[str], *, refers: bool, asks: bool) -> list[Passage]:
    """Return the turns that one of these texts is about, the best first: the request of each if it has words in common with the text, else an answer, with
    the last turn of the same session that is about one of the same things (`later`), because what was said first may have been changed there.

    texts: a prompt, and the sentences of it that refer to an earlier time.
    refers: whether the prompt refers to an earlier time.
    asks: whether it asks for something that somebody may know: a question, a reference to an earlier time, or the report of a problem.
    """
    bar = _bar(earlier.filled, refers=refers, asks=asks)
    found: dict[int, Passage] = {}
    for words in (QuestionWords(earlier.filled, text) for text in texts):
        if bar.counts(words, words.terms) < bar.words:
            continue
        turns = _turns(earlier, words, bar)
        common = {turn: {term for passage in passages for term in passage.matched} for turn, passages in turns.items()}
        for turn, passages in turns.items():
            if not bar.is_reached(words, common[turn], words.sum(common[turn])):
                continue
            told = list(filter(earlier.shows, passages))  # decided here, because it takes longest
            held = {term for passage in told for term in passage.matched}
            weight = words.sum(held)
            if not bar.is_reached(words, held, weight):
                earlier.finds(first_said(passages))
                continue
            best = first_said(told)
            if best.kind != SAID and not says_enough(best):
                continue
            best.matched, best.sum, best.share = sorted(held), weight, weight / words.mass
            best.rank = best.sum * best.share
            after = [
                (one[0].at, other)
                for other, one in turns.items()
                if other != turn and one[0].session == best.session and one[0].at > best.at and words.sum(common[other] & held) >= _SAME_THING * weight
            ]
            best.later = max(after)[1] if after else None
            if turn not in found or best.rank > found[turn].rank:
                found[turn] = best
    return sorted(found.values(), key=search.order)


def first_said(passages: Sequence[Passage]) -> Passage:
    """Return the request of a turn, or else its first passage."""
    return next((passage for passage in passages if passage.kind == SAID), passages[0])


def _turns(earlier: Earlier, words: QuestionWords, bar: _Bar) -> dict[int, list[Passage]]:
    """Return {turn: its passages that contain one of the words, those with the most first} of the sessions with a turn that may have enough rare words."""
    rarity, connection = words.rarity, earlier.connection
    seldom = [term for term in words.terms if 0 < rarity.count(term) <= bar.most]
    bounds = search.bounds(connection, rarity, seldom, 0.0)
    # `+`: see `Earlier.said`.
    asked = f"SELECT id, turn, session FROM passages WHERE id IN ({','.join(map(str, bounds))}) AND turn IS NOT NULL AND +{search.IS_SAID}"
    rows = connection.execute(asked, (earlier.own, earlier.now)).fetchall()
    weights: dict[int, float] = {}
    for row, turn, _ in rows:
        weights[turn] = weights.get(turn, 0.0) + bounds[row]
    least = bar.words * min(map(rarity.of, seldom))
    sessions = {session for _, turn, session in rows if weights[turn] >= least - _ROUNDING}
    found: dict[int, list[Passage]] = {}
    if not sessions:
        return found
    listed = ",".join("?" * len(sessions))
    condition = f"session IN ({listed}) AND turn IS NOT NULL AND {search.IS_SAID} ORDER BY p.id LIMIT {_MOST_READ}"
    wanted = set(words.terms)
    for passage in earlier.selected(condition, (*sorted(sessions), earlier.own, earlier.now)):
        passage.matched = [term for term in passage.terms if term in wanted]
        if passage.matched and not (bar.named and stated_in(connection, passage, trait=STANDING)):
            passage.sum = rarity.sum(passage.matched)
            found.setdefault(passage.turn or 0, []).append(passage)
    return {turn: sorted(passages, key=lambda passage: -passage.sum) for turn, passages in found.items()}
