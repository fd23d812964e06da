"""Novelty: how unlike the last events of its session an event is. Each event's terms are hashed into a sketch of 1,024 bits, so that
200 comparisons cost less than reading one line.
"""

from __future__ import annotations

__light__ = True

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOOKED_BACK = 200
"""Events of the same log file that a new one is compared with."""
BYTES = 128
_MASK = 8 * BYTES - 1


def sketch(terms: Iterable[str]) -> int:
    """A number of 1,024 bits, one for each term (some share one)."""
    bits = 0
    for term in set(terms):
        bits |= 1 << (crc32(term.encode("utf-8", "replace")) & _MASK)
    return bits


def novelty(new: int, earlier: Iterable[int]) -> float:
    """1 - the highest share of terms in common (Jaccard) with one of the earlier sketches; 1 for the first, 0 for no terms at all."""
    if not new:
        return 0.0
    highest = 0.0
    for other in earlier:
        share = (new & other).bit_count() / (new | other).bit_count()
        if share > highest:
            highest = share
            if share == 1.0:
                break
    return round(1.0 - highest, 4)


def stored(sketched: int) -> bytes:
    return sketched.to_bytes(BYTES, "little")


def restored(data: bytes) -> int:
    return int.from_bytes(data, "little")
