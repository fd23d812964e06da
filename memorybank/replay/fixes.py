"""Failed commands that another session had already repaired in the same way: the repair is what a text shown in time should contain.

A *repaired failure* is a failed command of a context (session × agent) that succeeded later: in the same words or, within the next calls,
in words most of which are the same (`bun test` after `rtk bun test`). The repair consists of the command that succeeded and of the
commands and edits in the last calls before it. Commands that only look (`ls`, `git status`) repair nothing. A success whose exit status
is hidden by a pipe does not count if its output names an error. A *fix* is wanted where two sessions repaired the same error of the same
program by the same command, or by edits that added the same words to the same file. It must be shown before the later session begins
its repair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memorybank.cycle.event import FAILURE, SUCCESS, TOOL_AFTER, TOOL_BEFORE, Event
from memorybank.replay.sources import PROJECT
from memorybank.replay.text_targets import Context, TextMatch, TextTarget, plain, words_of
from memorybank.text.commands import fingerprint, paths, programs, shell
from memorybank.text.commands.error_excerpt import error_excerpt_lines, first_error_line

FIX = "fix"
STEPS = 6
"""Calls before a success that count as part of the repair, and within which a different command may replace the failed one."""
_ALIKE = 0.5
"""Two commands are similar when they have at least this share of their words in common."""
_EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_AND = " && "
_TELLING = 3
"""Number of lines of an error that are enough to identify it."""
_LONGEST = 200
_LEAST_WORDS = 2
"""Minimum number of words that an edit adds; with fewer it cannot be distinguished from other edits of the same file."""


class _Call(NamedTuple):
    """A call that ended.

    begun: position of its intent
    mark: its fingerprint
    command: the command without parts that only look
    error: the words of the first lines that identify the error
    way: the form in which a text would contain it as a fix; None when it cannot be one
    """

    begun: int
    mark: str
    command: str
    error: frozenset[str]
    failed: bool
    worked: bool
    way: TextMatch | None


class _Step(NamedTuple):
    """A call that helped to repair a failure. begun: position of its intent."""

    begun: int
    way: TextMatch


class _Repaired(NamedTuple):
    """A failure that was repaired, and the steps of the repair."""

    session: str
    failed: _Call
    steps: list[_Step]


class _Open:
    """A failure that is not repaired yet. steps: the calls since."""

    def __init__(self, call: _Call) -> None:
        self.call = call
        self.steps: list[_Call] = []


def fixes(played: Sequence[Event]) -> list[TextTarget]:
    """Return every fix that was wanted and known from another session, once per context and fingerprint, in the order of discovery."""
    known: dict[str, list[_Repaired]] = {}
    failing: dict[Context, dict[str, _Open]] = {}
    begun: dict[str, int] = {}
    wanted: dict[tuple[Context, str], TextTarget] = {}
    for position, event in enumerate(played):
        if event.name == TOOL_BEFORE and event.tool_use_id:
            begun[event.tool_use_id] = position
        if event.name != TOOL_AFTER:
            continue
        context = (event.session_id, event.agent_id)
        opened = failing.setdefault(context, {})
        call = _call(event, begun.get(event.tool_use_id or "", position))
        for mark, failure in list(opened.items()):
            failure.steps.append(call)
            if call.worked and (call.mark == mark or (len(failure.steps) <= STEPS and _are_alike(call.command.split(), failure.call.command.split()))):
                del opened[mark]
                repaired = _Repaired(event.session_id, failure.call, list(_repairing(failure)))
                earlier = known.setdefault(fingerprint.family(mark), [])
                # Only what another session did counts: an agent still has its own session in its context.
                ways = tuple(dict.fromkeys(way for one in earlier if one.session != event.session_id for way in _both(one, repaired)))
                if ways:
                    wanted.setdefault((context, mark), TextTarget(FIX, *context, min(step.begun for step in repaired.steps), ways))
                earlier.append(repaired)
        if call.failed and call.command and call.mark not in opened:
            opened[call.mark] = _Open(call)
    return list(wanted.values())


def _call(event: Event, begun: int) -> _Call:
    text = event.inputs.get("command")
    if not isinstance(text, str):
        edit = _edit(event) if event.tool in _EDITS and event.status == SUCCESS else None
        return _Call(begun, "", "", frozenset(), False, edit is not None, edit)
    command = core(text)
    mark = fingerprint.command(text, PROJECT, event.cwd)
    worked = event.status == SUCCESS and not (("|" in text or ";" in text) and first_error_line(event.output or ""))
    does = command and not fingerprint.is_read_only("Bash", text)
    error = words_of("\n".join(error_excerpt_lines(event.error or "")[:_TELLING]))
    return _Call(begun, mark, command if does else "", error, event.status == FAILURE, worked, TextMatch(phrase=command) if worked and does else None)


def core(command: str) -> str:
    """Return a command without `cd`, parts that only look, and redirections, in the form of `text_targets.plain`; "" when nothing or too much is left."""
    kept = []
    for part in shell.parts(command):
        words = [word for word in part.words if shell.UNKNOWN not in word]
        if words and words[0] not in programs.PREPARATION and words[0] not in programs.VIEWERS and "=" not in words[0]:
            kept.append(" ".join(words))
    found = plain(_AND.join(kept).replace(PROJECT + "/", ""))
    return found if len(found) <= _LONGEST else ""


def _edit(event: Event) -> TextMatch | None:
    """Return the file's name and the words that an edit added."""
    path = event.inputs.get("file_path")
    where = paths.relative(path, PROJECT, folder=event.cwd) if isinstance(path, str) else ""
    new, old = (words_of(str(event.inputs.get(name) or "")) for name in ("new_string", "old_string"))
    brought = (new or words_of(str(event.inputs.get("content") or ""))) - old
    return TextMatch(brought, where.rpartition("/")[2]) if where and len(brought) >= _LEAST_WORDS else None


