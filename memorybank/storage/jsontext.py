"""JSON at the speed of a hook: the C scanner and encoder of the standard library without its `json` package, which imports `re`.

The input may be anything (`decode` raises only ValueError). The output is compact, UTF-8 and one line. Where the C module is missing or its
interface has changed, the `json` package does the same work.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.encoded import utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONG = 50_000
"""Number of characters from which on a text is encoded in another way than the C encoder does it, with the same result."""
_SURROGATE = b"\xed"
"""The first byte of a surrogate, and of some Hangul."""
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t"))
_SELDOM = bytes([sign < 32 and sign not in b"\n\r\t" for sign in range(32)]).ljust(256, b"\0")
"""A table for `bytes.translate` that makes 1 of every control character with a longer escape, and 0 of everything else."""


def decode(source: str | bytes) -> Any:
    """Return the value of one JSON text, which whitespace may surround. Raises ValueError when it is malformed, too deeply nested, or not UTF-8."""
    text = (source.decode("utf-8") if isinstance(source, bytes) else source).strip(" \t\r\n")
    if text.startswith("\ufeff"):
        text = text[1:].lstrip(" \t\r\n")
    if not text:
        raise ValueError("empty JSON text")
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("malformed JSON") from None
    except (SystemError, RecursionError) as error:  # Python 3.11 looks up json.decoder, which is not loaded
        raise ValueError("malformed JSON") from error
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def encode(value: object) -> str:
    """Return a value as one compact line of JSON.

    Characters outside ASCII stay as they are, and lone surrogates become `?`. Raises ValueError for NaN and infinities.
    """
    if type(value) is str and len(value) <= _LONG:
        quoted: str = encode_basestring(value)
        return quoted if quoted.isascii() else quoted.encode("utf-8", "replace").decode()
    return encode_bytes(value).decode()


def encode_bytes(value: object) -> bytes:
    """Return a value as one compact line of JSON in UTF-8."""
    if type(value) is dict and any([type(item) is str and len(item) > _LONG for item in value.values()]) and all([type(name) is str for name in value]):
        return b"{%s}" % b",".join([b"%s:%s" % (encode_bytes(name), encode_bytes(item)) for name, item in value.items()])
    if type(value) is str and len(value) > _LONG:
        return _long_text(value)
    return "".join(_chunks(value, 0)).encode("utf-8", "replace")


def _long_text(text: str) -> bytes:
    """Return a text as JSON. The C encoder looks at each character, which takes three times as long as replacing the few that need it."""
    data = utf8(text)
    if data.find(_SURROGATE) >= 0:
        data = text.encode("utf-8", "replace")
    if data.translate(_SELDOM).find(b"\1") >= 0:
        return "".join(_chunks(text, 0)).encode("utf-8", "replace")
    for sign, escape in _ESCAPES:
        data = data.replace(sign, escape)
    return b'"%s"' % data


class _Context:
    """The options that the C scanner reads."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}

    @staticmethod
    def parse_constant(name: str) -> float:
        raise ValueError(f"{name} is not valid JSON")


def _default(value: object) -> object:
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


try:
    from _json import encode_basestring, make_encoder, make_scanner

    _scan: Any = make_scanner(_Context())  # type: ignore[arg-type]  # it reads only these attributes
    _chunks: Any = make_encoder(None, _default, encode_basestring, None, ":", ",", False, False, False)
    # The C module's interface is private, so check that it still gives the expected results.
    if "".join(_chunks({"é": [1, None, True, 0.5]}, 0)) != '{"é":[1,null,true,0.5]}' or _scan('{"a":[1]}', 0) != ({"a": [1]}, 9):
        raise ImportError("the interface of the C module has changed")
except (ImportError, TypeError):
    import json as _package

    _scan = _package.JSONDecoder(parse_constant=_Context.parse_constant).scan_once  # type: ignore[attr-defined]  # documented in json.decoder only
    encode_basestring = _package.encoder.encode_basestring
    _encoder = _package.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def _iterate(value: object, level: int) -> Any:
        return _encoder.iterencode(value)

    _chunks = _iterate
