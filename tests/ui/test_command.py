"""`memorybank ui` as a process: the link, an answer, the end; and what it says when it cannot."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memorybank.cli import ui
from memorybank.cli.call import CommandCall

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Missing())
from memorybank.__main__ import main
main()
"""


def started(scratch, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "memorybank", "--bank", str(scratch.root), "ui", *arguments],
        cwd=scratch.repository, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def searched(port: int, token: str) -> str:
    """What a browser without script gets: log in, ask."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
        head = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}"}
        connection.request("POST", "/login", f"token={token}", head)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 303
        connection.request("GET", answer.getheader("location") + "notes?q=staging", headers={"Cookie": answer.getheader("set-cookie").partition(";")[0]})
        return connection.getresponse().read().decode()


def test_it_prints_a_link_answers_and_ends_with_ctrl_c(bank):
    """On 127.0.0.1 alone; without --allow-write nothing below the bank changes once the link is there; exit code 0."""
    scratch = bank({"planning/a.md": "# Alpha\n\nstaging\n"})
    notes = scratch.snapshot("active")
    with started(scratch) as process:
        try:
            link = process.stdout.readline().strip()
            port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([\w-]{40,})", link).groups()
            before = scratch.snapshot()
            assert "<mark>staging</mark>" in searched(int(port), token)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 0, err
    assert out == "" and "Traceback" not in err and token not in err
    assert scratch.snapshot() == before and scratch.snapshot("active") == notes


@pytest.mark.parametrize("is_there", [False, True])
def test_ctrl_c_before_the_link_is_there_is_an_interruption(bank, monkeypatch, is_there):
    """A large bank may take a while to be brought up to date; whoever ends that got no page."""

    def serve(_, port, *, allow_write, say):
        if is_there:
            say("http://127.0.0.1:1/#x")
        raise KeyboardInterrupt

    monkeypatch.setattr(ui, "_server", lambda: serve)
    done = CliRunner().invoke(ui.command, [], obj=CommandCall(str(bank().root)), standalone_mode=False)
    assert isinstance(done.exception, click.Abort) is not is_there and ("the page has stopped" in done.output) is is_there


def test_a_port_that_is_taken_is_named(bank):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started(bank(), "--port", port) as process:
            out, err = process.communicate(timeout=120)
    assert process.returncode == 1 and out == "" and f"port {port}" in err
    assert "Traceback" not in err


def test_no_bank_is_not_found(tmp_path):
    (tmp_path / ".git").mkdir()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "memorybank", "ui"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 3 and "memorybank init" in done.stderr


def test_without_its_packages_it_names_the_extra(bank):
    """Exit code 5; and every other command is there."""
    scratch = bank({"planning/a.md": "# Alpha\n\nstaging\n"})
    for package in ("starlette", "uvicorn", "jinja2"):
        arguments = [sys.executable, "-P", "-c", WITHOUT.format(package=package), "--bank", str(scratch.root)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([*arguments, "ui"], env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 5 and package in done.stderr and "[ui]" in done.stderr, done.stderr
    done = subprocess.run([*arguments, "search", "staging"], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "planning/a.md" in done.stdout


def test_the_lookback_of_the_page_is_a_command_too(bank):
    scratch = bank()
    arguments = [sys.executable, "-P", "-m", "memorybank", "--bank", str(scratch.root), "episodes", "lookback"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=120).stdout == "1w\n"
    assert subprocess.run([*arguments, "2w"], env=environment, capture_output=True, text=True, timeout=120).stdout == "2w\n"
    assert subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=120).stdout == "2w\n"
    wrong = subprocess.run([*arguments, "fortnight"], env=environment, capture_output=True, text=True, timeout=120)
    assert wrong.returncode == 2 and "1w, 2w" in wrong.stderr
