"""The local calendar: which day an instant belongs to in the bank's time zone.

UTC needs no zone data. The C library answers for the machine's own zone. Any other zone loads `zoneinfo` on first use.
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
"""What the calendar of Python can name in every zone: a day less than the years 0001 to 9999."""


class Calendar:
    """zone: an IANA name that `config validate` has passed."""

    __slots__ = ("_is_local", "_zone", "zone")

    def __init__(self, zone: str = UTC) -> None:
        self.zone = zone
        self._zone: tzinfo | None = None
        self._is_local = zone != UTC and zones.is_local(zone, os.environ)

    def day_of(self, at: int) -> str:
        """The date of an instant (ms)."""
        return clock.day_of(at + self._offset(at))

    def stamp(self, at: int) -> str:
        """`2025-12-03T12:00:00+09:00`, to the second."""
        offset = self._offset(at) // clock.MINUTE
        sign, offset = ("-", -offset) if offset < 0 else ("+", offset)
        return f"{clock.isoformat(at + self._offset(at))[:19]}{sign}{offset // 60:02d}:{offset % 60:02d}"

    def instant(self, local: str) -> int | None:
        """The instant of a date or date-time; one without an offset is local. An hour that a change of clocks repeats is its first."""
        at = clock.parse(local)
        if at is None or _has_offset(local):
            return at
        found = at - self._offset(at)
        earlier = at - self._offset(found)
        return earlier if self._offset(earlier) == at - earlier else found

    def _offset(self, at: int) -> int:
        """Milliseconds that local time is ahead of UTC."""
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
