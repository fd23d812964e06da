"""Months in the life of four banks, by a clock that is set by hand: what left, on which day, and why.

- forty: 40 varied notes (tests/data/varied_notes.txt), of which two are used: one is opened, one is shown by recall in nine sessions
- clone: 500 notes that people wrote for 400 days, committed to git; their clone, complete (`full`) and with one commit (`shallow`)
- team: ten notes a day
- cline: the six files of a `memory-bank/` folder and its pages about features, copied in; two of them are edited every week

Everything goes through the facade. Maintenance runs every day, or every `step` days.
"""

import itertools
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memorybank.bank.bank import Bank
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.notes.create import slug
from memorybank.rotation.decision import RotationPlan
from memorybank.storage.layout import BANK

BEGIN = 1_900_000_000_000
"""The first day, 2030-03-17."""
VARIED = Path(__file__).resolve().parents[2] / "tests" / "data" / "varied_notes.txt"
_REPEATED = re.compile(r"<<(\d+): (.*)>>")

TEXTS = (
    "# 決定 {n}: キュー {n} を使う\n\nWe chose queue {n} because it costs {n} ms less.\n\n- never mix `queue_{n}` with sessions\n- 原因は {n} 件の再試行。\n",
    "todo {n}\n",
    "# Log {n}\n\n" + "Nothing happened on day {n}. " * 20 + "\n",
    "# Setup {n}\n\nAlways run `make check-{n}` before `make install-{n}`, because the cache of {n} is stale otherwise.\n",
    "# メモ {n}\n\n検索は {n} 番の索引で行う。TODO 確認する。\n",
)
CLINE = {
    "projectbrief.md": "# Project brief\n\nA shop for used books. Goals: list 10,000 books, answer within 200 ms.\n\n- Must work without JavaScript.\n",
    "productContext.md": "# Product context\n\nPeople look for one book and leave. The search page therefore comes first.\n",
    "systemPatterns.md": "# System patterns\n\nHexagonal: adapters below `adapters/`, rules in `domain/`. Never import adapters from `domain/`.\n",
    "techContext.md": "# Tech context\n\n- Python 3.12, FastAPI 0.110\n- PostgreSQL 16, because full-text search must be transactional\n",
    "activeContext.md": "# Active context\n\nWorking on the checkout. Next: refunds.\n",
    "progress.md": "# Progress\n\n- done: search, basket\n- open: checkout\n",
    "features/checkout.md": "# Checkout\n\nThe basket expires after 30 minutes, since reservations block other buyers.\n",
    "features/検索.md": "# 検索\n\n検索は PostgreSQL の全文検索を使う。必ず 200 ms 以内に返す。\n",
}


@dataclass(frozen=True)
class Departure:
    """A note that left. day: of the simulation; age in days"""

    day: int
    key: str
    rule: str
    reason: str
    importance: float


@dataclass(frozen=True)
class PersonsRotation:
    """What a person who types `rotate` would see on a day. deferred: notes that only the grace keeps"""

    day: int
    notes: int
    leaving: dict[str, str]
    deferred: int
    warnings: tuple[str, ...]


@dataclass
class Months:
    """A bank that is maintained regularly.

    step: days between two maintenance runs
    left: what unattended maintenance archived
    persons: what a person's rotation would have done on some days
    """

    root: Path
    clock: FixedClock = field(default_factory=lambda: FixedClock(BEGIN))
    step: int = 1
    left: list[Departure] = field(default_factory=list)
    persons: list[PersonsRotation] = field(default_factory=list)

    @property
    def bank(self) -> Bank:
        return Bank.open(self.root, clock=self.clock)

    @property
    def day(self) -> int:
        return (self.clock.instant - BEGIN) // DAY

    @property
    def active(self) -> list[Path]:
        return sorted((self.root / "active").rglob("*.md"))

    def write(self, key: str, text: str, at: int | None = None) -> None:
        """Save a note as an editor does. at: its mtime in ms; default now"""
        path = self.root / "active" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        moment = (self.clock.instant if at is None else at) * 1_000_000
        os.utime(path, ns=(moment, moment))

    def pass_days(self, until: int, each_day: Callable[[int], None] = lambda day: None) -> None:
        """Let days pass. Maintenance runs on every `step`-th day."""
        for day in range(self.day + 1, until + 1):
            self.clock.instant = BEGIN + day * DAY
            each_day(day)
            if day % self.step:
                continue
            report = self.bank.rotation.maintain()
            gone = [note for rotation in report.rotations for note in rotation.rotated]
            self.left += [Departure(day, note.key, note.rule, note.reason, note.importance) for note in gone]

    def person(self) -> RotationPlan:
        """Note what a person's rotation would do today, and return its plan."""
        plan = self.bank.rotation.plan()
        leaving = {decision.key: decision.rule for decision in plan.leaving}
        self.persons.append(PersonsRotation(self.day, len(plan.decisions), leaving, len(plan.deferred), plan.warnings))
        return plan


def varied() -> Iterator[tuple[str, str]]:
    """Yield (key, text) of the varied notes. `<<40: text {n}>>` stands for 40 such lines."""
    for part in VARIED.read_text(encoding="utf-8").split("=== ")[1:]:
        head, _, text = part.partition("\n")
        yield head.partition(" ")[2], _REPEATED.sub(lambda found: "\n".join(found[2].replace("{n}", str(n)) for n in range(int(found[1]))), text)


