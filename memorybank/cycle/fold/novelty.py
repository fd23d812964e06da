"""Novelty: how different an event is from the last events of its session. The terms of each event are hashed into a sketch of 1,024 bits, so that 200
comparisons take less time than reading one line.
"""

from __future__ import annotations

__light__ = True

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOOKED_BACK = 200
"""Number of earlier events of the same log file with which a new one is compared."""
BYTES = 128
_MASK = 8 * BYTES - 1


def sketch(terms: Iterable[str]) -> int:
    """Return a number of 1,024 bits with one bit set for each term (some terms share a bit)."""
    bits = 0
    for term in set(terms):
        bits |= 1 << (crc32(term.encode("utf-8", "replace")) & _MASK)
    return bits


def novelty(new: int, earlier: Iterable[int]) -> float:
    """Return 1 minus the highest Jaccard similarity to one of the earlier sketches; 1 for the first event, 0 for an event without terms."""
    if not new:
        return 0.0
    highest, size, least = 0.0, new.bit_count(), 0.0
    for other in earlier:
        common = (new & other).bit_count()
        # Both together have at least as many bits as the new one, so most others need no second count.
        if common > least:
            share = common / (new | other).bit_count()
            if share > highest:
                highest, least = share, share * size
                if share == 1.0:
                    break
    return round(1.0 - highest, 4)


def stored(sketched: int) -> bytes:
    """Return a sketch as it is stored in the cache; that of an event without terms is empty."""
    return sketched.to_bytes(BYTES, "little") if sketched else b""


def restored(data: bytes) -> int:
    """Return the sketch from its stored form."""
    return int.from_bytes(data, "little")
