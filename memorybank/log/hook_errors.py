"""`log/hook_errors.jsonl`: errors inside hooks, which must not show them to the host. One redacted line per error, best effort."""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.log import key, lines
from memorybank.storage import system as os
from memorybank.storage.layout import Layout

_LONGEST = 500


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "hook_errors.jsonl")


def append(layout: Layout, error: BaseException, clock: Clock) -> None:
    """Append the time, the error's class, its message and its place in the code. A log that cannot be written is ignored: a hook never fails."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace is not None else ""
    try:
        from memorybank.text.secrets.redact import redact  # late: `status` only reads the errors

        message = redact(str(error), key.load(layout))[:_LONGEST]
        fields = {"at": time_of.isoformat(clock.now()), "error": type(error).__name__, "message": message, "where": where}
        lines.append(path(layout), (fields,), clock=clock, durable=False)
    except (MemorybankError, OSError, ValueError):
        return
