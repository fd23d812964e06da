"""What helps after a failed call: what ended the same error before, and what other sessions said after similar failures and about such errors."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import FIX
from memorybank.cycle.know import fixes, lessons, on_command, search
from memorybank.cycle.know.called import command_of, forms_of_failure
from memorybank.cycle.know.findings import apart, least_sum
from memorybank.text.error_excerpt import error_excerpt_lines
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage, Rarity

_DIRECT, _SAME, _SAME_ELSEWHERE, _SHORT_ERROR, _SAME_SHORT = 5.0, 0.2, 0.3, 12, 0.3
"""For matches after a failure: nats that the error and a remark have in common; shares of two errors that count as similar, after the same command
and after another one; terms below which an error is short; the share for a short error, which counts after the same command only."""
_QUOTED = lazy_pattern(r"[`\"“]([^`\"“”\n]{2,80})[`\"”]|「([^」\n]{2,80})」")
_SIMILAR = 0.35
"""Above this share, a remark may apply although the names that it quotes do not occur in the error."""
_TELLING = 0.8
"""Share of `LEAST_SUM` that the common words of two errors must weigh, so that an error message at the end of every failure does not count."""
_MOST_FAILURES = 200
_MOST_REMARKS = 2


class FailedCall(Value):
    """A call that failed.

    forms: its forms, and those of the calls that its output names.
    command: the shell command; "" for another tool.
    error: the complete message.
    lines: the lines of the error that say what is wrong.
    """

    forms: Sequence[str]
    command: str
    error: str
    lines: Sequence[str]


def of_event(event: Event) -> FailedCall:
    """Return the failed call of an event."""
    error = event.error or ""
    return FailedCall(forms_of_failure(event), command_of(event), error, error_excerpt_lines(error))


def said(connection: Connection, rarity: Rarity, failed: FailedCall, own: str, now: int, without: Callable[[Passage], bool] | None = None) -> list[Passage]:
    """Return what fixed the same error in other sessions, then what they said after similar failures and about such errors, the most similar first.

    without: whether a passage is left out.
    """
    wanted, forms = set(content_terms(f"{failed.error} {failed.command}")), set(failed.forms)
    rarity.learn(wanted)
    ranked = []
    for failure, form, terms in _failures(connection, own, now):
        theirs = set(terms.split(" "))
        both = theirs & wanted
        rarity.learn(theirs)
        alike = rarity.sum(both) / (1.0 + rarity.sum(theirs | wanted))
        is_same_call = form in forms  # the same command needs less similarity than another one
        if alike >= (_SAME if is_same_call else _SAME_ELSEWHERE):
            ranked.append((alike, is_same_call, failure))
    alikeness = {failure: (alike, is_same_call) for alike, is_same_call, failure in ranked}
    remarks = search.of_failures(connection, alikeness, own, now) if alikeness else []
    scored = []
    for remark in remarks:
        if without is not None and without(remark):
            continue
        rarity.learn(remark.terms)
        remark.matched = [term for term in remark.terms if term in wanted]
        remark.sum = rarity.sum(remark.matched)
        alike, is_same_call = alikeness[remark.failure]  # type: ignore[index]  # set for every remark of a failure
        if _applies(remark, rarity, wanted, alike, is_same_call):
            remark.share = alike
            remark.rank = 20 * alike + remark.sum + 3 * is_same_call
            scored.append(remark)
    scored.sort(key=lambda remark: (-remark.rank, -remark.at, remark.memory))
    least = least_sum(rarity)
    fixed = fixes.ending(connection, rarity, forms, failed.lines, least * _TELLING, own, now, without)
    taught = lessons.about(connection, rarity, failed.command, failed.error, failed.lines, least * lessons.LEAST, own, now, without)
    return apart([*fixed, *scored, *taught], _MOST_REMARKS)


def about_ports(connection: Connection, failed: FailedCall, own: str, now: int) -> Sequence[Passage]:
    """Return the passages of other sessions that name a port which the error names, and the one to use."""
    return on_command.said_about_ports(connection, failed.error, own, now)


def _applies(remark: Passage, rarity: Rarity, wanted: Collection[str], alike: float, is_same_call: bool) -> bool:
    """Return whether what an agent said or did after one failure helps with another.

    wanted: terms of the other error.
    alike: share that both errors have in common.
    """
    if not (is_same_call and alike >= _SIMILAR) and not _names_something_of(remark.text, wanted):
        return False
    return remark.sum >= _DIRECT or (is_same_call and alike >= _SAME_SHORT and len(wanted) < _SHORT_ERROR)


def _quoted(said: str) -> list[str]:
    return [found[1] or found[2] for found in _QUOTED.finditer(said)]


def _names_something_of(said: str, wanted: Collection[str]) -> bool:
    """Return whether something that a remark quotes (a test, a file, a command) occurs in the error too. A remark without a quote is general and may apply."""
    names = [content_terms(name) for name in _quoted(said)]
    return not any(names) or any(all(term in wanted for term in name) for name in names if name)


def _failures(connection: Connection, own: str, now: int) -> Collection[tuple[int, str, str]]:
    """Return (failure, form, terms of its error) of the newest failures after which something was said."""
    return connection.execute(
        f"SELECT id, form, error FROM failures WHERE session IS NOT ? AND at <= ? AND {search.IS_SEEN_FAILURE}"
        f" AND EXISTS (SELECT 1 FROM passages p WHERE p.failure = failures.id AND p.kind <> '{FIX}') ORDER BY at DESC, session, offset DESC LIMIT ?",
        (own, now, _MOST_FAILURES),
    ).fetchall()
