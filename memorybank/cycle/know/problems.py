"""Problems: calls of one form that fail here again and again, and what makes them work. Counted when asked for, from every failure
that the reader may see; a failure that nothing is known to mend is no problem anybody can do something about.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.failures import INSTEAD
from memorybank.cycle.fold.phrases import about, phrase
from memorybank.cycle.know.search import IS_SEEN_FAILURE
from memorybank.storage.digest import sha256
from memorybank.text import forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import Any

PROBLEM = "problem"
_LEAST_SESSIONS = 2
"""Sessions in which the same remedy worked: once is a coincidence."""
_LEAST_SHARE = 0.3
"""Of the sessions in which it was mended, those in which the remedy took its place."""
_MOST_SHARE, _LEAST_LIFT = 0.5, 3.0
"""What was run first counts as the remedy where it was in so many of these sessions, or as many times more often than in all sessions: a test
that is run all the time is run in between by chance."""
_LEAST_FIRST = 0.15
_STAGING = "git add"
"""Comes before every commit, the one that failed too."""
_LEAST_USES, _LEAST_PROGRAMS, _WRAPPER_SHARE = 6, 3, 0.5
_OTHER_WORDS = "…"


class KnownProblem:
    """One form of call that fails, with its remedy.

    form: of the calls that fail; ends in `…` where any words may follow; how: `instead` or `first`; failed: sessions in which it failed;
    mended: sessions in which the remedy worked; at: when it failed last (ms); said: the beginning of its last error.
    """

    __slots__ = ("at", "failed", "form", "how", "mended", "remedy", "said")

    def __init__(self, form: str, how: str, remedy: str, failed: int, mended: int, at: int, said: str) -> None:
        self.form = form
        self.how = how
        self.remedy = remedy
        self.failed = failed
        self.mended = mended
        self.at = at
        self.said = said

    @property
    def memory(self) -> str:
        """Its id: from what fails and what mends it, the same in every cache."""
        return f"{PROBLEM}:{sha256(f'{self.form}|{self.how}|{self.remedy}'.encode()).hex()[:8]}"

    def concerns(self, called: Collection[str]) -> bool:
        """Whether one of these forms is a call that fails."""
        if self.form.endswith(_OTHER_WORDS):
            return any(f"{one} ".startswith(self.form[: -len(_OTHER_WORDS)]) for one in called)
        return self.form in called

    def __repr__(self) -> str:
        return f"KnownProblem({self.form!r}, {self.how!r}, {self.remedy!r}, {self.mended} of {self.failed})"


class Occurrence:
    """One failure of a problem. at: ms; form: of the call; said: the beginning of its error; is_mended: whether the remedy worked then."""

    __slots__ = ("at", "form", "is_mended", "said", "session")

    def __init__(self, session: str, at: int, form: str, said: str) -> None:
        self.session = session
        self.at = at
        self.form = form
        self.said = said
        self.is_mended = False


def find(connection: Connection, own: str, now: int) -> list[KnownProblem]:
    """Every problem with a proven remedy, those that cost most sessions first. own: the session that asks, whose failures do not count."""
    wrapping = wrappers(connection)
    failed: dict[str, set[str]] = {}
    mended: dict[tuple[str, str, str], set[str]] = {}
    worked: dict[str, set[str]] = {}
    last: dict[str, tuple[int, str]] = {}
    for form, purpose, session, at, said, is_mended, how, remedy in _rows(connection, wrapping, own, now):
        for one in {form, purpose}:
            failed.setdefault(one, set()).add(session)
            last[one] = (at, said)
        if is_mended:
            worked.setdefault(purpose, set()).add(session)
        if remedy is not None and remedy != purpose and not remedy.endswith(_STAGING):
            mended.setdefault((purpose, how, remedy), set()).add(session)
    best: dict[str, KnownProblem] = {}
    for (form, how, remedy), sessions in sorted(mended.items()):
        share = len(sessions) / len(worked[form])
        is_proven = len(sessions) >= _LEAST_SESSIONS and share >= (_LEAST_SHARE if how == INSTEAD else _LEAST_FIRST)
        if is_proven and (how == INSTEAD or share >= _MOST_SHARE or share >= _LEAST_LIFT * _usual(connection, remedy)):
            found = KnownProblem(form, how, remedy, len(failed[form]), len(sessions), *last[form])
            if form not in best or found.mended > best[form].mended:
                best[form] = found
    counted = {form: (failed[form], mended[form, problem.how, problem.remedy]) for form, problem in best.items()}
    return sorted(_merged(best.values(), counted), key=lambda problem: (-problem.failed, problem.form))


def occurrences(connection: Connection, problem: KnownProblem, own: str, now: int) -> list[Occurrence]:
    """Every failure that this problem is made of, the oldest first."""
    found: dict[tuple[str, int, str], Occurrence] = {}
    for form, purpose, session, at, said, _, how, remedy in _rows(connection, wrappers(connection), own, now):
        if problem.concerns((form, purpose)):
            one = found.setdefault((session, at, form), Occurrence(session, at, form, said))
            one.is_mended |= how == problem.how and remedy is not None and _is_like(problem.remedy, remedy)
    return list(found.values())


def _is_like(shown: str, remedy: str) -> bool:
    """Whether a command that worked is the remedy of a problem, which may leave its last words open."""
    return f"{remedy} ".startswith(shown[: -len(_OTHER_WORDS)]) if shown.endswith(_OTHER_WORDS) else remedy == shown


def _rows(connection: Connection, wrapping: frozenset[str], own: str, now: int) -> Iterator[tuple[Any, ...]]:
    """(form, purpose, session, at, said, whether it worked later, how, remedy) of each failure with each of its remedies, the oldest first. purpose:
    the form without the programs that wrap it, where something else ran first."""
    rows = connection.execute(
        "SELECT form, session, at, said, mended IS NOT NULL, how, remedy FROM failures f LEFT JOIN remedies r ON r.failure = f.id"
        f" WHERE session IS NOT ? AND at <= ? AND {IS_SEEN_FAILURE} ORDER BY at, session, offset, how, remedy",
        (own, now),
    )
    for form, session, at, said, is_mended, how, remedy in rows:
        yield form, form if how == INSTEAD or remedy is None else forms.unwrapped(form, wrapping), session, at, said, is_mended, how, remedy


def _usual(connection: Connection, form: str) -> float:
    """The share of all sessions in which a command of this form ran."""
    (ran, all_of_them) = connection.execute("SELECT (SELECT count(*) FROM forms WHERE form = ?), (SELECT count(*) FROM files)", (form,)).fetchone()
    return float(ran / all_of_them) if all_of_them else 0.0


def wrappers(connection: Connection) -> frozenset[str]:
    """The words of this repository's history that several known programs follow: they run other programs (`rtk git`, `rtk bun`)."""
    uses: dict[str, dict[str, int]] = {}
    for program, word, count in connection.execute("SELECT program, word, uses FROM chains"):
        uses.setdefault(program, {})[word] = count
    alone = {program for program, words in uses.items() if sum(words.values()) > 1}
    found = set()
    for program, words in uses.items():
        known = {word: count for word, count in words.items() if word in alone and word != program}
        total = sum(words.values())
        if len(known) >= _LEAST_PROGRAMS and total >= _LEAST_USES and sum(known.values()) >= _WRAPPER_SHARE * total:
            found.add(program)
    return frozenset(found)


