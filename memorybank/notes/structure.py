"""The structure of a Markdown body according to CommonMark (pulldown-cmark through pyromark, imported late)."""

from __future__ import annotations

__light__ = True

from memorybank.notes.note import Link
from memorybank.text.pattern import lazy_pattern
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

MAX_BYTES = 12 << 20
"""Text after this many bytes is not parsed for structure, because the parser needs up to 65 bytes of memory per byte of hostile input."""
LONGEST_HEADING = 1_000
"""Maximum number of characters of a heading. The words after them are found as those of the body."""
_MAX_MENTION = 1024
"""Maximum number of characters of a mention; a longer run is cut at its start."""

REFERENCE = lazy_pattern(r"\[\[([^\[\]\n]{1,1024})\]\]|\.md(?!_*[A-Za-z0-9]|[/-]|~(?!~)|\.[A-Za-z0-9])")
"""A wiki link (its inner text is group 1), or the end of a mention."""
_DELIMITER = lazy_pattern(r"[\s<>(){}\[\]\"'`|,;:*=!?、。，．・：；！？「」『』（）【】〈〉《》〔〕［］｛｝“”‘’…→←＝]")
ESCAPE = lazy_pattern(r"\\([!-/:-@\[-`{-~])")
"""A backslash escape of CommonMark."""


class Structure(NamedTuple):
    """The structure of a body.

    headings: their texts, without empty ones
    has_code: whether it has a fenced code block
    prose: the body without code
    complete: whether all of it was parsed
    """

    headings: tuple[str, ...]
    has_list: bool
    has_code: bool
    prose: str
    links: tuple[Link, ...]
    complete: bool


class _Walk:
    """The parts of the text that the parser's events describe.

    code: byte ranges, in order, none inside another
    opaque: (begin, end, link or None), in order: ranges in which no mention is searched, including code and images inside links
    """

    __slots__ = ("code", "has_code", "has_list", "headings", "opaque")

    def __init__(self) -> None:
        self.headings: list[str] = []
        self.code: list[tuple[int, int]] = []
        self.opaque: list[tuple[int, int, Link | None]] = []
        self.has_list = False
        self.has_code = False

    def add_code(self, span: dict[str, int]) -> None:
        self.code.append((span["start"], span["end"]))
        self.opaque.append((span["start"], span["end"], None))


def read(body: str) -> Structure:
    """Return the structure of `body`. Never raises."""
    data = body.encode()
    head = body if len(data) <= MAX_BYTES else data[: data.rfind(b"\n", 0, MAX_BYTES) + 1 or MAX_BYTES].decode(errors="ignore")
    walk = _walk(head)
    if walk is None:
        return Structure((), False, False, body, tuple(dict.fromkeys(_mentions_in(body))), False)
    prose = _without(data, walk.code) if walk.code else body
    links = dict.fromkeys(_links(data, walk))
    return Structure(tuple(walk.headings), walk.has_list, walk.has_code, prose, tuple(links), head is body)


def _walk(text: str) -> _Walk | None:
    """Parse a text. Return None when the parser itself fails: a panic of its Rust code is raised as a BaseException."""
    from memorybank.notes import commonmark  # late: most processes read no note

    parser = commonmark.parser()
    try:
        return _collect(parser.events_with_range(text, merge_text=True))
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


def _collect(events: Iterable[Any]) -> _Walk:
    """Process the events in one pass; each is a dict with one member or a bare name. This is the hot loop of indexing."""
    walk = _Walk()
    heading: list[str] | None = None
    for event, span in events:
        if "Text" in event:
            if heading is not None:
                heading.append(event["Text"])
        elif "Start" in event:
            started = event["Start"]
            if type(started) is str:
                continue
            if "Link" in started:
                walk.opaque.append((span["start"], span["end"], link_of(started["Link"])))
            elif "Heading" in started:
                heading = []
            elif "List" in started:
                walk.has_list = True
            elif "CodeBlock" in started:
                walk.has_code = walk.has_code or started["CodeBlock"] != "Indented"
                walk.add_code(span)
            elif "Image" in started:
                walk.opaque.append((span["start"], span["end"], None))
        elif "Code" in event:
            if heading is not None:
                heading.append(event["Code"])
            walk.add_code(span)
        elif heading is not None:
            if "End" not in event:
                heading.append(" ")
            elif "Heading" in event["End"]:
                if title := " ".join("".join(heading).split()):
                    walk.headings.append(title[:LONGEST_HEADING])
                heading = None
    return walk


