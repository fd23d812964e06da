"""A hook never blocks, breaks or slows its host: exit 0, stdout empty or one JSON object, nothing on stderr; whatever comes in
and whatever state the bank is in."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HOOK = Path(__file__).resolve().parents[2] / "memorybank" / "hook.py"

GOOD = {"session_id": "s1", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "x"}


def odd_inputs():
    """(name, stdin): at least 60 that no host should send."""
    good = json.dumps(GOOD).encode()
    yield "empty", b""
    yield "blank", b" \n\t\r\n"
    yield "nul", b"\0" * 100
    yield "not utf-8", b"\xff\xfe" + good
    yield "utf-16", json.dumps(GOOD).encode("utf-16")
    yield "bom", b"\xef\xbb\xbf" + good
    yield "two objects", good + b"\n" + good
    yield "trailing comma", good[:-1] + b",}"
    yield "single quotes", good.replace(b'"', b"'")
    yield "nan", b'{"session_id":"s1","hook_event_name":"PostToolUse","duration_ms":NaN}'
    yield "huge number", b'{"session_id":"s1","hook_event_name":"PostToolUse","duration_ms":1' + b"0" * 5000 + b"}"
    yield "deep list", b"[" * 200_000
    yield "deep object", b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    yield "lone surrogate", b'{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"\\ud83d broken \\udc00"}'
    yield "surrogate session", b'{"session_id":"\\ud800","hook_event_name":"UserPromptSubmit","prompt":"hello there"}'
    yield "surrogate key", b'{"\\ud800":1,"session_id":"s1","hook_event_name":"Stop","last_assistant_message":"\\udfff"}'
    yield "20 MB", json.dumps({**GOOD, "tool_response": "x" * 20_000_000}).encode()
    yield "20 MB of nothing", b" " * 20_000_000
    yield "escapes", good.replace(b"Bash", b"\\u0042\\u0061sh")
    for value in (None, True, 0, -1, 1.5, "text", [], [1], "[]", {"a": 1}, {}):
        yield f"top level {value!r}", json.dumps(value).encode()
        yield f"session {value!r}", json.dumps({**GOOD, "session_id": value}).encode()
        yield f"event {value!r}", json.dumps({**GOOD, "hook_event_name": value}).encode()
        yield f"input {value!r}", json.dumps({**GOOD, "tool_input": value}).encode()
    for size in (1, 2, 10, len(good) // 2, len(good) - 1):
        yield f"cut at {size}", good[:size]
    yield "path as session", json.dumps({**GOOD, "session_id": "../../../etc/passwd"}).encode()
    yield "long session", json.dumps({**GOOD, "session_id": "x" * 100_000}).encode()
    yield "control characters", json.dumps({**GOOD, "tool_input": {"command": "\x00\x1b[31m\u202e\u200b"}}).encode()


def harmless(done: subprocess.CompletedProcess[bytes]) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert done.stdout == b"" or isinstance(json.loads(done.stdout), dict)


@pytest.mark.parametrize(("name", "data"), [pytest.param(*case, id=case[0]) for case in odd_inputs()])
def test_odd_input(host, name, data):
    harmless(host.fire(data))


def test_there_are_sixty_of_them():
    assert len(list(odd_inputs())) >= 60


def test_stdin_that_never_ends(host):
    """The alarm ends the process; the host waits no longer than the first deadline."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-I", "-S", str(HOOK)], stdin=pipe, stdout=pipe, stderr=pipe, env=host.environment())
    process.stdin.write(b'{"session_id":')
    process.stdin.flush()
    assert process.wait(120) == 0
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


