"""A healthy bank with a little of everything in it, made by real commands, and doctor's answer about it."""

import gc
import os
import shutil
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from memorybank import bytecode
from memorybank.bank import Bank
from memorybank.clock import HOUR, FixedClock
from memorybank.doctor import run
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.table import CHECKS
from memorybank.hosts import bytecode_file, install
from memorybank.hosts.program import this_program
from memorybank.storage.create_bank import create_bank
from memorybank.storage.layout import describe

from ..house.hooked import tea_time

NOTES = {
    "planning/roadmap.md": ("---\ntags: [plan]\n---\n# Roadmap\n\nShip the importer before June.\n", 3),
    "shared/決定.md": ("# 決定\n\n検索は二文字ずつの索引を使う。\n", 2),
    "implementation/old.md": ("# Old parser\n\nThe first parser read line by line.\n", 200),
}


class Patient:
    """One bank under examination. repository: its project; environ: what the process is told; home: the person's home folder."""

    def __init__(self, repository: Path, home: Path, clock: FixedClock, patch: pytest.MonkeyPatch) -> None:
        self.repository = repository
        self.root = repository / ".claude" / "memory"
        self.home = home
        self.clock = clock
        self.patch = patch
        self.environ = {"HOME": str(home), "MEMORYBANK_TRUST": "all", "PATH": os.environ.get("PATH", "")}

    @property
    def layout(self):
        return describe(str(self.root.resolve()))

    @property
    def context(self) -> DoctorContext:
        return DoctorContext(self.layout, self.clock, self.environ)

    @property
    def bank(self) -> Bank:
        return self.context.writable_bank()

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.repository, check=True, capture_output=True, text=True).stdout

    def write(self, relative: str, text: str | bytes, mode: int | None = None) -> Path:
        """Write a file below the bank; links and folders on the way are made."""
        path = self.root / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if mode is not None:
            path.chmod(mode)
        return path

    def snapshot(self) -> dict[str, tuple[bytes, int]]:
        """{path: (content, mtime)} of every file of project and home."""
        found = {}
        for top in (self.repository, self.home):
            for path in sorted(path for path in top.rglob("*") if path.is_file() and ".git/" not in str(path)):
                found[str(path)] = (path.read_bytes(), path.stat().st_mtime_ns)
        return found

    def truth(self) -> dict[str, tuple[bytes, int]]:
        """The same of what is nobody's but a person's."""
        kept = ("active", "archive/by_date", "config", "bookmarks.json", "summary.md", "episodes")
        tops = tuple(f"{self.root / name}" for name in kept)
        return {path: found for path, found in self.snapshot().items() if path.startswith(tops) and "/.mb-tmp-" not in path}

    def findings(self, *ids: str):
        """What doctor finds, of the named checks or of all."""
        assert not set(ids) - {check.id for check in CHECKS}
        return [each for each in run.examine(self.context, [check for check in CHECKS if not ids or check.id in ids]) if each.level != "OK"]

    def mend(self, *ids: str, agrees: bool = True):
        checks = [check for check in CHECKS if check.id in ids]
        found = run.examine(self.context, checks)
        return list(run.carry_out(self.context, run.due_fixes(found, checks), lambda question: agrees))


_TEMPLATE: list[Path] = []
"""Made once: a life takes a second to play."""


@pytest.fixture
def patient(tmp_path, tmp_path_factory, fixed_clock, monkeypatch, compiled) -> Patient:
    """Healthy: committed, rotated, indexed, summarised, recorded by hooks that are installed."""
    if not _TEMPLATE:
        _TEMPLATE.append(tmp_path_factory.mktemp("healthy"))
        _live(_TEMPLATE[0], FixedClock(fixed_clock.instant), monkeypatch)
        gc.collect()  # a router leaves its connections open until its process ends; while they are, the caches change when one of them is closed
    shutil.copytree(_TEMPLATE[0], tmp_path / "machine", symlinks=True)
    machine = tmp_path / "machine"
    _settle(machine, monkeypatch)
    fixed_clock.instant += HOUR
    return Patient(machine / "project", machine / "home", fixed_clock, monkeypatch)


@cache
def _file_of_hooks() -> bytes:
    """Return what the file that hooks load consists of, if the package has one that is current, else b"". Making it takes some seconds."""
    return Path(bytecode.PATH).read_bytes() if bytecode_file.is_current() else b""


def _settle(machine: Path, monkeypatch) -> None:
    """This machine: an installed package, and a place for the compiled modules of hooks that is not the package's own."""
    monkeypatch.setenv("HOME", str(machine / "home"))
    content = _file_of_hooks()
    if content:
        monkeypatch.setattr(bytecode_file, "_chunks", lambda prepared: [content])
    monkeypatch.setattr(bytecode, "PATH", str(machine / "compiled" / "hook.segments"))
    monkeypatch.setattr(metadata, "requires", lambda name: ["click>=8.1.8", "colorama>=0.4; platform_system == 'Windows'"])


def _live(machine: Path, clock: FixedClock, monkeypatch) -> None:
    """A project's bank after some work."""
    project, home = machine / "project", machine / "home"
    project.mkdir()
    home.mkdir()
    _settle(machine, monkeypatch)
    patient = Patient(project, home, clock, monkeypatch)
    patient.git("init", "-q", "-b", "main")
    create_bank(str(patient.root), "UTC")
    for key, (text, days) in NOTES.items():
        instant = clock.instant * 1_000_000 - days * 86_400 * 10**9
        os.utime(patient.write(f"active/{key}", text), ns=(instant, instant))
    bank = patient.bank
    bank.rotation.execute(bank.rotation.plan())
    _work(patient, clock)
    bank.index.rebuild()
    change = install.plan_install("claude-code", "local", str(project), this_program(), patient.environ)
    install.execute(change, patient.environ)
    assert bytecode_file.write()
    (project / ".gitignore").write_text(".claude/settings.local.json\n", encoding="utf-8")
    patient.git("add", ".")
    patient.git("commit", "-qm", "notes")


def _work(patient: Patient, clock: FixedClock) -> None:
    """Two sessions of Claude Code, as its hooks report them."""
    from memorybank.cycle.base import describe as base
    from memorybank.cycle.router import HookRouter
    from memorybank.hosts.detect import detect

    for payload in tea_time(str(patient.repository)):
        clock.instant += 1_000
        dialect = detect(payload, {"CLAUDECODE": "1"}, None)
        event = dialect.to_event(payload, {"CLAUDECODE": "1"}, None)
        router = HookRouter(base(patient.layout, clock), dialect.delivers)
        router.answer(event)
        router.finish(event)
