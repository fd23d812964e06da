"""Writes one value as front matter: on one line, and so that any YAML parser reads the same value back."""

import json
import re
from decimal import Decimal

Settable = str | bool | int | float | list[str] | None
"""Types that can be written: text, a switch, a finite number, a list of words; None is an empty value."""

_PLAIN = re.compile(r"(?=[^\W\d_])[\w /.()&+~、。・ー-]*[\w.)。]")
# YAML 1.1 reads these words as booleans or null.
_WORDS_WITH_MEANING = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))
_UNPRINTABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def render(value: Settable) -> str:
    """Return `value` for the right side of `key:`. Numbers never have an exponent."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    return text(value)


def text(value: str) -> str:
    """Return a text without quotes when every YAML version reads it as this text, else in double quotes."""
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS_WITH_MEANING:
        return value
    return _UNPRINTABLE.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    """Escape a character that JSON leaves bare and YAML refuses. A lone surrogate becomes U+FFFD."""
    code = ord(match[0])
    return "\\ufffd" if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"
