"""A program that the person configured as summarizer: the prompt on its standard input, the summary on its standard output.

It is started from a list of words, never by a shell. It gets its own session and process group, so that it cannot ask at the terminal and leaves no
process running. It runs in the home folder, because the folder of a repository can hold instructions for such programs. `MEMORYBANK_INTERNAL=1` keeps the
hooks silent when the program is a coding agent.
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
from memorybank.summarize import model_text, outcomes
from memorybank.summarize.summarizer import (
    DIGEST_CHARACTERS,
    DaySummary,
    DayText,
    ModelReply,
    ModelRequest,
    SummarizerBusy,
    SummarizerUnusable,
    SummaryRefused,
    Tokens,
)
from memorybank.text.prose.snippets import shown
from memorybank.text.secrets.redact import redact

TIMEOUT_SECONDS = 120.0
MOST_BYTES = 64 * 1024
_COMPLAINT_BYTES = 4_096
_COMPLAINT_CHARACTERS = 160
_GRACE_SECONDS = 1.0
NOT_RUN = (126, 127)
"""Exit statuses of wrappers that found no program to run."""
_NEXT = "check 'summarizer.command' in your own config.json (docs/configuration.md), or MEMORYBANK_SUMMARY_COMMAND"


class CommandSummarizer:
    """The program as a summarizer.

    argv: the program, found on PATH or by an absolute path, and its arguments
    environment: the environment that it inherits
    timeout: seconds for one attempt
    """

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], clock: Clock, timeout: float = TIMEOUT_SECONDS) -> None:
        self.argv = [os.path.expanduser(argv[0]), *argv[1:]]
        self.environment = {**environment, "MEMORYBANK_INTERNAL": "1"}
        self.clock = clock
        self.timeout = timeout
        self.name = name_of(argv)

    def summarise(self, day: DayText) -> DaySummary:
        """Return the program's summary, at most `day.budget` characters. The tokens are estimated, since the program does not report them."""
        reply = self.complete(model_text.of_day(day))
        summary, cut = model_text.summary_of(reply.text, day.budget)
        if not summary:
            raise SummaryRefused(f"{self.name} printed nothing for {day.date}", kind="empty")
        return DaySummary(summary, self.name, truncated=cut, tokens=Tokens(reply.tokens.prompt, len(summary) // 4, estimated=True))

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return what the program printed, at most MOST_BYTES. The tokens are estimated."""
        record = model_text.record(request.title, request.record(DIGEST_CHARACTERS))
        text = f"{request.instructions(request.budget)}\n\n{record}\n"
        for attempt in range(1, outcomes.ATTEMPTS + 1):
            run = ProgramRun(self.argv, self.environment, self.timeout)
            status = self._run(run, text.encode("utf-8", "replace"))
            if len(run.output) > MOST_BYTES:
                raise SummaryRefused(f"{self.name} printed more than {MOST_BYTES} bytes for {request.title}", kind="too_long")
            if status == 0:
                said = run.output.decode("utf-8", "replace")
                return ModelReply(said, False, Tokens(len(text) // 4, len(said) // 4, estimated=True))
            if status in NOT_RUN:
                raise SummarizerUnusable(f"{self.name} ended with status {status}: {run.complaint()}", kind="program", next_step=_NEXT)
            if attempt < outcomes.ATTEMPTS:
                self.clock.sleep(outcomes.WAITS[attempt - 1])
        how = f"took longer than {self.timeout:g} s" if run.timed_out else f"ended with status {status}: {run.complaint()}".rstrip(": ")
        raise SummarizerBusy(f"{self.name} {how} ({request.title}, {outcomes.ATTEMPTS} attempts)", attempts=outcomes.ATTEMPTS)

    def _run(self, run: ProgramRun, data: bytes) -> int:
        try:
            return run.through(data)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise SummarizerUnusable(f"{self.name} cannot be started: {reason}", kind="program", next_step=_NEXT) from None


def name_of(argv: Sequence[str]) -> str:
    """Return `command:<program>`. Arguments are left out, because they may contain anything."""
    return f"command:{os.path.basename(argv[0])}"


class ProgramRun:
    """One run of the program. most: maximum bytes of its output

    output: at most one byte more than `most`; timed_out: whether it was killed because it took too long
    """

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], timeout: float, most: int = MOST_BYTES) -> None:
        self.argv = argv
        self.environment = environment
        self.timeout = timeout
        self.most = most
        self.output = b""
        self.timed_out = False
        self._complaint = b""

    def through(self, data: bytes) -> int:
        """Start the program, write `data` to it, read its output and kill its process group. Returns the exit status, negative for a signal."""
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
                if not thread.is_alive():  # else a process outside the group still holds the stream, and closing it would block
                    _close(stream)
        return status

    def complaint(self) -> str:
        """Return the last line of standard error, ready to be shown."""
        lines = self._complaint.decode("utf-8", "replace").strip().splitlines()
        return redact(shown(lines[-1]), None)[:_COMPLAINT_CHARACTERS] if lines else ""

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Read the output until its end. The process is not reaped here, so that its number stays valid until its group is killed."""
        assert process.stdout is not None
        self.output = process.stdout.read(self.most + 1)
        if len(self.output) <= self.most:
            with suppress(ChildProcessError):  # it timed out and has been killed and reaped
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        try:
            while chunk := os.read(process.stderr.fileno(), 1 << 16):
                self._complaint = (self._complaint + chunk)[-_COMPLAINT_BYTES:]
        except (OSError, ValueError):
            return


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write the prompt. A program may end without reading it."""
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
