"""A text that leaked is gone from everything but what only a person may change, and the bank is as sound as before."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest
import zstandard

from memorybank import Bank
from memorybank.archive import store
from memorybank.clock import FixedClock, isoformat
from memorybank.errors import LockTimeout, UsageError
from memorybank.log import chain, events, key, operations, sessions
from memorybank.log import lines as log_lines
from memorybank.log import rotation as rotation_log
from memorybank.rotation import guard
from memorybank.storage import appending
from memorybank.text.secrets.needle import PurgeNeedle
from tests.log.written import NOW, SESSION, line

DAY = 86_400_000
LEAK = "hunter2-is-the-pass-phrase"
JAPANESE = "合言葉はガギグゲゴです"


def plant(scratch, leak: str, clock: FixedClock, impatient) -> Bank:
    """Put a text everywhere a bank can hold one, and return the open bank: notes, archive, backups, logs, spool, caches, leftovers."""
    layout = scratch.layout
    scratch.write("planning/whole.md", f"# A plan\n\nThe phrase is {leak}, twice: {leak}.\n", days_old=90)
    scratch.write("planning/titled.md", f"---\ntags: [release]\n---\n# {leak}\n\n{normalize('NFD', leak)} in the first line.\n", days_old=90)
    scratch.write(f"shared/{leak}.md", "# Innocent\n\nOnly the name of this note.\n", days_old=90)
    scratch.write("shared/escaped.md", "# Escaped\n\n" + json.dumps({"phrase": leak}) + "\n", days_old=90)
    scratch.write("planning/clean.md", "# Clean\n\nNothing to see.\n", days_old=90)
    scratch.write("implementation/active.md", f"# Active\n\nline three\n\n{leak}\n", days_old=1)
    bank = Bank.open(str(scratch.root), clock=clock)
    bank.notes.read(f"shared/{leak}.md")
    report = bank.rotation.execute(bank.rotation.plan(), yes=True)
    assert len(report.rotated) == 5
    edited = next((scratch.root / "backups").rglob("clean.md"))
    edited.write_text(f"# Clean\n\nSomebody went on: {leak}\n", encoding="utf-8")
    bank.index.update()
    bank.search(leak, archive=True)
    secret = key.ensure(layout)
    leaking = [line(2, inputs={"command": f"echo {leak}"}), line(3, task_id=f"fix/{leak}"), line(4, error=json.dumps([leak]), status="failure")]
    events.EventWriter(layout, secret, clock, 2000).append(SESSION, [line(1), *leaking, line(5)])
    with appending.Appending(events.path_of(layout, SESSION), clock, 1.0):
        events.EventWriter(layout, secret, impatient, 2000).append(SESSION, [line(6, outputs={"text": leak})])
    log_lines.append(os.path.join(layout.log, "hook_errors.jsonl"), [{"at": isoformat(NOW), "error": "OSError", "message": leak}], clock=clock, durable=False)
    operations.record(layout, "search", milliseconds=1, ok=True, clock=clock, note=leak)
    (scratch.root / "cache" / "bank.sqlite3.broken").write_bytes(b"SQLite" + leak.encode())
    sqlite3.connect(scratch.root / "cache" / "cycle.sqlite3").execute("CREATE TABLE t (x)").connection.close()
    (scratch.root / "indexes" / ".mb-tmp-999999999-1").write_text(leak, encoding="utf-8")
    return bank


def holding(root: Path, leak: str) -> set[str]:
    """Every file below a bank that holds the text, whatever the form; written without the product's search."""
    found = set()
    forms = {form for text in (normalize("NFC", leak), normalize("NFD", leak)) for form in (text, json.dumps(text)[1:-1], json.dumps(json.dumps(text))[3:-3])}
    for folder, folders, names in os.walk(root):
        for name in [*folders, *names]:
            path = Path(folder, name)
            data = b"" if path.is_dir() else path.read_bytes()
            plain = zstandard.ZstdDecompressor().decompressobj().decompress(data) if name.endswith(".zst") else b""
            if any(form.encode() in part for form in forms for part in (data, plain, name.encode())):
                found.add(path.relative_to(root).as_posix())
    return found


@pytest.fixture(params=[LEAK, JAPANESE], ids=["English", "Japanese"])
def leak(request):
    return request.param


pytestmark = pytest.mark.usefixtures("free_syncs")


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    """{text: a planted bank}, made once and copied for each test."""
    return {"folder": tmp_path_factory.mktemp("planted")}


