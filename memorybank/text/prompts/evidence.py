"""What in a sentence speaks for and against its being valid after the task in which a person typed it."""

from __future__ import annotations

__light__ = True

from memorybank import bytecode
from memorybank.text.pattern import LazyPattern, has_folded, lazy_pattern
from memorybank.values import Memo, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

ENOUGH = 4
"""Minimum sum of the weights of the evidence in a sentence that lasts."""
SAID_AGAIN = 3
"""Weight of the words by which a person repeats what was said before: what has to be said again was meant to last."""
_MOST_JUDGED = 256
"""Sentences that a table remembers."""
A_FAULT = "a fault"
FOR_NOW = "order for now"
OF_THE_MOMENT = "of the moment"
TO_KEEP = frozenset(("request to remember", "request not to forget", "labelled as a rule", "rule for a file of instructions", "order for the future"))
"""What says that a sentence is to be kept, whatever else it says."""
OF_THE_SENTENCE = frozenset(
    ("what others say", "printed by a program", "message of a program", OF_THE_MOMENT, "doubt", A_FAULT, "what the product does", "a proposal")
)
"""What speaks against each part of a sentence if it speaks against the sentence."""
SAYS_HOW_LONG = TO_KEEP | frozenset(
    (
        *("for all time", "as always", "order that begins with never or always", "order never to", "order to do always", "in no case", "said again"),
        *("what never happens to a kind", "what each of a kind has", "what holds of all of a kind", "all of a kind", "things of a kind", "a measure"),
        *("whenever somebody does something", "around a step of work", "before a step of work", "steps of a kind of work", "how work is divided"),
        *("what is not done in a kind of work", "what is not done in a folder", "what is not done at some times", "no things of a kind", "one of a kind only"),
        *("order about things of a kind", "of things, not to", "nothing else", "prohibition", "order not to", "what happens otherwise", "what recurs"),
        *("what a team does not do", "work that a team does not do", "habit of a team", "of this team or project", "of a team or project"),
        *("whose business it is", "who may do something", "care for what comes later", "the one place of things of a kind", "in this repository"),
        *("an answer that always holds", "what a person likes", "how the agent deals with the person", "what a person does not bear"),
        *("what a person does not want done", "what a person fears", "not any more", "language of the answers"),
    )
)
"""What says that a sentence applies to more than the task: a time, a kind of work or of its products, a group of people. The rest of what speaks for a
sentence (a name, a preference between two things, how the product is to behave) is as common in orders for one task."""
_QUOTED = lazy_pattern(
    r'"(?=\S{1,80} \S{1,80} \S)[^"\n:/=_]{12,400}(?:"|$)|"[^"\n]{40,400}"|“(?=\S{1,80} \S{1,80} \S)[^”\n]{12,400}”?|「[^」\n]{9,400}(?:」|$)'
)
"""Matches what stands in quotation marks and is more than a name or a command: the sentence around it is judged, not the quotation."""


LITERALS = "literals of evidence"
"""The key in the hooks' file of {pattern of a row: words of which every text with a match contains one, in lower case} (`hosts.literals`)."""
sifted: list[str] = []
"""The patterns of all rows in the tables loaded so far."""


class Evidence(Value):
    """One thing in a sentence that speaks for its lasting, or against it.

    weight: positive if it speaks for it.
    kind: the kind of statement (`stated`) that it speaks for; "" for none.
    what: what it is, in a few words.
    """

    weight: int
    kind: str
    what: str


