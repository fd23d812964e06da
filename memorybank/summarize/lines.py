"""What can be told of a day, as lines of one sentence or item each, and lines as text. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorybank.summarize import sentences
from memorybank.summarize.labels import label
from memorybank.summarize.summarizer import FIXES, GOALS, RESULTS, SECTIONS, DayText

SAID = "said"
"""The section of what was said in a chat; it has no name of its own in a summary."""
LONGEST = 280
"""Characters of one sentence or item, unless the whole text may be much longer than a summary: then a twelfth of it."""
_PROSE = (GOALS, RESULTS)
"""Sections whose items are running text: told sentence by sentence."""
_JAPANESE_ENDS = ("。", "！", "？", "」", "』", "）")
_ENDS = (".", "!", "?", "…", ":", '"', "”")
LEAST_QUOTED = 40
"""Characters that a command or a line of code is not cut below, as long as the item around it can be cut."""
_QUOTED = re.compile(r"`([^`\n]+)`")
_BEGINNING = 0.55
"""Of the room of a fix that is too long: for how it failed; the rest for what helped."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or item. section: one of SECTIONS, or `said`; who: of a chat's message; begins: the first sentence of its item or message."""

    section: str
    who: str
    text: str
    begins: bool = True

    @property
    def cost(self) -> int:
        """Characters: the text, what parts it from the one before, and who said it."""
        return len(self.text) + 2 + (len(self.who) + 2) * bool(self.who)


def of_day(day: DayText) -> list[Line]:
    """Everything that could be told: the parts section by section, then what was said, each in the order of time; nothing twice."""
    longest = max(LONGEST, day.budget // 12)
    found: dict[tuple[str, str], Line] = {}
    for section in SECTIONS:
        for part in day.parts:
            if part.section == section:
                for number, text in enumerate(sentences.cut(part.text) if section in _PROSE else [" ".join(part.text.split())]):
                    found.setdefault((section, text), fitted(Line(section, "", text, not number), longest))
    for message in day.said:
        for text in sentences.cut(message.text):
            found.setdefault((SAID, text), fitted(Line(SAID, message.who, text), longest))
    return [line for line in found.values() if line.text]


def fitted(line: Line, room: int) -> Line:
    """The line with at most `room` characters of text; of a fix that is too long how it failed and what helped, without the middle."""
    if len(line.text) <= room:
        return line
    text = _QUOTED.sub(lambda quoted: f"`{sentences.clipped(quoted[1], max(LEAST_QUOTED, room // 4))}`", line.text)
    if len(text) > room:
        pieces = sentences.cut(text) if line.section == FIXES else []
        if len(pieces) > 1:
            begin = sentences.clipped(pieces[0], int(room * _BEGINNING))
            text = f"{begin} {sentences.clipped(pieces[-1], room - len(begin) - 1)}".strip()
        else:
            text = sentences.shortened(text, room)
    return replace(line, text=text)


def without_detail(line: Line) -> Line:
    """An item up to the colon behind its brackets: `a.py (edited, 3 changes): …` names the file and says no more."""
    for colon in ("): ", "）: ", "）："):
        at = line.text.find(colon)
        if at > 0:
            return replace(line, text=line.text[: at + 1])
    return line


def told(lines: Sequence[Line], language: str) -> str:
    """The lines as text: a line of text a section, and one for each change of speaker."""
    parts: list[str] = []
    last: tuple[str, str] | None = None
    for line in lines:
        key = (line.section, line.who)
        if key == last:
            parts[-1] += _between(parts[-1]) + line.text
        else:
            parts.append(_head(line, language) + line.text)
        last = key
    return "\n".join(parts)


def _head(line: Line, language: str) -> str:
    if line.section != SAID:
        return label(line.section, language)
    return f"{line.who}: " if line.who else ""


def _between(text: str) -> str:
    """What parts two sentences: nothing after a Japanese end, a blank after an English one, else a semicolon."""
    return "" if text.endswith(_JAPANESE_ENDS) else " " if text.endswith(_ENDS) else "; "
