"""`episodes_config.json`: when a day begins and ends, how far back episodes are shown, how long they are, and where plain chat logs are.

None of these keys specifies a program, an address, a model or a key: those are in the person's own settings (`memorybank.summarize.choosing`).
"""

from __future__ import annotations

__light__ = True

from memorybank.config.group import Group
from memorybank.config.keys import Fault, switch, text, whole, words

LOOKBACKS = {"1w": 7, "2w": 14, "1m": 30, "3m": 90}
"""Days of each choice that the episodic memory specification offers (section 5)."""
MAX_LOOKBACK = 3_650


class Topics(Group):
    inject: bool = switch(False, "A prompt brings up the topics of episodes that it is about, at most two and within recall's budget.")
    fixed: tuple[str, ...] = words((), "Names of topics that are always there: an episode that is near enough to one belongs to it, before others are found.")


class EpisodeSettings(Group):
    timezone: str = text("UTC", "IANA zone whose calendar days episodes are of (`Asia/Tokyo`); `init` writes the machine's.")
    lookback: str = text("1w", "How far back episodes are put before an agent: `1w`, `2w`, `1m`, `3m` (7, 14, 30, 90 days), a number of days, `0` for never.")
    summary_characters: int = whole(1200, "Longest episode of a day, in characters; a fifth of the day when that is less.", minimum=200, maximum=4000)
    chat_logs: tuple[str, ...] = words((), "Folders of the repository with plain chat logs, `log.txt` and `log_archives/*.txt`, relative to its root.")
    topics: Topics = Topics()


DEFAULTS = EpisodeSettings()


def days_of(lookback: str) -> int | None:
    """Return the number of days of a lookback (`1w` is 7, `0` is off), or None if it is invalid."""
    if lookback in LOOKBACKS:
        return LOOKBACKS[lookback]
    if lookback.isascii() and lookback.isdigit() and len(lookback) <= 5 and int(lookback) <= MAX_LOOKBACK:
        return int(lookback)
    return None


def contradictions(settings: EpisodeSettings) -> list[Fault]:
    """Check what the kind of a key cannot express: the zone exists, the lookback is valid, and the folders are in the repository."""
    from memorybank.config.zones import is_zone

    found = []
    if not is_zone(settings.timezone):
        message = f"no IANA time zone {settings.timezone!r} on this machine: write one such as 'Asia/Tokyo' or 'UTC', or install the system's tzdata"
        found.append(Fault("config_range", ("timezone",), message))
    if days_of(settings.lookback) is None:
        message = f"expected {', '.join(map(repr, LOOKBACKS))} or days from '0' to '{MAX_LOOKBACK}', found {settings.lookback!r}"
        found.append(Fault("config_range", ("lookback",), message))
    for folder in settings.chat_logs:
        if folder.startswith(("/", "~", "\\")) or any(part in ("", ".", "..") for part in folder.split("/")):
            message = f"{folder!r} is no folder of the repository: write it from the repository's root on, without . and .."
            found.append(Fault("config_path", ("chat_logs",), message))
    return found
