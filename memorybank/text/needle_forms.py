r"""The patterns by which `text.needle` finds a text in bytes.

`characters` matches the text as text: each character composed or decomposed, literal, escaped as in JSON (also several times, as in JSON inside JSON), or
percent-encoded as in a URL. Lines may end with LF or CRLF, and a line break with its indentation may be anywhere, because editors and mail programs
wrap long texts. `encodings` matches the text inside other encodings, in which no character begins at a certain byte: UTF-16, and Base64, where
the characters depend on how many bytes are before the text.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product
from typing import TypeAlias
from unicodedata import combining, normalize

Alternatives: TypeAlias = Sequence[tuple[bytes, bytes]]
"""(first byte, pattern of the bytes after it) of each way in which something may be written."""

_PERCENT = rb"(?:25){0,4}"
"""Matches what may follow a percent sign that was encoded again, up to four times."""
_INDENT = rb"[ \t>]{0,16}"
"""Matches what an editor or a mail program puts at the beginning of a line that continues a text."""
_NEWLINES: Alternatives = (
    *((b"\n", b""), (b"\r", rb"\n"), (b"\\", rb"\\*r\\+n"), (b"\\", rb"\\*n"), (b"\\", rb"\\*u000[aA]")),
    *((b"%", _PERCENT + rb"0[dD]%" + _PERCENT + rb"0[aA]"), (b"%", _PERCENT + rb"0[aA]")),
)
_JOINS: Alternatives = ((b" ", rb"(?:\xc2\xb7 |\\+u00[bB]7 )?"), (b"+", b""), (b"%", _PERCENT + b"20"))
"""The ways in which an excerpt on one line shows a line break."""
_ELLIPSIS = re.compile(rb"\xe2\x80\xa6|\\{1,64}u2026|(?<=\\)u2026")
_BASE64_BREAK = rb"(?:\r?\n|(?:\\+r)?\\+n)?"
_BASE64_SIGNS: dict[bytes, Alternatives] = {
    b"+": ((b"+", b""), (b"-", b""), (b"%", rb"2[bB]")),
    b"/": ((b"/", b""), (b"\\", rb"\\*/"), (b"_", b""), (b"%", rb"2[fF]")),
}
"""{sign of Base64: how it is written in the other alphabet, in JSON and in URLs}."""
_SHORTEST_BASE64 = 6
"""Minimum number of characters of Base64, because fewer also occur in unrelated data."""
_SEGMENT = 24
"""Number of characters that one regular expression matches. Of a long text, only the first segment is compiled before it occurs."""
BYTES_A_CHARACTER = 128
"""Longest form of one character in bytes, with a line break, unless it was escaped more than about half a dozen times."""


def _any(alternatives: Alternatives) -> bytes:
    """Return the pattern of any of these alternatives."""
    if len(alternatives) == 1:
        return re.escape(alternatives[0][0]) + alternatives[0][1]
    return b"(?:" + b"|".join(re.escape(lead) + rest for lead, rest in alternatives) + b")"


_BETWEEN = b"(?:[ \\t]{0,4}" + _any(_NEWLINES) + _INDENT + b")?"
"""Matches what may be between two characters of a text that was wrapped."""


class FormPattern:
    """The pattern of one form of a text, in segments that match one after another. codec: the encoding of a mark that replaces a match."""

    def __init__(self, segments: Sequence[bytes], codec: str = "utf-8") -> None:
        self.codec = codec
        self._head = re.compile(segments[0])
        self._rest = segments[1:]

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each occurrence, in order and without overlaps."""
        begin = self._head.search(data)
        while begin is not None:
            end = self._end(data, begin.end())
            if end > 0:
                yield begin.start(), end
            begin = self._head.search(data, max(end, begin.start() + 1))

    def _end(self, data: bytes, at: int) -> int:
        """Return where the occurrence ends whose first segment ends at an offset, -1 for none."""
        for segment in self._rest:
            found = re.compile(segment).match(data, at)
            if found is None:
                return -1
            at = found.end()
        return at


