"""A command is killed anywhere while the leaked text goes through its hands, then a purge: the scanner finds the text nowhere below the bank, the spool and
the person's state folder, but where the purge says that a person has to look; and nowhere at all once that person has.

Two kinds of states: those that a kill or a power loss can leave of what Python writes, from a recorded trace (`disk_model`), and those that SIGKILL
really leaves, with SQLite's own files, at each change of the disk. A purge that is itself killed is one of the commands.
"""

import json
import os
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import pytest

from memorybank.clock import DAY, MINUTE, FixedClock
from memorybank.log import events, key
from tests.crash.byte_scanner import scan
from tests.crash.disk_model import Model
from tests.crash.explorer import scratch
from tests.crash.planted import DEAD, LEAKS, World, in_environment, line
from tests.crash.recorder import Counting, Killing, Passing, Recorder, replaced
from tests.rotation.rotation_rows import NOW

FLOOR = 300
SESSION = "0aa9f6a5-1111-4222-8333-444455556666"
LEAK = LEAKS["Japanese"]
_counts: dict[str, int] = {}


class Recording(Recorder):
    """Records as a process that no longer exists, as its temporary files say."""

    def getpid(self) -> int:
        return DEAD


@dataclass(frozen=True)
class Killed:
    """A command that is killed. prepare: makes the bank; run: the command."""

    name: str
    prepare: Callable[[World], None]
    run: Callable[[World], None]


def told(leak: str) -> list[dict[str, object]]:
    failing = {"name": "tool_after", "tool": "Bash", "inputs": {"command": f"deploy '{leak}'"}, "status": "failure", "error": f"refused: {leak}"}
    return [
        {"name": "prompt", "prompt": f"From now on always use {leak}. なぜ?"},
        failing,
        {"name": "turn_end", "last_message": f"It failed because of {leak}."},
    ]


def with_notes(world: World) -> None:
    """Old notes with the text in content, title and name, one that compresses, and a session."""
    packs = "".join(f"line {number} of something that compresses {'x' * (number % 50)}\n" for number in range(400))
    world.write("planning/plain.md", f"# {LEAK}\n\n{LEAK}\n")
    world.write("planning/long.md", f"# Long\r\n\r\n{normalize('NFD', LEAK)}\r\n{packs}")
    world.write(f"shared/{LEAK}.md", "# Named\n")
    world.write("implementation/kept.md", f"---\nrating: 9\n---\n# Kept\n\n{LEAK}\n", days_old=1)
    world.put(world.project / "docs" / "source.md", f"# Source\n\n{LEAK}\n")


def with_index(world: World) -> None:
    with_notes(world)
    world.must("index")


def with_archive(world: World) -> None:
    with_index(world)
    world.must("rotate", "--yes")


def with_session(world: World) -> None:
    with_notes(world)
    for number in range(2):
        world.session(f"{number + 1}{SESSION[1:]}", told(LEAK), NOW - (4 - number) * DAY)
    secret = key.ensure(world.layout)
    entries = [line(1, session_id=SESSION, event="prompt", inputs={"text": LEAK}), line(2, session_id=SESSION, error=LEAK, status="failure")]
    events.EventWriter(world.layout, secret, FixedClock(NOW - DAY), 2000).append(SESSION, entries)


def with_everything(world: World) -> None:
    with_session(world)
    world.must("rate", "implementation/kept.md", "8", at=NOW - DAY)
    world.must("rotate", "--yes")
    world.run("summary", "refresh")
    hosts = {"file": "/home/x/.claude/settings.json", "original": json.dumps({"env": {"TOKEN": LEAK}}), "installed": "0" * 64, "made": []}
    world.put(world.state / "hosts" / f"settings.json-{'0' * 16}.json", json.dumps(hosts, ensure_ascii=False))


def with_old_sessions(world: World) -> None:
    """Logs that are old enough and large enough to be compressed."""
    with_notes(world)
    for number in range(2):
        world.session(f"{number + 1}{SESSION[1:]}", told(LEAK) * 12, NOW - (60 - number) * DAY)
    for path in Path(events.folder(world.layout)).iterdir():
        os.utime(path, ns=((NOW - 50 * DAY) * 1_000_000,) * 2)


