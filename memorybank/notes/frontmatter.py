"""The front matter of a note: finds the block, reads it with the fast parser or else the YAML library, and coerces its values.

The block is between a first line `---` and the next line `---`. Lines end at `\\n` (a `\\r` before it belongs to the line end), and a BOM
has been removed. Values come as written (`simple_yaml.Value`); an invalid one becomes a Problem and never an exception. Where a wrong guess
would reveal or lose a note, the strictest value is used: an invalid `acl` or `privacy` is the strictest, an invalid `bookmarked` keeps the note.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.errors import Problem
from memorybank.notes import simple_yaml
from memorybank.notes.note import FrontMatter
from memorybank.notes.simple_yaml import Value
from memorybank.text.pattern import lazy_pattern
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from typing import Any

    _Report = Callable[[str, str], None]
    """Callback for an invalid value: (key, message)."""

MAX_BLOCK_BYTES = 16 * 1024
"""A larger block counts as body, because a large YAML document could keep a parser busy."""

_WINDOW = MAX_BLOCK_BYTES + 64
"""Number of characters in which the closing fence is searched. A block has at most as many characters as bytes."""
_OPENING = lazy_pattern(r"---[ \t]*\r?\n")
_CLOSING = lazy_pattern(r"^---[ \t]*\r?(?:\n|\Z)", "m")
_LOOKS_LIKE_MAPPING = lazy_pattern(r"\s*(?:#[^\n]*\n\s*)*[A-Za-z_][\w-]*[ \t]*:(?:[ \t\r\n]|\Z)")
_NONE = FrontMatter()
_BLOCK_LINE = 2
"""Line number of the block's first line; the opening fence is line 1."""
_NO_BLOCK = {
    "unclosed": ("front_matter_unclosed", "a front matter begins here but no line '---' ends it; the entire file is read as body"),
    "too_large": ("front_matter_too_large", f"a front matter begins here but is longer than {MAX_BLOCK_BYTES} bytes; the entire file is read as body"),
}
UNREAD = ("front_matter_unclosed", "front_matter_too_large", "front_matter_invalid", "front_matter_alias", "front_matter_too_deep")
"""Codes of the problems with which a block is treated as text: the body of such a note begins with YAML."""

ACL = ("session", "agent", "user")
PRIVACY = ("private", "agent-only", "public")
"""Both are in order from the strictest to the most open."""

