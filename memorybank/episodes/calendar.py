"""The local calendar: the day to which an instant belongs in the bank's time zone.

UTC needs no zone data. For the machine's own zone the C library is asked. Any other zone loads `zoneinfo` on first use.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.config import zones
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

UTC = zones.UTC
_LEAST, _MOST = -62_135_510_400_000, 253_402_128_000_000
"""The range of instants (ms) that Python's calendar can represent in every zone: years 0001 to 9999, less one day at each end."""


class LocalCalendar:
    """The calendar of one time zone. zone: an IANA name that `config validate` has accepted."""

    __slots__ = ("_is_local", "_zone", "zone")

    def __init__(self, zone: str = UTC) -> None:
        self.zone = zone
        self._zone: tzinfo | None = None
        self._is_local = zone != UTC and zones.is_local(zone, os.environ)

    def __repr__(self) -> str:
        return f"LocalCalendar({self.zone!r})"

    def day_of(self, at: int) -> str:
        """Return the local date of an instant (ms)."""
        return clock.day_of(at + self._offset(at))

    def stamp(self, at: int) -> str:
        """Return the local date and time of an instant (ms) to the second, with its offset: `2025-12-03T12:00:00+09:00`."""
        offset = self._offset(at) // clock.MINUTE
        sign, offset = ("-", -offset) if offset < 0 else ("+", offset)
        return f"{clock.isoformat(at + self._offset(at))[:19]}{sign}{offset // 60:02d}:{offset % 60:02d}"

    def instant(self, local: str) -> int | None:
        """Return the instant (ms) of a date or date-time, None when the text is neither. A text without an offset is local time.

        When a clock change repeats an hour, the first of the two is meant.
        """
        at = clock.parse(local)
        if at is None or _has_offset(local):
            return at
        found = at - self._offset(at)
        # The first guess can use the offset of the wrong side of a clock change. The second one counts when its own offset confirms it.
        earlier = at - self._offset(found)
        return earlier if self._offset(earlier) == at - earlier else found

    def _offset(self, at: int) -> int:
        """Return how far local time is ahead of UTC at an instant, in milliseconds."""
        if self.zone == UTC:
            return 0
        at = min(max(at, _LEAST), _MOST)
        if self._is_local:
            return clock.machine_offset(at)
        from datetime import datetime

        found = datetime.fromtimestamp(at / 1000, self._loaded()).utcoffset()
        return 0 if found is None else (found.days * 86_400 + found.seconds) * clock.SECOND

    def _loaded(self) -> tzinfo:
        if self._zone is None:
            from zoneinfo import ZoneInfo

            self._zone = ZoneInfo(self.zone)
        return self._zone


def _has_offset(text: str) -> bool:
    rest = text.strip()[10:]
    return rest[-1:] in ("Z", "z") or "+" in rest or "-" in rest
