"""The command line by which a host starts the hook, or the plugin that opencode loads. Neither can harm the host when memorybank is no
longer installed.

On one machine (scopes local and user), it names the interpreter and the hook by absolute path, after a test that both still exist. In a
repository that others clone (scope project, plugin), it runs `memorybank` from the PATH; a leftover script there whose interpreter is
missing also fails silently. In both cases a missing program gives exit code 0: hosts take 2, which is also Python's code for a missing
script, as "block this", and before a tool Copilot takes every other non-zero code so too. A console script costs about twice as much as
`python -I -S` (measured), so only the portable form uses one. Source: the hosts' documentation of exit codes.
"""

from __future__ import annotations

import os
import sys

from memorybank.errors import UsageError
from memorybank.hosts.missing_script import FALLBACK
from memorybank.storage import disk
from memorybank.values import NamedTuple

PORTABLE = "memorybank"
PORTABLE_COMMAND = "command -v memorybank >/dev/null 2>&1 || exit 0; memorybank hook"
_HOOK = "memorybank/hook.py"
_PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "opencode_plugin.js")
_CAP = 1 << 20
_COMMAND = 'const COMMAND = ["memorybank", "hook"]\n'
_NEEDED = "const NEEDED = "


class Program(NamedTuple):
    """The program that runs a hook on this machine.

    python: absolute path of the interpreter
    hook: absolute path of the script
    """

    python: str
    hook: str


def this_program() -> Program:
    """Return the program of this installation. Raises UsageError when its path cannot be written into a settings file."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = Program(os.path.abspath(sys.executable or "python3"), os.path.join(package, "hook.py"))
    for path in program:
        if not path.isprintable():  # as are lone surrogates, which stand for bytes that are not UTF-8
            raise UsageError(f"{path!a} cannot be written into a settings file", next_step="install memorybank in a folder whose path is printable UTF-8")
    return program


def command(program: Program | None, host: str, event: str | None, *, notifies: bool = False) -> str:
    """Return one line for `sh`.

    program: None for the portable form
    notifies: whether a missing program is reported to the person at this event (`missing_script`)
    """
    arguments = f" --host {host}" + (f" --event {event}" if event else "")
    if program is None:
        start = f"command -v {PORTABLE} >/dev/null 2>&1 && {PORTABLE} hook{arguments}"
        return f"{start} || {{ {FALLBACK}; exit 0; }}" if notifies else f"{PORTABLE_COMMAND}{arguments} || exit 0"
    python, hook = quote(program.python), quote(program.hook)
    otherwise = f"{{ {FALLBACK}; exit 0; }}" if notifies else "exit 0"
    return f"[ -x {python} ] && [ -r {hook} ] || {otherwise}; exec {python} -I -S {hook}{arguments}"


def quote(path: str) -> str:
    """Return a path as one word of `sh`, always in quotes."""
    return "'" + path.replace("'", "'\\''") + "'"


def is_ours(line: object) -> bool:
    """Return whether some version of `command` wrote this command line."""
    return isinstance(line, str) and "--host " in line and ("memorybank hook --host " in line or (_HOOK in line and " -I -S " in line))


def missing(line: str) -> list[str]:
    """Return what one of memorybank's commands needs and this machine lacks: paths, or the command `memorybank`."""
    if f"{PORTABLE} hook --host " in line:
        return [] if on_path(PORTABLE) else [f"the command {PORTABLE} (not on the PATH)"]
    try:
        from shlex import split  # late, like `json`: every status loads this module, also where no host starts the hook

        words = split(line)
    except ValueError:
        return [line]
    after = words[words.index("exec") + 1 :] if "exec" in words else []
    needed = [word for word in after if os.path.isabs(word)]
    return [path for path in needed if not os.path.exists(path)]


def plugin_text(program: Program | None) -> str:
    """Return the text of opencode's plugin: the shipped file with this machine's command in it.

    program: None for the portable form, which runs `memorybank` from the PATH
    """
    shipped = disk.read(_PLUGIN, _CAP).decode()
    if program is None:
        return shipped
    import json

    command = json.dumps([program.python, "-I", "-S", program.hook], ensure_ascii=False)
    needed = json.dumps(list(program), ensure_ascii=False)
    return shipped.replace(_COMMAND, f"const COMMAND = {command}\n").replace(f"{_NEEDED}[]\n", f"{_NEEDED}{needed}\n")


def is_plugin(found: str) -> bool:
    """Return whether a file begins like every version of the plugin."""
    return found.startswith("// memorybank for opencode")


def plugin_needs(found: str) -> list[str]:
    """Return the paths that the plugin's command needs; empty for the portable form."""
    line = next((line for line in found.splitlines() if line.startswith(_NEEDED)), _NEEDED)
    try:
        import json

        value = json.loads(line.removeprefix(_NEEDED))
    except ValueError:
        return []
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []


def on_path(name: str) -> bool:
    return which(name) is not None


def which(name: str) -> str | None:
    """Return the path of the program that a command starts, searched as the shell does it."""
    paths = (os.path.join(folder, name) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder)
    return next((path for path in paths if os.access(path, os.X_OK) and os.path.isfile(path)), None)
