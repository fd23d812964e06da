"""Searches with a tool of the host that failed in the same way in several sessions, such as at a file that the tool cannot read.

No other command repairs them, so that they have no remedy (`fold.failures`); but the error names what to leave out.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import SEARCHED
from memorybank.cycle.fold.repairs import wrong_words
from memorybank.cycle.know.problems import KnownProblem
from memorybank.cycle.know.search import IS_SEEN_FAILURE
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

TOOLS = ("Grep", "Glob", "LS", "Search")
_LEAST_SESSIONS, _MOST_READ = 2, 20
_NAMES_FILE = lazy_pattern(r"\w[\\/]\w")
_OF_CALL = lazy_pattern(r"parameter|argument|pattern|regex|no such|not found|does not exist|cannot find|timed? ?out|見つかりません|存在しません", "i")
"""Matches an error of the call itself: the next call searches for something else, elsewhere."""


def failing(connection: Connection, tool: str, own: str, now: int) -> list[KnownProblem]:
    """Return the error with which searches of a tool failed last, if they did so in at least two other sessions."""
    rows = connection.execute(
        f"SELECT session, at, said, line FROM failures WHERE (form = ?1 OR form GLOB ?1 || ' *') AND session IS NOT ?2 AND at <= ?3"
        f" AND {IS_SEEN_FAILURE} ORDER BY at DESC LIMIT ?4",
        (tool, own, now, _MOST_READ),
    )
    named = [row for row in rows if _NAMES_FILE.search(row[-1]) and not _OF_CALL.search(row[-1])]
    if not named:
        return []
    _, at, said, line = named[0]
    words = wrong_words(line)
    sessions = {session for session, _, _, other in named if wrong_words(other) == words}
    return [KnownProblem(tool, SEARCHED, "", len(sessions), 0, at, said, line)] if len(sessions) >= _LEAST_SESSIONS else []