class EvidenceTable:
    """The evidence that sentences of one language may contain.

    spelled: returns a sentence with its short spellings ("dont", "thru") written out.
    introduction: words at the beginning that say nothing ("please", "ok, I think").
    repeated: words by which a person repeats what was said before.
    question: a question, or a request in the form of one.
    reason: the part of a sentence that gives a reason. Nothing in it speaks against the rest: "Never cache it, because readers watch the page".
    rows: (weight, kind, what, pattern). Patterns ignore case. No row is meant to decide alone.
    """

    __slots__ = ("_against", "_in_favour", "_introduction", "_judged", "_literals", "_question", "_reason", "_repeated", "_spelled")

    def __init__(
        self,
        spelled: Callable[[str], str],
        introduction: re.Pattern[str],
        repeated: re.Pattern[str],
        question: re.Pattern[str],
        reason: re.Pattern[str],
        *rows: tuple[int, str, str, str],
    ) -> None:
        self._spelled = spelled
        self._introduction = introduction
        self._repeated = repeated
        self._question = question
        self._judged = Memo(self._judge, _MOST_JUDGED)  # each sentence is judged, and asked about again as the one before the next
        self._reason = reason
        given = [(Evidence(weight, kind, what), LazyPattern(f"(?i){pattern}")) for weight, kind, what, pattern in rows]
        sifted.extend(pattern.pattern for _, pattern in given)
        self._literals: dict[str, tuple[str, ...]] | None = None
        self._in_favour = [row for row in given if row[0].weight >= 0]
        self._against = [row for row in given if row[0].weight < 0]

    def find(self, sentence: str, further: int = 0) -> list[Evidence]:
        """Return the evidence in a sentence. A question has none. What speaks against it is looked for only if what speaks for it is enough.

        further: weight of what other sentences say for it.
        """
        return self._found(sentence, further, None)

    def enough(self, sentence: str, further: int = 0) -> list[Evidence]:
        """Return what `find` does, [] if that is not enough. Most sentences state nothing lasting, which some of the patterns show."""
        found = self._found(sentence, further, ENOUGH - further)
        return found if further + sum(evidence.weight for evidence in found) >= ENOUGH else []

    def _found(self, sentence: str, further: int, least: int | None) -> list[Evidence]:
        judged, is_repeated, asks = self._judged[sentence]
        if asks:
            return []
        found = [Evidence(SAID_AGAIN, "", "said again")] if is_repeated else []
        found += self._matching(self._in_favour, judged, least if least is None or not is_repeated else least - SAID_AGAIN)
        if further + sum(evidence.weight for evidence in found) >= ENOUGH:
            claimed = self._reason.sub("", judged, count=1)
            found += self._matching(self._against, claimed, None)
        return found

    def _matching(self, rows: list[tuple[Evidence, LazyPattern]], text: str, least: int | None) -> list[Evidence]:
        """Return the evidence whose patterns match, in the order of the rows. A pattern without its words in the text is not even loaded.

        least: weight that the evidence must have together; with less, any part of it may be returned. None for all evidence.
        """
        if self._literals is None:
            found = bytecode.program(LITERALS)
            # The file of the commands has no such words: it compiles every text that a process missed in it, as if this were a pattern.
            self._literals = found if isinstance(found, dict) else {}
        literals = self._literals if text.isascii() or not has_folded(text) else {}
        lowered = text.lower()
        left: list[tuple[int, bool, int]] = []
        """(negative weight, whether the pattern is looked for in every text, place) of the rows that may match."""
        for place, (evidence, pattern) in enumerate(rows):
            words = literals.get(pattern.pattern)
            if words:
                for word in words:
                    if word in lowered:
                        break
                else:
                    continue
            left.append((-evidence.weight, not words, place))
        if least is None:
            return [rows[place][0] for *_, place in left if rows[place][1].find(text)]
        left.sort()  # what weighs most first, so that what is left is soon too little
        possible = -sum([weight for weight, *_ in left])
        places = []
        for weight, _, place in left:
            if possible < least:
                return []
            if rows[place][1].find(text):
                places.append(place)
            else:
                possible += weight
        return [rows[place][0] for place in sorted(places)]

    def asks(self, sentence: str) -> bool:
        """Return whether a sentence is a question, or a request in the form of one."""
        return self._judged[sentence][2]

    def repeats(self, sentence: str) -> bool:
        """Return whether a sentence begins with words by which a person repeats what was said before."""
        return self._judged[sentence][1]

    def _judge(self, sentence: str) -> tuple[str, bool, bool]:
        """Return (a sentence without its introduction and long quotations, whether it repeats what was said before, whether it is a question)."""
        plain = self._introduction.sub("", self._spelled(_QUOTED.sub('"…"', sentence)), count=1)
        said = self._repeated.sub("", plain, count=1)
        judged = self._introduction.sub("", said, count=1) if said != plain else plain
        return judged, said != plain, self._question.search(judged) is not None
