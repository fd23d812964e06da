"""The commands whose crashes are enumerated: how a bank looks before, what runs, and what the next command must have finished."""

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256

from memorybank.archive import store
from memorybank.bank.bank import Bank
from memorybank.clock import DAY, MINUTE, FixedClock, isoformat
from memorybank.config.settings import Settings
from memorybank.cycle.base import describe as describe_cycle
from memorybank.cycle.finish import macro, outbox
from memorybank.cycle.fold import schema as cycle_schema
from memorybank.editing import bookmarking, together
from memorybank.editing.together import NoteRewrite
from memorybank.editing.undo import undoable
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.log import events, lines, organize
from memorybank.log import rotation as rotation_log
from memorybank.notes import date_record
from memorybank.rotation import history as rotation_history
from memorybank.rotation import undo
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import maintain
from memorybank.rotation.verify import verify
from memorybank.storage import database
from memorybank.storage.layout import Layout
from memorybank.text import generated
from tests.crash.promises import log_lines
from tests.rotation.rotation_rows import NOW, active, expiring, plan_for, tree

NOTES = {
    "planning/overview.md": b"# Overview\n\nWhere we go.\n",
    "planning/\u8a2d\u8a08\u306e\u30e1\u30e2.md": "# \u8a2d\u8a08\n\n\u8981\u70b9\u3092\u66f8\u304f\u3002\n".encode(),
    "sync/crlf.md": b"\xef\xbb\xbf# Bytes\r\n\r\nline ends stay\r\n",
    "shared/empty.md": b"",
    "shared/deep/er/\u691c\u7d22.md": "\u691c\u7d22\u306f FTS5 \u3067\u884c\u3046\u3002\n".encode() * 40,
    "top.md": b"no folder, not \xff UTF-8\n",
    "implementation/twin.md": b"the same text\n",
    "implementation/twin2.md": b"the same text\n",
}
STAYS = {"planning/keep.md": b"# Important\n"}
OLD = 40
EXPIRING = expiring(90)
ANNOUNCED, DUE = 100, 107
"""Days after the rotation on which its objects are announced for deletion, and on which the seventh later day is observed."""
LATER = 10 * MINUTE


@dataclass(frozen=True)
class Scenario:
    """prepare: makes the bank; run: the command whose crash is enumerated; again: the next command; done: what it must have finished.

    done returns what is wrong, as sentences.
    """

    name: str
    prepare: Callable[[Layout], None]
    run: Callable[[Layout, FixedClock], None]
    again: Callable[[Layout, FixedClock], None]
    done: Callable[[Layout], list[str]]
    returning: bool = False
    pruning: bool = False
    start: int = NOW
    lasts: int = 0
    """Milliseconds that pass while the command and the next one run."""
    slow: int = 1
    """The next command takes so many times longer than a rotation: it follows so many times fewer states."""


def write_notes(layout: Layout) -> None:
    for key, data in {**NOTES, **STAYS}.items():
        path = os.path.join(layout.active, key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data)
        mtime = (NOW - OLD * DAY) * 1_000_000 + len(data)
        os.utime(path, ns=(mtime, mtime))


def rotate(layout: Layout, clock: FixedClock) -> None:
    execute(plan_for(layout, {key: 9.0 for key in STAYS}, clock.now()), layout, clock)


def rotated(layout: Layout) -> list[str]:
    """After a rotation has been finished: each note left once, has one object and one backup, and everything verifies.

    A power loss between the two halves of a rename may cost the backup's name; then the log must say so.
    """
    wrong = []
    if active(layout) != STAYS:
        wrong.append(f"active/ holds {sorted(active(layout))}")
    objects, problems = store.listing(layout)
    if sorted(each.original_path for each in objects) != sorted(NOTES):
        wrong.append(f"objects of {sorted(each.original_path for each in objects)}")
    wrong += [problem.message for problem in problems]
    wrong += [f"{each.original_path} has other bytes" for each in objects if store.read_object(layout, each) != NOTES[each.original_path]]
    kept = {path.partition("/")[2] for path in tree(layout.backups)}
    gone = {line["path"] for line in log_of(layout) if line["kind"] == "abandoned" and line["reason"] == "gone"}
    if kept | gone != set(NOTES):
        wrong.append(f"backups of {sorted(kept)}, lost names of {sorted(gone)}")
    return wrong + damage(layout)


