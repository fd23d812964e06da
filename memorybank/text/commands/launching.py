"""How a command starts its programs: by the name alone (`pytest`), by a path (`.venv/bin/pytest`), through a runner (`uv run pytest`), or in a shell that was
set up for it (`source .venv/bin/activate && pytest`).

A shell that does not find a program by its name alone finds it in one of the other ways, whatever the program is to do.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs, shell
from memorybank.text.commands.lacking import module_in, program_in
from memorybank.text.pattern import lazy_pattern
from memorybank.text.secrets.mark import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

BY_NAME = ""
"""A program that is started by its name alone."""
_VALUE = r"(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;&|\"']{1,200})"
_SET_UP = lazy_pattern(
    rf"(?:^|&&|[;\n(])[ \t]*(?P<step>(?:source|\.)[ \t]+{_VALUE}|(?:export[ \t]+)?(?:[A-Z_]{{0,20}}PATH|[A-Z_]{{1,30}}_HOME)={_VALUE}"
    r"|(?:nvm|fnm|n|nodenv|pyenv|rbenv|jenv|asdf|sdk)[ \t]+(?:use|shell|exec)\b[^;&|\n]{0,60}|(?:conda|mamba|micromamba)[ \t]+activate\b[^;&|\n]{0,60}"
    r"|workon[ \t]+[\w.-]{1,60}|module[ \t]+load[^;&|\n]{1,60}|eval[ \t]+\"\$\([^()\n]{1,100}\)\")(?=[ \t]*(?:$|[;&\n]|[\w$./~]))"
)
"""Matches a step that changes where the shell looks for programs."""
_SIGNS = ("PATH=", "_HOME=", "activate", "source ", ". ", " use", " shell", "workon", "module", "eval")
_HOME = lazy_pattern(r"(?<![\w.])/(?:home|Users)/[^/\s\"']+(?=/)")
_LONGEST, _MOST_STEPS, _MOST_PARTS = 140, 3, 8
_READ = 4_000
_MISSES = ("not found", "No module named", "externally-managed", "見つかりません", "is not recognized", "は、内部コマンド", "ENOENT", "No such file")
"""One of these occurs in every output that misses a program. Looking for them is much cheaper than the patterns."""
_WHICH = lazy_pattern(r"(?:which: )?(?:no )?([\w.+-]{1,40}) (?:not found|in \(\S+\))$")
"""Matches what `which` says about a program that it does not find."""
MANAGED = "externally-managed-environment"
"""What pip says outside of a virtual environment where the system's packages are not its own."""
INSTALL = "pip install"


def launches(command: str, *, may_fail: bool = False) -> dict[str, str]:
    """Return {program: how a command starts it}: `BY_NAME`, or all that starts it, as it is written. `pip install` and `python -m NAME` count as programs, and
    so does what `which` looks for.

    may_fail: whether to include a command that goes on if a part of it fails (`||`). Its success says nothing about its parts.
    """
    if "||" in command and not may_fail:
        return {}
    found: dict[str, str] = {}
    steps = list(_SET_UP.finditer(command)) if any(sign in command for sign in _SIGNS) else []
    for part in shell.parts(command)[:_MOST_PARTS]:
        words = programs.without_shell_keywords(part.words)
        if not words or words[0] in programs.PREPARATION:
            continue
        written = words[0].replace(shell.UNKNOWN, "")
        done = "".join([_written(command, step) for step in steps if step.start("step") < _place(command, written)][-_MOST_STEPS:])
        for name, start in _started(command, words):
            told = _told(f"{done}{start or name}") if start or done else BY_NAME
            if told is not None:
                found.setdefault(name, told)
    return found


def missing(command: str, output: str, *, failed: bool = True) -> set[str]:
    """Return the programs of a command that the shell says it did not find, by their names alone. failed: whether the command did"""
    output = output[:_READ]
    if failed and not output.strip() and len(parts := shell.parts(command)) == 1 and parts[0].words[:1] == ["which"]:
        return set(parts[0].words[1:2])
    if not any(sign in output for sign in _MISSES):
        return set()
    lines = output.split("\n")
    found = {found[1] if (found := _WHICH.match(line)) else program_in(line.strip()) for line in lines}
    found |= {f"python -m {name.partition('.')[0]}" for line in lines if (name := module_in(line))}
    if MANAGED in output:
        found.add(INSTALL)
    found.discard("")
    return found & launches(command, may_fail=True).keys() if found else found


def _started(command: str, words: list[str]) -> list[tuple[str, str]]:
    """Return (program, what starts it without any set-up, `BY_NAME` for its name alone) for each program that the words of one part start."""
    if words[0] == "which" or words[:2] == ["command", "-v"]:
        return [(word, BY_NAME) for word in words[1:] if not word.startswith("-") and "/" not in word]
    runner, inner = programs.run_by(words)
    found = []
    if runner:
        found.append((programs.name(runner[0]), _path(command, runner[0])))
    if not inner or programs.name(inner[0]) == "_" or "/" in programs.name(inner[0]):
        return found
    name, path = programs.name(inner[0]), _path(command, inner[0])
    is_module = runner[-1:] == ["-m"]
    if name == "pip":
        if "install" not in inner[1:3]:
            return found
        name, path = INSTALL, f"{path} install" if path else ""
        if is_module:
            return [(INSTALL, f"{start} -m pip install" if "/" in (start := _path(command, runner[0])) else BY_NAME)]
        path = path if "/" in path else ""
    elif is_module:
        start = _path(command, runner[0])
        found = [(f"python -m {name}", f"{start} -m {name}" if "/" in start else BY_NAME)]
    start = " ".join([*runner, inner[0]]) + (" install" if name == INSTALL else "") if runner else path
    return [*found, (name, start)]


def _path(command: str, word: str) -> str:
    """Return the path by which a command names a program, as it is written, or another name of it (`python3`); "" for its name alone."""
    if "/" not in word:
        return "" if word == programs.name(word) else word
    if shell.UNKNOWN not in word:
        return word
    end = word.rpartition(shell.UNKNOWN)[2]
    at = command.find(end)
    begin = at
    while begin > 0 and command[begin - 1] not in " \t\n;&|\"'`(":
        begin -= 1
    if at < 0 or command[:begin].endswith(("`", ")")):
        return word
    return command[begin : at + len(end)]


def _place(command: str, word: str) -> int:
    """Return where a command starts a program: the last place of the word that begins with it."""
    return max((command.rfind(f"{before}{word}") for before in (" ", "/", "&", ";", "\n")), default=-1)


def _written(command: str, step: re.Match[str]) -> str:
    """Return a step with what joins it to the next one: a variable that is set for one program stands before its name."""
    done = step["step"].strip()
    is_for_one = "=" in done.split()[0] and command[step.end("step") :].lstrip(" \t")[:1] not in "&;\n"
    return f"{done} " if is_for_one else f"{done} && "


def _told(start: str) -> str | None:
    """Return what starts a program without the name of the person's folder; None if it cannot be shown."""
    start = _HOME.sub("~", start)
    return start if len(start) <= _LONGEST and MARK not in start and shell.UNKNOWN not in start and "`" not in start else None
