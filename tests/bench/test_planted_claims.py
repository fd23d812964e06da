"""Claims in generated repositories: what is called gone, moved or changed is so, and most of what left is found. `scripts/bench/claims` measures more."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from memorybank.bank import Bank

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"
PRECISION, RECALL = 0.97, 0.9


@pytest.fixture(scope="module")
def planted_claims():
    sys.path.insert(0, str(BENCH))
    try:
        import planted_claims

        return planted_claims
    finally:
        sys.path.remove(str(BENCH))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_states_are_right(planted_claims, tmp_path, seed):
    labels = planted_claims.plant(tmp_path, seed, files=150, changes=120, notes=250)
    counted = Counter(planted_claims.compared(Bank.open(tmp_path / ".claude" / "memory"), labels))
    for kind, state in (("path", "gone"), ("path", "moved"), ("command", "gone"), ("version", "changed"), ("version", "gone")):
        called = sum(count for (each, _, found), count in counted.items() if (each, found) == (kind, state))
        planted = sum(count for (each, label, _), count in counted.items() if (each, label) == (kind, state))
        right = counted[kind, state, state]
        assert right >= PRECISION * called, (kind, state, right, called)
        assert right >= RECALL * planted, (kind, state, right, planted)
    assert sum(counted.values()) > 300 and counted["path", "moved", "moved"] > 50 and counted["version", "changed", "changed"] > 10
