"""Secrets that can be told by where they stand: `Authorization` and `Cookie` headers, credentials in a URL, options of programs.

`text.secret_values` judges what stands there. All work on UTF-8 bytes. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text.secret_tokens import ALNUM, LOWER, has_digit, mixed, positions, reach, varied
from memorybank.text.secret_values import (
    JUDGED,
    LONGEST,
    PLAIN_WORDS,
    behind_quotes,
    end_of_plain,
    is_reference,
    next_look,
    operator_at,
    quoted_text,
    whole_plain,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.text.secret_tokens import Found

URL = "url"
HEADER = "header"
OPTION = "option"
RULES = (URL, HEADER, OPTION)

_FOLD = bytes(bytearray(range(256))).lower()
_IGNORED = b" _-\"'\\"
_SCHEMES = frozenset(b"bearer basic token apikey api-key key negotiate ntlm digest hawk bot aws4-hmac-sha256 sharedaccesssignature".split())
_LISTS = frozenset(b"digest hawk aws4-hmac-sha256".split())
"""Schemes whose credentials are several fields."""
_VISIBLE = bytes(range(32, 127))
_UNQUOTED = _VISIBLE.translate(None, b"\"'`")
_AUTHORITY = _VISIBLE.translate(None, b" /?#\"'`<>\\,;()[]{}|^")
_SECRET_ADDRESSES = (b"hooks.slack.com/services/", b"discord.com/api/webhooks/", b"discordapp.com/api/webhooks/")
_SHORT = 16_384
"""Longer texts are no command lines."""
_OPTIONS: tuple[tuple[bytes, bytes, bytes, bool], ...] = (
    (b"sshpass", b"sshpass", b" -p", True),
    (b"mysql", b"mysql", b" -p", False),
    (b"mariadb", b"mariadb", b" -p", False),
    (b"rediscli", b"redis-cli", b" -a ", True),
    (b"mongo", b"mongo", b" -p ", True),
    (b"dockerlogin", b"docker login", b" -p ", True),
    (b"podmanlogin", b"podman login", b" -p ", True),
)
"""hint in folded text, program, the option whose value is a password, whether a blank may stand before the value."""


def fold(data: bytes) -> bytes:
    """Lower case without blanks, quotes, `_`, `-` and backslashes: `"api_key": "x"` is `apikey:x`. Only for asking what is there."""
    return data.translate(_FOLD, _IGNORED)


def find(data: bytes, folded: bytes) -> list[Found]:
    """Every secret in a header, a URL or an option, in no order. folded: `fold(data)`."""
    found: list[Found] = []
    if b"bearer" in folded:
        found += _bearers(data)
    if b"cookie:" in folded:
        found += _cookies(data)
    if b"://" in data:
        found += _urls(data)
        if b"curl" in folded:
            found += _curl_users(data)
    if len(data) <= _SHORT:
        for hint, program, option, apart in _OPTIONS:
            if hint in folded:
                found += _options(data, program, option, apart)
    return found


def may_hold(data: bytes, folded: bytes) -> bool:
    """Whether `find` could find anything in a part of `data`: what it asks first."""
    return b"bearer" in folded or b"cookie:" in folded or b"://" in data or any(hint in folded for hint, _, _, _ in _OPTIONS)


def authorization(data: bytes, lowered: bytes, past: int) -> Found | None:
    """What follows `Authorization`: a scheme and its credentials (RFC 9110, 11.6.2)."""
    at = behind_quotes(data, past, b"\\\"'`]) \t")
    operator = operator_at(lowered, at)
    if not operator:
        return None
    at = behind_quotes(data, at + len(operator), b" \t\\\"'`")
    if data[at : at + 1] in (b"f", b"b") and data[at + 1 : at + 2] in (b'"', b"'"):
        at += 2
    scheme = reach(data, at, ALNUM + b"-", 32)
    word = lowered[at:scheme]
    blank = 3 if lowered.startswith(b"%20", scheme) else 1 if data[scheme : scheme + 1] in (b" ", b"+") else 0
    if word in _LISTS and blank:
        end = reach(data, at, _VISIBLE, LONGEST)
        return (scheme + blank, end, HEADER) if b"=" in data[scheme:end] else None
    start = scheme + blank if blank and word in _SCHEMES else at
    return (*whole_plain(data, start, False), HEADER) if _is_credential(data[start : end_of_plain(data, start, False)], word) else None


def _is_credential(value: bytes, scheme: bytes) -> bool:
    if len(value) < 8 or is_reference(value) or not varied(value) or b"(" in value or b"[" in value:
        return False
    return has_digit(value) or len(value) >= 20 or (scheme == b"basic" and not value.islower())


def _bearers(data: bytes) -> Iterator[Found]:
    past = 0
    lowered = data.lower()
    for at in positions(lowered, b"bearer"):
        start = at + 6
        if start < past:
            continue
        blank = 3 if lowered.startswith(b"%20", start) else len(data[start : start + 8]) - len(data[start : start + 8].lstrip(b" \t=:\"'"))
        if blank:
            end = end_of_plain(data, start + blank, False)
            value = data[start + blank : end]
            if len(value) >= 16 and mixed(value) and not is_reference(value):
                start, end = whole_plain(data, start + blank, False)
                past = next_look(data, start, end)
                yield start, end, HEADER


def _cookies(data: bytes) -> Iterator[Found]:
    """`Cookie: name=value; …` and `Set-Cookie:` (RFC 6265) whose values can open a session: 16 signs drawn by lot."""
    past = 0
    for at in positions(data.lower(), b"cookie"):
        if at < past:
            continue
        start = reach(data, at + 6, b"\\\"':= \t", 8)
        end = reach(data, start, _UNQUOTED, LONGEST)
        past = end - JUDGED  # what follows another name in this row was judged with it
        if any(map(_opens_a_session, data[start:end].split(b";"))):
            yield start, end, HEADER


def _opens_a_session(pair: bytes) -> bool:
    _, _, value = pair.partition(b"=")
    return len(value) >= 16 and mixed(value)


def _urls(data: bytes) -> Iterator[Found]:
    """`scheme://user:password@host` (RFC 3986, 3.2.1), `scheme://token@host`, and addresses that are a secret as a whole."""
    for at in positions(data, b"://"):
        start = at + 3
        end = reach(data, start, _AUTHORITY, 512)
        sign = data.rfind(b"@", start, end)
        if sign > start:
            user, colon, password = data[start:sign].partition(b":")
            if colon:
                if len(password) >= 3 and not is_reference(password) and password.lower() not in PLAIN_WORDS:
                    yield start + len(user) + 1, sign, URL
            elif len(user) >= 20 and mixed(user) and not is_reference(user):
                yield start, sign, URL
        for host in _SECRET_ADDRESSES:
            if data.startswith(host, start):
                path = start + len(host)
                stop = reach(data, path, ALNUM + b"/_-", 512)
                if stop - path >= 24:
                    yield path, stop, URL


def _curl_users(data: bytes) -> Iterator[Found]:
    """`curl -u user:password`, `--user user:password`."""
    for option in (b" -u ", b" --user ", b" --user=", b" -u"):
        for at in positions(data, option):
            start = at + len(option)
            quoted = quoted_text(data, start)
            begin, end = quoted or (start, end_of_plain(data, start, False))
            user, colon, password = data[begin:end].partition(b":")
            if colon and user and not user.strip(ALNUM + b"_.@+-") and len(password) >= 4 and not is_reference(password) and password.strip(LOWER):
                _, end = quoted or whole_plain(data, start, False)
                yield begin + len(user) + 1, end, OPTION


def _options(data: bytes, program: bytes, option: bytes, apart: bool) -> Iterator[Found]:
    """`sshpass -p VALUE`, `mysql -pVALUE`: within the same command."""
    for at in positions(data, program):
        stop = min([place for place in (data.find(sign, at) for sign in (b"\n", b"|", b"&&", b";")) if place >= 0] or [len(data)])
        place = data.find(option, at + len(program), stop)
        if place >= 0:
            start = reach(data, place + len(option), b" ", 2) if apart else place + len(option)
            quoted = quoted_text(data, start)
            start, end = quoted or whole_plain(data, start, True)
            if end - start >= 4 and not is_reference(data[start:end]) and data[start] not in b"-/ ":
                yield start, end, OPTION
