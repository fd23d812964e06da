"""What a hook knows of the settings: one small file, read at every event."""

from __future__ import annotations

__light__ = True

from memorybank.config.cycle import CycleSettings, Phases, contradictions
from memorybank.config.group import merge, reset
from memorybank.config.keys import Fault
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

MAX_FILE_BYTES = 1 << 20
DEFAULTS = CycleSettings()
OFF = CycleSettings(phases=Phases(record=False, organize=False, recall=False, improve=False))
"""For a file that is there and cannot be understood: it may have said that nothing shall be recorded."""


def load(layout: Layout) -> tuple[CycleSettings, list[Fault]]:
    """(the settings in effect, what is wrong with the file). Never raises: a hook goes on with what it could read.

    No file: the defaults. A faulty key, or weights that do not sum to 1: their defaults. A file that is no JSON object: all
    phases off, until somebody mends it; `memorybank config validate` names the line.
    """
    try:
        values = jsontext.decode(disk.read(f"{layout.config}/cycle_config.json", MAX_FILE_BYTES))
    except FileNotFoundError:
        return DEFAULTS, []
    except MemorybankError as error:
        return OFF, [Fault("config_unreadable", (), f"cannot be read: {error.message}")]
    except ValueError as error:
        return OFF, [Fault("config_json", (), f"is not JSON: {error}")]
    if not isinstance(values, dict):
        return OFF, [Fault("config_json", (), "is not a JSON object")]
    faults: list[Fault] = []
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
