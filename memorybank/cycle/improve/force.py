"""Brings the policy into force. Recall needs it, recording does not."""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.log import policy as log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext


def bring_into_force(base: CycleContext) -> None:
    """Apply the latest policy to the base's settings. A log that cannot be verified changes nothing."""
    if base.policy is not None:
        return
    try:
        fields = log.latest(base.layout, base.existing_key())
    except MemorybankError:  # an unreadable log folder must not prevent recall
        return
    if fields is None:
        return
    from memorybank.cycle import policy

    record = policy.of_fields(fields)
    if record is not None:
        base.policy = record
        base.settings = policy.applied(base.configured, record)