class Ended(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def firing_here(host, monkeypatch):
    """firing_here(payload, *readings of the monotonic clock) → (exit code, alarms in seconds): one run of the hook within this process.

    Another process could not be asked when its alarm is set, or be given a bug.
    """
    from memorybank.clock import FixedClock
    from memorybank.hosts import firing

    def end(code):
        raise Ended(code)

    def fire(payload, *readings):
        coming = iter(readings)

        class Scripted(FixedClock):
            def monotonic(self) -> float:
                return next(coming, readings[-1] if readings else 0.0)

        alarms = []
        monkeypatch.setattr(firing, "Clock", lambda: Scripted(1_758_112_496_789))
        monkeypatch.setattr(firing._signal, "signal", lambda *_: None)
        monkeypatch.setattr(firing._signal, "setitimer", lambda which, seconds: alarms.append((which, round(seconds, 6))))
        monkeypatch.setattr(firing, "_stdin", lambda: json.dumps(payload).encode())
        monkeypatch.setattr(firing.os, "_exit", end)
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(Ended) as ended:
            firing.fire(["--host", "claude-code"])
        return ended.value.args[0], alarms

    return fire


@pytest.mark.parametrize(("deadline", "left"), [(2_500, 1.75), (900, 0.15), (700, 0.001)])
def test_the_alarm_is_set_to_the_configured_deadline(host, firing_here, deadline, left):
    """The deadline counts from the start of the process, of which 750 ms have passed when the settings are known."""
    from memorybank.hosts import firing

    host.bank.configure("cycle", json.dumps({"deadlines_ms": {"process": deadline}}))
    code, alarms = firing_here(host.tool(1, command="ls"), 100.0, 100.75)
    assert (code, alarms) == (0, [(signal.ITIMER_REAL, firing.FIRST_SECONDS), (signal.ITIMER_REAL, left)])
    assert sys.path[-1] == firing.LIBRARIES, "behind the standard library"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, RecursionError, MemoryError, SystemExit])
def test_a_bug_is_one_line_in_the_log_of_errors_and_exit_code_0(host, firing_here, monkeypatch, error):
    from memorybank.cycle.router import HookRouter

    monkeypatch.setattr(HookRouter, "answer", lambda *_: (_ for _ in ()).throw(error("a bug")))
    code, _ = firing_here(host.payload("UserPromptSubmit", prompt="検証環境はいつ初期化される？", prompt_id="p1"))
    assert code == 0
    [line] = (host.bank.root / "log" / "hook_errors.jsonl").read_text(encoding="utf-8").splitlines()
    assert error.__name__ in line


def test_only_the_hosts_own_variable_names_its_project(host, bank):
    """A host that was started inside another one inherits the outer one's variables."""
    from memorybank.clock import FixedClock
    from memorybank.cycle.event import Event
    from memorybank.hosts import firing

    other = bank()
    inner = Event(host="gemini", name="prompt", session_id="s", cwd=str(host.project))
    for variables, expected in (({"CLAUDE_PROJECT_DIR": str(other.repository)}, host.bank), ({"GEMINI_PROJECT_DIR": str(other.repository)}, other)):
        found = firing._context(inner, variables, FixedClock(0), 0.0)
        assert found.layout.root == str(expected.root)


def test_a_payload_over_the_limit_is_ignored(host, lines):
    for size, count in ((1 << 20, 1), (17 << 20, 1)):
        harmless(host.fire(host.tool(size, command="ls", output="x" * size)))
        assert len(lines()) == count


