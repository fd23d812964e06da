"""What a failed test asserted: the values that it compared. The same test fails for another reason if it compares other values."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ONE_SIDE = lazy_pattern(
    r"(?:E +|[+-] )?(?:expected|received|actual|got|want(?:ed)?|left|right|期待値|期待|実際の値|実際|結果)(?: value)?\s*[:=：]+\s*(\S.{0,200})", "i"
)
"""Matches a line with one of the two values: "left: 7", "Expected: 3", 「期待値: 3」."""
_BOTH = lazy_pattern(
    r"(?:E +)?(?:\w{1,80}\.){0,6}Assert\w{0,20}(?:Error|Exception)\b.{0,20}?:"
    r" ((?:assert )?.{0,160}(?:[=!<>]=| [<>] |not found in|(?:is|was) not (?:true|false|none)).{0,160})|(?:E +)?(?:AssertionError: )?(assert .{1,200})"
    r"|(?:[^,]{0,120}\W)?((?:got|want|expected)\b[^,]{1,80}(?:,|\bbut\b).{0,20}?\b(?:want(?:ed)?|got|was)\b.{1,80})|([^,]{1,120}[,;] want(?:ed)?\b.{1,80})"
    r"|.{0,80}?(\S{1,60}(?:のはずが|ではなく|を期待).{1,60})",
    "i",
)
"""Matches a line with both: "AssertionError: 7 != 5", "assert 7 == 5", "got 7, want 5", 「5のはずが7」."""
_VARYING = lazy_pattern(r"0x[0-9a-f]+|\b[0-9a-f]{7,}\b|\d{6,}|(?<![\w.])/\S+", "i")
"""Matches what differs in each run: addresses, hashes, times, files of this machine."""
_PLACE = lazy_pattern(r"\A[\w./@+-]{1,200}:\d+(?::\d+)?:\s")
"""Where an assertion stands, which edits move."""
_MOST, _CHARACTERS = 8, 120


def of(error: str) -> list[str]:
    """Return what the tests asserted that failed, at most `_MOST`, one text each: "7 | 5" for `left: 7`, `right: 5`."""
    found: dict[str, None] = {}
    sides: list[str] = []
    for line in (_PLACE.sub("", line.strip(), count=1).strip() for line in error.split("\n")):
        one = _ONE_SIDE.match(line)
        both = None if one else _BOTH.match(line)
        if one:
            sides.append(one[1])
            if len(sides) < 2:
                continue
        if sides:
            found[_steady(" | ".join(sides))] = None
            sides = []
        if both:
            found[_steady(both[both.lastindex or 0])] = None
    if sides:
        found[_steady(" | ".join(sides))] = None
    return list(found)[:_MOST]


def _steady(text: str) -> str:
    return " ".join(_VARYING.sub("#", text).split())[:_CHARACTERS]


def is_other(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return whether tests with these assertions failed for another reason than those with the others. Where one has none, that is unknown."""
    ones, others = set(one), set(other)
    return bool(ones and others) and ones.isdisjoint(others)