def link_of(detail: Any) -> Link | None:
    """Return the link of a CommonMark destination; None for a bare fragment and for schemes that are not places (`tel:`, `data:`)."""
    destination: str = detail["dest_url"]
    if detail["link_type"] == "Email" and not destination.lower().startswith("mailto:"):
        destination = "mailto:" + destination
    scheme, colon, rest = destination.partition(":")
    if colon and scheme.isascii() and scheme[:1].isalpha() and scheme.replace("+", "").replace(".", "").replace("-", "").isalnum():
        return Link("external", destination) if rest.startswith("//") or scheme.lower() == "mailto" else None
    if destination.startswith("//"):
        return Link("external", destination)
    target = destination.partition("#")[0].partition("?")[0]
    if "%" in target:
        from urllib.parse import unquote

        target = unquote(target)
    return Link("link", target) if target else None


def _without(data: bytes, ranges: list[tuple[int, int]]) -> str:
    """Return the text outside the ranges, which are in order. A space replaces each range, so that words do not run together."""
    parts = []
    at = 0
    for begin, end in ranges:
        parts.append(data[at:begin])
        at = end
    parts.append(data[at:])
    return b" ".join(parts).decode()


def _links(data: bytes, walk: _Walk) -> Iterator[Link]:
    """Yield links in order of appearance. `[[…]]` and mentions are searched between the opaque ranges."""
    if b".md" not in data and b"[[" not in data:
        yield from (link for _, _, link in walk.opaque if link is not None)
        return
    at = 0
    for begin, end, link in walk.opaque:
        # Code or an image inside a link has a range within the link's range.
        if begin >= at:
            yield from _references(data[at:begin])
            at = end
        if link is not None:
            yield link
    yield from _references(data[at:])


def _references(data: bytes) -> Iterator[Link]:
    return _mentions_in(data.decode()) if b".md" in data or b"[[" in data else iter(())


def _mentions_in(text: str) -> Iterator[Link]:
    """Yield the wiki links and mentions in a text that contains no code and no links, in order."""
    end = 0
    for match in REFERENCE.finditer(text):
        if match[1] is not None:
            link = wiki_of(match[1], embedded=text.endswith("!", 0, match.start()))
        else:
            # A mention never reaches back into the previous reference.
            run = text[max(end, match.start() - _MAX_MENTION) : match.end()]
            link = _mention(run)
        end = match.end()
        if link is not None:
            yield link


def unescaped(text: str) -> str:
    """Return a text without the backslashes of its escapes."""
    return ESCAPE.sub(lambda found: found[1], text) if "\\" in text else text


def wiki_of(inner: str, *, embedded: bool) -> Link | None:
    """Return the target of `target#heading|alias`. `![[picture.png]]` is an image, `![[note]]` a reference."""
    target = unescaped(inner).partition("|")[0].partition("#")[0].strip()
    name = target.rpartition("/")[2]
    if not target or (embedded and "." in name and not name.endswith(".md")):
        return None
    return Link("wiki", target)


def _mention(run: str) -> Link | None:
    """Return the longest run without a delimiter at the end of `run`; None for the rest of a URL."""
    backwards = _DELIMITER.search(run[::-1])
    target = run if backwards is None else run[len(run) - backwards.start() :]
    target = unescaped(target).lstrip("@")
    return None if target.startswith("//") else Link("mention", target)
