"""Starts the person's editor by git's rules: a given command, else $VISUAL (not on a dumb terminal), else $EDITOR, else vi.

The command is read by the shell, so that it can have options: `code --wait`. Only a person's own environment names it, never a bank.
"""

import signal
import subprocess
from collections.abc import Mapping

from memorybank.errors import MemorybankError, UsageError

_CHOOSE = "pass --editor COMMAND, or set VISUAL or EDITOR"


def chosen(given: str | None, environment: Mapping[str, str]) -> str:
    """Return the editor's command. Raises `UsageError` when there is none for a dumb terminal."""
    if given is not None:
        if not given.strip():
            raise UsageError("--editor is empty", next_step=_CHOOSE)
        return given
    is_dumb = environment.get("TERM", "dumb") == "dumb"
    editor = ("" if is_dumb else environment.get("VISUAL", "")) or environment.get("EDITOR", "")
    if not editor and is_dumb:
        raise UsageError("the terminal is dumb and EDITOR is not set", next_step=_CHOOSE)
    return editor or "vi"


def run(editor: str, path: str) -> None:
    """Let a person edit a file, and wait until the editor ends. Only the editor receives Ctrl-C. Raises `MemorybankError` when the editor reports an error."""
    # The trap keeps the shell waiting at Ctrl-C, which vi users press all the time. The editor itself receives the signal as usual.
    process = subprocess.Popen(["/bin/sh", "-c", f'trap : INT; {editor} "$@"', editor, path])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    if code:
        raise MemorybankError(f"the editor '{editor}' ended with status {code}", next_step=f"check the editor: {_CHOOSE}")
