"""The redactor in front of every log: secrets become `[REDACTED:<rule>:<8 hex>]` before anything is written or cut.

The eight hexadecimal digits are a keyed hash: equal secrets are recognisable as equal, and a short secret cannot be guessed from its
hash. Redacting a redacted text does not change it. A git SHA, a UUID or a hash in a lock file is not a secret: a secret has a vendor's
prefix or is in a typical place (`formats`, `places`, `assignments`), either literally or encoded (`views`).
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import hmac_sha256
from memorybank.storage.encoded import utf8
from memorybank.text.secrets import assignments, long_words, scanner, views
from memorybank.text.secrets.mark import MARK as MARK
from memorybank.text.secrets.values import HEX, LOWER, end_of_run, fold, positions
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.text.secrets.values import Found

_MARK = MARK.encode()
_NO_KEY = "00000000"
_ROUNDS = 4
_DEPTH = 2
"""Maximum number of decoding steps: a base64 text within a percent-encoded one, but nothing deeper."""
_LONGEST_RULE = 32
_SHORTEST = 4
"""Number of characters that a secret with its name or its mark has at least: a memory has many pairs of Japanese characters in common with a prompt."""
_SHORTEST_ALONE = 16
"""Minimum length of a token without spaces. Every other secret follows a space, an operator or kana, which identifiers do not contain."""
_LONGEST_TOGETHER = 1_000
"""Maximum length in characters of a text that `is_plain` checks together with others. So short a text has few long words, and the rules
do not shorten it before the search."""
_GENERAL = {scanner.UNKNOWN: 1, assignments.RULE: 2}
"""Rules that say little about a secret. Of two rules that find the same span, the mark has the other one."""
_PRIVATE_TAG = r"<private(?=[> \t\n/])|</private>"
_MOST_CACHED = 4_096
_LONGEST_CACHED = 4_096
_cached: dict[tuple[str, bytes | None], str] | None = None
"""Results by text and key; None while `enable_cache` has not been called."""


class SecretFinding(Value):
    """A secret: the rule that found it and its position (`text[start:end]`, in characters)."""

    rule: str
    start: int
    end: int


def rules() -> tuple[str, ...]:
    """Return the rule names that a mark can contain."""
    return (*dict.fromkeys((*scanner.rules(), assignments.RULE)),)


def find(text: str) -> list[SecretFinding]:
    """Return the secrets in `text`, in order and without nesting. Marks of an earlier redaction do not count."""
    data = _encoded(text)
    spans = _spans(data)
    if len(data) == len(text):
        return [SecretFinding(rule, start, end) for start, end, rule in spans]
    found = []
    at = characters = 0
    for start, end, rule in spans:
        begin = characters + len(_decoded(data[at:start]))
        characters = begin + len(_decoded(data[start:end]))
        at = end
        found.append(SecretFinding(rule, begin, characters))
    return found


def redact(text: str, key: bytes | None) -> str:
    """Return `text` with a mark for every secret.

    key: the bank's key; None (for a bank that cannot be written) makes marks without a hash
    """
    if len(text) < _SHORTEST or _is_word(text):
        return text
    if _cached is None or len(text) > _LONGEST_CACHED:
        return _redacted(text, key)
    known = _cached.get((text, key))
    if known is None:
        if len(_cached) >= _MOST_CACHED:
            _cached.clear()
        known = _cached[(text, key)] = _redacted(text, key)
        _cached[(known, key)] = known
    return known


def enable_cache() -> None:
    """Cache the results from now on. The texts of an event are redacted before something is derived from them, and again when the line is sealed; an import
    redacts those of a call in its intent and in its result."""
    global _cached
    if _cached is None:
        _cached = {}


def _redacted(text: str, key: bytes | None) -> str:
    data = _encoded(text)
    spans = _spans(data)
    if not spans:
        return text
    # A mark changes the surroundings of the text next to it, where another secret may become recognisable. Redacting the result must
    # change nothing, so the rules run again.
    for _ in range(_ROUNDS):
        data = _marked(data, spans, key)
        spans = _spans(data)
        if not spans:
            break
    return _decoded(data)


def redact_named(name: str, value: str, key: bytes | None) -> str:
    """Return the value of a member called `name`, redacted; the entire value becomes a mark if the name says so (`{"password": "…"}`)."""
    redacted = redact(value, key)
    if redacted == value and MARK not in value and assignments.is_secret_member(name, value):
        data = _encoded(value)
        return _decoded(_marked(data, [(0, len(data), assignments.RULE)], key))
    return redacted


def is_plain(value: object) -> bool:
    """Return whether redaction certainly leaves a JSON value unchanged, decided for all its texts at once: their concatenation contains none of the
    hints that the rules look for first. False means nothing is known."""
    texts: list[str] = []
    if not _are_short(value, texts):
        return False
    data = _encoded("\n".join(texts))
    lowered = data.lower()
    runs = long_words.long_runs(data)
    return not (scanner.may_hold(data, lowered, runs) or assignments.may_hold(data, lowered) or views.may_hold(data, lowered, runs))


def _are_short(value: object, texts: list[str]) -> bool:
    """Collect the texts that would be redacted. False for a long text, for a member whose name suggests a secret, and for types that JSON lacks."""
    if isinstance(value, str):
        if not _is_word(value):  # alone, a word is never redacted: the words that a memory has in common with a prompt are many
            texts.append(value)
        return len(value) <= _LONGEST_TOGETHER
    if isinstance(value, list):
        return all([_are_short(item, texts) for item in value])
    if isinstance(value, dict):
        for name, item in value.items():
            if isinstance(item, str) and assignments.is_secret_name(name):
                return False
            if not _is_word(name) and not _are_short(name, texts):
                return False
            if not _are_short(item, texts):
                return False
        return True
    return value is None or isinstance(value, int | float)


def _is_word(text: str) -> bool:
    """Return whether a text is too short for a token and contains none of the characters that precede every other secret."""
    return len(text) < _SHORTEST_ALONE and text.isascii() and text.isidentifier()


def strip_private(text: str) -> str:
    """Return a person's text without its `<private>…</private>` parts, which may be nested. A part that is not closed extends to the end."""
    if "<" not in text:
        return text
    import re

    kept = []
    at = depth = 0
    for tag in re.finditer(_PRIVATE_TAG, text, re.IGNORECASE | re.ASCII):
        if not tag[0].endswith(">"):
            if not depth:
                kept.append(text[at : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            at = tag.end()
    return "".join((*kept, "" if depth else text[at:]))


_encoded = utf8


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _spans(data: bytes, depth: int = 0) -> list[Found]:
    """Return the findings of all rules in order, also in encoded text. Overlapping findings are merged; those inside a mark are dropped.
    depth: number of times `data` was decoded"""
    lowered = data.lower()
    folded = fold(lowered)
    runs = long_words.long_runs(data)
    found = scanner.find(data, lowered, folded, runs) + assignments.find(data, lowered, folded)
    if depth < _DEPTH:
        for view in views.views(data, lowered, runs):
            found += [(*view.origin(start, end), rule) for start, end, rule in _spans(view.data, depth + 1)]
    if not found:
        return found
    marks = _marks(data) if _MARK in data else []
    merged: list[Found] = []
    for start, end, rule in sorted(found, key=_order):
        # Without this, the digest of a mark could itself be taken for a secret, and a second redaction would change the text.
        if _end_of_mark(marks, start):
            continue
        end = max(end, _end_of_mark(marks, end - 1))
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            merged[-1] = (first, max(last, end), kept)
        else:
            merged.append((start, end, rule))
    return merged


def _order(found: Found) -> tuple[int, int, int]:
    """Sort key: left to right, the longer finding first, and of two equal findings the one with the more specific rule."""
    start, end, rule = found
    return start, -end, _GENERAL.get(rule, 0)


def _end_of_mark(marks: list[tuple[int, int]], at: int) -> int:
    """Return the end of the mark that contains the byte at `at`, 0 if none does. Binary search in `marks`, the result of `_marks(data)`."""
    low, high = 0, len(marks)
    while low < high:
        middle = (low + high) // 2
        if marks[middle][1] <= at:
            low = middle + 1
        else:
            high = middle
    return marks[low][1] if low < len(marks) and marks[low][0] <= at else 0


def _marks(data: bytes) -> list[tuple[int, int]]:
    """Return the spans of `[REDACTED:rule:0123abcd]`, in order and without nesting."""
    found = []
    for at in positions(data, _MARK):
        name = at + len(_MARK)
        colon = end_of_run(data, name, LOWER + b"_", _LONGEST_RULE)
        digest, close = data[colon + 1 : colon + 9], colon + 9
        if colon > name and data[colon : colon + 1] == b":" and data[close : close + 1] == b"]" and not digest.strip(HEX):
            found.append((at, close + 1))
    return found


def _marked(data: bytes, spans: list[Found], key: bytes | None) -> bytes:
    pieces: list[bytes] = []
    at = 0
    for start, end, rule in spans:
        digest = hmac_sha256(key, data[start:end])[:4].hex() if key else _NO_KEY
        pieces += (data[at:start], _MARK, rule.encode(), b":", digest.encode(), b"]")
        at = end
    return b"".join((*pieces, data[at:]))
