"""Installs the merge drivers and the refresh of the index in a repository, and removes both: a plan with every file before and after, then its execution.

Four places belong to it:

- `.gitattributes` of the bank, which is committed: the driver of each kind of file. Without the driver git merges such a file as text.
- `info/attributes` of the repository: the drivers of the two files that others merge line by line (`merge=union`).
- the configuration of the repository: the command of each driver.
- the hooks post-merge, post-checkout and post-rewrite, which bring the index up to date.

In files of others memorybank owns a block of lines, and every other byte stays.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys

from memorybank import git
from memorybank.editing import outside
from memorybank.editing.write import NoteWriter
from memorybank.errors import MemorybankError, UsageError, ValidationFailed
from memorybank.merging.kinds import DRIVER, KINDS, attributes
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout, git_folders
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.clock import Clock

_SHELL = re.compile(rb"#![ \t]*(?:/usr/bin/env[ \t]+)?(?:/[\w./-]*/)?(?:sh|bash|dash|zsh|ksh)(?:[ \t][^\n]*)?\r?\n")
SHEBANG = b"#!/bin/sh\n"
HOOKS = ("post-merge", "post-checkout", "post-rewrite")
ATTRIBUTES = ".gitattributes"
_LOCAL = "info/attributes"
ATTRIBUTES_PART, DRIVER_PART, HOOK_PART = "attributes", "driver", "hook"
MISSING, CURRENT, OUTDATED, REFUSED = "missing", "installed", "outdated", "not possible"
_MAX_BYTES = 1 << 20
_SECONDS = 30.0
"""Time limit of each call of git."""
_EXECUTABLE = 0o777
_UNITED = frozenset(kind.pattern for kind in KINDS if kind.union)
_PATTERN_SIGNS = re.compile(r"([\\*?\[])")


class GitProgram(Value):
    """The program that git starts on this machine. python: the interpreter; script: `for_git.py`; both absolute"""

    python: str
    script: str

    @classmethod
    def of_this_installation(cls) -> GitProgram:
        """Return the program of this installation. Raises `UsageError` when its path cannot be written into a script."""
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        program = cls(os.path.abspath(sys.executable or "python3"), os.path.join(package, "for_git.py"))
        for path in (program.python, program.script):
            if not path.isprintable():
                raise UsageError(f"{path!a} cannot be written into a script", next_step="install memorybank in a folder whose path is printable UTF-8")
        return program


class GitPart(Value):
    """One place where something is installed.

    kind: `attributes`, `driver` or `hook`
    path: the file, absolute; for a driver its key in git's configuration
    state: `installed`, `missing`, `outdated` or `not possible`
    before, after: its content now and afterwards; None for none
    why: why it is not possible, and what to do instead
    """

    kind: str
    path: str
    state: str
    before: bytes | None
    after: bytes | None
    why: str = ""


class GitInstallation:
    """What is installed for one bank, and what would be. Raises `UsageError` when the bank is in no repository."""

    def __init__(self, layout: Layout, program: GitProgram) -> None:
        if layout.repository is None:
            raise UsageError("the bank is not in a git repository", next_step="run 'git init' in the project first")
        self.layout = layout
        self.program = program
        self.repository = layout.repository
        self.label = os.path.relpath(layout.root, layout.repository)
        if "\n" in self.label or not self.label.isprintable():
            raise UsageError(f"{self.label!a} cannot be written into a script", next_step="move the bank to a folder whose path is printable UTF-8")

    def parts(self) -> list[GitPart]:
        """Return every place, with what is there now and what the installation makes of it. The drivers come first: attributes without them do nothing."""
        return [*self._drivers(), self._committed(), self._local(), *(self._hook(name) for name in HOOKS)]

    def removal(self) -> list[GitPart]:
        """Return the places with something of memorybank, with what is left there afterwards, the drivers last.

        The drivers are shared by all banks of the repository, so they stay while another bank uses them. Raises `ValidationFailed` when somebody
        removed a part of memorybank's lines.
        """
        found = []
        for part in reversed(self.parts()):
            if part.before is None or (part.kind == DRIVER_PART and self._is_used_elsewhere()):
                continue
            after = None if part.kind == DRIVER_PART else self._without_block(part.path, part.before)
            if after != part.before or (part.kind != DRIVER_PART and outside.is_interrupted(part.path)):
                found.append(GitPart(part.kind, part.path, part.state, part.before, after))
        return found

    def _without_block(self, path: str, data: bytes) -> bytes | None:
        try:
            return without_block(data, self.label)
        except ValidationFailed as error:
            raise ValidationFailed(f"{path}: {error.message}", next_step="remove memorybank's lines by hand, then run the command again") from error

    def _committed(self) -> GitPart:
        lines = [f"{pattern} merge={driver}" for pattern, driver in attributes() if pattern not in _UNITED]
        return self._file(ATTRIBUTES_PART, os.path.join(self.layout.root, ATTRIBUTES), lines)

    def _local(self) -> GitPart:
        path = self._git_path(_LOCAL)
        folder = "" if self.label == "." else f"{self.label}/"
        lines = [f"{_pattern(folder, pattern)} merge={driver}" for pattern, driver in attributes() if pattern in _UNITED]
        return self._file(ATTRIBUTES_PART, path, lines)

    def _drivers(self) -> list[GitPart]:
        present = self._configured()
        found = []
        for kind in KINDS:
            key, value = f"merge.{DRIVER}{kind.name}.driver", self._command(kind.name)
            before = present.get(key)
            state = MISSING if before is None else CURRENT if before == value else OUTDATED
            found.append(GitPart(DRIVER_PART, key, state, None if before is None else before.encode("utf-8", "surrogateescape"), value.encode()))
        return found

    def _command(self, kind: str) -> str:
        """Return the command of a driver. If this installation is deleted, git merges the file as text, as without a driver."""
        python, script = (shlex.quote(path).replace("%", "%%") for path in (self.program.python, self.program.script))
        plain = "exec git merge-file -L ours -L base -L theirs %A %O %B"
        return f"[ -x {python} ] && [ -r {script} ] || {plain}; exec {python} -I -S {script} merge-driver {kind} %O %A %B %P"

    def _hook(self, name: str) -> GitPart:
        folder = self._git_path("hooks")
        path = os.path.join(folder, name)
        # A checkout of single files (third argument 0) changes what a person just asked for; the next search finds it.
        line = ('[ "${3:-1}" = 1 ] && ' if name == "post-checkout" else "") + self._refresh()
        folders = git_folders(self.repository)
        inside = (self.repository, folders.common) if folders is not None else (self.repository,)
        if not any(os.path.realpath(folder).startswith(f"{os.path.realpath(each)}{os.sep}") for each in inside):
            return self._refused(path, f"core.hooksPath is {folder}, which other repositories may use too", line)
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return self._file(HOOK_PART, path, [line])
        if not stat.S_ISREG(status.st_mode):
            return self._refused(path, "it is a link or not a regular file", line)
        if not status.st_mode & stat.S_IXUSR:
            return self._refused(path, "it is not executable, so git does not run it", line)
        return self._file(HOOK_PART, path, [line])

    def _refused(self, path: str, why: str, line: str) -> GitPart:
        return GitPart(HOOK_PART, path, REFUSED, None, None, f"{why}; to use it, add this line to it: {line}")

    def _refresh(self) -> str:
        python, script = shlex.quote(self.program.python), shlex.quote(self.program.script)
        return f"[ -x {python} ] && [ -r {script} ] && {python} -I {script} refresh {shlex.quote(self.label)} </dev/null >/dev/null 2>&1 || :"

    def _file(self, kind: str, path: str, lines: list[str]) -> GitPart:
        before = outside.read(path, _MAX_BYTES)
        try:
            is_there = before is not None and find_block(before, self.label) is not None
            after = (in_script if kind == HOOK_PART else with_block)(before, self.label, lines)
        except ValidationFailed as error:
            return self._refused(path, error.message, lines[0]) if kind == HOOK_PART else GitPart(kind, path, REFUSED, before, before, error.message)
        return GitPart(kind, path, CURRENT if after == before else OUTDATED if is_there else MISSING, before, after)

    def _configured(self) -> dict[str, str]:
        listed = git.run(self.repository, "config", "--local", "-z", "--get-regexp", rf"^merge\.{DRIVER}", seconds=_SECONDS) or b""
        pairs = (entry.decode("utf-8", "surrogateescape").partition("\n") for entry in listed.split(b"\0") if entry)
        return {key: value for key, _, value in pairs}

    def _is_used_elsewhere(self) -> bool:
        data = outside.read(self._git_path(_LOCAL), _MAX_BYTES) or b""
        rest = without_block(data, self.label) or b""
        return f"merge={DRIVER}".encode() in rest

    def _git_path(self, name: str) -> str:
        found = git.run(self.repository, "rev-parse", "--git-path", name, seconds=_SECONDS)
        if found is None:
            raise MemorybankError("git did not answer", next_step="check that git is installed and that the repository is in order")
        return os.path.normpath(os.path.join(self.repository, found.decode("utf-8", "surrogateescape").rstrip("\n")))


def carry_out(installation: GitInstallation, parts: Sequence[GitPart], clock: Clock) -> None:
    """Write the content that each part has afterwards. Raises `Conflict` when somebody saved a file in the meantime; it stays."""
    for part in parts:
        is_outside = part.kind != DRIVER_PART and part.path != os.path.join(installation.layout.root, ATTRIBUTES)
        if is_outside:
            outside.finish(part.path)  # also of a file that is as it should be: an interrupted command may have left its second name
        if part.before == part.after or part.state == REFUSED:
            continue
        if part.kind == DRIVER_PART:
            _configure(installation.repository, part.path, part.after)
        elif not is_outside:
            save_merged(installation.layout, ATTRIBUTES, part.before, part.after, clock)
        else:
            outside.replace(part.path, part.after, part.before, mode=_EXECUTABLE if part.kind == HOOK_PART else disk.USER_FILE)


def _configure(repository: str, key: str, value: bytes | None) -> None:
    if value is None:
        done = git.run(repository, "config", "--local", "--remove-section", key.rpartition(".")[0], seconds=_SECONDS)
    else:
        done = git.run(repository, "config", "--local", key, value.decode("utf-8", "surrogateescape"), seconds=_SECONDS)
    if done is None:
        raise MemorybankError(f"git could not change {key} in its configuration", next_step="check that the repository's configuration can be written")


def _pattern(folder: str, pattern: str) -> str:
    """Return a pattern of gitattributes as one for the whole repository.

    folder: that the pattern is relative to, itself relative to the repository, with a final slash; "" for the repository
    """
    text = "/" + _PATTERN_SIGNS.sub(r"\\\1", folder) + pattern
    if not re.search(r'[\s"]', text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def save_merged(layout: Layout, path: str, before: bytes | None, after: bytes | None, clock: Clock) -> None:
    """Replace, create or remove a file.

    path: POSIX, relative to the bank
    before: its content when the change was planned, None without a file
    after: its new content, None to remove it
    Raises `Conflict` when somebody saved the file in the meantime; it stays.
    """
    if before == after:
        return
    with NoteWriter(layout, "memorybank git", clock) as writer:
        if before is None:
            writer.create(path, after or b"")
        elif after is None:
            writer.remove(path, {sha256(before).hex()})
        else:
            writer.replace(path, after, {sha256(before).hex()})


def begin(label: str) -> bytes:
    """Return the first line of a block. label: the bank that it is for, relative to the repository"""
    return f"# memorybank {label}: begin (written by 'memorybank git install', removed by 'memorybank git uninstall')\n".encode()


def end(label: str) -> bytes:
    """Return the last line of a block."""
    return f"# memorybank {label}: end\n".encode()


def block(label: str, lines: list[str]) -> bytes:
    return begin(label) + "".join(f"{line}\n" for line in lines).encode() + end(label)


def find_block(data: bytes, label: str) -> tuple[int, int] | None:
    """Return where the block is, or None. Raises `ValidationFailed` when only one of its two marks is left, because its extent is unknown then."""
    first = _line(data, begin(label))
    last = _line(data, end(label))
    if first < 0 and last < 0:
        return None
    if first < 0 or last < first:
        raise ValidationFailed(f"one of the two lines that begin with '# memorybank {label}:' is missing")
    return first, last + len(end(label))


def _line(data: bytes, line: bytes) -> int:
    if data.startswith(line):
        return 0
    at = data.find(b"\n" + line)
    return at + 1 if at >= 0 else -1


def with_block(data: bytes | None, label: str, lines: list[str]) -> bytes:
    """Return a file of attributes with the block: in its place, or at the end. data: None without a file"""
    data = data or b""
    if find_block(data, label) is None and data and not data.endswith(b"\n"):
        data += b"\n"
    return _with_block_at(len(data), data, label, lines)


def in_script(data: bytes | None, label: str, lines: list[str]) -> bytes:
    """Return a script of the shell with the block: in its place, or right after the first line, because a script may end anywhere.

    Raises `ValidationFailed` when the file is not a script of the shell.
    """
    data = data or SHEBANG
    first = _SHELL.match(data)
    if first is None and find_block(data, label) is None:
        raise ValidationFailed("it is not a script of the shell")
    return _with_block_at(first.end() if first is not None else 0, data, label, lines)


def _with_block_at(place: int, data: bytes, label: str, lines: list[str]) -> bytes:
    """Return a file with the block in place of the one that it has, else at an offset."""
    first, last = find_block(data, label) or (place, place)
    return data[:first] + block(label, lines) + data[last:]


def without_block(data: bytes, label: str) -> bytes | None:
    """Return a file without the block; None when nothing but the first line of a script would be left."""
    found = find_block(data, label)
    rest = data if found is None else data[: found[0]] + data[found[1] :]
    return None if rest in (b"", SHEBANG) else rest
