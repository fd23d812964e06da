"""Finds where in a Markdown text its links are written, so that one of them can be changed without touching another character."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import unquote

from memorybank.notes.note import Link
from memorybank.notes.structure import ESCAPE, REFERENCE, link_of, wiki_of

ANGLE, PLAIN, WIKI = "angle", "plain", "wiki"
_DEFINITION = re.compile(r"^[ >]*\[((?:[^\[\]\\]|\\.)+)\]:[ \t]*(?:\r?\n)?[ \t]*", re.MULTILINE)
"""The beginning of a link reference definition, up to its destination (CommonMark 0.31, section 4.7)."""
_BY_REFERENCE = ("Reference", "Collapsed", "Shortcut")
_WIKI_TARGET = re.compile(r"\s*+((?:[^\s\\|#]++|\\(?![|#])|\s++(?!\\?[|#]|\Z))*+)", re.DOTALL)


class WrittenLink(NamedTuple):
    """One place where a text links to something.

    link: the link as `structure.read` returns it; for a picture its path.
    begin, end: characters of the written target, without fragment and alias; -1 for a target that cannot be changed safely.
    form: `angle` (`<a b.md>`), `plain` or `wiki`; "" for a target that cannot be changed safely.
    written: the target as it is written.
    """

    link: Link
    begin: int = -1
    end: int = -1
    form: str = ""
    written: str = ""


def read(text: str) -> list[WrittenLink] | None:
    """Return the links, pictures and wiki links of a text in order; None when the text cannot be parsed."""
    import pyromark

    try:
        return _places(text, list(pyromark.events_with_range(text, merge_text=True)))
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


def _places(text: str, events: list[Any]) -> list[WrittenLink]:
    at = _CharacterOffsets(text)
    opaque: list[tuple[int, int]] = []
    found: list[WrittenLink] = []
    definitions: dict[str, int] | None = None
    open_links: list[tuple[int, Any]] = []  # (event's number, detail) of links and pictures that contain the current event
    for number, (event, span) in enumerate(events):
        if "Text" in event:
            continue
        if "Start" in event and type(event["Start"]) is dict:
            detail = event["Start"].get("Link") or event["Start"].get("Image")
            if detail is not None:
                open_links.append((number, detail))
                opaque.append((at[span["start"]], at[span["end"]]))
            elif "CodeBlock" in event["Start"]:
                opaque.append((at[span["start"]], at[span["end"]]))
        elif "Code" in event:
            opaque.append((at[span["start"]], at[span["end"]]))
        elif "End" in event and event["End"] in ("Link", "Image"):
            begun, detail = open_links.pop()
            link = link_of(detail)
            if link is None or link.kind == "external":
                continue
            if detail["link_type"] in _BY_REFERENCE:
                if definitions is None:
                    definitions = _definitions(text, _code(at, events))
                place = definitions.get(_label(detail["id"]), -1)
            else:
                inner_end = events[number - 1][1]["end"] if number - 1 > begun else span["start"] + (2 if event["End"] == "Image" else 1)
                place = _after_bracket(text, at[inner_end])
            found.append(_destination(text, place, link))
    found += _references(text, opaque)
    return sorted(found, key=lambda each: (each.begin, each.end))


class _CharacterOffsets:
    """Byte offsets of the parser as offsets of characters."""

    def __init__(self, text: str) -> None:
        self._data = None if text.isascii() else text.encode()
        self._known = (0, 0)

    def __getitem__(self, offset: int) -> int:
        if self._data is None:
            return offset
        before, characters = self._known if self._known[0] <= offset else (0, 0)
        characters += len(self._data[before:offset].decode(errors="replace"))
        self._known = (offset, characters)
        return characters


def _code(at: _CharacterOffsets, events: Iterable[Any]) -> list[tuple[int, int]]:
    blocks = (span for event, span in events if "Start" in event and type(event["Start"]) is dict and "CodeBlock" in event["Start"])
    return [(at[span["start"]], at[span["end"]]) for span in blocks]


def _definitions(text: str, code: list[tuple[int, int]]) -> dict[str, int]:
    """Return {label: offset of its destination}. The first definition of a label counts."""
    found: dict[str, int] = {}
    for match in _DEFINITION.finditer(text):
        if not any(begin <= match.start(1) < end for begin, end in code):
            found.setdefault(_label(match[1]), match.end())
    return found


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _after_bracket(text: str, at: int) -> int:
    """Return the offset of a destination, given the end of the link's text; -1 when something else follows it."""
    match = re.compile(r"\]\([ \t]*(?:\r?\n[ \t]*)?").match(text, at)
    return -1 if match is None else match.end()


def _destination(text: str, place: int, link: Link) -> WrittenLink:
    """Return the written form of a destination, provided that it reads as the parser read it."""
    if place < 0:
        return WrittenLink(link)
    form, begin = (ANGLE, place + 1) if text.startswith("<", place) else (PLAIN, place)
    end = begin
    depth = 0
    while end < len(text):
        character = text[end]
        if character == "\\" and end + 1 < len(text):
            end += 2
            continue
        if character in "#?" or (character == ">" if form == ANGLE else character <= " ") or (form == PLAIN and character == ")" and not depth):
            break
        depth += (character == "(") - (character == ")")
        end += 1
    written = text[begin:end]
    is_read = unquote(unescape(ESCAPE.sub(r"\1", written))) == link.target
    return WrittenLink(link, begin, end, form, written) if is_read else WrittenLink(link)


def _references(text: str, opaque: list[tuple[int, int]]) -> Iterator[WrittenLink]:
    """Yield wiki links outside code, links and pictures."""
    at = 0
    for begin, end in [*sorted(opaque), (len(text), len(text))]:
        if begin >= at:
            yield from _references_between(text, at, begin)
        at = max(at, end)


def _references_between(text: str, begin: int, end: int) -> Iterator[WrittenLink]:
    for match in REFERENCE.finditer(text, begin, end):
        if match[1] is None:
            continue
        link = wiki_of(match[1], embedded=text.endswith("!", begin, match.start()))
        target = _WIKI_TARGET.match(match[1])
        if link is not None and target is not None:
            begins, ends = match.start(1) + target.start(1), match.start(1) + target.end(1)
            is_read = ESCAPE.sub(r"\1", target[1]) == link.target
            yield WrittenLink(link, begins, ends, WIKI, target[1]) if is_read else WrittenLink(link)
