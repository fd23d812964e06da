"""Sessions of a generated history as the product records and summarises them, and questions about them, for scripts/bench/summaries.

A question describes a feature in other words than the session did (`history_talk` draws them again). Its answers are the sessions in which
somebody worked on that feature.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from history import History
from history_project import Feature
from history_session import PlayedHistorySession
from history_talk import Talk

from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.finish.days import EventLogs
from memorybank.cycle.router import HookRouter
from memorybank.episodes.dates import LocalCalendar
from memorybank.hosts.detect import dialect
from memorybank.replay import arena, play, sources
from memorybank.replay.sources import ReplaySource
from memorybank.summarize.summarizer import SessionItem

QUESTIONS = 6
"""Questions for each feature that a session worked on, in each language."""


class PlayedSession(NamedTuple):
    """One session. parts: what the product summarises of it; full: everything that it recorded of it, in words; features: the features that were worked on."""

    session_id: str
    language: str
    parts: tuple[SessionItem, ...]
    full: str
    features: frozenset[str]


class FeatureQuestion(NamedTuple):
    text: str
    language: str
    feature: str


class HistoryWithFeatures(History):
    """A history that stores which features each session worked on."""

    def __init__(self, seed: int, sessions: int) -> None:
        super().__init__(seed, sessions, 0.5, False)
        self.chosen: list[Feature] = []

    def _next(self, chance: random.Random, language: str, now: int) -> Feature:
        self.chosen.append(super()._next(chance, language, now))
        return self.chosen[-1]

    def noted(self) -> Iterator[tuple[PlayedHistorySession, list[Feature]]]:
        for session in self.sessions():
            yield session, self.chosen
            self.chosen = []


def played(seed: int, count: int) -> tuple[list[PlayedSession], list[FeatureQuestion]]:
    """Play a history. Half of the sessions are Japanese. Return them with some questions for each feature that a session worked on, in its language."""
    made = HistoryWithFeatures(seed, count)
    features: dict[str, list[Feature]] = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sessions").mkdir()
        for session, chosen in made.noted():
            features[session.session_id] = chosen
            lines = sorted(session.lines, key=lambda line: line["at"])
            (Path(folder) / "sessions" / f"{session.session_id}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        source = sources.of_history(folder)
    languages = dict(zip(features, made.languages, strict=True))
    with play.scratch(source, arena.silent(source.settings)) as base:
        _record(base, source)
        days = [_told(log, languages, features) for log in EventLogs(base, LocalCalendar("UTC")).sources()]
    chance = random.Random(f"questions {seed}")
    asked = {(feature.name, day.language): feature for day in days for feature in features[day.session_id]}
    wanted = [key for key in sorted(asked) for _ in range(QUESTIONS)]
    questions = [FeatureQuestion(Talk(language, chance).goal(asked[name, language]), language, name) for name, language in wanted]
    return days, questions


def _record(base: CycleContext, source: ReplaySource) -> None:
    """Record every event as a hook does. Nothing is folded, finished or recalled."""
    for event in source.events:
        event = Event(**event.fields())
        event.inputs = dict(event.inputs)  # the router redacts in place
        base.clock.instant = event.at
        HookRouter(CycleContext(base.layout, base.settings, base.clock), dialect(event.host).delivers).answer(event)


def _told(log, languages: dict[str, str], features: dict[str, list[Feature]]) -> PlayedSession:
    messages = [message for date in sorted(log.digests()) for message in log.read(date).messages]
    session = log.name.partition("/")[2]
    parts = tuple(what for _, what in log.material(messages).items)
    full = "\n\n".join(message.text for message in messages if message.text.strip())
    return PlayedSession(session, languages[session], parts, full, frozenset(feature.name for feature in features[session]))
