"""Failed calls, and what was done to make them work: another call instead, another call first, or edits. One row for each occurrence; what they teach
together is computed when needed (`cycle.know.problems`).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.groups import scope
from memorybank.cycle.fold.wording import EDITS, change, error_line
from memorybank.text import fingerprint, forms
from memorybank.text.paths import OUTSIDE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

    from memorybank.cycle.fold.recorded import LogEvent

INSTEAD, FIRST = "instead", "first"
_READERS = ("Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch")
_MOST_BETWEEN = 6
_MOST_TERMS = 60
_SAID = 200
_COMMAND = 300
_MOST_OPEN_FAILURES = 6
"""Maximum number of open failures for which an edit is recorded; the newest count."""
_MOST_EDITS_OF_A_FIX = 2
"""Maximum number of files named in one fix; the latest edits count."""
_CHECKS_STYLE = lazy_pattern(r"\b(?:lint|linter|format|fmt|prettier|eslint|biome|ruff|black|gofmt|golangci-lint|clippy|rubocop|mypy|tsc|typecheck)\b")
_CHANGE_CHARACTERS, _FIXED_ERROR_CHARACTERS = 90, 140


def forms_of(tool: str | None, command: str, named: str = "") -> list[str]:
    """Return the forms of a call. named: what a tool other than a shell calls by name (a skill)."""
    if tool == "Bash":
        return forms.of_command(command)
    return [f"{tool or 'call'} {named}".strip()]


def form_of_line(line: LogEvent) -> str:
    """Return the form of a failed call: of a command with several parts the last one, whose outcome is known."""
    found = forms_of(line.tool, line.text("command"), _named(line))
    return found[-1] if found else ""


def count(connection: Connection, file: int, line: LogEvent) -> None:
    """Count a command that ran, whatever its outcome: which words follow its programs, and in which logs its forms occur."""
    counted = "INSERT INTO chains VALUES (?, ?, 1) ON CONFLICT (program, word) DO UPDATE SET uses = uses + 1"
    connection.executemany(counted, forms.chains(line.text("command")))
    connection.executemany("INSERT OR IGNORE INTO forms VALUES (?, ?)", ((form, file) for form in forms.of_command(line.text("command"))))


def fold(connection: Connection, file: int, line: LogEvent) -> None:
    """Fold the result of a call: a failure stays open until a success repairs it, and a success is checked for failures that it repairs."""
    if line.failed:
        _keep(connection, file, line)
    elif line.status == "success" and line.tool == "Bash":
        _mend(connection, file, line)


def error_terms(line: LogEvent) -> list[str]:
    """Return the terms of an error and of the command that caused it."""
    return content_terms(f"{line.error} {line.text('command')[:_COMMAND]}")[:_MOST_TERMS]


def _keep(connection: Connection, file: int, line: LogEvent) -> None:
    form = form_of_line(line)
    if not form:
        return
    row = {
        "file": file,
        "offset": line.offset,
        "at": line.at,
        "form": form,
        "call": line.tool_use_id,
        "error": " ".join(error_terms(line)),
        "said": line.error[:_SAID],
        "mended": line.offset if line.tool in (*EDITS, *_READERS) else None,  # another call of a host's own tool does not repair its failure
        **scope(line),
    }
    connection.execute(f"INSERT OR IGNORE INTO failures ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def _mend(connection: Connection, file: int, line: LogEvent) -> None:
    still_open = connection.execute(
        "SELECT id, form FROM failures WHERE file = ? AND agent = ? AND mended IS NULL AND cell = ? ORDER BY offset", (file, line.agent, line.cell.name)
    ).fetchall()
    if not still_open:
        return
    done = forms.of_command(line.text("command"))
    mended, fixed = [], []
    for failure, form in still_open:
        mending = next((one for one in done if mends(form, one)), None)
        if mending is None:
            _remember(connection, failure, line, done)
            continue
        connection.execute("UPDATE failures SET mended = ? WHERE id = ?", (line.offset, failure))
        remedies = [(failure, FIRST, before) for before in _between(connection, failure, done, mending)]
        # Another call that worked is the remedy itself. If the same call works now, the remedy is what was done before it.
        if mending != form:
            remedies = [(failure, INSTEAD, mending)]
        else:
            fixed.append(failure)
        connection.executemany("INSERT OR IGNORE INTO remedies VALUES (?, ?, ?)", remedies)
        mended.append((failure,))
    if fixed:
        _write_fixes(connection, file, line, fixed)
    for table in ("attempted", "edits_since"):
        connection.executemany(f"DELETE FROM {table} WHERE failure = ?", mended)


def mends(failed: str, done: str) -> bool:
    """Return whether a successful call served the purpose of a failed one.

    True for the same call, with or without one word in front, and for a command that does what a call by name asked for (`Skill commit`, then `git
    commit`).
    """
    if failed == done:
        return True
    one, other = failed.split(), done.split()
    # A wrapper in front of the command was added or left out.
    if len(one) > 1 and (one[1:] == other or one == other[1:]):
        return True
    # Tools other than a shell have capitalised names.
    return one[0][:1].isupper() and len(one) > 1 and one[1] in other


def _remember(connection: Connection, failure: int, line: LogEvent, done: list[str]) -> None:
    """Store a successful command that changed something: it may be what the failed call needed first."""
    if fingerprint.is_read_only("Bash", line.text("command")):
        return
    count = int(connection.execute("SELECT count(*) FROM attempted WHERE failure = ?", (failure,)).fetchone()[0])
    rows = [(failure, line.offset, form) for form in done[: max(0, _MOST_BETWEEN - count)]]
    connection.executemany("INSERT OR IGNORE INTO attempted VALUES (?, ?, ?)", rows)


def _between(connection: Connection, failure: int, done: list[str], mending: str) -> list[str]:
    """Return what was done since the failure, and what the successful command did before its repairing part."""
    earlier = [row[0] for row in connection.execute("SELECT DISTINCT form FROM attempted WHERE failure = ? ORDER BY offset", (failure,))]
    return list(dict.fromkeys((*earlier, *done[: done.index(mending)])))


def _named(line: LogEvent) -> str:
    """Return what a tool other than a shell calls by name: a skill, or a type of agent."""
    other = line.inputs.get("other")
    values = other.values() if isinstance(other, dict) else ()
    name = next((value for value in values if isinstance(value, str)), "") or line.text("subagent_type")
    return name if name and " " not in name.strip() and len(name) < 40 else ""


def note_edit(connection: Connection, file: int, line: LogEvent) -> None:
    """Note an edit for the open failures of its agent."""
    name = line.files[0]
    if name.startswith((OUTSIDE, "~/")):
        return
    still_open = connection.execute(
        "SELECT id FROM failures WHERE file = ? AND agent = ? AND mended IS NULL AND cell = ? ORDER BY offset DESC LIMIT ?",
        (file, line.agent, line.cell.name, _MOST_OPEN_FAILURES),
    ).fetchall()
    rows = [(failure, line.offset, name, change(line, _CHANGE_CHARACTERS)) for (failure,) in still_open]
    connection.executemany("INSERT OR REPLACE INTO edits_since VALUES (?, ?, ?, ?)", rows)


def _write_fixes(connection: Connection, file: int, line: LogEvent, fixed: Sequence[int]) -> None:
    """Write the edits that fixed these failures of one command: the last ones before it ended otherwise, in success or in another error.

    Nothing is written for a linter or formatter: what fixes its next complaint is another edit.

    line: the success that ended them.
    fixed: ids of the failures, the oldest first.
    """
    if _CHECKS_STYLE.search(line.text("command")):
        return
    failures = [connection.execute("SELECT id, offset, error, said FROM failures WHERE id = ?", (failure,)).fetchone() for failure in fixed]
    pieces = []
    for number, (failure, _, error, said) in enumerate(failures):
        ended = failures[number + 1] if number + 1 < len(failures) else None
        if ended is not None and ended[2] == error:
            continue  # the same error came again, so that the edits in between fixed nothing
        changes = _edits_before(connection, failure, ended[1] if ended is not None else line.offset, error)
        if changes:
            pieces.append((error_line(said, _FIXED_ERROR_CHARACTERS), changes, failure))
    from memorybank.cycle.fold import passages

    passages.write_fixes(connection, file, line, pieces)


def _edits_before(connection: Connection, failure: int, before: int, error: str) -> str:
    """The edits noted for a failure up to an offset, one per file: "`a.py`: added `x`; `b.toml`".

    "" where one of them is in a file that the error names: such an error (of a linter, a compiler) says itself what to change.
    """
    rows = connection.execute("SELECT name, change FROM edits_since WHERE failure = ? AND offset < ? ORDER BY offset DESC", (failure, before)).fetchall()
    latest: dict[str, str] = {}
    for name, changed in rows:
        latest.setdefault(name, changed)
    said = set(error.split(" "))
    if any(_is_named_by(name, said) for name in latest):
        return ""
    return "; ".join(f"`{name}`: {changed}" if changed else f"`{name}`" for name, changed in list(latest.items())[:_MOST_EDITS_OF_A_FIX])


def _is_named_by(name: str, said: Collection[str]) -> bool:
    """Whether an error with these terms names a file. The ending counts: "no kettle configured" does not name `kettle.toml`."""
    terms = content_terms(name.rsplit("/", 1)[-1])
    return len(terms) > 1 and all(term in said for term in terms)