@pytest.fixture
def leaked(bank, fixed_clock, impatient_clock, leak, templates):
    scratch = bank({})
    if leak not in templates:
        plant(scratch, leak, fixed_clock, impatient_clock)
        templates[leak] = shutil.copytree(scratch.root, templates["folder"] / str(len(templates)))
    else:
        shutil.rmtree(scratch.root)
        shutil.copytree(templates[leak], scratch.root)
    scratch.bank = Bank.open(str(scratch.root), clock=fixed_clock)
    return scratch


def test_it_was_everywhere_and_is_only_where_a_person_must_look(leaked, leak):
    root = leaked.root
    before = holding(root, leak)
    tops = {path.split("/")[0] for path in before}
    assert {"active", "archive", "backups", "log", "cache", "indexes", "metadata"} <= tops
    assert {"log/access.jsonl", "log/operations.jsonl", "log/hook_errors.jsonl", "log/rotation.jsonl", f"log/events/{SESSION}.jsonl"} <= before
    report = leaked.bank.purge(leak)
    assert holding(root, leak) == {"active/implementation/active.md"}
    assert [(place.path, place.kind, place.lines) for place in report.remaining] == [("active/implementation/active.md", "note", (5,))]
    assert report.problems == []
    assert (report.objects, report.backups) == (4, 5)


def test_afterwards_everything_verifies(leaked, leak):
    leaked.bank.purge(leak)
    layout = leaked.layout
    assert leaked.bank.archive.verify().findings == []
    assert [(check.state, check.faults) for check in leaked.bank.log.verify()] == [("whole", ())]
    events.EventWriter(layout, key.ensure(layout), FixedClock(NOW), 2000).append(SESSION, [line(7)])
    check = chain.check(layout, sessions.heads(layout))[0]
    assert (check.state, check.lines, check.purged) == ("whole", 7, 3), "the line from the spool came home, blanked"
    rotation_lines = [entry.fields for entry in log_lines.read(rotation_log.path(layout))]
    assert sum(fields["kind"] == "purged" for fields in rotation_lines) == 5


@pytest.mark.slow
def test_archived_notes_come_back_without_it_and_with_their_dates(leaked, leak):
    leaked.bank.purge(leak)
    shutil.rmtree(leaked.root / "backups")
    returned = {note.key for name in [each.id for each in leaked.bank.archive.list()] for note in [leaked.bank.archive.restore(name)]}
    assert returned == {"planning/whole.md", "planning/titled.md", "shared/[PURGED].md", "shared/escaped.md", "planning/clean.md"}
    assert (leaked.active / "planning/whole.md").read_text() == "# A plan\n\nThe phrase is [PURGED], twice: [PURGED].\n"
    assert (leaked.active / "planning/titled.md").read_text() == "---\ntags: [release]\n---\n# [PURGED]\n\n[PURGED] in the first line.\n"
    assert json.loads((leaked.active / "shared/escaped.md").read_text().splitlines()[2]) == {"phrase": "[PURGED]"}
    assert (leaked.active / "planning/whole.md").stat().st_mtime_ns == (NOW - 90 * DAY) * 1_000_000
    assert leaked.bank.archive.verify().findings == []


def test_undo_brings_the_rotation_back_without_it_and_the_late_edit_too(leaked, leak):
    leaked.bank.purge(leak)
    report = leaked.bank.rotation.undo()
    assert report.errors == [] and len(report.returned) == 5
    assert {note.key for note in report.returned if note.from_backup} == {"planning/clean.md"}
    assert "[PURGED]" in (leaked.active / "planning/clean.md").read_text()
    assert holding(leaked.root / "active", leak) == {"implementation/active.md"}


def test_restoring_before_the_purge_is_still_known_after_it(leaked, leak):
    """A note that came back is not brought back twice by undo: what was known of the old object holds for the new one."""
    described = next(each for each in leaked.bank.archive.list() if each.original_path == "planning/whole.md")
    leaked.bank.archive.restore(described.id)
    leaked.bank.purge(leak)
    assert [each.back for each in leaked.bank.rotation.undoable()] == [1]
    assert leaked.bank.rotation.undo().already == 1


