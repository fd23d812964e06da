"""The baselines: other ways to choose what an agent is shown at the same moments, for the same number of tokens.

Each of them chooses among all memories that the viewer may see and that another context made. It shows a memory once per context and
at most `top_k` memories per moment, until the session's tokens are spent. Texts are cut and counted as recall does it. All baselines
share one run without recall.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from math import log
from random import Random

from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.fold import cache
from memorybank.cycle.recall.candidates import Sources
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.recall.reading import CHARACTERS, Reading
from memorybank.injection import InjectedMemory, InjectionSection, build, size_of, tokens_of, utf16
from memorybank.replay.play import RecallMoment
from memorybank.replay.pool import Pool, PoolEntry
from memorybank.replay.targets import ShownMemory
from memorybank.replay.text_targets import ShownText

RANDOM, RECENT, FREQUENT, KEYWORD = "random", "recent", "frequent", "keyword"
BASELINES = (RANDOM, RECENT, FREQUENT, KEYWORD)
SEEDS = 20
"""Repetitions of the random arm; their mean is compared with the other arms."""
_LOOKED_AT = 3
"""A multiple of `top_k`: how many memories are tried at a moment at which most no longer fit into the session's remaining tokens."""
_TRIES = 64
"""Number of random draws before a list of the memories that may be shown is made. The list costs more than a few rejected draws."""
_LEAST_TOKENS = 12
"""Number of tokens of the shortest memory with its source and date."""
_K1, _B = 1.2, 0.75
_TELLS_APART = 0.5
"""Maximum share of the texts that may contain a term. A more common term distinguishes nothing and takes the longest to look up."""
_BEST = 200
"""Maximum number of results; more than any moment shows."""


class MomentView:
    """One moment, as every arm sees it. given: anchors that the trigger itself contains; characters: limit of one memory's text."""

    def __init__(self, pool: Pool, reading: Reading, moment: RecallMoment) -> None:
        self.pool = pool
        self.moment = moment
        self.viewer = reading.reader.viewer
        self.now = reading.now
        self.query = reading.query
        self.given = frozenset(reading.query.given)
        self.context = (moment.session, moment.agent, reading.context.epoch)
        self.characters = CHARACTERS[moment.moment]

    def may_see(self, entry: PoolEntry) -> bool:
        return self.pool.may_see(entry, self.viewer, self.now)


class KeywordIndex:
    """A plain keyword search: Okapi BM25 over texts by name, updated as the pool of a run changes.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3; k1 1.2, b .75, with the idf of Lucene, which
    is never negative.
    """

    def __init__(self) -> None:
        self._terms: dict[str, Counter[str]] = {}
        self._holders: dict[str, dict[str, int]] = {}
        self._lengths: dict[str, int] = {}
        self._whole = 0

    def put(self, name: str, terms: Iterable[str]) -> None:
        """Add a text, or replace the one with the same name."""
        self.remove(name)
        counted = self._terms[name] = Counter(terms)
        self._lengths[name] = counted.total()
        self._whole += counted.total()
        for term, count in counted.items():
            self._holders.setdefault(term, {})[name] = count

    def remove(self, name: str) -> None:
        counted = self._terms.pop(name, None)
        if counted is not None:
            self._whole -= self._lengths.pop(name)
            for term in counted:
                del self._holders[term][name]

    def best(self, terms: Iterable[str]) -> list[str]:
        """Return the names of the best matching texts, best first; ties are in order of name. A repeated term counts once."""
        count = len(self._terms)
        mean = self._whole / count if count else 0.0
        spread, lengths = _K1 * _B / mean if mean else 0.0, self._lengths
        scores: dict[str, float] = {}
        for term in dict.fromkeys(terms):
            holders = self._holders.get(term)
            if not holders or len(holders) > max(count * _TELLS_APART, 10):
                continue
            weight = log(1 + (count - len(holders) + 0.5) / (len(holders) + 0.5))
            for name, frequency in holders.items():
                scores[name] = scores.get(name, 0.0) + weight * frequency / (frequency + _K1 * (1 - _B) + spread * lengths[name])
        return nsmallest(_BEST, scores, key=lambda name: (-scores[name], name))


