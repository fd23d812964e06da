"""Starts `hook.py`, named by the first argument, with clocks that count the processor time of its process and the time that it sleeps.

The deadlines of a hook are seconds of the machine, which a busy machine uses up while the hook waits for a processor. A test that needs the
answer of a hook starts it through this file, and the same deadlines then hold for the hook's own work.
"""

import _signal
import sys
import time

_slept = 0.0
_real_sleep, _real_signal, _real_setitimer = time.sleep, _signal.signal, _signal.setitimer


def _monotonic() -> float:
    return time.process_time() + _slept


def _sleep(seconds: float) -> None:
    global _slept
    _slept += seconds
    _real_sleep(seconds)


def _signal_of_processor_time(number, handler):
    return _real_signal(_signal.SIGPROF if number == _signal.SIGALRM else number, handler)


def _alarm_in_processor_time(which, seconds, interval=0.0):
    return _real_setitimer(_signal.ITIMER_PROF if which == _signal.ITIMER_REAL else which, seconds, interval)


def count():
    """Let the clocks of this process count so from now on."""
    time.monotonic, time.sleep = _monotonic, _sleep
    _signal.signal, _signal.setitimer = _signal_of_processor_time, _alarm_in_processor_time


if __name__ == "__main__":
    count()
    del sys.argv[0]
    with open(sys.argv[0], encoding="utf-8") as stream:
        exec(compile(stream.read(), sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