class Base64Pattern:
    """The pattern of a text in Base64, whatever is encoded before and after it."""

    codec = "utf-8"

    def __init__(self, forms: Iterable[bytes]) -> None:
        """forms: the text as bytes, in every way in which it may have been written before it was encoded."""
        self._cores = sorted({core for form in forms for core in _base64_cores(form)}, key=_longest_first)

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each occurrence. Occurrences of different forms may overlap."""
        plain = _unwrapped(data)
        for core in self._cores:
            # A search for plain bytes takes a hundredth of the time.
            if core in plain:
                yield from FormPattern(_segments([_base64_sign(code) for code in core], _BASE64_BREAK)).spans(data)


class CutPattern:
    """The pattern of at least half of a text where it was cut: followed by an ellipsis, or after one."""

    codec = "utf-8"

    def __init__(self, text: str, half: int) -> None:
        """half: number of characters that have to be left"""
        self._first, self._last = characters(text[:half]), characters(text[-half:])
        self._begin, self._text_after = text[:-half], text[half:]
        self._reach = len(text) * BYTES_A_CHARACTER

    def spans(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each occurrence, with its ellipsis."""
        if _ELLIPSIS.search(data) is None:
            return
        for begin, end in self._first.spans(data):
            mark = self._mark_after(data, end)
            if mark > 0:
                yield begin, mark
        for begin, end in self._last.spans(data):
            marks = list(_ELLIPSIS.finditer(data, max(0, begin - self._reach), begin))
            if marks and any(map(self._begin.endswith, _readings(data[marks[-1].end() : begin]))):
                yield marks[-1].start(), end

    @cached_property
    def _rest(self) -> list[re.Pattern[bytes]]:
        """The pattern of each character after the first half."""
        return [re.compile(_BETWEEN + _any(_written(chunk))) for chunk in _chunks(self._text_after)]

    def _mark_after(self, data: bytes, at: int) -> int:
        """Return where the ellipsis ends that follows the first half and any further characters; -1 when there is none."""
        for character in self._rest:
            mark = _ELLIPSIS.match(data, at)
            found = character.match(data, at)
            if mark is not None or found is None:
                return mark.end() if mark is not None else -1
            at = found.end()
        mark = _ELLIPSIS.match(data, at)
        return mark.end() if mark is not None else -1


NeedlePattern: TypeAlias = FormPattern | Base64Pattern | CutPattern


def characters(text: str) -> FormPattern:
    """Return the pattern of a text (NFC, line ends LF) as text."""
    return FormPattern(_segments([_written(chunk) for chunk in _chunks(text)], _BETWEEN))


def literal(text: str) -> FormPattern:
    """Return the pattern of a text as it is."""
    return FormPattern([re.escape(text.encode("utf-8", "surrogatepass"))])


def encodings(text: str) -> Iterator[NeedlePattern]:
    """Yield the patterns of a text (NFC, line ends LF) in other encodings."""
    written = {form.replace("\n", ends) for form, ends in product((text, normalize("NFD", text)), ("\n", "\r\n"))}
    for codec in ("utf-16-le", "utf-16-be"):
        forms = sorted({form.encode(codec, "surrogatepass") for form in written}, key=_longest_first)
        yield FormPattern([b"|".join(map(re.escape, forms))], codec)
    in_json = {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form, ascii_only in product(written, (True, False))}
    yield Base64Pattern(form.encode("utf-8", "surrogatepass") for form in written | in_json)


def _readings(data: bytes) -> Iterator[str]:
    """Yield the text that bytes may stand for, composed: as they are, and unescaped as in JSON."""
    text = data.decode("utf-8", "replace")
    yield normalize("NFC", text)
    try:
        yield normalize("NFC", json.loads(f'"{text}"'))
    except ValueError:
        return


def _longest_first(form: bytes) -> tuple[int, bytes]:
    return -len(form), form


