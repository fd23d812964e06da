"""A day of many sessions as a list: one line for each, with what it was about and what came of it.

Answering every question about every session would leave a few words for each answer. A line of the list can be read by itself.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BETWEEN = " → "
"""Between what a session was about and what came of it."""
MORE = " • "
"""Between the results of a session, of which the first tells most."""
MARK = "- "
PER_SESSION = 400
"""Characters of a session's share of the budget below which the day becomes a list."""
_LEAST = 40
"""Characters of a line below which the shortest sessions are left out."""
_FRAME = len(MARK) + 1
_LONGEST_NAME = 48
"""Characters of the name of a task."""
_QUESTIONS = ("?", "？", "か")
_SENTENCE_ENDS = (".", "。")
_LONGEST_REQUEST = 80
"""Characters of a request that stands for a session in the line of its day."""
HEADINGS = {
    "goals": ("Wanted: ", "目的: "),
    "results": ("Result: ", "結果: "),
    "changed": ("Changed: ", "変更: "),
    "fixes": ("Failed and fixed: ", "失敗と修正: "),
    "decisions": ("Decided: ", "決定: "),
    "commits": ("Commits: ", "コミット: "),
    "open_ends": ("Open: ", "未解決: "),
    "also": ("Also: ", "ほか: "),
}
"""The headings of a summary in English and Japanese."""
_HEADED = tuple(f"{MARK}{heading}" for headings in HEADINGS.values() for heading in headings)
_SAY_WHAT = (HEADINGS["commits"], HEADINGS["goals"])
"""The headings of what was worked on, the best first."""


def name_of(task: str) -> str:
    """Return the name of a task; of a branch, the part after the last slash."""
    return (task.rpartition("/")[2] or task)[:_LONGEST_NAME]


def of_task(task: str) -> str:
    """Return how a line of this task begins when it does not begin with a commit."""
    return f"{name_of(task)}: "


def about(line: str) -> str:
    """Return what a session was about, from its line."""
    return line.removeprefix(MARK).partition(BETWEEN)[0]


def with_one_result(gist: str) -> str:
    """Return what a session was about and the first of its results."""
    what, mark, results = gist.partition(BETWEEN)
    return f"{what}{mark}{results.partition(MORE)[0]}" if mark else what.partition(MORE)[0]


def is_of(line: str, task: str | None) -> bool:
    """Return whether a session's line, or its first request, begins with the task."""
    bare = _without_heading(line)
    return task is not None and (bare == name_of(task) or bare.startswith((of_task(task), f"{name_of(task)}{BETWEEN}")))


def has_task(line: str) -> bool:
    """Return whether a session's line, or its first request, begins with the name of a task."""
    bare = _without_heading(line)
    task, colon, _ = bare.partition(": ")
    return bool(_parts(about(bare))[0]) or (bare != line.strip().removeprefix(MARK) and bool(colon) and " " not in task)


def is_open(line: str) -> bool:
    """Return whether a session without a task is named by its request, because no commit ended it."""
    task, request = _parts(about(line))
    return not task and request != request.rstrip("”」")


def is_of_sessions(text: str) -> bool:
    """Return whether a summary is a list of sessions or has the headings of one, rather than a text in sentences."""
    return bool(sessions_of(text)) or any(f"{MARK}{line.removeprefix(MARK).strip()}".startswith(_HEADED) for line in text.split("\n"))


def _without_heading(line: str) -> str:
    bare = line.strip().removeprefix(MARK)
    for heading in HEADINGS["goals"]:
        bare = bare.removeprefix(heading)
    return bare


def without_unclear(line: str) -> str:
    """Return a session's line without a request that helps nobody: one that was cut, or a question without its answer. What is left may be only the name of
    the task, only the result, or nothing."""
    what, between, came = line.partition(BETWEEN)
    task, request = _parts(what)
    if not _is_unclear(request, bool(came)):
        return line
    return f"{task}{between}{came}" if task else came


