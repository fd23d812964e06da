"""Whether a tool call names a path that a rule keeps private, anywhere: also in a command and outside the repository.

Code that a command or a tool runs counts too: `python -c "open('.env')"`, a here document, a tool's `code`.

A missed path shows a secret to everybody; a wrong match hides a memory. In a command, whatever looks like a path therefore counts: words
with a `/`, and words with a `.` unless they are part of a quoted sentence such as a commit message.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.globs import matches
from memorybank.text.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

_LONGEST = 20_000
_PATHS = ("file_path", "path", "paths", "pattern")
_CODE = ("code", "script")
"""Inputs of tools that run code. They have no canonical key."""
_BLANKS = dict.fromkeys(map(ord, "`;|&<>()[]=,:@$\r\n\t"), " ")
_QUOTES = ("'", '"')
_INNER_QUOTES = "'\"`\\"
_RUNS_TEXT = ("c", "e", "r", "eval")
"""Endings of an option whose argument is run: `bash -c`, `node -e`, `perl -ne`, `php -r`, `deno eval`."""


def names_private(inputs: Mapping[str, Any], rules: Sequence[str], root: str, home: str, folder: str) -> bool:
    """Whether a tool call names a private path.

    inputs: arguments under canonical keys, with paths as the call has them
    rules: globs of private paths
    root: the repository; home: the person's home folder; folder: the working folder
    """
    if not rules:
        return False
    for path in _paths(inputs, rules, folder):
        recorded = relative(path, root, home, folder=folder) or path
        if any(matches(recorded, rule) for rule in rules):
            return True
    return False


def _paths(inputs: Mapping[str, Any], rules: Sequence[str], folder: str) -> Iterator[str]:
    for name in _PATHS:
        value = inputs.get(name)
        for path in value if isinstance(value, list) else (value,):
            if isinstance(path, str) and path:
                yield path
    other = inputs.get("other")
    for text in (inputs.get("command"), *(map(other.get, _CODE) if isinstance(other, dict) else ())):
        if isinstance(text, str) and any(_literal(rule) in text or _literal(rule) in folder for rule in rules):
            yield from _in_command(text[:_LONGEST])


def _literal(rule: str) -> str:
    """Return the longest part of a glob without wildcards. A command that does not contain it names nothing that matches."""
    return max(rule.replace("*", "/").replace("?", "/").split("/"), key=len)


def _in_command(command: str) -> Iterator[str]:
    """Yield the words of a command that may be paths."""
    is_run = False
    for text, quoted in _stretches(command):
        # A bare `.env` counts outside quotes, alone in quotes, and in quoted code that an option such as `-c` runs.
        alone = not quoted or is_run or " " not in text.strip()
        words = [word.strip(_INNER_QUOTES) for word in text.translate(_BLANKS).split()]
        yield from (word for word in words if "/" in word or (alone and "." in word))
        if quoted and "/" in text:
            yield text  # a path with spaces
        last = text.split()[-1:]
        is_run = not quoted and bool(last) and not text[-1:].isalnum() and last[0].startswith(("-", "eval")) and last[0].endswith(_RUNS_TEXT)


def _stretches(command: str) -> Iterator[tuple[str, bool]]:
    """Yield (text, whether it is in quotes). Quotes within quotes are text."""
    begin = at = 0
    while at < len(command):
        sign = command[at]
        if sign == "\\":
            at += 2
        elif sign not in _QUOTES:
            at += 1
        else:
            end = command.find(sign, at + 1)
            if end < 0:
                break
            yield command[begin:at], False
            yield command[at + 1 : end], True
            begin = at = end + 1
    yield command[begin:], False
