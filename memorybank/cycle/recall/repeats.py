"""One session is told by one voice: the same story is a group of calls, a lesson, a line of a session's summary and of its note, and a
reader needs it once. Pure.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memorybank.cycle.recall.ranking import Memory, Recollection


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
