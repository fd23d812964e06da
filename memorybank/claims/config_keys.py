"""The keys of configuration files, as paths: `upload/timeout` for `timeout` in the table `[upload]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memorybank.text.pattern import lazy_pattern

_MOST = 20_000
"""Maximum number of keys of one file."""
_SECTION = lazy_pattern(r"\s*\[{1,2}\s*([^\]\s](?:[^\]]{0,198}[^\]\s])?)\s*\]{1,2}\s*(?:[#;].*)?$")
_ASSIGNMENT = lazy_pattern(r"\s*([A-Za-z_][\w.-]*)\s*[:=]")
_YAML = lazy_pattern(r"( *)((?:- +)*)[\"']?([A-Za-z_][\w./-]*)[\"']?\s*:(?:\s|$)")


def keys_of(path: str, data: bytes) -> set[str] | None:
    """Return the keys of a configuration file, those above others included. None for a file that cannot be read."""
    text = data.decode("utf-8", "replace")
    ending = path.lower().rpartition(".")[2]
    try:
        if ending == "toml":
            import tomllib  # late: few refreshes read configuration

            found = set(_nested(tomllib.loads(text), ""))
        elif ending == "json":
            import json

            found = set(_nested(json.loads(text), ""))
        elif ending in ("yaml", "yml"):
            found = set(_of_yaml(text))
        elif ending in ("jsonc", "json5"):
            return None
        else:
            found = set(_of_sections(text))
    except (ValueError, RecursionError):
        return None
    return found if len(found) < _MOST else None


def has_key(keys: set[str], key: str) -> bool:
    """Return whether a file has a key, also below further tables."""
    return key in keys or any(each.endswith("/" + key) for each in keys)


def _nested(found: Any, above: str) -> Iterator[str]:
    if isinstance(found, list):
        for each in found:
            yield from _nested(each, above)
    elif isinstance(found, dict):
        for name, value in found.items():
            place = above + str(name).replace(".", "/")
            yield place
            yield from _nested(value, place + "/")


def _of_yaml(text: str) -> Iterator[str]:
    """Yield the keys of block mappings by their indentation."""
    above: list[tuple[int, str]] = []
    for line in text.split("\n"):
        match = _YAML.match(line)
        if match is not None:
            depth = len(match[1]) + len(match[2])
            while above and above[-1][0] >= depth:
                above.pop()
            above.append((depth, match[3].replace(".", "/")))
            yield "/".join(name for _, name in above)


def _of_sections(text: str) -> Iterator[str]:
    section = ""
    for line in text.split("\n"):
        head = _SECTION.match(line)
        if head is not None:
            section = head[1].replace(".", "/") + "/"
            yield section[:-1]
        elif (match := _ASSIGNMENT.match(line)) is not None:
            yield section + match[1].replace(".", "/")
