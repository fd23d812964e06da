"""The message that tells a person about the first learned note, a file among the notes that nobody asked for.

A host that displays messages of hooks shows it once per bank and machine. `log/learned.jsonl` records that it was shown.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import PROMPT
from memorybank.errors import MemorybankError
from memorybank.log import learned
from memorybank.storage import beneath
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.storage.layout import Layout

_HEAD_BYTES = 4_000
_TITLE = 120
_CONFIG = "cycle_config.json"


def announce(base: CycleContext, session: str = "") -> str:
    """Return the line for the person of a session, in their language, and record that it was shown; "" without a note in force, or after it was shown."""
    if not base.settings.learned_notes or learned.is_announced(base.layout):
        return ""
    from memorybank.storage.lock import Lock  # imported late: it is needed once per bank

    try:
        with Lock(os.path.join(base.layout.log, "learned.lock"), "memorybank hook", base.clock, timeout=0):
            text = "" if learned.is_announced(base.layout) else _text(base, session)
            if text:
                learned.append_announced(base.layout, base.clock)
            return text
    except MemorybankError:  # another hook is at it, or the log cannot be written: the next end of a turn tries again
        return ""


def _text(base: CycleContext, session: str) -> str:
    layout = base.layout
    found = [(memory, written.key, title) for memory, written in learned.read(layout).items() if (title := _title(layout.note_path(written.key)))]
    if not found:
        return ""
    from memorybank.cycle.fold.phrases import language_of, phrase  # late, as below: a bank announces once

    prompts = _prompts(layout, session)
    gone = _out_of_force(base, prompts, session)
    found = [note for note in found if note[0] not in gone]
    if not found:
        return ""
    memory, key, title = found[0]
    language = language_of("\n".join(prompts) or title)
    more = phrase("announced_more", language, count=len(found) - 1) if len(found) > 1 else ""
    config = layout.relative(os.path.join(layout.root, "config", _CONFIG))
    what = title.rstrip(".。")
    return phrase("announced", language, what=what, more=more, path=layout.relative(layout.note_path(key)), memory=memory, config=config)


def _prompts(layout: Layout, session: str) -> list[str]:
    """Return what the person typed lately in a session, the newest first."""
    from memorybank.log import events
    from memorybank.text.prompts.typed import typed

    asked = (fields for fields in events.peek(layout, session) if fields["event"] == PROMPT and fields.get("human") is not False)
    return [typed(text) for fields in asked if isinstance(text := (fields.get("inputs") or {}).get("text"), str)]


def _out_of_force(base: CycleContext, prompts: Sequence[str], session: str) -> set[str]:
    """Return the rules that are not announced: a later statement replaced them or took them back, perhaps in this session."""
    from memorybank.cycle.fold import cache
    from memorybank.cycle.know import rules
    from memorybank.cycle.know.stating import allowed_in

    now = base.clock.now()
    try:
        with cache.CacheConnection(base.layout) as connection:
            connection.create_function("sees", 8, lambda *columns: False)  # learned notes say only what everybody may see
            return rules.out_of_force(connection, now, allowed_in(prompts, session, now))
    except MemorybankError:
        return set()


def _title(path: str) -> str:
    """Return the heading of a note as one line; "" when the note is missing or has none."""
    try:
        with beneath.stream(path) as stream:
            head = stream.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    from memorybank.injection import one_line
    from memorybank.text.prose.passages import excerpt

    heading = next((line for line in head.split("\n") if line.startswith("# ")), "")
    return excerpt(one_line(heading[2:]), _TITLE)