def test_nothing_next_to_the_package_replaces_the_standard_library(host, lines, tmp_path):
    """The folder that contains the package comes last on the import path. Here it also contains modules that must not run."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "memorybank").symlink_to(HOOK.parent)
    for name in ("json", "re", "enum", "sqlite3", "typing", "functools", "datetime", "hashlib"):
        (tmp_path / "site" / f"{name}.py").write_text("raise SystemExit('this file must not run')\n")
    command = [sys.executable, "-I", "-S", str(tmp_path / "site" / "memorybank" / "hook.py"), "--host", "claude-code"]
    for payload in session(host):
        data = json.dumps(payload).encode()
        harmless(subprocess.run(command, input=data, cwd=host.project, env=host.environment(), capture_output=True, timeout=60, check=False))
    assert [line["event"] for line in lines()][-1] == "session_end"
    assert not (host.bank.root / "log" / "hook_errors.jsonl").exists()


def session(host):
    """One short session's payloads."""
    yield host.payload("SessionStart", source="startup")
    yield host.payload("UserPromptSubmit", prompt="When is the staging database reset?", prompt_id="p1")
    yield host.payload("PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="toolu_1", prompt_id="p1")
    yield host.tool(1, command="make", failed="Exit code 2\nmake: *** No rule to make target 'all'.  Stop.")
    yield host.tool(2, command="ls")
    yield host.payload("Stop", stop_hook_active=False, last_assistant_message="Done.", background_tasks=[])
    yield host.payload("SessionEnd", reason="other")


def play(host, **environment):
    for payload in session(host):
        harmless(host.fire(payload, **environment))


def test_without_a_bank_nothing_is_created(host):
    shutil.rmtree(host.bank.root)
    before = sorted(os.listdir(host.project))
    play(host)
    assert sorted(os.listdir(host.project)) == before
    assert not host.bank.root.exists()


@pytest.mark.cases(2)
@pytest.mark.parametrize("damage", [b"", b"no database at all", b"SQLite format 3\0" + b"\xff" * 4096])
@pytest.mark.parametrize("name", ["bank.sqlite3", "cycle.sqlite3"])
def test_a_corrupt_cache_is_no_concern_of_the_host(host, lines, name, damage):
    play(host)
    cache = host.bank.root / "cache"
    for suffix in ("-wal", "-shm"):
        (cache / (name + suffix)).unlink(missing_ok=True)
    (cache / name).write_bytes(damage)
    host.session = "second"
    play(host)
    assert [line["event"] for line in lines("second") if line["event"] not in ("exposure", "resident_exposure")][-1] == "session_end"


@pytest.mark.parametrize("name", ["bank.sqlite3", "cycle.sqlite3"])
def test_a_cache_of_a_newer_version(host, name):
    play(host)
    connection = sqlite3.connect(host.bank.root / "cache" / name)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    play(host)


def test_a_locked_cache(host, lines):
    """Another process holds the write lock of the cache: recording goes on, folding waits for the next event."""
    play(host)
    connection = sqlite3.connect(host.bank.root / "cache" / "cycle.sqlite3", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    host.session = "locked"
    play(host)
    connection.execute("ROLLBACK")
    connection.close()
    assert len(lines("locked")) >= 6


def test_a_locked_log(host):
    """The session's log is held by somebody: the line waits in the spool and comes home with the next event."""
    import fcntl

    from memorybank.log import events

    harmless(host.fire(host.tool(1, command="ls")))
    path = events.path_of(host.bank.layout, host.session)
    with open(path, "rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        harmless(host.fire(host.tool(2, command="ls -l")))
    harmless(host.fire(host.tool(3, command="ls -a")))
    assert [line.fields["tool_use_id"] for line in events.read(host.bank.layout, os.path.basename(path))] == ["toolu_1", "toolu_2", "toolu_3"]


@pytest.mark.parametrize(
    "config", [b"", b"{", b"[]", b'{"phases": 1}', b'{"recall": {"weights": {"importance": 9}}}', b"\xff\xfe", b'{"memory": {}, "unknown": {"a": 1}}']
)
def test_odd_settings(host, config):
    (host.bank.root / "config").mkdir(exist_ok=True)
    (host.bank.root / "config" / "cycle_config.json").write_bytes(config)
    play(host)


@pytest.mark.parametrize("blocks", [0, 1, 16])
def test_a_full_disk(host, blocks):
    """No file may grow beyond so many blocks of 512 bytes, from the first event on or in the middle of a session."""
    if blocks == 16:
        play(host)
    # -B: else the limit would cut a compiled file of the package short
    command = f"ulimit -f {blocks}; exec '{sys.executable}' -I -S -B '{HOOK}' --host claude-code"
    for payload in session(host):
        data = json.dumps(payload).encode()
        harmless(subprocess.run(["sh", "-c", command], input=data, cwd=host.project, env=host.environment(), capture_output=True, timeout=120, check=False))


def test_modules_of_the_project_are_not_imported(host):
    """A repository that holds its own json.py, os.py or memorybank/ runs none of it."""
    for name in ("json.py", "os.py", "_json.py", "sqlite3.py", "zlib.py", "memorybank/__init__.py"):
        path = host.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise SystemExit('this file must not run')\n")
    play(host, PYTHONPATH=str(host.project), PYTHONSTARTUP=str(host.project / "json.py"))


def test_a_broken_pipe_is_no_error(host):
    """The host went away before it read the answer."""
    read, write = os.pipe()
    os.close(read)
    data = json.dumps(host.payload("SessionStart", source="startup")).encode()
    command = [sys.executable, "-I", "-S", str(HOOK)]
    done = subprocess.run(command, input=data, stdout=write, stderr=subprocess.PIPE, env=host.environment(), timeout=120, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_inside_its_own_work_memorybank_is_deaf(host, lines):
    for payload in session(host):
        assert host.fire(payload, MEMORYBANK_INTERNAL="1").stdout == b""
    assert lines() == []


def test_no_process_stays_behind(host):
    """Complete automation within the session: nothing that was started in it is left when it has ended."""
    play(host)
    assert processes(f"CLAUDE_PROJECT_DIR={host.project}".encode()) == set()


def processes(told: bytes) -> set[str]:
    """The processes that were told of this project: each test has its own, and what a hook starts inherits it."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as stream:
                    environment = stream.read().split(b"\0")
            except OSError:
                continue
            if told in environment:
                found.add(name)
    return found
