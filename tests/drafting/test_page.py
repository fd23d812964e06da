"""Whose page it is: a draft replaces nothing that a person wrote or edited."""

import pytest

from memorybank import resident
from memorybank.clock import FixedClock
from memorybank.drafting import page
from memorybank.editing.write import NoteWriter
from memorybank.text.secrets.needle import PurgeNeedle

NOW = 1_758_112_496_789
OLD, NEW = "The old body.\n\n- 古い行", "The new body.\n\n- 新しい行"


def test_the_first_draft_is_the_page():
    for lying in (None, "", "  \n"):
        found = page.decide(lying, NEW, NOW)
        assert found.action == page.WRITTEN
        read = resident.parse(found.page)
        assert (read.body, read.is_drafted, read.is_edited, read.updated_at) == (NEW, True, False, NOW)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_an_untouched_draft_is_replaced_and_what_a_person_put_into_its_front_matter_stays(ends):
    lying = page.rendered(OLD, NOW - 1, ["title: ours", "tags:", "  - a"]).replace("\n", ends)
    found = page.decide(lying, NEW, NOW)
    assert found.action == page.WRITTEN
    assert found.page.startswith("---\nupdated_at: 2025-09-17T12:34:56.789Z\ngenerated: ")
    assert "\ntitle: ours\ntags:\n  - a\n---\n" in found.page
    assert {"-The old body.", "+The new body.", "-- 古い行", "+- 新しい行"} <= set(found.difference)


@pytest.mark.parametrize(
    ("lying", "reason"),
    [
        ("---\nupdated_at: 2025-09-01T00:00:00Z\n---\nWe wrote this.\n", "a person wrote the page"),
        (page.rendered(OLD, NOW).replace("old", "older"), "a person edited the page"),
        ("no front matter", "cannot be read as a summary"),
        ("---\nupdated_at: soon\n---\nbody", "cannot be read as a summary"),
        (page.rendered(OLD, NOW).replace("generated: ", "generated: 0"), "a person edited the page"),
    ],
)
def test_a_persons_page_stays_unless_forced(lying, reason):
    found = page.decide(lying, NEW, NOW)
    assert found.action == page.BESIDE
    assert reason in found.reason
    assert any(line.startswith("+The new body.") for line in found.difference)
    assert page.decide(lying, NEW, NOW, force=True).action == page.FORCED


def test_the_same_body_is_left_alone_whoever_wrote_it():
    for lying in (page.rendered(NEW, NOW - 1), f"---\nupdated_at: 2025-09-01T00:00:00Z\n---\n{NEW}\n"):
        assert page.decide(lying, NEW, NOW, force=True).action == page.UNCHANGED


def test_nothing_to_tell_replaces_nothing():
    assert page.decide(page.rendered(OLD, NOW), "", NOW, force=True).action == page.NOTHING


LEAK = "合言葉は ガギグ です"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_text_is_taken_out_of_a_page_that_nobody_edited_and_it_still_counts_as_drafted(bank, ends):
    scratch = bank({})
    summary = scratch.root / "summary.md"
    summary.write_bytes(page.rendered(f"Before.\n\n- {LEAK} 後", NOW, ["title: ours"]).replace("\n", ends).encode())
    assert page.purge(scratch.layout, PurgeNeedle(LEAK), FixedClock(NOW)) == 1
    found = resident.parse(summary.read_bytes().decode())
    assert (found.body, found.is_drafted, found.updated_at) == ("Before.\n\n- [PURGED] 後", True, NOW)
    assert "title: ours" in summary.read_text() and (ends.encode() in summary.read_bytes())
    assert page.purge(scratch.layout, PurgeNeedle(LEAK), FixedClock(NOW)) == 0


def test_a_persons_page_and_draft_stay_and_an_unedited_draft_is_removed(bank):
    scratch = bank({})
    edited = page.rendered(f"{LEAK}", NOW) + "edited\n"
    (scratch.root / "summary.md").write_text(edited)
    (scratch.root / page.DRAFT_NAME).write_text(page.rendered(f"{LEAK}", NOW))
    assert page.purge(scratch.layout, PurgeNeedle(LEAK), FixedClock(NOW)) == 1
    assert (scratch.root / "summary.md").read_text() == edited
    assert not (scratch.root / page.DRAFT_NAME).exists()
    (scratch.root / page.DRAFT_NAME).write_text(edited)
    assert page.purge(scratch.layout, PurgeNeedle(LEAK), FixedClock(NOW)) == 0
    assert (scratch.root / page.DRAFT_NAME).read_text() == edited


def test_what_somebody_saves_while_the_page_is_purged_stays(bank, monkeypatch):
    scratch = bank({})
    summary = scratch.root / "summary.md"
    summary.write_text(page.rendered(LEAK, NOW))
    real = NoteWriter.replace

    def replace(writer, *arguments, **options):
        summary.write_text("saved by an editor\n")
        return real(writer, *arguments, **options)

    monkeypatch.setattr(NoteWriter, "replace", replace)
    page.purge(scratch.layout, PurgeNeedle(LEAK), FixedClock(NOW))
    assert summary.read_text() == "saved by an editor\n"
