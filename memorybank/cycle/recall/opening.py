"""The memories at the start of a session: the resident summary, the episodes of the previous days, the results of the last sessions, the recurring
problems and the rules in force.

Resident summary ticket (once a session, its wording, the same text after a host's compact); Self-improving memory cycle, phase 3
("初期ブースト取得（前回セッション要約）").
"""

from __future__ import annotations

__light__ = True

from memorybank import clock, resident
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.fold.recorded import PUBLIC, USER
from memorybank.cycle.recall import earlier_days, knowledge
from memorybank.cycle.recall.earlier_days import source_of
from memorybank.cycle.recall.ranking import ALREADY_SHOWN, SESSION
from memorybank.episodes import fitting, window
from memorybank.errors import MemorybankError
from memorybank.injection import InjectionSection, estimate_tokens, one_line, remaining_budget, utf16
from memorybank.reasons.reason import Reason
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.cycle.recall.reading import Reading
    from memorybank.episodes.window import EpisodeSelection
    from memorybank.injection import Injection

HEADING = "## Known here"
BEYOND_BUDGET = Reason("recall.beyond_budget")
_KEPT_FOR = 60 * clock.DAY
_STANDING = 600
"""UTF-16 units of problems and rules together. Agents read them at every start, so they must be short."""
COMPACT, RESUME = "compact", "resume"


class Opening:
    """What the start of one session could show.

    body: text of the resident summary; '' when it is not injected.
    works: the results of the last sessions.
    standing: problems and rules.
    days: the earlier days; None when there are none.
    """

    def __init__(self, reading: Reading, body: str, works: list[Recollection], standing: list[Recollection], days: EpisodeSelection | None) -> None:
        self.reading = reading
        self.body = body
        self.works = works
        self.standing = standing
        self.days = days

    def __bool__(self) -> bool:
        return bool(self.body or self.works or self.standing or self.days)

    def sections(self, given: set[str], left: Allowance) -> tuple[list[InjectionSection], list[Recollection], list[Recollection]]:
        """Return (sections in order, the memories in them, those left out with their reasons), within the budgets and the allowance of the session.

        given: ids of the memories that the context already has.
        left: the allowance; what is shown is subtracted from it.
        """
        base = self.reading.base
        found = []
        if self.body:
            found.append(resident.section(self.body, base.layout.relative(resident.path_of(base.layout)), base.settings.budgets.resident))
        earlier = self._earlier_days(given, left, remaining_budget(found, base.settings.budgets.session_start))
        found += [earlier] if earlier is not None else []
        covered = self._covered_by(earlier)
        kept: list[Recollection] = []
        left_out: list[Recollection] = []
        listed: dict[str, str] = {}
        for recollections, budget in ((self.standing, _STANDING), (self.works, base.settings.budgets.last_session)):
            is_crowded = False
            for one in recollections:
                # A line that does not fit is skipped, and shorter lines after it may still fit.
                line = _line(one.memory)
                size = utf16(line) + 1
                fits = size <= min(budget, left.units(budget)) and not (is_crowded and one.memory.made_by)
                one.why = self._reason_against(one.memory, given, covered) or (None if fits else BEYOND_BUDGET)
                # A model's short rule does not take the place of a person's longer one.
                is_crowded = is_crowded or one.why == BEYOND_BUDGET
                if one.why is not None:
                    left_out.append(one)
                    continue
                budget -= size
                left.spend(size)
                listed[one.memory.memory] = line
                kept.append(one)
        if listed:
            body = "\n".join(listed.values())
            found.append(InjectionSection(HEADING, utf16(body) + 40, body=body, sizes={memory: utf16(line) + 1 for memory, line in listed.items()}))
        return found, kept, left_out

    def _reason_against(self, memory: Memory, given: set[str], covered: Collection[str]) -> Reason | None:
        """Why a memory is not shown however large the budget is; None when it may be shown."""
        if memory.memory in given:
            return ALREADY_SHOWN
        if memory.kind == SESSION and _is_covered(memory, covered):
            return Reason("recall.in_episodes")
        return self.reading.suppressed(memory)

    def _earlier_days(self, given: set[str], left: Allowance, budget: int) -> InjectionSection | None:
        """The section of the episodes, without the sessions that the context was already shown."""
        if self.days is None:
            return None
        sessions = {source_of(memory.partition(":")[2]) for memory in given if memory.startswith(f"{schema.SESSION}:")}
        block = fitting.block(self.days, given, sessions, left.units(min(self.reading.base.settings.budgets.episodes, budget)))
        if block is None:
            return None
        left.spend(sum(block.sizes.values()))
        return InjectionSection(fitting.HEADING, utf16(block.text) + 2, body=block.body, intro=fitting.SENTENCE, sizes=block.sizes)

    def _covered_by(self, section: InjectionSection | None) -> set[str]:
        """The sources that the section of the episodes covers."""
        return window.sources_in(self.days, section.sizes) if section is not None and self.days is not None else set()

    def resident_in(self, injection: Injection) -> tuple[str, int]:
        """Return (digest, tokens) of the resident summary in an injection; ('', 0) when it is not included."""
        if resident.MEMORY not in injection.sizes:
            return "", 0
        return resident.digest_of(self.body), estimate_tokens(self.body)

    def keep(self) -> None:
        """Store the body that this session was shown, so that a compact can show the same text again.

        When the cache is busy or not writable, nothing is stored, and a compact reads the file again.
        """
        base = self.reading.base
        try:
            connection = cache.writable(base.layout)
            connection.execute("DELETE FROM renderings WHERE at < ?", (self.reading.now - _KEPT_FOR,))
            connection.execute(
                "INSERT OR REPLACE INTO renderings VALUES (?, ?, ?, ?)",
                (self.reading.context.session, resident.digest_of(self.body), self.reading.now, self.body),
            )
        except (MemorybankError, sqlite3.Error):
            return


