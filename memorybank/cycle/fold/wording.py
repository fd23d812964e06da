"""Recorded calls in few words: what was done, what a change changed, which line of an error says what is wrong. No model is used."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.text.commands.paths import shown
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from memorybank.cycle.fold.recorded import LogEvent

EDITS = events.EDITS
_NAMED_BY = ("command", "file_path", "pattern", "query", "url", "description", "path", "text")
_DEFINITIONS = (
    *("def ", "defp ", "defmodule ", "class ", "function ", "func ", "fn ", "pub ", "const ", "interface ", "type ", "struct ", "enum ", "impl ", "module "),
    *("test ", "test(", "it(", "it ", "describe", "create table", "CREATE TABLE", "## ", "# "),
)
"""Beginnings of lines that define something and give it a name."""
_SOME = 9
"""Number of letters and digits above which a line is more than a bracket or keyword."""
_CUT = "\n…\n"
BETWEEN_LINES = " · "
"""Between the two lines that say what is wrong."""
_COMMIT = lazy_pattern(r"\bgit\b[^\n|;&]{0,80}?\bcommit\b[^\n|;&]{0,200}? (?:-[a-zA-Z]*m\b|--message\b)")
"""Matches a commit up to its message."""
_PRINTED = lazy_pattern(r"""["']?\$\((?:printf|echo)(?: -\w+)*(?: ["'](?:%[sb](?:\\n){0,9}){1,9}["'])? (["'])""")
"""Matches the beginning of a message that another command prints."""
_LONG_FOLDER = lazy_pattern(r"^(?:[A-Za-z]:)?[\w./\\@~+-]{30,240}[/\\](?=[\w.@+-]{1,80}(?:\(\d{1,6}[,)]|:\d))")
"""Matches the folder of the file at the beginning of a diagnostic."""
_PROJECT = lazy_pattern(r" \[[^\]\s]{1,240}\.\w{2,3}proj\]$")
_AT_HOME = "cd . && "
"""What remains of `cd <repository> && …` when the machine's paths are replaced: the command runs there anyway."""


def one_line(text: str, limit: int) -> str:
    """Return the text on one line, at most `limit` characters, cut at a sentence or word when one ends near."""
    text = " ".join(text[: 4 * limit + 40].split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    for sign in ("。", ". ", " "):
        end = cut.rfind(sign)
        if end > limit * 2 // 3:
            cut = cut[: end + (sign != " ")]
            break
    return cut.rstrip(" ,;:-") + "…"


def call(line: LogEvent, limit: int = 160, *, described: bool = True) -> str:
    """Return an entire call: its tool and its object. A command needs no tool name."""
    told = what(line, limit, described=described)
    return told if told and line.tool == "Bash" else f"{line.tool or 'call'} {told}".rstrip()


def what(line: LogEvent, limit: int = 160, *, described: bool = True) -> str:
    """Return the object of a call: its command, path, pattern, query or URL. described: with the agent's own description of a command."""
    if line.text("command"):
        command = one_line(_without_document(line.text("command").removeprefix(_AT_HOME)), limit)
        told = (commit_message(line.text("command")) or line.text("description")) if described else ""
        return f"`{command}` ({one_line(told, 100)})" if told else f"`{command}`"
    named = next((line.text(name) for name in _NAMED_BY if line.text(name)), "")
    if line.text("file_path") and line.files:
        named = shown(line.files[0])
    if not named:
        other = line.inputs.get("other")
        values = (*line.inputs.values(), *(other.values() if isinstance(other, dict) else ()))
        named = next((value for value in values if isinstance(value, str) and value), "")
    if line.tool == "Grep" and line.text("path"):
        return f"{one_line(named, limit)} in {line.files[0] if line.files else line.text('path')}"
    return one_line(named, limit)


def commit_message(command: str) -> str:
    """Return the first line of the message of a `git commit`; "" for other commands."""
    found = _COMMIT.search(command)
    if found is None:
        return ""
    message = command[found.end() :].lstrip(" =")
    is_literal = message.startswith("'")
    if message.lstrip("\"'").startswith("$(cat <<"):  # a here-document begins on the next line
        message = message.partition("\n")[2]
    elif (printed := _PRINTED.match(message)) is not None:
        message = message[printed.end() :].partition(printed[1])[0].partition("\\n")[0]
        if "%s" in message or "%b" in message:
            return ""
    elif message[:1] in ("'", '"'):
        message = message[1:].partition(message[0])[0]
    else:
        message = message.partition(" ")[0]
    title = message.partition("\n")[0].strip()
    return title if is_literal or not title.startswith("$") else ""  # only the running shell knows a variable


def change(line: LogEvent, limit: int = 160, about: Collection[str] = ()) -> str:
    """Return what an edit changed: the first lines that differ, `old → new`; "" when the line does not hold them.

    about: terms of what the edit may have repaired. Of several lines that were added, the one with most of them tells most.
    A line that is missing in a text proves nothing when that text was cut while it was recorded.
    """
    old, new = line.text("old_string"), line.text("new_string")
    had, has = _whole_lines(old), _whole_lines(new)
    gone = [part for part in had if part and part not in has] if _CUT not in new else []
    came = [part for part in has if part and part not in had] if _CUT not in old else []
    if gone and came:
        before, after = _telling(gone), _telling(came)
        same = next((place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), min(len(before), len(after)))
        # A long common beginning would hide the difference.
        if same > limit // 4:
            before, after = "…" + before[same - 8 :], "…" + after[same - 8 :]
        return f"`{one_line(before, limit // 2)}` → `{one_line(after, limit // 2)}`"
    if came:
        return f"added `{one_line(_about(came, about) or _telling(came), limit // 2)}`"
    return f"removed `{one_line(_telling(gone), limit // 2)}`" if gone else ""


def error_line(error: str, limit: int = 240) -> str:
    """Return the line of an error that says what is wrong, and the next one if it fits; "" when there is no error."""
    from memorybank.text.commands.error_excerpt import cause_lines

    parts = list(map(_without_place, cause_lines(error)[:2]))
    told = one_line(parts[0], limit) if parts else ""
    if len(parts) < 2 or len(told) >= limit // 2:
        return told
    return one_line(f"{told}{' ' if told.endswith(':') else BETWEEN_LINES}{parts[1]}", limit).removesuffix(f"{BETWEEN_LINES}…")


def _without_place(line: str) -> str:
    """Return a line without the long folder before its file, and without the project after its message: they leave no room for what is wrong."""
    return _PROJECT.sub("", _LONG_FOLDER.sub("", line, count=1))


def first_line(text: str, limit: int) -> str:
    """Return the first informative line of a text."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    return one_line(_telling(parts), limit) if parts else ""


def _without_document(command: str) -> str:
    """Return the first lines of a command; for a here-document, the command that reads it."""
    first, rest, _ = command.strip().replace(" 2>&1", "").partition("<<")
    if rest:
        return first.removesuffix('"$(cat ').removesuffix("$(cat ").rstrip() + " …"
    parts = first.split("\n")
    return " ".join(parts[:2]) + (" …" if len(parts) > 2 else "")


def _whole_lines(text: str) -> list[str]:
    """Return the lines of a recorded text. Lines next to a cut may be incomplete and are left out."""
    begin, cut, end = text.partition(_CUT)
    parts = begin.split("\n")[:-1] + end.split("\n")[1:] if cut else begin.split("\n")
    return [part.strip() for part in parts]


def _about(parts: list[str], terms: Collection[str]) -> str:
    """Return the line that contains most of these terms; "" if none contains any."""
    if not terms:
        return ""
    from memorybank.text.words.terms import content_terms  # late: few edits follow a failure

    shared = [sum(term in terms for term in content_terms(part)) for part in parts]
    return parts[shared.index(max(shared))] if any(shared) else ""


def _telling(parts: list[str]) -> str:
    """Return the most informative line: the first that defines something, else the first of some length, else the first with letters."""
    for part in parts:
        if part.removeprefix("export ").removeprefix("async ").startswith(_DEFINITIONS):
            return part
    return next((part for part in parts if sum(map(str.isalnum, part)) > _SOME), next((part for part in parts if sum(map(str.isalnum, part)) > 3), parts[0]))
