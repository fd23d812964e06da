"""Event importance: six factors, each with an effect, weighted as in the settings."""

import pytest

from memorybank.config.cycle import EventImportance
from memorybank.cycle import importance
from memorybank.cycle.importance import ImportanceFactors

WEIGHTS = EventImportance()


def test_the_weighted_sum_is_the_documents_formula():
    """Score = 0.25×成果 + 0.20×再利用 + 0.20×横断影響 + 0.15×新規性 + 0.15×ユーザーシグナル + 0.05×コスト削減."""
    assert importance.event_importance(ImportanceFactors(1.0, 0.5, 0.25, 0.8, 0.5, 0.4), WEIGHTS) == pytest.approx(0.25 + 0.1 + 0.05 + 0.12 + 0.075 + 0.02)


@pytest.mark.parametrize("name", ["outcome", "reuse", "cross_impact", "novelty", "user_signal", "cost"])
def test_every_factor_moves_the_importance_by_its_weight(name):
    low = ImportanceFactors(**{part: 0.0 for part in ImportanceFactors._fields})
    high = ImportanceFactors(**{part: float(part == name) for part in ImportanceFactors._fields})
    gained = importance.event_importance(high, WEIGHTS) - importance.event_importance(low, WEIGHTS)
    assert gained == pytest.approx(getattr(WEIGHTS, name)) and gained > 0


def test_a_failure_teaches_more_than_a_success():
    assert [importance.outcome(status) for status in ("failure", "success", "partial", "unknown", None, "odd")] == [1.0, 0.8, 0.7, 0.5, 0.5, 0.5]


def test_the_initial_score_needs_no_state_and_every_input_moves_it():
    """Outcome, user signal and cost alone, each 0 to 1, in the proportion of their weights."""
    plain = importance.initial("success", 0, 1000, None, WEIGHTS)
    assert plain == round((0.25 * 0.8 + 0.15 * 0.5 + 0.05 * 0.5) / 0.45, 3)
    assert importance.initial("failure", 0, 1000, None, WEIGHTS) > plain
    assert importance.initial("success", -1, 1000, None, WEIGHTS) < plain < importance.initial("success", 1, 1000, None, WEIGHTS)
    assert importance.initial("success", 0, 60_000, None, WEIGHTS) < plain < importance.initial("success", 0, 10, None, WEIGHTS)
    assert importance.initial("success", 0, None, 50_000, WEIGHTS) < importance.initial("success", 0, None, 100, WEIGHTS)
    assert importance.initial("success", 0, None, None, EventImportance(outcome=0.0, user_signal=0.0, cost=0.0, novelty=1.0)) == 0.5


def test_cost_is_half_of_an_ordinary_call():
    assert importance.cost(importance.TYPICAL_MILLISECONDS, None) == importance.cost(None, importance.TYPICAL_TOKENS) == 0.5
    assert importance.cost(None, None) == 0.5
    assert importance.cost(0, None) == 1.0
    assert importance.cost(importance.TYPICAL_MILLISECONDS, importance.TYPICAL_TOKENS // 3) == pytest.approx((0.5 + 0.75) / 2, abs=0.001)


def test_cross_impact_grows_with_everybody_who_shares_and_never_reaches_one():
    assert importance.cross_impact((1, 1, 1)) == importance.cross_impact((1, 0, 0)) == 0.0
    grown = [importance.cross_impact((count, 1, 1)) for count in range(1, 20)]
    assert grown == sorted(set(grown)) and grown[-1] < 1
