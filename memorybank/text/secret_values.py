"""The value that stands where a secret could stand: how far it reaches, and whether it is one.

No secret is what program text and prose put there: a reference (`$TOKEN`, `os.environ[…]`, `get_token()`), a placeholder
(`<password>`, `****`), a type, a plain word.

All work on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str]
    """start, end (byte offsets) and the name of the rule."""

DIGITS = b"0123456789"
UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = b"abcdefghijklmnopqrstuvwxyz"
LETTERS = UPPER + LOWER
ALNUM = LETTERS + DIGITS
WORD = ALNUM + b"_-"
HEX = DIGITS + b"abcdef"
JAPANESE_LABELS = tuple(str.split("パスワード パスフレーズ パスコード 暗証番号 トークン シークレット 秘密鍵 キー"))
_QUOTES = b"\"'`"
_ENDS = b" \t\r\n\"'`<>,;&|)}]\\"
_ENDS_OF_LINE = b" \t\r\n\"'`\\"
_OTHER_THAN_ENDS = bytes(range(128)).translate(None, _ENDS)
_OTHER_THAN_BLANKS = bytes(range(128)).translate(None, _ENDS_OF_LINE)
LONGEST = 8192
"""Bytes of a text between quotes, or of a header, at most."""
JUDGED = 512
"""So many bytes tell whether a value without quotes is a secret; one that is reaches as far as it goes. (Were each looked at whole, a row of
`token=token=token=…` would cost its length for every name in it.)"""
BLANKS = b" \t"
_OPERATORS = (b"===", b"==", b"=>", b"=", b":=", b":", b">", "＝".encode(), "：".encode())
_OPERATOR_STARTS = b"=:>\xef"
_WRITTEN_QUOTES = (b"&quot;", b"&#34;", b"&#39;")
_ENCODED = frozenset(b"%02x" % sign for sign in b" !\"#$%&'()*+,/:;<=>?@[\\]^`{|}")
_MARK = b"[REDACTED:"
PLAIN_WORDS = frozenset(
    b"""password passwd passphrase passcode pass pwd secret secrets token tokens credential credentials auth key apikey api_key api-key string str
    bytes text none null nil undefined true false bool boolean int number any object optional required changeme change_me change-me example sample
    dummy placeholder redacted hidden masked empty value values env file prompt stdin ask your_password your-password yourpassword your_token
    your-token your_api_key your-api-key your_secret bearer basic oauth oauth2 jwt base64 utf-8 utf8 sha256 sha512 md5 sha1 argon2 bcrypt ed25519
    self.password self.token process.env username user name id option options flag flags argument arguments parameter parameters""".split()
)


def mixed(body: bytes) -> bool:
    """Whether `body` looks drawn by lot: digits among letters of both cases, or digits in 20 letters and digits without a break."""
    if body.isalpha() or not has_digit(body):
        return False
    if not (body.islower() or body.isupper()):
        return True
    return any(len(piece) >= 20 for piece in body.replace(b"_", b"-").split(b"-"))


def fold(lowered: bytes) -> bytes:
    """The text without blanks, line ends, quotes, `_`, `-` and backslashes: shorter, to ask which names it does not hold."""
    return lowered.translate(None, b" \n_-\"'\\")


def has_digit(body: bytes) -> bool:
    """Whether a digit is among the signs."""
    return len(body.translate(None, DIGITS)) < len(body)


def varied(body: bytes) -> bool:
    """Not a row of x or * that stands for a token."""
    return len(set(body)) > 5


def positions(data: bytes, part: bytes) -> Iterator[int]:
    """Where `part` stands in `data`, left to right."""
    at = data.find(part)
    while at >= 0:
        yield at
        at = data.find(part, at + 1)


def reach(data: bytes, start: int, signs: bytes, most: int = 0) -> int:
    """Where the row of `signs` that begins at `start` ends; after `most` signs at the latest, when it is not 0."""
    end = start
    while True:
        piece = data[end : end + 4096] if not most else data[end : start + most]
        rest = piece.lstrip(signs)
        end += len(piece) - len(rest)
        if rest or not piece or most:
            return end


def operator_at(lowered: bytes, at: int) -> bytes:
    """What stands between a name and its value (`=`, `:`, `=>` …); b"" when nothing of the kind stands at `at`."""
    if at >= len(lowered) or lowered[at] not in _OPERATOR_STARTS:
        return b""
    return next((sign for sign in _OPERATORS if lowered.startswith(sign, at)), b"")


def behind_quotes(data: bytes, at: int, signs: bytes) -> int:
    """Behind the row of `signs` at `at` and quotes that are written as HTML."""
    while True:
        if data[at : at + 1] == b"&" and (quote := next((quote for quote in _WRITTEN_QUOTES if data.startswith(quote, at)), b"")):
            at += len(quote)
        elif signs and data[at : at + 1] and data[at] in signs:
            at += 1
        else:
            return at


def quoted_text(data: bytes, at: int) -> tuple[int, int] | None:
    """The text between quotes that open at `at` (f"…", \\"…\\" too) and close in the same line."""
    if data[at : at + 1] in (b"f", b"b", b"r", b"u") and data[at + 1 : at + 2] in (b'"', b"'"):
        at += 1
    bracket = data[at : at + 3]
    if bracket == "「".encode():
        end = data.find("」".encode(), at, at + LONGEST)
        return (at + 3, end) if end >= 0 else None
    slashes = reach(data, at, b"\\", 8)
    quote = data[slashes : slashes + 1]
    if not quote or quote not in _QUOTES:
        return None
    start = slashes + 1
    line = data.find(b"\n", start, start + LONGEST)
    border = line if line >= 0 else min(len(data), start + LONGEST)
    end = _closing(data, data[at:start], start, border)
    return (start, end) if end >= 0 else None


def _closing(data: bytes, opener: bytes, start: int, border: int) -> int:
    """Where the same quote comes again; one with more backslashes before it belongs to the text."""
    quote = opener[-1:]
    past, at = start, data.find(quote, start, border)
    while at >= 0:
        slashes = at - past - len(data[past:at].rstrip(b"\\"))
        if slashes < len(opener) or slashes % 2 == 0:
            return at - min(slashes, len(opener) - 1)
        past, at = at, data.find(quote, at + 1, border)
    return -1


def end_of_plain(data: bytes, at: int, whole_word: bool, most: int = JUDGED) -> int:
    """Where a value without quotes ends: at a blank, a quote, another character than ASCII, after `most` bytes; `whole_word`: at no `,` or `;`."""
    end = reach(data, at, _OTHER_THAN_BLANKS if whole_word else _OTHER_THAN_ENDS, most)
    return at + len(data[at:end].rstrip(b".,;:"))


def whole_plain(data: bytes, at: int, whole_word: bool) -> tuple[int, int]:
    """Where a value without quotes stands that was found to be secret, however long it is."""
    return at, end_of_plain(data, at, whole_word, 0)


def next_look(data: bytes, start: int, end: int) -> int:
    """From where on something else must be looked for behind the beginning of the secret data[start:end]. What stands in a long row without
    blanks and quotes ends with it, so that only the row's last bytes need a look; any other may hold the beginning of something longer."""
    is_row = end - start > JUDGED and not data[start:end].strip(_OTHER_THAN_BLANKS)
    return end - JUDGED if is_row else start


