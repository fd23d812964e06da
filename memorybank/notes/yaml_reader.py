"""Front matter with the YAML library: reads it by a guarded walk over the parser's events, then python-frontmatter for the values; finds where to set one.

Imported late. The walk comes first because the loader does not survive hostile input: thousands of nested brackets end the process, and
aliases multiply. Scalars are loaded as written (only null is resolved), so that no date, float or octal number is created here;
`frontmatter` coerces them.
"""

import re
from dataclasses import dataclass
from typing import Any, cast

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from memorybank.notes.simple_yaml import Value

MAX_DEPTH = 20

# What libyaml says since PyYAML 6.0.4. The scanner looks ahead up to 1,024 characters, so it can meet its own limit before the walk sees 20 levels.
_TOO_DEEP_FOR_THE_SCANNER = "exceeded maximum nesting depth"

_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class _AsWritten(_Base):  # type: ignore[misc]  # PyYAML's C loader has no types
    """A loader that returns every scalar as a str, except null."""


_AsWritten.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
_AsWritten.add_constructor("tag:yaml.org,2002:null", lambda loader, node: None)


class _Handler(YAMLHandler):
    """Passes on exactly the block that `frontmatter.find_block` found. The library's own split strips the block and loses lines."""

    def __init__(self, block: str) -> None:
        super().__init__()
        self.block = block

    def split(self, text: str) -> tuple[str, str]:
        return self.block, ""

    def load(self, fm: str, **kwargs: object) -> Any:
        return yaml.load(fm, Loader=_AsWritten)


@dataclass(frozen=True, slots=True)
class UnreadableYaml:
    """The reason why a block cannot be used.

    code: code of the Problem
    line: 1-based in the block, or None
    """

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class YamlMapping:
    """The mapping that a block contains.

    values: the values as written
    lines: {key: 1-based line of the block}
    duplicates: keys that are given more than once; their values are lost
    """

    values: dict[str, Value]
    lines: dict[str, int]
    duplicates: tuple[str, ...]


def read(block: str) -> YamlMapping | UnreadableYaml | None:
    """Return the block's mapping (an empty one for an empty block), or None when it is valid YAML but not a mapping."""
    try:
        walked = _walk(block)
        if not isinstance(walked, tuple):
            return walked
        lines, duplicates = walked
        metadata, _ = frontmatter.parse(block, handler=_Handler(block))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else None
        if error.problem == _TOO_DEEP_FOR_THE_SCANNER:
            return _too_deep(line)
        return UnreadableYaml("front_matter_invalid", f"not valid YAML: {error.problem or error.context}", line)
    except Exception as error:  # the one place where anything that a YAML library raises becomes a value
        return UnreadableYaml("front_matter_invalid", f"not valid YAML: {type(error).__name__}")
    values = {key: cast(Value, value) for key, value in metadata.items() if key not in duplicates}
    return YamlMapping(values, lines, tuple(duplicates))


def _walk(block: str) -> tuple[dict[str, int], list[str]] | UnreadableYaml | None:
    """Return (line of each top-level key, keys given twice); None when the only document is neither a mapping nor empty."""
    lines: dict[str, int] = {}
    duplicates: list[str] = []
    depth = documents = 0
    is_mapping, expects_key = True, False
    for event in yaml.parse(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if isinstance(event, yaml.AliasEvent):
            return UnreadableYaml("front_matter_alias", "aliases (*name) are not supported", _line(event))
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        elif isinstance(event, yaml.NodeEvent):
            if depth == 0:
                is_mapping = isinstance(event, yaml.MappingStartEvent)
            elif depth == 1 and expects_key and isinstance(event, yaml.ScalarEvent):
                if event.value in lines and event.value not in duplicates:
                    duplicates.append(event.value)
                lines.setdefault(event.value, _line(event))
            if depth == 1:
                expects_key = not expects_key
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth == 1:
                    expects_key = True
                if depth > MAX_DEPTH:
                    return _too_deep(_line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    if documents > 1:
        return UnreadableYaml("front_matter_invalid", "more than one YAML document")
    return (lines, duplicates) if is_mapping else None


def _too_deep(line: int | None) -> UnreadableYaml:
    return UnreadableYaml("front_matter_too_deep", f"nested deeper than {MAX_DEPTH} levels", line)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1


def replacement(block: str, name: str, rendered: str, line_end: str) -> tuple[int, int, str]:
    """Return (begin, end, text): what has to replace `block[begin:end]` to set the top-level key `name`, in a block that `read` has accepted.

    rendered: the value, on one line
    line_end: the characters that end a new line
    """
    root = yaml.compose(block, Loader=yaml.SafeLoader)  # the Python parser, because its marks count characters
    column = 0
    if isinstance(root, yaml.MappingNode):
        for key, value in root.value:
            if isinstance(key, yaml.ScalarNode) and key.value == name:
                begin = value.start_mark.index
                end = begin + len(block[begin : _end(value)].rstrip())
                return begin, end, f" {rendered}" if rendered and block[begin - 1] == ":" else rendered
        if root.flow_style:
            begin = root.start_mark.index + 1  # after the `{`
            return begin, begin, f"{name}: {rendered}{', ' if root.value else ''}"
        column = root.start_mark.column
    return len(block), len(block), f"{' ' * column}{name}: {rendered}{line_end}"


def items(block: str, name: str) -> list[tuple[int, int, str]]:
    """Return (begin, end, value) of each scalar in the list of the top-level key `name`, in a block that `read` has accepted."""
    root = yaml.compose(block, Loader=yaml.SafeLoader)  # the Python parser, because its marks count characters
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode) and key.value == name and isinstance(value, yaml.SequenceNode):
            return [(item.start_mark.index, item.end_mark.index, item.value) for item in value.value if isinstance(item, yaml.ScalarNode)]
    return []


def _end(node: yaml.Node) -> int:
    """Return the offset after the last character of a node. The end mark of a block collection is at the next token, after comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    index: int = node.end_mark.index
    return index
