"""Recorded calls in few words: what was done, what a change changed, which line of an error says what is wrong.

Pure, without a model.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.fold.recorded import Recorded

EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
"""Canonical tools that change a file."""
_NAMED_BY = ("command", "file_path", "pattern", "query", "url", "description", "path", "text")
_DEFINITIONS = (
    *("def ", "defp ", "defmodule ", "class ", "function ", "func ", "fn ", "pub ", "const ", "interface ", "type ", "struct ", "enum ", "impl ", "module "),
    *("test ", "test(", "it(", "it ", "describe", "create table", "CREATE TABLE", "## ", "# "),
)
"""How a line begins that names what it adds."""
_SOME = 9
"""Letters and digits of a line that is no mere bracket or keyword."""
_CUT = "\n…\n"
_AT_HOME = "cd . && "
"""A command goes where it is anyway: what is left of `cd <repository> && …` without the places of this machine."""


def one_line(text: str, limit: int) -> str:
    """White space collapsed, at most `limit` characters, cut at a word or sentence where one ends near."""
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


def call(line: Recorded, limit: int = 160, *, described: bool = True) -> str:
    """A whole call: its tool and what it was about; a command speaks for itself."""
    told = what(line, limit, described=described)
    return told if told and line.tool == "Bash" else f"{line.tool or 'call'} {told}".rstrip()


def what(line: Recorded, limit: int = 160, *, described: bool = True) -> str:
    """A call's object: its command, path, pattern, query or address. described: with the agent's own words for a command."""
    if line.text("command"):
        command = one_line(_without_document(line.text("command").removeprefix(_AT_HOME)), limit)
        told = (commit_message(line.text("command")) or line.text("description")) if described else ""
        return f"`{command}` ({one_line(told, 100)})" if told else f"`{command}`"
    named = next((line.text(name) for name in _NAMED_BY if line.text(name)), "")
    if line.text("file_path") and line.files:
        named = line.files[0]
    if not named:
        other = line.inputs.get("other")
        values = (*line.inputs.values(), *(other.values() if isinstance(other, dict) else ()))
        named = next((value for value in values if isinstance(value, str) and value), "")
    if line.tool == "Grep" and line.text("path"):
        return f"{one_line(named, limit)} in {line.files[0] if line.files else line.text('path')}"
    return one_line(named, limit)


def commit_message(command: str) -> str:
    """The first line of the message that a `git commit` was given; "" for other commands."""
    begin = command.find("git commit")
    begin = command.find(" -m", begin) if begin >= 0 else -1
    if begin < 0:
        return ""
    message = command[begin + 3 :].lstrip(" =\"'")
    if message.startswith("$(cat <<"):
        message = message.partition("\n")[2]
    for sign in ("\n", '"', "' "):
        message = message.partition(sign)[0]
    return message.strip(" \"'")


def change(line: Recorded, limit: int = 160) -> str:
    """What an edit changed: its first lines that differ, `old → new`; "" when the line does not hold them. Against a text that was
    cut when it was recorded nothing can be said to be new or gone."""
    old, new = line.text("old_string"), line.text("new_string")
    had, has = _whole_lines(old), _whole_lines(new)
    gone = [part for part in had if part and part not in has] if _CUT not in new else []
    came = [part for part in has if part and part not in had] if _CUT not in old else []
    if gone and came:
        before, after = _telling(gone), _telling(came)
        same = _alike(before, after)
        if same > limit // 4:
            before, after = "…" + before[same - 8 :], "…" + after[same - 8 :]
        return f"`{one_line(before, limit // 2)}` → `{one_line(after, limit // 2)}`"
    if came:
        return f"added `{one_line(_telling(came), limit // 2)}`"
    return f"removed `{one_line(_telling(gone), limit // 2)}`" if gone else ""


def error_line(error: str, limit: int = 240) -> str:
    """The line of an error that says what is wrong, and the one after it where there is room; "" for no error."""
    from memorybank.text.telling import telling_lines

    parts = telling_lines(error)[:2]
    told = one_line(parts[0], limit) if parts else ""
    return one_line(f"{told} · {parts[1]}", limit) if len(parts) > 1 and len(told) < limit // 2 else told


def first_line(text: str, limit: int) -> str:
    """The first line of a text that says something."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    return one_line(_telling(parts), limit) if parts else ""


def sentences(text: str) -> list[str]:
    """The sentences of Markdown prose, list items and lines each on their own; no code."""
    found = []
    code = False
    for part in text.split("\n"):
        part = part.strip()
        if part.startswith("```"):
            code = not code
        elif part and not code:
            part = part.lstrip("#*->0123456789. ").replace("**", "")
            for sentence in part.replace("。", "。\n").replace(". ", ".\n").split("\n"):
                if sentence.strip():
                    found.append(sentence.strip())
    return found


def outcome_line(line: Recorded, limit: int = 160) -> str:
    """The last line of what a successful call said: results stand at the end."""
    parts = [part for part in (_unadorned(part) for part in (line.tail or line.head).split("\n")) if part]
    return one_line(parts[-1], limit) if parts else ""


def _without_document(command: str) -> str:
    """A command of several lines by its first ones; a here-document by what reads it."""
    first, rest, _ = command.strip().replace(" 2>&1", "").partition("<<")
    if rest:
        return first.removesuffix('"$(cat ').removesuffix("$(cat ").rstrip() + " …"
    parts = first.split("\n")
    return " ".join(parts[:2]) + (" …" if len(parts) > 2 else "")


def _whole_lines(text: str) -> list[str]:
    """The lines of a recorded text; those beside a cut may be halves and do not count."""
    begin, cut, end = text.partition(_CUT)
    parts = begin.split("\n")[:-1] + end.split("\n")[1:] if cut else begin.split("\n")
    return [part.strip() for part in parts]


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return min(len(one), len(other))


def _telling(parts: list[str]) -> str:
    """The line that says most: the first that defines something, else the first of some length, else the first with letters."""
    for part in parts:
        if part.removeprefix("export ").removeprefix("async ").startswith(_DEFINITIONS):
            return part
    return next((part for part in parts if sum(map(str.isalnum, part)) > _SOME), next((part for part in parts if sum(map(str.isalnum, part)) > 3), parts[0]))


def _unadorned(text: str) -> str:
    """A line without rulers and arrows around it."""
    return text.strip(" \t\r*=-_#>│┃|")
