"""Problems: calls of one form that fail here again and again, and what makes them work.

They are counted when they are needed, from every failure that the reader may see. A failure without a known remedy is a problem only if
a word of the call was refused; about others nobody can do anything.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold import kinds, repairs
from memorybank.cycle.fold.kinds import INSTEAD, REFUSED, SET_UP, STARTED
from memorybank.cycle.fold.phrases import about, phrase
from memorybank.cycle.know import variables
from memorybank.cycle.know.search import IS_SEEN_FAILURE
from memorybank.storage.digest import sha256
from memorybank.storage.jsontext import encode
from memorybank.text.commands import exact, forms, lacking, refusals
from memorybank.text.commands.launching import BY_NAME
from memorybank.text.prose.passages import excerpt
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

PROBLEM = kinds.PROBLEM
_LEAST_SESSIONS = 2
"""Minimum number of sessions in which the same remedy worked, because once is a coincidence."""
_LEAST_SHARE = 0.3
"""Minimum share of the sessions in which the call finally worked and this command replaced it."""
_MOST_SHARE, _LEAST_LIFT = 0.5, 3.0
"""A command that ran before the successful call counts as the remedy if it ran in this share of these sessions, or this many times more often than in all
sessions: a test that is run all the time also runs here by chance."""
_LEAST_FIRST = 0.15
_ONE_ERROR, _MOST_COMPARED = 0.8, 40
"""Share of the failures that a command ended which make one error, and the number of failures that are compared, the newest."""
_ERROR_CHARACTERS = 70
_REFUSED_FOR, _LEAST_REFUSED = 60 * DAY, 3
"""How long a refusal counts (ms), because programs are installed and updated; and in how many sessions it must have happened to be shown at a start."""
_LEAST_USES, _LEAST_PROGRAMS, _WRAPPER_SHARE = 6, 2, 0.5
_OTHER_WORDS, _OF_FORMS = "…", "form IN (SELECT value FROM json_each(?))"
_OF_OTHERS = "session IS NOT ? AND at <= ?"


class KnownProblem(Value):
    """One form of call that fails, with its remedy.

    form: form of the calls that fail; ends in `…` where any words may follow. remedy: form of the command.
    how: `instead` (the remedy replaces the call), `first` (it runs before the call), or `refused` (a word of the call does not exist here; remedy: what stood
    in its place in a command that worked, or ""); or `last` (`know.last_run`), or `set_up` (`know.launched`).
    failed, remedied: number of sessions in which the call failed, and in which the remedy worked.
    at, said: instant of the last failure (ms), and the beginning of its error.
    error: the line of its error that says what is wrong, if it is nearly always the same; else "".
    command: what the commands have in common that remedied it (`text.commands.exact`); "" if that is unknown.
    """

    form: str
    how: str
    remedy: str
    failed: int
    remedied: int
    at: int
    said: str
    error: str = ""
    command: str = ""

    @property
    def advised(self) -> str:
        """The remedy as an agent can run it: the exact command if it was the same each time, else what the commands had in common."""
        return exact.shown(self.command, self.remedy) if self.command else self.remedy

    @property
    def memory(self) -> str:
        """Its id: computed from the form and the remedy; of a refused word and of a program that was not found from the form alone, as who rejected it did so
        whatever stands there instead."""
        how, remedy = (self.how, self.remedy) if self.how not in (REFUSED, SET_UP, STARTED) else (REFUSED if self.how == REFUSED else SET_UP, "")
        return f"{PROBLEM}:{sha256(f'{self.form}|{how}|{remedy}'.encode()).hex()[:8]}"

    def shown(self, language: str) -> str:
        """Return the problem in one line."""
        name = f"problem_{self.how}{'_as' if self.remedy and self.how in (REFUSED, SET_UP) else ''}"
        return phrase(name, language, call=refusals.program_of(self.form) or self.form, remedy=self.advised, count=about(self.failed))

    def shown_at_call(self, language: str) -> str:
        """Return the problem as it is shown at the call: with its error, so that the agent sees why."""
        return self.shown(language) + (phrase("problem_error", language, error=self.error) if self.error else "")

    def concerns(self, called: Collection[str]) -> bool:
        """Return whether one of these forms is the call that fails."""
        if self.form.endswith(_OTHER_WORDS) and self.how != REFUSED:
            return any(f"{one} ".startswith(self.form[: -len(_OTHER_WORDS)]) for one in called)
        return self.form in called


class Occurrence(Value, frozen=False):
    """One failure of a problem: the form of its call, the beginning of its error, and whether the remedy worked this time. at: ms"""

    session: str
    at: int
    form: str
    said: str
    is_remedied: bool = False


def find(connection: Connection, own: str, now: int, called: Collection[str] | None = None, wrapping: frozenset[str] | None = None) -> list[KnownProblem]:
    """Return every problem with a proven remedy, those that cost most sessions first, then options that do not exist here.

    own: id of the current session, whose failures do not count.
    called: forms of a call. Then only problems that may concern it are looked for.
    wrapping: what `wrappers` returns, for a caller that knows it.
    """
    wrapping = wrappers(connection) if wrapping is None else wrapping
    share_of_sessions = _shares_of_sessions(connection)
    calls = _with_remedy(connection, wrapping, None if called is None else _alike(connection, wrapping, called), own, now, share_of_sessions)
    if not calls:
        return _refused(connection, own, now, called)
    failed: dict[str, set[str]] = {}
    remedied: dict[tuple[str, str, str], dict[str, set[str]]] = {}
    worked: dict[str, set[str]] = {}
    last: dict[str, tuple[int, str]] = {}
    ended: dict[tuple[str, str, str], list[str]] = {}
    failing: dict[str, list[str]] = {}
    ran: dict[tuple[str, str, str], set[str]] = {}
    for form, purpose, session, at, said, line, is_remedied, how, remedy, command in _rows(connection, wrapping, own, now, calls):
        failing.setdefault(purpose, []).append(line)
        for one in {form, purpose}:  # both names count as failed, because a call may be found under either
            failed.setdefault(one, set()).add(session)
            last[one] = (at, said)
        if is_remedied:
            worked.setdefault(purpose, set()).add(session)
        # A remedy that is the call itself would advise to run it again.
        if remedy is not None and remedy != purpose:
            found_as = purpose, how, forms.unwrapped(remedy, wrapping)
            remedied.setdefault(found_as, {}).setdefault(remedy, set()).add(session)
            ended.setdefault(found_as, []).append(line)
            ran.setdefault((purpose, how, remedy), set()).add(command)
    best: dict[str, KnownProblem] = {}
    counted: dict[str, tuple[set[str], set[str]]] = {}

    for (form, how, unwrapped), spelled in sorted(remedied.items()):
        remedy = max(spelled, key=lambda one: len(spelled[one]))  # with or without a wrapper; of two as usual, the older
        sessions = set[str]().union(*spelled.values())
        share = len(sessions) / len(sessions | worked.get(form, set()))  # another program that did the same leaves the call itself unrepaired
        if len(sessions) < _LEAST_SESSIONS or not _is_remedy(how, share, remedy, share_of_sessions):
            continue
        errors = ended[form, how, unwrapped]
        is_chance = remedy.startswith(f"{form} ") and not repairs.are_same(errors)  # two ends of different errors have something in common by chance
        if how == INSTEAD and (is_chance or len(failed[form]) <= variables.worked_alone(connection, form, remedy, own)):
            continue
        if how == INSTEAD or share >= _MOST_SHARE or not _ends_one_of_several(errors, failing[form]):
            command = exact.common(ran[form, how, remedy])
            found = KnownProblem(form, how, remedy, len(failed[form]), len(sessions), *last[form], _one_error(failing[form]), command)
            if form not in best or found.remedied > best[form].remedied:
                best[form] = found
                counted[form] = failed[form], sessions
    proven = sorted(_merged(best.values(), counted), key=lambda problem: (-problem.failed, problem.form))
    return [*proven, *_refused(connection, own, now, called)]


def _refused(connection: Connection, own: str, now: int, called: Collection[str] | None) -> list[KnownProblem]:
    """Return the words of calls that were refused lately, and that no shell understood, with what stood there instead."""
    of_calls, listed = ("", ()) if called is None else (f" AND {_OF_FORMS}", (encode(list(called)),))
    rows = connection.execute(
        f"SELECT form, session, at, said, line, remedy FROM failures JOIN remedies ON id = failure WHERE how = '{REFUSED}'{of_calls} AND {_OF_OTHERS}"
        f" AND failures.at >= ? AND {IS_SEEN_FAILURE} AND NOT EXISTS (SELECT 1 FROM launches WHERE how = '{BY_NAME}' AND form IN (program, program || ' …')"
        " AND program IN (form, substr(form, 1, length(form) - 2)) AND (launches.at > failures.at OR line NOT LIKE '%not found')) ORDER BY form, failures.at",
        (*listed, own, now, now - _REFUSED_FOR),
    ).fetchall()  # the second condition of `program` says nothing more, but uses the key: each failure would read all programs
    found = []
    for form in dict.fromkeys(row[0] for row in rows):
        of_form = [row for row in rows if row[0] == form]
        sessions, (_, _, at, said, line, _) = len({row[1] for row in of_form}), of_form[-1]
        remedy = next((row[-1] for row in reversed(of_form) if row[-1]), "")
        is_launched = called is not None and lacking.program_in(line) == refusals.program_of(form) != ""  # then `know.launched` says how
        if not is_launched and sessions >= (_LEAST_REFUSED if called is None else _LEAST_SESSIONS if refusals.is_word(form) else 1):
            found.append(KnownProblem(form, REFUSED, remedy, sessions, 0, at, said, _one_error([line])))
    return sorted(found, key=lambda problem: (-problem.failed, problem.form))


def _ends_one_of_several(ended: Sequence[str], failing: Sequence[str]) -> bool:
    """Return whether a command ends only one error of a call that fails with others too: then it is a fix of that error (`fold.repairs`), not of the call.

    ended: lines of the errors that it ended.
    failing: lines of all errors of the call.
    """

    def share(lines: Sequence[str]) -> float:
        newest = lines[-_MOST_COMPARED:]
        return sum(repairs.is_same_line(line, ended[-1], repairs.EQUAL_LINE) for line in newest) / len(newest)

    return share(ended) >= _ONE_ERROR and share(failing) < _MOST_SHARE


def _one_error(lines: Sequence[str]) -> str:
    """Return the line that nearly all of the newest failures of a call have in common, short; "" when there is none, or it names a path of this machine."""
    newest = lines[-_MOST_COMPARED:]
    is_one = newest.count(newest[-1]) >= _ONE_ERROR * len(newest)
    line = newest[-1].removeprefix("error: ").removeprefix("fatal: ")
    if not is_one or exact.MACHINE.search(line):
        return ""
    return excerpt(line, _ERROR_CHARACTERS)


def occurrences(connection: Connection, problem: KnownProblem, now: int) -> list[Occurrence]:
    """Return every failure that this problem was counted from, the oldest first."""
    found: dict[tuple[str, int, str], Occurrence] = {}
    wrapping = wrappers(connection)
    shown = forms.unwrapped(problem.remedy, wrapping)
    calls = [form for (form,) in connection.execute("SELECT DISTINCT form FROM failures") if problem.concerns((form, forms.unwrapped(form, wrapping)))]
    for form, purpose, session, at, said, _, _, how, remedy, _ in _rows(connection, wrapping, "", now, calls):
        if problem.concerns((form, purpose)):
            one = found.setdefault((session, at, form), Occurrence(session, at, form, said))
            one.is_remedied |= how == problem.how and remedy is not None and _is_like(shown, forms.unwrapped(remedy, wrapping))
    return list(found.values())


def _is_like(shown: str, remedy: str) -> bool:
    """Return whether a command that worked is the remedy of a problem, whose last words may be open (`…`)."""
    return f"{remedy} ".startswith(shown[: -len(_OTHER_WORDS)]) if shown.endswith(_OTHER_WORDS) else remedy == shown


def _alike(connection: Connection, wrapping: frozenset[str], called: Collection[str]) -> list[str]:
    """Return the forms of calls that failed and may be part of a problem of one of these forms."""
    # Problems of several calls with one cause have their first two words in common (`_merged`).
    heads = {forms.head(one) for one in called if not refusals.is_word(one)}
    beginnings = [*heads, *(f"{wrapper} " for wrapper in wrapping)]
    begun = "SELECT DISTINCT form FROM failures WHERE form >= ?1 AND form < ?1 || char(0x10FFFF)"
    every = {form for beginning in sorted(beginnings) for (form,) in connection.execute(begun, (beginning,))}
    return sorted(form for form in every if forms.head(form) in heads or forms.head(forms.unwrapped(form, wrapping)) in heads)


def _with_remedy(
    connection: Connection, wrapping: frozenset[str], calls: list[str] | None, own: str, now: int, share_of_sessions: Callable[[str], float]
) -> set[str]:
    """Return the forms of calls with a remedy that `find` may prove, among `calls` or all. Most calls have none, and the rows of their failures, of which a
    bank keeps thousands, need not be read."""
    sessions: dict[tuple[str, str, str], dict[str, int]] = {}
    forms_of: dict[str, set[str]] = {}
    of_calls, listed = ("", ()) if calls is None else (f" AND {_OF_FORMS}", (encode(calls),))
    # Only wrappers can make one remedy of several spellings, each in too few sessions.
    least = "" if wrapping else f" HAVING count(DISTINCT session) >= {_LEAST_SESSIONS}"
    # The rows of failures are long, so they are read only for a command that remedied more than one.
    again = " AND remedy IN (SELECT remedy FROM remedies GROUP BY remedy HAVING count(*) > 1)" if calls is None and not wrapping else ""
    rows = connection.execute(
        "SELECT form, how, remedy, count(DISTINCT session) FROM failures JOIN remedies ON id = failure"
        f" WHERE session IS NOT ?{of_calls} AND how <> '{REFUSED}'{again} GROUP BY form, how, remedy{least}",
        (own, *listed),
    )
    for form, how, remedy, count in rows:
        purpose = _purpose(form, how, wrapping)
        spelled = sessions.setdefault((purpose, how, forms.unwrapped(remedy, wrapping)), {})
        spelled[remedy] = spelled.get(remedy, 0) + count
        forms_of.setdefault(purpose, {purpose}).add(form)
    repeated = {found_as: spelled for found_as, spelled in sessions.items() if sum(spelled.values()) >= _LEAST_SESSIONS}
    plain = [purpose for purpose in dict.fromkeys(purpose for purpose, _, _ in repeated) if forms.unwrapped(purpose, wrapping) == purpose]
    worked = dict(
        connection.execute(
            f"SELECT form, count(DISTINCT session) FROM failures WHERE {_OF_FORMS} AND mended IS NOT NULL AND {_OF_OTHERS} AND {IS_SEEN_FAILURE} GROUP BY form",
            (encode(plain), own, now),
        )
    )
    found = set[str]()
    for (purpose, how, _), spelled in repeated.items():
        share = sum(spelled.values()) / worked.get(purpose, 1)  # at least what `find` computes
        if any(_is_remedy(how, share, remedy, share_of_sessions) for remedy in spelled):
            found |= forms_of[purpose]
    return found


def _is_remedy(how: str, share: float, remedy: str, share_of_sessions: Callable[[str], float]) -> bool:
    """Return whether a command preceded or replaced a call in so large a share of the sessions in which that finally worked that this was not by chance."""
    if how == INSTEAD:
        return share >= _LEAST_SHARE
    return share >= _MOST_SHARE or (share >= _LEAST_FIRST and share >= _LEAST_LIFT * share_of_sessions(remedy))


def _purpose(form: str, how: str | None, wrapping: frozenset[str]) -> str:
    """Return the form of a call; without the programs that wrap it if something else ran first."""
    return forms.unwrapped(form, wrapping) if how not in (None, INSTEAD) else form


def _rows(connection: Connection, wrapping: frozenset[str], own: str, now: int, calls: Collection[str]) -> Iterator[tuple[Any, ...]]:
    """Yield each failure of `calls` (forms) with each of its remedies, the oldest first.

    A row is (form, purpose, session, at, said, line of the error, whether it worked later, how, remedy, exact command of the remedy).

    purpose: the form; without the programs that wrap it if something else ran first.
    """
    rows = connection.execute(
        "SELECT form, session, at, said, line, mended IS NOT NULL, how, remedy, r.command FROM failures f"
        f" LEFT JOIN remedies r ON r.failure = f.id AND how <> '{REFUSED}'"
        f" WHERE {_OF_FORMS} AND {_OF_OTHERS} AND {IS_SEEN_FAILURE} ORDER BY at, session, offset, how, remedy",
        (encode(list(calls)), own, now),
    )
    for form, session, at, said, line, is_remedied, how, remedy, command in rows:
        yield form, _purpose(form, how, wrapping), session, at, said, line, is_remedied, how, remedy, command


def _shares_of_sessions(connection: Connection) -> Callable[[str], float]:
    """Return a function that returns the share of all sessions in which a command of a form ran."""
    known: dict[str, float] = {}

    def share(form: str) -> float:
        if form not in known:  # the same few commands precede many calls
            (ran, all_of_them) = connection.execute("SELECT (SELECT count(*) FROM forms WHERE form = ?), (SELECT count(*) FROM files)", (form,)).fetchone()
            known[form] = float(ran / all_of_them) if all_of_them else 0.0
        return known[form]

    return share


def wrappers(connection: Connection) -> frozenset[str]:
    """Return the programs of this repository's history that run other programs (`rtk git`, `rtk bun`): several known programs follow them."""
    uses: dict[str, int] = dict(connection.execute("SELECT program, sum(uses) FROM chains GROUP BY program"))
    known = [program for program, total in uses.items() if total > 1 and program not in forms.ALSO_SUBCOMMANDS]
    # Most words are arguments, so only the words that are programs are read.
    counted = "SELECT program, count(*), sum(uses) FROM chains WHERE word IN (SELECT value FROM json_each(?)) AND word <> program GROUP BY program"
    return frozenset(
        program
        for program, programs, wrapped in connection.execute(counted, (encode(known),))
        if programs >= _LEAST_PROGRAMS and uses[program] >= _LEAST_USES and wrapped >= _WRAPPER_SHARE * uses[program]
    )


