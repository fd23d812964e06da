"""Reads front matter with the YAML library: a guarded walk over the parser's events, then python-frontmatter for the values.

Imported late. The walk comes first because the loader does not survive hostile input: thousands of nested brackets end the process, and
aliases multiply. Scalars are loaded as written (only null is resolved), so that no date, float or octal number is created here; `schema`
coerces them.
"""

import re
from dataclasses import dataclass
from typing import Any, cast

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from memorybank.notes.subset import Value

MAX_DEPTH = 20

_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class _AsWritten(_Base):  # type: ignore[misc]  # PyYAML's C loader has no types
    """A loader that returns every scalar as a str, except null."""


_AsWritten.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
_AsWritten.add_constructor("tag:yaml.org,2002:null", lambda loader, node: None)


class _Handler(YAMLHandler):
    """Passes on exactly the block that `block.find` found. The library's own split strips the block and loses lines."""

    def __init__(self, block: str) -> None:
        super().__init__()
        self.block = block

    def split(self, text: str) -> tuple[str, str]:
        return self.block, ""

    def load(self, fm: str, **kwargs: object) -> Any:
        return yaml.load(fm, Loader=_AsWritten)


@dataclass(frozen=True, slots=True)
class UnreadableYaml:
    """Why the block cannot be used.

    code: of the Problem
    line: 1-based in the block, or None
    """

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class YamlMapping:
    """The mapping that a block contains.

    values: as written
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
        if isinstance(walked, UnreadableYaml):
            return walked
        lines, duplicates, is_mapping = walked
        if not is_mapping:
            return None
        metadata, _ = frontmatter.parse(block, handler=_Handler(block))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return UnreadableYaml("front_matter_invalid", f"not valid YAML: {error.problem or error.context}", mark.line + 1 if mark is not None else None)
    except Exception as error:  # the one place where anything that a YAML library raises becomes a value
        return UnreadableYaml("front_matter_invalid", f"not valid YAML: {type(error).__name__}")
    values = {key: cast(Value, value) for key, value in metadata.items() if key not in duplicates}
    return YamlMapping(values, lines, tuple(duplicates))


def _walk(block: str) -> tuple[dict[str, int], list[str], bool] | UnreadableYaml:
    """Return (line of each top-level key, keys given twice, whether the only document is a mapping or empty)."""
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
                    return UnreadableYaml("front_matter_too_deep", f"nested deeper than {MAX_DEPTH} levels", _line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    if documents > 1:
        return UnreadableYaml("front_matter_invalid", "more than one YAML document")
    return lines, duplicates, is_mapping


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark is not None else 1
