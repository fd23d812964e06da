"""Forms of commands: program and sub-commands without flags, paths and values, so that calls with the same purpose have the same text.

`cd app && rtk bun run test 2>&1 | tail` has the form `rtk bun run test`. Calls with the same form fail for the same reasons and need
the same fixes. A fingerprint (`text.fingerprint`) is finer and says what exactly was done.
"""

from __future__ import annotations

__light__ = True


from memorybank.text import programs, shell
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_PARTS = 8
_LONGEST = 4
"""Maximum number of words in a form."""
_WORD = lazy_pattern(r"[a-z][a-z0-9:_-]*\Z")
_ECHOED = lazy_pattern(r"^(?:\[[\w:-]+\] )?\$ (.+)$", "m")
"""How task runners (npm, bun, yarn, mise) print the command that they run."""
_MOST_ECHOED = 6
_REMOVES = ("rm", "unlink", "rmdir")
_TEMPORARY = lazy_pattern(r"[-_.][A-Za-z0-9]{6,}$")


def of_command(command: str) -> list[str]:
    """Return the forms of the parts of a command that do something, in order and without repeats; viewers and preparation are left out."""
    return list(dict.fromkeys(form for form, _ in parts(command)))


def parts(command: str) -> list[tuple[str, list[str]]]:
    """Return (form, words) of the parts of a command that do something, in order."""
    return [(_form(words), words) for words in _parts(command) if words[0] not in programs.VIEWERS]


def of_call(tool: str | None, command: str, named: str = "") -> list[str]:
    """Return the forms of a call. named: what a tool other than a shell calls by name (a skill)."""
    if tool == "Bash":
        return of_command(command)
    return [f"{tool or 'call'} {named}".strip()]


def of_output(output: str) -> list[str]:
    """Return the forms of the commands that an output says it ran (`$ biome check …`)."""
    found: dict[str, None] = {}
    for match in _ECHOED.findall(output)[:_MOST_ECHOED]:
        found.update(dict.fromkeys(of_command(match)))
    return list(found)


def chains(command: str) -> list[tuple[str, str]]:
    """Return (program, next word or "") for each part. Many such pairs together show which programs only wrap others."""
    return [(programs.name(words[0]), programs.name(words[1]) if len(words) > 1 and _WORD.match(words[1]) else "") for words in _parts(command)]


def unwrapped(form: str, wrappers: Iterable[str]) -> str:
    """Return a form without the wrappers at its beginning: `bun run test` for `rtk bun run test` if `rtk` is a wrapper."""
    first, _, rest = form.partition(" ")
    return unwrapped(rest, wrappers) if rest and first in wrappers else form


def _parts(command: str) -> list[list[str]]:
    """Return the words of each part, without keywords of the shell, assignments and preparation."""
    found = []
    for part in shell.parts(command)[:_MOST_PARTS]:
        words = programs.without_shell_keywords(part.words)
        if words and words[0] not in programs.PREPARATION:
            found.append(words)
    return found


def _form(words: list[str]) -> str:
    kept = [programs.name(words[0])]
    if kept[0] in _REMOVES:  # the purpose of a removal is its target, so the target belongs to the form
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
    """Return a path without a generated last part: `tmp/clones` for `tmp/clones/agents-DtKspd` and for `tmp/clones/*`."""
    path = path.rstrip("/")
    folder, _, name = path.rpartition("/")
    return folder if folder and ("*" in name or shell.UNKNOWN in name or _TEMPORARY.search(name)) else path
