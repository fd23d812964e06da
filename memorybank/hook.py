"""The door that hosts start at every event: `python -I -S …/memorybank/hook.py --host claude-code < payload`.

Python compiles the file it is started with anew each time, so this one only finds the package; `hosts.firing` does the work.
The folders of packages come last on the path: no module in them, nor in the host's working folder, can stand in for the
standard library. Beside the one that holds this package stands the interpreter's own, where the libraries lie when the package
is used from a checkout; the events that need libraries are rare.
"""

import sys


def main(arguments: list[str]) -> None:
    """One firing; the process ends inside, with exit code 0. While an upgrade replaces the package there may be nothing to load."""
    try:
        from memorybank.hosts.firing import fire
    except BaseException:
        return
    fire(arguments)


if __name__ == "__main__":
    sys.path.append(__file__.rpartition("/")[0].rpartition("/")[0])
    sys.path.append(f"{sys.executable.rpartition('/bin/')[0]}/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages")
    main(sys.argv[1:])
