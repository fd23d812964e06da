"""What another bank adds to the memories of a repository: its rules at the start of a session, and the notes that match a prompt. The other bank is the
person's own one (ADR 0084), or the local copy of what a team shares (ADR 0089).

The repository comes first: other banks only use what its own memories leave of the budgets, and never repeat a text that it shows itself.
"""

from __future__ import annotations

__light__ = True

from memorybank.config import personal_bank, team_folder
from memorybank.cycle.base import CycleContext
from memorybank.cycle.recall import candidates, ranking, shown
from memorybank.cycle.recall.reading import Reading
from memorybank.index import queries
from memorybank.injection import InjectedMemory, InjectionSection, one_line, utf16
from memorybank.reasons.reason import Reason
from memorybank.storage import system as os
from memorybank.storage.answering import answer
from memorybank.text.untrusted.against import is_against_people
from memorybank.trust import gate as gates
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.storage.layout import Layout

PREFIX = f"{ranking.PERSONAL}:"
"""Precedes the key of a personal note in the id of its memory."""
BEYOND_BUDGET = Reason("recall.beyond_personal_budget")
_MOST_RULES = 20
_RULE_CHARACTERS = 300
_ITEM = "- "


class OtherBank(Value):
    """How sessions are shown the memories of another bank.

    name: precedes the key of a note in the id of its memory, and names the budget of its rules in `budgets`
    heading, intro: of the section of its rules
    beyond: the reason for a rule that exceeds the budget
    is_shared: whether others wrote it; the person decided about it when they connected the repository, so no gate asks again
    """

    name: str
    heading: str
    intro: str
    beyond: Reason
    is_shared: bool = False

    @property
    def prefix(self) -> str:
        return f"{self.name}:"

    def source(self, found: str) -> str:
        """Return the source of one of its notes as an agent reads it.

        found: the source within the bank: `note KEY`
        """
        if not self.is_shared:
            return f"{self.name} {found}"
        part, _, rest = found.removeprefix("note ").partition("/")
        origin, _, path = rest.partition("/")
        return f"{part}: {path}, shared by {origin}"


PERSONAL_BANK = OtherBank(
    ranking.PERSONAL, "## Personal rules", "The user's own rules for every repository; those of this repository come first.", BEYOND_BUDGET
)
TEAM_COPY = OtherBank(
    ranking.TEAM,
    "## Rules of the organisation",
    "Rules that the user's organisation shares with all its repositories; the user, this repository and the user's own rules come first.",
    Reason("recall.beyond_team_budget"),
    is_shared=True,
)


