"""What is left of an overview of the project at one moment: all of it if the prompt asks for it, else what it says about a part that the prompt names.

A clause describes the day of the overview: once a later session changed the file, or the file is gone, the clause is not shown. A call that reads or edits
the file shows the agent more than that.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, REMARK
from memorybank.cycle.know.search import IS_SEEN
from memorybank.reasons.reason import Reason
from memorybank.storage import system as os
from memorybank.text.prose.overviews import about, is_overview, names, parts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

OVERVIEW = Reason("recall.overview")
_OF_NAME = "name = ?1 OR name LIKE '%/' || ?1"
_CHANGED = f"SELECT 1 FROM turn_files JOIN turns ON id = turn WHERE ({_OF_NAME}) AND at > ?2 AND at <= ?3 AND session <> ?4 AND {IS_SEEN} LIMIT 1"
_TOUCHED = "SELECT DISTINCT substr(anchor, 6) FROM sharers WHERE anchor = 'file:' || ?1 OR anchor LIKE 'file:%/' || ?1"


class Overviews:
    """The overviews at one moment, of which a call is shown nothing. root: the folder that paths are relative to; asked: the prompt, "" at a call"""

    def __init__(self, earlier: Earlier, root: str, asked: str) -> None:
        self.earlier = earlier
        self.root = root
        self.wants_all = _asks_for_all(asked)
        self._names = names(asked)

    def left(self, passage: Passage, text: str) -> str:
        """Return what of the text of a passage is not an overview, or is about what the moment names; "" for nothing. text: what else is left of it"""
        if passage.kind not in (ANSWER, REMARK) or self.wants_all or not is_overview(text):
            return text
        named = [part for part in parts_in(text) if part.rpartition("/")[2].lower() in self._names and not self._is_over(part, passage)]
        return about(text, named) if named else ""

    def _is_over(self, part: str, passage: Passage) -> bool:
        """Return whether a later session changed a part, or it is gone."""
        name = part.rpartition("/")[2]
        if self.earlier.connection.execute(_CHANGED, (name, passage.at, self.earlier.now, passage.session)).fetchone() is not None:
            return True
        known = [path for (path,) in self.earlier.connection.execute(_TOUCHED, (name,))]
        return bool(known) and not any(os.path.exists(f"{self.root}/{path}") for path in known)


def _asks_for_all(prompt: str) -> bool:
    if not prompt:
        return False
    from memorybank.text.prompts.questions import asks_for_parts  # late: a call asks nothing

    return asks_for_parts(prompt)
