"""The content of a day as lines of one sentence or item each, such lines as text, and such a text read back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorybank.summarize import findings, listed, sentences
from memorybank.summarize.summarizer import CHANGED, COMMITS, FIXES, GIST, GOALS, OPEN_ENDS, RESULTS, SECTIONS, DayText, SessionItem
from memorybank.text.prose.openers import answer_first
from memorybank.text.words.terms import content_terms

SAID = "said"
"""The section of chat messages; it has no heading in a summary."""
LONGEST = 280
"""Maximum characters of one sentence or item; a twelfth of the budget when that is more."""
_PROSE = (GOALS, RESULTS)
"""Sections whose items are running text and are divided into sentences."""
_SAY_WHAT = (GOALS, COMMITS)
"""Sections that say what was worked on."""
_LISTED = (CHANGED, COMMITS)
"""Sections whose items are names and subjects, whatever character they end with."""
_JAPANESE_ENDS = ("。", "！", "？", "」", "』", "）")
_ENDS = (".", "!", "?", "…", ":", '"', "”")
LEAST_QUOTED = 40
"""Characters that are always kept of a command or line of code, as long as the text around it can be shortened."""
_QUOTED = re.compile(r"`([^`\n]+)`")
_HOW = re.compile(r"(?<=[\w)]): (?:added |removed )?`[^`\n]*`(?: → `[^`\n]*`)?")
"""The part of a changed file's item that describes the change."""
_FOLDERS = re.compile(r"(?<![\w.~@-])(?:[\w.~@-]{1,100}/){2,20}(?=[\w.-])")


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One sentence or item.

    section: one of SECTIONS, or `said`
    who: the speaker of a chat message
    begins: whether it is the first sentence of its item or message
    session: the session it belongs to, "" when that does not matter
    """

    section: str
    who: str
    text: str
    begins: bool = True
    session: str = ""

    @property
    def cost(self) -> int:
        """Number of characters: the text, its separator, and the speaker."""
        return len(self.text) + 2 + (len(self.who) + 2) * bool(self.who)


def of_day(day: DayText) -> list[SummaryLine]:
    """Return all content of a day, without duplicates: session by session the parts, section by section, then the chat messages, each in the order of time."""
    longest = max(LONGEST, day.budget // 12)
    found: dict[tuple[str, str, str], SummaryLine] = {}
    times = Counter(text for part in day.parts if part.section == RESULTS for text in set(_texts(part)))
    about = {term for part in day.parts if part.section in _SAY_WHAT for term in content_terms(part.text)}
    for session in dict.fromkeys(part.session for part in day.parts):
        for section in SECTIONS:
            for part in day.parts:
                if part.section == section and part.session == session:
                    for number, text in enumerate(_texts(part)):
                        if section == RESULTS and findings.is_manner(text, times[text], about):
                            continue
                        found.setdefault((session, section, text), fitted(SummaryLine(section, "", text, not number, session), longest))
    for message in day.said:
        for text in sentences.cut(message.text):
            found.setdefault(("", SAID, text), fitted(SummaryLine(SAID, message.who, text), longest))
    return [line for line in found.values() if line.text]


def _texts(part: SessionItem) -> list[str]:
    """Return the sentences of a request or a result (from where the result answers); other items are one line each."""
    if part.section not in _PROSE:
        return [" ".join(part.text.split())]
    return sentences.cut(answer_first(part.text) if part.section == RESULTS else part.text)


def fitted(line: SummaryLine, budget: int) -> SummaryLine:
    """Return the line with at most `budget` characters of text. A fix that is too long loses its folders, the change itself, and the end of
    the command that failed; if it is still too long, all of its text: half a remedy says nothing."""
    if len(line.text) <= budget:
        return line
    text = line.text
    if line.section in (FIXES, OPEN_ENDS):
        text = _FOLDERS.sub("…/", text)
    if line.section == FIXES and len(text) > budget:
        text = _HOW.sub("", text)
    if len(text) > budget:
        text = _QUOTED.sub(lambda quoted: f"`{sentences.clipped(quoted[1], max(LEAST_QUOTED, budget // 4))}`", text, int(line.section == FIXES))
    if len(text) > budget and line.section == FIXES:
        return replace(line, text="")
    if len(text) > budget:
        text = sentences.shortened(text, budget)
    return replace(line, text=text)


def without_detail(line: SummaryLine) -> SummaryLine:
    """Return an item up to the colon after its brackets: `a.py (edited, 3 changes): …` becomes the file and the count."""
    for colon in ("): ", "）: ", "）："):
        at = line.text.find(colon)
        if at > 0:
            return replace(line, text=line.text[: at + 1])
    return line


def text_of(lines: Sequence[SummaryLine], language: str) -> str:
    """Return the lines as text: one line for each section and for each change of speaker. Several sessions become the items of a list."""
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


def _head(line: SummaryLine, language: str) -> str:
    if line.section != SAID:
        return label(line.section, language)
    return f"{line.who}: " if line.who else ""


def _between(text: str) -> str:
    """Return the separator of two sentences: nothing after a Japanese ending, a blank after an English one, else a semicolon."""
    return "" if text.endswith(_JAPANESE_ENDS) else " " if text.endswith(_ENDS) else "; "


def label(name: str, language: str) -> str:
    """Return the heading of a section. language: `en` or `ja`."""
    return listed.HEADINGS[name][language == "ja"]


_SECTION_OF = {label(section, language): section for section in SECTIONS for language in ("en", "ja")}
_ALSO_HEADINGS = (label("also", "en"), label("also", "ja"))


def parsed(text: str, date: str) -> tuple[SessionItem, ...]:
    """Return the parts of a summary written by `text_of` or as a list, the first of each session prefixed with the date.

    Returns () for a text in any other form: by a model, by a person, or about a day of chats.
    """
    gists = listed.sessions_of(text)
    if gists and len(gists) > text.count("\n"):
        return tuple(SessionItem(GIST, gist if number else f"[{date}] {gist}", f"{date} {number}") for number, gist in enumerate(gists))
    found: list[SessionItem] = []
    number = 0
    for line in text.split("\n"):
        number += line.startswith("- ")
        bare = line[2:] if line.startswith(("- ", "  ")) else line
        name = next((name for name in _SECTION_OF if bare.startswith(name)), None)
        if name is None:
            if bare.strip() and not bare.startswith(_ALSO_HEADINGS):
                return ()
            continue
        said = bare.removeprefix(name)
        session = f"{date} {number}"
        items = said.split("; ") if _SECTION_OF[name] == COMMITS else [said]
        is_first = not found or found[-1].session != session
        own = [SessionItem(_SECTION_OF[name], item, session) for item in items]
        found += [replace(own[0], text=f"[{date}] {own[0].text}"), *own[1:]] if is_first else own
    return tuple(found)
