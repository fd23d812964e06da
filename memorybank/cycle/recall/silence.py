"""Why no memory may be shown at an event: the settings, the environment, or a person who asked for a session without memory."""

from __future__ import annotations

__light__ = True

from memorybank.log import events as log
from memorybank.reasons.reason import Reason
from memorybank.storage import system as os
from memorybank.text.prompts import no_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event


def why_off(base: CycleContext, event: Event, moment: str) -> Reason | None:
    """Return why no memory may be shown at an event; None when memories may be shown."""
    if not base.settings.phases.recall or not getattr(base.settings.recall.enabled, moment):
        return Reason("silence.settings", moment=moment)
    if os.environ.get(log.SWITCH, "").lower() == log.OFF:
        return Reason("silence.variable", variable=log.SWITCH)
    if next(log.peek(base.layout, event.session_id), {}).get("recall") == log.OFF:
        return Reason("silence.prompt")
    return Reason("silence.prompt") if event.human and no_memory.is_asked(event.prompt or "") else None
