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
from memorybank.text.prompts.accepting import accepts
from memorybank.text.prose import momentary
from memorybank.text.prose.instructive import considers
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

    Later = tuple[set[str], list[set[str]]]
    """(words of the branch of a passage, those of each passage that was said after it)."""

OVER = Reason("recall.over")
_OF_AGENTS = (ANSWER, REMARK)
_MOST_LATER = 400
"""Later passages that are compared, the first ones after it."""
_LEAST_SHARED = 2
"""Names in common by which a later turn is about the same; one where the sentence has no other."""
_TASK = "SELECT e.task FROM passages p JOIN events e ON e.file = p.file AND e.offset = p.offset WHERE p.id = ?"
_TASK_OF = "(SELECT task FROM events e WHERE e.file = p.file AND e.offset = p.offset)"
_LATER = f"FROM passages p WHERE kind IN ('{ANSWER}', '{SAID}') AND at > ? AND at <= ? AND {IS_SEEN}"
_GOES_ON = f"SELECT at, session {_LATER} AND session NOT IN (?, ?) AND ifnull({_TASK_OF} = ?, ?) LIMIT 1"
"""A passage of a later session that worked on the same branch; on any, where the branch is unknown (the last value is 1)."""
_NEXT = "SELECT t.id FROM passages p JOIN turns t ON t.file = p.file AND t.offset > p.offset WHERE p.id = ? ORDER BY t.offset LIMIT 1"
_REPLY = f"SELECT text FROM passages WHERE session IS ? AND turn = ? AND kind = '{SAID}' ORDER BY id LIMIT 1"
_REPAIRED = "SELECT 1 FROM failures WHERE id = ? AND mended IS NOT NULL"
_DID = "SELECT 1 FROM turn_files WHERE turn = ?1 UNION ALL SELECT 1 FROM commits WHERE turn = ?1 LIMIT 1"
_TERMS = f"SELECT (SELECT terms FROM passage_terms t WHERE t.id = p.id) {_LATER} AND turn IS NOT ? ORDER BY at LIMIT {_MOST_LATER}"


class Passing:
    """What is over at one moment. asks_for_open: whether a prompt wants to know what is left, next or open."""

    def __init__(self, earlier: Earlier, *, asks_for_open: bool) -> None:
        self.earlier = earlier
        self.asks_for_open = asks_for_open
        self._later: dict[int, Later | None] = {}
        self._latest: dict[str | None, tuple[int, str]] = {}
        """{branch: (instant, session) of a passage that was found on it}."""
        self._ended: dict[tuple[str | None, str], int] = {}
        """{(branch, session): the instant after which no other session worked on it}."""

    def left(self, passage: Passage) -> str:
        """Return what of the text of a passage still holds, "" for nothing."""
        if passage.kind not in _OF_AGENTS:
            return passage.text
        if considers(f"{passage.heading}:") and self._is_over(passage, f"{passage.heading}: {passage.text}"):
            return ""
        return momentary.lasting(passage.text, lambda sentence: self._is_over(passage, sentence))

    def _is_over(self, passage: Passage, sentence: str) -> bool:
        """Return whether work went on after a passage: in a later session of its branch, or in any later turn about what the sentence says or that branch."""
        if self.asks_for_open or (considers(sentence) and self._is_accepted(passage)):
            return False
        if momentary.fails_now(sentence) and self._went_on(passage):
            return not self._is_repaired(passage)
        if passage.id not in self._later:
            self._later[passage.id] = self._after(passage)
        later = self._later[passage.id]
        if later is None:
            return True
        from memorybank.text.words.everyday import is_name  # late: few sentences tell of a moment

        names, (branch, said) = set(filter(is_name, content_terms(sentence))), later
        least = min(_LEAST_SHARED, len(names))
        return any((least and len(names & terms) >= least) or (branch and branch <= terms) for terms in said)

    def _went_on(self, passage: Passage) -> bool:
        """Return whether the session of a passage went on: within the turn, or with another one."""
        return passage.kind == REMARK or self.earlier.connection.execute(_NEXT, (passage.id,)).fetchone() is not None

    def _is_repaired(self, passage: Passage) -> bool:
        """Return whether it is known that the call before a passage worked later: then the cause that the passage names is one."""
        return self.earlier.connection.execute(_REPAIRED, (passage.failure,)).fetchone() is not None

    def _is_accepted(self, passage: Passage) -> bool:
        """Return whether the next prompt of its session accepts what a passage proposes. Of a short "yes" only what its turn changed is known."""
        connection = self.earlier.connection
        (turn,) = connection.execute(_NEXT, (passage.id,)).fetchone() or (None,)
        (reply,) = connection.execute(_REPLY, (passage.session, turn)).fetchone() or ("",)
        return accepts(reply) if reply else connection.execute(_DID, (turn,)).fetchone() is not None

    def _after(self, passage: Passage) -> Later | None:
        """Return what was said after a passage; None if a later session worked on its branch."""
        connection, span = self.earlier.connection, (passage.at, self.earlier.now)
        (task,) = connection.execute(_TASK, (passage.id,)).fetchone() or (None,)
        if self._goes_on(passage, task):
            return None
        rows = connection.execute(_TERMS, (*span, passage.turn))
        return set(content_terms(listed.name_of(task))) if task else set(), [set(terms.split(" ")) for (terms,) in rows]

    def _goes_on(self, passage: Passage, task: str | None) -> bool:
        """Return whether a later session worked on the branch of a passage. Where none did, all later passages are read, so what is known of others counts."""
        at, session = self._latest.get(task, (0, ""))
        if at > passage.at and session != passage.session:
            return True
        if self._ended.get((task, passage.session), passage.at + 1) <= passage.at:
            return False
        values = passage.at, self.earlier.now, passage.session, self.earlier.own, task, task is None
        found = self.earlier.connection.execute(_GOES_ON, values).fetchone()
        if found is None:
            self._ended[task, passage.session] = passage.at
        else:
            self._latest[task] = found
        return found is not None
