"""Words of 16 and more letters, digits, `_` and `-`: every token contains one, ordinary text has few of them.

Only these words are searched for the keywords of tokens, and a word that no rule describes is a key if it looks like one: a prefix and
random characters. All functions work on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secret_values import ALNUM, HEX, KINDS, WORD, has_digit, is_mixed, kind_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _crosses(signs: bytes) -> bytes:
    """Return the translation table that maps `signs` to x and every other byte to a space."""
    others = bytes(range(256)).translate(None, signs)
    return bytes.maketrans(signs + others, b"x" * len(signs) + b" " * len(others))


_BASE64 = ALNUM + b"+/="
LONG = 16
"""Every token contains a run of this many letters, digits, `_` or `-`; ordinary words rarely do."""
_LONG_RUN = b"x" * LONG
_RUNS = _crosses(WORD)
BEFORE = 8
"""Bytes searched before a long word: `SG.` and `ya29.` end in a character that is not part of a word."""
_JOINTS = (b".", b"$")
_BEFORE_JOINT = 20
"""The same after a joint of a token with several parts, such as `dp.st.prd.…` and `$6$salt$…`."""
_HEAD = 96
"""Maximum offset in a long word at which a keyword ends."""
_HASH_SIGNS = HEX + b"-"
_LONGEST_HASH = 130
_AWS_KEY = 20
"""Length of an AWS access key, which may consist of capital letters alone."""
MANY_RUNS = 256
_BLOB = 600
_BLOB_RUN = b"x" * _BLOB
_BLOBS = _crosses(_BASE64 + b"_-")
_RANDOM = 32
"""Minimum number of random characters in the key of an unknown vendor."""
_PREFIXED = _RANDOM + 3
_RANDOM_PART = 20
"""The same for each of two parts with a point between them."""
_JUDGED = 256
"""Number of bytes that decide whether a word is the key of an unknown vendor."""
_MOST_PREFIXES = 3
_LONGEST_PREFIX = 12
_DIGESTS = (b"sha", b"md5", b"h1")
_CHANGES = 0.42
"""Minimum share of characters whose kind (lower case, upper case, digit) differs from that before. It is 0.6 in random text."""
_CHANGES_IN_LOWER = 0.26
"""The same without capital letters, where it is 0.4 in random text."""


def long_runs(data: bytes) -> list[tuple[int, int]]:
    """Return the spans of runs of at least `LONG` letters, digits, `_` or `-`, in order, without words of small letters alone, which are never a key."""
    runs = data.translate(_RUNS)
    found: list[tuple[int, int]] = []
    at = runs.find(_LONG_RUN)
    while at >= 0:
        end = runs.find(b" ", at + LONG)
        if end < 0:
            end = len(runs)
        word = data[at:end]
        if not (word.isalpha() and word.islower()):
            found.append((at, end))
        at = runs.find(_LONG_RUN, end)
    return found


def without_blobs(data: bytes) -> bytes:
    """Return `data` with the inside of long base64 (images, archives) overwritten by A: no token starts there, and searching it would be slow."""
    runs = data.translate(_BLOBS)
    at = runs.find(_BLOB_RUN)
    if at < 0:
        return data
    pieces: list[bytes] = []
    past = 0
    while at >= 0:
        end = runs.find(b" ", at + _BLOB)
        end = len(runs) if end < 0 else end
        pieces += (data[past : at + _HEAD], b"A" * (end - at - 2 * _HEAD), data[end - _HEAD : end])
        past = end
        at = runs.find(_BLOB_RUN, end)
    return b"".join((*pieces, data[past:]))


def beginnings(data: bytes, runs: list[tuple[int, int]]) -> bytes:
    """Return the beginnings of the different long words that may be tokens, each with the few bytes before it, one per line."""
    words: set[bytes] = set()
    for at, end in runs:
        word = data[at : at + _HEAD if end > at + _HEAD else end]
        before = data[at - 1 : at]
        lead = _BEFORE_JOINT if before in _JOINTS and has_digit(word) else BEFORE
        # After `mlsn.`, hexadecimal digits are a token; alone, they are a hash.
        if _may_be_token(word[1:] if before == b"\\" else word, end - at) or (lead > BEFORE and end - at >= 2 * LONG):
            words.add(data[at - lead if at > lead else 0 : at] + word)
    return b"\n".join(words)


def _may_be_token(word: bytes, size: int) -> bool:
    """Return whether a long word may be a token: neither constant nor hash, with digits, or with both cases and a `_` or `-`. word: its beginning."""
    if not has_digit(word):
        return size == _AWS_KEY or (not word.isalpha() and word != word.lower() and word != word.upper())
    if b"_" in word and word.isupper():
        return False
    # `fc-` could begin a hexadecimal number, but no UUID.
    return bool(word.translate(None, _HASH_SIGNS)) or size > _LONGEST_HASH or word[2:3] == b"-"


def unknown_keys(data: bytes, runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of keys that no rule describes: `acme_live_8Xq…` and `acme.8Xq….Zd4…`.

    Ids with a prefix are shorter (`toolu_…`, `chatcmpl-…`), digests are hexadecimal, and names have few digits and longer words.
    """
    start = past = 0
    for at, end in runs:
        if end - at >= _PREFIXED and _has_random_end(data[at : end if end < at + _JUDGED else at + _JUDGED]):
            yield at, end
        elif at == past + 1 and end - at >= _RANDOM_PART <= past - start and data[past:at] == b"." and _are_random(data, (start, past), (at, end)):
            yield start, end
        start, past = at, end


def _are_random(data: bytes, *spans: tuple[int, int]) -> bool:
    return all([_is_random(data[start : end if end < start + _JUDGED else start + _JUDGED]) for start, end in spans])


def _has_random_end(rest: bytes) -> bool:
    """Return whether a word has one to three prefixes and then 32 or more random characters."""
    if not rest[:1].isalpha():
        return False
    size = len(rest)
    for _ in range(_MOST_PREFIXES):
        prefix, _, after = rest.replace(b"-", b"_").partition(b"_")
        if not 2 <= len(prefix) <= _LONGEST_PREFIX or not (prefix.islower() or prefix.isupper()) or prefix.startswith(_DIGESTS):
            break
        rest = after
    return size > len(rest) >= _RANDOM and _is_random(rest)


def _is_random(word: bytes) -> bool:
    """Return whether a word is random: its characters change between letters of both cases and digits as they do by chance."""
    body = word.translate(None, b"_-")
    if len(word) - len(body) > len(word) // 12 + 1 or not is_mixed(body):
        return False
    changes = kind_changes(body)
    numbers = len(body.translate(KINDS).replace(b"a", b" ").replace(b"A", b" ").split())
    if body.islower():
        return numbers > 2 and changes >= _CHANGES_IN_LOWER * len(body) and bool(body.translate(None, HEX))
    return numbers > 1 and changes >= _CHANGES * len(body) and not body.isupper()
