"""The program that git starts: as a merge driver (`merge-driver KIND …`), and after a merge or checkout (`refresh BANK`).

`memorybank git install` writes its absolute path into git's configuration. As a driver it runs without the installed libraries (`python -I -S`),
because git starts it once for each file. The folder of the package comes first on the import path; neither the working folder nor the repository
is on it, so nothing in them can run.
"""

import sys


def main(arguments: list[str]) -> int:
    """Carry out one call and return its exit code. A refresh that fails is silent: the next search does its work."""
    if arguments[:1] == ["merge-driver"]:
        from memorybank.merging.driver import run

        return run(arguments[1:])
    if arguments[:1] == ["refresh"] and len(arguments) == 2:
        _refresh(arguments[1])
        return 0
    return 2


def _refresh(root: str) -> None:
    """Fold the changed notes into the index of a bank. A bank without an index is left without one. Git has done its work already, so nothing fails.

    root: the bank, absolute or relative to the working folder
    """
    import os
    from contextlib import suppress

    from memorybank.bank import Bank
    from memorybank.errors import MemorybankError

    if os.path.exists(os.path.join(root, "cache", "bank.sqlite3")):
        with suppress(MemorybankError, OSError):
            Bank.open(root).index.sweep()


if __name__ == "__main__":
    sys.path.insert(0, __file__.rpartition("/")[0].rpartition("/")[0])
    raise SystemExit(main(sys.argv[1:]))
