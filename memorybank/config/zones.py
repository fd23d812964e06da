"""IANA time zones: whether a name is one here, and which one this machine lives in."""

import os
from collections.abc import Mapping

UTC = "UTC"
_LOCALTIME = "/etc/localtime"
_MARK = "/zoneinfo/"


def is_zone(name: str) -> bool:
    """Whether this machine knows the zone."""
    if name == UTC:
        return True
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def own_zone(environment: Mapping[str, str], localtime: str = _LOCALTIME) -> str:
    """The zone of this machine: $TZ where it names one, else what /etc/localtime links to, else UTC."""
    named = environment.get("TZ", "").removeprefix(":")
    linked = os.path.realpath(localtime).rpartition(_MARK)[2] if os.path.islink(localtime) else ""
    return next((name for name in (named, linked) if name and not os.path.isabs(name) and is_zone(name)), UTC)
