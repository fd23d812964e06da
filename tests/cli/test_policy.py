"""`memorybank policy`: what it prints for people and programs, and how it reports mistakes."""

import json

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle import policy as records
from memorybank.log import key
from memorybank.log import policy as log


@pytest.fixture
def scratch(bank):
    return bank()


@pytest.fixture
def policy(run, scratch):
    """policy(*arguments) → what the command says."""

    def call(*arguments, code=0):
        done = run(scratch, "policy", *arguments)
        assert done.code == code, done.err
        return done

    return call


def test_nothing_learned_is_said(policy):
    done = policy("show")
    assert "top_k" in done.out and "nothing has been learned yet; the settings apply; learning is on" in done.out
    assert policy("history").out.strip() == "nothing has been learned or set yet"


def test_a_value_set_by_hand_has_its_history_and_its_way_back(policy):
    done = policy("set", "recall_weights.recency", "0.4", "--reason", "新しいものを優先")
    assert "version 1: 新しいものを優先" in done.out and "'memorybank policy rollback 0' undoes this" in done.err
    state = json.loads(policy("show", "--format", "json").out)
    weights = {one["key"]: one["value"] for one in state["settings"] if one["key"].startswith("recall_weights")}
    assert weights["recall_weights.recency"] == 0.4 and sum(weights.values()) == pytest.approx(1, abs=1e-4)
    (record,) = json.loads(policy("history", "--format", "json").out)
    assert (record["by"], record["reason"]) == ("person", "新しいものを優先")
    assert "recall_weights.recency" in policy("diff", "0", "1").out
    policy("rollback", "0")
    state = json.loads(policy("show", "--format", "json").out)
    assert state["policy_version"] == 2 and all(one["value"] == one["configured"] for one in state["settings"])
    assert policy("diff", "0", "2").out.strip() == "versions 0 and 2 are the same"


def test_what_is_left_out_is_listed(policy):
    policy("set", "exclusions", "session@session_start, topic@prompt")
    assert "excluded: topic@prompt (" in policy("show").out and "excluded: session@session_start (" in policy("show").out
    assert json.loads(policy("show", "--format", "json").out)["exclusions"] == ["session@session_start", "topic@prompt"]
    policy("set", "exclusions", "none")
    assert "left out" not in policy("show").out


def in_force(policy):
    """(the values, the exclusions) that are in force."""
    state = json.loads(policy("show", "--format", "json").out)
    return {one["key"]: one["value"] for one in state["settings"]}, state["exclusions"]


def test_a_rollback_brings_back_the_values_and_the_exclusions_of_its_version(policy):
    policy("set", "exclusions", "finding@prompt")
    policy("set", "top_k", "3")
    before = in_force(policy)
    policy("set", "exclusions", "topic@prompt")
    policy("set", "top_k", "4")
    policy("rollback", "2")
    assert in_force(policy) == before and (before[0]["top_k"], before[1]) == (3, ["finding@prompt"])
    policy("rollback", "0")
    assert in_force(policy)[1] == []


def test_after_a_rollback_a_setting_that_a_person_changed_since_still_wins(policy, scratch):
    """A record knows the settings that it was made on top of, and a rollback restores them with it."""
    policy("set", "top_k", "3")
    scratch.configure("cycle", json.dumps({"memory": {}, "recall": {"top_k": 7}}))
    assert in_force(policy)[0]["top_k"] == 7
    policy("rollback", "1")
    assert in_force(policy)[0]["top_k"] == 7


def test_a_rollback_does_not_start_learning_that_a_person_stopped(policy):
    policy("set", "top_k", "3")
    policy("freeze")
    policy("rollback", "1")
    assert "; learning is off" in policy("show").out


def test_a_rollback_that_changes_values_does_not_start_learning_either(policy):
    policy("set", "top_k", "3")
    policy("set", "top_k", "4")
    policy("freeze")
    assert "version 4: back to version 1" in policy("rollback", "1").out
    assert "; learning is off" in policy("show").out and in_force(policy)[0]["top_k"] == 3


@pytest.fixture
def of_an_earlier_version(scratch, fixed_clock):
    """A policy that excludes patterns, as earlier versions learned them, in addition to an occasion."""
    own = records.values_of(CycleSettings())
    made = records.PolicyRecord(own, own, ("note/-/planning", "group/bash/-", "finding@prompt"), at=fixed_clock.instant, reason="learned", by=records.LEARNING)
    log.append(scratch.layout, key.ensure(scratch.layout), lambda _: made.fields(), fixed_clock)


def test_patterns_of_an_earlier_version_are_marked_as_not_obeyed(policy, of_an_earlier_version):
    shown = policy("show").out
    assert "excluded: finding@prompt (" in shown
    assert [line.split(" (")[0] for line in shown.splitlines() if line.startswith("ignored")] == ["ignored: note/-/planning", "ignored: group/bash/-"]
    state = json.loads(policy("show", "--format", "json").out)
    assert (state["exclusions"], state["not_obeyed"]) == (["finding@prompt"], ["note/-/planning", "group/bash/-"])


@pytest.mark.parametrize("change", [("set", "top_k", "3"), ("freeze",), ("rollback", "1")], ids=" ".join)
def test_the_next_change_drops_what_is_not_obeyed(policy, of_an_earlier_version, change):
    policy(*change)
    state = json.loads(policy("show", "--format", "json").out)
    assert (state["policy_version"], state["exclusions"], state["not_obeyed"]) == (2, ["finding@prompt"], [])


def test_freezing_stops_learning_and_says_how_to_go_on(policy):
    done = policy("freeze")
    assert "learning is off" in done.out and "policy freeze --off" in done.err
    assert "; learning is off" in policy("show").out
    policy("freeze", "--off")
    assert "; learning is on" in policy("show").out


def test_a_line_edited_by_hand_is_named(policy, scratch):
    policy("set", "top_k", "3")
    policy("set", "top_k", "4")
    path = log.path(scratch.layout)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text.replace('"top_k":4', '"top_k":20'))
    done = policy("show")
    assert "log/policy.jsonl line 2 is refused" in done.err and "version 1" in done.out
    assert json.loads(policy("show", "--format", "json").out)["refused"][0]["line"] == 2


def test_a_secret_in_a_reason_is_not_kept(policy, scratch):
    policy("set", "top_k", "3", "--reason", "the token is ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a")
    with open(log.path(scratch.layout), encoding="utf-8") as stream:
        assert "ghp_" not in stream.read()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("set", "top_k", "99"), 2, "expected 1 to 20"),
        (("set", "top_k", "nan"), 2, "expected a number"),
        (("set", "top_k", "2.5"), 2, "top_k cannot be '2.5'"),
        (("set", "nope", "1"), 2, "not a key of the policy"),
        (("set", "exclusions", "everything"), 2, "'everything' does not name an occasion"),
        (("set", "exclusions", "note@prompt"), 2, "'note@prompt' does not name an occasion"),
        (("set", "exclusions", "finding@prompt, rule@session_start"), 2, "'rule@session_start' does not name an occasion"),
        (("set", "exclusions", "finding@noon"), 2, "'finding@noon' does not name an occasion"),
        (("rollback", "7"), 3, "no version 7"),
        (("diff", "0", "7"), 3, "no version 7"),
    ],
)
def test_mistakes_change_nothing(policy, scratch, arguments, code, says):
    done = policy(*arguments, code=code)
    assert says in done.err and "next:" in done.err
    assert log.read(scratch.layout, None)[0] == []
