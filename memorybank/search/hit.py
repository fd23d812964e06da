"""The result of a search, in the same form for every type of search."""

from __future__ import annotations

from memorybank.reasons.reason import Reason
from memorybank.scoring.rank import ImportanceRank
from memorybank.storage.layout import BANK
from memorybank.values import Value

PERSONAL = "personal"
"""The name of the personal bank in a search of several banks."""


class Hit(Value):
    """One note or episode (types keyword, importance, recent), or one line of one (type content).

    key: key of the note, or `episode:DATE`.
    path: published path of the note, or of the list of episodes.
    importance: 0.0–10.0; None for an episode.
    modified: instant (ms); for an episode the last instant of its days.
    size: bytes.
    match_type: type of the search.
    lines: first and last line of the passage, 1-based, in the file or in the episode's text.
    snippet: the passage without line ends, cut around the matches.
    marks: [start, end) of each match within the snippet.
    score: relevance, comparable within one answer only; 0.0 where the order follows something else.
    archive_id: id of an archived note, else None.
    kind: `note` or `episode`.
    source: name of the source of a file that is read in place; "" for a note of the bank.
    bank: in a search of several banks its folder, relative to the repository, or absolute or `~/…` in one of the entire machine, where the personal bank is
        `personal`; "" in a search of one.
    untrue: what speaks against the note: a conflict that git left in it, then its outdated claims, those in the passage first.
    is_weak: whether it is a keyword hit that contains less than half of what the query asks for; rare words count more.
    rank: rank of the importance among all active notes; None for an episode and an archived note.
    found_by: `words`, `meaning` or `both` in a search by meaning, else "".
    """

    key: str
    path: str
    title: str
    importance: float | None
    modified: int
    size: int
    match_type: str
    lines: tuple[int, int]
    snippet: str
    marks: tuple[tuple[int, int], ...]
    score: float
    archive_id: str | None = None
    kind: str = "note"
    is_weak: bool = False
    rank: ImportanceRank | None = None
    source: str = ""
    untrue: tuple[Reason, ...] = ()
    bank: str = ""
    found_by: str = ""

    @property
    def place(self) -> str:
        """The key and the lines of the passage, after the bank's project if several banks were searched: `services/api: shared/a.md:3-5`."""
        first, last = self.lines
        project = f"{project_of_bank(self.bank)}: " if self.bank else ""
        return f"{project}{self.key}:{first}" + (f"-{last}" if last != first else "")

    @property
    def standing(self) -> str:
        """The importance and its rank for people: "4.9, top 20 %"; "" for an episode."""
        if self.importance is None:
            return ""
        return f"{self.importance:.1f}, {self.rank.text}" if self.rank is not None else f"{self.importance:.1f}"

    @property
    def restore(self) -> str | None:
        """The command that restores an archived note; None for any other hit."""
        if self.archive_id is None:
            return None
        if not self.bank:
            return f"memorybank archive restore {self.archive_id}"
        return f"memorybank {option_of(self.bank)} archive restore {self.archive_id}"


def project_of_bank(bank: str) -> str:
    """Return how people read the name of a bank: its project, `.` for that at the root of the repository; another folder as it is."""
    if bank == BANK or bank.endswith(f"/{BANK}"):
        return bank[: -len(BANK)].rstrip("/") or "."
    return bank


def option_of(bank: str) -> str:
    """Return the option with which a command uses a bank that a search named."""
    return "--personal" if bank == PERSONAL else f"--bank {shell_path(bank)}"


def shell_path(path: str) -> str:
    """Return a path as a shell reads it. A leading `~/` stays unquoted, so that the shell expands it."""
    from shlex import quote  # late: only a search of several banks needs it

    return f"~/{quote(path[2:])}" if path.startswith("~/") else quote(path)


class SearchAnswer(Value):
    """The answer to a query.

    hits: best first.
    stale: reasons why something might be missing.
    """

    query: str
    type: str
    hits: tuple[Hit, ...]
    stale: tuple[Reason, ...] = ()
