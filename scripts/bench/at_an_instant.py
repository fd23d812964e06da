"""Starts a program, the second argument, at an instant, the first argument in milliseconds: the clock of the machine stands still at it.

For a bench that plays days which are over in real processes. Options of the program follow. Clocks that only measure how long something takes are left alone.
"""

import sys
import time

if __name__ == "__main__":
    _instant = int(sys.argv[1])
    time.time, time.time_ns = lambda: _instant / 1000, lambda: _instant * 1_000_000
    del sys.argv[:2]
    with open(sys.argv[0], encoding="utf-8") as stream:
        exec(compile(stream.read(), sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
