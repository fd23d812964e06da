"""The program that hosts start at every event: `python -I -S …/memorybank/hook.py --host claude-code < payload`.

Python compiles the script that it starts every time, so this file only finds the package; `hosts.firing` does the work. The folder
of the package comes last on the import path, so that no module in it or in the host's working folder can replace one of the standard
library. Garbage collection is off, because the process ends before it would pay off.
"""

import gc
import sys


def main(arguments: list[str]) -> None:
    """Handle one event. The process ends inside, with exit code 0. During an upgrade the package may be missing; then nothing happens."""
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
