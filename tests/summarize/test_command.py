"""A program as summarizer: started without a shell, with the prompt on stdin, limits of time and size, and no process left running."""

import json
import os
import select
import sys
from pathlib import Path

import pytest

from memorybank.summarize.command import CommandSummarizer
from memorybank.summarize.summarizer import SummarizerBusy, SummarizerUnusable, SummaryRefused

DUMP = """
import json, os, sys
said = {"stdin": sys.stdin.buffer.read().decode(), "cwd": os.getcwd(), "internal": os.environ.get("MEMORYBANK_INTERNAL"),
        "arguments": sys.argv[1:], "leader": os.getpid() == os.getpgrp() == os.getsid(0)}
open(os.environ["DUMP"], "w").write(json.dumps(said))
print("Dates work.")
"""


def program(text, *arguments):
    return [sys.executable, "-I", "-c", text, *arguments]


@pytest.fixture
def run(counting_clock):
    def make(argv, timeout=30.0, **environment):
        return CommandSummarizer(argv, {**os.environ, **environment}, counting_clock, timeout)

    return make


def test_it_gets_the_prompt_and_no_shell(run, tmp_path, day):
    dump = tmp_path / "dump.json"
    summary = run(program(DUMP, "$(touch x)", "; ls"), DUMP=str(dump)).summarise(day)
    said = json.loads(dump.read_text(encoding="utf-8"))
    assert summary.text == "Dates work." and summary.by == f"command:{os.path.basename(sys.executable)}" and summary.tokens.estimated
    assert said["arguments"] == ["$(touch x)", "; ls"] and said["internal"] == "1" and said["leader"]
    assert day.parts[0].text in said["stdin"] and "<record>" in said["stdin"] and ("日本語" in said["stdin"]) == (day.language == "ja")
    assert said["cwd"] == os.path.realpath(os.path.expanduser("~"))


def test_a_program_that_reads_nothing_may(run, day):
    assert run(program("print('短い要約。')")).summarise(day).text == "短い要約。"


@pytest.mark.parametrize(
    ("text", "kind"), [("pass", "empty"), ("print('  ')", "empty"), ("print('x' * 70000)", "too_long"), ("while True: print('x' * 4096)", "too_long")]
)
def test_what_it_will_not_cure_is_permanent(run, counting_clock, day, text, kind):
    with pytest.raises(SummaryRefused) as raised:
        run(program(text)).summarise(day)
    assert raised.value.kind == kind and counting_clock.waits == []


def test_a_failing_program_is_tried_three_times(run, counting_clock, tmp_path, day):
    """Its last complaint is in the message, without secrets."""
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
    text = f"import sys; open(sys.argv[1], 'a').write('x'); sys.stderr.write('first\\nno network for {secret}\\n'); sys.exit(3)"
    with pytest.raises(SummarizerBusy) as raised:
        run(program(text, str(tmp_path / "runs"))).summarise(day)
    assert (tmp_path / "runs").read_text() == "xxx" and raised.value.attempts == 3 and counting_clock.waits == [1.0, 2.0]
    assert "status 3: no network" in str(raised.value) and secret not in str(raised.value)


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_ended_with_all_it_started(run, tmp_path, day):
    """The child in its process group is killed too."""
    path = tmp_path / "child"
    for seconds in (0.5, 5.0, 60.0):  # a busy machine may not have started the child after the first
        with pytest.raises(SummarizerBusy, match="took longer"):
            run(["/bin/sh", "-c", f"sleep 1000 & echo $! > '{path}'; wait"], timeout=seconds).summarise(day)
        if path.exists() and path.read_text():
            break
    assert not alive(int(path.read_text()))


def test_what_a_program_leaves_running_is_ended(run, tmp_path, day):
    child = "import os, signal; open({path!r}, 'w').write(str(os.getpid())); os.write(1, b'ready'); os.close(1); signal.pause()"
    path = str(tmp_path / "child")
    text = (
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {child.format(path=path)!r}], stdout=-1); p.stdout.read(); print('Dates work.')"
    )
    assert run(program(text)).summarise(day).text == "Dates work."
    assert not alive(int(Path(path).read_text()))


def alive(pid):
    """Return whether a process does not end, however long that takes on a busy machine. One that has not been reaped has ended."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        return not select.select([process], [], [], 60)[0]
    finally:
        os.close(process)


@pytest.mark.parametrize("argv", [["/no/such/program"], ["no-such-program-anywhere"], ["/"], ["/bin/sh", "-c", "exit 127"], ["/bin/sh", "-c", "exit 126"]])
def test_a_program_that_is_not_there_ends_the_run(run, counting_clock, day, argv):
    with pytest.raises(SummarizerUnusable) as raised:
        run(argv).summarise(day)
    assert raised.value.kind == "program" and raised.value.exit_code == 6 and counting_clock.waits == []


def test_an_answer_that_is_too_long_or_odd_is_made_fit(run, day):
    summary = run(program("import sys; sys.stdout.buffer.write('要約です。'.encode() * 300 + b'\\xff')")).summarise(day)
    assert summary.truncated and len(summary.text) <= day.budget
