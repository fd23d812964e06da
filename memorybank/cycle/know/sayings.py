"""The sayings by which an expectation is shown: how people usually ask for it, and what they insist on."""

from __future__ import annotations

__light__ = True

from math import log, sqrt

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.complaints import complaint
from memorybank.text.prompts.discussing import orders_to_discuss
from memorybank.text.prompts.expectations import practices_of
from memorybank.text.prompts.failing_checks import bare_report
from memorybank.text.prompts.themes import DISCUSS, FIRST
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.fold.stated import Stated

_MOST_SAYINGS, _SESSIONS_A_SAYING = 4, 3
"""One saying for this many sessions is added to the first, up to `_MOST_SAYINGS`: a frequent theme is worded in more ways."""
LONGEST_SAYING = 120
_LONGEST_POINT = 90
_FEWEST_CHARACTERS, _CHARACTERS_A_SESSION, _MOST_CHARACTERS = 40, 8, 140
"""Characters of the sayings of one expectation together, by the number of sessions in which it came up."""
_USUAL = 0.33
"""Share of the requests for the same that contain the usual words of its theme."""
_CUT = "…"
_CLAUSE_END = lazy_pattern(r"(?<=[,;:])\s+|(?<!\s)\s+[-–—]\s+|(?<=、)")
_NEW = 0.6
"""Share of a saying's words that the sayings before it must not contain."""
_PARTICULAR, _POINTING, _LONG = 0.5, 0.2, 120
_STANCE = lazy_pattern(
    r"\b(?:don['’]?t|do not|not|never|always|only|really|just|useful|too|instead|before|first|again|also|no need|must|completely|all|any)\b"
    r"|ない|必ず|いつも|だけ|前に|先に|まず|代わり|も",
    "i",
)
_NAMES = lazy_pattern(r"[`/_\"]|[a-z][A-Z]|\w\.\w")
_POINTS = lazy_pattern(r"\b(?:this|that|these|those)\b|[こそあ](?:の|れ|こ)(?!場合)", "i")
"""Match what names or points at the thing of one task."""


def sayings(theme: list[Stated]) -> list[str]:
    """Return the most typical saying, then those that take a stance (not, only, before …) and add most that came up in many sessions. A complaint that it was
    not done ("again you forgot the tests") says less than an order, so it is only used where every saying is one.
    So does a wish to discuss one matter."""
    words = {one.statement.text: one.words for one in theme}
    counts: dict[str, set[str]] = {}
    for one in theme:
        for word in words[one.statement.text]:
            counts.setdefault(word, set()).add(one.session)
    covered: set[str] = set()
    chosen: list[str] = []

    # Prefer words that came up in many sessions. Names of particular files, "this" and length count against a saying, because it stands for the theme.
    # A test that fails first changes how the work is done, so it comes before other wordings of a wish for tests.
    def usual(text: str) -> tuple[bool, bool, float, str]:
        common = sum(sorted(log(1 + len(counts[word])) for word in words[text] - covered)) / sqrt(1 + len(words[text]))
        common -= _PARTICULAR * len(_NAMES.findall(text)) + _POINTING * len(_POINTS.findall(text)) + len(text) / _LONG
        return len(text) <= LONGEST_SAYING, bool(chosen) and FIRST in practices_of(text), common, text

    from memorybank.text.prose.passages import excerpt  # late: most calls are about no rule

    orders = [text for text in words if not complaint(text)[0]] or list(words)
    if theme[0].statement.subject == DISCUSS:
        orders = list(filter(orders_to_discuss, orders)) or orders
    most = min(_MOST_SAYINGS, 1 + len({one.session for one in theme}) // _SESSIONS_A_SAYING)
    while orders and len(chosen) < most:
        best = max(orders, key=usual)
        chosen.append(excerpt(best, LONGEST_SAYING))
        covered |= words[best]
        orders = [text for text in orders if _STANCE.search(text) and len(_NAMES.findall(text)) <= 1]
        orders = [text for text in orders if len(words[text] - covered) >= _NEW * len(words[text]) > 0]
    return chosen


def shortest(said: Sequence[str], theme: Sequence[Stated], sessions: int) -> list[str]:
    """Return the sayings of an expectation that a start shows: more of them the more often it came up.

    Each begins at the clause that names the theme. A saying that is still too long is used only when every saying is.

    said: its sayings, from `sayings`.
    sessions: number of sessions in which it came up.
    """
    counts: dict[str, int] = {}
    for word in (word for one in theme for word in one.words):
        counts[word] = counts.get(word, 0) + 1
    usual = {word for word, count in counts.items() if count >= _USUAL * len(theme)}
    points = [_from_the_point(saying, usual) for saying in said]
    left = min(_MOST_CHARACTERS, _FEWEST_CHARACTERS + _CHARACTERS_A_SESSION * sessions)
    chosen: list[str] = []
    for point in [point for point in points if not point.endswith(_CUT)] or points:
        if not chosen or len(point) <= left:
            chosen.append(point)
            left -= len(point)
    return chosen


def report(theme: Sequence[Stated]) -> str:
    """Return the newest report of a failing check that says nothing else; "" without one."""
    return next(filter(None, (bare_report(one.statement.text) for one in theme)), "")


def _from_the_point(saying: str, usual: set[str]) -> str:
    """Return a saying without the clauses before the first one that contains a usual word of its theme, and without those that make it long."""
    clauses = _CLAUSE_END.split(saying)
    first = next((place for place, clause in enumerate(clauses) if not usual.isdisjoint(content_terms(clause))), 0)
    point = clauses[first]
    for clause in clauses[first + 1 :]:
        if len(point) + len(clause) >= _LONGEST_POINT:
            break
        point += f" {clause}" if point.isascii() else clause
    from memorybank.text.prose.passages import excerpt

    return f"{_CUT} " * (first > 0) + excerpt(point.rstrip(",;:、"), _LONGEST_POINT)