def test_backups_are_compressed_and_expire_as_before(leaked, leak, fixed_clock):
    leaked.bank.purge(leak)
    fixed_clock.instant += 2 * DAY
    report = leaked.bank.backups.prune()
    assert len(report.compressed) == 4 and [finding.code for finding in report.findings] == ["late_edit"]
    assert holding(leaked.root, leak) == {"active/implementation/active.md"}
    fixed_clock.instant += 400 * DAY
    assert len(leaked.bank.backups.prune(yes=True).removed) == 4
    assert leaked.bank.archive.verify().findings == []


def test_search_finds_the_mark_and_not_the_text(leaked, leak):
    bank = leaked.bank
    (leaked.active / "implementation/active.md").unlink()
    assert bank.search(leak, "content", archive=True).hits
    bank.purge(leak)
    assert not bank.search(leak, "content", archive=True).hits
    assert bank.search("purged", "content", archive=True).hits
    bank.index.rebuild()
    assert holding(leaked.root, leak) == set()
    assert bank.index.check() == []


def test_a_dry_run_finds_the_same_places_and_changes_no_byte(leaked, leak):
    before = leaked.snapshot()
    dry = Bank.open(str(leaked.root), clock=FixedClock(NOW), read_only=True).purge(leak, dry_run=True)
    assert leaked.snapshot() == before
    assert {place.path.replace("[PURGED]", leak) for place in dry.found} == {path for path in holding(leaked.root, leak) if not path.endswith(("-wal", "-shm"))}
    assert [place.path for place in dry.remaining] == ["active/implementation/active.md"]
    assert leaked.bank.purge(leak).found == dry.found


def test_twice_equals_once(leaked, leak):
    def files() -> dict[str, tuple[str, int]]:
        return {path: found for path, found in leaked.snapshot().items() if found[0] and not path.startswith("log/operations") and not path.endswith(".lock")}

    leaked.bank.purge(leak)
    first = files()
    again = leaked.bank.purge(leak)
    assert files() == first
    assert (again.lines, again.objects, again.backups, again.removed) == (0, 0, 0, 0)


def test_a_second_text_can_follow_the_first(leaked, leak):
    leaked.bank.purge(leak)
    leaked.bank.purge("The phrase is")
    assert leaked.bank.archive.verify().findings == []
    returned = leaked.bank.archive.restore("planning/whole.md")
    assert (leaked.active / returned.key).read_text() == "# A plan\n\n[PURGED] [PURGED], twice: [PURGED].\n"


def test_notes_bookmarks_and_settings_are_never_changed(leaked, leak):
    bookmarks = leaked.root / "bookmarks.json"
    bookmarks.write_text(json.dumps({"version": "1.0", "bookmarks": [{"path": "planning/", "note": leak}]}, ensure_ascii=False))
    summary = leaked.root / "summary.md"
    summary.write_text(f"first\n\n{leak} and {leak}\n")
    before = leaked.snapshot("active"), bookmarks.read_bytes(), summary.read_bytes()
    report = leaked.bank.purge(leak)
    assert (leaked.snapshot("active"), bookmarks.read_bytes(), summary.read_bytes()) == before
    found = {place.path: (place.kind, place.count, place.lines) for place in report.remaining}
    assert found == {"active/implementation/active.md": ("note", 1, (5,)), "bookmarks.json": ("other", 1, (1,)), "summary.md": ("other", 2, (3,))}


def test_the_purge_itself_is_recorded_without_the_text(leaked, leak):
    leaked.bank.purge(leak)
    fields = [entry.fields for entry in log_lines.read(os.path.join(leaked.layout.log, "operations.jsonl"))][-1]
    assert (fields["kind"], fields["ok"], fields["objects"], fields["backups"]) == ("purge", True, 4, 5)
    assert fields["hash"] == key.keyed(key.load(leaked.layout), normalize("NFC", leak).encode())[:32]


def test_the_published_form_of_a_report_has_no_text(leaked, leak):
    for report in (leaked.bank.purge(leak, dry_run=True), leaked.bank.purge(leak)):
        assert not PurgeNeedle(leak).is_in(json.dumps(report.to_json(), ensure_ascii=False).encode())
        assert not PurgeNeedle(leak).is_in(repr(report).encode())


def test_a_damaged_object_is_replaced_from_its_backup(leaked, leak):
    described = next(each for each in leaked.bank.archive.list() if each.original_path == "planning/whole.md")
    path = Path(store.absolute(leaked.layout, described.object_path))
    path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    report = leaked.bank.purge(leak)
    assert report.problems == []
    assert leaked.bank.archive.verify().findings == []
    assert holding(leaked.root, leak) == {"active/implementation/active.md"}


