"""scripts/bench/blind: the histories can be read, their labels are sound, and recall meets no fewer needs than it did."""

import gzip
import json
import subprocess
import sys

import pytest

from tests.bench.test_bench import BENCH, loaded

pytestmark = pytest.mark.slow
blind = loaded("bench/blind")
AT_LEAST = {"tidewater": 6, "gantry": 4, "komorebi": 6}
"""Needs of strength 2 and 3 of both halves that were met when this was written. Fewer are a regression; the goal is more."""


@pytest.mark.parametrize("name", blind.NAMES)
def test_the_labels_are_sound(name):
    """Each need quotes an earlier session, its terms do not stand in the prompt of the moment, and a quiet moment is one of a session."""
    entries = {}
    for path in (blind.DATA / name / "sessions").iterdir():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            entries.update({entry["uuid"]: entry for entry in map(json.loads, lines) if "uuid" in entry})
    sessions = {entry["sessionId"] for entry in entries.values()}
    labels = blind.read(blind.DATA / name / "needs.jsonl")
    assert {label["session"] for label in labels} <= sessions
    assert len({label["id"] for label in labels}) == len(labels)
    for need in (label for label in labels if label["kind"] != "quiet"):
        source = entries[need["source_uuid"]]
        assert source["sessionId"] == need["source_session"] != need["session"]
        assert need["quote"] in json.dumps(source, ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
        assert blind.milliseconds(source["timestamp"]) < blind.milliseconds(need["at"]) <= blind.milliseconds(need["until"])


@pytest.mark.parametrize("name", blind.NAMES)
def test_no_fewer_needs_are_met(name):
    done = subprocess.run([sys.executable, str(BENCH / "blind"), name, "--half", "all", "--format", "json"], capture_output=True, text=True, check=True)
    (found,) = json.loads(done.stdout)
    assert found["strong_met"] >= AT_LEAST[name]
    assert found["quiet_kept"] >= 0.88 * found["quiet"]
    assert found["tokens_of_a_session"] <= 600
    assert found["strong_floor"] < found["strong_met"]
