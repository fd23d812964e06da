"""The episode settings as a hook reads them: one small file, read when episodes are written or shown."""

from __future__ import annotations

__light__ = True

from memorybank.config.cycle_settings import MAX_FILE_BYTES
from memorybank.config.episodes import DEFAULTS, EpisodeSettings, days_of
from memorybank.config.group import merge, reset
from memorybank.config.zones import UTC, is_local, is_zone
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.config.keys import SettingFault
    from memorybank.storage.layout import Layout


def load(layout: Layout) -> EpisodeSettings | None:
    """Return the effective settings; None for a file that exists and cannot be parsed, because it may have switched episodes off.

    Never raises: a hook continues with what it could read, as with `cycle_settings.load`. Without a file the defaults apply. A faulty
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
    faults: list[SettingFault] = []
    settings = merge(EpisodeSettings, values, faults)
    if days_of(settings.lookback) is None:
        settings = reset(settings, ("lookback",))
    if not (settings.timezone == UTC or is_local(settings.timezone, os.environ) or is_zone(settings.timezone)):
        settings = reset(settings, ("timezone",))
    return settings