class OtherReading(Reading):
    """The view of the same event on another bank: its index, its trust and its ids, for the same reader under the settings of the repository."""

    def __init__(self, reading: Reading, layout: Layout, bank: OtherBank) -> None:
        self.bank = bank
        gate = gates.OPEN if bank.is_shared else None
        self.base = CycleContext(layout, reading.base.settings, reading.base.clock, reading.base.started, gate=gate)
        self.now, self.tail, self.context, self.query, self.reader = reading.now, reading.tail, reading.context, reading.query, reading.reader
        self.sources = candidates.open_notes(layout)
        self.rejected = {}
        self.wrong = reading.wrong
        self._items = {}
        self._texts = {}
        self._anchors = {}
        self._supersessions = {}
        self._taken_back = []  # a permission in this repository takes nothing back of what holds in all of them
        self._repository = reading.sources.index

    def item(self, recollection: Recollection, characters: int | None = None) -> InjectedMemory | None:
        """Return what is printed of a memory, labelled with its bank; None when its note no longer exists."""
        is_known = recollection.memory.memory in self._items
        found = super().item(recollection, characters)
        if found is None or is_known:
            return found
        labelled = InjectedMemory(found.memory, found.text, self.bank.source(found.source), found.at, found.why, found.origin)
        self._items[found.memory] = labelled
        return labelled

    def rules(self) -> list[Recollection]:
        """Return the rules, the most important first, those that may not be shown with the reason."""

        def ruling(index: Connection) -> list[Recollection]:
            if not self.base.gate.is_open:
                return []
            candidates.register(index, self.reader)
            rows = queries.seen_with_tags(index, personal_bank.RULE_TAGS, _MOST_RULES)
            return [self._judged(self.recollect(self._named(candidates.read_note(row)))) for row in rows]

        return answer(self.sources.index, [], ruling)

    def matching(self) -> tuple[list[Recollection], list[Recollection]]:
        """Return (the notes that match the question, best first; those that came near, each with the reason why it is not shown)."""
        if self.sources.index is None or not self.base.gate.is_open:
            return [], []
        found = candidates.find_in_second(self.sources.index, self.query, self.reader)
        earned, near = ranking.rank(map(self._named, found), self.query, self.reader)
        for one in earned:
            self._judged(one)
        return [one for one in earned if one.why is None], [*(one for one in earned if one.why is not None), *near]

    def section(self, rules: Sequence[Recollection], given: set[str], here: str, left: Allowance) -> tuple[InjectionSection | None, list[Recollection]]:
        """Return (the section of the rules at the start of a session, the rules in it). A rule that is left out gets its reason.

        given: ids of the memories that the context already has.
        here: everything that the repository shows at this start.
        left: the allowance of the session; what is shown is subtracted from it.
        """
        intro, heading = self.bank.intro, self.bank.heading
        rest = getattr(self.base.settings.budgets, self.bank.name) - utf16(intro)
        said = shown.bare(here)
        listed: dict[str, str] = {}
        kept = []
        for one in rules:
            line = self._line(one)
            size = utf16(line) + 1
            fits = size <= left.units(rest)
            if one.memory.memory in given:
                one.why = ranking.ALREADY_SHOWN
            elif one.why is None and not line:
                one.why = shown.why_nothing(one.memory, self.base)
            elif one.why is None and is_against_people(line):
                one.why = ranking.INSTRUCTS
            elif one.why is None and shown.bare(line.removeprefix(_ITEM)) in said:
                one.why = ranking.SAID_HERE
            elif one.why is None and not fits:
                one.why = self.bank.beyond
            if one.why is None:
                rest -= size
                left.spend(size)
                listed[one.memory.memory] = line
                kept.append(one)
        if not kept:
            return None, []
        left.spend(utf16(intro))
        body = "\n".join(listed.values())
        sizes = {memory: utf16(line) + 1 for memory, line in listed.items()}
        return InjectionSection(heading, utf16(heading) + utf16(intro) + utf16(body) + 8, body=body, intro=intro, sizes=sizes), kept

    def _named(self, memory: Memory) -> Memory:
        """Return the memory with the id that it has in sessions of the repository."""
        memory.memory = f"{self.bank.prefix}{memory.key}"
        return memory

    def _judged(self, one: Recollection) -> Recollection:
        """Set the reason why a memory may not be shown: its own, or that the repository has the very same note."""
        one.why = self.suppressed(one.memory) or (ranking.SAID_HERE if self._is_in_repository(one.memory) else None)
        return one

    def _is_in_repository(self, memory: Memory) -> bool:
        """Return whether the repository has a note with the same bytes, such as the one that it was copied from. A rule is shown all the same, because the
        repository shows no note at the start of a session.
        """
        own = self.sources.index
        if own is None or self.query.moment not in candidates.WORDED:
            return False
        return answer(self._repository, False, lambda repository: queries.has_digest(repository, queries.digest_of(own, memory.number)))

    def _line(self, one: Recollection) -> str:
        """Return the line of a rule, "" when its note no longer exists. The title of a note with one sentence is its beginning, which is not repeated."""
        item = self.item(one, _RULE_CHARACTERS)
        if item is None:
            return ""
        title = one.memory.text
        beginning, _, rest = item.text.partition(f"{title.rstrip('.。:：')}: ")
        return f"{_ITEM}{one_line(rest if not beginning and rest.startswith(title.rstrip('….。')) else item.text)}"


def beside(reading: Reading) -> list[OtherReading]:
    """Return the views of an event on the other banks that are read here, in the order in which they are shown."""
    base = reading.base
    own = personal_bank.beside(base.layout, os.environ) if base.settings.budgets.personal else None
    copy = team_folder.copy_of(base.layout, os.environ) if base.settings.budgets.team else None
    return [OtherReading(reading, layout, bank) for layout, bank in ((own, PERSONAL_BANK), (copy, TEAM_COPY)) if layout is not None]
