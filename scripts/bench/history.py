"""A generated history, session after session: who works when on what, and how it is written to a folder."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from history_agent import Worker
from history_notes import notes
from history_project import ENGLISH, JAPANESE, Feature, Project
from history_session import PlayedHistorySession, absolute
from history_talk import Talk
from history_truth import Truth, decoys

VERSION = 2
FIRST_DAY = 1_767_571_200_000
"""Monday, 5 January 2026, 00:00 UTC, in ms. Histories are in the past of whoever replays them."""
HOUR, DAY = 3_600_000, 86_400_000
A_DAY = 6
"""Sessions per working day."""
JAPANESE_SHARE = 0.3
"""Share of the sessions that are held in Japanese, unless another one is asked for."""
RECENT = 6
"""Number of the most recent features that are rarely worked on again at once."""


class History:
    """Generates sessions in the order of their starts. Each depends on the seed and on the sessions before it."""

    def __init__(self, seed: int, sessions: int, japanese: float, drift: bool) -> None:
        self.seed, self.count = seed, sessions
        self.chance = random.Random(f"history {seed} {sessions} {japanese} {drift}")
        self.starts = self._starts()
        self.languages = self._languages(japanese)
        self.project = Project(seed, FIRST_DAY, self.starts[-1] + DAY, japanese, drift)
        self.truth = Truth(self.project)
        self.told: dict[str, list[tuple[int, int]]] = {}
        self.decided: set[tuple[str, str]] = set()
        """(feature, code of its decision) for every decision that was said."""
        self.recent: list[Feature] = []
        self.rounds: dict[str, int] = {}

    def sessions(self) -> Iterator[PlayedHistorySession]:
        for number, (begins, language) in enumerate(zip(self.starts, self.languages, strict=True)):
            yield self._session(number, begins, language)

    def _session(self, number: int, begins: int, language: str) -> PlayedHistorySession:
        chance = random.Random(f"session {self.seed} {number} {self.project.drift}")
        first = self._next(chance, language, begins)
        self.rounds[first.name] = self.rounds.get(first.name, 0) + 1
        ticket = f"SHOP-{100 + self.project.features.index(first) * 20 + self.rounds[first.name] // 3}"
        has_ticket = self.project.features.index(first) % 3 == 0
        branch = f"feature/{ticket}-{first.area[0]}" if has_ticket and chance.random() < 0.6 else "main"
        session = PlayedHistorySession(chance, begins, branch)
        talk = Talk(language, chance)
        worker = Worker(self.project, self.truth, session, talk, self.told)
        session.start()
        named = chance.sample(self.project.popular, chance.choice((1, 2, 2, 3))) if chance.random() < 0.9 else []
        opening = talk.goal(first) + (f" {ticket}" if has_ticket and chance.random() < 0.6 else "") + self._named(chance, first, begins)
        if named:
            opening += " " + talk.standing([self.project.here(path, begins) for path in named])
        if chance.random() < 0.15:
            session.prompt(talk.question(first))
            self._answer(worker, first)
        is_theirs = first.home == language and self._is_undecided(first, begins)
        stated = worker.decide(first) if is_theirs and chance.random() < 0.6 else ""
        by_person = chance.random() < 0.4
        session.prompt(f"{opening} {stated}" if stated and by_person else opening)
        if stated:
            self.truth.decided(first, begins, session.session_id, session.at)
            self.decided.add((first.name, first.decision.at(begins).code))
        self._work(worker, first, named or chance.sample(self.project.popular, 1), "" if by_person else stated)
        for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
            self._interlude(worker, language, named)
        if chance.random() < 0.6:
            due = [preference for preference in self.project.preferences if not preference.chore.folder]
            worker.chore(chance.choice(due))
        subjects = [feature for feature in self.project.features if feature.home == language and self._was_decided(feature, session.at)]
        if subjects and chance.random() < 0.35:
            worker.ask(chance.choice(subjects))
        if chance.random() < 0.06:
            self._taken_up(worker, language)
        session.end(chance.choice(("other", "other", "prompt_input_exit", "logout")))
        return session

    def _is_undecided(self, feature: Feature, now: int) -> bool:
        return feature.decision is not None and not self._was_decided(feature, now)

    def _was_decided(self, feature: Feature, now: int) -> bool:
        return feature.decision is not None and (feature.name, feature.decision.at(now).code) in self.decided

    def _taken_up(self, worker: Worker, language: str) -> None:
        """End the session and resume it hours later."""
        session = worker.session
        session.end("prompt_input_exit")
        session.at += worker.chance.randint(2 * HOUR, 20 * HOUR)
        session.start("resume")
        self._interlude(worker, language, [])

    def _interlude(self, worker: Worker, language: str, named: list[str]) -> None:
        """Work on another feature in the same session, sometimes after the context was cleared or compacted."""
        chance, session = worker.chance, worker.session
        step = chance.random()
        if step < 0.12:
            session.compact()
        elif step < 0.2:
            session.start("clear")
        feature = self._next(chance, language, session.at)
        session.prompt(worker.talk.goal(feature) + self._named(chance, feature, session.at))
        self._work(worker, feature, named[:1])

    def _work(self, worker: Worker, feature: Feature, popular: list[str], stated: str = "") -> None:
        """Work on a feature. stated: a decision that the agent reports at the end of the turn."""
        chance, session, talk = worker.chance, worker.session, worker.talk
        now = session.at
        if chance.random() < 0.15:
            worker.delegate(feature)
        worker.explore(feature)
        if chance.random() < 0.08:
            session.call("Read", {"file_path": absolute(worker.misc())}, interrupted=True)
            session.turn_end("", status="partial", reason="interrupted")
            session.prompt(talk.interrupt(feature))
        if chance.random() < 0.1:
            worker.dead_end(feature)
        if chance.random() < self._scratching(now):
            worker.scratch(feature)
        worker.change(feature)
        worker.popular(popular, feature)
        session.turn_end(" ".join(filter(None, (talk.last(feature, session.main.touched), stated))))
        for _ in range(chance.choice((0, 0, 1, 1, 2))):
            session.prompt(talk.follow_up(feature))
            worker.change(feature, everything=False)
            worker.popular(popular[:1], feature)
            session.turn_end(talk.last(feature, session.main.touched))
        worker.save(feature)

    def _answer(self, worker: Worker, feature: Feature) -> None:
        """Let the agent read without changing anything."""
        worker.explore(feature)
        for member in feature.members:
            if worker.chance.random() < 0.3:
                worker.read(member.path.at(worker.session.at), feature)
        worker.session.turn_end(worker.talk.answer(feature))

    def _scratching(self, now: int) -> float:
        """Return the probability of a throw-away script: small, or with drift, large from some day on."""
        return 0.6 if self.project.drift and now > self.project.moved else 0.1

    def _named(self, chance: random.Random, feature: Feature, now: int) -> str:
        """Return the source file for a prompt, or "" for the prompts that name none, which are most."""
        return f" ({feature.source.at(now)})" if chance.random() < 0.15 else ""

    def _next(self, chance: random.Random, language: str, now: int) -> Feature:
        alive = [feature for feature in self.project.features if feature.is_alive(now)]
        weights = [f.weight * (1 if f.home == language else 0.12) * (0.1 if f in self.recent else 1) for f in alive]
        chosen = chance.choices(alive, weights)[0]
        self.recent = [*self.recent, chosen][-RECENT:]
        return chosen

    def _starts(self) -> list[int]:
        """Return the starts of sessions on working days of nine hours. Some begin while others still run."""
        days = -(-self.count // A_DAY)
        starts = []
        for day in range(days):
            date = FIRST_DAY + (day // 5 * 7 + day % 5) * DAY
            today = min(A_DAY, self.count - day * A_DAY)
            starts += sorted(date + int(self.chance.random() * 9 * HOUR) for _ in range(today))
        return starts

    def _languages(self, japanese: float) -> list[str]:
        wanted = round(self.count * japanese)
        languages = [JAPANESE] * wanted + [ENGLISH] * (self.count - wanted)
        self.chance.shuffle(languages)
        return languages


def written(work: Path, seed: int, sessions: int, drift: bool) -> Path:
    """Return the folder of a history below `work`, after writing it if it does not exist."""
    folder = work / f"seed-{seed}-{sessions}{'-drift' if drift else ''}"
    if not (folder / "history.json").exists():
        generate(folder, seed, sessions, JAPANESE_SHARE, drift)
    return folder


def generate(folder: Path, seed: int, sessions: int, japanese: float, drift: bool) -> dict[str, Any]:
    """Write the folder, one session at a time. Return the counts of truth.json."""
    (folder / "sessions").mkdir(parents=True, exist_ok=True)
    made = History(seed, sessions, japanese, drift)
    for path, text in notes(made.project):
        note = folder / "notes" / path
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_bytes(text.encode())
    counts: dict[str, Any] = {"sessions": 0, "events": 0, "calls": 0, "prompts": 0}
    for session in made.sessions():
        lines = sorted(session.lines, key=lambda line: line["at"])
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        (folder / "sessions" / f"{session.session_id}.jsonl").write_bytes(text.encode())
        counts["sessions"] += 1
        counts["events"] += len(lines)
        counts["calls"] += sum(line["name"] == "tool_before" for line in lines)
        counts["prompts"] += sum(line["name"] == "prompt" for line in lines)
    facts = made.truth.facts()
    counts["japanese_sessions"] = made.languages.count(JAPANESE)
    for kind in ("changed_together", "failure_fixed", "preference", "decision"):
        counts[kind] = sum(fact["kind"] == kind for fact in facts)
    _write(folder / "truth.json", {"counts": counts, "facts": facts, "decoys": decoys(made.project)})
    options = {"sessions": sessions, "japanese": japanese, "drift": drift}
    _write(folder / "history.json", {"generator": VERSION, "seed": seed, "sessions": sessions, "options": options})
    return counts


def _write(path: Path, value: Any) -> None:
    path.write_bytes((json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
