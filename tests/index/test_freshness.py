"""How fresh an answer is, and the index settings that say so."""

import os

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.log import access, lines
from memorybank.log.access import AccessLine
from memorybank.notes import scan

NOW = 1_758_112_496_789
ALWAYS = '{"freshness": {"max_sweep_notes": 0, "max_age_seconds": 3600}}'


def bank_of(scratch, now: int = NOW) -> Bank:
    return Bank.open(str(scratch.root), clock=FixedClock(now))


def titles(scratch, query: str, now: int, **options) -> tuple[list[str], str | None]:
    answer = bank_of(scratch, now).search(query, **options)
    return [hit.title for hit in answer.hits], answer.stale


def edit_in_place(scratch, key: str, text: str) -> None:
    """Change a file without touching its folder."""
    path = scratch.active / key
    path.write_bytes(text.encode())
    os.utime(path, ns=((NOW - DAY) * 10**6,) * 2)


@pytest.fixture
def large(bank):
    """A bank that counts as large: an in-place edit may be missed for an hour."""
    scratch = bank({"shared/a.md": "# Anchor\n\nword\n", "shared/b.md": "# Buoy\n\nother\n"})
    scratch.configure("index", ALWAYS)
    bank_of(scratch).index.update("full")
    return scratch


def test_a_large_bank_says_that_an_edit_may_be_missed_and_fresh_finds_it(large):
    edit_in_place(large, "shared/b.md", "# Buoy\n\n灯台 lighthouse\n")
    found, stale = titles(large, "lighthouse", NOW + 60_000)
    assert found == [] and "--fresh" in str(stale[-1])
    assert titles(large, "lighthouse", NOW + 61_000, fresh=True) == (["Buoy"], ())


def test_a_look_older_than_the_limit_is_taken_again(large):
    edit_in_place(large, "shared/b.md", "# Buoy\n\nlighthouse\n")
    assert titles(large, "lighthouse", NOW + 3_600_000 + 1) == (["Buoy"], ())


def test_a_new_note_is_seen_by_its_folder(large):
    large.write("shared/c.md", "# Lighthouse 灯台\n", days_old=1)
    assert titles(large, "灯台", NOW + 60_000)[0] == ["Lighthouse 灯台"]


def test_a_note_about_to_be_shown_is_looked_at(large):
    edit_in_place(large, "shared/a.md", "# Anchor, renamed\n\nword\n")
    assert titles(large, "word", NOW + 60_000)[0] == ["Anchor, renamed"]


def test_a_small_bank_is_looked_at_whole_every_time(bank):
    scratch = bank({"shared/b.md": "# Buoy\n\nother\n"})
    bank_of(scratch).index.update("full")
    edit_in_place(scratch, "shared/b.md", "# Buoy\n\nlighthouse\n")
    assert titles(scratch, "lighthouse", NOW + 1_000) == (["Buoy"], ())


@pytest.mark.parametrize(("window", "read_again"), [(0, 0), (20, 1)])
def test_the_racy_window_decides_which_files_are_read_again(bank, window, read_again):
    scratch = bank()
    scratch.configure("index", f'{{"freshness": {{"racy_window_ms": {window}}}}}')
    scratch.write("a.md", "# A\n", at=NOW - 10)
    bank_of(scratch).index.update("full")
    assert bank_of(scratch, NOW + 60_000).index.update("incremental").read == read_again


@pytest.mark.parametrize(("after_update", "published"), [("true", True), ("false", False)])
def test_publishing_after_an_update_can_be_switched_off(bank, after_update, published):
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("index", f'{{"publish": {{"after_update": {after_update}}}}}')
    bank_of(scratch).index.update("incremental")
    assert (scratch.root / "indexes/content_index.json").exists() is published
    bank_of(scratch, NOW + 1000).index.update("selective", ["a.md"], publish=True)
    assert (scratch.root / "indexes/content_index.json").exists()


@pytest.mark.parametrize(("days", "access_part"), [(30, 10.0), (3, 1.0)])
def test_the_access_window_is_a_setting(bank, days, access_part):
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("scoring", f'{{"calibration": {{"enabled": false}}, "access_patterns": {{"frequency_scoring": {{"window_days": {days}}}}}}}')
    bank_of(scratch, NOW - 40 * DAY).index.update("incremental")
    access.append(scratch.layout, [AccessLine("view", "a.md", NOW - 10 * DAY)] * 10, FixedClock(NOW))
    assert bank_of(scratch).scores.score()[0].breakdown.access == access_part


@pytest.mark.parametrize("shorter", [False, True])
def test_an_access_log_that_was_replaced_is_folded_again(bank, folded, shorter):
    """Another log can be as long as the folded one, for example after a restore from a backup."""
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"})
    with folded(scratch):
        access.append(scratch.layout, [AccessLine("view", "a.md", NOW), AccessLine("view", "a.md", NOW)], FixedClock(NOW))
    with folded(scratch) as index:
        assert [row[0] for row in index.connection.execute("SELECT key FROM reads")] == ["a.md", "a.md"]
    path = access.path(scratch.layout)
    found = [line.fields for line in lines.read(path)]
    other = {"a.md": "b.md", "b.md": "a.md"}
    with open(path, "wb") as stream:
        stream.write(b"".join(lines.encode({**fields, "path": other[fields["path"]]}) for fields in (found[:-1] if shorter else found)))
    with folded(scratch) as index:
        assert [row[0] for row in index.connection.execute("SELECT key FROM reads")] == ["b.md"] * (1 if shorter else 2)


def test_the_notes_of_a_folder_that_cannot_be_listed_stay_in_the_index(bank, folded, monkeypatch):
    scratch = bank({"planning/設計.md": "# A\n", "shared/b.md": "# B\n"})
    with folded(scratch):
        pass

    def refusing(listing):
        def refused(path):
            if os.fsdecode(path).rstrip("/").endswith("/planning"):
                raise PermissionError(13, "Permission denied", path)
            return listing(path)

        return refused

    (scratch.active / "shared/b.md").unlink()
    for name in ("scandir", "listdir"):
        monkeypatch.setattr(scan.os, name, refusing(getattr(os, name)))
    with folded(scratch) as index:
        assert [row[0] for row in index.connection.execute("SELECT key FROM notes")] == ["planning/設計.md"]
