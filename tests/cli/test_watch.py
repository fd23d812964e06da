"""watch: a process of its own that says what it does and ends cleanly with the signals that people send."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def watching(bank):
    """(scratch, a process that has looked once and heard nothing since); it is killed at the end whatever happened."""
    scratch = bank({"a.md": "# A\n"})
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "memorybank", "watch", "--publish"]
    process = subprocess.Popen(arguments, cwd=scratch.repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment)
    assert line(process).startswith("watching .claude/memory/active")
    assert "1 added, 0 changed, 0 removed" in line(process)
    yield scratch, process
    process.kill()
    process.communicate()


def line(process) -> str:
    """The next line, however long it takes. A process that ends without a word fails the test, because its line is empty.

    The pipe is not asked whether it is ready: on a busy machine two lines can arrive at once, and the second one is then in our buffer.
    """
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_and_the_index_is_up_to_date(watching, run, number):
    scratch, process = watching
    scratch.write("共有/語.md", "# 語\n")
    process.send_signal(number)
    out, err = process.stdout.read(), process.stderr.read()
    assert (process.wait(), err) == (0, "")
    assert out.splitlines()[-1].endswith("the index is up to date")
    assert run(scratch, "index", "--check").code == 0


def test_it_says_what_changed(watching):
    scratch, process = watching
    scratch.write("shared/b.md", "# B\n")
    assert "1 added, 0 changed, 0 removed" in line(process)
    assert "shared/b.md" in (scratch.root / "indexes/content_index.json").read_text(encoding="utf-8")


def test_without_a_bank_it_says_so(run, tmp_path):
    class Nowhere:
        repository = tmp_path

    assert run(Nowhere, "watch").code == 3
