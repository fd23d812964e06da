"""Purging a text from the logs: it disappears from every line, and no line, offset or signature chain is lost."""

import multiprocessing
import os
import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

from memorybank.clock import Clock, FixedClock, isoformat
from memorybank.log import chain, events, hook_errors, key, organize, sessions
from memorybank.log import lines as log_lines
from memorybank.log.purge import purge
from memorybank.storage import appending, disk
from memorybank.storage.layout import Layout
from memorybank.text.secrets.needle import PurgeNeedle

from .written import NOW, SESSION, append, line, verified

LEAK = "hunter2 opens the cellar door"
SECRETS = (LEAK, "合言葉はガギグゲゴです", 'quoted "word" and \\ slash')


def run(layout, text=LEAK):
    return purge(layout, PurgeNeedle(text), FixedClock(NOW))


def bytes_of(layout) -> bytes:
    return b"".join(Path(folder, name).read_bytes() for folder, _, names in os.walk(layout.log) for name in names)


@pytest.mark.parametrize("leak", SECRETS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_every_text_field_is_blanked_and_the_chain_still_verifies(layout, leak, form):
    written = normalize(form, leak)
    append(
        layout,
        [
            line(1), line(2, f"echo {written}"), line(3, outputs={"text": f"out {written} out"}), line(4, error=f"failed: {written}", status="failure"),
            line(5, lessons=[f"never say {written}"]), line(6, fingerprint=f"echo {written}"), line(7, anchors=[f"file:{written}.md"], files=[f"{written}.md"]),
            line(8, inputs={"other": {written: 1}}), line(9, event="exposure", trigger={"anchors": [written]}, exposures=[{"memory": f"note:{written}.md"}]),
            line(10),
        ],
    )  # fmt: skip
    path = events.path_of(layout, SESSION)
    before = list(log_lines.read(path))
    purged = run(layout, leak)
    after = list(log_lines.read(path))
    assert (purged.lines, purged.fields, purged.signed_again) == (8, 10, 0)
    assert not PurgeNeedle(leak).is_in(bytes_of(layout))
    assert [(found.offset, found.end) for found in after] == [(found.offset, found.end) for found in before], "offsets that others remember stay right"
    for old, new in zip(before, after, strict=True):
        changed = {name for name in old.fields if old.fields[name] != new.fields[name]}
        assert all(new.fields[name] == type(old.fields[name])() for name in changed), "the empty value of the same kind"
        assert changed == set(sessions.purged_fields(new.fields))
    check = chain.check(layout)[0]
    assert (check.state, check.purged, check.faults) == ("whole", 10, ())
    assert verified(path, key.load(layout), purged=True) == 10


def test_lines_that_do_not_hold_it_keep_every_byte_and_the_file_its_date(layout):
    append(layout, [line(1), line(2, LEAK), line(3)])
    path = events.path_of(layout, SESSION)
    os.utime(path, ns=(NOW, NOW))
    first, _, third = Path(path).read_bytes().splitlines()
    run(layout)
    found = Path(path).read_bytes().splitlines()
    assert (found[0], found[2]) == (first, third)
    assert os.stat(path).st_mtime_ns == NOW


def test_twice_equals_once(layout):
    append(layout, [line(1, LEAK), line(2)])
    run(layout)
    once = bytes_of(layout)
    purged = run(layout)
    assert (purged.lines, bytes_of(layout)) == (0, once)


def test_the_chain_goes_on_after_a_purge(layout):
    append(layout, [line(1), line(2, LEAK)])
    run(layout)
    append(layout, [line(3)])
    assert verified(events.path_of(layout, SESSION), key.load(layout), purged=True) == 3


def test_half_of_it_left_by_a_cut_goes_too(layout):
    """The cut of a long output ends in the middle of the text; so does the cut of a long word. Where nothing was cut, nothing is blanked."""
    text = "x" * (1000 - 18) + LEAK + "y" * 3000
    half = LEAK[:14]
    append(
        layout,
        [
            line(1, outputs={"text": text}), line(2, error="e" * (990 - 14) + LEAK + "z" * 3000), line(3, anchors=["a" * (512 - 16) + LEAK]),
            line(4, outputs={"text": "y" * 3000 + LEAK + "x" * (1000 - 18)}), line(5, f"echo {half}"),
        ],
    )  # fmt: skip
    assert LEAK.encode() not in bytes_of(layout) and bytes_of(layout).count(half.encode()) == 4
    run(layout)
    assert bytes_of(layout).count(half.encode()) == 1
    path = events.path_of(layout, SESSION)
    assert [sessions.purged_fields(entry.fields) for entry in log_lines.read(path)] == [["outputs"], ["error"], ["anchors"], ["outputs"], []]
    assert verified(path, key.load(layout), purged=True) == 5


@pytest.mark.parametrize("leak", ["fix/secret-customer", "ab-7"])
def test_where_the_signature_covers_it_the_chain_is_signed_again(layout, leak):
    """A branch's name is not a text field: a mark replaces it, and a finished session is recorded with its new last signature."""
    append(layout, [line(1), line(2, task_id=leak, task_from="branch"), line(3), line(4, tool=f"mcp__{leak}__x")])
    path = events.path_of(layout, SESSION)
    size = os.path.getsize(path)
    head = list(log_lines.read(path))[-1].fields["signature"]
    organize.append(layout, (organize.OrganizeStep(SESSION, organize.SYNC, NOW, size, 4, head, {}),), FixedClock(NOW))
    purged = run(layout, leak)
    assert (purged.fields, purged.signed_again) == (2, 1)
    assert leak.encode() not in bytes_of(layout)
    assert os.path.getsize(path) == size
    assert verified(path, key.load(layout), purged=True) == 4
    assert [check.state for check in chain.check(layout, sessions.heads(layout))] == ["whole"]
    assert sessions.heads(layout) == {os.path.basename(path): list(log_lines.read(path))[-1].fields["signature"]}


def test_signing_again_never_heals_a_line_that_was_altered(layout):
    append(layout, [line(number) for number in range(3)])
    path = events.path_of(layout, SESSION)
    found = [entry.fields for entry in log_lines.read(path)]
    found[1]["status"] = "failure"
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))
    append(layout, [line(4, task_id="secret-task"), line(5)])
    run(layout, "secret-task")
    check = chain.check(layout)[0]
    assert (check.state, [(fault.code, fault.line) for fault in check.faults]) == ("faulty", [("chain_broken", 2)])


