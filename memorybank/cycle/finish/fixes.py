"""What failed in a session and what fixed it, in one sentence for the session's summary. All lines belong to one cell."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.text import fingerprint
from memorybank.text.paths import OUTSIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.cycle.fold.recorded import LogEvent

_CALL_CHARACTERS, _ERROR_CHARACTERS, _CHANGE_CHARACTERS = 90, 120, 80
_MOST_EDITS = 3
_MOST_COMMANDS = 2
_NOT_OF_THE_PROJECT = (
    *("exceeds maximum allowed", "file does not exist", "string to replace not found", "sibling tool call errored", "no such file or directory"),
    *("illegal operation on a directory", "has not been read yet", "has been modified since", "inputvalidationerror", "not found in file"),
    *("file not found", "enoent", "eisdir", "too large", "no matches found for"),
)
"""Errors of the hosts' own tools when a call did not fit; measured in recorded sessions."""


def is_instructive(line: LogEvent) -> bool:
    """Return whether the fix of this failure is worth showing.

    The errors of commands always are. The tools of a host also refuse calls for reasons that have nothing to do with the project.
    """
    if not line.failed:
        return False
    if line.tool == "Bash":
        return "sibling tool call errored" not in line.error[:200].lower()
    said = line.error[:400].lower()
    return not any(reason in said for reason in _NOT_OF_THE_PROJECT)


def is_worth_reporting(failure: LogEvent) -> bool:
    """Return whether a failure that nothing fixed is worth showing. A read-only call that found nothing is not."""
    return not fingerprint.is_read_only(failure.tool or "", failure.text("command"))


def fix_text(failures: list[LogEvent], changes: list[LogEvent], success: LogEvent, language: str) -> str:
    """Return a sentence such as `… failed: error. It succeeded after: edits.`"""
    failure = failures[-1]
    called = wording.call(failure, _CALL_CHARACTERS, described=False)
    times = phrase("times", language, count=len(failures)) if len(failures) > 1 else ""
    failed = phrase("failed", language, times=times, error=wording.error_line(failure.error, _ERROR_CHARACTERS).rstrip(".:。"))
    same = failure.fingerprint == success.fingerprint and not _differs(failure, success)
    other = wording.call(success, _CALL_CHARACTERS, described=False)
    succeeded = phrase("it_succeeded", language) if same else phrase("other_succeeded", language, call=other)
    described = "; ".join(dict.fromkeys(_changed(call, language) for call in changes))
    after = phrase("after", language, changes=described) if described else phrase("without_change" if same else "nothing_else", language)
    return f"{called} {failed} {succeeded}{after}"


def _changed(call: LogEvent, language: str) -> str:
    """Return what a call changed and where. Of a file outside the repository, only that it was changed."""
    name = call.files[0] if call.files else ""
    if name.startswith(OUTSIDE):
        return phrase("outside", language, count=1)
    change = "" if name.startswith("~/") else wording.change(call, _CHANGE_CHARACTERS)
    return wording.what(call, 100) + (f": {change}" if change else "")


def keys(line: LogEvent) -> list[str]:
    """Return the keys under which a failure waits for its success: its fingerprint, and each file together with the kind of call."""
    family = "edit" if line.tool in wording.EDITS else _program(line) if line.tool == "Bash" else line.tool or ""
    found = [line.fingerprint] if line.fingerprint else []
    return found + [f"{family} {anchor}" for anchor in line.anchors[:8] if anchor.startswith("file:")]


def _program(line: LogEvent) -> str:
    """Return the program of a command's last part, as in its fingerprint."""
    return (line.fingerprint or "").rsplit(";", 1)[-1].strip().partition(" ")[0]


def likely_fixes(failures: list[LogEvent], between: list[LogEvent], success: LogEvent) -> list[LogEvent]:
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