def is_reference(value: bytes) -> bool:
    """A variable, a template or a placeholder instead of a value, quoted or not."""
    if value.startswith((b"$", b"%")):
        name = value.strip(b"${}%()")
        if value.startswith((b"${", b"$(", b"%(", b"{{")) or not name:
            return True
        return name[:1].isalpha() and not name.translate(None, ALNUM + b"_:.-") and not mixed(name)
    return (
        value.startswith((b"...", _MARK, b"process.env", b"os.environ", b"secrets.", b"vault:", b"arn:", b"op://"))
        or (value[:1] == b"<" and value[-1:] in (b">", b"<"))
        or (value[:1] in (b"{", b"[") and value[-1:] in (b"}", b"]"))
        or b"${" in value
        or b"{{" in value
        or _is_formatted(value)
        or "…".encode() in value
        or len(set(value)) < 3
    )


def _is_expression(value: bytes) -> bool:
    """What only program text has: a call, an index, an opening bracket or a decorator."""
    return value[:1] in b"{<([@" or value.endswith((b"()", b"]")) or _is_call(value)


def _is_formatted(value: bytes) -> bool:
    """`token-{self.id}`, `%s:%s`: nothing drawn by lot is left without the places that are filled in."""
    before, brace, rest = value.partition(b"{")
    name, close, behind = rest.partition(b"}")
    if brace and close and name[:1].isalpha() and not name.strip(ALNUM + b"_.:!"):
        return not looks_drawn(before + behind)
    return b"%s" in value and not looks_drawn(value.replace(b"%s", b""))


