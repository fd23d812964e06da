"""Folding a scratch bank with a clock that stands where the test puts it."""

from collections.abc import Callable
from contextlib import contextmanager

import pytest

from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.index.fold import fold
from memorybank.index.working import open_index

NOW = 1_758_112_496_789


@pytest.fixture
def folded() -> Callable:
    """folded(bank, now=NOW, **fold options) → the Index, up to date, inside a with-statement; `.report` is what the fold did."""

    @contextmanager
    def opened(bank, now: int = NOW, *, as_of: int | None = None, frozen: bool = False, **options):
        layout = bank.layout
        with open_index(layout, load(layout), FixedClock(now), now=as_of, frozen=frozen) as index:
            index.report = fold(index, **options)
            yield index

    return opened