OPENED, RECALLED = "sync/debug-session.md", "sync/work-log-march.md"
"""Two poor notes of the bank `forty` that are used: one is opened every ten days, one is shown in nine sessions until day 36."""


def forty(folder: Path, days: int = 365, step: int = 1) -> Months:
    """40 notes of a new bank. A year passes in which nobody edits one."""
    months = _created(folder, step)
    for key, text in itertools.islice(varied(), 40):
        months.write(key, text)

    def use(day: int) -> None:
        views = [AccessLine("view", OPENED, months.clock.now())] if day % 10 == 0 else []
        recalls = [AccessLine(access.SHOWN, RECALLED, months.clock.now())] if day % 4 == 0 and day <= 36 else []
        access.append(months.bank.layout, [*views, *recalls], months.clock)

    months.person()
    for station in _stations(days, 1, 15, 31, 40, 60, 180, 365):
        months.pass_days(station, each_day=use)
        months.person()
    return months


def team(folder: Path, days: int = 90, step: int = 1) -> Months:
    """Ten notes a day."""
    months = _created(folder, step)
    for station in _stations(days, 1, 15, 31, 60, 90):
        months.pass_days(station, each_day=lambda day: _write_ten(months, day))
        months.person()
    return months


def cline(folder: Path, days: int = 90, step: int = 1) -> Months:
    """A `memory-bank/` folder that was used for a year, copied in with its old dates."""
    months = _created(folder, step)
    for key, text in CLINE.items():
        months.write(f"memory-bank/{key}", text, at=BEGIN - 360 * DAY)

    def edit(day: int) -> None:
        if day % 7 == 0:
            for key in ("activeContext.md", "progress.md"):
                months.write(f"memory-bank/{key}", CLINE[key] + f"- week {day // 7}: released 1.{day // 7}\n")

    months.person()
    for station in _stations(days, 1, 15, 31, 90):
        months.pass_days(station, each_day=edit)
        months.person()
    return months


def clones(folder: Path, days: int = 60, step: int = 1, *, recorded: bool = True, commits: int = 50) -> dict[str, Months]:
    """Return the two clones of 500 notes, after some days. recorded: whether the bank was created by `init`, so that `dates.jsonl` is committed"""
    origin = write_origin(folder / "origin", recorded=recorded, commits=commits)
    made = {}
    for name, options in (("full", ()), ("shallow", ("--depth", "1"))):
        target = folder / name
        git(folder, "clone", "-q", *options, f"file://{origin}", str(target))
        for path in (target / BANK / "active").rglob("*.md"):
            os.utime(path, ns=(BEGIN * 1_000_000, BEGIN * 1_000_000))
        months = made[name] = Months(target / BANK, step=step)
        months.person()
        for station in _stations(days, 1, 14, 31, 60):
            months.pass_days(station)
            months.person()
    return made


def write_origin(origin: Path, *, recorded: bool, notes: int = 500, over: int = 400, commits: int = 50) -> Path:
    """Write a repository with notes that were committed over some days. `init` ran on its first day."""
    origin.mkdir(parents=True)
    git(origin, "init", "-q", "-b", "main")
    root = origin / BANK
    first = BEGIN - (over + 2) * DAY
    if recorded:
        Bank.create(root, zone="UTC", clock=FixedClock(first))
    months = Months(root, FixedClock(first))
    a_commit = notes // commits
    for commit in range(commits):
        at = BEGIN - over * DAY + commit * (over - 40) // commits * DAY
        for number in range(commit * a_commit, (commit + 1) * a_commit):
            months.write(f"知識/{number:03}.md", TEXTS[number % len(TEXTS)].format(n=number), at=at)
        commit_all(origin, at)
    if recorded:
        # Somebody adds one more note with memorybank on the last day before the clone, which brings the record up to date.
        months.clock.instant = BEGIN - DAY
        key = months.bank.notes.add("Released", body="1.0 is out.")
        months.bank.notes.rate(key, 5)
    else:
        months.write("released.md", "# Released\n\n1.0 is out.\n", at=BEGIN - DAY)
    commit_all(origin, BEGIN - DAY)
    return origin


def commit_all(repository: Path, at: int) -> None:
    """Commit everything with this author and committer date (ms)."""
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "notes", GIT_AUTHOR_DATE=isoformat(at), GIT_COMMITTER_DATE=isoformat(at))


def git(folder: Path, *arguments: str, **environment: str) -> None:
    names = {f"GIT_{who}_{what}": "bench@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **names, **quiet, **environment})


def _created(folder: Path, step: int) -> Months:
    root = folder / BANK
    Bank.create(root, zone="UTC", clock=FixedClock(BEGIN))
    return Months(root, step=step)


def _stations(days: int, *marked: int) -> list[int]:
    """Return the days on which a person looks: the marked ones up to `days`, and the last one."""
    return [*(day for day in marked if day < days), days]


def _write_ten(months: Months, day: int) -> None:
    for number in range(10):
        title = f"day {day} {number}"
        months.write(f"設計/{day:02}-{slug(title)}.md", TEXTS[number % len(TEXTS)].format(n=10 * day + number))
