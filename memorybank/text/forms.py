"""Forms of commands: program and sub-commands without flags, paths and values, so that calls of one purpose have one text.

`cd app && rtk bun run test 2>&1 | tail` has the form `rtk bun run test`. Two calls with one form fail and are mended alike; a fingerprint
(`text.fingerprint`) is finer and says what exactly was done.
"""

from __future__ import annotations

__light__ = True

import re

from memorybank.text import programs, shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_PARTS = 8
_LONGEST = 4
"""Words of a form."""
_WORD = re.compile(r"[a-z][a-z0-9:_-]*\Z")
_ASSIGNMENT = re.compile(r"\w+=")
_ECHOED = re.compile(r"^(?:\[[\w:-]+\] )?\$ (.+)$", re.MULTILINE)
"""How task runners (npm, bun, yarn, mise) print the command that they run."""
_MOST_ECHOED = 6
_REMOVES = ("rm", "unlink", "rmdir")
_TEMPORARY = re.compile(r"[-_.][A-Za-z0-9]{6,}$")


def of_command(command: str) -> list[str]:
    """The forms of the parts of a command that do something, in order, each once; viewers and preparation are left out."""
    found: dict[str, None] = {}
    for words in _parts(command):
        if words[0] not in programs.VIEWERS:
            found[_form(words)] = None
    return list(found)


def of_output(output: str) -> list[str]:
    """The forms of the commands that an output says it ran (`$ biome check …`)."""
    found: dict[str, None] = {}
    for match in _ECHOED.findall(output)[:_MOST_ECHOED]:
        found.update(dict.fromkeys(of_command(match)))
    return list(found)


def chains(command: str) -> list[tuple[str, str]]:
    """(program, word after it) of each part, "" for none: from many of these follows which words only wrap other programs."""
    return [(_name(words[0]), _name(words[1]) if len(words) > 1 and _WORD.match(words[1]) else "") for words in _parts(command)]


def unwrapped(form: str, wrappers: Iterable[str]) -> str:
    """A form without the wrappers that it begins with: `bun run test` of `rtk bun run test`, where `rtk` is one."""
    first, _, rest = form.partition(" ")
    return unwrapped(rest, wrappers) if rest and first in wrappers else form


def _parts(command: str) -> list[list[str]]:
    """The words of each part, assignments and preparation left out."""
    found = []
    for part in shell.parts(command)[:_MOST_PARTS]:
        words = list(part.words)
        while words and _ASSIGNMENT.match(words[0]):
            words.pop(0)
        if words and words[0] not in programs.PREPARATION:
            found.append(words)
    return found


def _name(word: str) -> str:
    return programs.name(word)


def _form(words: list[str]) -> str:
    kept = [_name(words[0])]
    if kept[0] in _REMOVES:  # what is removed is what the command does
        targets = [_without_temporary(word) for word in words[1:] if not word.startswith("-")]
        return " ".join([*kept, *(word for word in words[1:] if word.startswith("-")), *targets[:1]])
    for word in words[1:]:
        if word.startswith("-C") and kept == ["git"]:
            kept.append("-C")
            break
        if len(kept) == _LONGEST or not _WORD.match(word):
            break
        kept.append(word)
    return " ".join(kept)


def _without_temporary(path: str) -> str:
    """`tmp/clones` of `tmp/clones/agents-DtKspd` and of `tmp/clones/*`: the last part of a path where it is a made-up name."""
    path = path.rstrip("/")
    folder, _, name = path.rpartition("/")
    return folder if folder and ("*" in name or shell.UNKNOWN in name or _TEMPORARY.search(name)) else path
