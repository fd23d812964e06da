"""What earlier work left, for a prompt that only asks to go on: its result, what was named as next or open, and the lines of the plan's phase.

"Continue where we left off" means this at any prompt, "go on" only at the first one of a session; later the agent knows what is meant.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know.findings import says_enough
from memorybank.cycle.know.plans import KEPT, Plans, closes
from memorybank.cycle.know.search import IS_SEEN
from memorybank.cycle.know.works import joined, telling
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.continuing import continued_by
from memorybank.text.prompts.phases import phase_in
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP, step_of
from memorybank.text.prose.open_points import names_open
from memorybank.text.prose.passages import excerpt
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.plans import Plan
    from memorybank.cycle.know.search import Passage
    from memorybank.text.prompts.continuing import Continued
    from memorybank.text.prompts.phases import Phase

RESULT_CHARACTERS = 240
_LEFT_CHARACTERS, _PLAN_CHARACTERS, _CHARACTERS = 120, 180, 360
"""Characters of what is left, of the lines of a plan, and of all together."""
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
_DONE = lazy_pattern(
    r"^(?![^.。,、;]{0,24}(?:half|third|quarter|part|most|near|almost|not|n['’]t|never|%|半分|ほぼ|一部|途中|まだ|ません))"
    r"(?!(?:(?!\b(?:and|but)\b)[^.。,、;]){0,24}\b(?:to|will|can|should|must) be\b)[^.。,、;:：(（–—]{0,24}"
    r"(?:\b(?:done|complete|completed|finished|merged|ready|implemented|built|in place|shipped|landed|deployed|committed|live)\b"
    r"|完了|終わ|終え|済|完成|(?:でき|出来)(?:ました|てい(?:ます|る))|(?:作り|書き|入れ|仕上げ|片付け|片付き)ました"
    r"|(?:実装|対応|作成|反映|導入|適用|構築|移行|用意|マージ|リリース|デプロイ|コミット)(?:を)?(?:いた)?し(?:ました|てあります|た(?=$|[。、！!])))",
    "i",
)
"""Matches what follows a step that is done."""
_VERDICT = lazy_pattern(
    r"^\s*[:：(（–—-]\s*(?=(?:done|complete|finished|merged|implemented|built|shipped|landed|deployed)\b|完了|済|終わ|実装|対応)|^\s*[(（][^()（）]{0,40}[)）]",
    "i",
)
"""Matches between a step and the word that it is done: "Step 2: done", "Step 1 (the table) is done"."""
_IS_AHEAD = lazy_pattern(r"(?:\b(?:next|left|remaining|open|still)\b|次|残り|未)[^.。]{0,20}$", "i")
_IS_HELD = lazy_pattern(r"[^.。,、;]{0,24}(?:\b(?:needs?|blocked|until|next|waits?|open)\b|未|予定|条件|残)", "i")
"""Match around a step that is not done, before it and after it."""
_HAS_DONE = lazy_pattern(
    r"(?:^|\b(?:i|we|now|and|have|has|ve|that) )(?:complete[ds]|finish(?:ed|es)|implemented|built|merged|shipped|(?:done|finished) with) (?:all of )?$", "i"
)
"""Matches what comes before a step that is done: "I implemented step 1"."""


class Work(Value):
    """What earlier work left.

    at: instant of the last answer of its session (ms).
    result: the passages that say most about what it did or found; asked: the request in their turn; left: the sentence that says what is left; plan: the lines
    of the phase that is next in the plan of a person. "" for what is unknown. is_of_phase: whether a phase or step was asked for.
    """

    session: str
    at: int
    result: str
    asked: str
    left: str = ""
    plan: str = ""
    is_of_phase: bool = False

    @property
    def memory(self) -> str:
        """The id of its memory."""
        return f"session:{self.session}"


class GoingOn(Value):
    """Whether and how a prompt goes on with earlier work.

    phase: the phase or step of a plan that it asks for.
    asked: what it asks to go on with.
    refers_back: whether it speaks of where earlier work stopped.
    """

    prompt: str
    phase: Phase | None
    asked: Continued | None
    refers_back: bool


def going_on(prompt: str) -> GoingOn:
    """Return whether and how a prompt goes on with earlier work."""
    return GoingOn(prompt, phase_in(prompt), continued_by(prompt), len(prompt) <= _SHORT_PROMPT and _REFERS_BACK.search(prompt) is not None)


class Continuing:
    """Looks for the work that a prompt continues.

    age: of the last session, at most (ms); task: of the current session; folder: of the logs; places: see `Plans`.
    """

    def __init__(self, earlier: Earlier, age: int, task: str | None, folder: str, places: Sequence[tuple[str, str]]) -> None:
        self.earlier = earlier
        self.connection = earlier.connection
        self.rarity = earlier.rarity
        self.age = age
        self.task = task
        self.plans = Plans(earlier, folder, places)

    def find(self, going: GoingOn, *, is_first: bool) -> Work | None:
        """Return what the work that a prompt continues left; None if it continues none, or an earlier one that cannot be found. is_first: whether the prompt
        begins its session: in another one the agent knows what "go on" means."""
        asked = going.asked if is_first else None
        of_phase = self._of_phase(going.phase) if is_first and going.phase is not None else None
        if of_phase is not None or not (asked or going.refers_back):
            return of_phase
        if asked is not None and asked.work:
            return self._of_work(asked)
        session = self._last_session()
        answers = self._last_answers(session) if session else []
        if not answers or (asked is None and self._is_about_another(going.prompt, answers)):
            return None
        left = self._left(answers) if asked is not None else ""
        step = (asked.step or _next_in(answers, left)) if asked is not None else 0
        return self._work(answers, step, left, self.plans.of_answers(answers, step) if step else None)

    def _of_phase(self, asked: Phase) -> Work | None:
        """Return what the last session on a phase of a plan left, or else the last one on this plan, with the lines of the phase; None without such a plan."""
        plan = self.plans.named(asked.step, content_terms(asked.work), is_step=asked.is_step if asked.step else None)
        if plan is None:
            return None
        session = self.plans.last_session(plan, asked.step) or self.plans.last_session(plan, 0)
        answers = self._last_answers(session) if session else []
        if not answers:
            return Work(plan.session, plan.at, "", "", "", _lines_of(plan, asked.step), is_of_phase=True) if asked.step else None
        left = self._left(answers)
        return self._work(answers, asked.step or _next_in(answers, left), left, plan, is_of_phase=True)

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
            left = "" if closes(newer, [set(content_terms(left))]) else left
            newer += answers
            if answers and (left or found is None):
                found = answers, left
            if left:
                break
        if found is None:
            return None
        plan = self.plans.named(asked.step, terms)
        later = self._last_answers(self.plans.last_session(plan, 0)) if plan is not None else []
        if later and later[-1].at > found[0][-1].at:
            found = later, self._left(later)
        answers, left = found
        step = asked.step or _next_in(answers, left)
        return self._work(answers, step, left, plan or self.plans.of_answers(answers, step))

    def _work(self, answers: Sequence[Passage], step: int, left: str, plan: Plan | None, *, is_of_phase: bool = False) -> Work | None:
        steps = _lines_of(plan, step) if plan is not None else ""
        limit = min(RESULT_CHARACTERS, _CHARACTERS - len(steps) - len(left))
        told = self._said_last(answers, limit)
        if not told and not left and not steps:
            return None
        result = joined(told, limit)
        asked_for = self._asked(told[0].turn) if told else ""
        return Work(answers[-1].session, answers[-1].at, result, asked_for, "" if left.rstrip(" …") in result else left, steps, is_of_phase)

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
        rows = self.connection.execute(f"{asked} GROUP BY session ORDER BY max(at) DESC LIMIT {_MOST_SESSIONS}", (wanted, self.earlier.own, now - KEPT, now))
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


def _text_of(answers: Sequence[Passage]) -> str:
    """Return the last answer among these that names a step of a plan; "" without one."""
    return next((passage.text for passage in reversed(answers) if STEP.search(passage.text) is not None), "")


def _next_in(answers: Sequence[Passage], left: str) -> int:
    """Return the step that comes next after these answers, of which a sentence says what is left; 0 if they name none."""
    return _next_step(left) or _next_step(_text_of(answers))


def _lines_of(plan: Plan, step: int) -> str:
    return excerpt(plan.steps.get(step, ""), _PLAN_CHARACTERS)


def _next_step(left: str) -> int:
    """Return the step that a sentence names as next, the one after the last that it calls done; 0 if it names none."""
    named = [(step_of(step), _is_done(left, step)) for step in STEP.finditer(left)]
    return next((number for number, is_done in named if not is_done), max((number + 1 for number, _ in named), default=0))


def _is_done(said: str, step: re.Match[str]) -> bool:
    before, after = said[: step.start()], said[step.end() :]
    if _IS_AHEAD.search(before) is not None or _IS_HELD.match(after) is not None:
        return False
    return _DONE.match(_VERDICT.sub(" ", after, count=1)) is not None or _HAS_DONE.search(said[: step.start()].lstrip("-* ")) is not None
