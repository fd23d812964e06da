"""Turns every error into a sentence (what is wrong, what to do next) and an exit code. No other module does so.

No traceback is shown. A bug (exit code 70) leaves a short report in the temporary folder: versions, the class of the error and
the lines of code it passed through; no values, no text of notes, no path of the machine.
"""

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from itertools import pairwise

import click

from memorybank import __version__, clock
from memorybank.errors import EXIT_BUG, EXIT_INTERRUPTED, MemorybankError, NotFound, ResourceExhausted, UsageError
from memorybank.storage import database, disk

_NO_ARGUMENTS: tuple[type[click.UsageError], ...] = tuple(filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)]))
"""click 8.2 and later raise this when a group is called without a command. Its message is the help, several lines long."""


_NEXT_STEP = "'memorybank doctor' checks the bank and says how to repair what it finds"
_NEXT_STEPS = {
    UsageError.exit_code: "'memorybank --help' lists the commands; each has its own --help with examples",
    NotFound.exit_code: "'memorybank list' shows the notes, and 'memorybank doctor' checks the bank",
    ResourceExhausted.exit_code: "make the file that is named above smaller, or free what has run out; then run the same command again",
}
"""{exit code: next step of an error that names none itself}; `_NEXT_STEP` for other codes."""


def report(error: BaseException, arguments: Sequence[str]) -> int:
    """Print the error on stderr and return the exit code. With `--format json` or `--json` it is printed as a JSON object."""
    _flush_output()
    if isinstance(error, KeyboardInterrupt | click.exceptions.Abort):
        sys.stderr.write("\nmemorybank: interrupted; run the same command again to finish it\n")
        return EXIT_INTERRUPTED
    if isinstance(error, _NO_ARGUMENTS):
        sys.stderr.write(error.format_message() + "\n")
        return UsageError.exit_code
    known = typed(error)
    _write(known, _wants_json(arguments))
    return known.exit_code


def typed(error: BaseException) -> MemorybankError:
    """Return the typed error that `error` is or corresponds to. For a bug, write a report and return an error that names it."""
    return _known(error) or _bug(error)


def _known(error: BaseException) -> MemorybankError | None:
    """Return the typed error that `error` is or corresponds to; None for a bug."""
    if isinstance(error, MemorybankError):
        return error
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, OSError):
        return disk.from_os_error(error, str(error.filename or "file system"))
    if isinstance(error, MemoryError):
        return ResourceExhausted("out of memory", next_step="close other programs, or give this one more memory")
    if type(error).__module__ == "sqlite3":
        import sqlite3

        return database.typed(error, "cache") if isinstance(error, sqlite3.Error) else None
    return None


def _usage(error: click.ClickException) -> UsageError:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "memorybank"
    return UsageError(error.format_message().rstrip("."), next_step=f"'{command} --help' shows its options and examples")


class _Bug(MemorybankError):
    exit_code = EXIT_BUG
    code = "bug"


def _bug(error: BaseException) -> MemorybankError:
    path = _write_report(error)
    report = f"and attach {path}, which contains versions and code locations but none of your text" if path else "and the versions of memorybank and Python"
    return _Bug(f"a bug in memorybank ({type(error).__name__})", next_step=f"please report the command you ran {report}")


def _write_report(error: BaseException) -> str | None:
    """Write the crash report and return its path; None when it cannot be written."""
    now = clock.Clock().now()
    lines = [
        f"memorybank {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"at {clock.isoformat(now)}",
        *_chain(error),
    ]
    path = os.path.join(tempfile.gettempdir(), f"memorybank-crash-{clock.stamp(now)}-{os.getpid()}.txt")
    try:
        disk.create(path, ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"), mode=disk.PRIVATE_FILE)
    except (OSError, MemorybankError):
        return None
    return path


def _chain(error: BaseException) -> list[str]:
    """Return class names and code positions of an error and its causes, outermost first, without messages, because these quote data."""
    lines: list[str] = []
    current: BaseException | None = error
    while current is not None and len(lines) < 200:  # a chain of causes may be a cycle
        lines.append(f"{type(current).__module__}.{type(current).__qualname__}")
        for frame, line in list(traceback.walk_tb(current.__traceback__))[-30:]:
            name = frame.f_globals.get("__name__", "?")
            lines.append(f"  {name}:{line} {frame.f_code.co_name}")
        current = current.__cause__ or current.__context__
    return lines


def _write(error: MemorybankError, as_json: bool) -> None:
    from memorybank.cli.output import JSON_VERSION, clean

    next_step = error.next_step or _NEXT_STEPS.get(error.exit_code, _NEXT_STEP)
    if as_json:
        import json

        fields = {"code": error.code, "exit_code": error.exit_code, "message": error.message, "next_step": next_step}
        sys.stderr.write(json.dumps({"error": fields, "version": JSON_VERSION}, ensure_ascii=False) + "\n")
        return
    sys.stderr.write(f"memorybank: {clean(error.message)}\n")
    sys.stderr.write(f"  next: {clean(next_step)}\n")


def _wants_json(arguments: Sequence[str]) -> bool:
    """Return whether the command line asks for JSON. Reads the words themselves, because they may be what could not be parsed."""
    words = list(arguments)
    if "--" in words:  # what follows is text, such as a query that looks like an option
        words = words[: words.index("--")]
    return "--format=json" in words or "--json" in words or any(pair == ("--format", "json") for pair in pairwise(words))


def _flush_output() -> None:
    """Flush stdout, so that results precede the error when both go to one file."""
    try:
        sys.stdout.flush()
    except OSError:
        return
