"""Fingerprints: what an agent did, freed of what differs each time, so that the same intent has the same text.

`cd app && timeout 60 npx vitest run src/a.test.ts --reporter=json 2>&1 | tail -5` is `vitest run --reporter app/src/a.test.ts _`:
program, sub-commands, flag names in order of the alphabet, repository-relative paths, `_` for other values, `#` for numbers
and hashes (cycle design, RECORD). Preparation (`cd`, assignments), redirections and viewers (`tail`, `grep` …) are dropped;
of what is left the last part stands for the command, because the status is its.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text import paths, programs, shell
from memorybank.text.error_lines import error_signature
from memorybank.text.shell import UNKNOWN, Part

__all__ = ["action", "command", "command_files", "command_parts", "error_signature", "family", "is_read_only"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LONGEST = 240
_MOST_PATHS = 6
_DEPTH = 3
_VERBS = {"Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "write", "Read": "read", "LS": "ls"}
_READERS = frozenset(("Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "TaskOutput", "BashOutput", "Todo"))
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_SUBCOMMAND = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.:")
_NUMBER = frozenset("0123456789.,:-+/%xXeEkKmMgGtTbBsdhnuµ")
_HEX = frozenset("0123456789abcdefABCDEF-")


class _Step:
    """One part of a command, read. text: its fingerprint; viewer: it only shows what others give; aside: it is not worth a
    fingerprint of its own; files: the paths it names; group: which pipeline it belongs to."""

    __slots__ = ("aside", "files", "group", "read_only", "text", "viewer")

    def __init__(self, text: str, viewer: bool, read_only: bool, files: list[str], group: int, aside: bool = False) -> None:
        self.text = text
        self.aside = aside
        self.viewer = viewer
        self.read_only = read_only
        self.files = files
        self.group = group


def command(text: str, root: str, folder: str = "") -> str:
    """The fingerprint of a shell command: of the part whose status it has. "" when nothing is left of it.

    root: the repository, absolute; folder: the working folder, absolute or relative to root. The last part that does
    something; a look that follows (`git commit … && git status`) counts only alone. Of viewers alone (`grep x a.py | head`)
    the first of the last pipeline stands.
    """
    steps = _steps(text, root, folder)
    working = [step for step in steps if not step.viewer]
    doing = [step for step in working if not step.read_only]
    if working:
        return (doing or working)[-1].text
    shown = [step for step in steps if not step.aside] or steps
    return next((step.text for step in shown if step.group == shown[-1].group), "")


def command_parts(text: str, root: str, folder: str = "") -> list[str]:
    """The fingerprints of all parts that are no viewers, in order, each once; of the whole when all are."""
    found = dict.fromkeys(step.text for step in _steps(text, root, folder) if not step.viewer)
    return list(found) or [whole for whole in (command(text, root, folder),) if whole]


def command_files(text: str, root: str, folder: str = "") -> list[str]:
    """The files and folders that a command names, relative to the repository, in order, each once."""
    return list(dict.fromkeys(path for step in _steps(text, root, folder) for path in step.files if "*" not in path and path != "."))


def family(fingerprint: str) -> str:
    """Program and sub-commands of a fingerprint, the part that `git push` and `git push --set-upstream _` share."""
    kept: list[str] = []
    for word in fingerprint.split(" "):
        if word in ("_", "#") or word.startswith("-") or (kept and ("/" in word or paths.has_file_name(word))):
            break
        kept.append(word)
    return " ".join(kept)


def action(tool: str, inputs: Mapping[str, Any], root: str, folder: str = "") -> str | None:
    """The fingerprint of one tool call: of its command, or verb and path; None without a tool. inputs: canonical keys."""
    if not tool:
        return None
    if isinstance(inputs.get("command"), str) and inputs["command"].strip():
        return command(inputs["command"], root, folder) or None
    path = inputs.get("file_path") or inputs.get("path") or ""
    where = paths.relative(path, root, folder=folder) if isinstance(path, str) and path else ""
    if tool in _VERBS:
        return f"{_VERBS[tool]} {where or '_'}"[:_LONGEST]
    if tool == "Grep":
        return f"grep _ {where or '.'}"[:_LONGEST]
    if tool == "Glob":
        pattern = inputs.get("pattern")
        return f"glob {pattern if isinstance(pattern, str) and ' ' not in pattern else '_'} {where}".rstrip()[:_LONGEST]
    if tool == "WebFetch":
        return f"fetch {_host(inputs.get('url'))}"[:_LONGEST]
    if tool == "Agent":
        return f"agent {inputs.get('subagent_type') or '_'}"[:_LONGEST]
    return f"{tool} {where}".rstrip()[:_LONGEST]


def is_read_only(tool: str, text: str = "") -> bool:
    """Whether a call changes nothing and decides nothing: looking, listing, searching. text: the command of a shell call."""
    if not text.strip():
        return tool in _READERS
    steps = _steps(text, "", "")
    return bool(steps) and all(step.read_only for step in steps)


def _host(url: object) -> str:
    if not isinstance(url, str) or "://" not in url:
        return "_"
    authority = url.partition("://")[2].partition("/")[0].partition("?")[0]
    return authority.rpartition("@")[2].partition(":")[0].lower() or "_"


def _steps(text: str, root: str, folder: str, depth: int = 0) -> list[_Step]:
    found: list[_Step] = []
    group = 0
    for part in shell.parts(text):
        if part.before != "|":
            group += 1
        words = _without_keywords(part.words)
        if words[:1] in (["cd"], ["pushd"]):
            folder = _moved(folder, words)
            continue
        while words and _is_assignment(words[0]):
            del words[0]
        words = programs.unwrapped(words)
        if not words or words[0] in programs.PREPARATION:
            found += _written(part, root, folder, group)
            continue
        inner = programs.inner_command(words)
        if inner is not None and depth < _DEPTH:
            nested = _steps(inner, root, folder, depth + 1)
            for step in nested:
                step.group = group
            found += nested
            continue
        step = _step(words, root, folder, group)
        found += _written(part, root, folder, group) if step.viewer and part.targets else [step]
    return found


def _written(part: Part, root: str, folder: str, group: int) -> list[_Step]:
    """`cat > file`, `echo x >> file`: what a viewer writes is an edit."""
    where = [paths.relative(target, root, folder=folder) or "_" for target in part.targets if UNKNOWN not in target]
    return [_Step(f"write {path}"[:_LONGEST], False, False, [path] if path != "_" else [], group) for path in where]


def _without_keywords(words: list[str]) -> list[str]:
    """A list of its own without `if`, `then`, `do`, `{` …; nothing of `for x in …`."""
    start = 0
    while start < len(words) and words[start] in programs.KEYWORDS:
        start += 1
    return words[start:] if words[start : start + 1] not in (["for"], ["case"], ["select"], ["function"]) else []


def _moved(folder: str, words: list[str]) -> str:
    target = next((word for word in words[1:] if not word.startswith("-")), "")
    if not target or UNKNOWN in target or target.startswith("~"):
        return folder
    return target if target.startswith("/") else f"{folder}/{target}" if folder else target


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.rstrip("+").isidentifier()


def _step(words: list[str], root: str, folder: str, group: int) -> _Step:
    """A simple command: its words sorted into sub-commands, flags, paths, values and numbers."""
    program = programs.name(words[0])
    if "/" in program:
        program = paths.relative(program, root, folder=folder) or program.rpartition("/")[2]
    subcommands: list[str] = []
    flags: set[str] = set()
    files: dict[str, None] = {}
    values = numbers = False
    rest = words[1:]
    index = 0
    while index < len(rest):
        word = rest[index]
        index += 1
        if word == "--":
            continue
        if word.startswith("-") and len(word) > 1 and UNKNOWN not in word.partition("=")[0]:
            flag, equals, value = word.partition("=")
            if not equals and programs.takes_value(program, flag) and not subcommands:
                index += 1
                continue
            if flag[1:].isdecimal():
                numbers = True
                continue
            if flag not in programs.LOUDNESS:
                flags.add(flag.rstrip("0123456789") or flag)
            if not equals:
                if flag in programs.VALUED and index < len(rest) and not rest[index].startswith("-"):
                    kind = _kind("", [], rest[index])
                    numbers, values = numbers or kind == "number", values or kind != "number"
                    index += 1
                continue
            kind = _kind("", [], value)
            word = value
        elif not files and not values and _is_subcommand(program, subcommands, word):
            subcommands.append(word)
            continue
        else:
            kind = "value" if program in ("find", "fd") and flags else _kind(program, subcommands, word)
        if kind == "path":
            path = paths.relative(paths.without_line(word), root, folder=folder)
            if path and (path in files or len(files) < _MOST_PATHS):
                files[path] = None
            else:
                values = True
        elif kind == "number":
            numbers = True
        else:
            values = True
    pieces = [program, *subcommands, *sorted(flags), *map(_steady, files), *(["_"] if values else []), *(["#"] if numbers else [])]
    viewer = program in programs.VIEWERS and not (program in programs.EDITORS and any(flag.startswith(("-i", "--in-place")) for flag in flags))
    read_only = viewer or programs.only_looks(program, subcommands, flags)
    return _Step(" ".join(pieces)[:_LONGEST], viewer, read_only, list(files), group, program in programs.ASIDES)


def _is_subcommand(program: str, found: list[str], word: str) -> bool:
    """Whether `word` says what to do, not what to do it with."""
    if len(found) >= programs.levels(program, found) or not word or len(word) > 32 or word[0] not in _LETTERS:
        return False
    return all(sign in _SUBCOMMAND for sign in word) and not paths.has_file_name(word)


def _kind(program: str, subcommands: list[str], word: str) -> str:
    """`path`, `number` or `value`."""
    if UNKNOWN in word or not word or word[0] == "+" or any(sign in word for sign in " \t\n"):
        return "value"
    if _is_number(word):
        return "number"
    if programs.names_packages(program) and not word.startswith(("./", "../", "/")):
        return "path" if word.endswith((".txt", ".toml", ".json", ".whl", ".tgz", ".lock")) else "value"
    if paths.looks_like_path(paths.without_line(word)):
        return "path"
    plain = word in (".", "..") or not any(sign in word for sign in ":@=(){}$^|\\,")
    if plain and programs.names_paths(program, subcommands):
        return "path"
    return "path" if plain and "/" in word and not programs.names_refs(program) and word.strip("/.") else "value"


def _is_number(word: str) -> bool:
    """A number, a size, a duration, a date, a hash."""
    if word[0].isdecimal() and all(sign in _NUMBER for sign in word):
        return True
    return len(word) >= 7 and all(sign in _HEX for sign in word) and any(sign.isdecimal() for sign in word)


def _steady(path: str) -> str:
    """A path whose long numbers (`20260211203856_add.sql`) are `#`: the next one has another."""
    digits = 0
    for sign in path:
        digits = digits + 1 if sign.isdecimal() else 0
        if digits >= 8:
            break
    else:
        return path
    pieces: list[str] = []
    run = ""
    for sign in path + "\0":
        if sign.isdecimal():
            run += sign
            continue
        pieces.append("#" if len(run) >= 8 else run)
        pieces.append(sign)
        run = ""
    return "".join(pieces)[:-1]
