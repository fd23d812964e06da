"""A text that leaked into episodes is removed from the list, merged weeks, replaced texts and files that were set aside, and nothing else changes."""

import json
from pathlib import Path

import pytest

from memorybank import Bank
from memorybank.clock import FixedClock
from memorybank.episodes import archive, list_file, purged, store
from memorybank.episodes.entry import Episode, file_text, made, text_digest
from memorybank.episodes.running import EpisodesLock
from memorybank.errors import LockTimeout
from memorybank.storage.layout import Layout
from memorybank.text.secrets.needle import PurgeNeedle

from .worlds import replaced

NOW = 1_758_112_496_789
LEAKS = ["hunter2-is-the-pass-phrase", "合言葉はガギグゲゴです", 'quotes "and" back\\slash']


def entry(date, text, **more):
    return made(date, text, "2025-09-17T00:00:00+00:00", kind="day", by="extractive", covers=[(date, "events/a", "d" * 32)], **more)


def planted(bank, leak):
    """The text in every kind of file, in summaries that a person edited and in others."""
    scratch = bank()
    layout = scratch.layout
    folder = Path(list_file.folder(layout))
    Path(list_file.replaced_folder(layout)).mkdir(parents=True)
    edited = entry("2025-09-15", "before").with_fields(summary=f"A person wrote {leak} here.")
    entries = [entry("2025-09-14", "Clean."), edited, entry("2025-09-16", f"Said {leak}, twice: {leak}. 以上。", note={"kept": 1})]
    (folder / list_file.NAME).write_text(file_text(entries), encoding="utf-8")
    archive.write(layout, "2025-W37", [entry("2025-09-08", f"Monday: {leak}"), entry("2025-09-09", "Tuesday.")], FixedClock(0))
    store.keep_replaced(layout, entry("2025-09-10", f"An older text with {leak}."))
    store.keep_replaced(layout, entry("2025-09-11", "An older text."))
    (folder / "episodic_memory.broken-20250917T000000Z.json").write_text(f'[{{"date": "2025-09-12", "summary": {json.dumps(leak)}', encoding="utf-8")
    return scratch


def files(scratch):
    return {path.relative_to(scratch.root).as_posix(): path.read_bytes() for path in (scratch.root / "episodes").rglob("*.json")}


def holds(data, leak):
    text = data.decode("utf-8", "replace")
    return leak in text or json.dumps(leak)[1:-1] in text or json.dumps(leak, ensure_ascii=False)[1:-1] in text


@pytest.mark.parametrize("leak", LEAKS)
def test_it_is_found_and_taken_out_of_every_file_and_the_digests_stay_right(bank, leak):
    scratch = planted(bank, leak)
    before = files(scratch)
    opened = Bank.open(str(scratch.root), clock=FixedClock(NOW))
    found = opened.purge(leak, dry_run=True)
    held = sorted(name for name, data in before.items() if holds(data, leak))
    assert [(place.path, place.kind) for place in found.found] == [(name, "episode") for name in held] and len(held) == 4
    assert found.remaining == () and files(scratch) == before, "a dry run changes nothing, and leaves nothing to a person"
    report = opened.purge(leak)
    assert report.episodes == 4 and report.remaining == () and report.to_json()["episode_files_replaced"] == 4
    after = files(scratch)
    assert not any(holds(data, leak) for data in after.values())
    clean, edited, unedited = list_file.read(scratch.layout).entries
    assert clean.encoded == entry("2025-09-14", "Clean.").encoded
    assert edited.is_edited and edited.summary == "A person wrote [PURGED] here."
    assert not unedited.is_edited and unedited.summary == "Said [PURGED], twice: [PURGED]. 以上。" and unedited.raw["note"] == {"kept": 1}
    assert unedited.covers == (("2025-09-16", "events/a", "d" * 32),), "not due again"
    assert [one.summary for one in archive.read(scratch.layout, "2025-W37")] == ["Monday: [PURGED]", "Tuesday."], "what its digests say"
    assert not any(one.is_edited for one in archive.read(scratch.layout, "2025-W37"))
    assert [one.summary for one in replaced(scratch.layout)] == ["An older text with [PURGED].", "An older text."]
    for name, data in after.items():
        if "/replaced/" in name:
            assert name.endswith(store.replaced_name(Episode(json.loads(data)).first, data)), "called by its bytes"
    again = opened.purge(leak)
    assert (again.episodes, again.found) == (0, ()) and files(scratch) == after, "twice equals once"


def test_the_sides_of_a_merge_stay_sides(bank):
    """git's conflict marks and the text between them are left to the next update."""
    scratch = bank()
    layout = scratch.layout
    path = Path(list_file.path_of(layout))
    path.parent.mkdir()
    ours, theirs = entry("2025-09-15", f"ours {LEAKS[0]}").encoded, entry("2025-09-15", f"theirs {LEAKS[0]} {LEAKS[0]}").encoded
    path.write_text(f"[\n<<<<<<< a\n{ours}\n=======\n{theirs}\n>>>>>>> b\n]\n", encoding="utf-8")
    assert purged.purge(layout, PurgeNeedle(LEAKS[0]), FixedClock(0)) == 1
    text = path.read_text(encoding="utf-8")
    assert text.count("[PURGED]") == 3 and all(mark in text for mark in ("<<<<<<< a", "=======", ">>>>>>> b"))
    stored = list_file.read(layout)
    assert stored.merged and not any(one.is_edited for one in (*stored.entries, *stored.dropped))


@pytest.mark.slow
def test_nobody_else_is_at_the_episodes_meanwhile(bank):
    scratch = planted(bank, LEAKS[0])
    before = files(scratch)
    opened = Bank.open(str(scratch.root), clock=FixedClock(NOW))
    with EpisodesLock(scratch.layout, "memorybank episodes update", opened.clock), pytest.raises(LockTimeout):
        opened.purge(LEAKS[0])
    assert files(scratch) == before


def test_a_bank_without_episodes_has_nothing_to_purge(tmp_path):
    assert purged.purge(Layout(str(tmp_path)), PurgeNeedle(LEAKS[0]), FixedClock(0)) == 0 and not list(tmp_path.iterdir())


def test_a_digest_that_was_not_right_is_not_made_right():
    damaged = json.dumps({"week": "2025-W37", "entries": [{"digest": "0" * 64, "entry": {"date": "2025-09-08", "summary": LEAKS[0]}}]}).encode()
    assert json.loads(purged.without(damaged, PurgeNeedle(LEAKS[0])))["entries"][0]["digest"] == "0" * 64
    assert text_digest("x") not in purged.without(damaged, PurgeNeedle(LEAKS[0])).decode()
