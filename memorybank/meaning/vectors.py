"""Vectors as bytes, and how similar each of many is to one. numpy makes this fast where it is installed; without it the same is counted in Python.

A vector is stored as a factor (4 bytes) and one signed byte for each dimension: the cosine of two vectors is the dot product of their bytes times
the factor. Against full precision this costs a similarity less than 0.003.
"""

from __future__ import annotations

import importlib
from array import array
from collections.abc import Sequence
from itertools import accumulate
from math import sqrt
from operator import mul
from struct import calcsize, pack, unpack_from
from types import ModuleType
from typing import Any, NamedTuple

_FACTOR = "<f"
FACTOR_BYTES = calcsize(_FACTOR)
_LARGEST = 127
_BLOCK = 16_384
"""Vectors that numpy converts at a time, so that memory does not grow with their number."""


class BestPassage(NamedTuple):
    """The passage of a document that is most similar to a query. at: its number in the document"""

    similarity: float
    at: int


def packed(vector: Sequence[float]) -> bytes:
    scale = _LARGEST / max(map(abs, vector))
    values = array("b", (round(number * scale) for number in vector))
    return pack(_FACTOR, 1 / sqrt(sum(map(mul, values, values)))) + values.tobytes()


def normalised(vector: Sequence[float]) -> list[float]:
    """Return a vector of the same direction with the length 1."""
    length = sqrt(sum(map(mul, vector, vector)))
    return [number / length for number in vector]


def best_of_documents(query: Sequence[float], data: bytes, counts: Sequence[int]) -> list[BestPassage]:
    """Return the best passage of each document.

    query: vector with the length 1
    data: the packed vectors of all documents, one after the other
    counts: number of vectors of each document, at least 1
    """
    numpy = _numpy()
    ends = list(accumulate(counts))
    if not ends:
        return []
    if numpy is None:
        found = _similarities(query, data)
        return [_best(found[end - count : end]) for end, count in zip(ends, counts, strict=True)]
    return _with_numpy(numpy, query, data, counts, ends)


def _best(similarities: Sequence[float]) -> BestPassage:
    best = max(similarities)
    return BestPassage(best, similarities.index(best))


def _similarities(query: Sequence[float], data: bytes) -> list[float]:
    size = FACTOR_BYTES + len(query)
    values = memoryview(data).cast("b")
    found = []
    for at in range(0, len(data), size):
        found.append(unpack_from(_FACTOR, data, at)[0] * sum(map(mul, query, values[at + FACTOR_BYTES : at + size])))
    return found


def _with_numpy(numpy: Any, query: Sequence[float], data: bytes, counts: Sequence[int], ends: Sequence[int]) -> list[BestPassage]:
    rows = numpy.frombuffer(data, numpy.dtype([("factor", "<f4"), ("values", "i1", (len(query),))]))
    direction = numpy.asarray(query, numpy.float32)
    found = numpy.empty(len(rows), numpy.float32)
    for begin in range(0, len(rows), _BLOCK):
        block = rows[begin : begin + _BLOCK]
        found[begin : begin + _BLOCK] = block["values"].astype(numpy.float32) @ direction * block["factor"]
    if ends[-1] == len(counts):
        return [BestPassage(similarity, 0) for similarity in found.tolist()]
    best = numpy.maximum.reduceat(found, [end - count for end, count in zip(ends, counts, strict=True)]).tolist()
    return [
        BestPassage(similarity, 0 if count == 1 else int(found[end - count : end].argmax())) for similarity, end, count in zip(best, ends, counts, strict=True)
    ]


def _numpy() -> ModuleType | None:
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None
