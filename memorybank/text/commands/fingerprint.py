"""Fingerprints: what an agent did, without the parts that differ between runs, so that the same intent has the same text.

The fingerprint of `cd app && timeout 60 npx vitest run src/a.test.ts --reporter=json 2>&1 | tail -5` is `vitest run --reporter
app/src/a.test.ts _`: program, sub-commands, flag names in alphabetical order, repository-relative paths, `_` for other values, `#` for
numbers and hashes (cycle design, RECORD). Preparation (`cd`, assignments), redirections and viewers (`tail`, `grep` …) are dropped.
The last remaining part represents the command, because the exit status is that part's.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import paths
from memorybank.text.secrets.redact import redact
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from memorybank.text.commands.arguments import ClassifiedArguments
    from memorybank.text.commands.shell import SimpleCommand

_LONGEST = 240
_DEPTH = 3
_MOST_KNOWN = 8
_VERBS = {"Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "write", "Read": "read", "LS": "ls"}
_READERS = frozenset(("Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "TaskOutput", "BashOutput", "Todo"))


class _Step(Value, frozen=False):
    """One analysed part of a command.

    text: its fingerprint
    viewer: whether it only shows what other parts print
    files: the paths it names
    group: number of the pipeline it belongs to
    aside: whether it deserves a fingerprint only if there is nothing else
    targets: the files that its output is written to, if it does something else, too
    """

    text: str
    viewer: bool
    read_only: bool
    files: list[str]
    group: int
    aside: bool = False
    targets: Sequence[str] = ()


def command(text: str, root: str, folder: str = "") -> str:
    """Return the fingerprint of a shell command: that of the part whose exit status it has; "" when no part remains.

    That is the last part that changes something, or else the last that is not a viewer, so that a check at the end (`git commit …
    && git status`) does not count. If there are only viewers (`grep x a.py | head`), it is the first one of the last pipeline.
    root: the repository, absolute
    folder: the working folder, absolute or relative to root
    """
    steps = _steps(text, root, folder)
    working = [step for step in steps if not step.viewer]
    doing = [step for step in working if not step.read_only]
    if working:
        return (doing or working)[-1].text
    shown = [step for step in steps if not step.aside] or steps
    return next((step.text for step in shown if step.group == shown[-1].group), "")


def command_parts(text: str, root: str, folder: str = "") -> list[str]:
    """Return the fingerprints of all parts except viewers, in order and without repeats; if there are only viewers, that of the command."""
    found = dict.fromkeys(step.text for step in _steps(text, root, folder) if not step.viewer)
    return list(found) or list(filter(None, (command(text, root, folder),)))


def command_files(text: str, root: str, folder: str = "") -> list[str]:
    """Return the files and folders that a command names, relative to the repository, in order and without repeats."""
    return list(dict.fromkeys(path for step in _steps(text, root, folder) for path in step.files if "*" not in path and path != "."))


def written_files(text: str, root: str, folder: str = "") -> list[str]:
    """Return the files and folders that a command changes, creates or removes by their names, relative to the repository, in order and without repeats."""
    return list(dict.fromkeys(path for step in _steps(text, root, folder) for path in (*_changed(step), *step.targets)))


def _changed(step: _Step) -> list[str]:
    from memorybank.text.commands import programs

    program, _, rest = step.text.partition(" ")
    if program in programs.COPIERS:
        return step.files[-1:] if not step.text.endswith(" _") else []  # a copy may go to a place outside the repository
    words = rest.split(" ")
    changes = programs.CHANGING.get(program, frozenset())
    is_edited = program in programs.EDITORS and not step.viewer and not step.read_only
    return step.files if is_edited or program in programs.CHANGERS or not changes.isdisjoint(words) else []


def family(fingerprint: str) -> str:
    """Return program and sub-commands of a fingerprint: what `git push` and `git push --set-upstream _` have in common."""
    kept: list[str] = []
    for word in fingerprint.split(" "):
        if word in ("_", "#") or word.startswith("-") or (kept and ("/" in word or paths.has_file_name(word))):
            break
        kept.append(word)
    return " ".join(kept)


def action(tool: str, inputs: Mapping[str, Any], root: str, folder: str = "") -> str | None:
    """Return the fingerprint of a tool call: that of its command, or a verb and a path; None without a tool. inputs: canonical keys."""
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
    """Return whether a call only looks, lists or searches, and so neither changes nor decides anything. text: the command of a shell call."""
    if not text.strip():
        return tool in _READERS
    steps = _steps(text, "", "")
    return bool(steps) and all(step.read_only for step in steps)


def _host(url: object) -> str:
    if not isinstance(url, str) or "://" not in url:
        return "_"
    authority = url.partition("://")[2].partition("/")[0].partition("?")[0]
    return authority.rpartition("@")[2].partition(":")[0].lower() or "_"


_known: dict[tuple[str, str, str], list[_Step]] = {}
"""The most recently parsed commands: the files, parts and fingerprint of one call are requested one after the other."""


def _steps(text: str, root: str, folder: str) -> list[_Step]:
    """Return the parts of a command. Secrets are redacted first: in a fingerprint no redactor would recognise a fragment of one."""
    asked = text, root, folder
    found = _known.get(asked)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[asked] = _read(redact(text, None), root, folder, 0)
    return found


def _read(text: str, root: str, folder: str, depth: int) -> list[_Step]:
    from memorybank.text.commands import arguments, programs, shell, written  # late, as the other imports here: most prompts contain no command

    found: list[_Step] = []
    group = 0
    for part in shell.parts(text):
        if part.before != "|":
            group += 1
        words = programs.without_shell_keywords(part.words)
        # Later parts run in this folder, so their relative paths start there.
        if words[:1] in (["cd"], ["pushd"]):
            folder = _moved(folder, words)
            continue
        words = programs.unwrapped(words)
        if not words or words[0] in programs.PREPARATION:
            found += _written(part, root, folder, group)
            continue
        inner = programs.inner_command(words)
        if inner is not None and depth < _DEPTH:
            nested = _read(inner, root, folder, depth + 1)
            for step in nested:
                step.group = group
            found += nested
            continue
        step = _step(arguments.ClassifiedArguments(words, root, folder), group)
        edits = _written(part, root, folder, group) if part.targets else []
        step.targets = [path for edit in edits for path in edit.files]
        step.targets += [path for target in written.written_by(words) if (path := paths.relative(target, root, folder=folder))]
        found += edits if step.viewer and edits else [step]
    return found


def _written(part: SimpleCommand, root: str, folder: str, group: int) -> list[_Step]:
    """Return the edits of a viewer that writes: `cat > file`, `echo x >> file`."""
    from memorybank.text.commands.shell import UNKNOWN

    where = [paths.relative(target, root, folder=folder) or "_" for target in part.targets if UNKNOWN not in target]
    return [_Step(f"write {path}"[:_LONGEST], False, False, [path] if path != "_" else [], group) for path in where]


def _moved(folder: str, words: list[str]) -> str:
    from memorybank.text.commands.shell import UNKNOWN

    target = next((word for word in words[1:] if not word.startswith("-")), "")
    if not target or UNKNOWN in target or target.startswith("~"):
        return folder
    return target if target.startswith("/") else f"{folder}/{target}" if folder else target


def _step(arguments: ClassifiedArguments, group: int) -> _Step:
    from memorybank.text.commands import programs

    text = arguments.text()[:_LONGEST]
    return _Step(text, arguments.is_viewer, arguments.is_read_only, list(arguments.files), group, arguments.program in programs.ASIDES)
