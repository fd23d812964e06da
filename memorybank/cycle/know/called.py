"""The forms of an event's call (`text.forms`), by which problems and rules are found."""

from __future__ import annotations

__light__ = True

from memorybank.text import forms, refusals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.event import Event


def command_of(event: Event) -> str:
    """Return the shell command of an event, "" when it has none."""
    command = event.inputs.get("command")
    return command if isinstance(command, str) else ""


def forms_of(event: Event) -> list[str]:
    """Return the forms of an event's call."""
    other = event.inputs.get("other")
    named = next((value for value in other.values() if isinstance(value, str)), "") if isinstance(other, dict) else ""
    return forms.of_call(event.tool, command_of(event), named)


def forms_at_call(event: Event) -> list[str]:
    """Return the forms of an event's call, and those that name one of its options."""
    return [*forms_of(event), *(refusals.forms_of(command_of(event)) if event.tool == "Bash" else ())]


def forms_of_failure(event: Event) -> list[str]:
    """Return the forms of an event's call, and those of the calls that its output names."""
    return [*forms_of(event), *forms.of_output(f"{event.output or ''}\n{event.error or ''}")]
