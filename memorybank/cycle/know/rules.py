"""Rules: what people stated to last, in their own words, and what they ask for again and again.

A statement holds until a later one about the same subject takes its place. An expectation ("did you add tests?") is a rule once it came up
in several sessions; its theme is one rule, told by two or three short sayings. Light imports only: hooks load this file.
"""

from __future__ import annotations

import re
from math import log, sqrt

from memorybank.cycle.fold.phrases import about, phrase
from memorybank.cycle.know.search import IS_SEEN
from memorybank.storage.digest import sha256
from memorybank.text.expectations import EXPECTATION, same_theme
from memorybank.text.passages import shortened
from memorybank.text.statements import Statement, supersedes
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

RULE = "rule"
LEAST_SESSIONS = 2
"""Sessions after which what somebody asks for is expected."""
_MOST_SAYINGS, _MOST_OF_TESTS = 2, 3
_LONGEST_SAYING = 130
_NEW = 0.6
"""Share of a saying's words that those before it must not have."""
_STANCE, _PARTICULAR, _LONG = 1.2, 0.5, 120
_STANDS = re.compile(
    r"\b(?:don['’]?t|do not|not|never|always|only|really|just|useful|too|instead|before|first|again|also|no need|must|completely|all|any)\b"
    r"|ない|必ず|いつも|だけ|前に|先に|まず|代わり|も",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[`/_\"]|[a-z][A-Z]|\w\.\w")
_PASSING = frozenset(("review", "run"))
"""Themes of requests that are made again and again, and fulfilled each time: no expectation of other work."""
_KINDRED = {"first": "test", "useful": "test", "useful test": "test", "first test": "test"}
"""How tests are wanted is part of the wish for tests."""
_STANDING = ("constraint", "preference", "procedure")
"""Kinds of statements that hold whatever is worked on; facts and corrections come up where they match."""
_NEWEST = 400


class Rule:
    """kind: as of `text.statements`; sayings: in the person's words, the most telling first; stated: what it is made of, the newest first;
    memory: its id, from the subject of the first that stated it, so that it stays the same; terms: what its sayings are about."""

    __slots__ = ("kind", "memory", "sayings", "stated", "subject", "terms")

    def __init__(self, kind: str, sayings: Sequence[str], stated: Sequence[Stated]) -> None:
        self.kind = kind
        self.sayings = list(sayings)
        self.stated = list(stated)
        self.subject = stated[-1].statement.subject
        self.memory = f"{RULE}:{sha256(f'{kind == EXPECTATION}|{self.subject}'.encode()).hex()[:8]}"
        self.terms = list(dict.fromkeys(term for saying in sayings for term in content_terms(saying)))

    @property
    def at(self) -> int:
        """When it was stated last (ms)."""
        return self.stated[0].at

    @property
    def sessions(self) -> int:
        """In how many sessions it came up."""
        return len({one.session for one in self.stated})

    @property
    def is_expected(self) -> bool:
        return self.kind == EXPECTATION

    def __repr__(self) -> str:
        return f"Rule({self.kind!r}, {self.subject!r}, {self.sayings!r}, {self.sessions})"


class Stated:
    """One statement where it was made. at: ms."""

    __slots__ = ("at", "session", "statement")

    def __init__(self, at: int, session: str, statement: Statement) -> None:
        self.at = at
        self.session = session
        self.statement = statement


def find(connection: Connection, own: str, now: int) -> list[Rule]:
    """The rules in force: standing expectations by how many sessions they came up in, then statements, the newest first."""
    expected, stated, _ = _read(connection, own, now)
    themes = [_expectation(theme) for theme in expected if len({one.session for one in theme}) >= LEAST_SESSIONS]
    themes.sort(key=lambda rule: (-rule.sessions, -rule.at, rule.subject))
    return themes + [_of_statement(one) for one in stated]


def superseded(connection: Connection, own: str, now: int) -> list[tuple[Rule, Rule]]:
    """(a rule that no longer holds, the one that took its place), the newest first."""
    return [(_of_statement(older), _of_statement(newer)) for older, newer in _read(connection, own, now)[2]]


def _read(connection: Connection, own: str, now: int) -> tuple[list[list[Stated]], list[Stated], list[tuple[Stated, Stated]]]:
    """(themes of expectations, statements in force, (superseded, by what)), each the newest first."""
    rows = connection.execute(
        f"SELECT at, session, kind, text, subject FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN}"
        " ORDER BY at DESC, file, offset, place LIMIT ?",
        (own, now, _NEWEST),
    )
    expected: list[list[Stated]] = []
    stated: list[Stated] = []
    replaced: list[tuple[Stated, Stated]] = []
    for at, session, kind, text, subject in rows:
        subject = _KINDRED.get(subject, subject)
        one = Stated(at, session, Statement(kind, text, subject))
        if kind != EXPECTATION:
            newer = next((newer for newer in stated if supersedes(newer.statement, one.statement)), None)
            if newer is None:
                stated.append(one)
            else:
                replaced.append((one, newer))
        elif not _PASSING.issuperset(subject.split()):
            theme = next((theme for theme in expected if same_theme(theme[0].statement.subject, subject)), None)
            if theme is None:
                expected.append([one])
            else:
                theme.append(one)
    return expected, [one for one in stated if _stands(one)], [(older, newer) for older, newer in replaced if _stands(older)]


def _stands(one: Stated) -> bool:
    return one.statement.kind in _STANDING


def _of_statement(one: Stated) -> Rule:
    return Rule(one.statement.kind, [one.statement.text], [one])


def _expectation(theme: list[Stated]) -> Rule:
    return Rule(EXPECTATION, _sayings(theme), theme)


def _sayings(theme: list[Stated]) -> list[str]:
    """The sayings that say most of how people want it: in words that come up often in the theme, with a stance (not, only, before …), short and
    about no single thing; each with something new."""
    words = {one.statement.text: set(content_terms(one.statement.text)) for one in theme}
    counts: dict[str, set[str]] = {}
    for one in theme:
        for word in words[one.statement.text]:
            counts.setdefault(word, set()).add(one.session)

    def telling(text: str) -> float:
        held = words[text]
        common = sum(log(1 + len(counts[word])) for word in held) / sqrt(1 + len(held))
        return common + _STANCE * bool(_STANDS.search(text)) - _PARTICULAR * len(_NAMES.findall(text)) - len(text) / _LONG

    chosen: list[str] = []
    told: set[str] = set()
    for text in sorted(words, key=lambda text: (-telling(text), len(text), text)):
        if not chosen or len(words[text] - told) >= _NEW * len(words[text]) > 0:
            chosen.append(text if len(text) <= _LONGEST_SAYING else shortened(text, _LONGEST_SAYING))
            told |= words[text]
        if len(chosen) == (_MOST_OF_TESTS if theme[0].statement.subject == "test" else _MOST_SAYINGS):
            break
    return chosen


def text(rule: Rule, language: str) -> str:
    """The rule as it is shown: in the person's words."""
    said = " / ".join(f'"{saying}"' for saying in rule.sayings)
    return phrase("expected", language, said=said, count=about(rule.sessions)) if rule.is_expected else said
