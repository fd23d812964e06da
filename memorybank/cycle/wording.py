"""Recorded calls in few words: what was done, what a change changed, which line of an error says what is wrong.

Pure, without a model. Light imports only: hooks load this file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.recorded import Recorded

EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
"""Canonical tools that change a file."""
_NAMED_BY = ("command", "file_path", "pattern", "query", "url", "description", "path", "text")
_ERROR_WORDS = (
    *("error", "fail", "fatal", "exception", "assert", "cannot", "could not", "can't", "denied", "not found", "no such", "undefined", "invalid"),
    *("unknown", "missing", "unexpected", "refused", "expected", "エラー", "失敗", "例外", "見つかりません", "できません", "不正"),
)
_NO_NEWS = ("exit code", "traceback (most recent", "compiling ", "hint:")
"""How lines begin that stand before what is wrong, or beside it."""
_QUIET = ("0 fail", "0 error", "no error", "0 failed", "失敗 0", "失敗: 0", "エラー 0", "エラーなし")


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


def call(line: Recorded, limit: int = 160) -> str:
    """A whole call: its tool and what it was about; a command speaks for itself."""
    told = what(line, limit)
    return told if line.tool == "Bash" or not told else f"{line.tool or 'call'} {told}"


def what(line: Recorded, limit: int = 160) -> str:
    """A call's object: its command, path, pattern, query or address, with the agent's own description where it gave one."""
    if line.text("command"):
        command = one_line(_without_document(line.text("command")), limit)
        told = commit_message(line.text("command")) or line.text("description")
        return f"`{command}` ({one_line(told, 100)})" if told else f"`{command}`"
    named = next((line.text(name) for name in _NAMED_BY if line.text(name)), "")
    if line.text("file_path") and line.files:
        named = line.files[0]
    if not named:
        named = next((value for value in line.inputs.values() if isinstance(value, str) and value), "")
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
    """What an edit changed: its first lines that differ, `old → new`; "" when the line does not hold them."""
    had, has = _whole_lines(line.text("old_string")), _whole_lines(line.text("new_string"))
    gone = [part for part in had if part and part not in has]
    came = [part for part in has if part and part not in had]
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
    if "\n" not in error:
        error = error.replace("\\n", "\n")  # a message that was quoted on its way
    parts = [part for part in (_unadorned(part) for part in error.split("\n")) if part and not part.lower().startswith(_NO_NEWS)]
    for begin, part in enumerate(parts):
        lowered = part.lower()
        if any(word in lowered for word in _ERROR_WORDS) and not any(quiet in lowered for quiet in _QUIET):
            told = one_line(part, limit)
            return one_line(f"{told} · {parts[begin + 1]}", limit) if begin + 1 < len(parts) and len(told) < limit // 2 else told
    return one_line(" · ".join(parts[:3]), limit)


def outcome_line(line: Recorded, limit: int = 160) -> str:
    """The last line of what a successful call said: results stand at the end."""
    parts = [part for part in (_unadorned(part) for part in (line.tail or line.head).split("\n")) if part]
    return one_line(parts[-1], limit) if parts else ""


def _without_document(command: str) -> str:
    """A command of several lines by its first ones; a here-document by what reads it."""
    first, rest, _ = command.strip().partition("<<")
    if rest:
        return first.removesuffix('"$(cat ').removesuffix("$(cat ").rstrip() + " …"
    parts = first.split("\n")
    return " ".join(parts[:2]) + (" …" if len(parts) > 2 else "")


def _whole_lines(text: str) -> list[str]:
    """The lines of a recorded text; those beside a cut may be halves and do not count."""
    begin, cut, end = text.partition("\n…\n")
    parts = begin.split("\n")[:-1] + end.split("\n")[1:] if cut else begin.split("\n")
    return [part.strip() for part in parts]


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return min(len(one), len(other))


def _telling(parts: list[str]) -> str:
    """The first line that says something: no lone bracket, no `end`."""
    return next((part for part in parts if sum(map(str.isalnum, part)) > 3), parts[0])


def _unadorned(text: str) -> str:
    """A line without rulers, arrows and a tool's tags around it."""
    return text.strip().removeprefix("<tool_use_error>").removesuffix("</tool_use_error>").strip(" \t\r*=-_#>│┃|")
