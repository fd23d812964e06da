"""Secrets that can be told by where they stand: assignments (`password=`, `"api_key": "…"`), credentials in a URL, headers.

Here a name or a place says that what follows is secret, so the value must only not be what program text and prose put there:
a reference (`$TOKEN`, `os.environ[…]`, `get_token()`), a placeholder (`<password>`, `****`), a type, a plain word.

All work on UTF-8 bytes. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text.secret_tokens import ALNUM, DIGITS, LOWER, mixed, positions, reach, varied
from memorybank.text.secret_values import LONGEST, PLAIN_WORDS, end_of_plain, is_reference, is_secret_text, is_secret_word, looks_drawn, quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.text.secret_tokens import Found

ASSIGNMENT = "assignment"
URL = "url"
HEADER = "header"
RULES = (ASSIGNMENT, URL, HEADER)

_FOLD = bytes(bytearray(range(256))).lower()
_IGNORED = b" _-\"'\\"
_HINTS: tuple[tuple[bytes, bytes], ...] = (
    (b"pass", b"pass"),
    (b"pwd", b"pwd"),
    (b"secret", b"secret"),
    (b"token", b"token"),
    (b"credential", b"credential"),
    (b"auth", b"auth"),
    (b"apikey", b"key"),
    (b"accesskey", b"key"),
    (b"accountkey", b"key"),
    (b"privatekey", b"key"),
    (b"signingkey", b"key"),
    (b"encryptionkey", b"key"),
    (b"masterkey", b"key"),
)
"""(what lower-case text without blanks, quotes, `_` and `-` must hold, the part of a name to look for)."""
_JAPANESE = tuple(map(str.encode, str.split("パスワード パスフレーズ 暗証番号 合言葉 トークン シークレット APIキー アクセスキー 秘密鍵")))
_JAPANESE_HINTS = tuple(map(str.encode, str.split("パスワード パスフレーズ 暗証番号 合言葉 トークン シークレット キー 秘密鍵")))

_NAME = ALNUM + b"_-."
_PASSWORDS = (b"password", b"passwd", b"passwort", b"passphrase", b"passcode", b"pwd")
_SECRETS = (
    b"secret", b"token", b"credential", b"credentials", b"apikey", b"accesskey", b"accountkey", b"privatekey", b"signingkey", b"encryptionkey",
    b"masterkey", b"secretkey", b"authkey", b"secretkeybase", b"tokensecret", b"secretvalue", b"tokenvalue",
)  # fmt: skip
_STAGES = (b"prod", b"production", b"staging", b"stage", b"dev", b"development", b"test", b"local", b"live", b"value", b"string", b"hash")
_KEY_OWNERS = (b"api", b"access", b"account", b"private", b"signing", b"encryption", b"master", b"secret", b"auth")
_OPERATORS = (b"%3d", b"%3a", b":=", b"=>", b"===", b"==", b"=", b":", b">", "＝".encode(), "：".encode())
_BLANKS = b" \t"
_TYPES = frozenset(b"str string bytes optional any secretstr text varchar int".split())
_SCHEMES = frozenset(b"bearer basic token apikey api-key key negotiate ntlm digest hawk bot aws4-hmac-sha256 sharedaccesssignature".split())
_LISTS = frozenset(b"digest hawk aws4-hmac-sha256".split())
"""Schemes whose credentials are several fields."""


def find(data: bytes) -> list[Found]:
    """Every secret of `data` that its place gives away, in no order; a stretch may be found twice."""
    found: list[Found] = []
    folded = data.translate(_FOLD, _IGNORED)
    lowered = b""
    for part in dict.fromkeys(part for hint, part in _HINTS if hint in folded):
        lowered = lowered or data.lower()
        found += _assignments(data, lowered, part)
    if b"bearer" in folded:
        found += _bearers(data, lowered or data.lower())
    if b"cookie" in folded:
        found += _cookies(data, lowered or data.lower())
    if not data.isascii() and any(hint in data for hint in _JAPANESE_HINTS):
        found += _japanese(data)
    if b"://" in data:
        found += _urls(data)
    if b"curl" in folded:
        found += _curl_users(data)
    return found


# Assignments


def _assignments(data: bytes, lowered: bytes, part: bytes) -> Iterator[Found]:
    past = 0
    for at in positions(lowered, part):
        if at < past or (part == b"key" and not lowered[max(0, at - 12) : at].rstrip(b" _-").endswith(_KEY_OWNERS)):
            continue
        head = lowered[max(0, at - 64) : at]
        start = at - (len(head) - len(head.rstrip(_NAME)))
        past = at + len(lowered[at : at + 64]) - len(lowered[at : at + 64].lstrip(_NAME))
        name = lowered[start:past]
        if part == b"secret" and lowered[past : past + 11] == b" access key":
            past += 11
        if name.endswith(b"authorization"):
            yield from _credentials(data, lowered, past)
            continue
        strong = _strength(data[start:past], name)
        if strong is not None:
            span = _value(data, lowered, start, past, strong)
            if span is not None:
                yield *span, ASSIGNMENT


def _strength(written: bytes, name: bytes) -> bool | None:
    """True for the name of a password, False for that of a token or key, None for any other name."""
    plain = name.translate(None, b"_-.").rstrip(DIGITS)
    for stage in _STAGES:
        if plain.endswith(stage) and len(plain) > len(stage):
            plain = plain[: -len(stage)]
            break
    if plain.endswith(_PASSWORDS):
        return None if written.strip(b"_") in (b"PWD", b"OLDPWD", b"pwd", b"oldpwd") and plain in (b"pwd", b"oldpwd") and written.isupper() else True
    if plain == b"pass" or name.endswith((b"_pass", b"-pass", b".pass")) or written.endswith(b"Pass"):
        return True
    return False if plain.endswith(_SECRETS) or plain == b"auth" else None


def _value(data: bytes, lowered: bytes, start: int, past: int, strong: bool) -> tuple[int, int] | None:
    """Where the value of the name data[start:past] stands, when there is one and it is secret."""
    at = reach(data[: past + 8], past, b"\\\"'`])")
    closed = at > past
    blank = reach(data[: at + 64], at, _BLANKS)
    operator = next((sign for sign in _OPERATORS if lowered.startswith(sign, blank)), b"")
    if not operator:
        return _after_a_word(data, lowered, start, past, blank, strong)
    at = reach(data[: blank + 80], blank + len(operator), _BLANKS)
    quoted = quoted_text(data, at)
    if quoted is not None:
        return quoted if is_secret_text(data[quoted[0] : quoted[1]], strong) else None
    if operator in (b"==", b"==="):
        return None
    environment = blank == past and operator == b"=" and at == blank + 1 and _begins_line(data, start) and data[start:past].isupper()
    end = end_of_plain(data, at, environment)
    value = data[at:end]
    after = reach(data[: end + 64], end, b" \t]")
    if value.lower() in _TYPES and data[after : after + 1] == b"=":
        quoted = quoted_text(data, reach(data[: after + 65], after + 1, _BLANKS))
        return quoted if quoted is not None and is_secret_text(data[quoted[0] : quoted[1]], strong) else None
    if data[end : end + 1] in (b"(", b"["):
        return None
    spaced = at > blank + len(operator)
    certain = environment or (data[start:past].isupper() and not spaced)
    return (at, end) if is_secret_word(value, strong, certain=certain, code=spaced and operator == b"=" and not closed) else None


def _after_a_word(data: bytes, lowered: bytes, start: int, past: int, blank: int, strong: bool) -> tuple[int, int] | None:
    """`--password VALUE` and "the password is VALUE"."""
    if blank == past:
        return None
    if lowered.startswith(b"-", start) and data[blank : blank + 1] not in (b"-", b""):
        quoted = quoted_text(data, blank)
        if quoted is not None:
            return quoted if is_secret_text(data[quoted[0] : quoted[1]], strong) else None
        end = end_of_plain(data, blank, True)
        return (blank, end) if is_secret_word(data[blank:end], strong, certain=strong, code=False) else None
    if lowered.startswith(b"is ", blank):
        at = blank + 3
        quoted = quoted_text(data, at)
        if quoted is not None:
            at, end = quoted
        else:
            end = end_of_plain(data, at, False)
        value = data[at:end]
        return (at, end) if len(value) >= 6 and not value.isalpha() and is_secret_word(value, False, certain=False, code=True) else None
    return None


def _begins_line(data: bytes, start: int) -> bool:
    """Whether an environment line begins at `start`: nothing but blanks, the sign of a diff, or `export` before it in its line."""
    line = data[data.rfind(b"\n", 0, start) + 1 : start].strip(b" \t+-")
    return not line or line in (b"export", b"set", b"ENV", b"ARG") or line.endswith((b"\\n", b"\\nexport"))


# Headers


def _credentials(data: bytes, lowered: bytes, past: int) -> Iterator[Found]:
    """What follows `Authorization`: a scheme and its credentials (RFC 9110, 11.6.2)."""
    at = reach(data[: past + 8], past, b"\\\"'`]) \t")
    operator = next((sign for sign in _OPERATORS if lowered.startswith(sign, at)), b"")
    if not operator:
        return
    at = reach(data[: at + 80], at + len(operator), b" \t\\\"'`")
    if data[at : at + 1] in (b"f", b"b") and data[at + 1 : at + 2] in (b'"', b"'"):
        at += 2
    scheme = reach(data[: at + 32], at, ALNUM + b"-")
    word = lowered[at:scheme]
    blank = 3 if lowered.startswith(b"%20", scheme) else 1 if data[scheme : scheme + 1] in (b" ", b"+") else 0
    if word in _LISTS and blank:
        end = reach(data[: at + LONGEST], at, bytes(value for value in range(32, 127)))
        if b"=" in data[scheme:end]:
            yield scheme + blank, end, HEADER
    else:
        start = scheme + blank if blank and word in _SCHEMES else at
        yield from _credential(data, start, word)


def _credential(data: bytes, start: int, scheme: bytes) -> Iterator[Found]:
    end = end_of_plain(data, start, False)
    value = data[start:end]
    if len(value) < 8 or is_reference(value) or not varied(value) or data[end : end + 1] == b"(":
        return
    if mixed(value) or any(sign in DIGITS for sign in value) or len(value) >= 20 or (scheme == b"basic" and not value.islower()):
        yield start, end, HEADER


def _bearers(data: bytes, lowered: bytes) -> Iterator[Found]:
    for at in positions(lowered, b"bearer"):
        start = at + 6
        blank = 3 if lowered.startswith(b"%20", start) else len(data[start : start + 8]) - len(data[start : start + 8].lstrip(b" \t=:\"'"))
        if blank:
            end = end_of_plain(data, start + blank, False)
            value = data[start + blank : end]
            if len(value) >= 16 and mixed(value) and not is_reference(value):
                yield start + blank, end, HEADER


def _cookies(data: bytes, lowered: bytes) -> Iterator[Found]:
    """`Cookie: name=value; …` and `Set-Cookie:` (RFC 6265) whose values can open a session: 16 signs drawn by lot."""
    for at in positions(lowered, b"cookie:"):
        start = reach(data[: at + 16], at + 7, _BLANKS)
        end = reach(data[: start + LONGEST], start, bytes(value for value in range(32, 127) if value not in b"\"'`"))
        pairs = data[start:end].split(b";")
        if any(b"=" in pair and len(pair.partition(b"=")[2]) >= 16 and mixed(pair.partition(b"=")[2]) for pair in pairs):
            yield start, end, HEADER


# Japanese


def _japanese(data: bytes) -> Iterator[Found]:
    """`パスワード：…`, `トークンは「…」`: a value of ASCII signs drawn by lot."""
    for word in _JAPANESE:
        for at in positions(data, word):
            past = at + len(word)
            past += 3 if data.startswith(("は".encode(), "：".encode(), "＝".encode()), past) else 1 if data[past : past + 1] in (b":", b"=") else 0
            start = reach(data[: past + 8], past, b" \t")
            if start == at + len(word):
                continue
            quoted = quoted_text(data, start)
            end = quoted[1] if quoted else end_of_plain(data, start, False)
            start = quoted[0] if quoted else start
            value = data[start:end]
            if len(value) >= 6 and value.isascii() and not is_reference(value) and looks_drawn(value):
                yield start, end, ASSIGNMENT


# URLs


def _urls(data: bytes) -> Iterator[Found]:
    """`scheme://user:password@host` (RFC 3986, 3.2.1), `scheme://token@host`, and addresses that are a secret as a whole."""
    for at in positions(data, b"://"):
        start = at + 3
        end = reach(data[: start + 512], start, _AUTHORITY)
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
                stop = reach(data[: path + 512], path, ALNUM + b"/_-")
                if stop - path >= 24:
                    yield path, stop, URL


_AUTHORITY = bytes(value for value in range(33, 127) if value not in b"/?#\"'`<>\\ ,;()[]{}|^") + b"$"
_SECRET_ADDRESSES = (b"hooks.slack.com/services/", b"discord.com/api/webhooks/", b"discordapp.com/api/webhooks/")


def _curl_users(data: bytes) -> Iterator[Found]:
    """`curl -u user:password`, `--user user:password`."""
    for option in (b" -u ", b" --user ", b" --user=", b" -u"):
        for at in positions(data, option):
            start = at + len(option)
            quoted = quoted_text(data, start)
            start, end = quoted or (start, end_of_plain(data, start, False))
            user, colon, password = data[start:end].partition(b":")
            if colon and user and not user.strip(ALNUM + b"_.@+-") and len(password) >= 4 and not is_reference(password) and password.strip(LOWER):
                yield start + len(user) + 1, end, ASSIGNMENT
