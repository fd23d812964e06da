"""Planted facts are counted where they would help: known to another session, new to this one, and shown in time."""

import json
import sys
from pathlib import Path

import pytest

from memorybank.cycle.event import Event
from memorybank.replay.text_targets import ShownText

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "bench"))

import planted_truth as planted

FACT = {"kind": "preference", "subject": 1, "any_of": [["bin/dump"], ["uv", "pip"]], "known": [["first", 100]], "occasions": [["second", 200, 300]]}


@pytest.fixture
def asked(tmp_path):
    def found(*facts, events=()):
        (tmp_path / "truth.json").write_text(json.dumps({"facts": facts}), encoding="utf-8")
        return planted.occasions(tmp_path, events)

    return found


def test_a_fact_counts_that_another_session_knew_before(asked):
    assert [(one.session, one.until) for one in asked(FACT)] == [("second", 300)]
    assert asked({**FACT, "known": [["second", 100]]}) == [] and asked({**FACT, "known": [["first", 250]]}) == []


@pytest.mark.parametrize(("at", "counts"), [(150, 0), (250, 1)])
def test_what_the_session_saw_itself_is_nothing_to_recall(asked, at, counts):
    event = Event(host="claude-code", name="prompt", session_id="second", prompt="please run bin/dump", at=at)
    assert len(asked(FACT, events=[event])) == counts


def test_a_text_in_time_with_all_terms_of_one_entry_meets_it(asked):
    (occasion,) = asked(FACT)

    def score(text, at):
        found = planted.score([occasion], [(at, ShownText("second", "main", 0, text))])["preference"]
        return found.asked, found.met, found.stale

    assert score("first bin/dumpを実行", 300) == (1, 1, 0) and score("use uv, not pip", 299) == (1, 1, 0)
    assert score("use uv", 299) == score("bin/dump", 301) == score("bin/dump-all", 299) == (1, 0, 0)


def test_what_held_before_is_stale(asked):
    later = {**FACT, "any_of": [["bin/new"]], "known": [["first", 150]]}
    occasion = next(one for one in asked({**FACT, "occasions": []}, later))
    found = planted.score([occasion], [(250, ShownText("second", "main", 0, "run bin/dump"))])["preference"]
    assert (found.met, found.stale) == (0, 1)
