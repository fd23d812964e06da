"""What earlier work left, for a prompt that only asks to go on: its result, and what was named as next or open.

"Continue where we left off" means this at any prompt, "go on" only at the first one of a session; later the agent knows what is meant.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know.findings import says_enough
from memorybank.cycle.know.search import IS_SEEN
from memorybank.cycle.know.works import joined, telling
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.continuing import continued_by
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP
from memorybank.text.prose.open_points import names_open
from memorybank.text.prose.passages import excerpt
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage
    from memorybank.text.prompts.continuing import Continued

RESULT_CHARACTERS = 240
_LEFT_CHARACTERS = 120
_KEPT = 90 * DAY
"""Age up to which work is looked for that a prompt names."""
_LEAST_SAME = 2
"""Content words that a report has in common with the open point that it closes."""
_SHORT_PROMPT = 200
"""Characters up to which a prompt can be about nothing but what came before."""
_SUBJECT = 4
"""Words of a prompt that some passage contains, from which it has a subject of its own."""
_MOST_TURNS, _MOST_SESSIONS, _MOST_ANSWERS = 6, 12, 400
"""Turns of a session, sessions about some work, and answers that are read, the newest first."""
_REFERS_BACK = lazy_pattern(
    r"\bleft off\b|(?:^\W*|\b(?:from|in|of) )(?:the |our |my |your )?(?:last|previous) session\b|\b(?:where|what)\b[^.?!]{0,30}\blast time\b"
    r"|\b(?:continue|carry on|go on|pick up|resume)\b.{0,40}\b(?:yesterday|this morning|earlier|last (?:week|friday|night))\b"
    r"|(?:前回|昨日|先日|先週)の(?:続き|作業|セッション)|続きから",
    "i",
)


class Work(Value):
    """What earlier work left.

    at: instant of the last answer of its session (ms).
    result: the passages that say most about what it did or found; asked: the request in their turn; left: the sentence that says what is left. ""
    for what is unknown.
    """

    session: str
    at: int
    result: str
    asked: str
    left: str = ""

    @property
    def memory(self) -> str:
        """The id of its memory."""
        return f"session:{self.session}"


class GoingOn(Value):
    """Whether and how a prompt goes on with earlier work.

    asked: what it asks to go on with.
    refers_back: whether it speaks of where earlier work stopped.
    """

    prompt: str
    asked: Continued | None
    refers_back: bool


def going_on(prompt: str) -> GoingOn:
    """Return whether and how a prompt goes on with earlier work."""
    return GoingOn(prompt, continued_by(prompt), len(prompt) <= _SHORT_PROMPT and _REFERS_BACK.search(prompt) is not None)


class Continuing:
    """Looks for the work that a prompt continues.

    age: of the last session, at most (ms); task: of the current session.
    """

    def __init__(self, earlier: Earlier, age: int, task: str | None) -> None:
        self.earlier = earlier
        self.connection = earlier.connection
        self.rarity = earlier.rarity
        self.age = age
        self.task = task

    def find(self, going: GoingOn, *, is_first: bool) -> Work | None:
        """Return what the work that a prompt continues left; None if it continues none, or an earlier one that cannot be found. is_first: whether the prompt
        begins its session: in another one the agent knows what "go on" means."""
        asked = going.asked if is_first else None
        if not (asked or going.refers_back):
            return None
        if asked is not None and asked.work:
            return self._of_work(asked)
        session = self._last_session()
        answers = self._last_answers(session) if session else []
        if not answers or (asked is None and self._is_about_another(going.prompt, answers)):
            return None
        return self._work(answers, self._left(answers) if asked is not None else "")

    def _of_work(self, asked: Continued) -> Work | None:
        """Return what the work that a prompt names left: of the last session about it that left something, else of the last one."""
        terms = set(content_terms(asked.work))
        self.rarity.learn(terms)
        if not terms or not all(map(self.rarity.count, terms)):
            return None
        found: tuple[list[Passage], str] | None = None
        newer: list[Passage] = []
        for session in self._sessions_about(terms):
            answers = self._last_answers(session)
            left = self._left(answers, terms)
            left = "" if _closes(newer, set(content_terms(left))) else left
            newer += answers
            if answers and (left or found is None):
                found = answers, left
            if left:
                break
        return self._work(*found) if found is not None else None

    def _work(self, answers: Sequence[Passage], left: str) -> Work | None:
        told = self._said_last(answers, RESULT_CHARACTERS)
        if not told and not left:
            return None
        result = joined(told, RESULT_CHARACTERS)
        asked_for = self._asked(told[0].turn) if told else ""
        return Work(answers[-1].session, answers[-1].at, result, asked_for, "" if left.rstrip(" …") in result else left)

    def _last_session(self) -> str:
        """Return the last session of the same task, else the last one."""
        last = f"SELECT session FROM passages WHERE kind = '{ANSWER}' AND session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN}"
        of_task = " AND EXISTS (SELECT 1 FROM events e WHERE e.file = passages.file AND e.offset = passages.offset AND e.task = ?)"
        order = " ORDER BY at DESC, session LIMIT 1"
        now = self.earlier.now
        values = (self.earlier.own, now - self.age, now)
        row = self.connection.execute(f"{last}{of_task}{order}", (*values, self.task)).fetchone() if self.task else None
        row = row or self.connection.execute(f"{last}{order}", values).fetchone()
        return str(row[0]) if row is not None else ""

    def _sessions_about(self, terms: Collection[str]) -> list[str]:
        """Return the last sessions in which all these terms were said."""
        now = self.earlier.now
        wanted = " AND ".join(f'"{term.replace(chr(34), "")}"' for term in terms)
        found = f"SELECT rowid FROM passage_text WHERE passage_text MATCH ? ORDER BY rowid DESC LIMIT {_MOST_ANSWERS}"
        asked = f"SELECT session FROM passages WHERE id IN ({found}) AND session <> ? AND at BETWEEN ? AND ? AND kind IN ('{ANSWER}', '{SAID}') AND {IS_SEEN}"
        rows = self.connection.execute(f"{asked} GROUP BY session ORDER BY max(at) DESC LIMIT {_MOST_SESSIONS}", (wanted, self.earlier.own, now - _KEPT, now))
        return [row[0] for row in rows]

    def _is_about_another(self, prompt: str, answers: Sequence[Passage]) -> bool:
        """Return whether a prompt is about something known here that none of these answers mentions: "put the retries into memory? What happened last
        time?"."""
        asked = set(content_terms(_REFERS_BACK.sub(" ", prompt)))
        self.rarity.learn(asked)
        known = [term for term in asked if self.rarity.count(term)]
        return len(known) >= _SUBJECT and asked.isdisjoint(term for answer in answers for term in answer.terms)

    def _last_answers(self, session: str) -> list[Passage]:
        """Return the passages of a session's last answers."""
        last = f"SELECT DISTINCT offset FROM passages WHERE session = ?1 AND kind = '{ANSWER}' ORDER BY offset DESC LIMIT {_MOST_TURNS}"
        found = self.earlier.selected(f"session = ?1 AND kind = '{ANSWER}' AND {IS_SEEN} AND offset IN ({last}) ORDER BY p.id", (session,))
        return [*filter(self.earlier.shows, found)]

    def _said_last(self, answers: Sequence[Passage], limit: int) -> Sequence[Passage]:
        """Return the answers of the last turn that tells something, and of those before it that fit too: where a session stopped, and what it left to do.

        That it committed tells nothing.
        """
        found: list[Passage] = []
        for turn in dict.fromkeys(passage.turn for passage in reversed(answers)):
            said = [passage for passage in answers if passage.turn == turn]
            if not any(says_enough(passage) for passage in said):
                continue
            if sum(len(passage.text) for passage in (*found, *said)) > limit:
                return found or telling(self.rarity, said, limit)
            found += said
        return found or telling(self.rarity, answers, limit)

    def _left(self, answers: Sequence[Passage], terms: Collection[str] = ()) -> str:
        """Return the last sentence that says what is left to do. terms: of which it, its turn, or a step must be."""
        for passage in reversed(answers):
            said = [sentence for sentence in sentences(readable(passage.text)) if names_open(sentence)]
            of_turn = {term for one in answers if terms and said and one.turn == passage.turn for term in one.terms}
            said = [sentence for sentence in said if not terms or STEP.search(sentence) is not None or not of_turn.isdisjoint(terms)]
            if said:
                return excerpt(next((sentence for sentence in said if STEP.search(sentence) is not None), said[-1]), _LEFT_CHARACTERS)
        return ""

    def _asked(self, turn: int | None) -> str:
        """Return the first sentence with which a person began a turn, or the title of what they pasted."""
        of_turn = "turn = ?1 AND session = (SELECT session FROM turns WHERE id = ?1)"
        row = self.connection.execute(f"SELECT text FROM passages WHERE {of_turn} AND kind = '{SAID}' AND {IS_SEEN} ORDER BY id LIMIT 1", (turn,)).fetchone()
        return str(row[0]) if row is not None else ""


def _answered(said: Sequence[Passage]) -> Iterator[str]:
    return (sentence for passage in said if passage.kind == ANSWER for sentence in sentences(passage.text))


def _closes(said: Sequence[Passage], left: Collection[str]) -> bool:
    """Return whether answers report on an open point with these terms that it is no longer open."""
    for terms in map(set, map(content_terms, (sentence for sentence in _answered(said) if left and not names_open(sentence)))):
        if len(terms.intersection(left)) >= _LEAST_SAME and 2 * len(terms.intersection(left)) >= len(left):
            return True
    return False
