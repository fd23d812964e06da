"""Rules: lasting statements of people, in their own words, and what they keep asking for.

A statement is in force until a later one about the same subject replaces it. An expectation ("did you add tests?") is a rule once it came up
in several sessions. Expectations with one theme are one rule, shown with a few short sayings.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY, day_of
from memorybank.cycle.fold import kinds
from memorybank.cycle.fold.phrases import about, language_of, phrase
from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.sayings import LONGEST_SAYING, report, sayings, shortest
from memorybank.cycle.know.search import IS_SEEN, NEWEST
from memorybank.cycle.know.stating import Related, grouped
from memorybank.storage.digest import sha256
from memorybank.text.commands.actions import of_forms
from memorybank.text.commands.forms import is_done_by, is_interpreter, names_command, purpose, with_inner
from memorybank.text.commands.ports import is_port
from memorybank.text.commands.programs import MINOR
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.actions import is_limited_by
from memorybank.text.prompts.complaints import work_of
from memorybank.text.prompts.expectations import practices_of
from memorybank.text.prompts.git_actions import GIT_ACTIONS
from memorybank.text.prompts.spelling import repaired
from memorybank.text.prompts.stated import (
    AGAIN,
    ALLOWING,
    CORRECTION,
    EXPECTATION,
    FOR_GOOD,
    PERMISSION,
    PREFERRING,
    REPRIMAND,
    RETURNING,
    STANDING,
    UNNAMED,
    Statement,
)
from memorybank.text.prompts.themes import ENDED, check_of, same_theme
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Sequence, Set
    from typing import Any

    from memorybank.cycle.know.inputs import Inputs

RULE = kinds.RULE
LEAST_SESSIONS = 2
"""Minimum number of sessions that makes a repeated request an expectation."""
_REPORTED = 60 * DAY
"""How long a report of a failing check counts. One that nobody reports any more passes, or is gone."""
_PASSING = frozenset(("review", "run"))
"""Themes of requests that are made again and again and fulfilled each time. They are not expectations of other work."""
_OF_TESTS = frozenset(("test", "first", "useful"))
"""How tests are wanted belongs to the theme of tests."""
_NOT_A_WORD = lazy_pattern(r"[^a-z0-9]+")
_LEAST_WORD = 5
"""Characters of a word of a rule that is looked for in a command of an interpreter."""
_ENDING = frozenset((ALLOWING, FOR_GOOD))
_OFTEN = 3
"""Sessions above which a statement is not shown before others that were repeated as well."""

_COLUMNS = (
    "id, at, session, kind, terms, traits, text, subject, replaced, wanted, about, objects,"
    " (SELECT group_concat(newer || ' ' || relation, char(10)) FROM relations WHERE older = statements.id)"
)


class Rule:
    """One rule.

    sayings: the person's words, the most typical first. stated: the statements that it consists of, the newest first.
    memory: its id, from the subject of its first statement, so that it does not change; and from whether that allows something, so that a permission
        and the rule that it ends have two.
    commands: purposes of the commands that it replaced. What ran in their place follows it.
    is_standing: whether it applies to all work. The others apply where they match.
    made_by, quotes: the model that worded it, and the words of people that it quotes; "" for a person's words.
    about: purposes of the commands after or before which it was said.
    objects: what it forbids or limits (`text.prompts.objects`).
    has_ended: whether it took back an earlier rule.
    traits: those of the statement whose words are shown.
    """

    __slots__ = ("about", "commands", "has_ended", "is_standing", "kind", "made_by", "memory", "objects", "quotes", "sayings", "stated", "subject", "traits")

    def __init__(self, kind: str, sayings: Sequence[str], stated: Sequence[Stated], made_by: str = "", quotes: Sequence[str] = ()) -> None:
        self.kind = kind
        self.sayings = list(sayings)
        self.stated = list(stated)
        self.is_standing = True
        self.has_ended = False
        self.traits: Set[str] = frozenset()
        self.commands = frozenset(form for one in stated for form in one.replaced)
        self.about = frozenset(form for one in stated for form in one.about)
        self.objects = sorted({words for one in stated for words in one.objects})
        self.subject = stated[-1].statement.subject
        self.made_by = made_by
        self.quotes = list(quotes)
        said = PERMISSION if not _ENDING.isdisjoint(stated[-1].traits) else kind == EXPECTATION
        self.memory = f"{RULE}:{sha256(f'{said}|{self.subject}'.encode()).hex()[:8]}"

    @property
    def terms(self) -> list[str]:
        """The content words of its sayings as terms."""
        return list(dict.fromkeys(term for saying in self.sayings for term in content_terms(saying)))

    def concerns(self, forms: Iterable[str], command: str = "", before: bytes = b"") -> bool:
        """Return whether the rule is about a command of one of these forms, and the call does not follow it already. before: the end of the session's log."""
        called = [] if self.is_expected else list(forms)
        purposes = with_inner(self.commands | self.about).intersection(map(purpose, called))
        is_about = any(self._is_about(one, command) for one in purposes) or names_command(self.sayings[0], called)
        return (is_about or (self.is_standing and self._limits_action(called, command))) and not is_done_by(self.sayings[0], called, before)

    def _is_about(self, program: str, command: str) -> bool:
        """Return whether what was said when a program ran is about this command. Neither `python` nor `mkdir` shows what is done: its words must do so."""
        is_minor = program in MINOR and program not in self.commands
        words = [term for term in self.terms if term.isascii() and len(term) >= _LEAST_WORD] if is_minor or is_interpreter(program) else []
        is_named = any(word in command.lower() for word in words) if words else not is_minor
        return is_named or (is_minor and any(word in self.sayings[0].lower() for word in MINOR[program]))

    def _limits_action(self, called: Sequence[str], command: str) -> bool:
        said = repaired(self.sayings[0])
        git = GIT_ACTIONS.keys() & {word for form in called for word in form.split()}
        if any(GIT_ACTIONS[action].search(said) for action in git):
            return True
        words = frozenset(_NOT_A_WORD.sub(" ", command.lower()).split())
        return any(is_limited_by(said, action, words) for action in of_forms(called) if action not in GIT_ACTIONS)

    @property
    def is_permission(self) -> bool:
        """Whether it allows something. A permission is given for one occasion and says nothing about later ones."""
        return not self.is_expected and (ALLOWING in self.traits or (self.has_ended and FOR_GOOD in self.traits))

    @property
    def is_preferring(self) -> bool:
        """Whether it says which of two ways is wanted, by its words or by what ran then. A fact ("the tests fail") is true of one day."""
        return bool(self.commands or self.about) or PREFERRING in self.traits

    @property
    def binds_calls(self) -> bool:
        """Whether it may be shown at a call that it concerns."""
        has_object = bool(self.objects) if self.kind == CORRECTION else any(map(is_port, self.objects))  # a port is known by what ran then, not by words
        return not self.is_expected and (self.is_standing or self.is_preferring or has_object)

    @property
    def at(self) -> int:
        """Instant of its latest statement (ms)."""
        return self.stated[0].at

    @property
    def sessions(self) -> int:
        """Number of sessions in which it came up."""
        return len({one.session for one in self.stated})

    @property
    def is_expected(self) -> bool:
        """Whether it is an expectation, not a statement."""
        return self.kind == EXPECTATION

    @property
    def is_failing_check(self) -> bool:
        """Whether it is a check that people run themselves and that fails."""
        return self.is_expected and check_of(self.subject) != ""

    @property
    def shown(self) -> str:
        """The rule as it is shown, in the person's words and language; a model's wording together with the words that it quotes."""
        language = language_of(self.sayings[0])
        if self.made_by:
            from memorybank.text.prose.passages import excerpt

            return phrase("rule_by_model", language, text=self.sayings[0], quote=excerpt(self.quotes[0], LONGEST_SAYING))
        if self.is_failing_check:
            said = report(self.stated) and phrase("failing_said", language, said=report(self.stated))
            return phrase("failing", language, call=check_of(self.subject), count=about(self.sessions), said=said)
        said = " / ".join(f'"{saying}"' for saying in (shortest(self.sayings, self.stated, self.sessions) if self.is_expected else self.sayings))
        return phrase("expected", language, said=said, count=about(self.sessions)) if self.is_expected else said


