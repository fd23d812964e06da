"""Whether the day of an instant is over in the bank's own time zone. Only finished days become episodes."""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY, HOUR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.episodes.calendar import LocalCalendar

_SURELY = DAY + HOUR
"""No day is longer, even when the clocks change."""


class Days:
    """The calendar of one bank, at one moment."""

    __slots__ = ("_base", "_calendar", "_now")

    def __init__(self, base: CycleContext) -> None:
        self._base = base
        self._now = base.clock.now()
        self._calendar: LocalCalendar | None = None

    def are_over(self, at: int) -> bool:
        """Return whether the day of an instant (ms) is over; False for an instant in the future."""
        if self._now - at >= _SURELY:
            return True
        if at > self._now:
            return False
        if self._calendar is None:
            from memorybank.config import episodes as episode_settings
            from memorybank.episodes.calendar import LocalCalendar

            settings = episode_settings.load(self._base.layout)
            self._calendar = LocalCalendar(settings.timezone) if settings is not None else LocalCalendar()
        return self._calendar.day_of(at) < self._calendar.day_of(self._now)
