"""Lessons: what earlier answers say about an error like this one, whether or not something failed in their session.

A closing message often names what the next session will run into ("without `DATABASE_URL` the tests use 5432, which is your own server"). Errors in
the code that is being changed (diagnostics, failed tests, linters) say themselves what is wrong, and so do those of git.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWERS
from memorybank.cycle.fold.repairs import checks_style, lasting
from memorybank.cycle.know import search
from memorybank.text import error_excerpt, forms, programs
from memorybank.text.corrected import is_check
from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import sentences
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Sequence

    from memorybank.cycle.know.search import Passage, Rarity

LEAST = 1.2
"""Part of `findings.LEAST_SUM` that a lesson and a failed call must have in common."""
_MOST_LINES = 8
_PATH = lazy_pattern(r"(?:~|\.{0,2}/|[\w.@-]+/)[\w./@\[\]-]*|\b[\w-]+\.[A-Za-z]{1,4}\b(?::\d+)*")
"""Paths and files: that an answer names a file which an error names, too, says nothing about the error."""
_QUOTED = lazy_pattern(r"\"[^\"]*\"|'[^']*'")
_TEACHES = lazy_pattern(
    r"\b(?:because|since|so that|otherwise|unless|only|without|must|needs?|has to|have to|requires?|never|not|no longer|cannot|fails?|failed|failures?"
    r"|breaks?|instead|rather than|caused?|trap|obstacle|falls? back|refuses?|dies|works?|worked|comes from|by default)\b|n['’]t\b"
    r"|ため|ので|から[、。]|原因|ないと|必要|のみ|だけ|落ち|失敗|ください|指定|代わり|ではなく|ません|できない|既定",
    "i",
)
"""Matches a sentence that says on what something depends, not only what was done."""


def about(
    connection: Connection,
    rarity: Rarity,
    command: str,
    error: str,
    lines: Sequence[str],
    least: float,
    own: str,
    now: int,
    without: Callable[[Passage], bool] | None = None,
) -> list[Passage]:
    """Return the lessons about a failed command, the best first.

    error: its complete message.
    lines: the lines of it that say what is wrong.
    least: nats that a lesson and the call must have in common.
    without: returns whether a passage is left out.
    """
    called = forms.parts(command)
    if not called or called[-1][0].startswith("git ") or is_check(called[-1][1]) or checks_style(command) or error_excerpt.is_about_code(error):
        return []
    wrong = {term for line in lines[:_MOST_LINES] for term in _words(line) if term in lasting(line)}
    said = wrong.union(_words(_QUOTED.sub(" ", command.partition("\n")[0])), content_terms(programs.name(called[-1][1][0])))
    rarity.learn(said)
    found = []
    for passage in search.search(connection, rarity, sorted(said), ANSWERS, own, now, without, least * search.LEAST_RANK):
        words = set(_words(passage.text))
        passage.matched = [term for term in passage.matched if term in words]
        passage.sum = passage.rank = rarity.sum(passage.matched)
        if passage.sum >= least and not wrong.isdisjoint(passage.matched) and _teaches(passage):
            found.append(passage)
    return sorted(found, key=search.order)


def _words(text: str) -> list[str]:
    return content_terms(_PATH.sub(" ", text))


def _teaches(passage: Passage) -> bool:
    return any(_TEACHES.search(sentence) and not set(passage.matched).isdisjoint(content_terms(sentence)) for sentence in sentences(passage.text))
