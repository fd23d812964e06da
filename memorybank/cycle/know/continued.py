"""What earlier work left, for a prompt that only asks to go on: its result, what was named as next or open, and the lines of the plan's phase.

"Continue where we left off" means this at any prompt, "go on" only at the first one of a session; later the agent knows what is meant.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know.findings import says_enough
from memorybank.cycle.know.search import IS_SEEN, selected
from memorybank.cycle.know.works import joined, telling
from memorybank.log import lines
from memorybank.storage import system as os
from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.continuing import STEP, Continued, continued_by, step_of
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose.open_points import names_open
from memorybank.text.prose.passages import excerpt
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterator, Sequence

    from memorybank.cycle.know.search import Passage, Rarity

RESULT_CHARACTERS = 240
_LEFT_CHARACTERS, _PLAN_CHARACTERS, _CHARACTERS = 120, 180, 360
"""Characters of what is left, of the lines of a plan, and of all together."""
_SHORT_PROMPT = 200
"""Characters up to which a prompt can be about nothing but what came before."""
_SUBJECT = 4
"""Words of a prompt that some passage contains, from which it has a subject of its own."""
_MOST_TURNS, _MOST_SESSIONS, _MOST_ANSWERS, _MOST_PROMPTS = 6, 12, 400, 150
"""Turns of a session, sessions about some work, answers and prompts that are read, the newest first."""
_KEPT = 90 * DAY
"""Age up to which a plan, and a session about the work that a prompt names, is looked for."""
_LEAST_STEPS = 2
"""Phases or steps from which a prompt contains a plan."""
_REFERS_BACK = lazy_pattern(
    r"\bleft off\b|(?:^\W*|\b(?:from|in|of) )(?:the |our |my |your )?(?:last|previous) session\b|\b(?:where|what)\b[^.?!]{0,30}\blast time\b"
    r"|\b(?:continue|carry on|go on|pick up|resume)\b.{0,40}\b(?:yesterday|this morning|earlier|last (?:week|friday|night))\b"
    r"|(?:前回|昨日|先日|先週)の(?:続き|作業|セッション)|続きから",
    "i",
)
_DONE = lazy_pattern(
    r"^(?![^.。,、;]{0,24}(?:half|third|quarter|part|most|near|almost|not|%|半分|ほぼ|一部|途中))[^.。,、;]{0,24}(?:\b(?:done|complete|completed|finished|merged|ready)\b|完了|終わ|済|できました)",
    "i",
)
"""Matches what follows a step that is done."""


class Work(Value):
    """What earlier work left.

    at: instant of the last answer of its session (ms).
    result: the passages that say most about what it did or found; asked: the request in their turn; left: the sentence that says what is left; plan: the lines
    of the phase that is next in the plan of a person. "" for what is unknown.
    """

    session: str
    at: int
    result: str
    asked: str
    left: str = ""
    plan: str = ""

    @property
    def memory(self) -> str:
        """The id of its memory."""
        return f"session:{self.session}"


class Continuing:
    """Looks for the work that a prompt continues.

    own, now, without: see `search.portions`; age: of the last session, at most (ms); task: of the current session; folder: of the logs.
    """

    def __init__(
        self, connection: Connection, rarity: Rarity, own: str, now: int, age: int, task: str | None, folder: str, without: Callable[[Passage], bool]
    ) -> None:
        self.connection = connection
        self.rarity = rarity
        self.own = own
        self.now = now
        self.age = age
        self.task = task
        self.folder = folder
        self.without = without

    def find(self, prompt: str, *, is_first: bool) -> Work | None:
        """Return what the work that a prompt continues left; None if it continues none, or an earlier one that cannot be found. is_first: whether the prompt
        begins its session."""
        asked = continued_by(prompt) if is_first else None
        if asked is None and (len(prompt) > _SHORT_PROMPT or _REFERS_BACK.search(prompt) is None):
            return None
        if asked is not None and asked.work:
            return self._of_work(asked)
        plan = self._plan(asked.step) if asked is not None and asked.step else None
        named = self._step_named_last(plan.at) if plan is not None else None
        session = named.session if named is not None else self._last_session()
        answers = self._last_answers(session) if session else []
        if not answers or (asked is None and self._is_about_another(prompt, answers)):
            return None
        return self._work(answers, asked, self._left(answers) if asked is not None else "", plan)

    def _of_work(self, asked: Continued) -> Work | None:
        """Return what the work that a prompt names left: of the last session about it that left something, else of the last one."""
        terms = set(content_terms(asked.work))
        self.rarity.learn(terms)
        if not terms or not all(map(self.rarity.count, terms)):
            return None
        found: tuple[list[Passage], str] | None = None
        for session in self._sessions_about(terms):
            answers = self._last_answers(session)
            left = self._left(answers, terms)
            if answers and (left or found is None):
                found = answers, left
            if left:
                break
        if found is None:
            return None
        plan = self._plan(asked.step, terms)
        later = self._step_named_last(plan.at) if plan is not None else None
        if later is not None and later.at > found[0][-1].at:
            answers = self._last_answers(later.session)
            found = answers, self._left(answers)
        return self._work(*found[:1], asked, found[1], plan)

    def _work(self, answers: Sequence[Passage], asked: Continued | None, left: str, plan: _Plan | None) -> Work | None:
        step = (asked.step or _next_step(left) or _next_step(_text_of(answers))) if asked is not None else 0
        if step and plan is None:
            plan = self._plan(step)
        steps = excerpt(plan.steps.get(step, ""), _PLAN_CHARACTERS) if plan is not None else ""
        limit = min(RESULT_CHARACTERS, _CHARACTERS - len(steps) - len(left))
        told = self._said_last(answers, limit)
        if not told and not left and not steps:
            return None
        result = joined(told, limit)
        asked_for = self._asked(told[0].turn) if told else ""
        return Work(answers[-1].session, answers[-1].at, result, asked_for, "" if left.rstrip(" …") in result else left, steps)

    def _last_session(self) -> str:
        """Return the last session of the same task, else the last one."""
        last = f"SELECT session FROM passages WHERE kind = '{ANSWER}' AND session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN}"
        of_task = " AND EXISTS (SELECT 1 FROM events e WHERE e.file = passages.file AND e.offset = passages.offset AND e.task = ?)"
        order = " ORDER BY at DESC, session LIMIT 1"
        values = (self.own, self.now - self.age, self.now)
        row = self.connection.execute(f"{last}{of_task}{order}", (*values, self.task)).fetchone() if self.task else None
        row = row or self.connection.execute(f"{last}{order}", values).fetchone()
        return str(row[0]) if row is not None else ""

    def _sessions_about(self, terms: Collection[str]) -> list[str]:
        """Return the last sessions in which all these terms were said."""
        wanted = " AND ".join(f'"{term.replace(chr(34), "")}"' for term in terms)
        found = f"SELECT rowid FROM passage_text WHERE passage_text MATCH ? ORDER BY rowid DESC LIMIT {_MOST_ANSWERS}"
        asked = f"SELECT session FROM passages WHERE id IN ({found}) AND session <> ? AND at BETWEEN ? AND ? AND kind IN ('{ANSWER}', '{SAID}') AND {IS_SEEN}"
        rows = self.connection.execute(f"{asked} GROUP BY session ORDER BY max(at) DESC LIMIT {_MOST_SESSIONS}", (wanted, self.own, self.now - _KEPT, self.now))
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
        found = selected(self.connection, f"session = ?1 AND kind = '{ANSWER}' AND {IS_SEEN} AND offset IN ({last}) ORDER BY p.id", (session,))
        return [passage for passage in found if not self.without(passage)]

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
        """Return the last sentence that says what is left to do. terms: of which it, its turn, or a step of a plan must be."""
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

    def _step_named_last(self, since: int) -> Passage | None:
        """Return the last answer since an instant that names a step of a plan as next or open."""
        condition = f"kind = '{ANSWER}' AND session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN} ORDER BY at DESC, p.id DESC LIMIT {_MOST_ANSWERS}"
        found = (passage for passage in selected(self.connection, condition, (self.own, since, self.now)) if STEP.search(passage.text) is not None)
        return next((passage for passage in found if not self.without(passage) and any(map(_names_open_step, sentences(passage.text)))), None)

    def _plan(self, step: int, terms: Collection[str] = ()) -> _Plan | None:
        """Return the last plan of a person with this step, if any is given, that mentions these terms."""
        for at, text in self._prompts():
            steps = steps_of(text)
            if len(steps) >= _LEAST_STEPS and (not step or step in steps) and (not terms or not set(terms).isdisjoint(content_terms(text))):
                return _Plan(at, steps)
        return None

    def _prompts(self) -> Iterator[tuple[int, str]]:
        """Yield (instant, text) of what people asked, the newest first, as it is in the logs: passages lack what was pasted."""
        asked = f"SELECT file, offset, at FROM turns WHERE session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN} ORDER BY at DESC LIMIT {_MOST_PROMPTS}"
        rows = self.connection.execute(asked, (self.own, self.now - _KEPT, self.now)).fetchall()
        names: dict[int, str] = dict(self.connection.execute("SELECT id, name FROM files"))
        for file, offset, at in rows:
            for fields in lines.read_at(os.path.join(self.folder, names[file]), (offset,)):
                text = (fields or {}).get("inputs", {}).get("text")
                if isinstance(text, str) and "\n" in text:
                    yield at, text


class _Plan(Value):
    """A plan that a person pasted. at: ms; steps: {number: its lines}."""

    at: int
    steps: dict[int, str]


def steps_of(text: str) -> dict[int, str]:
    """Return {number: text on one line} of the phases or steps of a pasted plan. Each begins at the start of a line with its name."""
    found: dict[int, list[str]] = {}
    current: list[str] | None = None
    for line in without_emphasis(text).split("\n"):
        bare = line.strip().lstrip("#*->_ ")
        step = STEP.match(bare)
        if step is not None:
            current = found.setdefault(step_of(step), [])
        elif line.startswith("#"):
            current = None  # another part of the document
        if current is not None and bare:
            current.append(line.strip().lstrip("#-> ").removeprefix("* "))
    return {number: f"{parts[0].rstrip(' :：')}: {'; '.join(parts[1:])}" if parts[1:] else parts[0] for number, parts in found.items()}


def _text_of(answers: Sequence[Passage]) -> str:
    """Return the last answer among these that names a step of a plan; "" without one."""
    return next((passage.text for passage in reversed(answers) if STEP.search(passage.text) is not None), "")


def _names_open_step(sentence: str) -> bool:
    return STEP.search(sentence) is not None and names_open(sentence)


def _next_step(left: str) -> int:
    """Return the step that a sentence names as next, the one after the last that it calls done; 0 if it names none."""
    named = [(step_of(step), _DONE.match(left[step.end() :]) is not None) for step in STEP.finditer(left)]
    return next((number for number, is_done in named if not is_done), max((number + 1 for number, _ in named), default=0))
