"""The same age in every clone: which commands write `dates.jsonl`, what merges, what a clone reads from it, and what is left out."""

import os
import shutil
import subprocess
import threading

import pytest

from memorybank import Bank
from memorybank.bank import recording
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.editing import dating
from memorybank.errors import Conflict, PermissionRefused
from memorybank.notes import date_record
from memorybank.rotation.decision import RotationPlan
from memorybank.storage.create_bank import GITIGNORE
from memorybank.storage.layout import BANK, Layout

NOW = 1_758_112_496_789
OLD = NOW - 40 * DAY


def recorded(scratch) -> dict[str, tuple[int, int]]:
    """{key: its recorded (created, modified), in days before now}"""
    return {note.key: ((NOW - note.created) // DAY, (NOW - note.modified) // DAY) for note in date_record.read(scratch.layout).notes}


def opened(scratch, at: int = NOW) -> Bank:
    return Bank.open(scratch.root, clock=FixedClock(at))


def commit(scratch, at: int) -> None:
    (scratch.root / ".gitignore").write_text(GITIGNORE)
    scratch.git("add", "-A")
    environment = {"GIT_AUTHOR_DATE": isoformat(at), "GIT_COMMITTER_DATE": isoformat(at)}
    subprocess.run(["git", "commit", "-q", "-m", "x"], cwd=scratch.repository, check=True, env={**os.environ, **environment})


def dated(bank: Bank) -> dict[str, tuple[int, str]]:
    return {note.key: ((NOW - note.modified) // DAY, note.date_source) for note in bank.notes.list()}


def test_each_command_that_changes_notes_records_them(bank):
    scratch = bank({"planning/設計.md": "# 設計\n", "b.md": "# B\n"}, days_old=40)
    facade = opened(scratch)
    facade.notes.list()
    assert not (scratch.root / "dates.jsonl").exists(), "looking writes nothing"
    facade.notes.rate("b.md", 3)
    assert recorded(scratch) == {"planning/設計.md": (40, 40), "b.md": (40, 40)}, "a rating is not an edit"
    added = facade.notes.add("New")
    assert recorded(scratch)[added] == (0, 0)
    facade.notes.replace("b.md", "# B, edited\n", facade.notes.read("b.md").digest)
    assert recorded(scratch)["b.md"][0] == 40 and dated(facade)["b.md"][1] == "committed"
    _, change = facade.notes.rename("planning/設計.md", "用語/設計.md")
    assert recorded(scratch)["用語/設計.md"] == (40, 40) and "planning/設計.md" not in recorded(scratch)
    facade.rotation.undo_change(change)
    assert recorded(scratch)["planning/設計.md"] == (40, 40)
    facade.rotation.execute(facade.rotation.plan_forget(["planning/設計.md"]))
    assert "planning/設計.md" not in recorded(scratch)
    facade.archive.restore("planning/設計.md")
    assert recorded(scratch)["planning/設計.md"] == (40, 40)


def test_reading_searching_and_maintenance_write_no_record(bank):
    scratch = bank({"a.md": "todo\n", "b.md": "# 設計\n"}, days_old=90)
    scratch.configure("rotation", '{"pressure": {"notes": 1}, "grace_days": 0}')
    facade = opened(scratch)
    facade.search("設計")
    facade.status()
    facade.index.update("full")
    facade.rotation.plan()
    assert len(facade.rotation.maintain().rotations[0].rotated) == 1
    assert not (scratch.root / "dates.jsonl").exists() and not (scratch.root / ".gitattributes").exists()


def test_notes_that_git_ignores_are_not_named_in_a_committed_file(bank):
    scratch = bank({"a.md": "# A\n", "mine/秘密.md": "# 秘密\n"}, git=True, days_old=40)
    (scratch.repository / ".gitignore").write_text(".claude/memory/active/mine/\n")
    facade = opened(scratch)
    assert facade.notes.add("diary", folder="mine") == "mine/diary.md"
    facade.notes.rate("a.md", 5)
    assert set(recorded(scratch)) == {"a.md"}


def test_identical_notes_have_dates_of_their_own(bank):
    scratch = bank()
    scratch.write("a.md", "same\n", at=NOW - 50 * DAY)
    scratch.write("b.md", "same\n", at=NOW - 3 * DAY)
    assert dated(opened(scratch)) == {"a.md": (50, "recorded"), "b.md": (3, "recorded")}
    scratch.write("c.md", "same\n", at=NOW - 20 * DAY)
    assert dated(opened(scratch))["c.md"] == (20, "recorded"), "a copy is not a rename"
    for old, new in (("a.md", "x/a.md"), ("b.md", "x/b.md")):
        scratch.write(new, "same\n", at=NOW)
        (scratch.active / old).unlink()
    found = dated(opened(scratch))
    assert (found["x/a.md"], found["x/b.md"], found["c.md"]) == ((50, "recorded"), (3, "recorded"), (20, "recorded"))
    shutil.rmtree(scratch.root / "cache")
    assert dated(opened(scratch)) == found


def test_branches_that_change_different_notes_merge_without_a_conflict(bank):
    """Neighbouring lines, a note on each side, the same note on both, with the real git."""
    scratch = bank({f"{name}.md": f"# {name}\n" for name in "abcdef"}, git=True, days_old=40)
    facade = opened(scratch)
    facade.notes.rate("a.md", 1)
    commit(scratch, OLD)
    scratch.git("checkout", "-q", "-b", "other")
    for key in ("b.md", "d.md"):
        scratch.write(key, f"# {key} there\n", at=NOW)
    facade.notes.add("there")
    facade.notes.rate("b.md", 4)
    commit(scratch, NOW)
    scratch.git("checkout", "-q", "main")
    later = opened(scratch, NOW + DAY)
    for key in ("c.md", "e.md"):
        scratch.write(key, f"# {key} here\n", at=NOW + DAY)
    later.notes.add("here")
    later.rotation.execute(later.rotation.plan_forget(["f.md"]))
    commit(scratch, NOW + DAY)
    scratch.git("merge", "-q", "--no-edit", "other")
    text = (scratch.root / "dates.jsonl").read_text()
    assert "<<<<" not in text
    merged = opened(scratch, NOW + 2 * DAY)
    assert {note.date_source for note in merged.notes.list()} == {"committed"}
    found = {note.key: note.modified for note in merged.notes.list()}
    assert (found["a.md"], found["b.md"], found["c.md"]) == (OLD, NOW, NOW + DAY)
    merged.notes.rate("a.md", 2)
    assert len((scratch.root / "dates.jsonl").read_text().splitlines()) == len(found), "stale lines are dropped"


def test_a_committed_conflict_is_still_a_record(bank):
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"}, days_old=40)
    opened(scratch).notes.rate("a.md", 1)
    (first, second) = (scratch.root / "dates.jsonl").read_text().splitlines()
    (scratch.root / "dates.jsonl").write_text(f"<<<<<<< HEAD\n{first}\n=======\n{second}\n>>>>>>> other\n")
    assert {source for _, source in dated(opened(scratch)).values()} == {"committed"}


def cloned(scratch, target, *options: str) -> Bank:
    subprocess.run(["git", "clone", "-q", *options, f"file://{scratch.repository}", str(target)], check=True, capture_output=True)
    return Bank.open(target / BANK, clock=FixedClock(NOW))


def decisions(plan: RotationPlan) -> list[tuple[str, str, int]]:
    return [(decision.key, decision.rule, decision.age_days) for decision in plan.decisions]


def test_a_full_clone_a_shallow_clone_and_a_copy_without_git_agree(bank, tmp_path):
    """With an edit that was committed late, a rating, a rename, and a copy of a text."""
    scratch = bank({"a.md": "# A\n", "設計/b.md": "# B\n", "c.md": "todo\n", "d.md": "todo\n"}, git=True, days_old=60)
    commit(scratch, NOW - 60 * DAY)
    scratch.write("a.md", "# A, edited\n", at=NOW - 35 * DAY)
    writer = opened(scratch, NOW - 34 * DAY)
    writer.notes.rename("設計/b.md", "設計/新しい名前.md")
    writer.notes.rate("c.md", 2)
    commit(scratch, NOW - 2 * DAY)
    copy = tmp_path / "copy"
    shutil.copytree(scratch.root, copy, ignore=shutil.ignore_patterns("log", "cache", "backups"))
    found = [cloned(scratch, tmp_path / "full"), cloned(scratch, tmp_path / "shallow", "--depth", "1"), Bank.open(copy, clock=FixedClock(NOW))]
    ages = [dated(facade) for facade in (*found, opened(scratch))]
    assert ages[0] == ages[1] == ages[2] == ages[3]
    assert ages[0] == {"a.md": (35, "committed"), "設計/新しい名前.md": (60, "committed"), "c.md": (60, "committed"), "d.md": (60, "committed")}
    plans = [decisions(facade.rotation.plan()) for facade in found]
    assert plans[0] == plans[1] == plans[2] and any(rule != "none" for _, rule, _ in plans[0])


def test_a_shallow_clone_does_not_record_what_it_cannot_know(bank, tmp_path):
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"}, git=True, days_old=60)
    commit(scratch, NOW - 60 * DAY)
    scratch.write("c.md", "# C\n")
    commit(scratch, NOW - 10 * DAY)
    shallow = cloned(scratch, tmp_path / "shallow", "--depth", "1")
    assert set(dated(shallow).values()) == {(10, "shallow")}
    shallow.notes.replace("b.md", "# B, edited\n", shallow.notes.read("b.md").digest)
    assert [note.key for note in date_record.read(shallow.layout).notes] == ["b.md"]
    assert dated(shallow)["a.md"] == (10, "shallow")


def test_a_git_that_fails_writes_no_dates(bank, monkeypatch):
    """A time limit of git would otherwise make the dates of a fresh checkout the truth for everybody."""
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"}, git=True, days_old=0)
    commit(scratch, NOW - 60 * DAY)
    monkeypatch.setattr("memorybank.notes.git_dates.history", lambda *_arguments: None)
    facade = opened(scratch)
    facade.notes.rate("a.md", 4)
    assert not (scratch.root / "dates.jsonl").exists()
    monkeypatch.undo()
    shutil.rmtree(scratch.root / "cache")
    assert dated(opened(scratch))["b.md"] == (60, "git")


def test_what_was_edited_by_hand_after_the_record_has_its_own_date(bank):
    scratch = bank({"a.md": "# A\n"}, git=True, days_old=60)
    opened(scratch).notes.rate("a.md", 4)
    commit(scratch, NOW - 50 * DAY)
    scratch.write("a.md", "# A, by hand\n", at=NOW - 9 * DAY)
    assert dated(opened(scratch))["a.md"] == (9, "edit")
    commit(scratch, NOW - 8 * DAY)
    assert dated(opened(scratch))["a.md"] == (8, "git")


def test_a_date_can_be_corrected_in_the_file(bank):
    scratch = bank({"a.md": "# A\n"}, days_old=60)
    opened(scratch).notes.rate("a.md", 4)
    path = scratch.root / "dates.jsonl"
    path.write_text(path.read_text().replace(isoformat(NOW - 60 * DAY), isoformat(NOW - 5 * DAY)))
    assert dated(opened(scratch))["a.md"] == (5, "committed")


def test_two_commands_at_once_lose_no_line(bank):
    scratch = bank({"a.md": "# A\n"}, days_old=60)
    errors = []

    def add(number: int) -> None:
        try:
            opened(scratch).notes.add(f"note {number}")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and len(recorded(scratch)) == 8


def test_a_record_that_cannot_be_written_does_not_stop_the_command(bank, monkeypatch):
    scratch = bank({"a.md": "# A\n"}, days_old=60)

    def refuse(*_arguments, **_options):
        raise PermissionRefused("dates.jsonl: permission denied")

    monkeypatch.setattr(dating, "update", refuse)
    facade = opened(scratch)
    assert (facade.notes.rate("a.md", 4), facade.notes.add("new")) == ("a.md", "shared/new.md")
    assert recorded(scratch) == {} and b"rating: 4" in (scratch.active / "a.md").read_bytes()


def test_a_folder_in_the_place_of_the_record_does_not_stop_the_command(bank):
    scratch = bank({"a.md": "# A\n"}, days_old=60)
    (scratch.root / "dates.jsonl").mkdir()
    assert opened(scratch).notes.rate("a.md", 4) == "a.md"
    assert opened(scratch).notes.add("new") == "shared/new.md"


def test_init_begins_a_grace_once_and_records_what_was_there(tmp_path):
    root = tmp_path / BANK
    (root / "active").mkdir(parents=True)
    (root / "active" / "用語.md").write_text("# 用語\n", encoding="utf-8")
    os.utime(root / "active" / "用語.md", ns=(OLD * 1_000_000, OLD * 1_000_000))
    Bank.create(root, zone="UTC", clock=FixedClock(NOW))
    before = (root / "dates.jsonl").read_bytes()
    Bank.create(root, zone="UTC", clock=FixedClock(NOW + DAY))
    assert (root / "dates.jsonl").read_bytes() == before
    record = date_record.read(Layout(str(root)))
    assert record.start.at == NOW and [(note.key, note.modified) for note in record.notes] == [("用語.md", OLD)]


def test_each_adoption_begins_a_grace_and_records_what_it_brought(bank):
    scratch = bank({"a.md": "# A\n"}, days_old=60)
    assert recording.begin(opened(scratch), date_record.ADOPT) == [".gitattributes", "dates.jsonl"]
    assert opened(scratch, NOW + 20 * DAY).rotation.plan().grace is None
    scratch.write("vault/用語.md", "todo\n", at=NOW - 300 * DAY)
    later = opened(scratch, NOW + 20 * DAY)
    assert recording.begin(later, date_record.ADOPT) == []
    plan = later.rotation.plan()
    assert (plan.grace.why, plan.leaving) == ("adopt", ()) and "vault/用語.md" in {decision.key for decision in plan.deferred}
    assert recorded(scratch)["vault/用語.md"] == (300, 300)


def test_purge_drops_the_lines_about_notes_whose_names_contain_the_text(bank):
    scratch = bank({"the-secret-name.md": "# A\n", "b.md": "# B\n"}, days_old=60)
    facade = opened(scratch)
    facade.notes.rate("b.md", 4)
    assert "dates.jsonl" in {place.path for place in facade.purge("the-secret-name", dry_run=True).found}
    facade.purge("the-secret-name")
    assert set(recorded(scratch)) == {"b.md"}
    with pytest.raises(Conflict):
        facade.notes.rename("b.md", "the-secret-name.md")


@pytest.mark.parametrize("how", ["undo", "restore"])
@pytest.mark.parametrize("beside", [True, False], ids=["beside a changed one", "alone"])
def test_a_note_that_comes_back_keeps_the_date_of_its_text(bank, tmp_path, how, beside):
    """In a clone its file is as new as the clone, and under another name it has no history."""
    scratch = bank({"token.md": "# Token\n\nThe access token expires after 24 hours.\n"}, git=True, days_old=40)
    opened(scratch).notes.rate("token.md", 5)
    commit(scratch, OLD)
    there = cloned(scratch, tmp_path / "there")
    os.utime(there.layout.note_path("token.md"), (NOW / 1000, NOW / 1000))
    there.rotation.execute(there.rotation.plan_forget(["token.md"]))
    if beside:
        with open(there.layout.note_path("token.md"), "w") as file:
            file.write("# Token\n\nThe access token expires after 12 hours.\n")
        there.notes.list()
    there.rotation.undo() if how == "undo" else there.archive.restore("token.md")
    found = {note.key: (NOW - note.modified) // DAY for note in there.notes.list()}
    assert {days for key, days in found.items() if "~" in key or not beside} == {40}
    assert len(found) == 1 + beside
