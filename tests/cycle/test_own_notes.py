"""A leaked text in session notes: memorybank removes it from those that it wrote and nobody edited, and they stay its own. Edited notes do not change."""

from pathlib import Path

import pytest

from memorybank.bank.bank import Bank
from memorybank.bank.purge import outcome
from memorybank.config.settings import Settings
from memorybank.cycle.finish import finished, macro, outbox, session_note
from memorybank.log import organize
from memorybank.notes import parse
from memorybank.text import generated
from memorybank.text.needle import PurgeNeedle

ENOUGH = 10_000.0
LEAKS = ["hunter2-is-the-pass-phrase", "合言葉はガギグゲゴです"]


def worked(work, leak):
    work.prompt(f"{leak} is what I typed by mistake; make it green", task_id=f"fix/{leak}")
    work.edit("src/tokens.py", "return 1", f"return '{leak}'")
    work.turn_end(f"Done, {leak} is green.")


def finish(base, cache):
    outbox.gather(base, cache, lambda: ENOUGH, None)
    return macro.finish(base, cache, lambda: ENOUGH, None)


def note_of(base):
    (path,) = Path(base.layout.active, "sync", "sessions").glob("*.md")
    return path


@pytest.fixture(params=LEAKS, ids=["English", "Japanese"])
def leak(request):
    return request.param


@pytest.fixture
def noted(base, cache, session, leak):
    """A session note that contains the text in title, tags and body; returns (bank, path of the note, the session)."""
    work = session()
    worked(work, leak)
    work.end()
    assert finish(base, cache) == ["s1"]
    path = note_of(base)
    assert path.read_text().count(leak) >= 5
    return Bank(base.layout, Settings(), base.clock), path, work


def test_a_note_that_nobody_edited_is_blanked_and_is_still_a_note(noted, leak, base):
    bank, path, _ = noted
    before = path.stat().st_mtime_ns
    planned = bank.purge(leak, dry_run=True)
    assert [outcome(place, planned) for place in planned.found if place.kind == "session_note"] == ["would be blanked"] and planned.remaining == ()
    report = bank.purge(leak)
    assert (report.remaining, report.session_notes, report.problems) == ((), 1, [])
    note = parse.parse("sync/sessions/x.md", path.read_bytes())
    assert leak not in note.text and note.problems == ()
    assert note.title.startswith("[PURGED] is what I typed") and note.front.tags == ("session", "fix/[PURGED]") and note.front.session_id == "s1"
    assert path.stat().st_mtime_ns == before


def test_it_stays_the_note_of_its_session(noted, leak, base, cache):
    bank, path, work = noted
    bank.purge(leak)
    finished.catch_up(base, cache)
    assert outbox.due(base, cache, lambda: ENOUGH) == []
    work.prompt("and now the docs")
    work.edit("docs/a.md", "", "more")
    work.end()
    assert finish(base, cache) == ["s1"]
    assert note_of(base) == path and "docs/a.md" in path.read_text(), "written again, no second note beside it"


def test_what_a_person_edited_is_that_persons(noted, leak):
    bank, path, _ = noted
    path.write_text(path.read_text() + "\nMy own words.\n", encoding="utf-8")
    edited = path.read_bytes()
    report = bank.purge(leak)
    assert [(place.kind, outcome(place, report)) for place in report.remaining] == [("note", "yours to edit")]
    assert path.read_bytes() == edited and report.session_notes == 0


def test_a_purged_note_still_shows_that_nobody_edited_it(noted, leak):
    bank, path, _ = noted
    assert generated.is_sealed(path.read_bytes())
    bank.purge(leak)
    assert generated.is_sealed(path.read_bytes()) and leak not in path.read_text()


def test_twice_equals_once(noted, leak, base):
    bank, path, _ = noted
    bank.purge(leak)
    before = (path.read_bytes(), len(list(organize.read(base.layout))))
    assert bank.purge(leak).session_notes == 0
    assert (path.read_bytes(), len(list(organize.read(base.layout)))) == before


def test_a_run_that_died_before_the_note_was_replaced_is_finished_by_the_next(noted, leak, base, monkeypatch):
    bank, path, _ = noted

    def dies(*_arguments, **_more):
        raise KeyboardInterrupt

    monkeypatch.setattr(session_note.disk, "publish", dies)
    with pytest.raises(KeyboardInterrupt):
        session_note.purge(base.layout, PurgeNeedle(leak), base.clock)
    monkeypatch.undo()
    assert leak in path.read_text()
    assert bank.purge(leak).remaining == () and leak not in path.read_text()


@pytest.mark.parametrize("key", ["../../../outside.md", "/etc/passwd", "sync/sessions/../../top.md"])
def test_a_line_that_somebody_wrote_by_hand_leads_nowhere(noted, base, cache, key):
    _, path, work = noted
    step = organize.OrganizeStep("s1", organize.NOTE, base.clock.now(), 1, 1, "", {"key": key, "tree": "."})
    organize.append(base.layout, [step], base.clock)
    work.edit("docs/a.md", "", "more")
    work.end()
    assert finish(base, cache) == ["s1"]
    assert note_of(base) == path and "docs/a.md" in path.read_text()
