"""Near-duplicate notes: a small fingerprint that finds candidates, and the measure that decides.

The fingerprint follows one-permutation min-hashing (P. Li, A. Owen, C.-H. Zhang, "One Permutation Hashing", NIPS 2012). Its units are
lines and sentences, so that notes that share most sentences share most bins. The time is linear in the length of the text.
"""

from __future__ import annotations

__light__ = True

from zlib import crc32

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.tokens import fold

BINS = 16
EMPTY_BIN = -1
LONGEST_COMPARED = 20_000
"""Maximum length in characters of bodies that are compared letter by letter; longer ones are compared by their units."""
_UNIT_END = lazy_pattern(r"[\n。!?！？.](?:(?<!\.)|\s)")
"""Matches a line end, a sign that ends a sentence, or a period before white space. A search skips to the next character of the set."""


def fingerprint(body: str) -> tuple[int, ...]:
    """Return for each of 16 bins the smallest CRC-32 among the units that fall into it, or -1 for an empty bin."""
    bins = [EMPTY_BIN] * BINS
    for value in _units(body):
        place = value % BINS
        if value < bins[place] or bins[place] == EMPTY_BIN:
            bins[place] = value
    return tuple(bins)


def folded(body: str) -> str:
    """Return `body` in the form in which it is compared: NFKC, case folded, white space collapsed to single spaces."""
    return " ".join(fold(body).split())


def similarity(a: str, b: str) -> float:
    """Return the similarity of two bodies, 0.0 to 1.0: normalised Indel similarity (rapidfuzz `ratio`) of their folded forms, or the
    Jaccard similarity of their units when one of them is long."""
    if len(a) > LONGEST_COMPARED or len(b) > LONGEST_COMPARED:
        first, second = _units(a), _units(b)
        return len(first & second) / (len(first | second) or 1)
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(folded(a), folded(b)))


def _units(body: str) -> set[int]:
    units = [" ".join(unit.split()).encode("utf-8", "surrogatepass") for unit in _UNIT_END.split(fold(body))]
    return {crc32(unit) for unit in units if unit}


def is_within(tag: str, wanted: str) -> bool:
    """Return whether a tag is the wanted one or below it. Case and Unicode form do not matter."""
    return f"{folded(tag)}/".startswith(folded(wanted).rstrip("/") + "/")
