"""What helps after a failed call: what ended the same error before, and how earlier sessions went on after the same failure.

Two failures are the same if the call has the same form and a line of the error says the same. What followed the earlier one is about the later one too: what
the person answered, what the agent found out at once, and what its session said afterwards.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import FIX, REFUTED, SAID
from memorybank.cycle.fold.repairs import checks_style, wrong_words
from memorybank.cycle.know import fixes, lessons, same_error, search
from memorybank.cycle.know.findings import apart, least_sum
from memorybank.text.commands.corrected import is_check
from memorybank.text.commands.error_names import are_of_one_error
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import contains
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.cycle.know.called import FailedCall
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

_DIRECT = 5.0
"""Nats that the error and a remark have in common."""
_QUOTED = lazy_pattern(r"[`\"“]([^`\"“”\n]{2,80})[`\"”]|「([^」\n]{2,80})」")
_SAME, _TELLING, _MUCH = 0.75, 0.5, 2.0
"""Least share of a line, by rarity, that an earlier error contains, and the share of `LEAST_SUM` that this must weigh: else the line ends every failure. Of a
command, `_MUCH` times `LEAST_SUM` is enough whatever its share: long messages name files that differ each time."""
_FIXED = 0.8
"""Share of `LEAST_SUM` that the common words of an error and the one that was fixed must weigh."""
_AGREED = 3
"""Sessions that found out the same after the same failure."""
_MOST_FAILURES, _MOST_COMPARED = 40, 12
_FIRST, _LAST = 6, 2
"""Numbers of lines of an error that are compared: what is wrong, and in which check it was found. Of a short error these are all lines."""
_MOST_REMARKS = 2
_ANSWER_CHARACTERS = 240
_STEP = 0.1
"""By which each of what is found ranks below the one before it."""


def said(earlier: Earlier, failed: FailedCall) -> list[Passage]:
    """Return what people answered to the same failure, what fixed the same error, and what other sessions said about it, the best first."""
    least = least_sum(earlier.rarity)
    same = _same(earlier, failed, least)
    followed = list(filter(earlier.finds, _after(earlier, same))) if same else []
    fixed = fixes.ending(earlier, failed, least * _FIXED)
    taught = lessons.about(earlier, failed, {failure: place for failure, place in same.items() if _is_said_again(earlier, failed, failure)}, least)
    before = same_error.again(earlier, failed.lines)
    found = apart([*_answers(earlier, failed, followed), *fixed, *before, *_remarks(earlier, failed, followed), *taught], _MOST_REMARKS)
    for place, passage in enumerate(found):
        passage.rank = 1.0 - _STEP * place
    return found


def _after(earlier: Earlier, failures: Iterable[int]) -> list[Passage]:
    """Return the remarks that were made after these failures, without what fixed them."""
    listed = ",".join(map(str, failures))
    condition = f"failure IN ({listed}) AND kind NOT IN (?, ?) AND session IS NOT ? AND at <= ? AND {search.IS_SEEN} ORDER BY at DESC, memory"
    return earlier.selected(condition, (FIX, REFUTED, earlier.own, earlier.now))


def _same(earlier: Earlier, failed: FailedCall, least: float) -> dict[int, tuple[str, int]]:
    """Return {failure: (session, instant)} of the same failures in other sessions, the newest first."""
    command = set(content_terms(failed.command))
    said = failed.error.split("\n")
    read = said if len(said) <= _FIRST else [*failed.lines[:_FIRST], *failed.lines[_FIRST:][-_LAST:]]
    lines = [words for words in map(wrong_words, read) if len(words) > 1 and not words <= command]
    # A wrapper in front of the command was added or left out.
    called = {*failed.forms, *(rest for form in failed.forms if " " in (rest := form.partition(" ")[2]))}
    if not lines or not called:
        return {}
    rarity = earlier.rarity
    rarity.learn(word for words in lines for word in words)
    masses = [rarity.sum(words) for words in lines]
    asked = (
        f"SELECT id, session, at, error FROM failures WHERE form = ? AND session IS NOT ? AND at <= ? AND {search.IS_SEEN_FAILURE}"
        " ORDER BY at DESC, session, offset DESC LIMIT ?"
    )
    rows = (row for form in sorted(called) for row in earlier.connection.execute(asked, (form, earlier.own, earlier.now, _MOST_FAILURES)))
    found = {}
    for failure, session, at, error in rows:
        theirs = set(error.split(" "))
        common = [rarity.sum(words & theirs) for words in lines]
        is_same = any(weight >= max(_TELLING * least, _SAME * mass) for weight, mass in zip(common, masses, strict=True))
        if is_same or (failed.command and max(common) >= _MUCH * least):
            found[failure] = session, at
    return dict(sorted(found.items(), key=lambda one: -one[1][1]))


def _answers(earlier: Earlier, failed: FailedCall, followed: Sequence[Passage]) -> list[Passage]:
    """Return what people answered to these failures, one passage for each, the newest first. heading: the call and its error.

    What was answered about files that the session had not edited ("somebody else works on that one") says nothing about those that this one has edited.
    """
    words = wrong_words(failed.error)
    found: dict[int | None, list[Passage]] = {}
    for passage in followed:
        if passage.kind == SAID:
            found.setdefault(passage.failure, []).append(passage)
    if not found:
        return []
    from memorybank.text.commands.output_lines import FAILED, kind  # late: after most failures nobody said anything

    answers = []
    connection = earlier.connection
    is_own = _is_about_edited(connection, earlier.own, failed.lines)
    for failure, sayings in found.items():
        form, line = _failure(connection, failure)
        is_of_test = is_check(form.split(" ")) or any(kind(one) == FAILED for one in failed.lines)  # a hook runs tests, too
        if checks_style(form) or (is_of_test and not _complains(line, words)):
            continue  # the next complaint is about other code, and another test fails for another reason
        if is_own and not _is_about_edited(connection, sayings[0].session, [line]):
            continue
        last = max(sayings, key=lambda passage: passage.id)
        last.heading = f"`{form}`: {line}"
        last.text = _joined(sorted(sayings, key=lambda passage: passage.id))
        answers.append(last)
    return sorted(answers, key=lambda passage: (-passage.at, passage.memory))[:1]


def _failure(connection: Connection, failure: int | None) -> tuple[str, str]:
    """Return (form of the call, line that says what was wrong) of a failure."""
    row: tuple[str, str] = connection.execute("SELECT form, line FROM failures WHERE id = ?", (failure,)).fetchone()
    return row


def _is_about_edited(connection: Connection, session: str, lines: Sequence[str]) -> bool:
    """Return whether lines of an error name a file that a session edited."""
    return any(contains(line, name) for name in fixes.edited_in(connection, session) for line in lines)


def _complains(line: str, words: Collection[str]) -> bool:
    """Return whether an error with these words says what this line of an earlier one says."""
    wrong = wrong_words(line)
    return len(wrong.intersection(words)) >= _SAME * len(wrong)


def _is_said_again(earlier: Earlier, failed: FailedCall, failure: int | None) -> bool:
    """Return whether a failed call met the error of an earlier one again. Other errors of the same command end with the same lines."""
    _, line = _failure(earlier.connection, failure)
    return _complains(line, wrong_words(failed.error)) and any(are_of_one_error(one, line) for one in failed.lines)


def _joined(sayings: Sequence[Passage]) -> str:
    """Return the last sentences of an answer, at most about `_ANSWER_CHARACTERS`: the decision comes at the end."""
    from memorybank.text.prose.passages import excerpt  # late: people answer few failures

    said = excerpt(sayings[-1].text, _ANSWER_CHARACTERS)
    for passage in reversed(sayings[:-1]):
        if len(said) + len(passage.text) > _ANSWER_CHARACTERS:
            break
        said = f"{passage.text} / {said}"
    return said


def _remarks(earlier: Earlier, failed: FailedCall, followed: Sequence[Passage]) -> list[Passage]:
    """Return what agents found out right after these failures and that concerns this one, the best first.

    A remark explains the complaint before it. A linter complains about other code the next time, and a test or a hook may complain about something else.
    """
    remarks = [passage for passage in followed if passage.kind != SAID]
    if not remarks or checks_style(failed.command):
        return []
    from memorybank.text.prose.momentary import without_supposed  # late: most failures were followed by no remark

    remarks = search.shortened(remarks, without_supposed)
    rarity = earlier.rarity
    rarity.learn(term for remark in remarks for term in remark.terms)
    if not failed.command:
        return _agreed(rarity, remarks[:_MOST_COMPARED]) if _is_repeated(earlier, failed) else []
    wanted = set(content_terms(f"{failed.error} {failed.command}"))
    again = {failure for failure in {remark.failure for remark in remarks} if _is_said_again(earlier, failed, failure)}
    remarks = [remark for remark in remarks if remark.failure in again]
    for remark in remarks:
        remark.matched = [term for term in remark.terms if term in wanted]
        remark.sum = remark.rank = rarity.sum(remark.matched)
    found = [remark for remark in remarks if remark.sum >= _DIRECT and _names_something_of(remark.text, wanted)]
    return sorted(found, key=search.order)


def _is_repeated(earlier: Earlier, failed: FailedCall) -> bool:
    """Return whether such a call failed in this session before. Most calls of a host's own tool that fail once succeed at the second attempt."""
    marks = ",".join("?" * len(failed.forms))
    asked = f"SELECT 1 FROM failures WHERE session = ? AND at < ? AND form IN ({marks}) LIMIT 1"
    return earlier.connection.execute(asked, (earlier.own, earlier.now, *failed.forms)).fetchone() is not None


def _agreed(rarity: Rarity, remarks: Sequence[Passage]) -> list[Passage]:
    """Return the remark with which those of other sessions agree most.

    The error of a host's own tool (an edit that finds no such text) quotes the code at hand, so that words in common with it say nothing; that several
    sessions found out the same does.
    """
    found = []
    for remark in remarks:
        common: dict[str, float] = {}
        for other in remarks:
            both = rarity.sum(set(remark.terms).intersection(other.terms))
            if both >= _DIRECT:
                common[other.session] = max(both, common.get(other.session, 0.0))
        if len(common) >= _AGREED and not _QUOTED.search(remark.text):
            remark.rank = sum(common.values())
            found.append(remark)
    return sorted(found, key=search.order)[:1]


def _names_something_of(said: str, wanted: Collection[str]) -> bool:
    """Return whether something that a remark quotes (a test, a file, a command) occurs in the error too. A remark without a quote is general and may apply."""
    names = [content_terms(found[1] or found[2]) for found in _QUOTED.finditer(said)]
    return not any(names) or any(all(term in wanted for term in name) for name in names if name)