def log_of(layout: Layout) -> list[dict]:
    with open(os.path.join(layout.log, "rotation.jsonl"), "rb") as stream:
        return log_lines(stream.read())


def prepare_rotated(layout: Layout) -> None:
    write_notes(layout)
    rotate(layout, FixedClock(NOW))


def restore(layout: Layout, clock: FixedClock) -> None:
    undo.restore(layout, "planning/\u8a2d\u8a08\u306e\u30e1\u30e2.md", clock)


def restored(layout: Layout) -> list[str]:
    key = "planning/\u8a2d\u8a08\u306e\u30e1\u30e2.md"
    return [*_back(layout, {key: NOTES[key]}), *damage(layout)]


def restore_beside(layout: Layout, clock: FixedClock) -> None:
    undo.restore(layout, "top.md", clock)


def prepare_in_the_way(layout: Layout) -> None:
    prepare_rotated(layout)
    with open(os.path.join(layout.active, "top.md"), "wb") as stream:
        stream.write(b"a new note\n")


def restored_beside(layout: Layout) -> list[str]:
    found = active(layout)
    wrong = [] if found.get("top.md") == b"a new note\n" else ["the note in the way was touched"]
    beside = [key for key, data in found.items() if data == NOTES["top.md"]]
    return wrong + ([] if len(beside) == 1 and beside[0].startswith("top~") else [f"it returned as {beside}"]) + damage(layout)


def undo_all(layout: Layout, clock: FixedClock) -> None:
    undo.undo(layout, clock)


def undone(layout: Layout) -> list[str]:
    return [*_back(layout, NOTES), *damage(layout)]


def clean(layout: Layout, clock: FixedClock) -> None:
    maintain(layout, Settings(), clock, lambda: [])


def compressed(layout: Layout) -> list[str]:
    kept = sorted(path.partition("/")[2] for path in tree(layout.backups))
    return ([] if kept == sorted(f"{key}.zst" for key in NOTES) else [f"backups: {kept}"]) + damage(layout)


def prepare_expiring(layout: Layout) -> None:
    write_notes(layout)
    execute(plan_for(layout, {key: 9.0 for key in STAYS}, settings=EXPIRING), layout, FixedClock(NOW))


def prepare_announced(layout: Layout) -> None:
    """The objects are announced, and six later days observed."""
    prepare_expiring(layout)
    for day in range(ANNOUNCED, DUE):
        expire(layout, FixedClock(NOW + day * DAY))


def expire(layout: Layout, clock: FixedClock) -> None:
    maintain(layout, EXPIRING, clock, lambda: [])


def expire_day_by_day(layout: Layout, clock: FixedClock) -> None:
    """From the announcement to the deletion of objects and, on the next day, of backups that are due on the same day."""
    using = expiring(90, backup_policy={"backup_retention_days": DUE})
    for day in range(DUE + 2 - ANNOUNCED):
        maintain(layout, using, FixedClock(clock.now() + day * DAY), lambda: [])


def expire_after_that(layout: Layout, clock: FixedClock) -> None:
    expire_day_by_day(layout, FixedClock(clock.now() + (DUE + 2 - ANNOUNCED) * DAY))


def cancel(layout: Layout, clock: FixedClock) -> None:
    """A person switches expiry off on the last day."""
    maintain(layout, Settings(), clock, lambda: [])


def cancelled(layout: Layout) -> list[str]:
    wrong = [] if sorted(each.original_path for each in store.listing(layout)[0]) == sorted(NOTES) else ["an object is missing"]
    standing = sorted(tombstone.key for tombstone in rotation_log.read(layout).tombstones.values())
    return wrong + ([f"still announced: {standing}"] if standing else []) + damage(layout)


def announced(layout: Layout) -> list[str]:
    """Every object has one tombstone and is still there; the backups are gone, because their time is over."""
    wrong = [f"still there: {path}" for path in tree(layout.backups)]
    if sorted(each.original_path for each in store.listing(layout)[0]) != sorted(NOTES):
        wrong.append("an object is missing")
    buried = sorted(line["path"] for line in log_of(layout) if line["kind"] == "tombstone")
    return wrong + ([] if buried == sorted(NOTES) else [f"tombstones of {buried}"]) + damage(layout)


