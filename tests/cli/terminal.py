"""Runs a command on a pseudo-terminal, as a person at a keyboard does."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def on_terminal(folder, *arguments: str, columns: int = 80, lines: int = 24, said: str = "", **environment: str) -> tuple[int, str]:
    """Return (exit code, everything printed) of a command on a terminal of this size. said: what the person types"""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.chdir(folder)
        os.environ.update({"PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1", **environment})
        os.execv(sys.executable, [sys.executable, "-m", "memorybank", *arguments])
    os.write(terminal, said.encode())
    shown = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux reports the end of the other side as an error
            break
        if not chunk:
            break
        shown += chunk
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode().replace("\r\n", "\n")
