"""The message that tells a person about the first learned note, a file among the notes that nobody asked for.

A host that displays messages of hooks shows it once per bank and machine. `log/learned.jsonl` records that it was shown.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.log import learned
from memorybank.storage import beneath
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import CycleContext
    from memorybank.storage.layout import Layout

_HEAD_BYTES = 4_000
_TITLE = 120
_CONFIG = "cycle_config.json"


def announce(base: CycleContext) -> str:
    """Return the line for the person and record that it was shown; "" when there is no learned note, or the line was shown before."""
    if not base.settings.learned_notes or learned.is_announced(base.layout):
        return ""
    from memorybank.storage.lock import Lock  # imported late: it is needed once per bank

    try:
        with Lock(os.path.join(base.layout.log, "learned.lock"), "memorybank hook", base.clock, timeout=0):
            text = "" if learned.is_announced(base.layout) else _text(base.layout)
            if text:
                learned.append_announced(base.layout, base.clock)
            return text
    except MemorybankError:  # another hook is at it, or the log cannot be written: the next end of a turn tries again
        return ""


def _text(layout: Layout) -> str:
    found = [(memory, written.key, title) for memory, written in learned.read(layout).items() if (title := _title(layout.note_path(written.key)))]
    if not found:
        return ""
    from memorybank.cycle.fold.phrases import language_of, phrase  # late, as below: a bank announces once

    memory, key, title = found[0]
    language = language_of(title)
    more = phrase("announced_more", language, count=len(found) - 1) if len(found) > 1 else ""
    config = layout.relative(os.path.join(layout.root, "config", _CONFIG))
    return phrase("announced", language, what=title, more=more, path=layout.relative(layout.note_path(key)), memory=memory, config=config)


def _title(path: str) -> str:
    """Return the heading of a note as one line; "" when the note is missing or has none."""
    try:
        with beneath.stream(path) as stream:
            head = stream.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    from memorybank.injection import one_line
    from memorybank.text.passages import shortened

    heading = next((line for line in head.split("\n") if line.startswith("# ")), "")
    return shortened(one_line(heading[2:]), _TITLE)
