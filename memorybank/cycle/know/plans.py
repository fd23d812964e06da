"""The plans that people pasted, and the sessions that worked on one of their phases. Passages leave out what was pasted, so plans are read from the logs."""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know.search import IS_SEEN
from memorybank.log import lines
from memorybank.storage import system as os
from memorybank.text.commands.paths import without_places
from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.continuing import continued_by
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP, is_step, step_of
from memorybank.text.prose.open_points import names_open
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

KEPT = 90 * DAY
"""Age up to which a plan is looked for."""
_MOST_PROMPTS, _MOST_PASSAGES = 150, 400
"""Prompts in which plans are looked for, and passages in which sessions that worked on one are, the newest first."""
_LEAST_STEPS = 2
"""Phases or steps from which a prompt contains a plan."""
_ITEM = lazy_pattern(r"([ \t]*)(?:#+ )?[(（]?(?P<number>[1-9１-９]\d?)(?:[.)](?=\s|[^\x00-\x7f])|[．）、])\s*\S")
"""Matches the beginning of an item of a numbered list, with its indentation."""
_IS_PLAN = lazy_pattern(
    r"(?<!free )(?<!paid )(?<!pro )(?<!team )(?<!pricing )(?<!checkout )\b(?:plan|phase|step|stage|milestone|roadmap)s?\b(?! (?:to reproduce|page))"
    r"|\b(?:start|begin)(?:ning|ing)? (?:with|at|from) (?:the first|(?:number |no\.? ?|item |point |#)?1\b)|\bin (?:this|that|the following) order\b|順番|順に"
    r"|計画|(?<!料金)プラン|(?<!再現)手順|ステップ|段階|フェーズ|工程|ロードマップ|[1１](?:番目?|つ目)?(?:から|だけ)|(?:一番目|一つ目|最初)から",
    "i",
)
"""Matches around a numbered list that its items are done one after the other."""
_OF_FAULTS = lazy_pattern(r"\b(?:bugs?|errors?|issues?|problems?|complaints?|comments?)\b|不具合|バグ|エラー|問題|指摘", "i")
"""Matches around a list of what is wrong, which are not done one after the other."""
_CLAUSE = lazy_pattern(r"[;,:、。]|\b(?:and|but)\b")
_AHEAD = lazy_pattern(r"\b(?:next|then|not (?:yet )?(?:started|begun)|begins?|starts?)\b|次[はがに]|未着手|これから|残りは", "i")
"""Matches that a phase has not begun."""
_LEAST_SAME = 2
"""Content words that a report has in common with the open point that it closes."""


class Plan(Value):
    """A plan that a person pasted. at: ms; session: in which; steps: {number: its lines}; text: all of the prompt; is_of_steps: whether its parts are called
    steps, and not phases."""

    at: int
    session: str
    steps: dict[int, str]
    text: str
    is_of_steps: bool


class Plans:
    """Looks for plans and their sessions. folder: of the logs; places: of this machine, which no text names (`CycleContext.places`)"""

    def __init__(self, earlier: Earlier, folder: str, places: Sequence[tuple[str, str]]) -> None:
        self.earlier = earlier
        self.folder = folder
        self.places = places
        self._found: list[Plan] | None = None

    @property
    def all(self) -> list[Plan]:
        """The plans, the newest first."""
        if self._found is None:
            self._found = [plan for at, session, text in self._prompts() if (plan := _plan_in(at, session, text)) is not None]
        return self._found

    def named(self, step: int, terms: Collection[str] = (), *, is_step: bool | None = None) -> Plan | None:
        """Return the plan with this step, if any is given, that mentions most of these terms, at least one; of several the newest one, before others one that
        calls its parts as the prompt does."""
        known = [(_shared(terms, plan), plan.is_of_steps == is_step, plan) for plan in self.all if not step or step in plan.steps]
        known = [one for one in known if one[0] or not terms]
        return max(known, key=lambda one: (one[0], one[1], one[2].at))[2] if known else None

    def of_answers(self, said: Sequence[Passage], step: int) -> Plan | None:
        """Return the plan with this step which the answers of a session are about, None without one."""
        return next((plan for plan in self.all if step in plan.steps and self._is_of(said, plan)), None)

    def last_session(self, plan: Plan, step: int) -> str:
        """Return the last session that worked on a step of a plan, or else the last one that named it; step 0 is any. "" without one."""
        worked = named = ""
        left: list[set[str]] = []
        before = ""
        for session, said in self._sessions(plan).items():
            of_plan = self._is_of(said, plan)
            goes_on = before == worked != "" and all(passage.kind != SAID or _only_goes_on(passage.text) for passage in said)
            if goes_on or (of_plan and any(_works_on(passage, step) for passage in said)) or closes(said, left):
                worked = session
                left = [set(content_terms(sentence)) for sentence in _answered(said) if names_open(sentence)]
            elif of_plan and any(_names(passage, step) for passage in said):
                named = session
            before = session
        return worked or named

    def _is_of(self, said: Sequence[Passage], plan: Plan) -> bool:
        """Return whether a session is about this plan, and not about another one that people had pasted by then."""
        terms = {term for passage in said for term in passage.terms}
        others = [other for other in self.all if other is not plan and other.at <= said[-1].at]
        if not others:
            return True
        mine = set(content_terms(plan.text))
        for other in others:
            theirs = set(content_terms(other.text))
            more = len(terms & (mine - theirs)) - len(terms & (theirs - mine))
            if more < 0 or (more == 0 and other.at > plan.at):
                return False
        return True

    def _sessions(self, plan: Plan) -> dict[str, list[Passage]]:
        """Return {session: its passages} since a plan was pasted, in order of time."""
        condition = f"kind IN ('{ANSWER}', '{SAID}') AND session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN} ORDER BY at DESC, p.id DESC LIMIT {_MOST_PASSAGES}"
        found: dict[str, list[Passage]] = {}
        for passage in filter(self.earlier.shows, reversed(self.earlier.selected(condition, (self.earlier.own, plan.at, self.earlier.now)))):
            found.setdefault(passage.session, []).append(passage)
        return found

    def _prompts(self) -> Iterator[tuple[int, str, str]]:
        """Yield (instant, session, text) of what people asked in several lines, the newest first."""
        asked = f"SELECT file, offset, at, session FROM turns WHERE session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN} ORDER BY at DESC LIMIT {_MOST_PROMPTS}"
        connection, now = self.earlier.connection, self.earlier.now
        rows = connection.execute(asked, (self.earlier.own, now - KEPT, now)).fetchall()
        names: dict[int, str] = dict(connection.execute("SELECT id, name FROM files"))
        for file, offset, at, session in rows:
            for fields in lines.read_at(os.path.join(self.folder, names[file]), (offset,)) if file in names else ():
                inputs = (fields or {}).get("inputs")
                text = inputs.get("text") if isinstance(inputs, dict) else None
                if isinstance(text, str) and "\n" in text:
                    yield at, session, without_places(text, self.places)


