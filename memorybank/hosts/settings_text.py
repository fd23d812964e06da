"""Edits another program's JSON file as text: everything that is not edited keeps its bytes, order, indentation and line ends.

`parse` returns the position of each value; an edit returns a new text. Appending a value and removing it again restores the text, except
that a container with nothing but blanks loses them. Settings files are small, so each edit simply parses again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memorybank.errors import ValidationFailed
from memorybank.values import NamedTuple

if TYPE_CHECKING:
    from json import JSONDecoder

BY_HAND = "correct the file by hand, or move it away, then run the command again"
_BLANKS = " \t\r\n"
_DEPTH = 200
_DEFAULT_UNIT = "  "


class JsonNode(NamedTuple):
    """One value: text[start:end]. children: of an object or array, in order; value: of any other kind."""

    kind: str
    start: int
    end: int
    children: tuple[JsonChild, ...] = ()
    value: Any = None

    def get(self, key: str) -> JsonNode | None:
        """Return a member by its key. Of several members with the same key the last one counts, as for every JSON parser."""
        return next((child.node for child in reversed(self.children) if child.key == key), None)

    def plain(self) -> Any:
        """Return the value as Python objects."""
        if self.kind == "object":
            return {child.key: child.node.plain() for child in self.children}
        return [child.node.plain() for child in self.children] if self.kind == "array" else self.value


class JsonChild(NamedTuple):
    """A member of an object or an item of an array. start: where the member's key, or the item itself, begins."""

    start: int
    key: str | None
    node: JsonNode


class MalformedSettings(ValidationFailed):
    """The text is not JSON. line: 1-based."""

    def __init__(self, text: str, position: int, what: str) -> None:
        self.line = text.count("\n", 0, position) + 1
        super().__init__(f"line {self.line}: {what}")


def parse(text: str) -> JsonNode:
    """Return the root object. Raises MalformedSettings for anything but strict JSON with an object at its root."""
    start = _blanks(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, start, 0)
    rest = _blanks(text, node.end)
    if rest < len(text):
        raise MalformedSettings(text, rest, "there is text after the JSON value")
    if node.kind != "object":
        raise MalformedSettings(text, start, "the settings must be a JSON object")
    return node


def append(text: str, container: JsonNode, value: object, key: str | None = None) -> str:
    """Return `text` with one more member (with `key`) or item (without) at the end of `container`."""
    style = _Style(text, container)
    item = style.render(value, key)
    if container.children:
        at = container.children[-1].node.end
        return text[:at] + "," + style.gap + item + text[at:]
    closing = style.newline + style.outer if style.inner is not None else ""
    return text[: container.start + 1] + style.opening + item + closing + text[container.end - 1 :]


def remove(text: str, container: JsonNode, index: int) -> str:
    """Return `text` without one child of `container` and the comma that belonged to it."""
    children = container.children
    if len(children) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if index == len(children) - 1:
        return text[: children[index - 1].node.end] + text[children[index].node.end :]
    return text[: children[index].start] + text[children[index + 1].start :]


def remove_member(text: str, container: JsonNode, key: str) -> str:
    """Return `text` without the effective member `key`: the last one, as for every JSON parser."""
    return remove(text, container, max(place for place, child in enumerate(container.children) if child.key == key))


class _Style:
    """How the file is formatted: outer and inner indentation of a container (inner is None on one line), line end, separators."""

    def __init__(self, text: str, container: JsonNode) -> None:
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.unit = _unit(text)
        self.outer = _indentation(text, container.start)
        self.inner: str | None = self.outer + self.unit
        if container.children:
            before = text[container.start + 1 : container.children[0].start]
            self.inner = before.rpartition("\n")[2] if "\n" in before else None
        elif container.start and "\n" not in text[: container.start]:
            self.inner = None
        if self.inner is None:
            spaced = '": ' in text
            self.separators = (", ", ": ") if spaced else (",", ":")
            self.opening = ""
            self.gap = " " if spaced else ""
        else:
            self.separators = (",", ": ")
            self.opening = self.gap = self.newline + self.inner

    def render(self, value: object, key: str | None) -> str:
        import json

        name = "" if key is None else json.dumps(key, ensure_ascii=False) + self.separators[1]
        if self.inner is None:
            return name + json.dumps(value, ensure_ascii=False, separators=self.separators)
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit).split("\n")
        return name + (self.newline + self.inner).join(lines)


def _unit(text: str) -> str:
    """Return one step of indentation: the blanks before the first indented line."""
    for line in text.split("\n")[1:]:
        content = line.lstrip(" \t")
        if content.strip("\r") and content != line:
            return line[: len(line) - len(content)]
    return _DEFAULT_UNIT


def _indentation(text: str, position: int) -> str:
    """Return the blanks at the beginning of the line that contains `position`."""
    line = text[text.rfind("\n", 0, position) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _blanks(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BLANKS:
        position += 1
    return position


def _value(text: str, position: int, depth: int) -> JsonNode:
    if depth > _DEPTH:
        raise MalformedSettings(text, position, "values are nested too deeply")
    opening = text[position : position + 1]
    if opening in ("{", "["):
        return _container(text, position, depth)
    if opening == "/":
        raise MalformedSettings(text, position, "comments are not valid JSON")
    try:
        # The json module reads the scalars. Containers are parsed here, because it does not report positions.
        value, end = _decoder().raw_decode(text, position)
    except ValueError:
        raise MalformedSettings(text, position, "a value is missing or malformed") from None
    return JsonNode("scalar", position, end, value=value)


def _container(text: str, start: int, depth: int) -> JsonNode:
    kind, closing = ("object", "}") if text[start] == "{" else ("array", "]")
    children: list[JsonChild] = []
    position = _blanks(text, start + 1)
    while text[position : position + 1] != closing:
        if children:
            if text[position : position + 1] != ",":
                raise MalformedSettings(text, position, f"a comma or {closing} is missing")
            position = _blanks(text, position + 1)
        begin, key = position, None
        if kind == "object":
            key, position = _key(text, position)
        node = _value(text, position, depth + 1)
        children.append(JsonChild(begin, key, node))
        position = _blanks(text, node.end)
    return JsonNode(kind, start, position + 1, tuple(children))


def _key(text: str, position: int) -> tuple[str, int]:
    node = _value(text, position, _DEPTH) if text[position : position + 1] == '"' else None
    if node is None:
        raise MalformedSettings(text, position, "comments are not valid JSON" if text[position : position + 1] == "/" else "a key in double quotes is missing")
    position = _blanks(text, node.end)
    if text[position : position + 1] != ":":
        raise MalformedSettings(text, position, "a colon is missing")
    return node.value, _blanks(text, position + 1)


def _no_constant(name: str) -> None:
    raise ValueError(name)


@lru_cache(maxsize=1)
def _decoder() -> JSONDecoder:
    from json import JSONDecoder  # late: every status loads this module, also where no host has settings

    return JSONDecoder(parse_constant=_no_constant)
