"""What failed in a session and what fixed it: the success that ended some failures, the changes between that may have done it, and a sentence about both.

All lines belong to one cell. The work grows with the length of the session: each failure is paired once, and a fix looks at the last calls before it.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.text.commands import fingerprint
from memorybank.text.commands.paths import OUTSIDE
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.cycle.fold.recorded import LogEvent

_CALL_CHARACTERS, _ERROR_CHARACTERS, _CHANGE_CHARACTERS = 90, 120, 80
_LEAST_OF_ERROR = 24
"""Characters of an error below which it says nothing."""
_MOST_EDITS = 3
_MOST_COMMANDS = 2
_NOT_OF_THE_PROJECT = (
    *("exceeds maximum allowed", "file does not exist", "string to replace not found", "sibling tool call errored", "no such file or directory"),
    *("illegal operation on a directory", "has not been read yet", "has been modified since", "inputvalidationerror", "not found in file"),
    *("file not found", "enoent", "eisdir", "too large", "no matches found for"),
)
"""Errors of the hosts' own tools when a call did not fit; measured in recorded sessions."""
_ROUTINE = lazy_pattern(r"`(?:cd [^&`]{1,200}&& )?(?:git (?:add|commit|push|pull)\b|cd [^&;`]*`)")
"""Calls whose failure says nothing about a day's work. Recall warns an agent that runs one again."""
_OF_CHECK = lazy_pattern(r"\b(?:hook|pre-?commit|validation|lint|type|test)|フック|検証", "i")
"""Exception to `_ROUTINE`: the error of a commit that a check refused."""
_SAVING = lazy_pattern(r"`[^`\n]{0,300}\bgit (commit|add)\b[^`\n]*`")
_MOST_BETWEEN = 200
"""Number of successful calls before a success among which its fix is looked for."""


class CallFix(Value):
    """What fixed something. failures: the oldest first; changes: what may have fixed it; success: the call that worked then."""

    failures: list[LogEvent]
    changes: list[LogEvent]
    success: LogEvent


def of_calls(calls: list[LogEvent]) -> tuple[list[CallFix], list[LogEvent]]:
    """Return (the fixes, the failures that nothing fixed), in the order of the calls.

    One success ends every waiting failure of the same agent that shares a key with it, so a fix is described once.
    """
    waiting: dict[int, tuple[LogEvent, int]] = {}
    by_key: dict[tuple[str, str], list[int]] = {}
    worked: dict[str, list[LogEvent]] = {}
    found = []
    for call in calls:
        own = worked.setdefault(call.agent, [])
        if _is_instructive(call):
            waiting[call.offset] = call, len(own)
            for key in _keys(call):
                by_key.setdefault((call.agent, key), []).append(call.offset)
        elif call.status == "success":
            offsets = {offset for key in _keys(call) for offset in by_key.pop((call.agent, key), ()) if offset in waiting}
            ended = [waiting.pop(offset) for offset in sorted(offsets)]
            if ended:
                failures = [failure for failure, _ in ended]
                found.append(CallFix(failures, _likely_changes(failures, own[max(ended[0][1], len(own) - _MOST_BETWEEN) :], call), call))
            own.append(call)
    return found, [failure for failure, _ in waiting.values()]


def _is_instructive(line: LogEvent) -> bool:
    """Return whether the fix of this failure is worth showing: the tools of a host also refuse calls for reasons that have nothing to do with the project."""
    if not line.failed:
        return False
    if line.tool == "Bash":
        return "sibling tool call errored" not in line.error[:200].lower()
    said = line.error[:400].lower()
    return not any(reason in said for reason in _NOT_OF_THE_PROJECT)


def is_of_day(fix: CallFix) -> bool:
    """Return whether the summary of a day contains a fix. One of which only a file outside the repository is known says nothing."""
    failure = fix.failures[-1]
    if fix.changes and all(name.startswith(OUTSIDE) for call in fix.changes for name in call.files[:1] or ("",)):
        return False
    return _ROUTINE.match(wording.call(failure)) is None or _OF_CHECK.search(wording.error_line(failure.error, _ERROR_CHARACTERS)) is not None


