"""A purge that is cut short anywhere: no note is lost, no log line either, the chain holds, and the next purge finishes.

And once it has returned, no power loss brings the text back.
"""

import errno
import json
import os
import shutil
import signal
import traceback
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import pytest

from memorybank.bank.bank import Bank
from memorybank.clock import DAY, MINUTE, FixedClock, isoformat
from memorybank.config.settings import Settings
from memorybank.errors import MemorybankError
from memorybank.log import events, key
from memorybank.log import lines as logs
from memorybank.rotation.execute import execute
from memorybank.storage import appending
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.explorer import scratch
from tests.crash.promises import log_lines, unpacked
from tests.crash.recorder import CHANGES, READS, Counting, Failing, Impatient, Killing, Passing, Recorder, replaced
from tests.log.written import SESSION, line
from tests.rotation.rotation_rows import NOW, plan_for, tree

LEAK = "合言葉 hunter2 ガギグ"
NOTES = {
    "planning/old.md": f"# Old\r\n\r\n{LEAK}\r\n".encode(),
    "planning/decomposed.md": f"# {normalize('NFD', LEAK)}\n".encode(),
    f"shared/{LEAK}/named.md": b"# Named\n",
    "top.md": b"no UTF-8 \xff\n" + LEAK.encode() * 3,
    "planning/clean.md": b"# Clean\n",
}
PURGED = {
    "planning/old.md": b"# Old\r\n\r\n[PURGED]\r\n",
    "planning/decomposed.md": b"# [PURGED]\n",
    "shared/[PURGED]/named.md": b"# Named\n",
    "top.md": b"no UTF-8 \xff\n[PURGED][PURGED][PURGED]",
    "planning/clean.md": b"# Clean\n",
}
ACTIVE = "implementation/active.md"
LATE_EDIT = f"# Clean\n\nsomebody went on: {LEAK}\n".encode()
FORMS = [form.encode() for text in (LEAK, normalize("NFD", LEAK)) for form in (text, json.dumps(text)[1:-1])]
FLOOR = 120


