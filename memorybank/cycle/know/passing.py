"""What is over of what earlier sessions said: the state of that moment once work went on, and causes that were only supposed.

A text tells everything that its turn ended with, and agents end with what is left, next or offered. Of the newest session of a branch this still holds, unless
a later turn was about the same; of an earlier one it does not, whoever settled it. A prompt that asks what is left wants to know it all the same.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, REMARK, SAID
from memorybank.cycle.know.search import IS_SEEN
from memorybank.reasons.reason import Reason
from memorybank.summarize import listed
from memorybank.text.prose import momentary
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.know.search import Passage

OVER = Reason("recall.over")
_OF_AGENTS = (ANSWER, REMARK)
_MOST_LATER = 400
"""Later passages that are compared, the first ones after it."""
_LEAST_SHARED = 2
"""Names in common by which a later turn is about the same; one where the sentence has no other."""
_TASK = "SELECT e.task FROM passages p JOIN events e ON e.file = p.file AND e.offset = p.offset WHERE p.id = ?"
_TASK_OF = "(SELECT task FROM events e WHERE e.file = p.file AND e.offset = p.offset)"
_LATER = f"FROM passages p WHERE kind IN ('{ANSWER}', '{SAID}') AND at > ? AND at <= ? AND {IS_SEEN}"
_GOES_ON = f"SELECT 1 {_LATER} AND session NOT IN (?, ?) AND ifnull({_TASK_OF} = ?, ?) LIMIT 1"
"""Whether a later session worked on the same branch; on any, where the branch is unknown (the last value is 1)."""
_TERMS = f"SELECT (SELECT terms FROM passage_terms t WHERE t.id = p.id) {_LATER} AND turn IS NOT ? ORDER BY at LIMIT {_MOST_LATER}"


class Passing:
    """What is over, for the reader of one moment.

    own: id of the current session.
    now: ms.
    prompt: of the current event; "" at calls and failures.
    has_left_out: whether all of a passage was left out.
    """

    def __init__(self, connection: Connection, own: str, now: int, prompt: str) -> None:
        self.connection = connection
        self.own = own
        self.now = now
        self.asks_for_open = bool(prompt) and _asks_for_open(prompt)
        self.has_left_out = False
        self._later: dict[int, list[set[str]]] = {}

    def leave_out(self, passage: Passage) -> bool:
        """Leave out of the text of a passage what is over. Return whether nothing would be left; its text then stays."""
        if passage.kind not in _OF_AGENTS:
            return False
        left = momentary.lasting(passage.text, lambda sentence: self._is_over(passage, sentence))
        if not left:
            self.has_left_out = True
            return True
        if left == passage.text:
            return False
        passage.text = left
        # Its terms stay: with fewer of them, a passage would rank as one that says little else than what was asked.
        terms = set(content_terms(f"{passage.heading}\n{left}"))
        passage.matched = [term for term in passage.matched if term in terms]
        return False

    def _is_over(self, passage: Passage, sentence: str) -> bool:
        """Return whether work went on after a passage: in a later session of its branch, or in any later turn about what the sentence says or that branch."""
        if self.asks_for_open:
            return False
        (task,) = self.connection.execute(_TASK, (passage.id,)).fetchone() or (None,)
        span = passage.at, self.now
        if self.connection.execute(_GOES_ON, (*span, passage.session, self.own, task, task is None)).fetchone() is not None:
            return True
        if passage.id not in self._later:
            rows = self.connection.execute(_TERMS, (*span, passage.turn))
            self._later[passage.id] = [set(terms.split(" ")) for (terms,) in rows]
        from memorybank.text.words.everyday import is_name  # late: few sentences tell of a moment

        names, branch = set(filter(is_name, content_terms(sentence))), set(content_terms(listed.name_of(task))) if task else set()
        least = min(_LEAST_SHARED, len(names))
        return any((least and len(names & terms) >= least) or (branch and branch <= terms) for terms in self._later[passage.id])


def _asks_for_open(prompt: str) -> bool:
    from memorybank.text.prompts.continuing import continued_by  # late: a call asks nothing
    from memorybank.text.prompts.phases import phase_in
    from memorybank.text.prompts.questions import asks_for_open

    return asks_for_open(prompt) or continued_by(prompt) is not None or phase_in(prompt) is not None
