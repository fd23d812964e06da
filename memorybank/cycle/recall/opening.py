"""The memories at the start of a session: the resident summary, the episodes of the previous days with the last sessions, the recurring problems, the usual
commands and the rules in force.

Resident summary ticket (once a session, its wording, the same text after a host's compact); Self-improving memory cycle, phase 3
("初期ブースト取得（前回セッション要約）").
"""

from __future__ import annotations

__light__ = True

from memorybank import clock, resident
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.fold.kinds import COMMANDS, PROBLEM, RULE
from memorybank.cycle.recall import earlier_days, knowledge
from memorybank.cycle.recall.earlier_days import source_of
from memorybank.cycle.recall.ranking import ALREADY_SHOWN, INSTRUCTS
from memorybank.cycle.recall.told_days import ToldDays
from memorybank.episodes import fitting
from memorybank.errors import MemorybankError
from memorybank.injection import InjectionSection, estimate_tokens, one_line, remaining_budget, utf16
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.storage.answering import answer
from memorybank.storage.sqlite import sqlite3
from memorybank.text.prompts.withheld import without_permissions
from memorybank.text.untrusted.against import is_against_people

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.another import OtherReading
    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.cycle.recall.reading import Reading
    from memorybank.episodes.window import EpisodeSelection
    from memorybank.injection import Injection

HEADING = "## Known here"
BEYOND_BUDGET = Reason("recall.beyond_budget")
_KEPT_FOR = 60 * clock.DAY
_PROBLEMS, _RULES, _COMMANDS, _STANDING = 320, 310, 120, 540
"""UTF-16 units of problems, of rules, of the usual commands, and of all together. Agents read them at every start, so they must be short."""
COMPACT, RESUME = "compact", "resume"


class Opening:
    """What the start of one session could show: the resident summary, problems and rules (with a reason where they are left out however large the budget is),
    the earlier days, and the rules of other banks."""

    def __init__(self, reading: Reading, body: str, standing: list[Recollection], days: EpisodeSelection | None, others: Sequence[OtherReading] = ()) -> None:
        self.ruling = [(other, other.rules()) for other in others]
        self.reading = reading
        self.body = body
        self.standing = standing
        self.days = days
        self.told = ToldDays(reading.sources.cycle)

    def __bool__(self) -> bool:
        return bool(self.body or self.standing or self.days or any(rules for _, rules in self.ruling))

    def sections(self, given: set[str], left: Allowance) -> tuple[list[InjectionSection], list[Recollection], list[Recollection]]:
        """Return (sections in order, the memories in them, those left out with their reasons), within the budgets and the allowance of the session, from
        which what is shown is subtracted. given: ids of the memories that the context already has"""
        base = self.reading.base
        found = []
        if self.body:
            found.append(resident.section(self.body, base.layout.relative(resident.path_of(base.layout)), base.settings.budgets.resident))
        earlier = self._earlier_days(given, left, remaining_budget(found, base.settings.budgets.session_start))
        found += [earlier] if earlier is not None else []
        kept: list[Recollection] = []
        left_out: list[Recollection] = []
        listed: dict[str, str] = {}
        rest = {PROBLEM: _PROBLEMS, COMMANDS: _COMMANDS, RULE: _RULES}
        both = _STANDING
        is_crowded = False
        # Looking at all lines at once takes a tenth of the time, and nearly always none is against people.
        may_instruct = is_against_people("\n".join(_line(one.memory) for one in self.standing))
        for one in self.standing:
            # A line that does not fit is skipped, and shorter lines after it may still fit.
            line = _line(one.memory)
            size = utf16(line) + 1
            fits = size <= min(rest[one.memory.kind], left.units(both)) and not (is_crowded and one.memory.made_by)
            one.why = self._reason_against(one, given) or (INSTRUCTS if may_instruct and is_against_people(line) else None if fits else BEYOND_BUDGET)
            # A model's short rule does not take the place of a person's longer one.
            is_crowded = is_crowded or one.why == BEYOND_BUDGET
            if one.why is not None:
                left_out.append(one)
                continue
            rest[one.memory.kind] -= size
            both -= size
            left.spend(size)
            listed[one.memory.memory] = line
            kept.append(one)
        if listed:
            body = "\n".join(listed.values())
            found.append(InjectionSection(HEADING, utf16(body) + 40, body=body, sizes={memory: utf16(line) + 1 for memory, line in listed.items()}))
        for other, rules in self.ruling:
            last, ruling = other.section(rules, given, "\n".join(section.body for section in found), left)
            found += [last] if last is not None else []
            kept += ruling
            left_out += [one for one in rules if one not in ruling]
        return found, kept, left_out

    def _reason_against(self, one: Recollection, given: set[str]) -> Reason | None:
        """Return why a memory is not shown however large the budget is; None when it may be shown."""
        return ALREADY_SHOWN if one.memory.memory in given else self.reading.suppressed(one.memory) or one.why

    def _earlier_days(self, given: set[str], left: Allowance, budget: int) -> InjectionSection | None:
        """Return the section of the episodes, without the sessions that the context was already shown."""
        if self.days is None:
            return None
        sessions = {source_of(memory.partition(":")[2]) for memory in given if memory.startswith(f"{schema.SESSION}:")}
        task = self.reading.context.past.task
        units = left.units(min(self.reading.base.settings.budgets.episodes, budget))
        block = fitting.block(self.days, given, sessions, units, task, self.told)
        if block is not None and is_against_people(block.text):
            self.days = earlier_days.to_show(self.reading, only_quotable=True)
            block = fitting.block(self.days, given, sessions, units, task, self.told) if self.days is not None else None
        if block is None:
            return None
        left.spend(sum(block.sizes.values()))
        return InjectionSection(fitting.HEADING, utf16(block.text) + 2, body=block.body, intro=fitting.SENTENCE, sizes=block.sizes)

    def resident_in(self, injection: Injection) -> tuple[str, int]:
        """Return (digest, tokens) of the resident summary in an injection; ('', 0) when it is not included."""
        if resident.MEMORY not in injection.sizes:
            return "", 0
        return resident.digest_of(self.body), estimate_tokens(self.body)

    def keep(self, shown: str) -> None:
        """Store the body that this session was shown, so that a compact can show the same text again, and what was computed of days. A cache that is busy or
        not writable stores nothing.

        shown: digest of that body; "" if it was not shown.
        """
        kept = [(key, "", body) for key, body in self.told.new()]
        kept += [(self.reading.context.session, shown, self.body)] if shown else []
        if not kept:
            return
        now = self.reading.now
        try:
            connection = cache.writable(self.reading.base.layout)
            with database.transaction(connection):
                connection.execute("DELETE FROM renderings WHERE at < ?", (now - _KEPT_FOR,))
                connection.executemany("INSERT OR REPLACE INTO renderings VALUES (?, ?, ?, ?)", [(key, digest, now, body) for key, digest, body in kept])
        except (MemorybankError, sqlite3.Error):
            return