def test_signing_again_never_heals_an_altered_line_behind_the_text(layout):
    """From the first changed line on, every later line is signed again, except one that was not valid before."""
    append(layout, [line(0, task_id="secret-task"), line(1), line(2)])
    path = events.path_of(layout, SESSION)
    found = [entry.fields for entry in log_lines.read(path)]
    found[2]["status"] = "failure"
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))
    run(layout, "secret-task")
    check = chain.check(layout)[0]
    assert (check.state, [(fault.code, fault.line) for fault in check.faults]) == ("faulty", [("chain_broken", 3)])


def test_without_a_key_the_text_goes_all_the_same(layout):
    append(layout, [line(1, LEAK, task_id=LEAK), line(2)])
    os.unlink(key.path(layout))
    run(layout)
    assert LEAK.encode() not in bytes_of(layout)


def test_torn_lines_and_tails_are_purged_and_stay_torn(layout):
    append(layout, [line(1, LEAK), line(2, LEAK), line(3)])
    path = events.path_of(layout, SESSION)
    data = Path(path).read_bytes()
    first, second, third = data.splitlines(keepends=True)
    begin = second.index(LEAK.encode())
    for torn in (second[: begin + len(LEAK) + 9], second[: begin + 20]):
        with open(path, "wb") as stream:
            stream.write(first + torn + b"\n" + third + torn)
        run(layout)
        assert LEAK[:20].encode() not in bytes_of(layout)
        assert os.path.getsize(path) == len(first + torn + b"\n" + third + torn)
        assert sum(1 for _ in log_lines.read(path)) == 2


def test_what_waits_in_the_spool_is_purged_and_still_comes_home(layout, impatient_clock):
    append(layout, [line(1)])
    with appending.Appending(events.path_of(layout, SESSION), FixedClock(NOW), 1.0):
        assert append(layout, [line(2, LEAK, task_id=LEAK)], impatient_clock) is None
    run(layout)
    assert LEAK.encode() not in bytes_of(layout)
    append(layout, [line(3)])
    found = [entry.fields for entry in events.read(layout, events.names(layout)[0])]
    assert [fields["id"][-1] for fields in found] == ["1", "2", "3"]
    assert (found[1]["inputs"], found[1]["task_id"]) == ({}, "[PURGED]")
    assert verified(events.path_of(layout, SESSION), key.load(layout), purged=True) == 3