def of_session(base: CycleContext, event: Event, reading: Reading) -> Opening:
    """Return what the start of this session could show."""
    works: list[Recollection] = []
    standing: list[Recollection] = []
    if reading.sources.cycle is not None:
        try:
            known = knowledge.Knowledge(reading, event, reading.sources.cycle)
            works = [] if event.source == COMPACT else [reading.recollect(memory) for memory in known.works()]
            standing = [reading.recollect(memory) for memory in known.at_start()]
        except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits
            works, standing = [], []
    return Opening(reading, _body(base, event, reading), works, standing, earlier_days.to_show(reading))


def _line(memory: Memory) -> str:
    source = f" [{one_line(memory.source)}]" if memory.source else ""
    return f"- {one_line(memory.text)}{source}"


def _body(base: CycleContext, event: Event, reading: Reading) -> str:
    """The resident summary to inject: read again at a start, the stored text after a compact, and at a resume only when it changed."""
    if resident.why_off(base.settings) or not base.gate.admits(base.layout, resident.FILE):
        return ""
    kept = _kept(reading) if event.source in (COMPACT, RESUME) else None
    if event.source == COMPACT and kept is not None:
        return kept[1]
    found = resident.collect(base.layout)
    if event.source == RESUME and found.digest in (reading.context.resident, kept[0] if kept else None):
        return ""
    return found.body


def _kept(reading: Reading) -> tuple[str, str] | None:
    connection = reading.sources.cycle
    if connection is None:
        return None
    row = connection.execute("SELECT digest, body FROM renderings WHERE session = ?", (reading.context.session,)).fetchone()
    return (str(row[0]), str(row[1])) if row is not None else None


def _is_covered(memory: Memory, covered: Collection[str]) -> bool:
    """Whether the shown episodes already cover the public result of a session.

    covered: the sources that they cover.
    """
    is_public = memory.acl in (None, USER) and memory.privacy in (None, PUBLIC)
    return is_public and source_of(memory.memory.partition(":")[2]) in covered
