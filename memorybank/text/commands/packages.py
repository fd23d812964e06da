"""The packages that a command brings into a project, or takes out of it, whichever package manager runs."""

from __future__ import annotations

__light__ = True

import itertools

from memorybank.text.commands import forms, programs
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_MANAGERS = frozenset(str.split("npm pnpm yarn bun pip pip3 uv poetry pdm pipenv conda mamba cargo gem bundle composer go dotnet brew apt apt-get mix deno"))
_BRINGS = frozenset(("install", "i", "add", "get", "require"))
_TAKES = frozenset(("uninstall", "remove", "rm", "un", "erase"))
_BETWEEN = frozenset(("pip", "package", "global"))
"""Words between the program and what it does: `uv pip install`, `dotnet add package`."""
_VALUED = frozenset(str.split("-w --workspace --prefix --filter -F -C --cwd --dir -G --group -r --requirement -i --index-url --registry -c workspace"))
"""Options, and yarn's `workspace`, whose next word is a value rather than a package."""
_NAME = lazy_pattern(r"@?[A-Za-z][\w.-]*(?:/[\w.-]+)*")
"""Matches the name at the beginning of a word, before its version."""
KEY = "package:"
"""Begins the key under which advice about a package is kept."""


def brought(command: str) -> list[str]:
    """Return the names of the packages that a command installs, without their versions, in lower case."""
    return _named(command, _BRINGS)


def removed(command: str) -> list[str]:
    """Return the names of the packages that a command removes, in lower case."""
    return _named(command, _TAKES)


def _named(command: str, does: Collection[str]) -> list[str]:
    if not any(f" {word} " in command for word in does):
        return []
    found: dict[str, None] = {}
    for _, words in forms.parts(command):
        words = words[1:] if words[:1] == ["sudo"] else words
        words = words[2:] if words[1:3] == ["-m", "pip"] else words
        names = list(map(programs.name, words[:1])) + words[1:]
        rest = [word for before, word in itertools.pairwise(names) if not word.startswith("-") and word not in _VALUED and before not in _VALUED]
        while rest and rest[0] in _BETWEEN:
            rest = rest[1:]
        if names and names[0] in _MANAGERS and rest and rest[0] in does:
            found.update((match[0].lower(), None) for word in rest[1:] if word not in _BETWEEN and (match := _NAME.match(word)) is not None)
    return list(found)