def expired(layout: Layout) -> list[str]:
    """Everything was of low importance, so no object is left, and each has its tombstone and its line of the deletion."""
    wrong = [f"still there: {path}" for path in (*store.names(layout), *tree(layout.backups))]
    for kind in ("tombstone", "deleted"):
        buried = {line["path"] for line in log_of(layout) if line["kind"] == kind and "archive_path" in line}
        wrong += [] if buried == set(NOTES) else [f"lines {kind} of {sorted(buried)}"]
    return wrong + damage(layout)


def publish(layout: Layout, clock: FixedClock) -> None:
    Bank(layout, Settings(), clock).index.update("full", publish=True)


def publish_over_garbage(layout: Layout, clock: FixedClock) -> None:
    """SQLite's own writes are not recorded: its file may be absent, or anything."""
    os.makedirs(layout.cache, exist_ok=True)
    with open(layout.database, "wb") as stream:
        stream.write(b"SQLite format 3\0 and then nothing of the kind" * 99)
    publish(layout, clock)


def published(layout: Layout) -> list[str]:
    """Every note untouched, and index and documents agree with them."""
    wrong = [] if active(layout) == {**NOTES, **STAYS} else ["a note was touched"]
    wrong += [problem.message for problem in Bank(layout, Settings(), FixedClock(NOW + LATER)).index.check()]
    return wrong + damage(layout)


def rotate_and_refresh(layout: Layout, clock: FixedClock) -> None:
    """What `memorybank rotate` does: plan from the index, execute, bring index, catalogues and history in line."""
    bank = Bank(layout, Settings(), clock)
    for key in STAYS:
        bookmarking.add(layout, key, "", clock)
    bank.rotation.execute(bank.rotation.plan("manual"), yes=True)


def rotated_and_refreshed(layout: Layout) -> list[str]:
    history = os.path.join(layout.metadata, "rotation_history.json")
    before = tree(layout.metadata).get("rotation_history.json")
    rotation_history.write(layout)
    wrong = [] if tree(layout.metadata)["rotation_history.json"] == before else [f"{history} is stale"]
    return wrong + rotated(layout)


def prepare_session(layout: Layout) -> None:
    """Notes, and the log of a session that has ended."""
    write_notes(layout)
    log_session(layout, "src/a.py")


def log_session(layout: Layout, *files: str) -> None:
    """A person asks, the agent edits these files, the session ends."""
    common = {"session_id": "s1", "host": "claude-code", "agent_id": "main", "agent_role": "main", "epoch": 1, "timestamp": isoformat(NOW - MINUTE)}
    edits = [{"tool": "Edit", "status": "success", "files": [file], "inputs": {"file_path": file, "old_string": "a", "new_string": "b"}} for file in files]
    said = ({"event": "prompt", "inputs": {"text": "Make it faster"}}, *({"event": "tool_after", **edit} for edit in edits), {"event": "session_end"})
    entries = [{"id": f"{files}{number}", **common, **fields, "signature": "0" * 64} for number, fields in enumerate(said)]
    lines.append(events.path_of(layout, "s1"), entries, clock=FixedClock(NOW))


def finish_session(layout: Layout, clock: FixedClock) -> None:
    """Summary, session note and their checkpoints. SQLite's own writes are not recorded: the cache is in memory, so it is always lost."""
    base = describe_cycle(layout, clock)
    with closing(database.in_memory(cycle_schema.TABLES, cycle_schema.VERSION)) as cache:
        outbox.gather(base, cache, lambda: 200.0)
        macro.finish(base, cache, lambda: 200.0)


def go_on_and_finish_session(layout: Layout, clock: FixedClock) -> None:
    """The session goes on if its end was not finished: the note is written again with what is new, and not beside the first one."""
    if "note" not in [step.step for step in organize.read(layout)]:
        log_session(layout, "src/b.py")
    finish_session(layout, clock)