def _segments(written: Sequence[Alternatives], between: bytes) -> list[bytes]:
    """Return the regular expressions of a text, of which each begins where the one before ends.

    written: pattern of each character
    between: pattern of what may be between two characters
    """
    cuts = [0]
    for at in range(1, len(written)):
        # No cut at a line break: its segment could take blanks that belong to the next one.
        if at - cuts[-1] >= _SEGMENT and not any(lead in b" \n\t" for each in written[at - 1 : at + 1] for lead, _ in each):
            cuts.append(at)
    parts = [written[begin:end] for begin, end in pairwise([*cuts, len(written)])]
    joined = [between.join(map(_any, part)) for part in parts]
    head = between.join([_found_fast(written[0]), *map(_any, parts[0][1:])])
    return [head, *(between + each for each in joined[1:])]


def _found_fast(alternatives: Alternatives) -> bytes:
    """Return a pattern that begins with a set of bytes, for which `re` skips all others quickly."""
    leads = sorted({lead for lead, _ in alternatives})
    if len(leads) == 1:
        return _any(alternatives)
    return b"[" + b"".join(map(re.escape, leads)) + b"](?:" + b"|".join(b"(?<=" + re.escape(lead) + b")" + rest for lead, rest in alternatives) + b")"


def _unwrapped(data: bytes) -> bytes:
    """Return data in which Base64 is in the standard alphabet and on one line."""
    for escaped, plain in ((b"\\r", b""), (b"\\n", b""), (b"%2B", b"+"), (b"%2b", b"+"), (b"%2F", b"/"), (b"%2f", b"/")):
        data = data.replace(escaped, plain)
    return data.translate(bytes.maketrans(b"-_", b"+/"), b"\r\n\\")


def _base64_cores(data: bytes) -> Iterator[bytes]:
    """Yield the characters of Base64 that depend on `data` alone, after 0, 1 and 2 other bytes."""
    for before in range(3):
        core = base64.b64encode(bytes(before) + data)[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(core) >= _SHORTEST_BASE64:
            yield core


def _base64_sign(code: int) -> Alternatives:
    sign = bytes((code,))
    return _BASE64_SIGNS.get(sign, ((sign, b""),))


def _chunks(text: str) -> Iterator[str]:
    """Yield each character with the marks that combine with it."""
    chunk = ""
    for character in text:
        if chunk and not combining(character):
            yield chunk
            chunk = ""
        chunk += character
    yield chunk


def _written(chunk: str) -> Alternatives:
    """Return how one character may be written, in every composition."""
    parts = normalize("NFD", chunk)
    forms = {chunk, parts, *(normalize("NFC", parts[:length]) + parts[length:] for length in range(1, len(parts) + 1))}
    # Longest first: a shorter alternative would match the base letter and leave its accents in place.
    ordered = sorted(forms, key=lambda form: (-len(form.encode()), form))
    return [(lead, rest + b"".join(_any(_code_point(each)) for each in form[1:])) for form in ordered for lead, rest in _code_point(form[0])]


def _code_point(character: str) -> Alternatives:
    """Return how one code point may be written: literal, escaped as in JSON, or percent-encoded."""
    if character == "\n":
        return [*((lead, rest + _INDENT) for lead, rest in _NEWLINES), *_JOINS]
    data = character.encode()
    units = character.encode("utf-16-be")
    # JSON inside JSON doubles every backslash, so any number of them may precede an escape.
    escaped = rb"\\+".join(b"u" + _digits(units[at : at + 2].hex()) for at in range(0, len(units), 2))
    percent = b"%".join(_PERCENT + _digits(f"{byte:02x}") for byte in data)
    found = [(data[:1], re.escape(data[1:])), (b"\\", rb"\\*" + escaped), (b"%", percent)]
    if character == " ":
        # A form in a URL writes a blank as a plus sign.
        return [*found, (b"+", b""), *((lead, rest + _INDENT) for lead, rest in _NEWLINES)]
    if character == "\t":
        return [*found, (b"\\", rb"\\*t")]
    if character == "\\":
        return [(b"\\", rb"\\*u" + _digits("005c")), (b"\\", rb"\\*"), (b"%", percent)]
    if character in '"/':
        return [*found, (b"\\", rb"\\*" + data)]
    return found


def _digits(code: str) -> bytes:
    """Return a pattern for hexadecimal digits in either case."""
    return b"".join(f"[{digit}{digit.upper()}]".encode() if digit.isalpha() else digit.encode() for digit in code)