def _merged(problems: Iterable[KnownProblem], counted: Mapping[str, tuple[set[str], set[str]]]) -> list[KnownProblem]:
    """Problems that are one: several calls that fail for the word before them (`rtk bun run test`, `rtk bun run lint`) and work without it.
    counted: {form: (sessions in which it failed, those in which its remedy worked)}."""
    groups: dict[str, list[KnownProblem]] = {}
    for problem in problems:
        word, _, rest = problem.form.partition(" ")
        program = rest.partition(" ")[0]
        is_prefix = problem.how == INSTEAD and problem.remedy == rest and bool(program)
        groups.setdefault(f"{word} {program}" if is_prefix else problem.memory, []).append(problem)
    return [group[0] if len(group) == 1 else _together(name, group, counted) for name, group in groups.items()]


def _together(name: str, group: list[KnownProblem], counted: Mapping[str, tuple[set[str], set[str]]]) -> KnownProblem:
    newest = max(group, key=lambda problem: problem.at)
    failed, mended = (len(set[str]().union(*(counted[problem.form][which] for problem in group))) for which in (0, 1))
    return KnownProblem(f"{name} {_OTHER_WORDS}", INSTEAD, f"{name.partition(' ')[2]} {_OTHER_WORDS}", failed, mended, newest.at, newest.said)


def text(problem: KnownProblem, language: str) -> str:
    """The problem in one line, its remedy first of what helps."""
    name = "problem_instead" if problem.how == INSTEAD else "problem_first"
    return phrase(name, language, call=problem.form, remedy=problem.remedy, count=about(problem.failed))
