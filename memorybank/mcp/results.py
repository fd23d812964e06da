"""Turns memories into the answer of a tool: one fenced text for the agent to read, and next to it data about each memory.

Every stored text goes through `injection`. The text around it consists of ids, dates and words of our own.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.bank.visible import AgentAnswer, VisibleMemory, shown_id
from memorybank.clock import DAY
from memorybank.injection import InjectedMemory, Injection, InjectionSection, build, cut_units, one_line, utf16
from memorybank.text.untrusted.neutral import neutralise

LIST_UNITS = 12_000
"""Maximum UTF-16 units of a list, fence included. Claude Code cuts the answer of a tool at 25,000 tokens; Japanese takes about one per unit."""
READ_UNITS = 14_000
"""Maximum UTF-16 units of one part of a memory. Neutralising may add a little, and the frame some more."""
_FRAME_UNITS = 4_000
HEADINGS = {"search": "## Found", "recent": "## Changed last", "episodes": "## Days", "recall": "## Memories"}


class ToolResult(NamedTuple):
    """The answer of a tool.

    text: what the agent reads
    fields: the same as data; docs/mcp.md describes it. An unknown value is absent, because clients that know one type for a property refuse `null`.
    """

    text: str
    fields: dict[str, Any]


def list_result(tool: str, answer: AgentAnswer, now: int, *, empty: str) -> ToolResult:
    """Return a list of memories, each with its passage, id, date and author.

    empty: text of the answer when there are none
    """
    by_number = {str(number): memory for number, memory in enumerate(answer.memories)}  # by number, not by id: one note can have several hits
    items = [InjectedMemory(number, _passage(memory), _source(memory), memory.at, (), memory.origin) for number, memory in by_number.items()]
    injection = build([InjectionSection(HEADINGS[tool], LIST_UNITS, items=items, rest="lower the limit, or narrow the query")], LIST_UNITS)
    if injection is None:
        return notice_result(empty, notice=answer.notice)
    return _memory_result(injection, [memory for number, memory in by_number.items() if number in injection.sizes], answer.notice, now)


def recall_result(injection: Injection | None, reason: str, answer: AgentAnswer, now: int) -> ToolResult:
    """Return what recall composed, or the reason why it recalled nothing."""
    if injection is None:
        return notice_result(f"Nothing is recalled: {one_line(reason)}.", notice=answer.notice)
    told = set(map(shown_id, injection.sizes))
    return _memory_result(injection, [memory for memory in answer.memories if memory.id in told], answer.notice, now)


def memory_part(memory: VisibleMemory, from_line: int, now: int) -> ToolResult:
    """Return a part of one memory: as many lines as fit, from `from_line` (1-based) on. `next_line` is where the rest begins."""
    lines = memory.text.removesuffix("\n").split("\n")
    if from_line > len(lines):
        return notice_result(f"{memory.id} has {len(lines)} lines; from_line is beyond its end.", total_lines=len(lines))
    part = _fitting(lines[from_line - 1 :])
    last = from_line - 1 + len(part)
    body = neutralise("\n".join(part))
    cut = utf16(body) > 2 * READ_UNITS
    body = cut_units(body, 2 * READ_UNITS) + "\n[this line is cut to save space]" if cut else body
    more = f"; continues at line {last + 1}" if last < len(lines) else ""
    intro = f"[{'; '.join(_facts(memory))}; lines {from_line}-{last} of {len(lines)}{more}]"
    section = InjectionSection(f"## {memory.id}", utf16(body) + _FRAME_UNITS, body=body, intro=intro, sizes={memory.id: utf16(body)})
    injection = build([section], section.budget + _FRAME_UNITS)
    if injection is None:
        return notice_result(f"{memory.id} is empty.", total_lines=len(lines))
    told = _memory_result(injection, [memory._replace(lines=(from_line, last))], "", now)
    following = {"next_line": last + 1} if last < len(lines) else {}
    return ToolResult(told.text, {**told.fields, "truncated": cut or last < len(lines), **following, "total_lines": len(lines)})


def notice_result(text: str, *, notice: str = "", **more: object) -> ToolResult:
    """Return a result that consists of our own words and contains no memory."""
    notice = one_line(notice)
    sentence = f"{text} {notice}".strip()
    return ToolResult(sentence, {"items": [], "truncated": False, "notice": sentence, **more})


def with_notice(result: ToolResult, notice: str) -> ToolResult:
    """Return a result with one more remark, after the memories and outside their fence."""
    if not notice:
        return result
    remarks = " ".join(filter(None, (result.fields.get("notice", ""), one_line(notice))))
    return ToolResult(f"{result.text}\n{one_line(notice)}", {**result.fields, "notice": remarks})


def _memory_result(injection: Injection, memories: Sequence[VisibleMemory], notice: str, now: int) -> ToolResult:
    notice = one_line(notice)
    text = f"{injection.text}\n{notice}".rstrip("\n")
    fields = {"memory": injection.text, "items": [_fields(memory, now) for memory in memories], "truncated": injection.truncated}
    return ToolResult(text, {**fields, **({"notice": notice} if notice else {})})


def _fields(memory: VisibleMemory, now: int) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": memory.id,
        "kind": memory.kind,
        "origin": memory.origin,
        "date": time_of.isoformat(memory.at),
        "age_days": max(0, (now - memory.at) // DAY),
        "stale": one_line(memory.stale),
    }
    if memory.importance is not None:
        fields["importance"] = memory.importance
    if memory.rank is not None:
        fields["top_percent"] = memory.rank.top_percent
    if memory.is_weak:
        fields["weak"] = True
    if memory.found_by:
        fields["found_by"] = memory.found_by
    if memory.lines is not None:
        fields["lines"] = list(memory.lines)
    return fields


def _passage(memory: VisibleMemory) -> str:
    """Return a passage below its title, unless it begins with the title. The title of an episode is its id, so it is left out."""
    title = one_line(memory.title)
    if memory.kind == "episode" or not title or one_line(memory.text).lstrip("# ").startswith(title):
        return memory.text
    return f"{title}\n{memory.text}"


def _source(memory: VisibleMemory) -> str:
    """Return id and place, whether it is a weak match, and the reason why the memory may be stale."""
    place = f", lines {memory.lines[0]}-{memory.lines[1]}" if memory.lines and memory.kind != "episode" else ""
    weak = "; weak match" if memory.is_weak else ""
    return f"{memory.id}{place}{weak}{f'; possibly stale: {memory.stale}' if memory.stale else ''}"


def _facts(memory: VisibleMemory) -> list[str]:
    author = {"human": "written by a person", "agent": "written by an agent"}.get(memory.origin, memory.origin)
    ranked = f", {memory.rank.text}" if memory.rank is not None else ""
    standing = [f"importance {memory.importance:.1f} of 10{ranked}"] if memory.importance is not None else []
    return [time_of.day_of(memory.at), author, *standing, *([f"possibly stale: {one_line(memory.stale)}"] if memory.stale else [])]


def _fitting(lines: list[str]) -> list[str]:
    """Return the first lines that fit into one part, at least one."""
    kept: list[str] = []
    left = READ_UNITS
    for line in lines:
        left -= utf16(line) + 1
        if left < 0 and kept:
            break
        kept.append(line)
    return kept
