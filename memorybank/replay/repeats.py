"""Failures that happened before in another context and were fixed there: was the fix shown before this context found it again? Pure.

A *repeated failure* is the first failure of a fingerprint in a context (session × agent) when, earlier, another context had failed with
that fingerprint and then succeeded with it. It is *covered* when a memory that tells of failures (a lesson, or a group of calls) and
holds the fingerprint's command, the failed file or the error's signature was shown in this context before the first success of the
fingerprint after the failure, or before the context's end when there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memorybank.cycle.event import FAILURE, SUCCESS, TOOL_AFTER
from memorybank.cycle.fold.recorded import Recorded
from memorybank.replay.targets import Context, Shown

_TELLS = ("lesson:", "group:")


class Repeat(NamedTuple):
    """failed: offset of the failure; fixed: of the success that ended it, None when nothing did; anchors: of the failed call."""

    session: str
    agent: str
    fingerprint: str
    failed: int
    fixed: int | None
    anchors: frozenset[str]


def repeats(lines: Iterable[Recorded]) -> list[Repeat]:
    """Every repeated failure of a run. lines: in order of time."""
    failing: set[tuple[Context, str]] = set()
    fixed_by: dict[str, set[Context]] = {}
    opened: dict[tuple[Context, str], Repeat] = {}
    found: list[Repeat] = []
    for line in lines:
        if line.event != TOOL_AFTER or line.fingerprint is None:
            continue
        context = (line.session, line.agent)
        key = (context, line.fingerprint)
        if line.status == FAILURE:
            if key not in failing and fixed_by.get(line.fingerprint, set()) - {context}:
                opened[key] = Repeat(*context, line.fingerprint, line.offset, None, frozenset(line.anchors))
            failing.add(key)
        elif line.status == SUCCESS and key in failing:
            fixed_by.setdefault(line.fingerprint, set()).add(context)
            if key in opened:
                found.append(opened.pop(key)._replace(fixed=line.offset))
    return sorted([*found, *opened.values()], key=lambda repeat: (repeat.session, repeat.agent, repeat.failed))


def covered(repeats: Iterable[Repeat], shown: Iterable[Shown]) -> list[Repeat]:
    """Those whose fix was shown in time."""
    by_context: dict[Context, list[Shown]] = {}
    for memory in shown:
        if memory.memory.startswith(_TELLS):
            by_context.setdefault((memory.session, memory.agent), []).append(memory)
    return [
        repeat
        for repeat in repeats
        if any(
            (repeat.fixed is None or memory.offset <= repeat.fixed) and not repeat.anchors.isdisjoint(memory.holds)
            for memory in by_context.get((repeat.session, repeat.agent), ())
        )
    ]
