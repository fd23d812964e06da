"""Secrets that are assigned to a name: `password=…`, `"api_key": "…"`, `--token …`, `パスワードは…`.

The name says that the value is secret; `values` then judges the value. Works on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.secrets import in_sentences
from memorybank.text.secrets.values import (
    ALNUM,
    BLANKS,
    DIGITS,
    JAPANESE_LABELS,
    LONGEST,
    after_quotes,
    end_of_run,
    end_of_unquoted,
    has_digit,
    is_mixed,
    is_reference,
    is_secret_text,
    is_secret_word,
    is_varied,
    looks_random,
    operator_at,
    positions,
    quoted_text,
    resume_offset,
    unquoted_span,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.text.secrets.values import Found

RULE = "assignment"
HEADER = "header"
_SCHEMES = frozenset(b"bearer basic token apikey api-key key negotiate ntlm digest hawk bot aws4-hmac-sha256 sharedaccesssignature ssws".split())
_LISTS = frozenset(b"digest hawk aws4-hmac-sha256".split())
"""Schemes whose credentials consist of several fields."""
_VISIBLE = bytes(range(32, 127))
NAMES = (b"pass", b"pwd", b"secret", b"token", b"credential", b"auth", b"key")
"""The parts of names to search for."""
_JAPANESE = tuple(map(str.encode, JAPANESE_LABELS))
_KEY = "キー".encode()
_KEY_KINDS = (b"API", b"api", "アクセス".encode(), "暗号".encode())
"""A キー (key) is secret only after one of these words."""
_JAPANESE_OPERATORS = ("は".encode(), "：".encode(), "＝".encode())
_BEFORE_BRACKET = "を「".encode()
_OUTSIDE = (b")", b",", b";", b" ")
"""What follows a quote that closes an earlier text, as in `パスワード：`)."""
_PIN = "暗証番号".encode()
_BRACKET = "「".encode()
_NAME = ALNUM + b"_-."
_SEPARATORS = (b",", b"|", b"--")
_LONGEST_NAME = 64
_LONGEST_LEAD = 1024
"""Maximum number of bytes before a name in its line that are read for context."""
_NO_VALUE_AFTER = frozenset((b"", b"\n", b"\r", b",", b";", b"?", b"!", b"/", b"{", b"+", b"*", b"#", b"$", b"[", b"}", b"|", b"~", b"^"))
_PASSWORDS = (b"password", b"passwd", b"passwort", b"passphrase", b"passcode", b"pwd")
_SECRETS = tuple(
    b"""secret token credential credentials apikey accesskey accountkey privatekey signingkey encryptionkey masterkey secretkey authkey secretkeybase
    appkey applicationkey adminkey sessionkey licensekey deploykey sharedkey hmackey aeskey subscriptionkey cypressrecordkey
    tokensecret secretvalue tokenvalue""".split()
)
_NO_PASSWORDS = tuple(b"askpass compass bypass surpass trespass overpass underpass firstpass twopass multipass singlepass".split())
_STAGES = tuple(b"prod production staging stage dev development test local live value string hash".split())
_KEY_OWNERS = tuple(
    b"api app application access account private signing encryption master secret auth admin session license deploy shared hmac aes subscription record".split()
)
_BEFORE_KEY = frozenset(b" _-" + bytes([owner[-1] for owner in _KEY_OWNERS]))
_TYPES = frozenset(b"str string bytes optional any secretstr text varchar int".split())


def find(data: bytes, lowered: bytes, folded: bytes) -> list[Found]:
    """Return every secret that its name reveals, in no particular order. lowered: `data.lower()`; folded: `values.fold(lowered)`."""
    found: list[Found] = []
    strengths: dict[bytes, bool | None] = {}
    for part in NAMES:
        if folded.find(part) >= 0:  # `in` first makes an error for bytes that are no number
            found += _assignments(data, lowered, part, strengths)
    found += ((*span, RULE) for span in in_sentences.spoken(data, lowered))
    if not data.isascii():
        for word in _JAPANESE:
            if data.find(word) >= 0:
                found += _japanese(data, word)
    return found


def may_hold(data: bytes, lowered: bytes) -> bool:
    """Return whether `find` could find anything in a part of `data`: the check with which it starts."""
    return any(lowered.find(part) >= 0 for part in (*NAMES, *in_sentences.WORDS)) or (not data.isascii() and any(data.find(word) >= 0 for word in _JAPANESE))


def is_secret_name(name: str) -> bool:
    """Return whether the value of a member `name` can be a secret because of its name."""
    written = name.encode("utf-8", "surrogatepass")
    return _strength(written, written.lower()) is not None


def is_secret_member(name: str, value: str) -> bool:
    """Return whether a member `name` of an object contains a secret, by the same rules as `"name": "value"`."""
    written = name.encode("utf-8", "surrogatepass")
    strong = _strength(written, written.lower())
    return strong is not None and is_secret_text(value.encode("utf-8", "surrogatepass"), strong)


def _assignments(data: bytes, lowered: bytes, part: bytes, strengths: dict[bytes, bool | None]) -> Iterator[Found]:
    """Yield the secrets assigned to names that contain `part`. strengths: cache of `_strength` for the names in this text."""
    past = 0
    for at in positions(lowered, part):
        if at < past or (part == b"key" and not _is_owned(lowered, at)):
            continue
        head, tail = lowered[max(0, at - _LONGEST_NAME) : at], lowered[at : at + _LONGEST_NAME]
        start = at - (len(head) - len(head.rstrip(_NAME)))
        past = at + len(tail) - len(tail.lstrip(_NAME))
        written = data[start:past]
        if written not in strengths:
            strengths[written] = _strength(written, lowered[start:past])
        strong = strengths[written]
        before = in_sentences.value_before(data, lowered, start, strong) if strong is not None and data[start - 1 : start] == b" " else None
        if before is not None:
            yield *before, RULE
        if data[past : past + 1] in _NO_VALUE_AFTER:
            continue
        found = None
        if lowered.endswith(b"authorization", start, past):
            found = _authorization(data, lowered, past)
        elif strong is not None:
            past = _after_prompt(lowered, past) if part == b"secret" else past
            span = _value(data, lowered, start, past, strong)
            found = None if span is None else (*span, RULE)
        elif part == b"key" and past == at + 3:
            span = _spoken_key(data, lowered, past)
            found = None if span is None else (*span, RULE)
        if found is not None:
            past = max(past, resume_offset(data, found[0], found[1]))
            yield found


def _authorization(data: bytes, lowered: bytes, past: int) -> Found | None:
    """Return the credentials after `Authorization`: a scheme and its parameters (RFC 9110, 11.6.2)."""
    at = after_quotes(data, past, b"\\\"'`]) \t")
    operator = operator_at(lowered, at)
    if not operator:
        return None
    at = after_quotes(data, at + len(operator), b" \t\\\"'`")
    if data[at : at + 1] in (b"f", b"b") and data[at + 1 : at + 2] in (b'"', b"'"):
        at += 2
    scheme = end_of_run(data, at, ALNUM + b"-", 32)
    word = lowered[at:scheme]
    blank = data[scheme : scheme + 1] in (b" ", b"+")
    if word in _LISTS and blank:
        end = end_of_run(data, at, _VISIBLE, LONGEST)
        return (scheme + blank, end, HEADER) if b"=" in data[scheme:end] else None
    start = scheme + blank if blank and word in _SCHEMES else at
    return (*unquoted_span(data, start, False), HEADER) if _is_credential(data[start : end_of_unquoted(data, start, False)], word) else None


def _is_credential(value: bytes, scheme: bytes) -> bool:
    if len(value) < 8 or is_reference(value) or not is_varied(value) or b"(" in value or b"[" in value:
        return False
    return has_digit(value) or len(value) >= 20 or (scheme == b"basic" and not value.islower())


def _after_prompt(lowered: bytes, past: int) -> int:
    """Return the offset after the rest of `AWS Secret Access Key [None]`."""
    if lowered.startswith(b" access key", past):
        past += 11
        if lowered.startswith(b" [", past):
            past = max(past, lowered.find(b"]", past, past + 40) + 1)
    return past


def _is_owned(lowered: bytes, at: int) -> bool:
    """Return whether the `key` at `at` belongs to an API key, an access key or the like; alone, the word is too common."""
    return at > 0 and lowered[at - 1] in _BEFORE_KEY and lowered[max(0, at - 12) : at].rstrip(b" _-").endswith(_KEY_OWNERS)


def _strength(written: bytes, name: bytes) -> bool | None:
    """Return True for the name of a password, False for that of a token or key, None for any other name."""
    plain = name.translate(None, b"_-.").rstrip(DIGITS)
    if plain.endswith(_STAGES):
        stage = next(stage for stage in _STAGES if plain.endswith(stage))
        plain = plain[: -len(stage)] or plain
    if plain.endswith(_PASSWORDS):
        return None if written in (b"PWD", b"OLDPWD") else True
    if written.isupper() and plain.endswith(b"pass") and not plain.endswith(_NO_PASSWORDS):
        return True
    if plain == b"pass" or name.endswith((b"_pass", b"-pass", b".pass")) or written.endswith(b"Pass"):
        return True
    return False if plain.endswith(_SECRETS) or plain == b"auth" else None


def _value(data: bytes, lowered: bytes, start: int, past: int, strong: bool) -> tuple[int, int] | None:
    """Return the span of the value of the name data[start:past] if it has a value and that is secret."""
    closing = after_quotes(data, past, b"\\\"'`])")
    blank = end_of_run(data, closing, BLANKS, 64)
    operator = operator_at(lowered, blank)
    if operator == b":" and (data[start:past] == b"PASS" or data[start - 1 : start] == b"/"):
        return None  # the output of a test, or the end of a path
    if not operator:
        if data[closing : closing + 1] == b"(":
            return _called(data, closing)
        return _value_without_operator(data, lowered, start, past, blank, strong) if blank > past else None
    at = end_of_run(data, blank + len(operator), BLANKS, 64)
    if operator == b">" and at > blank + 1:
        return None  # `<your-api-key> and …`
    if data[at : at + 1] in (b"|", b">"):
        at = _block(data, at)
    quoted = quoted_text(data, at)
    if quoted is not None:
        return quoted if is_secret_text(data[quoted[0] : quoted[1]], strong) else None
    if operator in (b"==", b"==="):
        return None
    return _plain_value(data, start, past, after_quotes(data, at, b""), strong, data[past:blank], operator)


def _plain_value(data: bytes, start: int, past: int, at: int, strong: bool, gap: bytes, operator: bytes) -> tuple[int, int] | None:
    """Return the span of the unquoted value at `at` if it is secret. gap: the bytes between name and operator."""
    capitals = data[start:past].isupper()
    spaced = data[at - 1 : at] in (b" ", b"\t")
    environment = capitals and not gap and not spaced and operator == b"=" and _begins_line(data, start)
    end = end_of_unquoted(data, at, environment)
    value = data[at:end]
    if value.lower() in _TYPES:
        after = end_of_run(data, end, b" \t]", 64)
        quoted = quoted_text(data, end_of_run(data, after + 1, BLANKS, 64)) if data[after : after + 1] == b"=" else None
        return quoted if quoted is not None and is_secret_text(data[quoted[0] : quoted[1]], strong) else None
    certain = environment or (capitals and not spaced)
    code = spaced and operator == b"=" and not gap.strip(BLANKS)
    return unquoted_span(data, at, environment) if is_secret_word(value, strong, certain=certain, code=code) else None


def _value_without_operator(data: bytes, lowered: bytes, start: int, past: int, blank: int, strong: bool) -> tuple[int, int] | None:
    """Return a value without an operator: `--password VALUE`, "the password is VALUE", `set aws_secret_access_key VALUE`, a line of .netrc."""
    said = lowered.startswith(b"is ", blank)
    at = blank + 3 if said else blank
    quoted = quoted_text(data, at)
    if lowered.startswith(b"-", start) and data[at : at + 1] != b"-":
        if quoted is not None:
            return quoted if is_secret_text(data[quoted[0] : quoted[1]], strong) else None
        end = end_of_unquoted(data, at, True)
        secret = is_secret_word(data[at:end], strong, certain=strong and lowered.startswith(b"--", start), code=False)
        return unquoted_span(data, at, True) if secret else None
    if said:
        begin, end = quoted or (at, end_of_unquoted(data, at, False))
        value = data[begin:end]
        secret = is_secret_text(value, False) and has_digit(value) if quoted else is_secret_word(value, False, certain=False, code=True)
        if secret:
            return quoted or unquoted_span(data, at, False)
    if data.startswith(_SEPARATORS, blank) and not data.startswith(b"||", blank):
        return _separated(data, blank)
    if _line_before(lowered, start).strip() in (b"env", b"arg"):  # of a Dockerfile
        end = end_of_unquoted(data, at, True)
        return unquoted_span(data, at, True) if is_secret_word(data[at:end], strong, certain=True, code=False) else None
    netrc = _is_netrc(lowered, start)
    if netrc or b"_" in data[start:past]:
        end = end_of_unquoted(data, at, True)
        return unquoted_span(data, at, True) if end - at >= (4 if netrc else 16) and is_mixed(data[at:end]) else None
    return in_sentences.value_after(data, lowered, blank, strong)


def _spoken_key(data: bytes, lowered: bytes, past: int) -> tuple[int, int] | None:
    """Return the span of the secret in `API key: …` and "the access key is …": a name of two words, unlike `api_key`."""
    at = end_of_run(data, past, BLANKS, 64)
    at = end_of_run(data, at + len(operator_at(lowered, at)), BLANKS, 64)
    return in_sentences.value_after(data, lowered, at, False) if at > past else None


def _separated(data: bytes, separator: int) -> tuple[int, int] | None:
    """Return the span of the value in `set("password", "…")`, `| token | … |` and `password ---- …`: 8 or more mixed characters."""
    at = end_of_run(data, end_of_run(data, separator, b",|-", 40), BLANKS, 64)
    quoted = quoted_text(data, at)
    if quoted is None and data[separator : separator + 1] == b",":
        return None
    begin, end = quoted or (at, end_of_unquoted(data, at, False))
    value = data[begin:end]
    secret = (
        len(value) >= 8
        and not value.isupper()
        and value.lower() != value.upper()
        and is_mixed(value)
        and looks_random(value)
        and not is_reference(value)
        and b"(" not in value
    )
    return (quoted or unquoted_span(data, at, False)) if secret else None


def _is_netrc(lowered: bytes, start: int) -> bool:
    """Return whether `machine … login …` precedes the `password` at `start`, as in a .netrc."""
    line = _line_before(lowered, start)
    return b"machine " in line and b"login " in line


def _line_before(data: bytes, at: int) -> bytes:
    """Return the text before `at` in its line, at most the last `_LONGEST_LEAD` bytes."""
    start = max(0, at - _LONGEST_LEAD)
    return data[max(start, data.rfind(b"\n", start, at) + 1) : at]


def _called(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the argument of `set_password("…")`: text that looks random, alone between the parentheses."""
    quoted = quoted_text(data, at + 1)
    return quoted if quoted is not None and looks_random(data[quoted[0] : quoted[1]]) and b" " not in data[quoted[0] : quoted[1]] else None


