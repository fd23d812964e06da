"""Pages of notes and of archived notes, and the versions of a note."""

import os
import subprocess

import pytest

from memorybank import Bank, Conflict, NotFound
from memorybank.scoring.rank import ranks
from tests.conftest import DAY


@pytest.fixture
def notes(bank, fixed_clock):
    scratch = bank()
    for number in range(7):
        tags = "[検索, db/lite]" if number % 2 else "[db]"
        scratch.write(f"planning/deep/n{number}.md", f"---\ntitle: N{6 - number}\ntags: {tags}\n---\n{'word ' * (number + 1)}\n", days_old=90 + number)
    scratch.write("shared/s.md", "# S\n\ntext\n", days_old=1)
    return scratch, Bank.open(str(scratch.root), clock=fixed_clock)


def test_notes_are_listed_by_folder_tag_and_order_page_by_page(notes):
    _, bank = notes
    assert bank.catalogue.notes().total == 8 and [(each.path, each.notes) for each in bank.catalogue.notes().folders] == [("planning", 7), ("shared", 1)]
    page = bank.catalogue.notes(folder="planning", sort="title", first=2, limit=3)
    assert page.total == 7 and [note.title for note in page.notes] == ["N2", "N3", "N4"] and page.folders[0].path == "planning/deep"
    assert bank.catalogue.notes(folder="plan").total == 0, "a folder is not a beginning of a name"
    assert [note.key for note in bank.catalogue.notes(sort="size", limit=1).notes] == ["planning/deep/n5.md"]
    assert bank.catalogue.notes(tags=["db"]).total == 7, "a tag counts for the tags above it"
    assert bank.catalogue.notes(tags=["db", "検索"]).total == 3 and bank.catalogue.notes(tags=["dB/lite%"]).total == 0
    folders, tags = bank.catalogue.names()
    assert folders == ["planning", "shared"] and set(tags) == {"検索", "db", "db/lite"}


@pytest.mark.parametrize("limit", [0, 1, 5, 8, 50])
def test_the_newest_notes_are_the_first_of_the_list_and_ranked_among_all(notes, limit):
    scratch, bank = notes
    scratch.write("n.md", "of the same minute", days_old=93)
    scratch.write("ー.md", "of the same minute", days_old=93)
    every = sorted(bank.notes.list(), key=lambda note: (-note.modified, note.key))
    newest = bank.catalogue.newest(limit)
    assert (list(newest.notes), newest.total, newest.ranks) == (every[:limit], 10, ranks(note.importance for note in every))


def test_the_archive_is_listed_newest_first_and_found_by_words(notes, fixed_clock):
    scratch, bank = notes
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    fixed_clock.instant += DAY
    scratch.write("sync/late.md", "# Late\n\n潮汐表\n", days_old=200)
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    page = bank.catalogue.archived(limit=3)
    assert (page.found, page.total) == (8, 8) and page.notes[0].title == "Late" and len(page.notes) == 3
    assert [each.title for each in bank.catalogue.archived("late 潮汐").notes] == ["Late"]
    assert bank.catalogue.archived("nothing").notes == ()
    bank.archive.restore(page.notes[0].id)
    assert bank.catalogue.archived().total == 8, "an object stays when its note comes back"
    [path] = scratch.root.rglob(f"{page.notes[0].id}.json")
    path.unlink()
    os.utime(path.parent, ns=(1, 1))
    assert bank.catalogue.archived().total == 7, "a removed sidecar leaves the list"


def test_a_sidecar_that_cannot_be_trusted_is_a_problem_of_its_page(notes, fixed_clock):
    scratch, bank = notes
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    next(scratch.root.rglob("archive/by_date/*/*/*.json")).write_text("{}", encoding="utf-8")
    page = bank.catalogue.archived()
    assert page.total == 7 and len(page.notes) == 6 and [problem.code for problem in page.problems] == ["sidecar_invalid"]


def test_a_note_has_the_versions_of_git_of_changes_and_of_the_archive(bank, fixed_clock):
    scratch = bank({"planning/a.md": "# A\n\none\n"})
    git = ["git", "-C", str(scratch.repository)]
    (scratch.repository / ".git").rmdir()
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-f", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "First words"], check=True)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    note = opened.notes.read("planning/a.md", record_view=False)
    change = opened.notes.replace(note.key, "# A\n\ntwo\n", note.digest)
    opened.rotation.execute(opened.rotation.plan_forget(["planning/a.md"]), yes=True)
    opened.rotation.undo()
    versions = opened.history.versions("planning/a.md")
    assert versions[0].origin == "present" and sorted(each.origin for each in versions[1:]) == ["archived", "change", "commit"]
    of = {each.origin: each for each in versions}
    assert (of["commit"].by, of["commit"].what) == ("Test", "First words") and of["change"].change == change
    assert opened.history.text("planning/a.md", of["commit"].id) == opened.history.text("planning/a.md", of["change"].id) == "# A\n\none\n"
    assert opened.history.text("planning/a.md", of["archived"].id) == "# A\n\ntwo\n"
    assert list(opened.history.difference("planning/a.md", of["commit"].id))[-2:] == ["-one", "+two"]
    assert list(opened.history.difference("planning/a.md", of["archived"].id)) == []
    for name in ("commit:HEAD:../../x", "change:nothing", "archived:../x", "", "commit:--output=x:y"):
        with pytest.raises(NotFound):
            opened.history.text("planning/a.md", name)


def test_one_s_own_words_replace_what_was_known(bank, fixed_clock):
    from memorybank import UsageError
    from tests.conftest import NOW
    from tests.cycle.conftest import Session

    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "one", NOW - DAY)
    work.prompt("Build it, please. Never edit the generated schema by hand.")
    work.turn_end("Done.")
    work.end()
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    [rule] = opened.knowledge.list("rule")
    with pytest.raises(UsageError):
        opened.knowledge.rewrite(rule.id, "  ")
    key = opened.knowledge.rewrite(rule.id, "The schema is generated by make schema.")
    assert "make schema" in opened.notes.read(key).text and opened.notes.read(key).front.tags == ("rule",)
    assert opened.knowledge.list("rule") == [] and [each.id for each in opened.knowledge.list(is_rejected=True)] == [rule.id]


def test_a_text_that_somebody_saved_is_not_replaced(bank, fixed_clock):
    """What the page's editor relies on."""
    scratch = bank({"a.md": "# A\n"})
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    before = opened.notes.read("a.md").digest
    scratch.write("a.md", "# Theirs\n")
    with pytest.raises(Conflict):
        opened.notes.replace("a.md", "# Mine\n", before)
    assert opened.history.text("a.md", "present") == "# Theirs\n"
