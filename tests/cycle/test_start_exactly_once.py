"""The start of a session over generated histories of real logs, with episodes written by the hooks' own steps: every day of a session inside
the lookback is shown, by the host's raw log, an episode, or the session's gist, and no request twice.

The oracle does not know windows or covers: every request has a key of its own, and what is shown is read from the injected text.
"""

import shutil
import tempfile
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import DAY, HOUR, FixedClock, day_of
from memorybank.config.cycle import Budgets, CycleSettings, OrganizeSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import episode_step, macro, outbox
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.recall import recollect
from memorybank.storage import database
from memorybank.storage.layout import Layout
from memorybank.summarize.summarizer import GIST, DaySummary
from tests.cycle.conftest import Session
from tests.cycle.recalling import start

MONDAY = 1_757_894_400_000
"""2025-09-15."""
LENGTH = 14
LOOKBACK = 7
ENOUGH = 10_000.0


class Repeats:
    """A summarizer that leaves out nothing."""

    name = "extractive"

    def summarise(self, day):
        return DaySummary(" ".join(part.text for part in (*(part for part in day.parts if part.section != GIST), *day.said)), self.name)


class World:
    """One bank with successive sessions. The clock advances with them."""

    def __init__(self, root):
        self.settings = CycleSettings(session_notes=False, budgets=Budgets(episodes=9_500), organize=OrganizeSettings(warm_days=0))
        self.base = CycleContext(Layout(root), self.settings, FixedClock(MONDAY))
        self.asked = {}
        """{key: (session, instant)}"""
        self.sessions = {}
        self.count = 0

    def session(self, name):
        return self.sessions.setdefault(name, Session(self.base.layout, self.base.clock, name, MONDAY))

    def work(self, name, at, requests, begins="startup"):
        session = self.session(name)
        session.at = at
        if begins:
            session.epoch += begins != "resume" and session.count > 0
            session.line("session_start", source=begins)
        for _ in range(requests):
            self.count += 1
            self.asked[f"key{self.count:03d}"] = (name, session.at)
            session.prompt(f"key{self.count:03d}: Let the parser number {self.count} read ranges of dates with any tilde.")
            session.edit(f"src/part{self.count}.py", "a", "b")
        self.base.clock.instant = session.at

    def end(self, name):
        self.session(name).end()
        self.finish()

    def finish(self):
        """Do what the end of a session does, for everything that is due then."""
        with cache.CacheConnection(self.base.layout) as connection:
            outbox.gather(self.base, connection, lambda: ENOUGH)
            macro.finish(self.base, connection, lambda: ENOUGH)
        cache.close()

    def start(self, name, source):
        draft, composed = recollect.preview(self.base, start(name, source), "session_start", self.base.clock.now())
        draft.sources.close()
        return composed.injection.text if composed.injection is not None else ""


def days():
    """Return a strategy for (day, session, requests, whether it ends, how its part begins)."""
    return st.tuples(
        st.integers(0, LENGTH - 1),
        st.sampled_from("abcd"),
        st.integers(1, 2),
        st.sampled_from([True, True, True, False]),
        st.sampled_from(["startup", "resume"]),
    )


@pytest.mark.slow
@given(st.lists(days(), min_size=1, max_size=7), st.sampled_from(["startup", "compact", "resume"]), st.integers(0, 3), st.booleans())
def test_each_day_of_a_session_inside_the_lookback_is_told_exactly_once(parts, source, requests_before, told_lately):
    folder = tempfile.mkdtemp(prefix="memorybank-start-")
    known, episode_step.ExtractiveSummarizer = episode_step.ExtractiveSummarizer, Repeats
    try:
        world = World(f"{folder}/bank")
        played = Counter()
        for number, (day, name, requests, ends, begins) in enumerate(sorted(parts)):
            if played[name] + requests <= 2:  # of a session that goes on the first request and the latest are told: of more nobody speaks
                played[name] += requests
                world.work(name, MONDAY + day * DAY + 8 * HOUR + number * HOUR, requests, begins)
                if ends:
                    world.end(name)
        now = MONDAY + LENGTH * DAY + 9 * HOUR
        if requests_before:
            world.work("now", now, min(requests_before, 2))
        world.base.clock.instant = now = max(now, world.base.clock.now()) + HOUR
        if told_lately:
            world.finish()
        session = world.session("now")
        session.at = now
        session.epoch += source != "resume" and session.count > 0
        session.line("session_start", source=source)
        fold(world)
        text = world.start("now", source)
        shown = Counter(word.strip(":;,.`*()“") for word in text.split() if "key" in word)
        first = day_of(now - LOOKBACK * DAY)
        of_day = defaultdict(Counter)
        for key, (name, at) in world.asked.items():
            of_day[name, day_of(at)][key] = shown[key]
        for (name, day), keys in of_day.items():
            assert max(keys.values()) <= 1, f"{name}, {day}: {keys}\n{text}"
            if name == "now" and source == "resume":
                assert not any(keys.values()), f"{name} is in the raw log: {keys}\n{text}"
            elif day >= first:  # a start leaves out an unanswered request on a day with other work, and shows it on a day without any
                assert any(any(others.values()) for (_, of), others in of_day.items() if of == day), f"{name}, {day} is not told\n{text}"
    finally:
        episode_step.ExtractiveSummarizer = known
        cache.close()
        shutil.rmtree(folder)


def fold(world):
    from memorybank.cycle.fold import logs

    connection = database.open_writable(schema.path(world.base.layout), schema.TABLES, schema.VERSION)
    logs.fold(world.base, connection, wait=True)
    connection.close()
