"""Decides whether a tool call names a path that a rule keeps private, anywhere: also in a command and outside the repository.

Rules are globs over repository-relative paths: `*` and `?` match within one part, `**` matches any number of parts. A pattern without a
slash matches a file in any folder, as in a .gitignore (`*.pem`, `.env*`). A pattern with a slash is anchored at the root unless it starts with
`**/`.

Code that a command or a tool runs counts too: `python -c "open('.env')"`, a here document, a tool's `code`.

A missed path shows a secret to everybody; a wrong match hides a memory. In a command, whatever looks like a path therefore counts: words
with a `/`, and words with a `.` unless they are part of a quoted sentence such as a commit message.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.paths import relative

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


def has_private_path(inputs: Mapping[str, Any], rules: Sequence[str], root: str, home: str, folder: str) -> bool:
    """Return whether a tool call names a private path.

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
    for text, quoted in _quoted_sections(command):
        # A bare `.env` counts outside quotes, alone in quotes, and in quoted code that an option such as `-c` runs.
        alone = not quoted or is_run or " " not in text.strip()
        words = [word.strip(_INNER_QUOTES) for word in text.translate(_BLANKS).split()]
        yield from (word for word in words if "/" in word or (alone and "." in word))
        if quoted and "/" in text:
            yield text  # a path with spaces
        last = text.split()[-1:]
        is_run = not quoted and bool(last) and not text[-1:].isalnum() and last[0].startswith(("-", "eval")) and last[0].endswith(_RUNS_TEXT)


def _quoted_sections(command: str) -> Iterator[tuple[str, bool]]:
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


def matches(path: str, pattern: str) -> bool:
    """Return whether a POSIX path matches a glob. `~/…` and hashed paths can only match by their last parts."""
    parts = path.split("/")
    if "/" not in pattern:
        return any(_matches_part(part, pattern) for part in parts)
    return _match_parts(parts, pattern.strip("/").split("/"))


def _match_parts(parts: list[str], patterns: list[str]) -> bool:
    """Match pattern by pattern, with the set of positions in `parts` reached so far: the time stays polynomial with any number of `**`."""
    reached = {0}
    for pattern in patterns:
        if pattern == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(parts) and _matches_part(parts[at], pattern)}
    return len(parts) in reached


def _matches_part(text: str, pattern: str) -> bool:
    """Return whether one part matches one pattern: greedy, with one position to return to (the classic two-pointer wildcard match)."""
    head, star_sign, tail = pattern.partition("*")
    # Most patterns have at most one star and need no loop.
    if "?" not in pattern and "*" not in tail:
        return text == pattern if not star_sign else len(text) >= len(head) + len(tail) and text.startswith(head) and text.endswith(tail)
    at = star = 0
    mark = -1
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            mark, star = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at += 1
            position += 1
        elif mark >= 0:
            star += 1
            at, position = mark + 1, star
        else:
            return False
    return all(sign == "*" for sign in pattern[at:])
