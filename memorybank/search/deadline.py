"""A time limit for regular expressions. One match can take practically forever, and only a signal can interrupt it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from memorybank.errors import ResourceExhausted


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Limit the time of a block. Raises `ResourceExhausted` after `seconds`.

    Python handles signals only in the main thread; elsewhere there is no limit.
    """

    def expire(number: int, frame: FrameType | None) -> None:
        raise ResourceExhausted(
            f"the regular expression took longer than {seconds:g} seconds",
            next_step="avoid a repetition inside a repetition, such as (a+)+, or search for literal text without --regex",
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
