"""Tags written in the text of a note, as Obsidian and basic-memory have them: `#db/postgres`, `#設計`."""

import re
from collections.abc import Iterator

_TAG = re.compile(r"(?:^|(?<=[\s、。，．（「]))#(\w[\w/-]*)", re.MULTILINE)


def inline_tags(prose: str) -> tuple[str, ...]:
    """Return the distinct tags of a text without code, in order. A number alone is not a tag, it refers to an issue."""
    return tuple(dict.fromkeys(_tags(prose)))


def _tags(prose: str) -> Iterator[str]:
    if "#" not in prose:
        return
    for match in _TAG.finditer(prose):
        tag = match[1].rstrip("/-")
        if any(not (sign.isdigit() or sign in "/-_") for sign in tag):
            yield tag