def prepare(folder: str) -> Layout:
    """A bank with the text in objects, backups, a late edit, names, the event log, the spool, other logs, a cache and a temp."""
    layout = Layout(os.path.join(folder, "bank"))
    clock = FixedClock(NOW)
    with replaced(Passing()):
        for name, data in {**NOTES, ACTIVE: f"# Active\n\n{LEAK}\n".encode()}.items():
            path = Path(layout.active, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            os.utime(path, ns=((NOW - 90 * DAY) * 1_000_000,) * 2)
        execute(plan_for(layout, {ACTIVE: 9.0}, NOW), layout, clock, yes=True)
        next(Path(layout.backups).rglob("clean.md")).write_bytes(LATE_EDIT)
        secret = key.ensure(layout)
        entries = [line(1), line(2, inputs={"command": LEAK}), line(3, task_id=f"fix/{LEAK}"), line(4)]
        events.EventWriter(layout, secret, clock, 2000).append(SESSION, entries)
        with appending.Appending(events.path_of(layout, SESSION), clock, 1.0):
            events.EventWriter(layout, secret, Impatient(NOW), 2000).append(SESSION, [line(5, error=LEAK)])
        logs.append(os.path.join(layout.log, "access.jsonl"), [{"kind": "view", "path": f"shared/{LEAK}/named.md", "at": isoformat(NOW)}], clock=clock)
    for name in ("cache/bank.sqlite3", "cache/bank.sqlite3.broken", "indexes/content_index.json", "archive/by_topic/x.md", "active/.mb-tmp-999999999-1"):
        path = Path(layout.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(LEAK, encoding="utf-8")
    return layout


def purge(layout: Layout, at: int) -> None:
    Bank(layout, Settings(), FixedClock(at)).purge(LEAK)


def holds(data: bytes) -> bool:
    return any(form in data for form in FORMS)


def held(files: dict[str, bytes]) -> list[str]:
    """Paths of files that hold the text, but for the note that only a person may change."""
    found = [path for path, data in files.items() if holds(data) or holds(unpacked(path, data) or b"") or holds(path.encode())]
    return sorted(path for path in found if path != f"active/{ACTIVE}")


def violations(files: dict[str, bytes]) -> list[str]:
    """Broken promises in a state that a crash can leave; reads bytes by itself."""
    found = []
    entries = log_lines(files.get("log/rotation.jsonl", b""))
    plain = {path: data for path, stored in files.items() if path.startswith(("archive/by_date/", "backups/")) and (data := unpacked(path, stored)) is not None}
    somewhere = {*plain.values(), *(data for path, data in files.items() if path.startswith(("active/", "backups/")))}
    purges = [entry for entry in entries if entry["kind"] == "purged"]
    for (name, data), (purged_name, purged) in zip(NOTES.items(), PURGED.items(), strict=True):
        if data not in somewhere and not (purged in somewhere and any(entry["path"] == purged_name for entry in purges)):
            found.append(f"I1: {name} is nowhere")
    if LATE_EDIT not in somewhere and LATE_EDIT.replace(LEAK.encode(), b"[PURGED]") not in somewhere:
        found.append("I6: the late edit is nowhere")
    records = {(entry["rotation_id"], entry["path"]): entry for entry in entries if entry["kind"] in ("archived", "purged")}
    for record in records.values():
        if sha256(plain.get(record["archive_path"], b"\0")).hexdigest() != record["sidecar"]["sha256"]:
            found.append(f"I2: the log names {record['archive_path']}, which does not verify")
    if len(records) != len(NOTES):
        found.append(f"the log knows {len(records)} notes")
    told = {entry["id"] for path, data in files.items() if path.startswith(("log/events/", "log/spool/")) for entry in log_lines(data)}
    if told != {f"{number:032x}" for number in range(1, 6)}:
        found.append(f"I4: of the log's lines only {len(told)} are left")
    return found + [f"the note was touched: {path}" for path in (f"active/{ACTIVE}",) if not holds(files.get(path, b""))]


def unfinished(layout: Layout) -> list[str]:
    """What a purge that has returned did not do."""
    found = [f"{path} holds the text" for path in held(tree(layout.root))]
    bank = Bank(layout, Settings(), FixedClock(NOW + DAY))
    found += [f"verify: {finding.path}: {finding.message}" for finding in bank.archive.verify().findings if not finding.code.endswith("torn")]
    found += [f"log verify: {check.state} {check.faults}" for check in bank.log.verify() if check.state != "whole"]
    objects = bank.archive.list()
    data = {each.original_path: bank.archive.show(each.id)[1] for each in objects}
    if data != PURGED or len(objects) != len(PURGED):
        found.append(f"{len(objects)} objects, of {sorted(data)}")
    with replaced(Passing()):
        events.EventWriter(layout, key.ensure(layout), FixedClock(NOW + DAY), 2000).append(SESSION, [line(6)])
    if [check.lines for check in bank.log.verify()] != [6] or [check.state for check in bank.log.verify()] != ["whole"]:
        found.append("the log does not go on")
    return found


def finished_by_the_next(root: str) -> list[str]:
    with replaced(Passing()):
        purge(Layout(root), NOW + 10 * MINUTE)
    return unfinished(Layout(root))


def test_no_crash_loses_anything_and_the_next_purge_finishes(request, capsys):
    """Every state that a kill or a power loss can leave, from a recorded trace; after some of them the next purge."""
    follow = 1 if request.config.getoption("--all") else 15
    wrong: list[str] = []
    count = followed = 0
    with scratch() as folder:
        layout = prepare(folder)
        before = shutil.copytree(layout.root, os.path.join(folder, "before"))
        recorder = Recorder(layout.root)
        with replaced(recorder):
            purge(layout, NOW + MINUTE)
        assert unfinished(layout) == []
        model = Model(before)
        for count, (where, state) in enumerate(model.crashes(recorder.trace), 1):
            wrong += [f"{where}: {said}" for said in violations(state)]
            if count % follow == 0:
                followed += 1
                root = os.path.join(folder, "state")
                state.write_to(root)
                wrong += [f"{where}, next purge: {said}" for said in finished_by_the_next(root)]
                shutil.rmtree(root)
            assert wrong == []
        back = {path for state in model.variants() for path in held(state) if not path.startswith("log/operations")}
    assert back == set(), "a power loss after the purge brings the text back"
    with capsys.disabled():
        print(f"\ncrash states of a purge: {count} distinct, {followed} of them followed by the next purge, 0 violations")
    assert count >= FLOOR


def test_a_killed_purge_is_finished_by_the_next(request):
    """SIGKILL before and after the k-th change of the disk, in a process of its own."""
    with scratch() as folder:
        counting = Counting()
        layout = prepare(folder)
        with replaced(counting):
            purge(layout, NOW + MINUTE)
    points = [(k, after) for k in range(len(counting.calls)) for after in (False, True)]
    for k, after in points[:: 1 if request.config.getoption("--all") else 71]:
        with scratch() as folder:
            layout = prepare(folder)
            child = os.fork()
            if child == 0:
                try:
                    with replaced(Killing(k, after=after)):
                        purge(layout, NOW + MINUTE)
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(0)
            _, status = os.waitpid(child, 0)
            where = f"killed {'after' if after else 'before'} primitive {k} ({counting.calls[k]})"
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, where
            assert violations(tree(layout.root)) == [], where
            assert finished_by_the_next(layout.root) == [], where


def test_a_failing_disk_is_a_typed_error_that_does_not_tell_the_text(request):
    with scratch() as folder:
        counting = Counting(CHANGES + READS)
        layout = prepare(folder)
        with replaced(counting):
            purge(layout, NOW + MINUTE)
    numbers = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EMFILE)
    for k in range(0, len(counting.calls), 1 if request.config.getoption("--all") else 97):
        with scratch() as folder:
            layout = prepare(folder)
            number, forever = numbers[k % len(numbers)], k % 2 == 0
            where = f"{errno.errorcode[number]} {'from' if forever else 'at'} primitive {k} ({counting.calls[k]})"
            try:
                with replaced(Failing(k, number, forever=forever)):
                    purge(layout, NOW + MINUTE)
            except MemorybankError as error:
                assert error.message and LEAK not in error.message + error.next_step, where
            except OSError as error:
                pytest.fail(f"{where}: {error!r} is no typed error")
            assert violations(tree(layout.root)) == [], where
            assert finished_by_the_next(layout.root) == [], where