def of_session(base: CycleContext, event: Event, reading: Reading, others: Sequence[OtherReading] = ()) -> Opening:
    """Return what the start of this session could show. others: the other banks that are read here."""

    def standing(cycle: Connection) -> list[Recollection]:
        return [reading.recollect(memory, why) for memory, why in knowledge.Knowledge(reading, event, cycle).at_start()]

    return Opening(reading, _body(base, event, reading), answer(reading.sources.cycle, [], standing), earlier_days.to_show(reading), others)


def _line(memory: Memory) -> str:
    source = f" [{one_line(memory.source)}]" if memory.source else ""
    return f"- {one_line(memory.text)}{source}"


def _body(base: CycleContext, event: Event, reading: Reading) -> str:
    """Return the resident summary to inject: read again at a start, the stored text after a compact, and at a resume only when it changed. "" for one that
    tries to instruct agents: a person has to read it first (`doctor` names it).
    """
    if resident.why_off(base.settings) or not base.gate.admits(base.layout, resident.FILE):
        return ""
    kept = _kept(reading) if event.source in (COMPACT, RESUME) else None
    if event.source == COMPACT and kept is not None:
        return kept[1]
    found = resident.collect(base.layout)
    body = without_permissions(reading.drafted_page().standing(found)[0]) if found.is_drafted else found.body
    if event.source == RESUME and body and resident.digest_of(body) in (reading.context.resident, kept[0] if kept else None):
        return ""
    return "" if is_against_people(body) else body


def _kept(reading: Reading) -> tuple[str, str] | None:
    connection = reading.sources.cycle
    if connection is None:
        return None
    row = connection.execute("SELECT digest, body FROM renderings WHERE session = ?", (reading.context.session,)).fetchone()
    return (str(row[0]), str(row[1])) if row is not None else None
