"""The door that hosts start at every event: `python -I -S …/memorybank/hook.py --host claude-code < payload`.

Python compiles the file it is started with anew each time, so this one only finds the package; `hosts.firing` does the work.
The folder of the package comes last on the path: no module in it, nor in the host's working folder, can stand in for the
standard library. Nothing lives long enough to be worth a collection of garbage.
"""

import gc
import sys


def main(arguments: list[str]) -> None:
    """One firing; the process ends inside, with exit code 0. While an upgrade replaces the package there may be nothing to load."""
    gc.disable()
    try:
        from memorybank import bytecode

        bytecode.serve()
        from memorybank.hosts.firing import fire
    except BaseException:
        return
    fire(arguments)


if __name__ == "__main__":
    sys.path.append(__file__.rpartition("/")[0].rpartition("/")[0])
    main(sys.argv[1:])
