"""`project`: a git repository with a bank, in which tests stage files and commit with the real hook."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.checking.run import BankCheck, check
from memorybank.storage.create_bank import create_bank
from memorybank.storage.layout import describe

TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
HOOK = f'#!/bin/sh\nexec "{sys.executable}" -m memorybank check --staged "$@"\n'


class CheckedProject:
    """One repository.

    root: its work tree
    bank: folder of the bank, relative to the work tree
    """

    def __init__(self, root: Path, bank: str = ".claude/memory") -> None:
        self.root = root
        self.bank = root / bank

    def git(self, *arguments: str, code: int = 0, **environment: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, encoding="utf-8", env={**os.environ, **environment}, check=False)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the bank."""
        file = self.bank / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def stage(self, path: str, text: str | bytes) -> Path:
        file = self.write(path, text)
        self.git("add", "--", str(file))
        return file

    def install_hook(self, name: str = "pre-commit") -> None:
        hook = Path(self.git("rev-parse", "--path-format=absolute", "--git-path", "hooks").strip()) / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(HOOK, encoding="utf-8")
        hook.chmod(0o755)

    def check(self, *given: str, staged: bool = True) -> BankCheck:
        return check(describe(str(self.bank.resolve())), staged=staged, given=given, folder=str(self.root))

    def found(self, *given: str, staged: bool = True) -> list[str]:
        """`path:line code` of every finding, with paths relative to the bank."""
        prefix = os.path.relpath(self.bank, self.root) + "/"
        findings = self.check(*given, staged=staged).findings
        return [f"{each.path.removeprefix(prefix)}{f':{each.line}' if each.line else ''} {each.code}" for each in findings]


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    root = tmp_path / "project"
    root.mkdir()
    made = CheckedProject(root)
    made.git("init", "-q", "-b", "main")
    create_bank(str(made.bank), "UTC")
    return made
