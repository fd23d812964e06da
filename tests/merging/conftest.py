"""Two real clones of one bank, with or without the merge drivers of this checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from memorybank.merging import install
from memorybank.merging.install import GitInstallation, GitProgram
from memorybank.storage.create_bank import create_bank
from memorybank.storage.layout import describe
from memorybank.text import generated
from tests.conftest import NOW

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "memorybank" / "for_git.py")
BANK = ".claude/memory"


class TeamClone:
    """One clone, with the bank in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def root(self) -> Path:
        return self.path / BANK

    @property
    def layout(self):
        return describe(str(self.root.resolve()))

    @property
    def installation(self) -> GitInstallation:
        return GitInstallation(self.layout, GitProgram(sys.executable, SCRIPT))

    def git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *arguments], cwd=self.path, capture_output=True, encoding="utf-8", check=check)

    def write(self, name: str, text: str | bytes) -> "TeamClone":
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def commit(self, message: str = "work") -> "TeamClone":
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self

    def install(self) -> "TeamClone":
        install.carry_out(self.installation, self.installation.parts(), FixedClock(NOW))
        return self

    def merge(self, other: "TeamClone") -> subprocess.CompletedProcess[str]:
        self.git("fetch", "-q", str(other.path), "HEAD")
        return self.git("merge", "-q", "--no-edit", "FETCH_HEAD", check=False)

    def unmerged(self) -> list[str]:
        return self.git("diff", "--name-only", "--diff-filter=U").stdout.split()


@pytest.fixture
def clones(tmp_path):
    """Return a function that makes two clones of a bank with these files: `clones({"bookmarks.json": …}, installed=True)`."""

    def make(files: dict[str, str], *, installed: bool) -> tuple[TeamClone, TeamClone]:
        one = TeamClone(tmp_path / "one")
        one.path.mkdir()
        one.git("init", "-q", "-b", "main")
        create_bank(str(one.root), "UTC")
        for name, text in files.items():
            one.write(name, text)
        if installed:
            one.install()
        one.commit("begin")
        one.git("clone", "-q", str(one.path), str(tmp_path / "two"))
        two = TeamClone(tmp_path / "two")
        return one, two.install() if installed else two

    return make


def learned(memory: str = "problem:00000001", *, sessions: str = "3", days: str = "2025-09-01", created: str = "2025-09-01", more: str = "") -> str:
    """A learned note as memorybank writes it."""
    text = (
        f"---\ntitle: Use uv\nmemory: {memory}\nversion: 1\ntags: [learned, problem]\ncreated: {created}T00:00:00.000Z\n---\n\n"
        f"# Use uv\n\nFailed in {sessions} sessions, first on {days}.\n{more}"
    )
    return generated.sealed(text.encode()).decode()