def _parts(what: str) -> tuple[str, str]:
    """Return (name of the task, request or other words) of what a session was about; "" for what is missing."""
    name, mark, request = min(what.partition(": “"), what.partition(": 「"), key=lambda parts: len(parts[0]))
    if " " in name or not (mark or name.isascii()):
        return "", what
    return name, request


def _is_unclear(request: str, is_answered: bool) -> bool:
    bare = request.rstrip("”」")
    return bare.endswith("…") or (not is_answered and bare != request and bare.endswith(_QUESTIONS))


def name(line: str) -> str:
    """Return the name of a session in the line of its day: its task, or else the subjects of its commits or its short request; "" if it has none of these, so
    that its line is a sentence about what came of it."""
    what = about(line)
    task, request = _parts(what)
    is_long = request != request.rstrip("”」") and len(request) > _LONGEST_REQUEST
    is_result = what == line.removeprefix(MARK) and what.endswith(_SENTENCE_ENDS)
    return task or ("" if is_long or is_result or _is_unclear(request, False) else what.partition(MORE)[0])


def sessions_of(text: str) -> list[str]:
    """Return the lines of the list in a summary; [] where there is none."""
    marked = [line for line in text.split("\n") if line.startswith(MARK)]
    is_list = any(BETWEEN in line for line in marked) and not any(line.startswith(_HEADED) for line in marked)
    return [line.removeprefix(MARK) for line in marked] if is_list else []


def in_brief(text: str, task: str | None = None) -> list[str]:
    """Return the `name` of each session of a summary, followed by what came of it for sessions of one task; "" for those without a name."""
    sessions = sessions_of(text)
    if sessions:
        return [without_unclear(line) if is_of(line, task) else name(line) for line in sessions]
    bare = [line.removeprefix(MARK).strip() for line in text.split("\n")]
    for headings in _SAY_WHAT:
        found = [line.partition(": ")[2] for line in bare if line.startswith(headings)]
        if found:
            return [_of_requests(said) for said in found] if headings is HEADINGS["goals"] else found
    return [name(bare[0])]


def _of_requests(said: str) -> str:
    """Return the task that a session's requests begin with, or else the first of them if it is short and no question."""
    first = said.partition("; ")[0].rstrip(" .。")
    task, colon, _ = first.partition(": ")
    if colon and " " not in task:
        return task
    return "" if len(first) > _LONGEST_REQUEST or first.endswith(("…", *_QUESTIONS)) else first


def listed(gists: Sequence[str], sizes: Sequence[int], budget: int) -> str:
    """Return the list in at most `budget` characters.

    What all sessions were about comes first, then one result of each, then more; those of the longest sessions come before others.
    gists: `about → result • further result` of each session, or the request of one without a gist, in order of time.
    sizes: how much each session has to say.
    """
    longest = sorted(range(len(gists)), key=lambda number: (-sizes[number], number))[: max(1, budget // (_LEAST + _FRAME))]
    lines = {number: about(gists[number]) for number in longest}
    _clip(lines, budget)
    left = budget - sum(len(line) + _FRAME for line in lines.values())
    for longer in ([with_one_result(gist) for gist in gists], gists):
        for number in longest:
            more = len(longer[number]) - len(lines[number])
            if 0 < more <= left and longer[number].startswith(lines[number]):
                lines[number] = longer[number]
                left -= more
    return "\n".join(f"{MARK}{lines[number]}" for number in sorted(lines))


def _clip(lines: dict[int, str], budget: int) -> None:
    """Clip the longest lines until all fit."""
    share = budget // len(lines) - _FRAME
    spare = sum(max(0, share - len(line)) for line in lines.values())
    long = [number for number, line in lines.items() if len(line) > share]
    for number in long:
        limit = share + spare // len(long)
        if len(lines[number]) > limit:
            lines[number] = f"{lines[number][: limit - 1].rstrip(' ,;:、')}…"
