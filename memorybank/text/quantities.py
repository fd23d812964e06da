"""Formats counts and sizes for people."""

_UNITS = ("B", "KB", "MB", "GB", "TB")


def size(count: int) -> str:
    """Return the bytes in the largest unit (of 1,024) that leaves at least 1: `16 B`, `3.2 KB`, `1.0 MB`."""
    value, unit = float(count), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{count} B"


def counted(count: int, noun: str, many: str = "") -> str:
    """Return a count with its noun: `1 note`, `1,200 notes`. many: the plural, if it is not the noun with an s"""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {many or noun + 's'}"


def tally(counts: dict[str, int]) -> str:
    """Return counts with their names: `5 medium, 2 low`. Counts of 0 are left out."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
