"""Values of short texts, and which of two texts differ in one of the same kind: numbers with a unit, identifiers, names."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms

_AMOUNT = lazy_pattern(
    r"(?<![A-Za-z_\d./@-])(\d[\d,.:]*\d|\d)(?![\d_]|\.\d|[A-Za-z]\d)|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty|sixty|ninety|hundred|thousand|once|twice|daily|hourly|weekly|monthly|yearly)\b",
    "i",
)
_FREQUENCIES = frozenset(("daily", "hourly", "weekly", "monthly", "yearly"))
_SMALL = frozenset(("one", "two", "once"))
"""Numbers that are often no value."""
_COUNTS_MORE = lazy_pattern(r"\b(?:more|another|others?|also|too|still|left|again)\b|あと|もう|他に|ほかに|まだ", "i")
_UNIT = lazy_pattern(r"[ -]?([A-Za-z%]+)(?:[ -]([A-Za-z]+))?|\s?([一-龥ァ-ヶー]{1,2}|[つか])")
_CLASSES = {
    **dict.fromkeys(
        [
            "ms",
            "millisecond",
            "milliseconds",
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "min",
            "mins",
            "minute",
            "minutes",
            "h",
            "hr",
            "hour",
            "hours",
            "d",
            "day",
            "days",
            "week",
            "weeks",
            "month",
            "months",
            "year",
            "years",
            "秒",
            "分",
            "時",
            "日",
            "週",
            "月",
            "年",
            "ヶ",
            "ヵ",
            "か",
        ],
        "time",
    ),
    **dict.fromkeys(["b", "byte", "bytes", "kb", "mb", "gb", "tb", "kib", "mib", "gib"], "size"),
}
_NO_UNITS = frozenset(
    [
        "since",
        "on",
        "in",
        "at",
        "for",
        "per",
        "now",
        "there",
        "and",
        "or",
        "of",
        "is",
        "was",
        "are",
        "everywhere",
        "though",
        "not",
        "as",
        "to",
        "from",
        "by",
        "with",
        "after",
        "before",
        "again",
        "if",
        "when",
    ]
)
_NAME = lazy_pattern(
    r"`([^`\s]{2,60})`|(?<![\w./@-])([A-Za-z_][\w]*(?:[._/:@-]\w+)+|[A-Za-z]+\d\w*|[A-Z][A-Z]+|[a-z]*[A-Z][a-z]*[A-Z]\w*|true|false|enabled|disabled)(?![\w])"
)
_PROPER = lazy_pattern(r"(?<=[a-z,;'’] )([A-Z][a-z]{2,}\w*)|(?<=['’]s )([a-z]{3,})(?=[,.;!]|$)")
_LATIN = lazy_pattern(r"[A-Za-z][\w.-]*\w")
_NO_NAMES = frozenset(
    [
        "ok",
        "no",
        "yes",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "christmas",
        "kb",
        "mb",
        "gb",
        "tb",
        "ms",
        "pdf",
        "readme",
        "todo",
        "actually",
        "sorry",
        "it's",
        "that's",
        "i'm",
        "can't",
        "don't",
        "isn't",
        "e.g",
        "i.e",
    ]
)
_DENIES = (
    r"(?:\b(?:no|not|no such|never|isn['’]t|rather than|instead of) [`\"“]?{0}|{0}[`\"”]?\S{{0,6}}?(?:では|じゃ)(?:な|あり)"
    r"|{0}\S{{0,8}}旧|{0}\S{{0,3}}は(?:あり|存在し)ま?せん)"
)
_TERMS_TAKEN = 2
_NEAR = 8
"""Characters around a number within which a word says that it counts further things: "3 more files"."""


def gives_another(text: str, answer: str) -> bool:
    """Return whether a text has a value that an answer does not have, of a kind of which the answer has one that the text does not have."""
    own, others = _amounts(text), _amounts(answer)
    numbers, known = {value for value, _ in own}, {value for value, _ in others}
    for value, unit in own:
        if value not in known and any(other not in numbers and _is_same_kind(unit, kind) for other, kind in others):
            return True
    names = _names(text)
    low, low_answer = text.lower(), answer.lower()
    return any(one not in low_answer for one in names) and any(one not in low for one in _names(answer))


def is_unit(term: str) -> bool:
    """Return whether a term only says what a number counts."""
    return term in _CLASSES


def new_values(text: str, answer: str) -> set[str]:
    """Return the numbers and names of a text that an answer does not contain."""
    known, low = {value for value, _ in _amounts(answer)}, answer.lower()
    return {value for value, _ in _amounts(text)} - known - _SMALL | {one for one in _names(text) if one not in low}


def taken_over(text: str, answer: str, reply: str, *, only_values: bool = False) -> bool:
    """Return whether a reply says what a text says and an answer did not: its values without those of the answer, or else its words."""
    values = new_values(text, answer)
    said, low = {value for value, _ in _amounts(reply)}, reply.lower()
    if values:
        kept = {value for value, _ in _amounts(answer)} - {value for value, _ in _amounts(text)}
        names = _names(answer)
        still = kept & said or (not kept and names and all(one in low for one in names))
        return any(one in said or one in low for one in values if not one.isdigit() or one in said) and not still
    if only_values:
        return False
    new = set(content_terms(text)) - set(content_terms(answer))
    return len(new & set(content_terms(reply))) >= min(_TERMS_TAKEN, max(len(new), 1))


def is_kept_by(reply: str, answer: str, text: str) -> bool:
    """Return whether a reply repeats the values of an answer, and denies those that a text gave instead, or leaves them out."""
    values = new_values(text, answer)
    low, numbers = reply.lower(), {value for value, _ in _amounts(reply)}
    kept = {value for value, _ in _amounts(answer)}
    names = _names(answer)
    if not (kept or names) or not kept <= numbers or not all(one in low for one in names):
        return False
    return all((one not in numbers if one.isdigit() else one not in low) or _denies(low, one) for one in values)


def _denies(text: str, value: str) -> bool:
    import re  # late: rarely needed

    return re.search(_DENIES.format(re.escape(value)), text, re.IGNORECASE) is not None


def _amounts(text: str) -> list[tuple[str, frozenset[str]]]:
    """Return (number, words of its unit) of each number of a text."""
    found = []
    for one in _AMOUNT.finditer(text):
        if _COUNTS_MORE.search(text[max(one.start() - _NEAR, 0) : one.end() + _NEAR]) is not None:
            continue
        value = one[0].lower()
        unit = _UNIT.match(text, one.end())
        words = [] if unit is None else [part for part in unit.groups() if part]
        kinds = {"time"} if value in _FREQUENCIES else set()
        if words and words[0].lower() in _NO_UNITS:
            words = []
        for word in words:
            known = _CLASSES.get(word.lower()) or _CLASSES.get(word[0])
            if known and (word.isascii() is False or word.lower() in _CLASSES):
                kinds = {known}
                break
            kinds.update(content_terms(word) if word.isascii() else word[0])
        found.append((value, frozenset(kinds)))
    return found


def _is_same_kind(unit: frozenset[str], other: frozenset[str]) -> bool:
    return not unit or not other or not unit.isdisjoint(other)


def _names(text: str) -> set[str]:
    found = {part for groups in (*_NAME.findall(text), *_PROPER.findall(text)) for part in groups if part}
    if not text.isascii():
        found.update(_LATIN.findall(text))
    return {low for one in found if (low := one.lower().strip("`'’")) not in _NO_NAMES}
