"""Lessons are exactly these: a failure and the first later success of the same fingerprint or file in its session, with the edits
between; what a person asked for or corrected; what a person said to remember. Never free text of a model.

What a host's tool refuses (too large, no such file, a sibling call that failed) teaches nothing about the project and is none.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.event import MAIN
from memorybank.cycle.fold import spoken, store, wording
from memorybank.cycle.fold.cell import Cell
from memorybank.cycle.fold.groups import scope
from memorybank.cycle.fold.phrases import language_of, phrase
from memorybank.cycle.fold.recorded import Recorded
from memorybank.cycle.fold.schema import FAILURE, LESSON
from memorybank.cycle.importance import outcome
from memorybank.log import lines
from memorybank.storage import jsontext
from memorybank.text import fingerprint
from memorybank.text.paths import OUTSIDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence
    from typing import Any

_EDITS_TOLD = 3
_COMMANDS_TOLD = 2
_CALLS_READ = 60
_NOT_OF_THE_PROJECT = (
    *("exceeds maximum allowed", "file does not exist", "string to replace not found", "sibling tool call errored", "no such file or directory"),
    *("illegal operation on a directory", "has not been read yet", "has been modified since", "inputvalidationerror", "not found in file"),
    *("file not found", "enoent", "eisdir", "too large", "no matches found for"),
)
"""What hosts' own tools say when a call of theirs did not fit; measured in recorded sessions."""


class Log:
    """A log in which earlier lines are looked up. places: of this machine, left out of what is told of them; corrected: {offset: where the
    line that counts instead lies}."""

    __slots__ = ("corrected", "path", "places")

    def __init__(self, path: str, places: Sequence[tuple[str, str]], corrected: dict[int, int]) -> None:
        self.path = path
        self.places = places
        self.corrected = corrected

    def line_at(self, offset: int) -> Recorded | None:
        lies_at = self.corrected.get(offset, offset)
        line = next(lines.read(self.path, lies_at), None)
        if line is None or line.offset != lies_at:
            return None
        recorded = Recorded(line)
        recorded.offset = offset
        recorded.leave_out(self.places)
        return recorded


def teaches(line: Recorded) -> bool:
    """Whether this failure can become a lesson. A command's error always may: only a host's tool refuses for its own reasons."""
    if not line.failed:
        return False
    if line.tool == "Bash":
        return "sibling tool call errored" not in line.error[:200].lower()
    said = line.error[:400].lower()
    return not any(reason in said for reason in _NOT_OF_THE_PROJECT)


def matters(failure: Recorded) -> bool:
    """Whether a failure that nothing fixed is worth telling: a look that found nothing is not."""
    return not fingerprint.is_read_only(failure.tool or "", failure.text("command"))


def remember_failure(connection: Connection, file: int, line: Recorded) -> None:
    """Keep a failure in mind until it is fixed."""
    for key in keys(line):
        connection.execute("INSERT OR IGNORE INTO pending VALUES (?, ?, ?, ?, ?)", (file, line.agent, FAILURE, key, line.offset))


def learn_fix(connection: Connection, file: int, log: Log, line: Recorded, novelty: float, subagents: str) -> None:
    """When a success ends failures of the same agent and cell: the lesson, and their groups are marked as fixed.

    subagents: the privacy of what a sub-agent learned, when no rule lowered it.
    """
    wanted = keys(line)
    if not wanted:
        return
    marks = ",".join("?" * len(wanted))
    found = connection.execute(
        f"SELECT DISTINCT offset FROM pending WHERE file = ? AND agent = ? AND kind = ? AND key IN ({marks}) AND offset < ? ORDER BY offset",
        (file, line.agent, FAILURE, *wanted, line.offset),
    ).fetchall()
    if not found:
        return
    failures = [failure for (offset,) in found if (failure := log.line_at(offset)) is not None and failure.cell.name == line.cell.name]
    if not failures:
        return
    offsets = [failure.offset for failure in failures]
    marks = ",".join("?" * len(offsets))
    connection.execute(f"DELETE FROM pending WHERE file = ? AND agent = ? AND kind = ? AND offset IN ({marks})", (file, line.agent, FAILURE, *offsets))
    memory = _write_fix(connection, file, line, failures, _edits_between(connection, file, log, failures, line), novelty, subagents)
    connection.execute(
        f"UPDATE memories SET protected = 1, fixed_by = ? WHERE id IN (SELECT memory FROM events WHERE file = ? AND offset IN ({marks}))",
        (memory, file, *offsets),
    )