def test_what_cannot_be_read_is_said(leaked, leak):
    described = next(each for each in leaked.bank.archive.list() if each.original_path == "planning/whole.md")
    path = Path(store.absolute(leaked.layout, described.object_path))
    path.write_bytes(b"\x28\xb5\x2f\xfd" + b"garbage" * 9)
    shutil.rmtree(leaked.root / "backups")
    report = leaked.bank.purge(leak)
    assert [problem.path for problem in report.problems] == [described.object_path]


def test_an_object_that_a_colleague_archived_is_purged_too(leaked, leak, fixed_clock):
    """A clone has the archive and no log of it."""
    shutil.rmtree(leaked.root / "log")
    shutil.rmtree(leaked.root / "backups")
    bank = Bank.open(str(leaked.root), clock=fixed_clock)
    assert bank.purge(leak).objects == 4
    assert holding(leaked.root, leak) == {"active/implementation/active.md"}
    assert bank.archive.verify().findings == []
    assert bank.purge(leak).objects == 0


def test_a_colleague_who_pulls_the_purged_archive_is_told_and_has_no_error(leaked, leak, fixed_clock):
    """Their log names the objects as they were; the new sidecars say that a purge replaced them."""
    colleague = leaked.repository.parent / "colleague"
    shutil.copytree(leaked.repository, colleague)
    leaked.bank.purge(leak)
    shutil.rmtree(colleague / ".claude/memory/archive")
    shutil.copytree(leaked.root / "archive", colleague / ".claude/memory/archive")
    report = Bank.open(str(colleague / ".claude/memory"), clock=fixed_clock).archive.verify()
    codes = [(finding.level, finding.code) for finding in report.findings]
    assert codes.count(("warning", "object_purged")) == 3
    assert codes.count(("error", "object_missing")) == 1, "the note whose name held the text is another one to whoever does not know it"


def test_what_was_purged_stays_purged_when_it_comes_back(leaked, leak, fixed_clock):
    """A merge can bring the old object back beside the new one: the next command removes it."""
    old = next(each for each in leaked.bank.archive.list() if each.original_path == "planning/whole.md")
    kept = {path: Path(store.absolute(leaked.layout, path)).read_bytes() for path in (old.object_path, old.sidecar_path)}
    leaked.bank.purge(leak)
    for path, data in kept.items():
        Path(store.absolute(leaked.layout, path)).write_bytes(data)
    leaked.bank.backups.prune()
    assert not any(Path(store.absolute(leaked.layout, path)).exists() for path in kept)
    assert leaked.bank.archive.verify().findings == []


@pytest.mark.slow
def test_linked_worktrees_are_purged_together(bank, fixed_clock, impatient_clock):
    """Logs and backups are shared; archive and caches are each worktree's own."""
    scratch = bank({}, git=True)
    (scratch.root / ".gitignore").write_text("log/\nbackups/\ncache/\nindexes/\nmetadata/\n")
    plant(scratch, LEAK, fixed_clock, impatient_clock)
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "all")
    linked = scratch.repository.parent / "linked"
    scratch.git("worktree", "add", "-q", str(linked))
    inner = Bank.open(str(linked / ".claude/memory"), clock=fixed_clock)
    inner.index.update()
    inner.search(LEAK, archive=True)
    assert LEAK.encode() in (linked / ".claude/memory/cache/bank.sqlite3").read_bytes()
    report = inner.purge(LEAK)
    assert holding(linked / ".claude/memory", LEAK) == {"active/implementation/active.md"}
    assert holding(scratch.root, LEAK) == {"active/implementation/active.md"}
    assert report.objects == 8 and len(report.remaining) == 2
    assert inner.archive.verify().is_sound and Bank.open(str(scratch.root), clock=fixed_clock).archive.verify().is_sound


def test_a_text_that_is_nowhere_leaves_truth_alone(leaked):
    def truth() -> dict[str, tuple[str, int]]:
        kept = ("active", "archive/by_date", "backups", "log/events", "log/rotation.jsonl")
        return {path: found for path, found in leaked.snapshot().items() if path.startswith(kept)}

    before = truth()
    report = leaked.bank.purge("this text is nowhere in it")
    assert (truth(), report.found, report.remaining) == (before, (), ())


@pytest.mark.parametrize("text", ["abc", "", "秘密鍵", "PURGED"])
def test_a_text_too_short_is_refused_before_anything_is_looked_at(leaked, text):
    before = leaked.snapshot()
    with pytest.raises(UsageError):
        leaked.bank.purge(text)
    assert leaked.snapshot() == before


