"""Searches every byte below some folders for a text, in every form in which programs write text. Knows nothing of the product.

Each file is searched as it is, and so is everything that begins to be a zstd, gzip or zlib stream at any offset, as far as it decodes: a torn frame
gives its first blocks. A SQLite file is searched raw, with its unused pages, and across the borders of overflow pages, where SQLite writes four
bytes between two parts of a text. Names of files and folders, and the targets of links, are searched too.

`test_byte_scanner.py` plants a control for each of these, so that the scanner cannot find nothing because it is blind.
"""

import base64
import json
import os
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import zstandard

ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08"
ZLIB = tuple(bytes((0x78, level)) for level in (0x01, 0x5E, 0x9C, 0xDA))
_STARTS = re.compile(b"|".join(map(re.escape, (ZSTD, GZIP, *ZLIB))))
_SQLITE = b"SQLite format 3\0"
_DEPTH = 3
"""Compressed data in compressed data."""
_PART = 5
_STEP = 512
"""Bytes given to a decompressor at once: what a torn stream yields before its error is kept."""


class TextForms:
    """All forms of some texts. texts: the secret, and words of it that occur nowhere else."""

    def __init__(self, *texts: str) -> None:
        self.forms: dict[bytes, str] = {}
        for text in texts:
            for written, name in _written(text):
                for form, encoding in _encoded(written):
                    self.forms.setdefault(form, f"{name} {encoding}".strip())
        self._by_part = _by_part(set(self.forms))
        self.ends: dict[bytes, list[tuple[bytes, bytes]]] = {}
        """{first bytes of the end of a form: (what is before that end, the end)} for every place where a form can be cut."""
        for form in self.forms:
            for cut in range(1, len(form)):
                self.ends.setdefault(form[cut : cut + 4], []).append((form[:cut], form[cut:]))

    def found(self, data: bytes) -> list[str]:
        """The names of the forms that occur in some bytes."""
        return sorted({self.forms[form] for part, forms in self._by_part.items() if part in data for form in forms if form in data})


def _by_part(forms: set[bytes]) -> dict[bytes, list[bytes]]:
    """{a few bytes: the forms that contain them}, each form once, with as few parts as possible: most data contains none of them."""
    found = {}
    while forms:
        counted = Counter(part for form in forms for part in {form[at : at + _PART] for at in range(max(1, len(form) - _PART + 1))})
        part = max(counted, key=lambda each: (counted[each], each))
        found[part] = [form for form in forms if part in form]
        forms = forms.difference(found[part])
    return found


def scan(forms: TextForms, *tops: str) -> dict[str, list[str]]:
    """Return {path: how the text occurs there} of everything below some folders. A folder that cannot be listed is an error."""
    found: dict[str, list[str]] = {}
    for top in tops:
        for path, data in _everything(top):
            name = os.path.basename(path)
            said = [f"name: {each}" for each in forms.found(os.fsencode(name))] if path != top else []
            said += occurrences(forms, data)
            if said:
                found[path] = said
    return found


def occurrences(forms: TextForms, data: bytes, depth: int = _DEPTH) -> list[str]:
    """Return how the text occurs in the bytes of one file."""
    said = forms.found(data)
    if data.startswith(_SQLITE):
        said += [f"split over pages: {form}" for form in _split_over_pages(forms, data)]
    if depth:
        for start in {match.start() for match in _STARTS.finditer(data)}:
            for kind, plain in _decompressed(data[start:]):
                said += [f"{kind} at {start}: {each}" for each in occurrences(forms, plain, depth - 1)]
    return said


def _everything(top: str) -> Iterator[tuple[str, bytes]]:
    def fail(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(top, onerror=fail):
        yield folder, b""
        for name in sorted([*folders, *names]):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                yield path, os.fsencode(os.readlink(path))
            elif os.path.isfile(path):
                with open(path, "rb") as stream:
                    yield path, stream.read()


def _written(text: str) -> Iterator[tuple[str, str]]:
    """(text, name) in either Unicode form, with either line end, hard-wrapped, and escaped as JSON does, once and twice."""
    for form, ends in product(("NFC", "NFD"), ("LF", "CRLF")):
        plain = normalize(form, text)
        plain = plain.replace("\n", "\r\n") if ends == "CRLF" else plain
        name = f"{form} {ends}"
        yield plain, name
        for blank in {index for index, character in enumerate(plain) if character == " "}:
            yield plain[:blank] + ("\r\n" if ends == "CRLF" else "\n") + plain[blank + 1 :], f"{name} wrapped"
        for ascii_only in (True, False):
            once = json.dumps(plain, ensure_ascii=ascii_only)[1:-1]
            yield once, f"{name} JSON"
            yield json.dumps(once, ensure_ascii=ascii_only)[1:-1], f"{name} JSON twice"


def _encoded(text: str) -> Iterator[tuple[bytes, str]]:
    data = text.encode()
    yield data, ""
    yield text.encode("utf-16-le"), "UTF-16LE"
    yield text.encode("utf-16-be"), "UTF-16BE"
    for quoted in (quote(text, safe=""), quote(text), quote_plus(text)):
        for form in (quoted, re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), quoted), quote(quoted, safe="")):
            yield form.encode(), "URL"
    for offset, encode in product(range(3), (base64.b64encode, base64.urlsafe_b64encode)):
        # Without the characters that also encode what is before and after the text.
        core = encode(bytes(offset) + data)[-(-offset * 8 // 6) : (offset + len(data)) * 8 // 6]
        if len(core) > 5:
            yield core, "base64"


def _decompressed(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.startswith(ZSTD):
        yield "zstd", _as_far_as_it_goes(zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj(), data, zstandard.ZstdError)
    elif data.startswith(GZIP):
        yield "gzip", _as_far_as_it_goes(zlib.decompressobj(31), data, zlib.error)
    else:
        yield "zlib", _as_far_as_it_goes(zlib.decompressobj(), data, zlib.error)


def _as_far_as_it_goes(stream, data: bytes, error: type[Exception]) -> bytes:
    plain = b""
    for at in range(0, len(data), _STEP):
        try:
            plain += stream.decompress(data[at : at + _STEP])
        except error:
            break
        if getattr(stream, "eof", False):
            break
    return plain


def _split_over_pages(forms: TextForms, data: bytes) -> Iterable[str]:
    """Texts of which an overflow page holds the rest: their beginning is followed by the number of that page."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    for number in range(2, len(data) // size + 1):
        page = data[(number - 1) * size + 4 : number * size]
        for length in range(1, 5):
            for before, after in forms.ends.get(page[:length], ()):
                if len(after) >= length and page.startswith(after) and before + struct.pack(">I", number) in data:
                    yield forms.forms[before + after]