class Orders:
    """The pool sorted for each arm, and updated with the pool."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._newest: list[tuple[int, str]] = []
        self._by_name: dict[str, PoolEntry] = {}
        self._calls: dict[str, int] = {}
        self._anchors: list[tuple[int, str]] = []
        self._of_anchor: dict[str, list[tuple[int, str]]] = {}
        self._texts = KeywordIndex()
        for entry in pool.entries:
            self._enter(entry)

    def refresh(self) -> None:
        for old, new in self.pool.refresh():
            if old is not None:
                self._leave(old)
            if new is not None:
                self._enter(new)

    def random(self, chance: Random, asked: MomentView) -> Iterator[PoolEntry]:
        """Yield memories, each drawn with the same probability. A memory may come more than once."""
        entries = self.pool.entries
        if not entries:
            return
        for _ in range(_TRIES):
            yield entries[int(chance.random() * len(entries))]
        # From here on without repetition, so that the search ends.
        possible = [entry for entry in entries if asked.may_see(entry)]
        while possible:
            at = int(chance.random() * len(possible))
            possible[at], possible[-1] = possible[-1], possible[at]
            yield possible.pop()

    def recent(self) -> Iterator[PoolEntry]:
        """Return the memories, newest first."""
        return (self._by_name[name] for _, name in self._newest)

    def frequent(self, shown: set[str], asked: MomentView) -> Iterator[PoolEntry]:
        """Yield the newest visible memory of each anchor, the anchor with the most calls first. shown: anchors that the context was already shown."""
        for _, anchor in self._anchors:
            if anchor not in shown:
                entry = next((entry for _, name in self._of_anchor[anchor] if asked.may_see(entry := self._by_name[name])), None)
                if entry is not None:
                    yield entry

    def keyword(self, asked: MomentView) -> Iterator[PoolEntry]:
        """Return the memories that a plain search for the words of the moment finds."""
        found = self._texts.best(term for word in asked.query.words for term in word.terms)
        return (self._by_name[name] for name in found)

    def _enter(self, entry: PoolEntry) -> None:
        memory = entry.memory
        place = (-memory.at, memory.memory)
        self._by_name[memory.memory] = entry
        insort(self._newest, place)
        for anchor in entry.anchors:
            insort(self._of_anchor.setdefault(anchor, []), place)
            self._count(anchor, entry.calls)
        self._texts.put(memory.memory, entry.terms.split())

    def _leave(self, entry: PoolEntry) -> None:
        memory = entry.memory
        place = (-memory.at, memory.memory)
        del self._by_name[memory.memory]
        _remove(self._newest, place)
        for anchor in entry.anchors:
            _remove(self._of_anchor[anchor], place)
            self._count(anchor, -entry.calls)
        self._texts.remove(memory.memory)

    def _count(self, anchor: str, more: int) -> None:
        calls = self._calls.get(anchor, 0)
        if anchor in self._calls:
            _remove(self._anchors, (-calls, anchor))
        self._calls[anchor] = calls + more
        insort(self._anchors, (-calls - more, anchor))


class BaselineRun:
    """One arm at one budget. shown: every memory that it showed; texts: what agents read of them; seed: of the random arm."""

    def __init__(self, arm: str, budget: int, seed: int = 0) -> None:
        self.arm = arm
        self.budget = budget
        self.shown: list[ShownMemory] = []
        self.texts: list[ShownText] = []
        self._chance = Random(f"{arm} {budget} {seed}")
        self._spent: dict[str, int] = {}
        self._given: dict[tuple[str, str, int], set[str]] = {}
        self._shown_anchors: dict[tuple[str, str, int], set[str]] = {}

    def has_tokens(self, session: str) -> bool:
        return self.budget - self._spent.get(session, 0) >= _LEAST_TOKENS

    def choose(self, asked: MomentView, orders: Orders, budget_units: int, most: int) -> None:
        """Choose and record what this arm shows at one moment.

        budget_units: budget for memories at this moment, in UTF-16 code units.
        most: maximum number of memories.
        """
        session = asked.moment.session
        given = self._given.setdefault(asked.context, set())
        shown = self._shown_anchors.setdefault(asked.context, set())
        looked_at = rank = 0
        for entry in self._order(orders, asked, shown):
            if rank == most or looked_at == most * _LOOKED_AT or not self.has_tokens(session):
                return
            if entry.memory.memory in given or not asked.may_see(entry):
                continue
            looked_at += 1
            text = asked.pool.printed(entry, asked.characters)
            units = utf16(text)
            tokens = tokens_of(units)
            if not units or units > budget_units or self._spent.get(session, 0) + tokens > self.budget:
                continue
            rank += 1
            budget_units -= units
            self._spent[session] = self._spent.get(session, 0) + tokens
            given.add(entry.memory.memory)
            shown.update(entry.anchors)
            self.shown.append(_shown(asked, entry, rank, tokens))
            self.texts.append(ShownText(session, asked.moment.agent, asked.moment.position, text, entry.memory.memory))

    def _order(self, orders: Orders, asked: MomentView, shown: set[str]) -> Iterable[PoolEntry]:
        if self.arm == RANDOM:
            return orders.random(self._chance, asked)
        if self.arm == RECENT:
            return orders.recent()
        return orders.frequent(shown, asked) if self.arm == FREQUENT else orders.keyword(asked)


class Baselines:
    """Every baseline at every budget, called at each moment of one run."""

    def __init__(self, base: CycleContext, arms: Sequence[str], budgets: Sequence[int]) -> None:
        self.base = base
        self.pool = Pool(base)
        self.orders = Orders(self.pool)
        self.runs = [BaselineRun(arm, budget, seed) for arm in arms for budget in budgets for seed in range(SEEDS if arm == RANDOM else 1)]
        self._frame = _frame()

    def asked(self, event: Event, moment: RecallMoment) -> None:
        self.orders.refresh()
        runs = [run for run in self.runs if run.has_tokens(moment.session)]
        if not runs:
            return
        sources = Sources(None, cache.writable(self.base.layout))
        asked = MomentView(self.pool, Reading(self.base, event, moment.moment, self.base.clock.now(), sources), moment)
        budget_units, most = self._budget_units(moment.moment), self.base.settings.recall.top_k
        for run in runs:
            run.choose(asked, self.orders, budget_units, most)

    def _budget_units(self, moment: str) -> int:
        budgets = self.base.settings.budgets
        units = {
            events.SESSION_START: budgets.session_start,
            events.PROMPT: budgets.prompt,
            events.TOOL_BEFORE: budgets.tool,
            FAILURE: budgets.failure,
            events.SUBAGENT_START: budgets.subagent,
        }
        return units[moment] - self._frame


def _frame() -> int:
    """Return the UTF-16 code units of an injection without its memories."""
    item = InjectedMemory("frame", "frame", "frame", 0, ())
    injection = build([InjectionSection("## Memories", 9_500, items=[item])], 9_500)
    return injection.utf16 - size_of(item) if injection is not None else 0


def _shown(asked: MomentView, entry: PoolEntry, rank: int, tokens: int) -> ShownMemory:
    moment = asked.moment
    named = entry.named(asked.given)
    return ShownMemory(moment.session, moment.agent, moment.offset, moment.moment, rank, entry.memory.memory, named, tokens, frozenset(entry.anchors))


def _remove(ordered: list[tuple[int, str]], item: tuple[int, str]) -> None:
    at = bisect_left(ordered, item)
    if at < len(ordered) and ordered[at] == item:
        del ordered[at]