def test_a_second_purge_waits_for_the_first_and_then_says_who_holds_the_lock(leaked, leak, impatient_clock):
    with guard.changing(leaked.layout, "memorybank purge", FixedClock(NOW)), pytest.raises(LockTimeout) as refused:
        Bank.open(str(leaked.root), clock=impatient_clock).purge(leak)
    assert "memorybank purge" in refused.value.message


@pytest.mark.slow
def test_two_purges_at_once_end_as_one(leaked, leak):
    """Two processes: one waits for the other; the text is gone, everything verifies."""
    program = "import sys; from memorybank import Bank; Bank.open(sys.argv[1]).purge(sys.argv[2])"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    both = [subprocess.Popen([sys.executable, "-c", program, str(leaked.root), leak], env=environment, stderr=subprocess.PIPE) for _ in range(2)]
    ended = [(process.communicate(timeout=60)[1].decode(), process.returncode) for process in both]
    assert [code for said, code in ended if "LockTimeout" not in said] and all(code == 0 or "LockTimeout" in said for said, code in ended)
    assert holding(leaked.root, leak) == {"active/implementation/active.md"}
    assert leaked.bank.archive.verify().findings == []
    assert [check.state for check in leaked.bank.log.verify()] == ["whole"]


@pytest.mark.slow
def test_what_real_hook_processes_recorded_is_purged_and_hooks_go_on(bank, leak):
    """A whole session through the hook, organised at its end; only the session note, which is committed, is left to a person."""
    scratch = bank({"planning/a.md": "# A\n"})
    package = Path(__file__).resolve().parents[2] / "memorybank"
    in_processor_time = Path(__file__).resolve().parents[1] / "hook" / "in_processor_time.py"

    def fire(event: str, **fields: object) -> None:
        payload = {"session_id": "s-1", "cwd": str(scratch.repository), "prompt_id": "p1", "hook_event_name": event, **fields}
        environment = {
            **{name: os.environ[name] for name in ("HOME", "MEMORYBANK_TRUST", "PATH")},
            "CLAUDE_PROJECT_DIR": str(scratch.repository),
            "CLAUDECODE": "1",
        }
        command = [sys.executable, "-I", "-S", str(in_processor_time), str(package / "hook.py"), "--host", "claude-code"]
        done = subprocess.run(command, input=json.dumps(payload).encode(), capture_output=True, env=environment, cwd=scratch.repository, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")

    call = {"tool_name": "Bash", "tool_input": {"command": f"python src/vault.py '{leak}'"}, "tool_use_id": "t1"}
    fire("UserPromptSubmit", prompt=f"remember: open it with {leak} before src/vault.py")
    fire("PreToolUse", **call)
    fire("PostToolUseFailure", **call, error=f"Exit code 1\nValueError: bad {leak}")
    fire("Stop", last_assistant_message=f"used {leak}", stop_hook_active=False, background_tasks=[])
    fire("SessionEnd", reason="exit")
    layout = scratch.layout
    assert "log/events/s-1.jsonl" in holding(scratch.root, leak)
    report = Bank.open(str(scratch.root)).purge(leak)
    assert {place.path.rpartition("/")[0] for place in report.remaining} <= {"active/sync/sessions"}
    assert {path.rpartition("/")[0] for path in holding(scratch.root, leak)} <= {"active/sync/sessions"}
    fire("UserPromptSubmit", prompt="how is src/vault.py run?", prompt_id="p2")
    assert [(check.state, check.faults) for check in chain.check(layout, sessions.heads(layout))] == [("whole", ())]


@pytest.mark.parametrize(("name", "left"), [("summary.md", True), ("summary.draft.md", True), ("backups/summary/20250917T123456Z.md", False)])
def test_pages_of_the_resident_summary_are_a_persons_to_edit_and_their_backups_are_not(bank, fixed_clock, name, left):
    scratch = bank({"planning/a.md": "# A\n"})
    path = scratch.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nupdated_at: 2025-09-17T00:00:00Z\n---\n{LEAK}\n", encoding="utf-8")
    report = Bank.open(str(scratch.root), clock=fixed_clock).purge(LEAK)
    assert [(place.path, place.kind) for place in report.remaining] == ([(name, "other")] if left else [])
    assert (LEAK in path.read_text(encoding="utf-8")) is left
