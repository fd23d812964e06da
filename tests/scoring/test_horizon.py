"""next_change_at is never late: until the instant it names, nothing that depends on time alone differs."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.group import merge
from memorybank.config.scoring import ScoringSettings
from memorybank.config.settings import DEFAULTS, FILES, Settings
from memorybank.scoring.horizon import NEVER, TREND_DAYS, decay_days, next_change_at
from memorybank.scoring.importance import score
from memorybank.scoring.parts import ScoreEvidence, age_days, is_known

DAY = 86_400_000
NOW = 1_758_112_496_789
PLAIN = ScoreEvidence(500, True, False, False, False, 1, None, 0.0, 0, 0, None, 0, 0, 0, 0.0, False, 1, 0, 1, None, False)


def in_window(use: int, at: int, settings: ScoringSettings) -> bool:
    """Whether a use counts at an instant: it is not in the future and less than `window_days` old."""
    return at - settings.window_days * DAY < use <= at


@dataclasses.dataclass(frozen=True)
class History:
    """A note's life: the date of its first content, its edits and reads by instant, and where the access log begins."""

    first: int
    edits: tuple[int, ...]
    views: tuple[int, ...]
    log_begins: int | None

    def modified(self, at):
        return max((edit for edit in self.edits if edit <= at), default=self.first)

    def evidence(self, at, settings):
        """What the index knows at the instant `at`."""
        return PLAIN._replace(
            modified=self.modified(at),
            edits=sum(edit <= at for edit in self.edits) or None,
            views=sum(in_window(view, at, settings.scoring) for view in self.views),
            recent_edits=sum(in_window(edit, at, settings.scoring) for edit in self.edits),
            access_known=is_known(self.log_begins, at, settings.scoring),
        )

    def seen(self, at, settings):
        """Everything about the note that time alone can change: score, trend, age bucket, age rules."""
        earlier = at - TREND_DAYS * DAY
        age = age_days(self.modified(at), at)
        return (
            score(self.evidence(at, settings), settings.scoring, at),
            score(self.evidence(earlier, settings), settings.scoring, earlier).total,
            (age > 7, age > 30),
            tuple(age >= border for border in settings.rotation.age_borders),
        )

    def horizon(self, at, settings):
        dates = {self.modified(at), self.modified(at - TREND_DAYS * DAY)}
        return next_change_at(dates, (*self.edits, *self.views), self.log_begins, settings, at)


def settings_of(half_life, min_score, window, medium_days, low_days):
    faults = []
    scoring = {
        "temporal_analysis": {"recency_scoring": {"half_life_days": half_life, "min_score": min_score}},
        "access_patterns": {"frequency_scoring": {"window_days": window}},
    }
    rotation = {
        "rotation_strategy": {"archival_rules": {"medium_importance": {"archive_after_days": medium_days}, "low_importance": {"archive_after_days": low_days}}}
    }
    settings = Settings(scoring=merge(FILES["scoring"], scoring, faults), rotation=merge(FILES["rotation"], rotation, faults))
    assert faults == []
    return settings


anything = st.builds(settings_of, st.floats(0.1, 60), st.just(0.0) | st.floats(0, 1), st.integers(1, 90), st.integers(0, 200), st.integers(0, 90))
offsets = st.integers(-100 * DAY, 5 * DAY) | st.integers(-100, 5).map(lambda days: days * DAY)
instants = offsets.map(lambda offset: NOW + offset)
histories = st.builds(History, instants, st.lists(instants, max_size=3).map(tuple), st.lists(instants, max_size=4).map(tuple), st.none() | instants)


@given(histories, st.just(DEFAULTS) | anything, st.data())
def test_nothing_changes_before_the_horizon(history, settings, data):
    """Compared at the last millisecond before it, on every whole day of every event up to it, and anywhere between."""
    horizon = history.horizon(NOW, settings)
    assert horizon > NOW
    end = min(horizon, NOW + 400 * DAY)
    events = (history.first, *history.edits, *history.views, history.log_begins or NOW)
    moments = {end - 1, data.draw(st.integers(NOW, end - 1))}
    moments |= {event + days * DAY + tick for event in events for days in range(-1, 130) for tick in (-1, 0, 1)}
    before = history.seen(NOW, settings)
    for moment in sorted(moments):
        if NOW <= moment < end:
            assert history.seen(moment, settings) == before, moment - NOW


@given(histories, anything)
def test_stepping_from_horizon_to_horizon_misses_no_change(history, settings):
    """Scores looked up only at the named instants equal scores computed every six hours."""
    known, horizon = history.seen(NOW, settings), history.horizon(NOW, settings)
    for quarter in range(1, 4 * 60):
        moment = NOW + quarter * DAY // 4
        if moment >= horizon:
            known, horizon = history.seen(moment, settings), history.horizon(moment, settings)
        assert history.seen(moment, settings) == known


@pytest.mark.parametrize(
    ("age", "days"),
    [(0, 1), (1, 1), (7, 1), (23, 1), (24, 1), (30, 1), (31, None), (32, None), (1000, None)],
)
def test_with_the_shipped_settings_each_day_counts_until_the_thirty_first(age, days):
    """24 days of decay and 7 of trend; then nothing until something is written or read."""
    assert next_change_at({NOW - age * DAY}, (), None, DEFAULTS, NOW) == (NEVER if days is None else NOW + days * DAY)


def test_between_the_end_of_the_decay_and_a_far_border_nothing_is_due():
    settings = settings_of(1.0, 0.5, 30, 365, 7)
    assert next_change_at({NOW - 100 * DAY}, (), None, settings, NOW) == NOW + 266 * DAY


def test_a_use_matters_when_it_begins_leaves_and_once_more_for_the_trend():
    use = NOW - 10 * DAY
    steps, at = [], NOW
    while (at := next_change_at((), (use,), None, DEFAULTS, at)) != NEVER:
        steps.append((at - use) // DAY)
    assert steps == [30, 37]


@pytest.mark.parametrize(("half_life", "min_score", "days"), [(7.0, 0.1, 24), (7.0, 1.0, 1), (0.5, 0.5, 1), (14.0, 0.25, 28), (7.0, 0.5, 7)])
def test_the_decay_stands_still_from_a_known_day_on(half_life, min_score, days):
    """Seven days of half-life reach 0.1 on day 23.3: the twenty-fourth is the last that changes anything."""
    recency = settings_of(half_life, min_score, 30, 30, 7).scoring.temporal_analysis.recency_scoring
    assert decay_days(recency) == days


def test_a_decay_without_a_minimum_goes_on_until_a_float_is_zero():
    recency = settings_of(2.0, 0.0, 30, 30, 7).scoring.temporal_analysis.recency_scoring
    assert 2.0 ** (-decay_days(recency) / 2.0) == 0.0
