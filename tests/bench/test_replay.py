"""The table of scripts/bench/replay: every arm at every budget, and what it takes to claim something."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.replay import arena
from memorybank.replay.arena import Arm, ReplayResult
from memorybank.replay.measure import ArmCounts, OutcomeCounts, Tally
from memorybank.replay.report import report
from tests.scripts import loaded

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "replay"


@pytest.fixture(scope="module")
def bench():
    return loaded("bench/replay")


def sessions(hits, useful, fixes=1, count=200):
    """Sessions of ten targets, ten shown memories and four fixes each, which differ a little."""
    made = {}
    for number in range(count):
        kinds = {"fix": Tally(4, fixes + number % 2)}
        made[f"s{number:03}"] = ArmCounts(kinds, targets=10, hits=hits + number % 2, shown=10, useful=useful + number % 2, moments=20)
    return made


def made(budget=500, **others):
    """A report in which memorybank hits 5 of 10 and its baselines 2."""
    found = {arm: (2, 2) for arm in ("random", "recent", "frequent", "keyword")} | {"frozen": (5, 5), "learning": (5, 5)} | others
    arms = {Arm("memorybank" if name in arena.POLICIES else name, name if name in arena.POLICIES else "", budget): sessions(*found[name]) for name in found}
    return report(ReplayResult("made", 0, OutcomeCounts(0, 0, 0, 0, 0), arms))


def test_what_is_better_and_apart_everywhere_may_be_claimed(bench):
    assert bench.claims(made()) == []


def test_one_baseline_that_comes_near_is_named(bench):
    assert bench.claims(made(keyword=(5, 2))) == [f"memorybank ({policy}) against keyword at 500: not better and apart in both" for policy in arena.POLICIES]


def test_a_baseline_that_is_better_in_one_kind_is_named(bench):
    assert bench.claims(made(recent=(2, 2, 3))) == [f"memorybank ({policy}) against recent at 500: worse in fix" for policy in arena.POLICIES]


def test_learning_that_costs_more_than_a_little_is_named(bench):
    assert "memorybank (learning) against memorybank at 500: worse" in bench.claims(made(learning=(4, 5)))


def test_below_five_hundred_tokens_nothing_is_claimed_of_baselines(bench):
    assert bench.claims(made(budget=250, keyword=(9, 9))) == []


@pytest.mark.full
def test_the_script_plays_seeds_and_pools_them(tmp_path):
    options = ["1", "2", "--sessions", "5", "--budget", "500", "--policy", "frozen", "--format", "json", "--work", str(tmp_path)]
    done = subprocess.run([sys.executable, str(SCRIPT), *options], capture_output=True, text=True, timeout=300, check=True)
    reports = json.loads(done.stdout)
    assert [found["sessions"] for found in reports] == [5, 5, 10]
    for found in reports:
        assert [row["arm"] for row in found["rows"]] == ["none", "random", "recent", "frequent", "keyword", "memorybank"]