def test_a_spool_whose_session_has_no_log_yet_is_purged(layout, impatient_clock):
    append(layout, [line(1)])
    with appending.Appending(events.path_of(layout, SESSION), FixedClock(NOW), 1.0):
        append(layout, [line(2, LEAK)], impatient_clock)
    shutil.rmtree(events.folder(layout))
    run(layout)
    assert LEAK.encode() not in bytes_of(layout)


def test_other_logs_keep_their_form(layout):
    """Kinds, instants and ids are words of the format; everything else is text."""
    hook_errors.append(layout, ValueError(f"cannot read {LEAK}"), FixedClock(NOW))
    path = os.path.join(layout.log, "access.jsonl")
    entries = [{"kind": "view", "path": f"planning/{LEAK}.md", "at": isoformat(NOW)}, {"kind": "view", "path": "a.md", "at": isoformat(NOW)}]
    log_lines.append(path, entries, clock=FixedClock(NOW))
    size = os.path.getsize(path)
    run(layout)
    assert LEAK.encode() not in bytes_of(layout)
    assert [entry.fields["path"] for entry in log_lines.read(path)] == ["planning/[PURGED].md", "a.md"]
    assert os.path.getsize(path) == size
    assert [entry.fields["message"] for entry in log_lines.read(hook_errors.path(layout))] == ["cannot read [PURGED]"]


class Meanwhile(FixedClock):
    """A clock that runs a function during its first wait."""

    def __init__(self, happens) -> None:
        super().__init__(NOW)
        self.happens = happens

    def sleep(self, seconds: float) -> None:
        happens, self.happens = self.happens, lambda: None
        happens()


def test_a_writer_that_waited_while_the_file_was_replaced_writes_into_the_new_one(layout):
    append(layout, [line(1, LEAK)])
    path = events.path_of(layout, SESSION)
    held = appending.Appending(path, FixedClock(NOW), 1.0)

    def replaced() -> None:
        data = held.tail(1 << 20)[1].replace(LEAK.encode(), b"#" * len(LEAK))
        disk.replace(path, (data,), durable=True)
        held.__exit__(None, None, None)

    held.__enter__()
    assert append(layout, [line(2)], Meanwhile(replaced), timeout=5.0)
    assert Path(path).read_bytes().count(b"\n") == 2, "the line is in the file that has the name"


def test_a_writer_that_waited_while_the_file_was_removed_makes_a_new_one(layout):
    append(layout, [line(1)])
    path = events.path_of(layout, SESSION)
    held = appending.Appending(path, FixedClock(NOW), 1.0)

    def removed() -> None:
        os.unlink(path)
        held.__exit__(None, None, None)

    held.__enter__()
    assert append(layout, [line(2)], Meanwhile(removed), timeout=5.0)
    assert verified(path, key.load(layout), purged=True) == 1


def _writer(root: str, number: int, count: int) -> None:
    layout = Layout(root)
    for index in range(count):
        text = f"echo {LEAK}" if index % 2 else "make test"
        events.EventWriter(layout, key.ensure(layout), Clock(), 2000).append(SESSION, [line(number * 1_000_000 + index, text)], timeout=60.0)


def test_purging_while_hooks_write_loses_and_doubles_no_line(layout):
    """4 writers of one session, and purges until they are done, plus one more."""
    key.ensure(layout)
    count = 60
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_writer, args=(layout.root, number, count)) for number in range(4)]
    for writer in writers:
        writer.start()
    purges = 0
    while any(writer.is_alive() for writer in writers):
        purge(layout, PurgeNeedle(LEAK), Clock())
        purges += 1
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    purge(layout, PurgeNeedle(LEAK), Clock())
    identifiers = [found.fields["id"] for found in events.read(layout, events.names(layout)[0])]
    assert purges > 1 and len(identifiers) == len(set(identifiers)) == 4 * count
    assert LEAK.encode() not in bytes_of(layout)
    assert verified(events.path_of(layout, SESSION), key.load(layout), purged=True) == 4 * count