def finished(layout: Layout) -> list[str]:
    """One note, known by its seal, and no other note touched."""
    steps = list(organize.read(layout))
    found = {key: data for key, data in active(layout).items() if key.startswith("sync/sessions/")}
    wrong = [] if len(found) == 1 else [f"session notes: {sorted(found)}"]
    said = [step.details for step in steps if step.step == "note"]
    if not said or [said[-1]["key"]] != [key for key, data in found.items() if generated.is_sealed(data)]:
        wrong.append(f"the log says {steps}")
    others = {key: data for key, data in active(layout).items() if key not in found}
    return wrong + ([] if others == {**NOTES, **STAYS} else ["another note was touched"])


CHANGED = "planning/\u8a2d\u8a08\u306e\u30e1\u30e2.md"
RENAMED = "shared/\u65b0\u3057\u3044\u540d\u524d.md"
NEW = "# \u8a2d\u8a08\n\n\u66f8\u304d\u76f4\u3057\u305f\u3002\n".encode()


def replace_note(layout: Layout, clock: FixedClock) -> None:
    with NoteWriter(layout, "memorybank edit", clock) as writer:
        writer.replace(f"active/{CHANGED}", NEW, {sha256(NOTES[CHANGED]).hexdigest(), sha256(NEW).hexdigest()})


def replaced_note(layout: Layout) -> list[str]:
    wrong = [] if active(layout) == {**NOTES, **STAYS, CHANGED: NEW} else ["another note was touched, or this one was not"]
    wrong += [] if NOTES[CHANGED] in tree(layout.backups).values() else ["the old version was not kept"]
    return wrong + [f"left behind: {path}" for path in tree(layout.backups) if path.endswith("~displaced")] + damage(layout)


def rename_note(layout: Layout, clock: FixedClock) -> None:
    with NoteWriter(layout, "memorybank mv", clock) as writer:
        if os.path.lexists(layout.note_path(CHANGED)):
            writer.rename(f"active/{CHANGED}", f"active/{RENAMED}")


def renamed_note(layout: Layout) -> list[str]:
    expected = {**NOTES, **STAYS, RENAMED: NOTES[CHANGED]}
    del expected[CHANGED]
    return ([] if active(layout) == expected else [f"active/ holds {sorted(active(layout))}"]) + damage(layout)


def rate_note(layout: Layout, clock: FixedClock) -> None:
    """Through the facade, which also records the dates of all notes."""
    Bank(layout, Settings(), clock).notes.rate(CHANGED, 5)


def rated_note(layout: Layout) -> list[str]:
    found, dated = active(layout), date_record.read(layout).notes
    rated = {key for key, data in found.items() if b"rating: 5" in data}
    wrong = [] if rated == {CHANGED} else [f"rated: {sorted(rated)}"]
    wrong += [] if {note.key for note in dated} == set(found) else [f"dates of {sorted(note.key for note in dated)}"]
    # The line that a rating is not an edit is not synced: after a power loss the rated note can count as new, and no other one.
    young = {note.key for note in dated if note.modified > NOW - (OLD - 1) * DAY}
    return wrong + ([f"younger than they are: {sorted(young)}"] if young - {CHANGED} else []) + damage(layout)


LINKING = ("planning/overview.md", "sync/crlf.md")


def rewrite_and_rename(layout: Layout, clock: FixedClock) -> None:
    """`mv --links`: the notes that still have their old bytes are rewritten, then one is renamed."""
    finish_interrupted(layout, clock)
    if os.path.lexists(layout.note_path(CHANGED)):
        found = active(layout)
        modified = NOW - OLD * DAY
        rewrites = [
            NoteRewrite(key, found[key] + b"rewritten\n", sha256(found[key]).hexdigest(), modified, modified * 1_000_000)
            for key in LINKING
            if found[key] == NOTES[key]
        ]
        together.rewrite(layout, "memorybank mv", clock, rewrites, (CHANGED, RENAMED))


def rewritten_and_renamed(layout: Layout) -> list[str]:
    expected = {**NOTES, **STAYS, RENAMED: NOTES[CHANGED], **{key: NOTES[key] + b"rewritten\n" for key in LINKING}}
    del expected[CHANGED]
    return ([] if active(layout) == expected else [f"active/ holds {active(layout)}"]) + damage(layout)


COPY = "active/imported/docs/copy.md"


def copy_note(layout: Layout, clock: FixedClock) -> None:
    with NoteWriter(layout, "memorybank adopt", clock) as writer:
        if not os.path.lexists(os.path.join(layout.root, COPY)):
            writer.create(COPY, NEW)


