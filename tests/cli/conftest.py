"""The command line under test: `run(bank, *arguments)` in this process, `process(bank, *arguments)` in another one."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.meaning.conftest import choose_embedder as choose_embedder
from tests.meaning.conftest import server as server

ROOT = Path(__file__).resolve().parents[2]


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def _the_file_of_hooks_is_written_once():
    """Let only the first `hooks install` write the file that hooks load: it compiles two hundred modules. `tests/hosts/test_bytecode.py` is about the file.

    The patch stays for the tests of other folders, which may use a file of their own.
    """
    from memorybank import bytecode
    from memorybank.hosts import bytecode_file

    original = bytecode_file.write
    written = cache(lambda path: original())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bytecode_file, "write", lambda: written(bytecode.PATH))
        yield


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder without anything in it."""
    made = tmp_path / "home"
    made.mkdir()
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "MEMORYBANK_DIR", "MEMORYBANK_PERSONAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made))
    return made


@pytest.fixture
def run(capsys, monkeypatch, fixed_clock):
    """Run one command in the bank's repository with the clock at NOW."""
    from memorybank.cli.call import CommandCall
    from memorybank.cli.main import run as run_command

    def call(bank, *arguments: str) -> Result:
        monkeypatch.chdir(bank.repository)
        capsys.readouterr()
        code = run_command(arguments, CommandCall(clock=fixed_clock))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def rotated(request, bank, run):
    """A bank with the `NOTES` of the test's module, which a rotation archived."""
    scratch = bank(request.module.NOTES, days_old=90)
    assert run(scratch, "rotate").code == 0
    return scratch


@pytest.fixture
def process():
    """Run one command as a user does: its own process, real streams."""

    def call(bank, *arguments: str, stdin: str = "", **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "memorybank", *arguments],
            cwd=bank.repository,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            timeout=120,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return call
