"""What benchmarks print: the machine, their progress, and aligned columns."""

import os
import platform
import sys
from collections.abc import Sequence


def machine(*versions: str) -> str:
    """Return one line about this machine. versions: of the libraries that matter to a benchmark"""
    return ", ".join((f"{os.cpu_count()} cores", platform.machine(), f"Python {platform.python_version()}", *versions, f"load {os.getloadavg()[0]:.1f}"))


def say(text: str) -> None:
    """Print how far a benchmark is, next to its results."""
    print(text, file=sys.stderr, flush=True)


def print_columns(lines: Sequence[Sequence[str]]) -> None:
    """Print lines of cells as aligned columns, the headings first."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