def _is_encoded(value: bytes) -> bool:
    """Whether a sign of it is percent-encoded that a URL cannot have; `%` and any two digits may stand in a password."""
    return any(piece[:2].lower() in _ENCODED for piece in value.split(b"%")[1:])


def _is_call(value: bytes) -> bool:
    """`get_token(name`, `Optional[str`: a name and a bracket."""
    name = value[: reach(value, 0, ALNUM + b"_.")]
    return (name[:1].isalpha() or name[:1] == b"_") and value[len(name) : len(name) + 1] in (b"(", b"[")


def is_secret_text(value: bytes, strong: bool) -> bool:
    """Whether a quoted value is a secret. One with blanks is prose unless it has digits and belongs to a password."""
    if len(value) < 4 or is_reference(value) or value.lower() in PLAIN_WORDS or value.endswith(b"()"):
        return False
    behind = value[:1] in b"),; "  # the quote closed a text that ended with `password: `
    if b" " in value or b"\t" in value:
        return strong and not behind and len(value) <= 128 and has_digit(value)
    return (strong and not behind) or looks_drawn(value)


def is_secret_word(value: bytes, strong: bool, *, certain: bool, code: bool) -> bool:
    """The same for a value without quotes. certain: in an environment file; code: where a program would have an expression.
    What is percent-encoded is judged when it is decoded."""
    if len(value) < 4 or is_reference(value) or value.lower() in PLAIN_WORDS or _is_encoded(value):
        return False
    if certain:
        path = value.startswith((b"./", b"~/", b"http://", b"https://")) or (value[:1] == b"/" and value.count(b"/") > 1)
        return not path and (strong or looks_drawn(value) or len(value) >= 12)
    if _is_expression(value):
        return False
    if code:
        return len(value) >= 8 and b"." not in value.strip(b".") and b"_" not in value and mixed(value)
    if strong:
        return not value.translate(None, DIGITS) or (not value.replace(b"_", b"").replace(b".", b"").isalpha() and looks_drawn(value))
    return looks_drawn(value)


def looks_drawn(value: bytes) -> bool:
    """Digits among other signs, or signs that no identifier and no path has, or 20 letters of both cases."""
    if len(value) == 40 and mixed(value):
        return True  # the secret of an AWS key, which can begin like a path
    if len(value) < 6 or value.startswith((b"/", b"./", b"../", b"~/")) or b"://" in value or (value[:1] == b"#" and len(value) == 7):
        return False
    digits = len(value) - len(value.translate(None, DIGITS))
    if digits:
        return digits < len(value) and (len(value) >= 8 or digits > 1 or not value.isalnum())
    if value.translate(None, LETTERS + b"_-./:*"):
        return len(value) >= 8
    return len(value) >= 20 and value.isalpha() and not value.islower() and not value.isupper()
