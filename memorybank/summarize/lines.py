"""What can be told of a day, as lines of one sentence or item each, and lines as text. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorybank.summarize import sentences
from memorybank.summarize.labels import label
from memorybank.summarize.summarizer import CHANGED, COMMITS, FIXES, GOALS, OPEN_ENDS, RESULTS, SECTIONS, DayText, Part
from memorybank.text.openers import answer_first

SAID = "said"
"""The section of what was said in a chat; it has no name of its own in a summary."""
LONGEST = 280
"""Characters of one sentence or item, unless the whole text may be much longer than a summary: then a twelfth of it."""
_PROSE = (GOALS, RESULTS)
"""Sections whose items are running text: told sentence by sentence."""
_LISTED = (CHANGED, COMMITS)
"""Sections whose items are names and subjects, however they end."""
_JAPANESE_ENDS = ("。", "！", "？", "」", "』", "）")
_ENDS = (".", "!", "?", "…", ":", '"', "”")
LEAST_QUOTED = 40
"""Characters that a command or a line of code is not cut below, as long as the item around it can be cut."""
_QUOTED = re.compile(r"`([^`\n]+)`")
_HOW = re.compile(r"(?<=[\w)]): (?:added |removed )?`[^`\n]*`(?: → `[^`\n]*`)?")
"""Of a file that was changed: what the change was."""
_FOLDERS = re.compile(r"(?:[\w.~@-]+/){2,}(?=[\w.-]+)")
_BEGINNING = 0.55
_ENDING = 40
"""Of the room of a fix that is too long: for how it failed at least that share, or all but so many characters for what helped."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or item. section: one of SECTIONS, or `said`; who: of a chat's message; begins: the first sentence of its item or message;
    session: whose it is, "" where that does not matter."""

    section: str
    who: str
    text: str
    begins: bool = True
    session: str = ""

    @property
    def cost(self) -> int:
        """Characters: the text, what parts it from the one before, and who said it."""
        return len(self.text) + 2 + (len(self.who) + 2) * bool(self.who)


def of_day(day: DayText) -> list[Line]:
    """Everything that could be told: session by session the parts, section by section, then what was said, each in the order of time;
    nothing twice."""
    longest = max(LONGEST, day.budget // 12)
    found: dict[tuple[str, str, str], Line] = {}
    for session in dict.fromkeys(part.session for part in day.parts):
        for section in SECTIONS:
            for part in day.parts:
                if part.section == section and part.session == session:
                    for number, text in enumerate(_texts(part)):
                        found.setdefault((session, section, text), fitted(Line(section, "", text, not number, session), longest))
    for message in day.said:
        for text in sentences.cut(message.text):
            found.setdefault(("", SAID, text), fitted(Line(SAID, message.who, text), longest))
    return [line for line in found.values() if line.text]


def _texts(part: Part) -> list[str]:
    """The sentences of a request or a result, which begins where it answers; anything else is one line."""
    if part.section not in _PROSE:
        return [" ".join(part.text.split())]
    return sentences.cut(answer_first(part.text) if part.section == RESULTS else part.text)


def fitted(line: Line, room: int) -> Line:
    """The line with at most `room` characters of text; of a fix that is too long how it failed and what helped, without the middle."""
    if len(line.text) <= room:
        return line
    text = line.text
    if line.section in (FIXES, OPEN_ENDS):
        text = _FOLDERS.sub("…/", text)
    if line.section == FIXES and len(text) > room:
        text = _HOW.sub("", text)
    if len(text) > room:
        text = _QUOTED.sub(lambda quoted: f"`{sentences.clipped(quoted[1], max(LEAST_QUOTED, room // 4))}`", text)
    if len(text) > room:
        pieces = sentences.cut(text) if line.section == FIXES else []
        text = _both(pieces[0], pieces[-1], room) if len(pieces) > 1 else sentences.shortened(text, room)
    return replace(line, text=text)


def _both(failed: str, helped: str, room: int) -> str:
    """How it failed and what helped, each by its beginning; how it failed alone where that takes nearly all of the room."""
    if len(failed) <= room < len(failed) + _ENDING:
        return failed
    begin = sentences.clipped(failed, max(int(room * _BEGINNING), room - _ENDING))
    return f"{begin} {sentences.clipped(helped, room - len(begin) - 1)}".strip()


def without_detail(line: Line) -> Line:
    """An item up to the colon behind its brackets: `a.py (edited, 3 changes): …` names the file and says no more."""
    for colon in ("): ", "）: ", "）："):
        at = line.text.find(colon)
        if at > 0:
            return replace(line, text=line.text[: at + 1])
    return line


def told(lines: Sequence[Line], language: str) -> str:
    """The lines as text: a line of text a section, and one for each change of speaker. Of several sessions each is an item of a list."""
    several = len({line.session for line in lines if line.session}) > 1
    parts: list[str] = []
    last: tuple[str, str, str] | None = None
    for line in lines:
        key = (line.session, line.section, line.who)
        if key == last:
            parts[-1] += ("; " if line.section in _LISTED else _between(parts[-1])) + line.text
        else:
            begins = last is None or last[0] != line.session
            parts.append(("" if not several or not line.session else "- " if begins else "  ") + _head(line, language) + line.text)
        last = key
    return "\n".join(parts)


def _head(line: Line, language: str) -> str:
    if line.section != SAID:
        return label(line.section, language)
    return f"{line.who}: " if line.who else ""


def _between(text: str) -> str:
    """What parts two sentences: nothing after a Japanese end, a blank after an English one, else a semicolon."""
    return "" if text.endswith(_JAPANESE_ENDS) else " " if text.endswith(_ENDS) else "; "
