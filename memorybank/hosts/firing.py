"""One run of the hook: a payload on stdin, a reply or nothing on stdout, and always exit code 0.

A hook must not harm its host. One alarm ends the process when its time is up, whatever it is waiting for. Every error ends in silence
and one line in `log/hook_errors.jsonl`. Stdout gets one JSON object in one write, or nothing. The process exits with `os._exit`, without
the interpreter's clean-up.
"""

from __future__ import annotations

__light__ = True

import _signal  # type: ignore[import-not-found]  # the C module, because the package `signal` imports enum
import sys

from memorybank import bytecode
from memorybank.clock import Clock
from memorybank.cycle import base as bases
from memorybank.cycle.event import SESSION_END, TURN_END
from memorybank.cycle.router import HookRouter
from memorybank.errors import MemorybankError
from memorybank.hosts.detect import detect
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.layout import find_bank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event

MAX_PAYLOAD_BYTES = 16 << 20
"""Maximum size of a payload. A host that writes 400 kB into a file sends 800 kB."""
FIRST_SECONDS = 3.0
"""Time limit until the settings are read, also against a stdin that never ends."""
LIBRARIES = f"{sys.executable.rpartition('/bin/')[0]}/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
"""The interpreter's own site-packages, for the few steps that need libraries; with `-S` it is not on the path. It is appended last, after the
folder of this package, so that nothing in it can replace a module of the standard library."""
PROJECT_VARIABLE = {
    "claude-code": "CLAUDE_PROJECT_DIR",
    "gemini": "GEMINI_PROJECT_DIR",
    "copilot": "COPILOT_PROJECT_DIR",
    "cursor": "CURSOR_PROJECT_DIR",
}
"""{host: environment variable with the folder in which it was started}. Only the host's own is read: a host inside another inherits the outer one's."""


def fire(arguments: list[str]) -> NoReturn:
    """Answer the payload on stdin and end the process with exit code 0."""
    base: CycleContext | None = None
    clock = Clock()
    try:
        started = clock.monotonic()
        if os.environ.get("MEMORYBANK_INTERNAL") == "1":
            os._exit(0)
        _arm(FIRST_SECONDS)
        options = _options(arguments)
        payload = _decoded(_stdin())
        if payload is None:
            os._exit(0)
        dialect = detect(payload, os.environ, options.get("host"))
        event = dialect.to_event(payload, os.environ, options.get("event")) if dialect is not None else None
        if dialect is None or event is None:
            os._exit(0)
        base = _context(event, os.environ, clock, started)
        if base is None:
            os._exit(0)
        _arm(max(base.milliseconds_left(base.settings.deadlines_ms.process), 1) / 1000)
        sys.path.append(LIBRARIES)
        if event.name == TURN_END and base.settings.phases.record:
            event.remarks = dialect.remarks(event)
        router = HookRouter(base, dialect.delivers)
        injection = router.answer(event)
        reply = dialect.reply(event, injection.text) if injection is not None else None
        if reply:
            _write(reply)
        try:
            router.finish(event)
        except (MemorybankError, OSError) as error:
            router.refuse(error)
        if not reply and event.host_event in dialect.notifies:
            _write(dialect.reply(event, "", _beat(base, event, router) or router.announce(event)) or b"")
        if event.name == SESSION_END:
            _refresh()
    except BaseException as error:
        _log_error(base, error, clock)
    os._exit(0)


def _options(arguments: list[str]) -> dict[str, str]:
    """Return the `--name value` pairs. Anything else is ignored: a hook never complains about its command line."""
    names = (argument.removeprefix("--") for argument in arguments[::2])
    return dict(zip(names, arguments[1::2], strict=False))


def _arm(seconds: float) -> None:
    """Set the only alarm. When it goes off, the process ends without output."""
    _signal.signal(_signal.SIGALRM, lambda number, frame: os._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _stdin() -> bytes | None:
    """Return all of stdin, or None when it is larger than `MAX_PAYLOAD_BYTES`."""
    chunks = []
    size = 0
    while chunk := os.read(0, 1 << 16):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_PAYLOAD_BYTES:
            return None
    return b"".join(chunks)


def _decoded(data: bytes | None) -> dict[str, Any] | None:
    """Return the payload, or None when it is not a JSON object. Bytes that are not UTF-8 become U+FFFD."""
    if not data:
        return None
    try:
        value = jsontext.decode(data.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _context(event: Event, environ: Mapping[str, str], clock: Clock, started: float) -> CycleContext | None:
    """Return the bank of the project that the event comes from, or None when it has none. Nothing is created."""
    for start in (environ.get(PROJECT_VARIABLE.get(event.host, "")), event.cwd):
        if start and start.startswith("/"):
            try:
                layout = find_bank(start, environment=environ.get("MEMORYBANK_DIR"), home=environ.get("HOME"))
            except (MemorybankError, OSError):
                continue
            return bases.describe(layout, clock, started)
    return None


def _beat(base: CycleContext, event: Event, router: HookRouter) -> str:
    """Return the line that tells the person what does not work; "" when everything does, and where recording is switched off."""
    if not base.settings.phases.record:
        return ""
    from memorybank.hosts import heartbeat

    project = os.environ.get(PROJECT_VARIABLE.get(event.host, "")) or event.cwd
    return heartbeat.beat(base.layout, base.clock, os.environ, project, event.session_id, router.refused)


def _refresh() -> None:
    """Write the bytecode file again after an upgrade, or if `hooks install` was never run. If the alarm ends it, the next session's end goes on."""
    if not bytecode.version():
        from memorybank.hosts import bytecode_file

        bytecode_file.write()


def _write(reply: bytes) -> None:
    view = memoryview(reply)
    while view:
        view = view[os.write(1, view) :]


def _log_error(base: CycleContext | None, error: BaseException, clock: Clock) -> None:
    """Log an error in the bank in which it happened. Without a bank there is no log, so the error is dropped."""
    if base is None:
        return
    try:
        from memorybank.log import hook_errors

        hook_errors.append(base.layout, error, clock)
    except BaseException:
        return