def told(fix: CallFix, language: str, limit: int = 0, *, is_day: bool = False) -> str:
    """Return a sentence such as `… failed: error. It succeeded after: edits.`

    limit: maximum number of characters, 0 for none. The error gives way first: without the end, the text would say that nothing was fixed.
    is_day: whether commands that save are named without their files and messages, which a day lists under changes and commits.
    """

    def named(text: str) -> str:
        return _SAVING.sub(r"`git \1`", text) if is_day else text

    failure, success = fix.failures[-1], fix.success
    called = named(wording.call(failure, _CALL_CHARACTERS, described=False))
    times = phrase("times", language, count=len(fix.failures)) if len(fix.failures) > 1 else ""
    other = named(wording.call(success, _CALL_CHARACTERS, described=False))
    same = (failure.fingerprint == success.fingerprint and not _differs(failure, success)) or (is_day and called == other)
    succeeded = phrase("it_succeeded", language) if same else phrase("other_succeeded", language, call=other)
    described = "; ".join(dict.fromkeys(named(_changed(call, language)) for call in fix.changes))
    after = phrase("after", language, changes=described) if described else phrase("without_change" if same else "nothing_else", language)

    def shortened(characters: int) -> str:
        error = wording.error_line(failure.error, characters).rstrip(".:。") if characters >= _LEAST_OF_ERROR else ""
        failed = phrase("failed", language, times=times, error=error) if error else phrase("failed_so", language, times=times)
        return f"{called} {failed} {succeeded}{after}"

    entire = shortened(_ERROR_CHARACTERS)
    if not limit or len(entire) <= limit:
        return entire
    spared = len(entire) - len(shortened(0))
    return wording.one_line(shortened(spared - (len(entire) - limit)), limit)


def last_part(call: LogEvent) -> str:
    """Return the last part of a command as its fingerprint has it, whose outcome is known."""
    return (call.fingerprint or "").rsplit(";", 1)[-1].strip()


def _changed(call: LogEvent, language: str) -> str:
    """Return what a call changed and where. For files outside the repository, the text says only that one was changed."""
    name = call.files[0] if call.files else ""
    if name.startswith(OUTSIDE):
        return phrase("outside", language, count=1)
    change = "" if name.startswith("~/") else wording.change(call, _CHANGE_CHARACTERS)
    return wording.what(call, 100) + (f": {change}" if change else "")


def _keys(line: LogEvent) -> list[str]:
    """Return the keys under which a failure waits for its success: its fingerprint, and each file together with the kind of call."""
    family = "edit" if line.tool in wording.EDITS else last_part(line).partition(" ")[0] if line.tool == "Bash" else line.tool or ""
    found = [line.fingerprint] if line.fingerprint else []
    return found + [f"{family} {anchor}" for anchor in line.anchors[:8] if anchor.startswith("file:")]


def _likely_changes(failures: list[LogEvent], between: list[LogEvent], success: LogEvent) -> list[LogEvent]:
    """Return the few changes that may have been the fix, one for each file, oldest first.

    These are edits of files that the errors name, then the latest edits, including the success if it is an edit; without any edit, the last
    commands that changed something. If the command itself was changed, that is the fix, and only edits of files that the errors name are added.
    """
    edits = [call for call in between if call.tool in wording.EDITS]
    if success.tool in wording.EDITS:
        edits.append(success)
    said = " ".join(failure.error for failure in failures)
    latest = edits[::-1]
    named = [edit for edit in latest if any(name.rsplit("/", 1)[-1] in said for name in edit.files)]
    if _differs(failures[-1], success):
        return _one_a_file(named)
    if edits:
        return _one_a_file([*named, *latest])
    commands = [call for call in between if call.tool == "Bash" and not fingerprint.is_read_only("Bash", call.text("command"))]
    return commands[-_MOST_COMMANDS:]


def _differs(failure: LogEvent, success: LogEvent) -> bool:
    return " ".join(failure.text("command").split()) != " ".join(success.text("command").split())


def _one_a_file(edits: Iterable[LogEvent]) -> list[LogEvent]:
    found: dict[str, LogEvent] = {}
    for edit in edits:
        found.setdefault(edit.files[0] if edit.files else edit.id, edit)
        if len(found) == _MOST_EDITS:
            break
    return sorted(found.values(), key=lambda edit: edit.offset)
