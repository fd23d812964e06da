"""The settings as a hook reads them: one small file, read at every event."""

from __future__ import annotations

__light__ = True

from memorybank.config.cycle import CycleSettings, PhaseSwitches, contradictions
from memorybank.config.group import merge, reset
from memorybank.config.keys import SettingFault
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

MAX_FILE_BYTES = 1 << 20
DEFAULTS = CycleSettings()
OFF = CycleSettings(phases=PhaseSwitches(record=False, organize=False, recall=False, improve=False))
"""For a file that exists and cannot be parsed: it may have said that nothing is to be recorded."""


def load(layout: Layout) -> tuple[CycleSettings, list[SettingFault]]:
    """Return (the effective settings, the faults of the file). Never raises: a hook continues with what it could read.

    Without a file the defaults apply. A faulty key, and weights that do not sum to 1, get their defaults. If the file is not a JSON
    object, all phases are off until somebody fixes it; `memorybank config validate` reports the line.
    """
    try:
        values = jsontext.decode(disk.read(f"{layout.config}/cycle_config.json", MAX_FILE_BYTES))
    except FileNotFoundError:
        return DEFAULTS, []
    except MemorybankError as error:
        return OFF, [SettingFault("config_unreadable", (), f"cannot be read: {error.message}")]
    except ValueError as error:
        return OFF, [SettingFault("config_json", (), f"is not JSON: {error}")]
    if not isinstance(values, dict):
        return OFF, [SettingFault("config_json", (), "is not a JSON object")]
    faults: list[SettingFault] = []
    settings = merge(CycleSettings, values, faults)
    for fault in contradictions(settings):
        settings = reset(settings, fault.path)
        faults.append(fault)
    return settings, faults


def lacks_memory(layout: Layout) -> bool:
    """Whether there is a readable file without a `memory` section, which switches resident memory off."""
    try:
        values = jsontext.decode(disk.read(f"{layout.config}/cycle_config.json", MAX_FILE_BYTES))
    except (OSError, MemorybankError, ValueError):
        return False
    return isinstance(values, dict) and "memory" not in values
