"""Numbers with a unit, which people write in many ways: 256k and 256 KiB, 10s and 10 seconds, 1万件 and 10,000 rows.

They meet by the number, as texts are indexed with it: a short number says something only because a unit follows it.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_UNITS = (
    r"(?:[kmgt]i?b?|bytes?|ms|msecs?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|px|mm|cm|km|kg|%|percent|fps|rpm|rps|dpi)(?![a-z0-9])"
    r"|(?:ミリ秒|秒|分(?!か)|時間|日(?!本)|週間|か月|ヶ月|件|個|行|円|人|回|通|枚|パーセント|％|キロバイト|メガバイト|ギガバイト)"
)
_MEASURE = lazy_pattern(rf"(?<![A-Za-z0-9_.,:/#-])(\d{{2,4}}) ?(?:{_UNITS})", "i")
_THOUSANDS = lazy_pattern(r"(?<![A-Za-z0-9_.,:/#-])(\d{1,3}),(\d{3})(?![\d,])")
_MYRIADS = lazy_pattern(r"(?<![A-Za-z0-9_.,:/#-])(\d{1,2})万")
_WITH_UNIT = lazy_pattern(r"(\d{1,4})[a-z]{1,3}")
_GROUP = lazy_pattern(r"\d{3}")


def of_text(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return (the number as written, its terms in an index) of the numbers with a unit and of those with thousands, in order of their kind, each once."""
    found: dict[str, tuple[str, ...]] = {match[1]: (match[1],) for match in _MEASURE.finditer(text)}
    found.update((match[0], (match[1], match[2])) for match in _THOUSANDS.finditer(text))
    found.update((match[0], (f"{match[1]}0", "000")) for match in _MYRIADS.finditer(text))
    return list(found.items())


def is_part(term: str, measures: list[tuple[str, tuple[str, ...]]]) -> bool:
    """Return whether a term of a text only repeats one of its measures: 256k beside 256, 000 beside 10,000."""
    written = _WITH_UNIT.fullmatch(term)
    number = written[1] if written is not None else term if _GROUP.fullmatch(term) else ""
    return bool(number) and any(number in terms for _, terms in measures)
