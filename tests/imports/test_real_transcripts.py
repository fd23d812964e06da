"""Transcripts of other people's real sessions: imported completely, counted by another program, and compared with what hooks recorded.

They are not part of this repository: `MEMORYBANK_TRANSCRIPTS` names the folder with the `*.jsonl.gz` files (CONTRIBUTING.md has all such variables).
A folder of 240 transcripts takes about ten minutes.
"""

import gzip
import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from memorybank.cycle.fold import cache
from memorybank.hosts.transcripts.claude_code import is_internal
from memorybank.log import chain
from tests.hook.played import play

FOLDER = os.environ.get("MEMORYBANK_TRANSCRIPTS", "")
FOUND = sorted(Path(FOLDER).rglob("*.jsonl.gz")) if FOLDER else []
pytestmark = [
    pytest.mark.skipif(not FOUND, reason="MEMORYBANK_TRANSCRIPTS is not set: no real transcript is imported"),
    pytest.mark.usefixtures("free_syncs"),  # the hooks of a hundred sessions write ten thousand lines
]
PROGRAM = Path(__file__).with_name("count.jq")


def counted(path: Path) -> dict:
    """The counts of jq for one transcript."""
    done = subprocess.run(["jq", "-nRc", "-f", str(PROGRAM)], input=gzip.decompress(path.read_bytes()), capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed: nobody counts independently")
def test_every_event_is_there_by_an_independent_count(place):
    """Follows the mapping table of docs/format.md, for all transcripts of the folder, on disk."""
    expected: Counter[str] = Counter()
    sessions: set[str] = set()
    for path in FOUND:
        if not is_internal(path.name.removeprefix("agent-")):
            counts = counted(path)
            sessions |= set(counts.pop("sessions"))
            expected.update(counts)
    notices = expected.pop("notices")
    expected.update(session_start=len(sessions) + expected["compact_before"], session_end=len(sessions))
    place.clock.instant = 1_900_000_000_000  # long after all transcripts
    place.take_in(Path(FOLDER))
    lines = [json.loads(line) for data in place.logs().values() for line in data.splitlines()]
    assert Counter(line["event"] for line in lines) == +expected
    assert sum(line.get("human") is False for line in lines) == notices
    assert all(check.state == "whole" for check in chain.check(place.bank.layout))


def test_twice_is_once(place):
    place.take_in(Path(FOLDER))
    before = place.logs()
    assert sum(place.take_in(Path(FOLDER)).counts.added.values()) == 0
    assert place.logs() == before


def test_what_hooks_recorded_is_not_added(place):
    """The same session through the hook, event by event, and then from its transcript."""
    sessions = [path for path in FOUND if "subagents" not in path.parts and path.stat().st_size > 30_000]
    if not sessions:
        pytest.skip("all transcripts of the folder are too short")
    for path in sessions:
        for _ in play(path, place.bank.layout):
            pass
    cache.close()
    before = place.logs()
    place.take_in(*sessions)
    added = [json.loads(line) for name, data in place.logs().items() for line in data.removeprefix(before[name]).splitlines()]
    assert len(before) == len(sessions)
    assert [line for line in added if line["agent_id"] == "main"] == []  # no payloads of the sub-agents were played
