"""The lists of two colleagues, merged by git itself: whatever git makes of them, every text is in the list or in the archives."""

import subprocess

import pytest

from memorybank.clock import FixedClock
from memorybank.episodes import list_file
from memorybank.episodes.entry import made
from memorybank.episodes.store import EpisodeStore

from .worlds import replaced

CLOCK = FixedClock(0)

pytestmark = pytest.mark.slow


def day(date, summary, source, digest="d", **more):
    return made(date, summary, f"{date}T20:00:00+00:00", kind="day", by="extractive", covers=[(date, source, digest)], **more)


def commit(scratch, entries, message):
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: entries)
    scratch.git("add", "-A")
    scratch.git("commit", "-q", "-m", message)


BASE = [day(f"2025-09-{number:02d}", f"base {number}", "events/base") for number in (1, 5, 9)]
CASES = {
    "both add at the end": ([*BASE, day("2025-09-10", "mine", "events/a")], [*BASE, day("2025-09-11", "yours", "events/b")]),
    "both add in the middle": ([*BASE, day("2025-09-03", "mine", "events/a")], [*BASE, day("2025-09-07", "yours", "events/b")]),
    "both add the same date": ([*BASE, day("2025-09-05", "mine", "events/a")], [*BASE, day("2025-09-05", "yours", "events/b")]),
    "both tell the same day": ([*BASE, day("2025-09-10", "mine", "events/a")], [*BASE, day("2025-09-10", "yours", "events/a")]),
    "one edits, one adds": (
        [BASE[0].with_fields(summary="edited by hand"), *BASE[1:]],
        [*BASE, day("2025-09-02", "yours", "events/b"), day("2025-09-12", "yours too", "events/b")],
    ),
    "both edit one text": ([BASE[0].with_fields(summary="mine"), *BASE[1:]], [BASE[0].with_fields(summary="yours"), *BASE[1:]]),
    "one begins anew": ([day("2025-09-20", "mine", "events/a")], [*BASE, day("2025-09-12", "yours", "events/b")]),
}


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
@pytest.mark.parametrize("case", CASES)
def test_a_merge_of_git_loses_no_text(bank, case, style):
    mine, yours = CASES[case]
    scratch = bank(git=True)
    scratch.git("config", "merge.conflictStyle", style)
    commit(scratch, BASE, "base")
    scratch.git("checkout", "-q", "-b", "theirs")
    commit(scratch, yours, "theirs")
    scratch.git("checkout", "-q", "main")
    commit(scratch, mine, "mine")
    subprocess.run(["git", "merge", "-q", "theirs"], cwd=scratch.repository, capture_output=True, check=False)
    stored = list_file.read(scratch.layout)
    assert not stored.broken
    wanted = {entry.summary for entry in (*mine, *yours)}
    kept = EpisodeStore(scratch.layout, CLOCK)
    kept.change(lambda known: known)
    assert wanted <= {entry.summary for entry in (*list_file.read(scratch.layout).entries, *replaced(scratch.layout))}
    assert not list_file.read(scratch.layout).merged