def find(connection: Connection, own: str, now: int, allowed: Sequence[Stated] = ()) -> list[Rule]:
    """Return the rules in force: expectations by the number of their sessions, then statements, repeated ones and the newest first.

    allowed: what a person just allowed for good, in a prompt that need not be folded yet.
    """
    expected, groups, replaced = _read(connection, own, now, allowed)
    themes = [_expectation(theme) for theme in expected if len({one.session for one in theme}) >= LEAST_SESSIONS]
    themes.sort(key=lambda rule: (-rule.sessions, -rule.at, rule.subject))
    return themes + [rule for rule in _in_force(groups, replaced) if rule.is_standing]


def stated(connection: Connection, own: str, now: int, allowed: Sequence[Stated] = ()) -> list[Rule]:
    """Return the statements in force, and after them the corrections and facts that apply only where they match. No expectations: they are about no call."""
    _, groups, replaced = _read(connection, own, now, allowed)
    return _in_force(groups, replaced)


def listed(connection: Connection, now: int, *, permissions: bool) -> list[Rule]:
    """Return the rules in force as a person sees them, whoever stated them. permissions: whether to add what only allows something."""
    found = [rule for rule in find(connection, "", now) if not rule.is_permission]
    return found + [rule for rule in stated(connection, "", now) if permissions and rule.is_permission]


