"""RECORD appends the line of an event to the log (the log redacts and signs it). Self-improving memory cycle, phase 1."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.phases.line import Surroundings, fields_of
from memorybank.errors import MemorybankError
from memorybank.log import events as log
from memorybank.text.secrets.redact import enable_cache, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event

_SYNCED = (events.TURN_END, events.SESSION_END)
_ONLY_STORED = ("content", "old_string", "new_string", "patch")
"""The inputs from which nothing else is derived. They are redacted when the log is written."""


def prepare(base: CycleContext, event: Event) -> None:
    """Redact the parts of an event that phases read, and set the outcome that its output shows."""
    enable_cache()
    try:
        key = base.existing_key()
    except MemorybankError:  # an unreadable log must not prevent recall
        key = None
    _redact(event, key)
    if event.name == events.TOOL_AFTER and event.tool == "Bash":
        read_outcome(event, key)


def _redact(event: Event, key: bytes | None) -> None:
    """Redact everything from which fingerprints, anchors, signals and questions are made: a part that is cut out of a text may no longer look like a secret.

    Texts that are only stored are redacted when the log is written.
    """
    if event.prompt:
        event.prompt = redact(event.prompt, key)
    if event.error:
        event.error = redact(event.error, key)
    event.remarks = [(call, redact(text, key)) for call, text in event.remarks]
    event.inputs = {name: redact(value, key) if isinstance(value, str) and name not in _ONLY_STORED else value for name, value in event.inputs.items()}


def read_outcome(event: Event, key: bytes | None) -> None:
    """Set status and error of a shell command's result from its output (`text.commands.outcomes`); `host_status` keeps what the host reported. Idempotent.

    event: its command and error are already redacted
    key: the bank's key, to redact the output, of which the error may be a part
    """
    if event.host_status is not None or event.interrupted:
        return
    from memorybank.text.commands import outcomes

    command, output, said = event.inputs.get("command"), event.output or "", event.error or ""
    event.host_status = event.status or events.UNKNOWN
    event.status = outcomes.status_of(command if isinstance(command, str) else "", output, said, event.status)
    if not output:  # without output, the host's error message is kept
        return
    event.error = None
    if event.status == events.FAILURE:
        from memorybank.text.commands import output_lines

        event.error = outcomes.error_of(said or redact(output_lines.window(output), key)) or said


def record(base: CycleContext, event: Event) -> bool:
    """Append the event's line.

    Returns False for a duplicate: another hook of the same host was faster, and has answered if it could.
    """
    if not is_recorded(base, event):
        return True
    durable = event.name in _SYNCED or base.settings.record.durability == "event"
    line = fields_of(base, event, Surroundings(base, event))
    written = log.EventWriter(base.layout, base.key(), base.clock, base.settings.record.cut_characters).append(event.session_id, (line,), durable=durable)
    # An empty list means that the log already had this event.
    return written != [] or (event.delivery and _is_mute(base, event))


def is_recorded(base: CycleContext, event: Event) -> bool:
    """Return whether the settings record this event."""
    settings = base.settings
    if not settings.phases.record or not event.session_id or event.name == events.SUBAGENT_START:
        return False
    if event.name == events.TOOL_BEFORE and not settings.record.tool_before:
        return False
    tools = settings.record.tools
    return not tools or event.tool is None or event.tool in tools


def _is_mute(base: CycleContext, event: Event) -> bool:
    """Return whether this prompt was first recorded by a hook whose answer the host ignores. Copilot reports the event in two spellings."""
    if event.name != events.PROMPT:
        return False
    same = (line for line in log.peek(base.layout, event.session_id) if line["event"] == event.name and line.get("agent_id") == event.agent_id)
    return bool(next(same, {}).get("mute"))
