"""Dates of notes in a bank: they expire by the clock alone, are marked, weigh, are proposed, and vague ones are left to a person."""

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from tests.claims.conftest import DAY, NOW

FREEZE = "---\ncreated: 2025-09-10\nupdated: 2025-09-10\n---\n# Freeze\n\nNo deploys until Friday.\n"
"""Written on a Wednesday; the Friday is 2025-09-12, and NOW is 2025-09-17."""


@pytest.fixture
def repository(planted):
    made = planted()
    made.commit(0, add=["src/main.py"])
    made.note("a.md", FREEZE, 95)
    return made


def at(repository, day: int) -> Bank:
    return Bank.open(repository.active.parent, clock=FixedClock(NOW + day * DAY))


def states(bank):
    return {each.claim.subject: (each.found.state, each.found.target) for each in bank.claims.list()}


def test_a_date_passes_without_a_change(repository):
    assert states(at(repository, -6)) == {"until Friday": ("holds", "2025-09-12")}
    assert states(at(repository, 0)) == {"until Friday": ("expired", "2025-09-12")}
    assert states(at(repository, -6)) == {"until Friday": ("holds", "2025-09-12")}


def test_the_mark_names_the_day(repository):
    found = at(repository, 0).claims.untrue("a.md")
    assert [str(each.reason) for each in found] == ["said to hold until 2025-09-12"]


def test_a_due_date_has_its_own_words(repository):
    repository.note("a.md", FREEZE.replace("No deploys until", "Rotate the key by"), 95)
    assert [str(each.reason) for each in at(repository, 0).claims.untrue("a.md")] == ["was due by 2025-09-12"]


def test_an_edit_moves_the_day_because_the_sentence_may_be_younger(repository):
    repository.note("a.md", FREEZE.replace("updated: 2025-09-10", "updated: 2025-09-15"), 95)
    assert states(at(repository, 0)) == {"until Friday": ("holds", "2025-09-19")}


def test_a_note_whose_dates_only_this_clone_knows_says_nothing(repository):
    repository.note("a.md", "# Freeze\n\nNo deploys until Friday, and use the key until 2025-09-12.\n", 90)
    assert states(at(repository, 0)) == {"until Friday": ("unknown", ""), "until 2025-09-12": ("expired", "2025-09-12")}


def test_an_expired_date_weighs_and_one_that_holds_does_not(repository):
    def points(bank, **options):
        return {each.name: each.value for each in bank.scores.explain("a.md", **options).contributions}.get("relationship.claims")

    assert points(at(repository, -6)) is None
    assert points(at(repository, -6), as_of="2025-09-17") < 0
    assert points(at(repository, 0)) < 0
    assert points(at(repository, 0), as_of="2025-09-11") is None


def test_a_note_about_a_date_that_passed_is_proposed(repository):
    assert at(repository, -6).rotation.plan_forget_stale().leaving == ()
    (found,) = at(repository, 0).rotation.plan_forget_stale().leaving
    assert (found.key, str(found.reason)) == ("a.md", "outdated: 1 of 1 thing that it names; said to hold until 2025-09-12")


def test_a_note_with_a_file_that_exists_is_not(repository):
    repository.note("a.md", FREEZE.replace("No deploys", "`src/main.py` is frozen"), 95)
    assert at(repository, 0).rotation.plan_forget_stale().leaving == ()


def test_vague_statements_are_to_be_reviewed_after_half_a_year_and_never_expire(repository):
    repository.note("b.md", FREEZE.replace("No deploys until Friday", "The limit is temporary, and the pool is small for now"), 95)
    assert at(repository, 100).claims.to_review() == []
    found = at(repository, 190).claims.to_review()
    assert [(each.key, each.claim.subject, each.found.state) for each in found] == [("b.md", "is temporary", "unknown")]
    assert {each.found.state for each in at(repository, 190).claims.list("b.md")} == {"unknown"}
    assert "b.md" not in {each.key for each in at(repository, 190).rotation.plan_forget_stale().leaving}
    assert at(repository, 190).claims.untrue("b.md") == []