def with_compressed_sessions(world: World) -> None:
    with_old_sessions(world)
    world.must("maintain", at=NOW - DAY)
    assert len(list(Path(events.folder(world.layout)).glob("*.zst"))) == 2


def command(*words: str, at: int = NOW) -> Callable[[World], None]:
    def run(world: World) -> None:
        world.run(*(word.replace("DOCS", str(world.project / "docs")) for word in words), at=at)

    return run


def end_session(world: World) -> None:
    world.session(SESSION, told(LEAK), NOW - 60 * MINUTE)


KILLED = (
    Killed("rotate", with_index, command("rotate", "--yes")),
    Killed("archive restore", with_archive, command("archive", "restore", "planning/long.md")),
    Killed("maintain", with_archive, command("maintain", at=NOW + 2 * DAY)),
    Killed("rate", with_index, command("rate", "implementation/kept.md", "8")),
    Killed("mv", with_index, command("mv", "implementation/kept.md", f"implementation/{LEAK} 2.md")),
    Killed("adopt", with_index, command("adopt", "--from", "DOCS", "--copy", "--yes")),
    Killed("publish", with_notes, command("index")),
    Killed("rebuild", with_archive, command("rebuild")),
    Killed("end of a session", with_session, end_session),
    Killed("summary refresh", with_session, command("summary", "refresh")),
    Killed("episodes update", with_session, command("episodes", "update")),
    Killed("purge", with_everything, command("purge", LEAK)),
    Killed("compress old logs", with_old_sessions, command("maintain")),
    Killed("purge compressed logs", with_compressed_sessions, command("purge", LEAK)),
)
REALLY = ("publish", "rebuild", "end of a session", "summary refresh", "rotate", "purge", "compress old logs", "purge compressed logs")
"""Those that write with SQLite, which is not recorded, are killed in a process of their own."""


@pytest.fixture(scope="module")
def templates():
    """{how a world is prepared: its folder}, each made once."""
    with scratch() as folder:
        yield {"folder": folder}


@contextmanager
def prepared(killed: Killed, templates: dict) -> Iterator[tuple[str, World]]:
    """(a folder for copies, the world before the command)."""
    if killed.prepare not in templates:
        templates[killed.prepare] = made = World(os.path.join(templates["folder"], killed.prepare.__name__), LEAK)
        made.root.mkdir(parents=True)
        with replaced(Passing()), in_environment(made.environment):
            killed.prepare(made)
    with scratch() as folder:
        shutil.copytree(templates[killed.prepare].top, os.path.join(folder, "world"), symlinks=True)
        yield folder, World(os.path.join(folder, "world"), LEAK)


def unproven(world: World, where: str) -> list[str]:
    """What a purge in this state leaves, or says wrongly. Ends with the person's own edits and a second purge, which finds nothing."""
    code, report, said = purged(world)
    if report is None:
        return [f"{where}: purge failed: {said}"]
    wrong = [f"{where}: {problem}" for problem in report["problems"]]
    yours = {place["path"] for place in report["remaining"] if place["kind"] in ("note", "other", "source")}
    wrong += [f"{where}: still there: {place}" for place in report["remaining"] if place["path"] not in yours]
    for path, how in sorted(scan(world.forms, *world.ours).items(), reverse=True):
        shown = normalize("NFC", os.path.relpath(path, world.root)).replace(world.name, "[PURGED]")
        if shown not in yours:
            wrong.append(f"{where}: {shown} holds the text ({how[0]}), and the purge does not say so")
        if os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    if (code == 0) != (not yours):
        wrong.append(f"{where}: exit code {code}, but {len(yours)} places are left")
    (world.project / "docs" / "source.md").unlink()
    code, report, said = purged(world)
    if report is None or (code, report["found"], report["remaining"]) != (0, [], []):
        wrong.append(f"{where}: the second purge says {code}, {said}")
    wrong += [f"{where}: after the second purge: {path}" for path in scan(world.forms, *world.ours)]
    return wrong


