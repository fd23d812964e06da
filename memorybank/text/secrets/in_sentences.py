"""Secrets that a sentence says: "use the password …", "the API key is …", "… as the passphrase", "sign in with admin / …", 「パスワードには…を使う」.

Without an operator most words after such a name are ordinary ("password policy", "token bucket", "secret SecretManager"), so only a word
that nobody would write for another reason counts: characters of changing kinds, or several numbers among letters. Works on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secrets.values import (
    ALNUM,
    BLANKS,
    DIGITS,
    KINDS,
    LOWER,
    WORD,
    end_of_run,
    end_of_unquoted,
    has_digit,
    is_mixed,
    is_reference,
    kind_changes,
    positions,
    quoted_text,
    unquoted_span,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FILLERS = frozenset(b"is was be to will must should shall has now set changed still remains called always again just".split())
"""Words between a name and its value: "the password is now …", "change the password to …"."""
_MOST_FILLERS = 4
_OWNERS = (b"for ", b"of ", b"on ", b"at ")
_LONGEST_OWNER = 48
_AFTER = (b" for ", b" on ", b" to ", b" in ", b" at ", b" and ", b" when ", b" with ")
"""What may follow a password that consists of a word and a number; otherwise that is more likely a name ("password Argon2024 hasher")."""
_STOPS = b".,;:!?)\n"
_INTRODUCED = (b"as", b"is")
_ARTICLES = (b"the", b"a", b"my", b"our", b"your")
_SIGNS = b"!@$%^*~"
"""Signs that passwords contain, and other words hardly ever between their letters."""
_SHORTEST = 8
_PIN_WORD, _SHORT_NAME = b"pin ", b"pw"
_LOGIN_WORDS = (b"log in", b"login", b"logon", b"sign in", b"basic auth", "ログイン".encode(), "サインイン".encode())
"""Words next to which a user and a password are written as a pair: `admin / …`, `bob:…`."""
WORDS = (_PIN_WORD, _SHORT_NAME, *_LOGIN_WORDS)
"""What `spoken` looks for."""
_NEXT_TO_LOGIN = 96
_PAIR_SIGNS = b"#&+=?"
"""Signs of a password in such a pair, in addition to `_SIGNS`."""
_KANA_BETWEEN = 30
"""Maximum number of bytes between a Japanese name and its value: 「パスワードには必ず…」."""
_NAMED = ("という".encode(), "を".encode())
_SENTENCE = ("。".encode(), "、".encode())


def value_after(data: bytes, lowered: bytes, at: int, strong: bool) -> tuple[int, int] | None:
    """Return the span of the secret that follows a name in a sentence. at: the offset after the name and its spaces; strong: the name of a password"""
    if lowered.startswith(_OWNERS, at):
        said = max(lowered.find(b" is ", at, at + _LONGEST_OWNER), lowered.find(b" (", at, at + _LONGEST_OWNER))
        at = said + 1 + (data[said + 1] in b"(") if said >= 0 and b"\n" not in data[at:said] else at
    at = _after_fillers(lowered, at)
    quoted = quoted_text(data, at)
    begin, end = quoted or (at, end_of_unquoted(data, at, False))
    value = data[begin:end]
    secret = is_no_word(value, strong) or (strong and _is_word_and_number(value) and _ends_there(data, end, quoted is not None))
    return (quoted or unquoted_span(data, at, False)) if secret else None


def value_before(data: bytes, lowered: bytes, start: int, strong: bool) -> tuple[int, int] | None:
    """Return the span of the secret in "… as the password" and "… is our token". start: the offset of the name"""
    before = lowered[max(0, start - 12) : start].split()
    if before and before[-1] in _ARTICLES:
        before.pop()
    if not before or before[-1] not in _INTRODUCED:
        return None
    return _word_before(data, lowered.rfind(b" " + before[-1] + b" ", 0, start), strong)


def spoken(data: bytes, lowered: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of the secrets that follow a word which is not the name of a value: after "PIN" and "pw", and in the pairs of logins."""
    spans = [_pin(data, lowered, at) for at in positions(lowered, _PIN_WORD)]
    spans += [_short_name(data, lowered, at) for at in positions(lowered, _SHORT_NAME)]
    spans += [_login(data, at) for word in _LOGIN_WORDS if lowered.find(word) >= 0 for at in positions(lowered, word)]
    yield from (span for span in spans if span is not None)


def _pin(data: bytes, lowered: bytes, at: int) -> tuple[int, int] | None:
    """Return the span of the number in "the PIN 4711" and "the pin is 4711", for the `pin ` at `at`; a pin in small letters is also one of a plug."""
    after = _after_fillers(lowered, at + len(_PIN_WORD))
    if (at and lowered[at - 1] in WORD) or not (data.startswith(b"PIN", at) or lowered.startswith(b"is ", at + len(_PIN_WORD))):
        return None
    end = end_of_run(data, after, DIGITS, 16)
    rest = data[end : end + 2].rstrip(_STOPS)
    return (after, end) if 4 <= end - after <= 12 and rest[:1] in (b"", b" ", b"\n", b'"') else None


