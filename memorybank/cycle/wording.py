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
_NO_NEWS = ("exit code", "traceback (most recent", "error:", "<tool_use_error>", "</tool_use_error>")
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


def what(line: Recorded, limit: int = 200) -> str:
    """A call's object: its command, path, pattern, query or address, with the agent's own description where it gave one."""
    inputs = line.inputs
    named = ""
    for name in _NAMED_BY:
        if line.text(name):
            named = line.files[0] if name == "file_path" and line.files else line.text(name)
            break
    if not named:
        named = next((value for value in inputs.values() if isinstance(value, str) and value), "")
    named = one_line(_first_lines(named), limit)
    told = one_line(line.text("description"), 80)
    if line.text("command"):
        return f"`{named}` ({told})" if told else f"`{named}`"
    if line.tool == "Grep" and line.text("path"):
        return f"{named} in {line.files[0] if line.files else line.text('path')}"
    return named


def change(line: Recorded, limit: int = 160) -> str:
    """What an edit changed: its first lines that differ, `old → new`; "" when the line does not hold them."""
    old, new = line.text("old_string"), line.text("new_string")
    if not new and not old:
        return ""
    had = {part.strip() for part in old.split("\n")}
    has = {part.strip() for part in new.split("\n")}
    gone = [part.strip() for part in old.split("\n") if part.strip() and part.strip() not in has]
    came = [part.strip() for part in new.split("\n") if part.strip() and part.strip() not in had]
    half = limit // 2
    if gone and came:
        return f"`{one_line(_telling(gone), half)}` → `{one_line(_telling(came), half)}`"
    if came:
        return f"added `{one_line(_telling(came), half)}`"
    return f"removed `{one_line(_telling(gone), half)}`" if gone else ""


def error_line(error: str, limit: int = 240) -> str:
    """The line of an error that says what is wrong, and the one after it where there is room; "" for no error."""
    parts = [part for part in (_unadorned(part) for part in error.split("\n")) if part]
    for begin, part in enumerate(parts):
        lowered = part.lower()
        if lowered.startswith(_NO_NEWS[:2]) or lowered in _NO_NEWS or any(quiet in lowered for quiet in _QUIET):
            continue
        if any(word in lowered for word in _ERROR_WORDS):
            told = one_line(part, limit)
            if begin + 1 < len(parts) and len(told) < limit // 2:
                told = one_line(f"{told} · {parts[begin + 1]}", limit)
            return told
    news = [part for part in parts if not part.lower().startswith(_NO_NEWS[:2])]
    return one_line(news[-1] if news else " ".join(parts), limit)


def outcome_line(line: Recorded, limit: int = 160) -> str:
    """The last line of what a successful call said: results stand at the end."""
    parts = [part for part in (_unadorned(part) for part in (line.tail or line.head).split("\n")) if part]
    return one_line(parts[-1], limit) if parts else ""


def _first_lines(text: str) -> str:
    """A command of many lines by its first ones; a here-document is told by its first line."""
    parts = text.strip().split("\n")
    return " ".join(parts[:3]) + (" …" if len(parts) > 3 else "")


def _telling(parts: list[str]) -> str:
    """The first line that says something: no lone bracket, no `end`."""
    return next((part for part in parts if sum(map(str.isalnum, part)) > 3), parts[0])


def _unadorned(text: str) -> str:
    """A line without rulers, arrows and a tool's tags around it."""
    return text.strip().removeprefix("<tool_use_error>").removesuffix("</tool_use_error>").strip(" \t\r*=-_#>│┃|")
