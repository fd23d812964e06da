"""Dates: who is believed, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes.dates import CommittedDates, NoteDates, ObservedEdits, dates, edits, future_problems
from memorybank.notes.git_dates import GitDates
from memorybank.notes.note import FrontMatter

BLOB = "b" * 40
UNOBSERVED = ObservedEdits()
MTIME = 900
GIT = GitDates(created=100, modified=500, commits=3, blob=BLOB)


def test_mtime_when_nothing_else_is_known() -> None:
    assert dates(FrontMatter(), UNOBSERVED, None, MTIME, BLOB) == NoteDates(MTIME, MTIME, "mtime")


def test_git_dates_the_content_it_holds() -> None:
    assert dates(FrontMatter(), UNOBSERVED, GIT, MTIME, BLOB) == NoteDates(100, 500, "git")


def test_git_does_not_date_a_changed_file_but_still_says_when_it_was_made() -> None:
    assert dates(FrontMatter(), UNOBSERVED, GIT, MTIME, "c" * 40) == NoteDates(100, MTIME, "mtime")


def test_in_a_shallow_clone_a_note_is_at_least_as_old_as_the_border() -> None:
    hidden = GitDates(None, None, 0, BLOB, latest=300)
    assert dates(FrontMatter(), UNOBSERVED, hidden, MTIME, BLOB) == NoteDates(300, 300, "shallow")
    assert dates(FrontMatter(), UNOBSERVED, hidden, MTIME, "c" * 40) == NoteDates(MTIME, MTIME, "mtime"), "it was changed here"
    assert dates(FrontMatter(updated=200), UNOBSERVED, hidden, MTIME, BLOB) == NoteDates(200, 200, "front_matter")


def test_the_committed_record_of_this_content_comes_before_everything() -> None:
    observed = ObservedEdits(edits=1, last_edit=800, recorded=700, first=600)
    for git in (GIT, GitDates(None, None, 0, BLOB, latest=300), None):
        assert dates(FrontMatter(updated=850), observed, git, MTIME, BLOB, CommittedDates(150, 400)) == NoteDates(150, 400, "committed")


def test_a_record_of_another_content_says_only_when_the_note_was_created() -> None:
    assert dates(FrontMatter(), UNOBSERVED, None, MTIME, BLOB, CommittedDates(150)) == NoteDates(150, MTIME, "mtime")


def test_what_is_committed_has_the_date_of_its_commit_whenever_it_was_saved_here() -> None:
    observed = ObservedEdits(edits=1, last_edit=800, recorded=700, first=650)
    assert dates(FrontMatter(), observed, GIT, MTIME, BLOB) == NoteDates(100, 500, "git")


def test_what_is_not_committed_has_the_date_observed_here() -> None:
    assert dates(FrontMatter(), ObservedEdits(recorded=700, first=650), GIT, MTIME, "c" * 40) == NoteDates(100, 700, "recorded")
    assert dates(FrontMatter(), ObservedEdits(recorded=700, first=650), None, MTIME, BLOB) == NoteDates(650, 700, "recorded")


def test_an_observed_edit_comes_before_what_is_recorded() -> None:
    assert dates(FrontMatter(), ObservedEdits(edits=1, last_edit=800, recorded=700, first=600), None, MTIME, BLOB) == NoteDates(600, 800, "edit")


def test_the_later_of_front_matter_and_edit_counts() -> None:
    observed = ObservedEdits(edits=1, last_edit=800, recorded=700, first=600)
    assert dates(FrontMatter(updated=750), observed, None, MTIME, BLOB) == NoteDates(600, 800, "edit")
    assert dates(FrontMatter(updated=850), observed, None, MTIME, BLOB) == NoteDates(600, 850, "front_matter")
    assert dates(FrontMatter(updated=50), UNOBSERVED, GIT, MTIME, BLOB) == NoteDates(100, 500, "git"), "a commit after the first one is an edit"
    assert dates(FrontMatter(updated=550), UNOBSERVED, GIT, MTIME, BLOB) == NoteDates(100, 550, "front_matter")
    added = GitDates(created=500, modified=500, commits=1, blob=BLOB)
    assert dates(FrontMatter(updated=50), UNOBSERVED, added, MTIME, BLOB) == NoteDates(50, 50, "front_matter"), "the commit that adds a note is not an edit"


def test_created_is_never_later_than_modified() -> None:
    assert dates(FrontMatter(created=950), UNOBSERVED, GIT, MTIME, BLOB) == NoteDates(500, 500, "git")
    assert dates(FrontMatter(created=10), UNOBSERVED, GIT, MTIME, BLOB).created == 10


def test_edits() -> None:
    assert edits(UNOBSERVED, None) is None
    assert edits(UNOBSERVED, GitDates(None, None, 0, BLOB)) is None
    assert edits(UNOBSERVED, GitDates(1, 1, 1, BLOB)) == 0
    assert edits(UNOBSERVED, GIT) == 2
    assert edits(ObservedEdits(edits=5), GIT) == 5
    assert edits(ObservedEdits(edits=1), None) == 1
    assert edits(UNOBSERVED, None, CommittedDates(edits=0)) == 0
    assert edits(UNOBSERVED, GIT, CommittedDates(edits=7)) == 7
    assert edits(ObservedEdits(edits=5), GIT, CommittedDates(modified=400, edits=7)) == 7
    assert edits(ObservedEdits(edits=5), GIT, CommittedDates(modified=400)) is None, "where the version is recorded, every clone counts the same"


def test_a_future_date_is_kept_and_named() -> None:
    future = NoteDates(900, 1000, "mtime")
    assert [problem.code for problem in future_problems("x.md", future, 950)] == ["date_in_future"]
    assert len(future_problems("x.md", future, 0)) == 2 and not future_problems("x.md", future, 1000)


INSTANT = st.none() | st.integers(-(10**14), 10**15)


@given(INSTANT, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT, INSTANT, st.integers(0, 10**15), st.booleans())
def test_every_date_comes_from_somewhere(created, updated, last_edit, recorded, first, git_created, git_modified, mtime, same) -> None:
    git = GitDates(git_created, git_modified, 1, BLOB)
    dated = dates(FrontMatter(created=created, updated=updated), ObservedEdits(1, last_edit, recorded, first), git, mtime, BLOB if same else "")
    assert dated.created <= dated.modified
    assert dated.modified in (updated, last_edit, recorded, git_modified, mtime)
    assert updated is None or dated.modified >= updated
