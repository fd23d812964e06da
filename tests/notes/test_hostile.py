"""Notes written to break a reader, each parsed in a process of its own: none raises, ends the process or keeps it busy."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SECONDS, MEGABYTES = 20, 1024
AT_LEAST = 150


@pytest.fixture(scope="module")
def outcomes() -> list[dict[str, object]]:
    script = Path(__file__).with_name("hostile_notes.py")
    done = subprocess.run(
        [sys.executable, str(script), str(SECONDS), str(MEGABYTES)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"},
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_there_are_enough_of_them_and_each_has_its_own_name(outcomes: list[dict[str, object]]) -> None:
    assert len({outcome["name"] for outcome in outcomes}) == len(outcomes) >= AT_LEAST


def test_every_one_is_a_note(outcomes: list[dict[str, object]]) -> None:
    assert [outcome for outcome in outcomes if outcome["outcome"] != "parsed"] == []


def test_none_takes_longer_than_its_size_explains(outcomes: list[dict[str, object]]) -> None:
    """In processor time. The limit is far above what any needs, far below what a quadratic reader would take."""
    assert [outcome for outcome in outcomes if float(str(outcome["seconds"])) > 10] == []


def test_what_is_refused_says_why(outcomes: list[dict[str, object]]) -> None:
    problems = {outcome["name"]: outcome["problems"] for outcome in outcomes}
    assert problems["front/brackets at the cap"] == ["front_matter_too_deep"]
    assert problems["front/billion laughs"] == ["front_matter_alias"]
    assert problems["brackets over the cap"] == ["front_matter_too_large"]
    assert problems["front/same key"] == ["front_matter_duplicate_key"]
    assert problems["front/open quote"] == ["front_matter_invalid"]
    assert problems["value/rating/0"] == ["front_matter_value"]
    assert problems["prose between rules"] == [] == problems["prose like a mapping"]