def learn_words(connection: Connection, file: int, line: Recorded, novelty: float) -> None:
    """What a person asked for, corrected or said to remember: one lesson a sentence."""
    for number, sentence in enumerate(line.lessons):
        told = wording.one_line(sentence, 400)
        row = {
            "memory": f"{LESSON}:{line.id}" + (f":{number + 1}" if number else ""),
            "text": told,
            "detail": jsontext.encode({"what": told}),
            "signal": 1,
            **_columns(file, line, novelty),
        }
        memory = store.insert(connection, row)
        if memory is not None:
            store.write_text(connection, memory, told)
            store.add_anchors(connection, memory, [*spoken.named_in(sentence), *line.anchors])


def _write_fix(connection: Connection, file: int, line: Recorded, failures: list[Recorded], changes: list[Recorded], novelty: float, subagents: str) -> str:
    last = failures[-1]
    told: dict[str, Any] = {
        "what": wording.what(last),
        "error": wording.error_line(last.error),
        "failure": last.id,
        "attempts": len(failures),
        "fix": line.id,
        "edits": [{"file": edit.files[0] if edit.files else "", "what": wording.what(edit, 120), "change": wording.change(edit)} for edit in changes],
    }
    memory = f"{LESSON}:{line.id}"
    asked = connection.execute(
        "SELECT prompt FROM contexts WHERE session = ? AND prompt IS NOT NULL ORDER BY agent <> 'main', agent LIMIT 1", (line.session,)
    ).fetchone()
    language = language_of(asked[0] if asked else "")
    failed = last if last.fingerprint != line.fingerprint else line
    row: dict[str, Any] = {
        "memory": memory,
        "text": fix_text(failures, changes, line, language),
        "detail": jsontext.encode(told),
        "signal": 0,
        **_columns(file, line, novelty),
        **_widened(line, subagents),
        "first_at": failures[0].at,
        "tool": last.tool,
        "fingerprint": failed.fingerprint,
        "count": len(failures) + 1,
        "failures": len(failures),
        "successes": 1,
    }
    number = store.insert(connection, row)
    if number is not None:
        store.write_text(connection, number, row["text"])
        store.add_anchors(connection, number, [*last.anchors, *line.anchors, *(anchor for change in changes for anchor in change.anchors)])
    return memory


def fix_text(failures: list[Recorded], changes: list[Recorded], success: Recorded, language: str, *, brief: bool = False) -> str:
    """`… failed: error. It succeeded after: edits.` brief: for a summary that has more to tell."""
    failure = failures[-1]
    call_characters, error_characters, change_characters = (90, 120, 80) if brief else (160, 240, 160)
    called = wording.call(failure, call_characters, described=not brief)
    times = phrase("times", language, count=len(failures)) if len(failures) > 1 else ""
    failed = phrase("failed", language, times=times, error=wording.error_line(failure.error, error_characters).rstrip(".:。"))
    same = failure.fingerprint == success.fingerprint and not _put_otherwise(failure, success)
    other = wording.call(success, call_characters, described=not brief)
    succeeded = phrase("it_succeeded", language) if same else phrase("other_succeeded", language, call=other)
    told = "; ".join(dict.fromkeys(_changed(call, change_characters, language) for call in changes))
    after = phrase("after", language, changes=told) if told else phrase("without_change" if same else "nothing_else", language)
    return f"{called} {failed} {succeeded}{after}"


def _changed(call: Recorded, characters: int, language: str) -> str:
    """What a call changed where; of a file that is not the repository's only that it was."""
    name = call.files[0] if call.files else ""
    if name.startswith(OUTSIDE):
        return phrase("outside", language, count=1)
    change = "" if name.startswith("~/") else wording.change(call, characters)
    return wording.what(call, 100) + (f": {change}" if change else "")


