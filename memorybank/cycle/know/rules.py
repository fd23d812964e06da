"""Rules: what people stated to last, in their own words, and what they ask for again and again.

A statement holds until a later one about the same subject takes its place. An expectation ("did you add tests?") is a rule once it came up
in several sessions; its theme is one rule, told by two or three short sayings. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.know.search import IS_SEEN
from memorybank.storage.digest import sha256
from memorybank.text.expectations import EXPECTATION, same_theme
from memorybank.text.statements import Statement, supersedes
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

RULE = "rule"
LEAST_SESSIONS = 2
"""Sessions after which what somebody asks for is expected."""
_MOST_SAYINGS = 3
_LONGEST_SAYING = 130
_NEW = 0.5
"""Share of a saying's words that those before it must not have."""
_NEWEST = 400


class Rule:
    """kind: as of `text.statements`; sayings: in the person's words, the most telling first; sessions: in how many it came up; at: when last (ms);
    memory: its id, from the subject; terms: what its sayings are about."""

    __slots__ = ("at", "kind", "memory", "sayings", "sessions", "subject", "terms")

    def __init__(self, kind: str, subject: str, sayings: Sequence[str], sessions: int, at: int) -> None:
        self.kind = kind
        self.subject = subject
        self.sayings = list(sayings)
        self.sessions = sessions
        self.at = at
        self.memory = f"{RULE}:{sha256(f'{kind == EXPECTATION}|{subject}'.encode()).hex()[:12]}"
        self.terms = list(dict.fromkeys(term for saying in sayings for term in content_terms(saying)))

    @property
    def is_expected(self) -> bool:
        return self.kind == EXPECTATION

    def __repr__(self) -> str:
        return f"Rule({self.kind!r}, {self.subject!r}, {self.sayings!r}, {self.sessions})"


class _Stated:
    __slots__ = ("at", "session", "statement")

    def __init__(self, at: int, session: str, statement: Statement) -> None:
        self.at = at
        self.session = session
        self.statement = statement


def find(connection: Connection, own: str, now: int) -> list[Rule]:
    """The rules in force: standing expectations by how many sessions they came up in, then statements, the newest first."""
    rows = connection.execute(
        f"SELECT at, session, kind, text, subject FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN} ORDER BY at DESC, file, offset, place LIMIT ?",
        (own, now, _NEWEST),
    )
    expected: list[list[_Stated]] = []
    stated: list[_Stated] = []
    for at, session, kind, text, subject in rows:
        one = _Stated(at, session, Statement(kind, text, subject))
        if kind == EXPECTATION:
            theme = next((theme for theme in expected if same_theme(theme[0].statement.subject, subject)), None)
            if theme is None:
                expected.append([one])
            else:
                theme.append(one)
        elif not any(supersedes(newer.statement, one.statement) for newer in stated):
            stated.append(one)
    themes = [_expectation(theme) for theme in expected if len({one.session for one in theme}) >= LEAST_SESSIONS]
    themes.sort(key=lambda rule: (-rule.sessions, -rule.at, rule.subject))
    return themes + [Rule(one.statement.kind, one.statement.subject, [one.statement.text], 1, one.at) for one in stated]


def _expectation(theme: list[_Stated]) -> Rule:
    return Rule(EXPECTATION, theme[0].statement.subject, _sayings(theme), len({one.session for one in theme}), theme[0].at)


def _sayings(theme: list[_Stated]) -> list[str]:
    """The sayings that say most of how people want it: those whose words come up often in the theme, each with something new."""
    counts: dict[str, set[str]] = {}
    words = {}
    for one in theme:
        words[one.statement.text] = set(content_terms(one.statement.text))
        for word in words[one.statement.text]:
            counts.setdefault(word, set()).add(one.session)
    short = [one.statement.text for one in theme if len(one.statement.text) <= _LONGEST_SAYING] or [theme[0].statement.text[:_LONGEST_SAYING]]

    def telling(text: str) -> float:
        held = words.get(text, set())
        return sum(len(counts[word]) for word in held) / (2 + len(held)) ** 1.2 if held else 0.0

    chosen: list[str] = []
    told: set[str] = set()
    for text in sorted(dict.fromkeys(short), key=lambda text: (-telling(text), len(text), text)):
        new = words.get(text, set()) - told
        if not chosen or len(new) >= _NEW * len(words.get(text, set())) > 0:
            chosen.append(text)
            told |= words.get(text, set())
        if len(chosen) == _MOST_SAYINGS:
            break
    return chosen


def text(rule: Rule) -> str:
    """The rule as it is shown: in the person's words."""
    return " / ".join(f'"{saying}"' for saying in rule.sayings)