def _repairing(failure: _Open) -> Iterator[_Step]:
    """Yield what succeeded after a failure among the last calls, without the failed command itself and without git in between."""
    for number, call in enumerate(reversed(failure.steps[-STEPS:])):
        # A git command that is not the last step only saves or undoes work on the way; it does not repair the failure.
        if call.way is not None and call.way.phrase != failure.call.command and not (number and call.mark.startswith("git ")):
            yield _Step(call.begun, call.way)


def _both(earlier: _Repaired, later: _Repaired) -> Iterator[TextMatch]:
    """Yield the steps common to two repairs of the same error: the same words added to the same file, or commands with the same beginning."""
    if not _are_alike(earlier.failed.error, later.failed.error):
        return
    failed = later.failed.command
    for one in (step.way for step in earlier.steps):
        for other in (step.way for step in later.steps):
            if one.words and one.phrase == other.phrase and len(one.words & other.words) >= _LEAST_WORDS:
                yield TextMatch(one.words & other.words, one.phrase)
            elif not (one.words or other.words):
                phrase = _beginning(one.phrase, other.phrase)
                if phrase and not any(part.startswith(phrase) for part in failed.split(_AND)):
                    yield TextMatch(phrase=phrase, inside=failed)


def _beginning(one: str, other: str) -> str:
    """Return the common beginning of two commands, up to a blank or slash (`rm -rf tmp` for `rm -rf tmp/a1` and `rm -rf tmp/b2`).

    Returns "" when that is only a small part of them.
    """
    if one == other:
        return one
    end = next((at for at, (sign, another) in enumerate(zip(one, other, strict=False)) if sign != another), min(len(one), len(other)))
    begin = one[: max(one.rfind(" ", 0, end), one.rfind("/", 0, end), 0)]
    return begin if len(begin.split()) >= max(_LEAST_WORDS, _ALIKE * len(min(one, other, key=len).split())) else ""


def _are_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    ones, others = set(one), set(other)
    return bool(ones and others) and len(ones & others) >= _ALIKE * len(ones | others)
