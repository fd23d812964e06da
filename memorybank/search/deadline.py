"""A bound on regular expressions: one can take longer than the universe, and only a signal reaches into the middle of a match."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from memorybank.errors import ResourceExhausted


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """`ResourceExhausted` when the block takes longer. Outside the main thread, where Python takes no signals, there is no bound."""

    def expire(number: int, frame: FrameType | None) -> None:
        raise ResourceExhausted(
            f"the regular expression had no answer within {seconds:g} seconds",
            next_step="write it without a repetition inside a repetition such as (a+)+, or search literally without --regex",
        )

    try:
        before = signal.signal(signal.SIGALRM, expire)
    except ValueError:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
