"""Starts a program and returns its output.

The package `subprocess` does the same. Its import takes as many instructions as a quarter of Python's start, and it waits for the end of a program
in pauses of half a millisecond.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_AT_ONCE = 1 << 16
"""Maximum number of bytes read at once: what a pipe contains."""
_KILL = 9
_IGNORED_BY_PYTHON = (13, 25)
"""SIGPIPE and SIGXFSZ, the same numbers on Linux and macOS: Python ignores them, and a program that it starts would ignore them too."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.0001, 0.05
"""Seconds between two questions whether a program that has closed its output has ended."""


def answer(command: Sequence[str], environment: Mapping[str, str], seconds: float) -> tuple[int, bytes]:
    """Return the exit code and the output of a program that reads no input. What it writes to stderr is lost.

    Raises `TimeoutError` when it did not end within this time, and `OSError` if it cannot be started.
    """
    from select import poll  # late: most processes start no program

    clock = Clock()
    until = clock.monotonic() + seconds
    reading, writing = os.pipe()
    try:
        process = _started(command, environment, writing)
        try:
            waiting = poll()
            waiting.register(reading)
            chunks: list[bytes] = []
            while (left := until - clock.monotonic()) > 0 and waiting.poll(left * 1000):
                chunk = os.read(reading, _MOST_AT_ONCE)
                if not chunk:
                    return _exit_code(process, until, clock), b"".join(chunks)
                chunks.append(chunk)
            raise TimeoutError
        except BaseException:
            _end(process)
            raise
    finally:
        os.close(reading)


def answer_to(data: bytes, command: Sequence[str], environment: Mapping[str, str], seconds: float) -> tuple[int, bytes]:
    """Do the same for a program that reads `data` while it writes."""
    import subprocess

    try:
        done = subprocess.run(command, env=environment, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    return done.returncode, done.stdout


def _started(command: Sequence[str], environment: Mapping[str, str], output: int) -> int:
    """Start a program and return its process id. `output`, the end of a pipe that it writes to, is closed in this process."""
    nowhere = "/dev/null"
    actions = (
        (os.POSIX_SPAWN_OPEN, 0, nowhere, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output, 1),
        (os.POSIX_SPAWN_OPEN, 2, nowhere, os.O_WRONLY, 0),
    )
    try:
        return os.posix_spawnp(command[0], [*command], environment, file_actions=actions, setsigdef=_IGNORED_BY_PYTHON)
    finally:
        os.close(output)


def _exit_code(process: int, until: float, clock: Clock) -> int:
    pause = _SHORTEST_PAUSE
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if clock.monotonic() > until:
            raise TimeoutError
        clock.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _end(process: int) -> None:
    """Kill a program that is still running, and wait for its end."""
    try:
        os.kill(process, _KILL)
        os.waitpid(process, 0)
    except (ChildProcessError, ProcessLookupError):  # it has ended already
        return