def _short_name(data: bytes, lowered: bytes, at: int) -> tuple[int, int] | None:
    """Return the span of the secret after the `pw` at `at`: "pw: …", "the pw is …", 「pwが…に変わった」."""
    past = at + len(_SHORT_NAME)
    if (at and lowered[at - 1] in WORD) or lowered[past : past + 1] in (b"", b"\n") or lowered[past] in WORD:
        return None
    if data[past] > 0x7F:
        return japanese(data, at, past)
    past += data[past] in b":="
    return value_after(data, lowered, end_of_run(data, past, BLANKS, 8), True)


def _login(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the span of the password of the pair `user / password` or `user:password` that is closest to the word for logging in at `at`."""
    begin = max(data.rfind(b"\n", 0, at) + 1, at - _NEXT_TO_LOGIN)
    line = data[begin : at + _NEXT_TO_LOGIN].partition(b"\n")[0]
    for sign in (b" / ", b"/", b":"):
        for found in positions(line, sign):
            start = begin + found + len(sign)
            if line[found - 1 : found] in (b"", b" ", b":") or data[start : start + 1] in (b"/", b" "):
                continue
            end = end_of_unquoted(data, start, False)
            if is_no_word(data[start:end].translate(None, _PAIR_SIGNS), True) and _is_user(line[:found]):
                return unquoted_span(data, start, False)
    return None


def _is_user(before: bytes) -> bool:
    """Return whether a line up to the separator ends with a name: not with a path, a file, a host or a number."""
    name = before[len(before.rstrip(ALNUM + b"_-.@")) :]
    return name[:1].isalpha() and (b"." not in name or b"@" in name) and before[: len(before) - len(name)][-1:] not in (b"/", b":", b"#", b"\\")


def japanese(data: bytes, word_start: int, past: int) -> tuple[int, int] | None:
    """Return the span of the secret after or before a Japanese name: 「パスワードには必ず…」, 「…というパスワード」. past: the offset after the name"""
    named = next((word for word in _NAMED if data.endswith(word, 0, word_start)), None)
    if named is not None:
        found = _word_before(data, word_start - len(named), True)
        if found is not None:
            return found
    start = past
    while start < past + _KANA_BETWEEN and data[start : start + 1] > b"\x7f" and not data.startswith((*_SENTENCE, b"\xe3\x80\x8c"), start):
        start += 3
    start = end_of_run(data, start, BLANKS, 8)
    quoted = quoted_text(data, start)
    begin, end = quoted or (start, end_of_unquoted(data, start, False))
    return (quoted or unquoted_span(data, start, False)) if is_no_word(data[begin:end], True) else None


def is_no_word(value: bytes, strong: bool) -> bool:
    """Return whether a value is neither a word nor a name nor a version: `tR9kLq2vXz81mQ`, `hunter2secret9X`, but not `manager1Password`, `Base64Url`."""
    body = value.translate(None, b"_-")
    if len(body) < _SHORTEST or is_reference(value) or body.translate(None, ALNUM + _SIGNS) or not body.translate(None, DIGITS):
        return False
    signs = value.translate(None, WORD)
    if signs and not (strong and has_digit(value) and value[:1] in ALNUM):
        return False
    if signs or kind_changes(body) * 2 > len(body) or (len(body) >= 20 and is_mixed(value)):
        return True
    numbers = len(body.translate(KINDS).replace(b"a", b" ").replace(b"A", b" ").split())
    return numbers > 1 and body == value and not value.isupper()


def _is_word_and_number(value: bytes) -> bool:
    """Return whether a value is a capitalised word with a number at its end, as many passwords are: `Sommer2024`."""
    word = value.rstrip(DIGITS)
    return len(value) >= _SHORTEST and len(word) >= 4 and len(value) - len(word) >= 2 and word.isalpha() and word.istitle()


def _ends_there(data: bytes, end: int, quoted: bool) -> bool:
    end += quoted
    rest = data[end : end + 8]
    return not rest.strip(BLANKS) or rest[:1] in _STOPS or rest.startswith(_AFTER)


def _after_fillers(lowered: bytes, at: int) -> int:
    for _ in range(_MOST_FILLERS):
        end = end_of_run(lowered, at, LOWER, 12)
        if lowered[at:end] not in _FILLERS or lowered[end : end + 1] not in (b" ", b"\t"):
            break
        at = end_of_run(lowered, end, BLANKS, 8)
    return at


def _word_before(data: bytes, end: int, strong: bool) -> tuple[int, int] | None:
    """Return the span of the word that ends at `end`, in or without quotes, if it is a secret."""
    end = len(data[: max(0, end)].rstrip(BLANKS)) if data[end - 1 : end] in (b" ", b"\t") else end
    for closing in ("」".encode(), b'"', b"'", b"`"):
        if data.endswith(closing, 0, max(0, end)):
            end -= len(closing)
            break
    line = data[max(0, end - 128) : max(0, end)]
    start = end - len(line) + len(line.rstrip(ALNUM + b"_-" + _SIGNS))
    return (start, end) if is_no_word(data[start:end], strong) else None
