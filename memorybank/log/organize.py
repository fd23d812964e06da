"""`log/organize.jsonl`: how far each session's log has been finished, and which steps of finishing are done. One line per step.

A line of kind `macro` has the session, `covered_to` (bytes of its event log), the number of valid lines up to there, the signature of
the last of them (which reveals a truncated or missing log) and the `step`. The step `sync` starts a round: the session's summary is
made from what that line covers. Further members depend on the step:

- `policy`: `version`, the policy version that resulted, if any.
- `note` (the session note was written): `key` and `tree` (the worktree); neither of them when there was nothing worth a note.
- `publish` and `episodes`: `ms`, the time the step took.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.log import lines
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

KIND = "macro"
SYNC, POLICY, NOTE, INDEX, PUBLISH, EPISODES, MAINTAIN = "sync", "policy", "note", "index", "publish", "episodes", "maintain"
STEPS = (SYNC, POLICY, NOTE, INDEX, PUBLISH, EPISODES)
"""The steps that finish a round, in their order; `episodes` waits until the session's last day is over. `maintain` belongs to no round:
whatever it did not finish is due again by its own triggers."""


class OrganizeStep(Value):
    """One line of the log.

    at: ms
    covered_to, lines, head: size in bytes, number of lines and last signature of the part of the event log that the round covers
    details: the step's further members
    end: offset of the next line
    """

    session: str
    step: str
    at: int
    covered_to: int
    lines: int
    head: str
    details: dict[str, Any]
    end: int = 0


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "organize.jsonl")


def append(layout: Layout, steps: Iterable[OrganizeStep], clock: Clock) -> None:
    """Append steps in one write. It is not synced: a step whose line is lost in a power failure is merely done again."""
    lines.append(path(layout), map(_fields, steps), clock=clock, durable=False)


def read(layout: Layout, offset: int = 0) -> Iterator[OrganizeStep]:
    """Yield every valid step from `offset` on; `end` is the offset of the next line. Lines of an unknown kind are skipped."""
    for line in lines.read(path(layout), offset):
        step = _step(line.fields, line.end)
        if step is not None:
            yield step


def latest(layout: Layout) -> dict[str, OrganizeStep]:
    """Return {session: the `sync` step of its latest round}, against which `log verify` checks the event logs."""
    return {step.session: step for step in read(layout) if step.step == SYNC}


def covered(layout: Layout, sessions: Collection[str]) -> dict[str, int]:
    """Return {session: `covered_to` of its latest round} of these sessions. Lines about other sessions are not decoded."""
    parts = [jsontext.encode_bytes(session) for session in sessions]
    steps = (_step(fields, 0) for fields in lines.read_containing(path(layout), *parts)) if parts else ()
    return {step.session: step.covered_to for step in steps if step is not None and step.step == SYNC}


def _fields(step: OrganizeStep) -> dict[str, Any]:
    return {
        **{"kind": KIND, "session_id": step.session, "step": step.step, "at": time_of.isoformat(step.at)},
        **{"covered_to": step.covered_to, "lines": step.lines, "head": step.head, **step.details},
    }


def _step(fields: dict[str, Any], end: int) -> OrganizeStep | None:
    session, step, at, covered_to = fields.get("session_id"), fields.get("step"), fields.get("at"), fields.get("covered_to")
    instant = time_of.parse(at) if isinstance(at, str) else None
    if fields.get("kind") != KIND or not isinstance(session, str) or not isinstance(step, str) or instant is None or not isinstance(covered_to, int):
        return None
    count, head = fields.get("lines"), fields.get("head")
    known = ("kind", "session_id", "step", "at", "covered_to", "lines", "head")
    details = {name: value for name, value in fields.items() if name not in known}
    return OrganizeStep(session, step, instant, covered_to, count if isinstance(count, int) else 0, head if isinstance(head, str) else "", details, end)