def purged(world: World) -> tuple[int, dict | None, str]:
    with replaced(Passing()):
        code, out, err = world.run("purge", LEAK, "--format", "json", at=NOW + 10 * MINUTE)
    return code, json.loads(out) if out else None, out[-2_000:] + err


@pytest.mark.parametrize("killed", KILLED, ids=lambda killed: killed.name)
def test_whatever_a_killed_command_left_a_purge_finds(killed, request, templates):
    """States from a recorded trace: everything applied, what is not synced lost, the last write torn."""
    follow = 1 if request.config.getoption("--all") else 201
    count, wrong = 0, []
    with prepared(killed, templates) as (folder, world):
        shutil.copytree(world.top, os.path.join(folder, "before"), symlinks=True)
        model = Model(os.path.join(folder, "before"))
        recorder = Recording(world.top)
        with replaced(recorder):
            killed.run(world)
        for count, (where, state) in enumerate(model.crashes(recorder.trace, mixed=False), 1):
            # With a stride, from the middle of each stretch on: the first states are those before the command.
            if count % follow == min(follow // 2, 29):
                _counts["followed"] = _counts.get("followed", 0) + 1
                top = os.path.join(folder, "state")
                state.write_to(top)
                wrong += unproven(World(top, LEAK), f"{killed.name}, {where}")
                shutil.rmtree(top)
    _counts["recorded"] = _counts.get("recorded", 0) + count
    assert wrong == []


@pytest.mark.parametrize("killed", [each for each in KILLED if each.name in REALLY], ids=lambda killed: killed.name)
def test_whatever_sigkill_leaves_a_purge_finds(killed, request, templates):
    """SIGKILL before each change of the disk, in a process of its own: with the databases as they are at that instant."""
    seen, wrong = set(), []
    with prepared(killed, templates) as (folder, world):
        counting = Counting()
        copied = shutil.copytree(world.top, os.path.join(folder, "counted"), symlinks=True)
        with replaced(counting):
            killed.run(World(copied, LEAK))
        stride = 1 if request.config.getoption("--all") else len(counting.calls)
        for k in range(stride // 2, len(counting.calls), stride):
            top = shutil.copytree(world.top, os.path.join(folder, f"killed{k}"), symlinks=True)
            child = os.fork()
            if child == 0:
                try:
                    with replaced(Killing(k, after=False)):
                        killed.run(World(top, LEAK))
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(0)
            _, status = os.waitpid(child, 0)
            if os.WIFSIGNALED(status):  # a command whose work depends on the time may take fewer steps than the counted one
                assert os.WTERMSIG(status) == signal.SIGKILL
                seen.add(digest(top))
            wrong += unproven(World(top, LEAK), f"{killed.name}, killed before change {k} ({counting.calls[k]})")
            shutil.rmtree(top)
    _counts["killed"] = _counts.get("killed", 0) + len(seen)
    assert seen and wrong == []


def digest(top: str) -> str:
    found = sha256()
    for path in sorted(map(str, Path(top).rglob("*"))):
        found.update(f"{os.path.relpath(path, top)}\0".encode("utf-8", "surrogateescape"))
        found.update(Path(path).read_bytes() if os.path.isfile(path) else b"")
    return found.hexdigest()


def test_enough_states_were_examined(request, capsys):
    if not {"recorded", "killed"} <= _counts.keys():
        pytest.skip("counts the states of the tests above, so it runs with them")
    with capsys.disabled():
        print(
            f"\nstates of killed commands: {_counts['recorded']} recorded, {_counts['followed']} of them purged and scanned,"
            f" and {_counts['killed']} of SIGKILL, 0 leaks"
        )
    assert _counts["recorded"] >= (FLOOR if request.config.getoption("--all") else FLOOR // 10)
    if request.config.getoption("--all"):
        assert _counts["followed"] + _counts["killed"] >= FLOOR
