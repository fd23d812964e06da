"""The outcome of a shell command as its output shows it, in place of the one that the host tells (`text.outcomes`).

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.event import FAILURE, UNKNOWN
from memorybank.text import outcomes
from memorybank.text.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.event import Event


def read(event: Event, key: bytes | None) -> None:
    """Set status and error of a shell command's result; `host_status` keeps what the host said. A second time changes nothing.

    event: its command and error hold no secrets any more. key: marks those of the output, which the error may be a part of.
    """
    if event.host_status is not None or event.interrupted:
        return
    command, output, said = event.inputs.get("command"), event.output or "", event.error or ""
    event.host_status = event.status or UNKNOWN
    event.status = outcomes.status_of(command if isinstance(command, str) else "", output, said, event.status)
    if not output:  # an error without an output is all there is
        return
    event.error = None
    if event.status == FAILURE:
        from memorybank.text import output_lines

        event.error = outcomes.error_of(said or redact(output_lines.window(output), key)) or said