def _block(data: bytes, at: int) -> int:
    """Return the start of the first line of a YAML block (`password: |`), or `at` if there is no block."""
    sign = end_of_run(data, at, b"|>+-", 3)
    return end_of_run(data, sign + 1, BLANKS, 64) if data[sign : sign + 1] == b"\n" else at


def _begins_line(data: bytes, start: int) -> bool:
    """Return whether an environment assignment starts at `start`: only spaces, a diff sign, or `export` precede it in its line."""
    line = _line_before(data, start).strip(b" \t+-")
    return not line or line in (b"export", b"set", b"ENV", b"ARG") or line.endswith((b"\\n", b"\\nexport"))


def _japanese(data: bytes, word: bytes) -> Iterator[Found]:
    """Yield the values of `パスワード：…` and `トークンは「…」`: ASCII characters that look random."""
    for at in positions(data, word):
        if word == _KEY and not data[max(0, at - 16) : at].endswith(_KEY_KINDS):
            continue
        past = after_quotes(data, at + len(word), b"\\\"'")
        start = past + (3 if data.startswith((*_JAPANESE_OPERATORS, _BEFORE_BRACKET), past) else 1 if data[past : past + 1] in (b":", b"=") else 0)
        start = end_of_run(data, start, BLANKS, 8)
        if start > past or data.startswith(_BRACKET, start):
            quoted = quoted_text(data, start)
            begin, end = quoted or (start, end_of_unquoted(data, start, False))
            value = data[begin:end]
            is_pin = word == _PIN and 4 <= len(value) <= 12 and value.isdigit()
            if is_pin or (len(value) >= 6 and value.isascii() and value[:1] not in _OUTSIDE and not is_reference(value) and looks_random(value)):
                yield *(quoted or unquoted_span(data, start, False)), RULE
                continue
        span = in_sentences.japanese(data, at, at + len(word))
        if span is not None:
            yield *span, RULE
