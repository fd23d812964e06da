"""The console script: `memorybank …`, and `python -m memorybank …`."""

import sys


def main() -> None:
    """Run the command line and leave the process with its exit code."""
    if sys.platform == "win32":
        sys.stderr.write("memorybank: Windows is not supported: it needs POSIX file locks and renames\n  next: run it inside WSL\n")
        sys.exit(1)
    from memorybank.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
