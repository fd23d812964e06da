"""scripts/bench/stories: the beginning of one story, played in real hook processes, and what counts as met."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts import SCRIPTS, loaded

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[1] / "data" / "stories"


@pytest.fixture(scope="module")
def story():
    return loaded("bench/story.py")


def test_every_need_names_an_event_of_its_story(story):
    for name in story.NAMES:
        lines = story.read(DATA / f"{name}.jsonl")
        kinds = {(line["session"], line["event"]): line["kind"] for line in lines}
        assert len(kinds) == len(lines), name
        for need in story.read(DATA / f"{name}.needs.jsonl"):
            assert kinds[need["session"], need["event"]] in ("prompt", "call"), need
            re.compile(need["pattern"])


def test_a_need_is_met_in_time_late_or_not_at_all(story):
    def told(event, moment, text, session=2):
        return story.ShownText("made", session, event, "2026-10-01T00:00:00+00:00", moment, text)

    label = {"session": 2, "event": 3, "pattern": "make (test|check)"}
    start, before, failure = told(1, "start", "run make test"), told(3, "before", "make check"), told(3, "failure", "make test")
    assert story._met(label, [start]) == story._met(label, [before, failure]) == "in time"
    assert story._met(label, [told(1, "start", "make lint"), failure]) == "late"
    assert story._met(label, [told(1, "start", "make test", session=1)]) == "not at all"


def test_the_first_sessions_of_a_story_are_played(tmp_path):
    """Every event gets an answer, the clock is that of the story, and commands with git are real."""
    shown = tmp_path / "shown.jsonl"
    command = [sys.executable, str(SCRIPTS / "bench" / "stories"), "hare-dwh", "--sessions", "3", "--shown", str(shown), "--format", "json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    texts = [json.loads(line) for line in shown.read_text(encoding="utf-8").splitlines()]
    assert {text["session"] for text in texts} == {1, 2, 3}
    rows = {row["moment"]: row for row in json.loads(done.stdout)}
    assert rows["all"]["texts"] == sum(bool(text["text"]) for text in texts)
    assert rows["all"]["in_time"] + rows["all"]["late"] + rows["all"]["not_at_all"] == 1
    [third] = [text["text"] for text in texts if (text["session"], text["moment"]) == (3, "start")]
    assert "2026-09-30" in third