def _merged(problems: Iterable[KnownProblem], counted: Mapping[str, tuple[set[str], set[str]]]) -> list[KnownProblem]:
    """Return the problems, with those merged that have one cause: several calls that fail because of their first word (`rtk bun run test`, `rtk bun run lint`).

    counted: {form: (sessions in which it failed, those in which its remedy worked)}.
    """
    groups: dict[str, list[KnownProblem]] = {}
    for problem in problems:
        word, _, rest = problem.form.partition(" ")
        program = rest.partition(" ")[0]
        is_prefix = problem.how == INSTEAD and problem.remedy == rest and bool(program)
        groups.setdefault(f"{word} {program}" if is_prefix else problem.memory, []).append(problem)
    return [group[0] if len(group) == 1 else _as_one(name, group, counted) for name, group in groups.items()]


def _as_one(name: str, group: list[KnownProblem], counted: Mapping[str, tuple[set[str], set[str]]]) -> KnownProblem:
    newest = max(group, key=lambda problem: problem.at)
    failed, remedied = (len(set[str]().union(*(counted[problem.form][which] for problem in group))) for which in (0, 1))
    error = newest.error if len({problem.error for problem in group}) == 1 else ""
    return KnownProblem(f"{name} {_OTHER_WORDS}", INSTEAD, f"{name.partition(' ')[2]} {_OTHER_WORDS}", failed, remedied, newest.at, newest.said, error)