def may_concern(connection: Connection, own: str, now: int, words: Collection[str], inputs: Callable[[], Inputs | None]) -> bool:
    """Return whether a rule can concern a call or a file with these words (in lower case) and inputs: a statement contains one of the words, or commands
    with one ran then, or the inputs contain the beginning of what a statement is about.

    Most calls have no such rule, and finding that out takes less time than finding the rules that are in force.
    """
    if not GIT_ACTIONS.keys().isdisjoint(words):
        return True
    every = []
    for kind, *texts, objects in _rows(connection, "kind, text, subject, replaced, wanted, about, objects", own, now):
        if kind != EXPECTATION and any(word in said for said in map(str.lower, texts) for word in words):
            return True
        if objects:
            every.append(objects)
    brought = inputs() if every else None
    return brought is not None and brought.may_have("\n".join(every).split("\n"))


def superseded(connection: Connection, now: int) -> list[tuple[Rule, Rule]]:
    """Return (a rule that is no longer in force, the rule that replaced it), the newest first."""
    return [(_of_statements([older]), _of_statements([newer])) for older, newer in _read(connection, "", now)[2] if STANDING in older.traits]


def out_of_force(connection: Connection, now: int, allowed: Sequence[Stated] = ()) -> set[str]:
    """Return the ids of rules that later statements replaced or took back, and under which nothing else is in force. allowed: as for `find`."""
    expected, stated, replaced = _read(connection, "", now, allowed)
    ending = _ending(replaced)
    in_force = (*(_expectation(theme) for theme in expected), *(_of_statements(group, ending) for group in stated))
    gone = {_of_statements([older]).memory for older, _ in replaced if STANDING in older.traits}
    return gone.difference(rule.memory for rule in in_force)


def taken_back(connection: Connection, now: int, allowed: Sequence[Stated] = ()) -> list[tuple[str, int]]:
    """Return (a sentence or clause that a later permission took back, instant of that permission in ms). allowed: as for `find`."""
    _, groups, replaced = _read(connection, "", now, allowed)
    found = [(older.statement.text, newer.at) for older, newer in replaced if PERMISSION in newer.traits]
    return found + [(clause, at) for group in groups for clause, _, at in group[0].left]


def replaced(connection: Connection, now: int) -> list[tuple[str, int]]:
    """Return (a rule's sentence in whose place a later one holds, instant of that one in ms). One that somebody said again since then is none."""
    _, groups, found = _read(connection, "", now)
    again = {one.statement.text for group in groups for one in group}
    ended = ((older.statement.text, newer.at) for older, newer in found if STANDING in older.traits and PERMISSION not in newer.traits)
    return [(text, at) for text, at in ended if text not in again]


def _in_force(groups: Iterable[list[Stated]], replaced: Iterable[tuple[Stated, Stated]]) -> list[Rule]:
    ending = _ending(replaced)
    found = [_of_statements(group, ending) for group in groups if not _is_only_reprimand(group) and not all(RETURNING in one.traits for one in group)]
    # The order of the groups, the newest first, stays within each number of sessions.
    found.sort(key=lambda rule: (not rule.is_standing, -min(rule.sessions, _OFTEN)))
    return found


def _is_only_reprimand(group: Sequence[Stated]) -> bool:
    """Return whether a group says only what should have been done in one session: that was about what had happened there."""
    return len({one.session for one in group}) < LEAST_SESSIONS and all(REPRIMAND in one.traits for one in group)


