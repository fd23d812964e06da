"""What an agent reads of a recollection: the text from the note's file or the cycle's cache, the source, the date and the reason.

Of a note, the paragraph that contains most of the query's words is shown, under its heading; of an episode, the best lines.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.recall.query import as_written
from memorybank.cycle.recall.ranking import EPISODE, TOPIC
from memorybank.errors import MemorybankError
from memorybank.index import queries
from memorybank.injection import InjectedMemory
from memorybank.storage import disk
from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import Recollection

MAX_NOTE_BYTES = 1 << 18
"""Of a larger note only the title is shown."""
_REASONS_SHOWN = 6
_WORDS = {
    "same_task": "the same task",
    "recent_failure": "a failure of the last day",
    "success_pattern": "the same call, which succeeded before",
    "importance": "its weight among the memories of this project",
    "recency": "being recent",
    "role_fit": "work of the same agent role",
    "outcome": "having been of use before",
}
_PLACEHOLDERS = ("_", "#")
_OTHER_WORDS = ("Also:", "ほか:")
_LEAST_OF_A_LINE = 60
"""Characters. A shorter piece of a line is not worth showing."""
_ENDS = ("\n", "。", ". ", " ")
"""Where a text may be cut, in this order."""


def item(recollection: Recollection, query: QueryContext, sources: Sources, base: CycleContext, limit: int) -> InjectedMemory | None:
    """Return what is printed of a memory, with about `limit` characters of its text; None when its note no longer exists."""
    memory = recollection.memory
    if memory.kind == "note":
        text = _of_note(recollection, sources, base, limit)
        if text is None:
            return None
        return InjectedMemory(memory.memory, text, f"note {memory.key}", memory.at, reasons(recollection, query), memory.author)
    text = of_day(memory.text, memory.matched, limit) if memory.kind == EPISODE else _shortened(memory.text, limit)
    why = reasons(recollection, query) if memory.kind == EPISODE else ()
    return (
        InjectedMemory(memory.memory, text, _source(recollection), memory.at, why, memory.author if memory.kind in (EPISODE, TOPIC) else "") if text else None
    )


def reasons(recollection: Recollection, query: QueryContext) -> list[str]:
    """Return the anchors and words that a memory was found by, as a person would write them.

    Without any, as at the start of a session, return the strongest part of its score.
    """
    memory = recollection.memory
    anchors = [written for anchor in memory.shared if (written := _in_words(anchor))]
    words = [as_written(label, query.text) for label in memory.matched]
    found = anchors + [word for word in words if not any(word in anchor for anchor in anchors)]
    if found:
        return list(dict.fromkeys(found))[:_REASONS_SHOWN]
    if memory.kind == "rule":
        return ["what a person asked for"]
    if "same_task" in recollection.parts:
        return [_WORDS["same_task"]]
    parts = sorted(recollection.parts, key=lambda name: (-recollection.parts[name], name))
    return [_WORDS[name] for name in parts[:1] if name in _WORDS]


def _in_words(anchor: str) -> str:
    """An anchor in words: a command without the placeholders of its values, and for an error only that it is the same, because its signature is a digest."""
    kind, _, name = anchor.partition(":")
    if kind == "err":
        return "the same error"
    if kind == "cmd":
        return " ".join(word for word in name.split(" ") if word not in _PLACEHOLDERS)
    return name


def _source(recollection: Recollection) -> str:
    memory = recollection.memory
    if memory.source:
        return memory.source
    if memory.kind == TOPIC:
        return f"topic of {len(memory.sources)} episodes, {memory.sources[0]} to {memory.sources[-1]}; 'memorybank episodes show DATE' prints a day"
    if memory.kind == EPISODE:
        return f"episode of {memory.memory.partition(':')[2]}"
    return "counted in earlier sessions"


def _of_note(recollection: Recollection, sources: Sources, base: CycleContext, limit: int) -> str | None:
    """The title and the best paragraph; None when the note's file is missing. A note that mentions a missing file is marked as possibly stale."""
    memory = recollection.memory
    title = memory.text
    path = base.layout.note_path(memory.key)
    try:
        text = disk.read(path, MAX_NOTE_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except MemorybankError:
        text = ""
        if not os.path.isfile(path):
            return None
    said = _excerpt(text, title, [*memory.matched, *(anchor.rpartition("/")[2] for anchor in memory.shared)], limit)
    gone = queries.missing_file(sources.index, memory.number, base.root) if sources.index is not None else None
    stale = f" (possibly stale: {gone} is missing)" if gone else ""
    return f"{title.rstrip('.。:：')}{stale}: {said}" if said and said != title else title + stale


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[:limit]
    for end in _ENDS:
        at = cut.rfind(end)
        if at > limit // 2:
            return cut[: at + len(end)].rstrip() + " …"
    return cut + "…"


def _excerpt(text: str, title: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of a note's body, without its title.

    labels: the words (as stems), paths and names that the note was found by.
    """
    wanted = [_stem(label) for label in labels]
    best: tuple[int, str, str] = (-1, "", "")
    heading = ""
    for paragraph in _without_front_matter(text).split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        while lines and (lines[0].startswith("#") or not lines[0].strip()):
            heading = lines.pop(0).strip("# \t") or heading
        if not lines or lines[0].startswith("```"):
            continue
        said = "\n".join(lines).strip()
        folded = said.lower()
        hits = sum(word in folded for word in wanted)
        if said and hits > best[0]:
            best = (hits, heading, said)
    _, heading, said = best
    if not said:
        return ""
    said = _around(said, wanted, limit)
    return f"{heading}: {said}" if heading and heading != title and best[0] > 0 and heading.lower() not in said.lower() else said


def of_day(text: str, labels: Sequence[str], limit: int) -> str:
    """Return at most about `limit` characters of an episode, in the order of the text.

    The lines with most of the words that it was found by are chosen first, then its first lines, which say what the day was about. The
    list of other words that `summarize.extractive` writes is left out, because it says nothing to a reader.
    """
    lines = [line.strip().removeprefix("- ") for line in text.split("\n") if line.strip() and not line.startswith(_OTHER_WORDS)]
    wanted = [_stem(label) for label in labels]
    hits = [sum(word in line.lower() for word in wanted) for line in lines]
    chosen: dict[int, str] = {}
    left = limit
    for place in sorted(range(len(lines)), key=lambda place: (-hits[place], place)):
        if left < _LEAST_OF_A_LINE:
            break
        chosen[place] = _around(lines[place], wanted, left)
        left -= len(chosen[place]) + 1
    return "\n".join(chosen[place] for place in sorted(chosen))


def _without_front_matter(text: str) -> str:
    """Return the body of a note, with Unix line ends."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return text
    end = text.find("\n---\n", 3)
    return text[end + 5 :] if end >= 0 else text


def _stem(label: str) -> str:
    """A stem as it occurs in words: `retri` is in retry and retries only without its last letter."""
    label = label.lower()
    return label[:-1] if len(label) > 3 and label.isascii() and label[-1] in "ie" else label


def _around(said: str, wanted: Sequence[str], limit: int) -> str:
    """The lines or sentences from the first hit on, up to `limit` characters; `…` marks what is left out at either end."""
    if len(said) <= limit:
        return said
    folded = said.lower()
    first = min((at for at in (folded.find(word) for word in wanted) if at >= 0), default=0)
    begin = 0
    if first > limit // 2:
        for end in _ENDS:
            at = said.rfind(end, 0, first)
            if at > first - limit // 2:
                begin = at + len(end)
                break
        else:
            begin = first
    cut = said[begin : begin + limit]
    if begin + limit < len(said):
        for end in _ENDS:
            at = cut.rfind(end)
            if at > limit // 2:
                cut = cut[: at + len(end)].rstrip()
                break
        cut += " …"
    return ("… " if begin else "") + cut
