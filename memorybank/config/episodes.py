"""`episodes_config.json`: when a day begins and ends, how far back episodes are shown, how long they are, and where plain chat logs are.

None of these keys specifies a program, an address, a model or a key: those are in the person's own settings (`memorybank.summarize.choosing`).
"""

from __future__ import annotations

__light__ = True

from memorybank.config.group import MAX_FILE_BYTES, SettingsGroup, merge, reset
from memorybank.config.keys import SettingFault, switch, text, whole, words
from memorybank.config.zones import UTC, is_local, is_zone
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext, versions
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

LOOKBACKS = {"1w": 7, "2w": 14, "1m": 30, "3m": 90}
"""Days of each choice that the episodic memory specification offers (section 5)."""
MAX_LOOKBACK = 3_650


class TopicSettings(SettingsGroup):
    inject: bool = switch(False, "Show the topics of episodes that a prompt is about, at most two and within the budget of recall.")
    fixed: tuple[str, ...] = words((), "Names of permanent topics: an episode that is similar enough to one belongs to it, before other topics are found.")


class EpisodeSettings(SettingsGroup):
    timezone: str = text("UTC", "IANA time zone that determines the calendar days of episodes (`Asia/Tokyo`); `init` sets the machine's.")
    lookback: str = text("1w", "How far back episodes are shown to an agent: `1w`, `2w`, `1m`, `3m` (7, 14, 30, 90 days), a number of days, or `0` for never.")
    summary_characters: int = whole(
        1200, "Maximum length of a day's episode in characters, or a fifth of the day's text if that is less.", minimum=200, maximum=4000
    )
    chat_logs: tuple[str, ...] = words((), "Folders with plain chat logs (`log.txt` and `log_archives/*.txt`), relative to the repository's root.")
    topics: TopicSettings = TopicSettings()


DEFAULTS = EpisodeSettings()


def days_of(lookback: str) -> int | None:
    """Return the number of days of a lookback (`1w` is 7, `0` is off), or None if it is invalid."""
    if lookback in LOOKBACKS:
        return LOOKBACKS[lookback]
    if lookback.isascii() and lookback.isdigit() and len(lookback) <= 5 and int(lookback) <= MAX_LOOKBACK:
        return int(lookback)
    return None


def contradictions(settings: EpisodeSettings) -> list[SettingFault]:
    """Check what the kind of a key cannot express: the zone exists, the lookback is valid, and the folders are in the repository."""
    found = []
    if not is_zone(settings.timezone):
        message = f"this machine does not know the IANA time zone {settings.timezone!r}: use one such as 'Asia/Tokyo' or 'UTC', or install the system's tzdata"
        found.append(SettingFault("config_range", ("timezone",), message))
    if days_of(settings.lookback) is None:
        message = f"expected {', '.join(map(repr, LOOKBACKS))} or a number of days from '0' to '{MAX_LOOKBACK}', found {settings.lookback!r}"
        found.append(SettingFault("config_range", ("lookback",), message))
    for folder in settings.chat_logs:
        if folder.startswith(("/", "~", "\\")) or any(part in ("", ".", "..") for part in folder.split("/")):
            message = f"{folder!r} is not a folder of the repository: write it relative to the repository's root, without . and .."
            found.append(SettingFault("config_path", ("chat_logs",), message))
    return found


def load(layout: Layout) -> EpisodeSettings | None:
    """Return the effective settings; None for a file that cannot be parsed or is of a newer memorybank: it may have switched episodes off.

    Never raises: a hook continues with what it could read, as with `cycle.load`. Without a file the defaults apply. A faulty
    key, an unknown zone or an invalid lookback gets its default; `memorybank config validate` reports the line.
    """
    try:
        values = jsontext.decode(disk.read(f"{layout.config}/episodes_config.json", MAX_FILE_BYTES))
    except FileNotFoundError:
        return DEFAULTS
    except (MemorybankError, ValueError):
        return None
    if not isinstance(values, dict):
        return None
    if versions.newer(values.get("version")):
        return None
    faults: list[SettingFault] = []
    settings = merge(EpisodeSettings, values, faults)
    if days_of(settings.lookback) is None:
        settings = reset(settings, ("lookback",))
    if not (settings.timezone == UTC or is_local(settings.timezone, os.environ) or is_zone(settings.timezone)):
        settings = reset(settings, ("timezone",))
    return settings
