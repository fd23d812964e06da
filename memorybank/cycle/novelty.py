"""Novelty: how unlike the last events of its session an event is. Each event's terms are hashed into a sketch of 1,024 bits, so that
200 comparisons cost less than reading one line.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LOOKED_BACK = 200
"""Events of the same log file that a new one is compared with."""
_BYTES = 128
_MASK = 8 * _BYTES - 1


def sketch(terms: Iterable[str]) -> bytes:
    bits = 0
    for term in terms:
        bits |= 1 << (crc32(term.encode("utf-8", "replace")) & _MASK)
    return bits.to_bytes(_BYTES, "little")


def novelty(new: bytes, earlier: Iterable[bytes]) -> float:
    """1 - the highest share of terms in common (Jaccard) with one of the earlier sketches; 1 for the first, 0 for no terms at all."""
    bits = int.from_bytes(new, "little")
    if not bits:
        return 0.0
    highest = 0.0
    for sketched in earlier:
        other = int.from_bytes(sketched, "little")
        union = (bits | other).bit_count()
        shared = (bits & other).bit_count() / union
        if shared > highest:
            highest = shared
            if highest == 1.0:
                break
    return round(1.0 - highest, 4)
