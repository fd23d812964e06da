"""`memorybank policy`: what it prints, for people and programs, and how its mistakes are told."""

import json

import pytest

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
    assert "top_k" in done.out and "nothing was learned yet: the settings rule; learning" in done.out
    assert policy("history").out.strip() == "nothing was learned or set yet"


def test_a_value_set_by_hand_has_its_history_and_its_way_back(policy):
    done = policy("set", "recall_weights.recency", "0.4", "--reason", "新しいものを優先")
    assert "version 1: 新しいものを優先" in done.out and "'memorybank policy rollback 0' takes it back" in done.err
    state = json.loads(policy("show", "--format", "json").out)
    weights = {one["key"]: one["value"] for one in state["settings"] if one["key"].startswith("recall_weights")}
    assert weights["recall_weights.recency"] == 0.4 and sum(weights.values()) == pytest.approx(1, abs=1e-4)
    (record,) = json.loads(policy("history", "--format", "json").out)
    assert (record["by"], record["reason"]) == ("person", "新しいものを優先")
    assert "recall_weights.recency" in policy("diff", "0", "1").out
    policy("rollback", "0")
    state = json.loads(policy("show", "--format", "json").out)
    assert state["version"] == 2 and all(one["value"] == one["configured"] for one in state["settings"])
    assert policy("diff", "0", "2").out.strip() == "versions 0 and 2 are the same"


def test_what_is_left_out_is_listed(policy):
    policy("set", "exclusions", "note/-/old, group/bash/-")
    assert "left out: group/bash/-" in policy("show").out
    policy("set", "exclusions", "none")
    assert "left out" not in policy("show").out


def test_freezing_stops_learning_and_says_how_to_go_on(policy):
    done = policy("freeze")
    assert "nothing is learned from now on" in done.out and "policy freeze --off" in done.err
    assert "not learning" in policy("show").out
    policy("freeze", "--off")
    assert "; learning" in policy("show").out


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
        (("set", "nope", "1"), 2, "no key of the policy"),
        (("set", "exclusions", "everything"), 2, "no pattern of memories"),
        (("rollback", "7"), 3, "no version 7"),
        (("diff", "0", "7"), 3, "no version 7"),
    ],
)
def test_mistakes_change_nothing(policy, scratch, arguments, code, says):
    done = policy(*arguments, code=code)
    assert says in done.err and "next:" in done.err
    assert log.read(scratch.layout, None)[0] == []
