"""The layouts of `tests/data/adopt`, each laid out in a home folder and a repository of its own.

In names and contents, `{HOME}`, `{PROJECT}`, `{NAME}` and `{SLUG}` stand for the home folder, the repository, its name, and the name that Claude Code
gives it. A file `*.sql` becomes the SQLite database of that name. `preview.txt` is what `memorybank adopt` prints.
"""

import hashlib
import os
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

DATA = Path(__file__).resolve().parents[1] / "data" / "adopt"
LAYOUTS = sorted(path.name for path in DATA.iterdir())
NAME = "parcels"
AT = 1_757_000_000_000_000_000
"""The mtime of every file (ns), some days before the tests' clock."""


class Result(NamedTuple):
    code: int
    out: str
    err: str


class World:
    """A home folder, and a repository with a new bank in it."""

    def __init__(self, top: Path, run) -> None:
        self.home = top / "home"
        self.project = top / NAME
        self._run = run

    @property
    def root(self) -> Path:
        return self.project / ".claude" / "memory"

    @property
    def layout(self):
        from memorybank.storage.layout import describe

        return describe(str(self.root))

    @property
    def own_settings(self) -> Path:
        return self.home / ".config" / "memorybank" / "config.json"

    def lay_out(self, name: str) -> None:
        words = {"HOME": str(self.home), "PROJECT": str(self.project), "NAME": NAME, "SLUG": re.sub("[^A-Za-z0-9]", "-", str(self.project))}

        def filled(text: str) -> str:
            return re.sub(r"\{(HOME|PROJECT|NAME|SLUG)\}", lambda match: words[match[1]], text)

        for part, target in (("home", self.home), ("project", self.project)):
            for path in sorted((DATA / name / part).rglob("*")):
                if path.is_file():
                    self.write(target / filled(path.relative_to(DATA / name / part).as_posix()), filled(path.read_text(encoding="utf-8")))

    def write(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".sql":
            path = path.with_suffix("")
            with closing(sqlite3.connect(path)) as connection, connection:
                connection.executescript(text)
            connection.close()
        else:
            path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(AT, AT))
        return path

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.project, check=True, capture_output=True, encoding="utf-8").stdout

    def run(self, *arguments: str) -> Result:
        return self._run(self.project, *arguments)

    def adopt(self, *arguments: str) -> Result:
        done = self.run("adopt", *arguments, "--yes")
        assert done.code == 0, done.err
        return done

    def originals(self) -> dict[str, tuple[str, int]]:
        """{path: (SHA-256, mtime)} of everything outside the bank, git's folder, and the person's settings of memorybank."""
        return {path: state for path, state in self._state().items() if "/.claude/memory/" not in path and "/memorybank/" not in path}

    def truth(self) -> dict[str, tuple[str, int]]:
        """The same of every file except what is derived or a log, and the record of dates, which keeps the grace that an adoption began."""
        local = ("/log/", "/cache/", "/backups/", "/indexes/", "/metadata/", "/dates.jsonl")
        return {path: state for path, state in self._state().items() if not any(f"/.claude/memory{part}" in path for part in local)}

    def _state(self) -> dict[str, tuple[str, int]]:
        found = {}
        for top in (self.home, self.project):
            for path in sorted(top.rglob("*")):
                if path.is_file() and ".git" not in path.relative_to(top).parts:
                    found[str(path)] = (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        return found


@pytest.fixture
def world(tmp_path, monkeypatch, capsys, fixed_clock):
    """Return a function that lays out one of the layouts, or none, and creates the bank."""
    from memorybank.cli.call import CommandCall
    from memorybank.cli.main import run as run_command

    def run(folder: Path, *arguments: str) -> Result:
        monkeypatch.chdir(folder)
        capsys.readouterr()
        code = run_command(arguments, CommandCall(clock=fixed_clock))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    def make(*layouts: str) -> World:
        made = World(tmp_path.resolve(), run)
        made.home.mkdir()
        made.project.mkdir()
        monkeypatch.setenv("HOME", str(made.home))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(made.home / ".config"))
        for name in layouts:
            made.lay_out(name)
        made.git("init", "-q", "-b", "main")
        made.git("add", "-A")
        made.git("commit", "-q", "--allow-empty", "-m", "as it was")
        assert made.run("init").code == 0
        return made

    return make
