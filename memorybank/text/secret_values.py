"""Values in places where secrets occur: where a value ends, and whether it is a secret.

What programs and prose write in such places is not a secret: a reference (`$TOKEN`, `os.environ[…]`, `get_token()`), a placeholder
(`<password>`, `****`), a type, a plain word. All functions work on UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str]
    """Start and end (byte offsets) and the name of the rule."""

DIGITS = b"0123456789"
UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = b"abcdefghijklmnopqrstuvwxyz"
LETTERS = UPPER + LOWER
ALNUM = LETTERS + DIGITS
WORD = ALNUM + b"_-"
HEX = DIGITS + b"abcdef"
KINDS = bytes.maketrans(ALNUM, b"A" * 26 + b"a" * 26 + b"0" * 10)
"""Translation table from letters and digits to their kind."""
JAPANESE_LABELS = tuple(str.split("パスワード パスフレーズ パスコード 暗証番号 トークン シークレット 秘密鍵 キー"))
_QUOTES = b"\"'`"
_ENDS = b" \t\r\n\"'`<>,;&|)}]\\"
_ENDS_OF_LINE = b" \t\r\n\"'`\\"
_OTHER_THAN_ENDS = bytes(range(128)).translate(None, _ENDS)
_OTHER_THAN_BLANKS = bytes(range(128)).translate(None, _ENDS_OF_LINE)
LONGEST = 8192
"""Maximum number of bytes in a quoted text or a header."""
JUDGED = 512
"""Number of bytes that decide whether an unquoted value is a secret; a secret then extends as far as the value does. (Reading each value in full
would cost quadratic time on `token=token=token=…`.)"""
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


def is_mixed(body: bytes) -> bool:
    """Return whether `body` looks random: digits among letters of both cases, or digits in at least 20 letters and digits without a break."""
    if body.isalpha() or not has_digit(body):
        return False
    if not (body.islower() or body.isupper()):
        return True
    return any(len(piece) >= 20 for piece in body.replace(b"_", b"-").split(b"-"))


def fold(lowered: bytes) -> bytes:
    """Return the text without spaces, line ends, quotes, `_`, `-` and backslashes: a shorter text to check which names do not occur."""
    return lowered.translate(None, b" \n_-\"'\\")


def has_digit(body: bytes) -> bool:
    """Return whether `body` contains a digit."""
    return len(body.translate(None, DIGITS)) < len(body)


def is_varied(body: bytes) -> bool:
    """Return whether `body` has enough different characters, unlike a row of x or * in place of a token."""
    return len(set(body)) > 5


def kind_changes(body: bytes) -> int:
    """Return how many characters are of another kind (lower case, upper case, digit) than the one before."""
    kinds = body.translate(KINDS)
    return sum(kinds[at] != kinds[at - 1] for at in range(1, len(kinds)))


def positions(data: bytes, part: bytes) -> Iterator[int]:
    """Yield the offsets of `part` in `data`, in order."""
    at = data.find(part)
    while at >= 0:
        yield at
        at = data.find(part, at + 1)


def end_of_run(data: bytes, start: int, signs: bytes, most: int = 0) -> int:
    """Return the end of the run of `signs` that starts at `start`. most: maximum length of the run, 0 for no limit."""
    end = start
    while True:
        piece = data[end : end + 4096] if not most else data[end : start + most]
        rest = piece.lstrip(signs)
        end += len(piece) - len(rest)
        if rest or not piece or most:
            return end


def operator_at(lowered: bytes, at: int) -> bytes:
    """Return the operator at `at` that separates a name from its value (`=`, `:`, `=>` …), or b""."""
    if at >= len(lowered) or lowered[at] not in _OPERATOR_STARTS:
        return b""
    return next((sign for sign in _OPERATORS if lowered.startswith(sign, at)), b"")


def after_quotes(data: bytes, at: int, signs: bytes) -> int:
    """Return the offset after a run of `signs` and of quotes in HTML notation that starts at `at`."""
    while True:
        if data[at : at + 1] == b"&" and (quote := next((quote for quote in _WRITTEN_QUOTES if data.startswith(quote, at)), b"")):
            at += len(quote)
        elif signs and data[at : at + 1] and data[at] in signs:
            at += 1
        else:
            return at


def quoted_text(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the span of the text between quotes that open at `at` (f"…", \\"…\\" too) and close in the same line; None without such quotes."""
    if data[at : at + 1] in (b"f", b"b", b"r", b"u") and data[at + 1 : at + 2] in (b'"', b"'"):
        at += 1
    bracket = data[at : at + 3]
    if bracket == "「".encode():
        end = data.find("」".encode(), at, at + LONGEST)
        return (at + 3, end) if end >= 0 else None
    slashes = end_of_run(data, at, b"\\", 8)
    quote = data[slashes : slashes + 1]
    if not quote or quote not in _QUOTES:
        return None
    start = slashes + 1
    line = data.find(b"\n", start, start + LONGEST)
    border = line if line >= 0 else min(len(data), start + LONGEST)
    end = _closing(data, data[at:start], start, border)
    return (start, end) if end >= 0 else None


