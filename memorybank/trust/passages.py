"""Recognises pieces of a text in another file: a merge mixes a stranger's lines with one's own, and the mixture has a blob id that git never saw.

A passage is a line, a run of shorter lines or, in JSON, a string, whatever its escapes. Something like `## Status` or `rating: 8` says nothing about where
it came from, so a passage has at least `LEAST` bytes and a word.
"""

from __future__ import annotations

__light__ = True

import re

from memorybank.storage import jsontext
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 12
"""Minimum number of bytes."""
_DIGITS = 16
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(rb"[A-Za-z]{3}|[\x80-\xff]{3}")
_FENCE = b"---"


def passages(path: str, data: bytes) -> set[bytes]:
    """Return the passages of a file. path: its name decides whether it is read as JSON"""
    parts = _strings(data) if path.endswith((".json", ".jsonl")) else _runs(data)
    return {part for part in parts if len(part) >= LEAST and _WORD.search(part) is not None}


def mark(passage: bytes) -> str:
    """Return the id by which a passage is kept: shorter than git's blob ids, so the two cannot be confused."""
    return sha256(passage).hex()[:_DIGITS]


def _strings(data: bytes) -> Iterator[bytes]:
    """Yield the strings of JSON, which need not be valid: after a merge it can contain conflict marks."""
    for found in _STRING.findall(data):
        try:
            yield str(jsontext.decode(found)).strip().encode("utf-8", "surrogatepass")
        except ValueError:
            yield found


def _runs(data: bytes) -> Iterator[bytes]:
    """Yield the long lines, and each run of shorter ones, which blank lines do not end."""
    run: list[bytes] = []
    for line in map(bytes.strip, data.split(b"\n")):
        if line and len(line) < LEAST and line != _FENCE:
            run.append(line)
        elif line:
            yield line
            yield b"\n".join(run)
            run = []
    yield b"\n".join(run)
