"""Failures of commands that another session had already mended in the same way: what mended both is what a text should hold. Pure.

A *mended failure* is a failed command of a context (session × agent) that succeeded later, in the same words or, within the next calls,
in others that share most of its words (`bun test` after `rtk bun test`). What mended it: the command that succeeded, and the commands
and edits of the last calls before it. Looks (`ls`, `git status`) mend nothing, and a success whose exit status a pipe hides is none
while its output names an error. A *fix* is wanted where two sessions mended the same error of the same program by the same command or
by edits that brought the same words into the same file; it must be shown before the later one begins to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memorybank.cycle.event import FAILURE, SUCCESS, TOOL_AFTER, TOOL_BEFORE, Event
from memorybank.replay.sources import PROJECT
from memorybank.replay.standing import Context, Wanted, Way, plain, words_of
from memorybank.text import fingerprint, paths, programs, shell
from memorybank.text.error_lines import first_error_line
from memorybank.text.telling import telling_lines

FIX = "fix"
STEPS = 6
"""Calls before a success that count as part of what mended it, and within which another command may take a failed one's place."""
_ALIKE = 0.5
"""Share of the words of both commands that they have in common."""
_EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_AND = " && "
_TELLING = 3
"""Lines of an error that say which it is."""
_LONGEST = 200
_LEAST_WORDS = 2
"""Of an edit: with fewer it cannot be told from any other of its file."""


class _Call(NamedTuple):
    """A call that ended. begun: position of its intent; mark: its fingerprint; command: what is left of it without looks; error: the words
    of its first telling lines; way: how a text would hold it as a fix, None when it can be none."""

    begun: int
    mark: str
    command: str
    error: frozenset[str]
    failed: bool
    worked: bool
    way: Way | None


class _Step(NamedTuple):
    """Something that helped to mend a failure. begun: position of its intent."""

    begun: int
    way: Way


class _Mended(NamedTuple):
    """A failure that was mended, and how."""

    session: str
    failed: _Call
    steps: list[_Step]


class _Open:
    """A failure that nothing has mended yet. steps: the calls since."""

    def __init__(self, call: _Call) -> None:
        self.call = call
        self.steps: list[_Call] = []


def fixes(played: Sequence[Event]) -> list[Wanted]:
    """Every fix that was wanted and known, once a context and fingerprint, in the order in which they were found."""
    known: dict[str, list[_Mended]] = {}
    failing: dict[Context, dict[str, _Open]] = {}
    begun: dict[str, int] = {}
    wanted: dict[tuple[Context, str], Wanted] = {}
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
                mended = _Mended(event.session_id, failure.call, list(_mending(failure)))
                earlier = known.setdefault(fingerprint.family(mark), [])
                ways = tuple(dict.fromkeys(way for one in earlier if one.session != event.session_id for way in _both(one, mended)))
                if ways:
                    wanted.setdefault((context, mark), Wanted(FIX, *context, min(step.begun for step in mended.steps), ways))
                earlier.append(mended)
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
    error = words_of("\n".join(telling_lines(event.error or "")[:_TELLING]))
    return _Call(begun, mark, command if does else "", error, event.status == FAILURE, worked, Way(phrase=command) if worked and does else None)


def core(command: str) -> str:
    """A command without folders it moves to, looks and redirections, as `standing.plain` reads it; "" when nothing or too much is left."""
    kept = []
    for part in shell.parts(command):
        words = [word for word in part.words if shell.UNKNOWN not in word]
        if words and words[0] not in programs.PREPARATION and words[0] not in programs.VIEWERS and "=" not in words[0]:
            kept.append(" ".join(words))
    found = plain(_AND.join(kept).replace(PROJECT + "/", ""))
    return found if len(found) <= _LONGEST else ""


def _edit(event: Event) -> Way | None:
    """The file's name and the words that an edit brought in."""
    path = event.inputs.get("file_path")
    where = paths.relative(path, PROJECT, folder=event.cwd) if isinstance(path, str) else ""
    new, old = (words_of(str(event.inputs.get(name) or "")) for name in ("new_string", "old_string"))
    brought = (new or words_of(str(event.inputs.get("content") or ""))) - old
    return Way(brought, where.rpartition("/")[2]) if where and len(brought) >= _LEAST_WORDS else None


def _mending(failure: _Open) -> Iterator[_Step]:
    """What worked after a failure: the last calls, without what failed itself and without git on the way."""
    for number, call in enumerate(reversed(failure.steps[-STEPS:])):
        if call.way is not None and call.way.phrase != failure.call.command and not (number and call.mark.startswith("git ")):
            yield _Step(call.begun, call.way)


def _both(earlier: _Mended, later: _Mended) -> Iterator[Way]:
    """What mended the same error both times: the same words brought into the same file, or commands with the same beginning."""
    if not _are_alike(earlier.failed.error, later.failed.error):
        return
    failed = later.failed.command
    for one in (step.way for step in earlier.steps):
        for other in (step.way for step in later.steps):
            if one.words and one.phrase == other.phrase and len(one.words & other.words) >= _LEAST_WORDS:
                yield Way(one.words & other.words, one.phrase)
            elif not (one.words or other.words):
                phrase = _beginning(one.phrase, other.phrase)
                if phrase and not any(part.startswith(phrase) for part in failed.split(_AND)):
                    yield Way(phrase=phrase, besides=failed)


def _beginning(one: str, other: str) -> str:
    """What two commands begin with, up to a blank or slash (`rm -rf tmp/a1` and `rm -rf tmp/b2` with `rm -rf tmp`); "" when it is little of them."""
    if one == other:
        return one
    end = next((at for at, (sign, another) in enumerate(zip(one, other, strict=False)) if sign != another), min(len(one), len(other)))
    begin = one[: max(one.rfind(" ", 0, end), one.rfind("/", 0, end), 0)]
    return begin if len(begin.split()) >= max(_LEAST_WORDS, _ALIKE * len(min(one, other, key=len).split())) else ""


def _are_alike(one: Iterable[str], other: Iterable[str]) -> bool:
    ones, others = set(one), set(other)
    return bool(ones and others) and len(ones & others) >= _ALIKE * len(ones | others)
