"""Scratch repositories with planted history, and the bank in them."""

import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock

NOW = 1_758_112_496_789
DAY = 86_400_000
FIRST = NOW - 100 * DAY


class PlantedRepository:
    """A repository whose commits have the days a test gives. Each file is different, so that git recognises what was renamed."""

    def __init__(self, root: Path) -> None:
        self.root = self.repository = root
        self.active = root / ".claude" / "memory" / "active"
        self.active.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, day: float = 0) -> str:
        date = f"{int(FIRST + day * DAY) // 1000} +0000"
        environment = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        return subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True, env=environment).stdout

    def write(self, path: str, text: str | None = None) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(f"{path} {line}" for line in range(30)) if text is None else text, encoding="utf-8")

    def commit(
        self,
        day: float,
        message: str = "x",
        add: object = (),
        rename: Mapping[str, str] | None = None,
        delete: object = (),
        write: Mapping[str, str] | None = None,
    ) -> str:
        """Commit the changes of one day, and return the commit. add: paths, or {path: text}; write: {path: text}."""
        for path, text in (write or {}).items():
            self.write(path, text)
        for path in add:
            self.write(path, add[path] if isinstance(add, Mapping) else None)
        for old, new in (rename or {}).items():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
        for path in delete:
            (self.root / path).unlink()
        for path in (*(rename or {}), *delete):
            with suppress(OSError):  # git removes empty folders too
                os.removedirs((self.root / path).parent)
        changed = [*(write or {}), *add, *(rename or {}), *(rename or {}).values(), *delete]
        if changed:
            self.git("add", "-A", "--", *changed)
        self.git("commit", "-q", "--allow-empty", "-m", message, day=day)
        return self.git("rev-parse", "HEAD").strip()

    def merge(self, day: float, branch: str) -> str:
        """Merge a branch with one commit of its own, and delete it."""
        self.git("checkout", "-q", "-b", branch)
        self.commit(day, add=[f"merged/{branch}.txt"])
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "-m", f"Merge branch '{branch}'", branch, day=day)
        self.git("branch", "-q", "-D", branch)
        return self.git("rev-parse", "HEAD").strip()

    def note(self, key: str, text: str, day: float) -> None:
        """Write a note that git does not know and that was created on a day."""
        path = self.active / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        at = int(FIRST + day * DAY)
        os.utime(path, ns=(at * 1_000_000, at * 1_000_000))

    def bank(self, **options: object) -> Bank:
        return Bank.open(self.root / ".claude" / "memory", clock=FixedClock(NOW), **options)


@pytest.fixture
def planted(tmp_path: Path) -> Callable[[], PlantedRepository]:
    made = 0

    def make() -> PlantedRepository:
        nonlocal made
        made += 1
        root = tmp_path / f"repository{made}"
        root.mkdir()
        return PlantedRepository(root)

    return make