def _columns(file: int, line: Recorded, novelty: float) -> dict[str, object]:
    return {
        "kind": LESSON,
        "file": file,
        **scope(line),
        "task": line.task,
        "origin": line.origin,
        "tool": line.tool,
        "status": line.status,
        "first_at": line.at,
        "last_at": line.at,
        "count": 1,
        "successes": 0,
        "failures": 0,
        "outcome": outcome("failure"),  # what a person had to say, or had to be tried twice, teaches as much as a failure
        "novelty": novelty,
        "latency": None,
        "tokens": None,
        "protected": 1,
    }


def _widened(line: Recorded, subagents: str) -> dict[str, object]:
    """The scope of what a sub-agent learned: its raw events are its role's, its lessons as the settings say; a rule stays."""
    cell = line.cell
    if line.agent == MAIN or cell.hold or (cell.acl, cell.privacy) != ("user", "agent-only"):
        return {}
    wide = Cell(cell.acl, subagents, False, line.session, line.agent, line.role)
    return {"cell": wide.name, "privacy": wide.privacy}


def keys(line: Recorded) -> list[str]:
    """Under what a failure waits for its success: its fingerprint, and each file together with the kind of call."""
    family = "edit" if line.tool in wording.EDITS else _program(line) if line.tool == "Bash" else line.tool or ""
    found = [line.fingerprint] if line.fingerprint else []
    return found + [f"{family} {anchor}" for anchor in line.anchors[:8] if anchor.startswith("file:")]


def _program(line: Recorded) -> str:
    """The program of a command's last part, as its fingerprint names it."""
    return (line.fingerprint or "").rsplit(";", 1)[-1].strip().partition(" ")[0]


def _edits_between(connection: Connection, file: int, log: Log, failures: list[Recorded], success: Recorded) -> list[Recorded]:
    """What the same agent changed in the same cell after the first failure, oldest first."""
    tools = (*wording.EDITS, "Bash")
    rows = connection.execute(
        f"SELECT offset FROM events WHERE file = ? AND offset > ? AND offset < ? AND agent = ? AND status = 'success'"
        f" AND tool IN ({','.join('?' * len(tools))}) ORDER BY offset DESC LIMIT {_CALLS_READ}",
        (file, failures[0].offset, success.offset, success.agent, *tools),
    ).fetchall()
    calls = [call for (offset,) in reversed(rows) if (call := log.line_at(offset)) is not None]
    return telling_changes(failures, calls, success)


def telling_changes(failures: list[Recorded], between: list[Recorded], success: Recorded) -> list[Recorded]:
    """The few changes that may have been the fix: edits of files that the errors name, then the latest edits; without an edit the
    last commands that changed something. One a file, oldest first; the success itself where it is an edit. A command that was put
    otherwise is its own fix: then only edits of files that the errors name count."""
    calls = [call for call in between if call.cell.name == success.cell.name]
    edits = [call for call in calls if call.tool in wording.EDITS]
    if success.tool in wording.EDITS:
        edits.append(success)
    said = " ".join(failure.error for failure in failures)
    latest = edits[::-1]
    named = [edit for edit in latest if any(name.rsplit("/", 1)[-1] in said for name in edit.files)]
    if _put_otherwise(failures[-1], success):
        return _one_a_file(named)
    if edits:
        return _one_a_file([*named, *latest])
    commands = [call for call in calls if call.tool == "Bash" and not fingerprint.is_read_only("Bash", call.text("command"))]
    return commands[-_COMMANDS_TOLD:]


def _put_otherwise(failure: Recorded, success: Recorded) -> bool:
    return " ".join(failure.text("command").split()) != " ".join(success.text("command").split())


def _one_a_file(edits: Iterable[Recorded]) -> list[Recorded]:
    found: dict[str, Recorded] = {}
    for edit in edits:
        found.setdefault(edit.files[0] if edit.files else edit.id, edit)
        if len(found) == _EDITS_TOLD:
            break
    return sorted(found.values(), key=lambda edit: edit.offset)