def _read(
    connection: Connection, own: str, now: int, allowed: Sequence[Stated] = ()
) -> tuple[list[list[Stated]], list[list[Stated]], list[tuple[Stated, Stated]]]:
    """Return (themes of expectations, statements in force, each with its repetitions, (replaced statement, its replacement)), each the newest first."""
    expected: list[list[Stated]] = []
    stated: list[tuple[Stated, Related]] = []
    ended: list[str] = []  # forms of checks that nobody should run any more
    given_up: set[str] = set()  # practices that earlier requests ask for no more
    for row, at, session, kind, terms, traits, text, subject, *lists, related in _rows(connection, _COLUMNS, own, now):
        subject = "test" if kind == EXPECTATION and not _OF_TESTS.isdisjoint(subject.split()) else subject
        named = (filter(None, listed.split("\n")) for listed in lists)
        one = Stated(at, session, Statement(kind, text, subject), terms.split(), *named, traits=traits.split(), row=row)
        if kind != EXPECTATION:
            stated.append((one, _related(related)))
            given_up.update(practices_of(text) if FOR_GOOD in one.traits else ())
        elif subject.startswith(ENDED):
            ended.append(f"{check_of(subject, ENDED)} ")
        elif (check := check_of(subject)) and (at < now - _REPORTED or any(one.startswith(f"{check} ") for one in ended)):
            continue
        elif not _PASSING.issuperset(subject.split()) and given_up.isdisjoint(subject.split()):
            theme = next((theme for theme in expected if same_theme(theme[0].statement.subject, subject)), [])
            expected += [] if theme else [theme]
            theme.append(one)
    return expected, *grouped(stated, allowed)


def _related(listed: str | None) -> Related:
    """Return what newer statements do to one, as `grouped` expects it, from the last of `_COLUMNS`."""
    found = (line.partition(" ") for line in listed.split("\n")) if listed else ()
    return [(int(row), relation) for row, _, relation in found]


def _rows(connection: Connection, columns: str, own: str, now: int) -> Iterable[tuple[Any, ...]]:
    """Return columns of the latest statements, the newest first."""
    return connection.execute(
        f"SELECT {columns} FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN} ORDER BY at DESC, session, offset, place LIMIT ?",
        (own, now, NEWEST),
    )


def _ending(replaced: Iterable[tuple[Stated, Stated]]) -> Set[int]:
    """Return the `id()` of each statement that took back an earlier one."""
    return {id(newer) for _, newer in replaced if PERMISSION in newer.traits}


def _of_statements(group: list[Stated], ending: Set[int] = frozenset()) -> Rule:
    """Return the rule that a statement and its repetitions express, in its clearest wording. ending: as from `_ending`."""
    standing = [one for one in group if STANDING in one.traits]
    said = min(standing or group, key=_clearness)
    rule = Rule(said.statement.kind, [said.statement.text], group)
    rule.traits = said.traits
    if group[0].left:
        rule.sayings = [_what_is_left(group[0])]
    # What a person has to say again in another session applies to more than that day.
    is_repeated = (rule.is_preferring or AGAIN in rule.traits) and rule.sessions >= LEAST_SESSIONS
    rule.is_standing = bool(standing) or is_repeated
    rule.has_ended = any(id(one) in ending for one in group)
    return rule


def _clearness(one: Stated) -> tuple[object, ...]:
    """Return the key by which the clearest wording of a rule is the first: not a complaint, with most words for the work, and short."""
    work = content_terms(work_of(one.statement.text)[0])
    return RETURNING in one.traits, UNNAMED in one.traits, AGAIN in one.traits, -len(work), len(one.statement.text), -one.at


def _what_is_left(one: Stated) -> str:
    """Return a statement without the clause that was taken back; with a mark after each such clause where the others are no sentence alone."""
    (_, rest, _), *others = one.left
    if rest and not others:
        return rest
    from memorybank.claims.marking import with_marks
    from memorybank.cycle.know.marks import mark_of
    from memorybank.reasons.reason import Reason

    said = one.statement.text
    return with_marks(said, [(clause, mark_of(Reason("claim.taken_back", day=day_of(at)), said)) for clause, _, at in one.left])


def _expectation(theme: list[Stated]) -> Rule:
    return Rule(EXPECTATION, sayings(theme), theme)
