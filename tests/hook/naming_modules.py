"""Starts `in_processor_time.py` with the same arguments, and writes the package's loaded modules to stderr as `-X importtime` does.

Modules that a hook reads from its compiled file go through no import, so Python does not list them.
"""

import posix
import sys

_real_exit = posix._exit


def _exit(code):
    sys.stderr.writelines(f"import time: | {name}\n" for name in sys.modules if name.partition(".")[0] == "memorybank")
    sys.stderr.flush()
    _real_exit(code)


if __name__ == "__main__":
    posix._exit = _exit
    path = f"{__file__.rpartition('/')[0]}/in_processor_time.py"
    with open(path, encoding="utf-8") as stream:
        exec(compile(stream.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
