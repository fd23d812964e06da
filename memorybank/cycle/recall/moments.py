"""Which kinds of memories are worth an agent's attention at which moment. Pure.

Measured by replaying histories (ADR 0031): before and after a call, what names its file, command or error and says something new is used;
summaries and single calls that share words with the prompt behind it hardly ever are: the prompt has brought them already, if any.
Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle import event as events
from memorybank.cycle.recall.query import FAILURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import Memory

CALLS = (events.TOOL_BEFORE, FAILURE)
SUMMARIES = ("session", "day", "month", "episode")
MORE_OF_IT = 0.25
"""A summary or a call holds many words: where a prompt asks, it must hold so much more of it than `min_match`."""
_CALLED = ("cmd:", "err:")


def is_worth(memory: Memory, query: QueryContext, min_match: float) -> bool:
    """Whether a memory that has evidence may be told at this moment."""
    if query.moment in CALLS:
        return _at_call(memory, query)
    if memory.kind == "episode" or (query.moment == events.PROMPT and (memory.kind == "group" or is_summary(memory))):
        return memory.match >= min_match + MORE_OF_IT or ((memory.open or memory.kind == "episode") and bool(memory.shared))
    return True


def is_summary(memory: Memory) -> bool:
    """A summary, of a session or of days, or the note that was written from a session's."""
    return memory.kind in SUMMARIES or memory.memory.startswith("session:")


def _at_call(memory: Memory, query: QueryContext) -> bool:
    if is_summary(memory):
        return False
    if memory.kind == "group":  # a call that failed and that nothing has fixed yet: before it is made again, and when its like fails too
        return memory.open and any(query.moment == FAILURE or anchor.startswith(_CALLED) for anchor in memory.shared)
    return memory.kind != "lesson" or bool(memory.shared) or memory.author == "human"
