"""What followed an earlier turn: the last turn that took up its subject and changed, corrected or replaced what came of it.

Two texts rarely give the values of one thing in the same words (`know.latest` compares those). But a turn that changes something says so, and it is about the
same: the next turn of the session refers to it without a subject of its own, another one names the same things. In doubt both are shown, in their order.
"""

from __future__ import annotations

__light__ = True

from math import sqrt

from memorybank.cycle.fold.kinds import PASTED, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.earlier import SMALL
from memorybank.cycle.know.turns import most_named
from memorybank.summarize import findings
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.about import amounts
from memorybank.text.prompts.routine import is_routine
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

_CORRECTS = lazy_pattern(
    r"\bcorrect(?:ion| myself)\b|\bi (?:was wrong|misread|misspoke|was mistaken)\b|\b(?:my (?:mistake|earlier|previous) \w+|that) was wrong\b|\bruled out\b"
    r"|^\W*you(?:['’]re| are) (?:\w+ )?(?:right|correct)\b|^\W*(?:i )?(?:reverted|undid|rolled back)\b"
    r"|訂正|失礼しました|ご指摘|(?:説明|回答|答え)[がにはも]{1,2}(?:誤|間違)|誤りでした|間違いでした|取り消しました",
    "i",
)
"""Matches an answer that takes an earlier one back. In a larger bank only this counts: its sessions are long, and most turns change something."""
_OBJECTS = lazy_pattern(
    r"\b(?:nope|wrong|nothing to do with|doubt|are you sure|not (?:it|that|true|right)"
    r"|isn['’]?t|wasn['’]?t|can['’]?t be|doesn['’]?t|didn['’]?t|instead|rather|too|undo|revert|dead"
    r"|since|but|raise|lower|increase|decrease|reduce|shorten|extend|move|later|earlier)\b|^\W*no\b|増や|減ら|遅らせ|早め|延ば|縮め|上げ|下げ|変え|ほんと|本当に|違|ちが|関係(?:な|あり)|変わりません|ではない|じゃない|だめ|ダメ|戻し|やめ|すぎる|すぎて|残骸|はず",
    "i",
)
"""Matches a prompt that wants something otherwise."""
_SHORT = 160
"""Characters of a prompt that can be about nothing but the turn before it."""
_READ = 600
_MOST_TURNS = 40
_LEAST_NAMES = 2
"""Names that a turn of another session, or one in a larger bank, shares."""
_SAME_SUBJECT = 0.25
"""Least cosine of the names of turns of two sessions that are about the same."""
_SAME_SESSION = f"session = ? AND at > ? AND at <= ? AND turn IS NOT NULL AND +kind <> '{PASTED}' AND {search.IS_SEEN} ORDER BY at, p.id LIMIT 200"
_OTHERS = f"at > ? AND turn IS NOT NULL AND session <> ? AND {search.IS_SAID} ORDER BY at, p.id LIMIT 200"
_OWN = f"session IS ? AND turn = ? AND +kind <> '{PASTED}' AND {search.IS_SEEN} ORDER BY p.id"


class _Turn:
    """A turn. said: what the person typed; answered: the rest."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.number = passages[0].turn or 0
        self.session = passages[0].session
        self.at = min(passage.at for passage in passages)
        self.said = " ".join(passage.text for passage in passages if passage.kind == SAID)[:_READ]
        self.answered = " ".join(passage.text for passage in passages if passage.kind != SAID)[:_READ]
        self.terms = {term for passage in passages for term in passage.terms}

    @property
    def names(self) -> set[str]:
        """The terms that are names. Most turns are only compared with the one before."""
        return set(filter(is_name, self.terms))

    def changes(self, *, is_small: bool) -> bool:
        """Return whether the turn says that something became or was found to be otherwise."""
        if _CORRECTS.search(self.answered) is not None:
            return True
        return is_small and self.answered != "" and (_OBJECTS.search(self.said) is not None or any(map(findings.changes, sentences(self.answered))))

    def takes_up(self, before: _Turn, *, is_small: bool) -> bool:
        """Return whether this turn, the next one of its session, is about the same as the one before."""
        if is_routine(self.said) and _CORRECTS.search(self.answered) is None:
            return False
        if not is_small:
            return sum(map(is_name, self.terms & before.terms)) >= _LEAST_NAMES
        shared = self.terms & before.terms
        if any(not share_of(term) for term in shared) or len(shared) >= _LEAST_NAMES:
            return True
        asked = set(content_terms(self.said))
        if len(self.said) > _SHORT or any(map(is_name, asked)):
            return False
        return _has_other_amount(self, before) or not asked

    def is_about(self, thread: Collection[str], names: Collection[str]) -> bool:
        """Return whether this turn of another session is about the same as the turns with these names. names: those of its own names that few turns have"""
        shared = len(set(names).intersection(thread))
        return shared >= _LEAST_NAMES and shared >= _SAME_SUBJECT * sqrt(len(names) * len(thread))


def _has_other_amount(turn: _Turn, before: _Turn) -> bool:
    units = set().union(*amounts(before.answered).values())
    return any(not units.isdisjoint(unit) for unit in amounts(turn.answered).values())


def taken_up_by(earlier: Earlier, passage: Passage) -> int | None:
    """Return the last turn that changed what came of the turn of a passage, None without one."""
    if passage.turn is None:
        return None
    first = next(_turns(earlier, _OWN, (passage.session, passage.turn)), None)
    if first is None:
        return None
    is_small = earlier.rarity.rows <= SMALL
    shown = set(filter(is_name, passage.terms))
    last, thread = first, [first]
    found = None
    for turn in _turns(earlier, _SAME_SESSION, (passage.session, last.at, earlier.now)):
        if turn.number == passage.turn:
            continue
        if not turn.takes_up(last, is_small=is_small):
            break
        # What explained a failure is not about what its turn was for, so the turn must name what it names.
        if turn.changes(is_small=is_small) and (passage.failure is None or not shown.isdisjoint(turn.names)):
            found = turn
            thread.append(turn)
        last = turn
    if is_small:
        names = _few(earlier.rarity, set().union(*(turn.names for turn in thread)))
        begin = found or first
        for turn in _turns(earlier, _OTHERS, (begin.at, passage.session, earlier.own, earlier.now)):
            if turn.changes(is_small=True) and turn.is_about(names, few := _few(earlier.rarity, turn.names)) and not shown.isdisjoint(few):
                found = turn
    return found.number if found is not None else None


def _few(rarity: Rarity, names: Collection[str]) -> list[str]:
    """Return those of these names that are not in many passages, as the name of the project and of its main folder are."""
    rarity.learn(names)
    return [name for name in names if rarity.count(name) <= most_named(rarity.passages)]


def _turns(earlier: Earlier, condition: str, values: Sequence[object]) -> Iterator[_Turn]:
    """Yield the turns of the passages that a condition selects, in their order. What they say is read when they are reached, first that of one turn: mostly the
    next turn is about something else already."""
    found: dict[int, list[int]] = {}
    for row, turn in earlier.connection.execute(f"SELECT p.id, turn FROM passages p WHERE {condition}", values):
        found.setdefault(turn or 0, []).append(row)
    turns, most = [*found.values()], _MOST_TURNS
    for portion in filter(None, (turns[:1], turns[1:])):
        said = {passage.id: passage for passage in earlier.selected(f"p.id IN ({','.join([str(row) for rows in portion for row in rows])})", ())}
        for rows in portion:
            if most and (listed := [said[row] for row in rows if row in said and earlier.shows(said[row])]):
                most -= 1
                yield _Turn(listed)
