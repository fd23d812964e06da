"""The command that a host runs: it starts the hook, whatever its path contains, and does no harm when the hook is missing."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from memorybank.hosts import program
from memorybank.hosts.program import Program, command, is_ours, missing, this_program
from memorybank.hosts.registration import TABLE

NAMES = ["plain", "with space", "it's", 'a "quote"', "$HOME `x` \\ ;&|", "日本語", "-dash", "*?[a]", "a\tb"]


def shell(line: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", line], input=stdin, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **environment}, timeout=120)


def made(folder, name: str) -> Program:
    """An interpreter and a hook below `name`; the interpreter is a script that prints its arguments and stdin."""
    home = folder / name / "memorybank"
    home.mkdir(parents=True)
    python = home / "python"
    python.write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done\ncat\n')
    python.chmod(0o755)
    (home / "hook.py").write_text("")
    return Program(str(python), str(home / "hook.py"))


@pytest.mark.parametrize("name", NAMES)
def test_it_starts_the_hook_below_any_path(tmp_path, name):
    runs = made(tmp_path, name)
    done = shell(command(runs, "copilot", "sessionStart"), "payload")
    assert done.stdout.splitlines() == ["-I", "-S", runs.hook, "--host", "copilot", "--event", "sessionStart", "payload"]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("gone", ["python", "hook", "both"])
def test_without_python_or_hook_it_is_silent_and_exit_code_0(tmp_path, name, gone):
    runs = made(tmp_path, name)
    for path in {"python": runs[:1], "hook": runs[1:], "both": runs}[gone]:
        os.unlink(path)
    done = shell(command(runs, "claude-code", None), "payload")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert missing(command(runs, "claude-code", None)) == list({"python": runs[:1], "hook": runs[1:], "both": runs}[gone])


def test_the_portable_one_asks_for_memorybank_on_the_path(tmp_path, monkeypatch):
    line = command(None, "codex", None)
    done = shell(line, "payload")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    script = tmp_path / "memorybank"
    script.write_text('#!/bin/sh\necho "$@"\ncat\n')
    script.chmod(0o755)
    done = shell(line, "payload", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert (done.returncode, done.stdout) == (0, "hook --host codex\npayload")
    script.write_text("#!/gone/python\n")
    assert shell(line, "payload", PATH=f"{tmp_path}:/usr/bin:/bin").returncode == 0, "a script that an uninstalled Python left behind"
    monkeypatch.setenv("PATH", "/nowhere")
    assert missing(line)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing(line) == []


def test_this_installation_is_found_and_answers(bank):
    """The installed command, run by a shell in a project with a bank, records an event and prints nothing on stderr."""
    scratch = bank({"shared/a.md": "# A\n"})
    line = command(this_program(), "claude-code", None)
    assert is_ours(line) and missing(line) == []
    payload = {"session_id": "s1", "cwd": str(scratch.repository), "hook_event_name": "UserPromptSubmit", "prompt_id": "p", "prompt": "hello there"}
    done = shell(line, json.dumps(payload), HOME=os.environ["HOME"], MEMORYBANK_TRUST="all")
    assert (done.returncode, done.stderr) == (0, "")
    assert (scratch.root / "log" / "events" / "s1.jsonl").exists()


def test_in_the_middle_of_an_upgrade_the_hook_is_silent_and_exit_code_0(tmp_path):
    """pip replaces files one by one: the package on disk may be old, incomplete or missing."""
    package = tmp_path / "memorybank"
    package.mkdir()
    (package / "hook.py").write_bytes(Path(this_program().hook).read_bytes())
    line = command(Program(this_program().python, str(package / "hook.py")), "copilot", "preToolUse")
    for name, text in ((None, ""), ("__init__.py", ""), ("__init__.py", "def half("), ("__init__.py", "raise SystemExit(2)")):
        if name:
            (package / name).write_text(text)
        done = shell(line, "{}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), text


@pytest.mark.parametrize("host", [host for host in TABLE if host != "opencode"])
@pytest.mark.parametrize("runs", [Program("/a b/python", "/a b/memorybank/hook.py"), None])
def test_every_line_we_write_is_known_as_ours(host, runs):
    for registered in TABLE[host].events:
        assert is_ours(command(runs, host, registered.event))


def test_a_path_that_cannot_be_written_into_settings_is_refused(monkeypatch):
    monkeypatch.setattr(program.sys, "executable", "/a\nb/python")
    with pytest.raises(program.UsageError, match="settings"):
        this_program()
