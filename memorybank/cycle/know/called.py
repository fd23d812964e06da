"""The forms of an event's call (`text.commands.forms`), by which problems and rules are found, and what is known of one that failed."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms, refusals
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.event import Event


class FailedCall(Value):
    """A call that failed: its forms and those of the calls that its output names, its shell command ("" for another tool), its complete error, and the lines
    of that which say what is wrong."""

    forms: Sequence[str]
    command: str
    error: str
    lines: Sequence[str]


def command_of(event: Event) -> str:
    """Return the shell command of an event, "" when it has none."""
    command = event.inputs.get("command")
    return command if isinstance(command, str) else ""


def forms_of(event: Event) -> list[str]:
    """Return the forms of an event's call."""
    other = event.inputs.get("other")
    named = next((value for value in other.values() if isinstance(value, str)), "") if isinstance(other, dict) else ""
    return forms.of_call(event.tool, command_of(event), named)


def forms_with_inner(event: Event) -> list[str]:
    """Return the forms of an event's call, and of the programs that it runs through others: a rule about pip concerns `.venv/bin/python -m pip` too.

    `uv pip` is uv: whoever wants "uv, not pip" gets what they want.
    """
    return [*forms_of(event), *(forms.of_inner(command_of(event)) if event.tool == "Bash" else ())]


def forms_at_call(event: Event) -> list[str]:
    """Return the forms of an event's call, and those of its words that may be refused."""
    return [*forms_of(event), *(refusals.forms_of(command_of(event)) if event.tool == "Bash" else ())]


def forms_of_failure(event: Event) -> list[str]:
    """Return the forms of an event's call, the word of it that its error refuses, and the forms of the calls that its output names."""
    refused = refusals.refused(command_of(event), event.error or "") if event.tool == "Bash" else None
    return [*forms_of(event), *(refused or ())[:1], *forms.of_output(f"{event.output or ''}\n{event.error or ''}")]


def failed_call(event: Event) -> FailedCall:
    """Return the failed call of an event."""
    from memorybank.text.commands.error_excerpt import error_excerpt_lines  # late: calls that are not yet made have no error

    error = event.error or ""
    return FailedCall(forms_of_failure(event), command_of(event), error, error_excerpt_lines(error))
