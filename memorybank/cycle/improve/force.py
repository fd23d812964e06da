"""Bringing the policy into force: recall asks for it, recording does without."""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.log import policy as log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import Base


def bring_into_force(base: Base) -> None:
    """From here on the base's settings are those with what was learned. A log that nobody can check changes nothing."""
    if base.policy is not None:
        return
    try:
        fields = log.latest(base.layout, base.existing_key())
    except MemorybankError:  # a log folder that cannot be read: recall still answers
        return
    if fields is None:
        return
    from memorybank.cycle import policy

    record = policy.of_fields(fields)
    if record is not None:
        base.policy = record
        base.settings = policy.applied(base.configured, record)
