"""`list` and `status` in a large bank, moments after all files were looked at."""

import os

import pytest

from memorybank.bank import Bank
from memorybank.cli.call import CommandCall
from memorybank.cli.main import run
from memorybank.index import files, fold, meta

LARGE = '{"freshness": {"max_sweep_notes": 0}}'


@pytest.fixture
def large(bank, fixed_clock):
    """(scratch, Bank, texts of notices) of a bank that counts as large, after a look that found nothing to do."""
    scratch = bank({f"shared/{name}.md": f"# {name}\n" for name in "abc"}, days_old=9)
    scratch.configure("index", LARGE)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    for _ in range(2):
        opened.notes.list()
    notices = []
    opened.notice = notices.append
    return scratch, opened, notices


@pytest.fixture
def looks(monkeypatch):
    """The number of looks at all files since the last `clear`."""
    found, sweep = [], files.sweep
    monkeypatch.setattr(files, "sweep", lambda index: found.append(1) or sweep(index))
    return found


def edit_in_place(scratch, key, text):
    """Change a file without touching its folder, and leave it as old as it was."""
    path = scratch.active / key
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def titles(opened, **options):
    return [note.title for note in opened.catalogue.newest(50, **options).notes]


def of_list(opened):
    return opened.catalogue.newest(50, fresh=False).total


def of_status(opened):
    return opened.status(every=False, fresh=False).report.metrics.active_files


def overviews(opened):
    return [of_list(opened), of_status(opened)]


def test_an_overview_moments_after_a_look_looks_at_folders_only_and_says_so(large, looks, fixed_clock):
    _, opened, notices = large
    fixed_clock.instant += 9_000
    assert overviews(opened) == [3, 3] and not looks
    assert len(notices) == 2 and all("9 s" in notice and "--fresh" in notice for notice in notices)


@pytest.mark.parametrize("overview", [of_list, of_status])
def test_an_overview_later_looks_at_every_note(large, looks, fixed_clock, overview):
    scratch, opened, notices = large
    edit_in_place(scratch, "shared/b.md", "# B\n")
    fixed_clock.instant += 11_000
    assert overview(opened) == 3 and looks and not notices and "B" in titles(opened, fresh=False)


def test_who_asks_for_it_gets_every_note_looked_at(large, looks):
    scratch, opened, notices = large
    edit_in_place(scratch, "shared/b.md", "# B\n")
    assert sorted(titles(opened)) == ["B", "a", "c"] and looks and not notices
    looks.clear()
    assert opened.status().report.metrics.active_files == 3 and looks and not notices


def test_a_note_that_the_overview_shows_is_looked_at(large, looks):
    scratch, opened, _ = large
    edit_in_place(scratch, "shared/b.md", "# B\n")
    assert sorted(titles(opened, fresh=False)) == ["B", "a", "c"] and not looks


def test_a_note_that_would_leave_soon_is_looked_at(bank, fixed_clock, looks):
    scratch = bank()
    scratch.write("shared/old.md", "An old note about something else.\n", days_old=27)
    scratch.configure("index", LARGE)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    for _ in range(3):
        opened.status(every=False)
    looks.clear()
    edit_in_place(scratch, "shared/old.md", "# New\n\nAn old note about something else.\n")
    (soon,) = opened.status(every=False, fresh=False).soon
    with opened.opened() as index:
        assert soon.key == "shared/old.md" and index.note(soon.key).title == "New"


def added(scratch, opened):
    scratch.write("shared/d.md", "# d\n", days_old=9)


def removed(scratch, opened):
    (scratch.active / "shared/b.md").unlink()


def folded_by_a_hook(scratch, opened):
    edit_in_place(scratch, "shared/b.md", "# B\n")
    with opened.opened() as index:
        fold.fold(index, only=["shared/b.md"], portion=True)


def rated(scratch, opened):
    opened.notes.rate("shared/b.md", 9)


def read(scratch, opened):
    opened.notes.read("shared/b.md")


def aged(scratch, opened):
    with opened.opened() as index:
        index.connection.execute("UPDATE notes SET next_change_at = 1 WHERE key = 'shared/b.md'")


@pytest.mark.parametrize("change", [added, removed, folded_by_a_hook, rated, read, aged])
def test_after_any_change_that_leaves_a_trace_every_note_is_looked_at(large, looks, change):
    scratch, opened, _ = large
    change(scratch, opened)
    looks.clear()
    overviews(opened)
    assert looks
    assert {note.key: note for note in opened.catalogue.newest(9, fresh=False).notes} == {note.key: note for note in opened.notes.list()}


def test_a_look_that_found_a_problem_is_repeated(large, looks, fixed_clock):
    scratch, opened, _ = large
    (scratch.active / "shared/link.md").symlink_to("b.md")
    for _ in range(3):
        fixed_clock.instant += 1_000
        looks.clear()
        assert [problem.code for problem in opened.status(every=False, fresh=False).problems] == ["symlink"] and looks


def test_rows_that_something_else_harmed_raise_the_alert(large, looks):
    _, opened, _ = large
    with opened.opened() as index:
        index.connection.execute("DELETE FROM tokens")
    assert "index_mismatch" in [alert.id for alert in opened.status(every=False, fresh=False).report.alerts] and looks


def test_a_bank_that_may_only_be_read_takes_what_others_recorded(large, looks):
    scratch, opened, _ = large
    reading = Bank.open(str(scratch.root), clock=opened.clock, read_only=True)
    assert overviews(reading) == [3, 3] and not looks
    opened.clock.instant += 11_000
    assert overviews(reading) == [3, 3] and len(looks) >= 2, "and records nothing itself"


def test_the_last_look_is_known_by_the_revision_that_it_found(large):
    _, opened, _ = large
    with opened.opened() as index:
        assert meta.integer(index.connection, "agreed_revision") == meta.integer(index.connection, "revision")


@pytest.mark.parametrize("command", ["list", "status"])
@pytest.mark.parametrize(("options", "is_complete"), [((), False), (("--fresh",), True), (("--format", "json"), True)])
def test_the_commands_look_at_every_note_for_json_and_on_request(large, looks, monkeypatch, capsys, command, options, is_complete):
    scratch, opened, _ = large
    monkeypatch.chdir(scratch.repository)
    assert run([command, *options], CommandCall(clock=opened.clock)) == 0
    assert bool(looks) == is_complete and ("--fresh" in capsys.readouterr().err) != is_complete