def copied_note(layout: Layout) -> list[str]:
    expected = {**NOTES, **STAYS, COPY.removeprefix("active/"): NEW}
    wrong = [] if active(layout) == expected else [f"active/ holds {sorted(active(layout))}"]
    known = [record for records in undoable(layout).values() for record in records]
    return wrong + ([] if [record.path for record in known] == [COPY] else ["it cannot be undone"]) + damage(layout)


def prepare_copied(layout: Layout) -> None:
    write_notes(layout)
    copy_note(layout, FixedClock(NOW))


def remove_copy(layout: Layout, clock: FixedClock) -> None:
    with NoteWriter(layout, "memorybank undo", clock) as writer:
        if os.path.lexists(os.path.join(layout.root, COPY)):
            writer.remove(COPY, {sha256(NEW).hexdigest()})


def removed_copy(layout: Layout) -> list[str]:
    wrong = [] if active(layout) == {**NOTES, **STAYS} else [f"active/ holds {sorted(active(layout))}"]
    return wrong + [f"left behind: {path}" for path in tree(layout.backups) if path.endswith("~displaced")] + damage(layout)


def damage(layout: Layout) -> list[str]:
    return [f"verify: {finding.path}: {finding.message}" for finding in verify(layout, NOW).findings if not finding.code.endswith("torn")]


def _back(layout: Layout, notes: dict[str, bytes]) -> list[str]:
    found = active(layout)
    wrong = [f"{key} is not back" for key, data in notes.items() if found.get(key) != data]
    for key, data in notes.items():
        path = os.path.join(layout.active, key)
        if os.path.exists(path) and os.lstat(path).st_mtime_ns != (NOW - OLD * DAY) * 1_000_000 + len(data):
            wrong.append(f"{key} has another mtime")
    return wrong + [f"{key} appeared" for key in found if key not in {**NOTES, **STAYS}]


SCENARIOS = (
    Scenario("rotate", write_notes, rotate, rotate, rotated),
    Scenario("restore", prepare_rotated, restore, restore, restored, returning=True, start=NOW + DAY),
    Scenario("restore beside another note", prepare_in_the_way, restore_beside, restore_beside, restored_beside, returning=True, start=NOW + DAY),
    Scenario("undo", prepare_rotated, undo_all, undo_all, undone, returning=True, start=NOW + DAY),
    Scenario("replace a note", write_notes, replace_note, replace_note, replaced_note, start=NOW + DAY),
    Scenario("rename a note", write_notes, rename_note, rename_note, renamed_note, start=NOW + DAY),
    Scenario("rate a note and record the dates", write_notes, rate_note, rate_note, rated_note, slow=6, start=NOW + DAY),
    Scenario("rewrite two notes and rename one", write_notes, rewrite_and_rename, rewrite_and_rename, rewritten_and_renamed, start=NOW + DAY, slow=2),
    Scenario("create a note", write_notes, copy_note, copy_note, copied_note, start=NOW + DAY),
    Scenario("remove a created note", prepare_copied, remove_copy, remove_copy, removed_copy, start=NOW + DAY),
    Scenario("compress backups", prepare_rotated, clean, clean, compressed, start=NOW + 2 * DAY),
    Scenario("publish the index", write_notes, publish, publish_over_garbage, published, slow=2),
    Scenario("rotate, index and catalogues", write_notes, rotate_and_refresh, rotate_and_refresh, rotated_and_refreshed, slow=6, start=NOW + 30 * DAY),
    Scenario("finish a session", prepare_session, finish_session, go_on_and_finish_session, finished),
    Scenario("announce a deletion", prepare_expiring, expire, expire, announced, pruning=True, start=NOW + ANNOUNCED * DAY),
    Scenario("retention", prepare_announced, expire, expire, expired, pruning=True, start=NOW + DUE * DAY),
    Scenario("cancel a deletion", prepare_announced, cancel, cancel, cancelled, pruning=True, start=NOW + DUE * DAY),
    Scenario(
        "retention day by day",
        prepare_expiring,
        expire_day_by_day,
        expire_after_that,
        expired,
        pruning=True,
        lasts=20 * DAY,
        slow=8,
        start=NOW + ANNOUNCED * DAY,
    ),
)
