"""IANA time zones: whether this machine knows a name, and the zone of this machine."""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UTC = "UTC"
_LOCALTIME = "/etc/localtime"
_MARK = "/zoneinfo/"


def is_zone(name: str) -> bool:
    """Return whether this machine knows the zone."""
    if name == UTC:
        return True
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def own_zone(environment: Mapping[str, str]) -> str:
    """Return the zone of this machine: $TZ if it contains a zone's name, else the target of /etc/localtime, else UTC."""
    named = environment.get("TZ", "").removeprefix(":")
    linked = os.path.realpath(_LOCALTIME).rpartition(_MARK)[2]
    # What is not a name, such as a plain file instead of a link, keeps its leading slash.
    return next((name for name in (named, linked) if name and not name.startswith("/") and is_zone(name)), UTC)


def is_local(name: str, environment: Mapping[str, str]) -> bool:
    """Return whether the C library's local time is certainly that of this zone. It then replaces `zoneinfo`, whose import takes three quarters as
    long as a complete start of Python. An empty $TZ means UTC to the library."""
    if "TZ" in environment:
        return environment["TZ"].removeprefix(":") == name and _is_known(name)
    try:
        return os.readlink(_LOCALTIME).rpartition(_MARK)[2] == name
    except OSError:
        return False


def _is_known(name: str) -> bool:
    """Return whether the C library finds the zone. It silently treats an unknown name as UTC."""
    return any(os.path.isfile(f"{folder}/{name}") for folder in ("/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"))
