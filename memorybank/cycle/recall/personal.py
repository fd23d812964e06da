"""What the person's own bank adds to the memories of a repository: its rules at the start of a session, and the notes that match a prompt.

The repository comes first: personal memories only use what its own leave of the budgets, and never repeat a text that it shows itself (ADR 0084).
"""

from __future__ import annotations

__light__ = True

from memorybank.config import personal_bank
from memorybank.cycle.base import CycleContext
from memorybank.cycle.recall import candidates, ranking
from memorybank.cycle.recall.candidates import Sources
from memorybank.cycle.recall.reading import Reading
from memorybank.index import queries
from memorybank.index.schema import VERSION
from memorybank.injection import InjectedMemory, InjectionSection, one_line, utf16
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.storage import system as os
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.storage.layout import Layout

PREFIX = "personal:"
"""Precedes the key of a personal note in the id of its memory."""
RULE_TAGS = ("rule", "rules", "Rule", "Rules", "ルール", "規則")
"""A note of the personal bank with one of these tags is a rule: every session starts with it."""
HEADING = "## Personal rules"
INTRO = "The user's own rules for every repository; those of this repository come first."
BEYOND_BUDGET = Reason("recall.beyond_personal_budget")
_MOST_RULES = 20
_RULE_CHARACTERS = 300
_NOT_SAID = " .。!！\n"
"""A sentence is the same with or without these at its end."""


class PersonalReading(Reading):
    """The view of the same event on the personal bank: its index, its trust and its ids, for the same reader under the settings of the repository."""

    def __init__(self, reading: Reading, layout: Layout) -> None:
        self.base = CycleContext(layout, reading.base.settings, reading.base.clock, reading.base.started)
        self.now, self.tail, self.context, self.query, self.reader = reading.now, reading.tail, reading.context, reading.query, reading.reader
        self.sources = Sources(database.open_reading(layout.database, VERSION), None)
        self.rejected = {}
        self.wrong = reading.wrong
        self._alike = {}
        self._items = {}
        self._anchors = {}
        self._supersessions = {}
        self._repository = reading.sources.index

    def item(self, recollection: Recollection, characters: int | None = None) -> InjectedMemory | None:
        """Return what is printed of a personal memory, labelled as personal; None when its note no longer exists."""
        found = super().item(recollection, characters)
        if found is None or found.source.startswith(ranking.PERSONAL):
            return found
        labelled = InjectedMemory(found.memory, found.text, f"{ranking.PERSONAL} {found.source}", found.at, found.why, found.origin)
        self._items[found.memory] = labelled
        return labelled

    def rules(self) -> list[Recollection]:
        """Return the rules, the most important first, those that may not be shown with the reason."""
        index = self.sources.index
        if index is None or not self.base.gate.is_open:
            return []
        candidates.register(index, self.reader)
        try:
            found = [_personal(candidates.read_note(row)) for row in queries.seen_with_tags(index, RULE_TAGS, _MOST_RULES)]
            return [self._judged(self.recollect(memory)) for memory in found]
        except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits
            return []

    def matching(self) -> tuple[list[Recollection], list[Recollection]]:
        """Return (the notes that match the question, best first; those that came near, each with the reason why it is not shown)."""
        if self.sources.index is None or not self.base.gate.is_open:
            return [], []
        found = candidates.find_in_second(self.sources.index, self.query, self.reader)
        earned, near = ranking.rank(map(_personal, found), self.query, self.reader)
        for one in earned:
            self._judged(one)
        return [one for one in earned if one.why is None], [*(one for one in earned if one.why is not None), *near]

    def section(self, rules: Sequence[Recollection], given: set[str], here: str, left: Allowance) -> tuple[InjectionSection | None, list[Recollection]]:
        """Return (the section of the rules at the start of a session, the rules in it). A rule that is left out gets its reason.

        given: ids of the memories that the context already has.
        here: everything that the repository shows at this start.
        left: the allowance of the session; what is shown is subtracted from it.
        """
        rest = self.base.settings.budgets.personal - utf16(INTRO)
        said = _folded(here)
        listed: dict[str, str] = {}
        kept = []
        for one in rules:
            line = self._line(one)
            size = utf16(line) + 1
            fits = size <= left.units(rest)
            is_given = one.memory.memory in given
            one.why = (
                ranking.ALREADY_SHOWN
                if is_given
                else one.why or (ranking.SAID_HERE if _says(said, one.memory.text) else None if fits and line else BEYOND_BUDGET)
            )
            if one.why is None:
                rest -= size
                left.spend(size)
                listed[one.memory.memory] = line
                kept.append(one)
        if not kept:
            return None, []
        left.spend(utf16(INTRO))
        body = "\n".join(listed.values())
        sizes = {memory: utf16(line) + 1 for memory, line in listed.items()}
        return InjectionSection(HEADING, utf16(HEADING) + utf16(INTRO) + utf16(body) + 8, body=body, intro=INTRO, sizes=sizes), kept

    def _judged(self, one: Recollection) -> Recollection:
        """Set the reason why a memory may not be shown: its own, or that the repository has the very same note."""
        one.why = self.suppressed(one.memory) or (ranking.SAID_HERE if self._is_in_repository(one.memory) else None)
        return one

    def _is_in_repository(self, memory: Memory) -> bool:
        """Return whether the repository has a note with the same bytes, such as the one that it was copied from. A rule is shown all the same, because the
        repository shows no note at the start of a session.
        """
        if self._repository is None or self.sources.index is None or self.query.moment not in candidates.EPISODE_MOMENTS:
            return False
        try:
            return queries.has_digest(self._repository, queries.digest_of(self.sources.index, memory.number))
        except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits
            return False

    def _line(self, one: Recollection) -> str:
        """Return the line of a rule, "" when its note no longer exists. The title of a note with one sentence is its beginning, which is not repeated."""
        item = self.item(one, _RULE_CHARACTERS)
        if item is None:
            return ""
        title = one.memory.text
        beginning, _, rest = item.text.partition(f"{title.rstrip('.。:：')}: ")
        return f"- {one_line(rest if not beginning and rest.startswith(title.rstrip('….。')) else item.text)}"


def beside(reading: Reading) -> PersonalReading | None:
    """Return the view of an event on the personal bank; None when there is none or when it is not read here."""
    if not reading.base.settings.budgets.personal:
        return None
    layout = personal_bank.beside(reading.base.layout, os.environ)
    return PersonalReading(reading, layout) if layout is not None else None


def is_said_by(texts: Iterable[str], text: str) -> bool:
    """Return whether one of the texts that are shown already says the same as a personal one."""
    wanted = _folded(text)
    return any(wanted in said or said in wanted for said in map(_folded, texts))


def _personal(memory: Memory) -> Memory:
    memory.memory = f"{PREFIX}{memory.key}"
    return memory


def _says(said: str, sentence: str) -> bool:
    return bool(said) and _folded(sentence).rstrip("…") in said


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_NOT_SAID)
