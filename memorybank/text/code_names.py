"""Names of code in a text, as people and agents write them: identifiers, files, options, and the codes of errors and tickets."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_NAME = lazy_pattern(
    r"[A-Za-z_][\w-]*\.[A-Za-z][A-Za-z0-9]{0,3}(?![\w.])"
    r"|[A-Za-z]\w*[a-z0-9][A-Z]\w*|[A-Za-z][A-Za-z0-9]*_\w*[A-Za-z0-9]"
    r"|(?<![A-Za-z0-9_-])[A-Z]{1,6}-?\d{2,6}(?![A-Za-z0-9_-])|(?<![\w-])--[a-z][a-z0-9]+(?:-[a-z0-9]+)*"
    r"|(?<![\w-])[A-Za-z]\w*(?:-[A-Za-z0-9]\w*){2,}(?![\w-])"
)
_OF_MANY = lazy_pattern(r"(?:[A-Z][A-Z_-]+|index|main|mod|init|__init__|package|setup|config)\.|[\da-f]{4,}(?:-[\da-f]{4,})+$|Git[HL][ua]b$|e\.g|i\.e")
"""What names a different thing in every place, or none: `README.md`, `index.ts`, the id of a record."""
_LEAST = 4


def names_in(text: str) -> list[str]:
    """Return the names of code in a text, in order and without repeats."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if len(name) >= _LEAST and _OF_MANY.match(name) is None]