_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_799_999
"""0001-01-01 and the last millisecond of the year 9999."""
_DECIMAL = lazy_pattern(r"(?:0|[1-9][0-9]?)(?:\.[0-9]+)?")
_LANGUAGE = lazy_pattern(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*")
_LIST_SEPARATOR = lazy_pattern(r"[,、，]")
_TRUE = frozenset(("true", "yes", "on", "1"))
_FALSE = frozenset(("false", "no", "off", "0"))
_RATING = lazy_pattern(r"^[ \t]*(?:rating|importance)[ \t]*:[ \t]*[\"']?([0-9]{1,2}(?:\.[0-9]+)?)[\"']?[ \t]*\r?$", "m")
_PROTECTS, _MOST = 8, 10
"""From this rating on a person wants to keep a note, and the highest rating. A lower one in a block that cannot be read counts for nothing."""
_GUARDS = lazy_pattern(r"^[ \t]*[\"']?(acl|privacy|bookmarked)[\"']?[ \t]*:", "m")


class FrontMatterBlock(NamedTuple):
    """Offsets into the text, in characters.

    begin, end: the text between the fences
    after: where the body begins
    """

    begin: int
    end: int
    after: int


class MissingBlock(NamedTuple):
    """The result for a text without front matter, all of which is body.

    reason: `absent`, `unclosed` or `too_large`
    after: offset where Markdown begins
    """

    reason: str
    after: int = 0


def find_block(text: str) -> FrontMatterBlock | MissingBlock:
    """Return where the front-matter block of `text` is. Its content is not checked."""
    opening = _OPENING.match(text)
    if opening is None:
        return MissingBlock("absent")
    begin = opening.end()
    closing = _CLOSING.search(text, begin, begin + _WINDOW)
    if closing is not None and closing.end() == begin + _WINDOW:
        closing = _CLOSING.match(text, closing.start())  # `\Z` matched the end of the window, not of the text
    if closing is not None and len(text[begin : closing.start()].encode("utf-8", "surrogatepass")) <= MAX_BLOCK_BYTES:
        return FrontMatterBlock(begin, closing.start(), closing.end())
    if _LOOKS_LIKE_MAPPING.match(text, begin, begin + MAX_BLOCK_BYTES) is None:
        return MissingBlock("absent")  # a horizontal rule above prose
    closing = _CLOSING.search(text, begin)
    return MissingBlock("unclosed") if closing is None else MissingBlock("too_large", closing.end())


class FrontMatterReading(NamedTuple):
    """The result of reading a front matter.

    body_offset: where the body begins in the text; 0 when the entire text is body
    markdown_offset: where Markdown begins; later than the body when a refused block remains part of the body
    """

    front: FrontMatter
    body_offset: int
    problems: list[Problem]
    markdown_offset: int = 0


def read(text: str, path: str) -> FrontMatterReading:
    """Read the front matter of `text` (without a BOM). Never raises.

    path: how Problems name the note
    """
    found = find_block(text)
    if isinstance(found, MissingBlock):
        if found.reason == "absent":
            return FrontMatterReading(_NONE, 0, [])
        code, message = _NO_BLOCK[found.reason]
        return FrontMatterReading(_unread(text[:MAX_BLOCK_BYTES]), 0, [Problem(code, path, message, 1)], found.after)
    block = text[found.begin : found.end]
    usual = simple_yaml.read(block)
    if usual is not None:
        front, problems = _coerced(*usual, path)
        return FrontMatterReading(front, found.after, problems, found.after)
    return _read_yaml(block, found.after, path)


def _read_yaml(block: str, after: int, path: str) -> FrontMatterReading:
    from memorybank.notes import yaml_reader

    result = yaml_reader.read(block)
    if result is None:
        return FrontMatterReading(_NONE, 0, [])  # prose between two horizontal rules
    if isinstance(result, yaml_reader.UnreadableYaml):
        line = result.line + _BLOCK_LINE - 1 if result.line is not None else 1
        problem = Problem(result.code, path, f"front matter: {result.message}; the entire file is read as body", line)
        return FrontMatterReading(_unread(block), 0, [problem], after)
    front, problems = _coerced(result.values, result.lines, path)
    if result.duplicates:
        front = _protect(front, result.duplicates)
        for key in result.duplicates:
            problems.append(Problem("front_matter_duplicate_key", path, f"{key}: given more than once, so it is ignored", result.lines[key] + _BLOCK_LINE - 1))
    return FrontMatterReading(front, after, problems, after)


def _protect(front: FrontMatter, duplicates: tuple[str, ...]) -> FrontMatter:
    """Use the stricter value of access keys that are given more than once."""
    guard = _guarded(duplicates)
    return front._replace(acl=guard.acl or front.acl, privacy=guard.privacy or front.privacy, bookmarked=guard.bookmarked or front.bookmarked)


def _unread(block: str) -> FrontMatter:
    """Return the strictest front matter for a block that cannot be read, with a rating in it that keeps the note."""
    rating = next((float(each) for each in _RATING.findall(block) if _PROTECTS <= float(each) <= _MOST), None)
    return _guarded(_GUARDS.findall(block))._replace(rating=rating)


def _guarded(keys: Collection[str]) -> FrontMatter:
    """Return the strictest front matter for access keys that cannot be read: whoever wrote one of them wanted to protect the note."""
    return FrontMatter(acl=ACL[0] if "acl" in keys else None, privacy=PRIVACY[0] if "privacy" in keys else None, bookmarked="bookmarked" in keys)


def _coerced(values: Mapping[str, Value], lines: Mapping[str, int], path: str) -> tuple[FrontMatter, list[Problem]]:
    """Return (the typed front matter, Problems). lines: {key: 1-based line within the block}"""
    problems: list[Problem] = []

    def report(key: str, message: str) -> None:
        line = lines.get(key)
        problems.append(Problem("front_matter_value", path, f"{key}: {message}", line + _BLOCK_LINE - 1 if line is not None else None))

    fields: dict[str, Any] = {}
    for key, value in values.items():
        read = _READERS.get(key)
        if read is not None and value is not None:
            fields[key] = read(key, value, report)
    importance = fields.pop("importance", None)
    for key, name in _OTHER_NAMES.items():
        if key in fields:
            fields[name] = (*fields.get(name, ()), *fields.pop(key))
    # `importance` is another name for `rating`, which takes precedence.
    if importance is not None and "rating" not in values:
        fields["rating"] = importance
    return FrontMatter(**fields), problems


def _text(key: str, value: Value, report: _Report) -> str | None:
    if not isinstance(value, str):
        report(key, "one line of text is expected")
        return None
    return " ".join(value.split()) or None


def as_word(text: str) -> str:
    """Return an item of a list of words in the form in which it counts: without a leading `#`, white space as single spaces."""
    return " ".join(text.split()).removeprefix("#")


def as_words(value: Value) -> list[str]:
    """Return the words of a text that is split at commas; none for other values."""
    return [word for word in map(as_word, _LIST_SEPARATOR.split(value)) if word] if isinstance(value, str) else []


def _words(key: str, value: Value, report: _Report) -> tuple[str, ...]:
    """Return a list, or a text split at commas, as distinct words without a leading `#`."""
    if isinstance(value, str):
        value = list(as_words(value))
    if not isinstance(value, list):
        report(key, "a list of words is expected")
        return ()
    words = []
    for item in value:
        if isinstance(item, str):
            words.append(as_word(item))
        elif item is not None:
            report(key, "each item must be one word or phrase")
    return tuple(dict.fromkeys(word for word in words if word))


def _references(key: str, value: Value, report: _Report) -> tuple[str, ...]:
    """Return the references to notes in a text or a list. YAML reads `[[name]]` without quotes as a list in a list."""
    found = [value] if isinstance(value, str) else list(_leaves(value)) if isinstance(value, list) else []
    if not found and not isinstance(value, list):
        report(key, "the name of a note, or a list of names, is expected")
    return tuple(dict.fromkeys(name for each in found if (name := " ".join(each.split()))))


def _leaves(values: list[Value]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from _leaves(value)


def _rating(key: str, value: Value, report: _Report) -> float | None:
    """Return a plain decimal from 0 to 10. YAML 1.1 would also read 010, 0x8, 1_0, 0:07 and true as numbers, which nobody means."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()) and float(value) <= 10:
        return float(value)
    report(key, "a decimal number from 0 to 10 is expected")
    return None


def _instant(key: str, value: Value, report: _Report) -> int | None:
    """Return the instant of an ISO 8601 date or date-time; without an offset it is UTC."""
    instant = clock.parse(value) if isinstance(value, str) else None
    if instant is None or not _EARLIEST <= instant <= _LATEST:
        report(key, "a date such as 2025-09-17 or 2025-09-17T12:34:56Z is expected")
        return None
    return instant


def _language(key: str, value: Value, report: _Report) -> str | None:
    if isinstance(value, str) and _LANGUAGE.fullmatch(value.strip()):
        return value.strip()
    report(key, "a language tag such as en or ja is expected")
    return None


def _choice(choices: tuple[str, ...]) -> Callable[[str, Value, _Report], str]:
    """Return the reader of a key that has one of these words."""

    def read(key: str, value: Value, report: _Report) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word in choices:
            return word
        report(key, f"one of {', '.join(choices)} is expected; taken as {choices[0]}")
        return choices[0]

    return read


def _switch(key: str, value: Value, report: _Report) -> bool:
    word = value.strip().lower() if isinstance(value, str) else ""
    if word not in _TRUE | _FALSE:
        report(key, "true or false is expected; taken as true")
        return True
    return word in _TRUE


_READERS: dict[str, Callable[[str, Value, _Report], object]] = {
    "title": _text,
    "tags": _words,
    "topics": _words,
    "rating": _rating,
    "importance": _rating,
    "created": _instant,
    "updated": _instant,
    "language": _language,
    "agent_created": _text,
    "session_id": _text,
    "acl": _choice(ACL),
    "privacy": _choice(PRIVACY),
    "bookmarked": _switch,
    "aliases": _words,
    "permalink": _text,
    "origin": _text,
    "supersedes": _references,
    "replaces": _references,
    "superseded_by": _references,
    "superseded-by": _references,
    "replaced_by": _references,
}
"""One reader per key. A missing or null value is absent, and its reader is not called."""
_OTHER_NAMES = {"replaces": "supersedes", "superseded-by": "superseded_by", "replaced_by": "superseded_by"}
