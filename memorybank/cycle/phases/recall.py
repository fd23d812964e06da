"""RECALL shows the agent the memories that fit the moment, and records them as exposures.

Self-improving memory cycle, phase 3.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.recall import candidates, recollect, silence
from memorybank.cycle.recall.exposing import expose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.injection import Injection


def recall(base: CycleContext, event: Event, moment: str, left_open: list[Sources] | None = None) -> Injection | None:
    """Return what the host should show to the agent at this event, or None for nothing.

    left_open: receives the caches that stay open (see `open_sources`), for a caller that lives on
    """
    if silence.why_off(base, event, moment):
        return None
    base.bring_policy_into_force()
    sources = candidates.open_sources(base)
    if left_open is not None:
        left_open.append(sources)
    draft = recollect.Draft(base, event, moment, base.clock.now(), sources)
    if left_open is not None:
        left_open += [other.sources for other in draft.others]
    composed = expose(base, event, draft)
    if draft.opening is not None:
        draft.opening.keep(composed.resident)
    return composed.injection