def _closing(data: bytes, opener: bytes, start: int, border: int) -> int:
    """Return the offset of the closing quote. A quote with more backslashes than the opening one is part of the text."""
    quote = opener[-1:]
    past, at = start, data.find(quote, start, border)
    while at >= 0:
        slashes = at - past - len(data[past:at].rstrip(b"\\"))
        # A quote that is escaped no more deeply than the opening one closes the text. Beyond that, an odd number of backslashes escapes it.
        if slashes < len(opener) or slashes % 2 == 0:
            return at - min(slashes, len(opener) - 1)
        past, at = at, data.find(quote, at + 1, border)
    return -1


def end_of_unquoted(data: bytes, at: int, whole_word: bool, most: int = JUDGED) -> int:
    """Return the end of an unquoted value: a space, a quote, a non-ASCII character, or `most` bytes. whole_word: `,` and `;` do not end it."""
    end = end_of_run(data, at, _OTHER_THAN_BLANKS if whole_word else _OTHER_THAN_ENDS, most)
    return at + len(data[at:end].rstrip(b".,;:"))


def unquoted_span(data: bytes, at: int, whole_word: bool) -> tuple[int, int]:
    """Return the span of an unquoted value that is known to be secret, with its full length."""
    return at, end_of_unquoted(data, at, whole_word, 0)


def resume_offset(data: bytes, start: int, end: int) -> int:
    """Return the offset at which the search continues after a secret was found at data[start:end].

    In a long run without spaces and quotes everything ends together, so that only the last bytes need another look. Any other secret may
    contain the beginning of a longer one, so the search continues at its start.
    """
    is_row = end - start > JUDGED and not data[start:end].strip(_OTHER_THAN_BLANKS)
    return end - JUDGED if is_row else start


def is_reference(value: bytes) -> bool:
    """Return whether a value is a variable, a template or a placeholder, with or without quotes."""
    if value.startswith((b"$", b"%")):
        name = value.strip(b"${}%()")
        if value.startswith((b"${", b"$(", b"%(", b"{{")) or not name:
            return True
        return name[:1].isalpha() and not name.translate(None, ALNUM + b"_:.-") and not is_mixed(name)
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
    """Return whether a value can only be program text: a call, an index, an opening bracket or a decorator."""
    return value[:1] in b"{<([@" or value.endswith((b"()", b"]")) or _is_call(value)


def _is_formatted(value: bytes) -> bool:
    """Return whether a value is a template such as `token-{self.id}` or `%s:%s`: nothing random remains without the fields to fill in."""
    before, brace, rest = value.partition(b"{")
    name, close, after = rest.partition(b"}")
    if brace and close and name[:1].isalpha() and not name.strip(ALNUM + b"_.:!"):
        return not looks_random(before + after)
    return b"%s" in value and not looks_random(value.replace(b"%s", b""))


def _is_encoded(value: bytes) -> bool:
    """Return whether a value contains a percent-encoded character that a URL must encode. (A password may contain `%` before any other two digits.)"""
    return any(piece[:2].lower() in _ENCODED for piece in value.split(b"%")[1:])


def _is_call(value: bytes) -> bool:
    """Return whether a value starts with a name and a bracket: `get_token(name`, `Optional[str`."""
    name = value[: end_of_run(value, 0, ALNUM + b"_.")]
    return (name[:1].isalpha() or name[:1] == b"_") and value[len(name) : len(name) + 1] in (b"(", b"[")


def is_secret_text(value: bytes, strong: bool) -> bool:
    """Return whether a quoted value is a secret. A value with spaces is prose unless it contains digits and belongs to a password."""
    if len(value) < 4 or is_reference(value) or value.lower() in PLAIN_WORDS or value.endswith(b"()"):
        return False
    outside = value[:1] in b"),; "  # the quote ended a text such as "password: ", so the value is outside the quotes
    if b" " in value or b"\t" in value:
        return strong and not outside and len(value) <= 128 and has_digit(value)
    return (strong and not outside) or looks_random(value)


def is_secret_word(value: bytes, strong: bool, *, certain: bool, code: bool) -> bool:
    """Return whether an unquoted value is a secret.

    certain: the value is in an environment file; code: it is where a program would have an expression. Percent-encoded
    values are judged after decoding.
    """
    if len(value) < 4 or is_reference(value) or value.lower() in PLAIN_WORDS or _is_encoded(value):
        return False
    if certain:
        path = value.startswith((b"./", b"~/", b"http://", b"https://")) or (value[:1] == b"/" and value.count(b"/") > 1)
        return not path and (strong or looks_random(value) or len(value) >= 12)
    if _is_expression(value):
        return False
    if code:
        return len(value) >= 8 and b"." not in value.strip(b".") and b"_" not in value and is_mixed(value)
    if strong:
        return not value.translate(None, DIGITS) or (not value.replace(b"_", b"").replace(b".", b"").isalpha() and looks_random(value))
    return looks_random(value)


def looks_random(value: bytes) -> bool:
    """Return whether a value looks random: it has digits among other characters, characters of no identifier or path, or 20 letters of both cases."""
    if len(value) == 40 and is_mixed(value):
        return True  # the secret of an AWS key, which may begin like a path
    if len(value) < 6 or value.startswith((b"/", b"./", b"../", b"~/")) or b"://" in value or (value[:1] == b"#" and len(value) == 7):
        return False
    digits = len(value) - len(value.translate(None, DIGITS))
    if digits:
        return digits < len(value) and (len(value) >= 8 or digits > 1 or not value.isalnum())
    if value.translate(None, LETTERS + b"_-./:*"):
        return len(value) >= 8
    return len(value) >= 20 and value.isalpha() and not value.islower() and not value.isupper()
