"""Combines commits and recorded changes into the origin of each line, and of each statement, by values alone."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.blame.committed import BlamedCommit
from memorybank.blame.statements import NoteStatement
from memorybank.blame.traces import NoteTrace

TEXT, TIME = "text", "time"
_LATE = 120_000
"""Time (ms) after a commit's author date at which a change can still belong to it, because clocks and hooks lag."""


class LineOrigin(NamedTuple):
    """Who wrote a line, and when.

    at: ms; of the recorded change, else of the commit, else None
    author, commit, summary: of the commit; "" for a line that is not committed
    session, host: of the agent's session; "" if none is known
    command: the agent's tool, or the command of memorybank; "" if unknown
    evidence: `text` (the record contains the line), `time` (the only recorded change before the commit) or ""
    is_boundary: whether a shallow clone hides who wrote it
    """

    at: int | None
    author: str = ""
    commit: str = ""
    summary: str = ""
    session: str = ""
    host: str = ""
    command: str = ""
    evidence: str = ""
    is_boundary: bool = False

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "at": None if self.at is None else time_of.isoformat(self.at)}


class BlamedStatement(NamedTuple):
    """A statement with the origins of its lines, the latest first, without duplicates."""

    first: int
    last: int
    text: str
    origins: tuple[LineOrigin, ...]

    def to_json(self) -> dict[str, Any]:
        return {"first": self.first, "last": self.last, "text": self.text, "origins": [origin.to_json() for origin in self.origins]}


def blamed(statements: Sequence[NoteStatement], origins: Sequence[LineOrigin]) -> list[BlamedStatement]:
    """Return the statements with their origins. origins: of every line of the note"""
    found = []
    for statement in statements:
        own = dict.fromkeys(origins[statement.first - 1 : statement.last])
        found.append(BlamedStatement(*statement, tuple(sorted(own, key=lambda origin: (origin.commit != "", -(origin.at or 0))))))
    return found


def origins(
    lines: Sequence[str], commits: Sequence[BlamedCommit | None], instants: Sequence[int], traces: Sequence[NoteTrace], observed: int | None
) -> list[LineOrigin]:
    """Return the origin of each line.

    commits: of each line; None for lines that are not committed
    instants: author dates (ms) of all commits of the note
    traces: the recorded changes, the earliest first
    observed: when the present content was first seen (ms), for lines about which nothing else is known
    """
    windows = {commit: _window(commit, instants, traces) for commit in dict.fromkeys(commits)}
    return [_origin(line, commit, windows[commit], observed) for line, commit in zip(lines, commits, strict=True)]


def _window(commit: BlamedCommit | None, instants: Sequence[int], traces: Sequence[NoteTrace]) -> list[NoteTrace]:
    """Return the changes that a commit can contain: those after the note's commit before it; without a commit, those after the last one."""
    end = float("inf") if commit is None else commit.at + _LATE
    begin = max((at for at in instants if commit is None or at < commit.at), default=0)
    return [trace for trace in traces if begin < trace.at <= end]


def _origin(line: str, commit: BlamedCommit | None, window: Sequence[NoteTrace], observed: int | None) -> LineOrigin:
    base = LineOrigin(observed) if commit is None else LineOrigin(commit.at, commit.author, commit.commit, commit.summary, is_boundary=commit.is_boundary)
    trace = next((trace for trace in window if trace.has_written(line)), None)
    evidence = TEXT
    if trace is None:
        # A change about which everything is known did not write this line. A call of memorybank need not be about this note.
        possible = [trace for trace in window if not trace.is_complete and not trace.text]
        sources = {(trace.session, trace.command if not trace.session else "", trace.is_hidden) for trace in possible}
        trace, evidence = (possible[-1], TIME) if len(sources) == 1 else (None, "")
    if trace is None or trace.is_hidden:
        return base
    return base._replace(at=trace.at, session=trace.session, host=trace.host, command=trace.command, evidence=evidence)
