"""One session is told by one voice: the same story is a group of calls, a lesson, a line of a session's summary and of its note, and a
reader needs it once. Pure.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold import cell, schema
from memorybank.cycle.recall.ranking import EPISODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memorybank.cycle.recall.ranking import Memory, Recollection

_EPISODE_OF, _DAY_OF = f"{EPISODE}:", f"{schema.DAY}:"
_FOR_EVERYBODY = "/" + cell.short(cell.EVERYBODY)
"""How the id of a day's summary ends that everybody may see."""


def untold(recollections: list[Recollection], summaries: Mapping[str | None, str]) -> list[Recollection]:
    """Those that say something of their own, in their order. summaries: {session: its summary as it is told already}.

    A lesson speaks for its failed calls. Where something is asked, the part of a session that fits as well speaks for the whole;
    where nothing is, its lessons do, and the whole for its calls. A summary that is told speaks for the calls and fixes of its session,
    and for what a person said where it quotes it.
    """
    memories = [recollection.memory for recollection in recollections]
    lessons = {_calls(memory) for memory in memories if memory.kind == schema.LESSON and memory.fingerprint is not None}
    whole = {memory.session for memory in memories if _is_session(memory) and not _fits(memory)} | summaries.keys()
    found = []
    for recollection in recollections:
        memory = recollection.memory
        summary = summaries.get(memory.session)
        if memory.kind == schema.GROUP and (memory.session in whole or _calls(memory) in lessons):
            continue
        if memory.kind == schema.LESSON and summary is not None and (memory.fingerprint is not None or memory.text in summary):
            continue
        if _is_session(memory) and any(_says_it(part, memory) for part in memories):
            continue
        found.append(recollection)
    return found


def is_known(memory: Memory, known: Collection[str]) -> bool:
    """Whether a context that was given these memories knows what this one says.

    Beside itself: the episode of a day and the day's summary say the same to everybody; an episode says no more than the summaries of all
    its sessions, and that of a week no more than its days.
    """
    if memory.memory in known:
        return True
    if memory.kind == schema.DAY:
        return memory.memory.endswith(_FOR_EVERYBODY) and _EPISODE_OF + _date(memory.memory) in known
    if memory.kind != EPISODE:
        return False
    if memory.sources and all(source in known for source in memory.sources):
        return True
    first, _, last = _date(memory.memory).partition("~")
    days = (_date(other) for other in known if other.startswith(_EPISODE_OF) or (other.startswith(_DAY_OF) and other.endswith(_FOR_EVERYBODY)))
    return any(first <= day <= (last or first) for day in days)


def _date(memory: str) -> str:
    """`2025-09-17` of `day:2025-09-17/<cell>` and of `episode:2025-09-17`."""
    return memory.partition(":")[2].partition("/")[0]


def is_told(call: str, summary: str) -> bool:
    """Whether a summary names the call that the text of a group begins with: `npm test` (…) — failed …"""
    return call.partition(" — ")[0].partition(" (")[0] in summary


def _calls(memory: Memory) -> tuple[str | None, str | None, str | None]:
    return memory.session, memory.agent, memory.fingerprint


def _is_session(memory: Memory) -> bool:
    """A session's summary, or the note that was written from it."""
    return memory.memory.startswith(schema.SESSION + ":")


def _fits(memory: Memory) -> bool:
    """Whether it was found by something, not for its age and importance alone."""
    return bool(memory.shared or memory.matched)


def _says_it(part: Memory, whole: Memory) -> bool:
    """Whether a part of the session was found by everything that the whole was found by."""
    if part.session != whole.session or part.kind not in ((schema.GROUP, schema.LESSON) if _fits(whole) else (schema.LESSON,)):
        return False
    return _within(whole.shared, part.shared) and _within(whole.matched, part.matched)


def _within(found: Collection[str], others: Collection[str]) -> bool:
    return all(each in others for each in found)
