"""Which lines of a drafted summary still hold. A page that nobody edited is shown only as far as its sources say the same (ADR 0155).

The draft keeps one mark for each line in its front matter (`quotes`): the digest of the text that the line was quoted from. A line is left out once its
note or episode is gone or has another text, once a later note or a person's word replaced what it says, and a line about something that a session
left open once a later session ended. A page that a person wrote or edited is theirs, and shown as it is.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import REFUTED
from memorybank.cycle.know.search import IS_SEEN
from memorybank.cycle.recall import shown
from memorybank.episodes import list_file
from memorybank.errors import MemorybankError
from memorybank.index import queries
from memorybank.index.decision_rows import in_text
from memorybank.notes import frontmatter
from memorybank.storage.answering import answer
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memorybank.cycle.recall.candidates import Sources
    from memorybank.index.decision_rows import SupersededStatement
    from memorybank.resident import Resident
    from memorybank.storage.layout import Layout

UNKNOWN = "0"
"""The mark of a line whose source has no text of its own."""
BY_AGENT = {"en": "written by an agent", "ja": "エージェントが作成"}
"""{language: what a line says after the key of a note that an agent wrote}."""
EPISODE, SESSION = "episode ", "session "
"""How the source of a line begins if it is not a note."""
MAX_NOTE_BYTES = 1 << 20
_ITEM = "- "
_DIGITS = 8
_BEGINNING = 32
"""Number of characters by which a statement is recognised that the line cuts."""


def mark_of(text: str) -> str:
    """Return the mark of a text that a line is quoted from. What is in front matter does not count: rating a note does not change what it says."""
    block = frontmatter.find_block(text)
    body = text[block.after :] if isinstance(block, frontmatter.FrontMatterBlock) else text
    return sha256(" ".join(body.split()).encode("utf-8", "replace")).hex()[:_DIGITS]


class DraftedPage:
    """The lines of a drafted page as they hold at an instant.

    superseded: returns what later notes replaced of the note with a row number.
    taken_back: sentences of people that they took back later.
    """

    def __init__(
        self, layout: Layout, sources: Sources, superseded: Callable[[int], Sequence[SupersededStatement]], taken_back: Sequence[SupersededStatement]
    ) -> None:
        self._layout = layout
        self._sources = sources
        self._superseded = superseded
        self._taken_back = taken_back
        self._refuted: list[str] | None = None
        self._days: dict[str, str] | None = None

    def standing(self, found: Resident) -> tuple[str, list[str]]:
        """Return (the body without the lines that no longer hold, these lines). "" if no line is left."""
        if not found.is_drafted:
            return found.body, []
        lines = [line for line in found.body.split("\n") if line.startswith(_ITEM)]
        marks = found.quotes.split()
        if len(marks) != len(lines):
            marks = [UNKNOWN] * len(lines)
        gone = [line for line, mark in zip(lines, marks, strict=True) if not self._holds(line, mark, found.updated_at or 0)]
        return (_without(found.body, {*gone}) if len(gone) < len(lines) else "") if gone else found.body, gone

    def _holds(self, line: str, mark: str, since: int) -> bool:
        text, _, source = line[len(_ITEM) :].removesuffix("]").rpartition(" [")
        source = source.removesuffix(f"; {BY_AGENT['en']}").removesuffix(f"、{BY_AGENT['ja']}")
        if source.startswith(SESSION):
            return not self._has_ended_since(since) and not self.is_withdrawn(text)
        if source.startswith(EPISODE):
            return mark in (UNKNOWN, self._day(source.removeprefix(EPISODE))) and not self.is_withdrawn(text)
        return self._says(source, mark) and not self._is_replaced(source, text)

    def _says(self, key: str, mark: str) -> bool:
        """Return whether a note exists and has the text that the line was quoted from."""
        try:
            data = shown.data_of(self._layout, key, MAX_NOTE_BYTES)
        except (MemorybankError, OSError):
            return False
        return mark in (UNKNOWN, mark_of(data.decode("utf-8", "replace").removeprefix("\ufeff")))

    def _is_replaced(self, key: str, text: str) -> bool:
        number = answer(self._sources.index, None, lambda index: queries.id_of(index, key))
        return number is not None and any(each.is_entire or _repeats(text, each.text) for each in self._superseded(number))

    def is_withdrawn(self, text: str) -> bool:
        """Return whether a line repeats what a person took back, replaced or refuted."""
        if any(_repeats(text, each.text) for each in self._taken_back):
            return True
        if self._refuted is None:
            asked = f"SELECT text FROM passages WHERE kind = '{REFUTED}' AND {IS_SEEN}"
            self._refuted = answer(self._sources.cycle, [], lambda cycle: [row[0] for row in cycle.execute(asked)])
        return any(_repeats(text, refuted) for refuted in self._refuted)

    def _day(self, date: str) -> str:
        """Return the mark of an episode as the list has it; "" for one that it does not have, such as a day that was merged into its week."""
        if self._days is None:
            try:
                self._days = {entry.date: mark_of(entry.summary) for entry in list_file.read(self._layout).entries}
            except MemorybankError:
                self._days = {}
        return self._days.get(date, "")

    def _has_ended_since(self, instant: int) -> bool:
        """Return whether a session with an event after an instant (ms) ended: what was open may be done."""
        asked = "SELECT 1 FROM summaries WHERE last_at > ? LIMIT 1"
        return bool(answer(self._sources.cycle, None, lambda cycle: cycle.execute(asked, (instant,)).fetchone()))


def _repeats(text: str, statement: str) -> bool:
    return statement[:_BEGINNING] in text or bool(in_text(text, statement))


def _without(body: str, gone: set[str]) -> str:
    """Return a body without these lines, and without the headings that nothing follows."""
    parts: list[str] = []
    for part in body.split("\n\n"):
        kept = "\n".join(line for line in part.split("\n") if line not in gone)
        if not kept:
            parts.pop()  # the heading of the list
            continue
        parts.append(kept)
    return "\n\n".join(parts)
