"""Whether a range of versions, as manifests write it, allows a version of which only the first numbers may be known."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_VERSION = lazy_pattern(r"\d+(?:\.\d+){0,3}")
_CLAUSE = lazy_pattern(r"(?:(\^|~=|~>|~|>=|<=|>|<|={1,3}|!=)\s*)?v?(\d{1,9}(?:\.\d{1,9}){0,3})")


def version_of(written: str) -> str:
    """Return the first version in a range (`^18.2.0`, `>=3.11,<4`); "" without one."""
    found = _VERSION.search(written)
    return found[0] if found is not None else ""


def agree(one: str, other: str) -> bool:
    """Return whether two versions agree as far as both are given: `18.2` and `18.2.1` do. One that is not given agrees with everything."""
    return other == "" or all(first == second for first, second in zip(one.split("."), other.split("."), strict=False))


def allows(written: str, version: str) -> bool:
    """Return whether a version that begins like this fulfils a range. What cannot be read allows everything."""
    return " - " in written or any(_fulfils(part, version) for part in written.split("||"))


def _fulfils(part: str, version: str) -> bool:
    given = _numbers(version)
    return all(_keeps(match[1] or "=", _numbers(match[2]), given) for match in _CLAUSE.finditer(part))


def _keeps(sign: str, bound: tuple[int, ...], given: tuple[int, ...]) -> bool:
    common = min(len(bound), len(given))
    low, high = given[:common], bound[:common]
    if sign in (">=", ">"):
        return low >= high
    if sign in ("<=", "<"):
        return low < high or (low == high and (sign == "<=" or len(given) < len(bound)))
    if sign == "!=":
        return True
    if sign == "^":
        fixed = next((place for place, number in enumerate(bound, 1) if number), len(bound))
    elif sign in ("~=", "~>"):
        fixed = max(1, len(bound) - 1)
    elif sign == "~":
        fixed = min(2, len(bound))
    else:
        fixed = len(bound)
    return low >= high and given[:fixed] == bound[: min(fixed, len(given))]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split(".") if number.isdecimal())
