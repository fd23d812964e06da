"""Dates: who is believed, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from memorybank.git import GitDates
from memorybank.notes.dates import NoteDates, ObservedEdits, dates, edits, future_problems
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


def test_a_shallow_clone_knows_nothing() -> None:
    assert dates(FrontMatter(), UNOBSERVED, GitDates(None, None, 0, BLOB), MTIME, BLOB) == NoteDates(MTIME, MTIME, "mtime")


def test_the_date_recorded_for_this_content_comes_before_git() -> None:
    assert dates(FrontMatter(), ObservedEdits(recorded=700, first=650), GIT, MTIME, BLOB) == NoteDates(100, 700, "recorded")
    assert dates(FrontMatter(), ObservedEdits(recorded=700, first=650), None, MTIME, BLOB) == NoteDates(650, 700, "recorded")


def test_an_observed_edit_comes_before_what_is_recorded() -> None:
    assert dates(FrontMatter(), ObservedEdits(edits=1, last_edit=800, recorded=700, first=600), None, MTIME, BLOB) == NoteDates(600, 800, "edit")


def test_the_later_of_front_matter_and_edit_counts() -> None:
    observed = ObservedEdits(edits=1, last_edit=800, recorded=700, first=600)
    assert dates(FrontMatter(updated=750), observed, GIT, MTIME, BLOB) == NoteDates(100, 800, "edit")
    assert dates(FrontMatter(updated=850), observed, GIT, MTIME, BLOB) == NoteDates(100, 850, "front_matter")
    assert dates(FrontMatter(updated=50), UNOBSERVED, GIT, MTIME, BLOB) == NoteDates(50, 50, "front_matter")


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
    assert dated.modified >= max((date for date in (updated, last_edit) if date is not None), default=dated.modified)