def _plan_in(at: int, session: str, text: str) -> Plan | None:
    steps = steps_of(text)
    if len(steps) < _LEAST_STEPS:
        return None
    named = [found for line in text.split("\n") if (found := STEP.match(_bare(line))) is not None]
    return Plan(at, session, steps, text, not named or any(map(is_step, named)))


def steps_of(text: str) -> dict[int, str]:
    """Return {number: text on one line} of the phases or steps of a pasted plan. Each begins at the start of a line with its name; in a plan that is a numbered
    list, with its number."""
    lines = without_emphasis(text).split("\n")
    found = _named_in(lines) or _listed_in(lines)
    parts_of = {number: list(filter(None, parts)) for number, parts in found.items()}
    return {number: f"{parts[0].rstrip(' :：')}: {'; '.join(parts[1:])}" if parts[1:] else parts[0] for number, parts in parts_of.items()}


def _named_in(lines: Sequence[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        bare = _bare(line)
        step = STEP.match(bare)
        if step is not None:
            current = found.setdefault(step_of(step), [])
        elif line.startswith("#"):
            current = None  # another part of the document
        if current is not None:
            current.append(bare)
    return found


def _listed_in(lines: Sequence[str]) -> dict[int, list[str]]:
    """Return {number: its lines} of the first numbered list, {} if nothing around it says that it is a plan. An item ends where a paragraph of its own follows,
    one that is a heading at the next heading."""
    found: dict[int, list[str]] = {}
    around: list[str] = []
    current: list[str] | None = None
    indent, is_heading, is_after, is_over = "", False, False, False
    for line in lines:
        item = _ITEM.match(line)
        number = int(item["number"]) if item is not None and (not found or item[1] == indent) else 0
        is_over = is_over or (number == 1 and bool(found) and not is_heading)
        if item is not None and number == len(found) + 1 and not is_over:
            current = found.setdefault(len(found) + 1, [])
            indent, is_heading = item[1], line.startswith("#")
        elif is_over or line.startswith("#") or (is_after and line.strip() and not is_heading and line[: len(indent) + 1].strip()):
            current = None
        is_after = not line.strip()
        (around if current is None else current).append(_bare(line))
    said = "\n".join(around)
    return found if _IS_PLAN.search(said) is not None and _OF_FAULTS.search(said) is None else {}


def _bare(line: str) -> str:
    return line.strip().lstrip("#*->_ ")


def _shared(terms: Collection[str], plan: Plan) -> int:
    return len(set(terms).intersection(content_terms(plan.text))) if terms else 0


def _only_goes_on(prompt: str) -> bool:
    asked = continued_by(prompt)
    return asked is not None and not asked.work and not asked.step


def _works_on(passage: Passage, step: int) -> bool:
    """Return whether a passage says of a step more than that it comes next; step 0 is any."""
    for sentence in sentences(passage.text):
        for named in STEP.finditer(sentence):
            begin = max((mark.end() for mark in _CLAUSE.finditer(sentence, 0, named.start())), default=0)
            end = _CLAUSE.search(sentence, named.end())
            clause = sentence[begin : end.start() if end is not None else len(sentence)]
            if step in (0, step_of(named)) and (passage.kind == SAID or _AHEAD.search(clause) is None):
                return True
    return False


def _names(passage: Passage, step: int) -> bool:
    return any(step in (0, step_of(named)) for named in STEP.finditer(passage.text))


def _answered(said: Sequence[Passage]) -> Iterator[str]:
    return (sentence for passage in said if passage.kind == ANSWER for sentence in sentences(passage.text))


def closes(said: Sequence[Passage], left: Sequence[set[str]]) -> bool:
    """Return whether a session reports on one of these open points that it is no longer open."""
    for terms in map(set, map(content_terms, (sentence for sentence in _answered(said) if left and not names_open(sentence)))):
        if any(len(terms & point) >= _LEAST_SAME and 2 * len(terms & point) >= len(point) for point in left):
            return True
    return False
