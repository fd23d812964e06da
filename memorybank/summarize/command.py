"""A program of the person's own as summarizer: the prompt on its standard input, the summary on its standard output.

A list of words, never a shell; a session and process group of its own, so that it asks nobody at the terminal and nothing of it stays behind;
started in the home folder, because the folder of a repository can tell such programs what to do. `MEMORYBANK_INTERNAL=1` keeps the hooks of a
coding agent that is used this way silent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from memorybank.clock import Clock
from memorybank.summarize import answer, outcomes, prompt
from memorybank.summarize.summarizer import DIGEST_CHARACTERS, DayText, Fatal, Permanent, Summary, Tokens, Transient
from memorybank.text.redact import redact
from memorybank.text.snippets import shown

TIMEOUT_SECONDS = 120.0
MOST_BYTES = 64 * 1024
_COMPLAINT_BYTES = 4_096
_COMPLAINT_CHARACTERS = 160
_GRACE_SECONDS = 1.0
_NOT_RUN = (126, 127)
"""How wrappers end that found no program to run."""
_NEXT = "check 'summarizer.command' of your own config.json (docs/configuration.md), or MEMORYBANK_SUMMARY_COMMAND"


class Command:
    """argv: the program, found on PATH or by an absolute path, and its arguments. environment: what it inherits."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], clock: Clock, timeout: float = TIMEOUT_SECONDS) -> None:
        self.argv = [os.path.expanduser(argv[0]), *argv[1:]]
        self.environment = {**environment, "MEMORYBANK_INTERNAL": "1"}
        self.clock = clock
        self.timeout = timeout
        self.name = name_of(argv)

    def summarise(self, day: DayText) -> Summary:
        """What the program printed, at most `day.budget` characters; estimated tokens, since it does not say."""
        text = f"{prompt.instructions(day.language, day.budget)}\n\n{prompt.record(day.date, prompt.digest(day, DIGEST_CHARACTERS))}\n"
        for attempt in range(1, outcomes.ATTEMPTS + 1):
            run = _Run(self.argv, self.environment, self.timeout)
            status = self._run(run, text.encode("utf-8", "replace"))
            if len(run.output) > MOST_BYTES:
                raise Permanent(f"{self.name} printed more than {MOST_BYTES} bytes for {day.date}", kind="too_long")
            if status == 0:
                return self._summary(run.output, text, day)
            if status in _NOT_RUN:
                raise Fatal(f"{self.name} ended with status {status}: {run.complaint()}", kind="program", next_step=_NEXT)
            if attempt < outcomes.ATTEMPTS:
                self.clock.sleep(outcomes.WAITS[attempt - 1])
        how = f"took longer than {self.timeout:g} s" if run.timed_out else f"ended with status {status}: {run.complaint()}".rstrip(": ")
        raise Transient(f"{self.name} {how}, {outcomes.ATTEMPTS} attempts for {day.date}", attempts=outcomes.ATTEMPTS)

    def _run(self, run: _Run, data: bytes) -> int:
        try:
            return run.through(data)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Fatal(f"{self.name} cannot be started: {reason}", kind="program", next_step=_NEXT) from None

    def _summary(self, output: bytes, text: str, day: DayText) -> Summary:
        told, cut = answer.summary_of(output.decode("utf-8", "replace"), day.budget)
        if not told:
            raise Permanent(f"{self.name} printed nothing for {day.date}", kind="empty")
        return Summary(told, self.name, truncated=cut, tokens=Tokens(len(text) // 4, len(told) // 4, estimated=True))


def name_of(argv: Sequence[str]) -> str:
    """`command:<program>`; arguments are left out, they may hold anything."""
    return f"command:{os.path.basename(argv[0])}"


class _Run:
    """One run of the program. output: at most a little more than MOST_BYTES; timed_out: it was killed for its time."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], timeout: float) -> None:
        self.argv = argv
        self.environment = environment
        self.timeout = timeout
        self.output = b""
        self.timed_out = False
        self._complaint = b""

    def through(self, data: bytes) -> int:
        """Start it, hand it `data`, read what it prints, end its whole group; the exit status, negative for a signal."""
        home = os.path.expanduser("~")
        process = subprocess.Popen(
            self.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=home if os.path.isdir(home) else "/",
            start_new_session=True,
        )
        reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        threads = [
            reader,
            *(threading.Thread(target=work, args=arguments, daemon=True) for work, arguments in ((_feed, (process, data)), (self._listen, (process,)))),
        ]
        try:
            for thread in threads:
                thread.start()
            reader.join(self.timeout)
            self.timed_out = reader.is_alive()
        finally:
            _end_group(process)
            status = process.wait()
            for thread, stream in zip(threads, (process.stdout, process.stdin, process.stderr), strict=True):
                thread.join(_GRACE_SECONDS)
                if not thread.is_alive():  # else something that left the group holds the stream: it is left to end by itself
                    _close(stream)
        return status

    def complaint(self) -> str:
        """What it said on standard error: its last line, fit to be shown."""
        lines = self._complaint.decode("utf-8", "replace").strip().splitlines()
        return redact(shown(lines[-1]), None)[:_COMPLAINT_CHARACTERS] if lines else ""

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """What it prints, until its end; the process is not reaped, so that it keeps its number until its group is ended."""
        assert process.stdout is not None
        self.output = process.stdout.read(MOST_BYTES + 1)
        if len(self.output) <= MOST_BYTES:
            with suppress(ChildProcessError):  # it took too long, was ended and reaped
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        try:
            while chunk := os.read(process.stderr.fileno(), 1 << 16):
                self._complaint = (self._complaint + chunk)[-_COMPLAINT_BYTES:]
        except (OSError, ValueError):
            return


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Hand it the prompt; a program need not read what it is given."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        process.stdin.write(data)
    _close(process.stdin)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _close(stream: IO[bytes] | None) -> None:
    with suppress(OSError, ValueError):
        if stream is not None:
            stream.close()
