"""The values that an agent receives through `BankView`: memories with their ids, answers, the state of the bank."""

from typing import NamedTuple

from memorybank import clock as time_of
from memorybank.injection import one_line
from memorybank.scoring.rank import ImportanceRank

NOTE, ARCHIVE = "note:", "archive:"
HUMAN, AGENT = "human", "agent"


class VisibleMemory(NamedTuple):
    """One memory.

    id: its id in the form in which it is shown, on one harmless line
    text: its content; in a list, a passage of it
    origin: human or agent
    at: its date (ms)
    importance: 0.0–10.0, only of notes
    stale: the reason to doubt it, or ''
    lines: first and last line of the passage, 1-based
    why: the words and anchors that recall matched
    rank: rank of the importance among all active notes
    is_weak: whether it is a hit that contains less than half of the query
    found_by: `words`, `meaning` or `both` in a search by meaning, else ''
    """

    id: str
    kind: str
    title: str
    text: str
    origin: str
    at: int
    importance: float | None = None
    stale: str = ""
    lines: tuple[int, int] | None = None
    why: tuple[str, ...] = ()
    rank: ImportanceRank | None = None
    is_weak: bool = False
    found_by: str = ""


class AgentAnswer(NamedTuple):
    """An answer to an agent.

    memories: the memories in the order of the answer
    notice: a remark about the answer, or ''
    """

    memories: tuple[VisibleMemory, ...]
    notice: str = ""


class VisibleBankState(NamedTuple):
    """The state of a bank for its viewer.

    newest: instant (ms) of the last change of a note
    latest: date of the last episode, or ''
    summary: why sessions receive no resident summary, or ''
    problems: number of notes with problems
    sources: {name of a source: number of its files that the viewer may see}
    stale: why these numbers are not from now, or ''
    """

    notes: int
    archived: int
    episodes: int
    newest: int | None
    latest: str
    summary: str
    problems: int
    sources: dict[str, int]
    stale: str = ""


def shown_id(name: str) -> str:
    """Return an id in the form in which it is shown to an agent. File names are text that anybody may have chosen."""
    return one_line(name)


def author_of(agent: str | None) -> str:
    """Return whether a person or an agent wrote a memory. agent: the agent that its front matter names"""
    return HUMAN if agent is None else AGENT


def archived_since(at: int) -> str:
    """Return in words when a note was archived. at: instant (ms)"""
    return f"it was archived on {time_of.day_of(at)}"
