"""What only the start of a session gets: the resident summary, the episodes of the days before, the session before, and what failed and was
not fixed.

Resident summary ticket (once a session, its wording, the same text after a host's compact); Self-improving memory cycle, phase 3
("初期ブースト取得（前回セッション要約）"). Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank import resident
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.recall import candidates, episodic, ranking, repeats
from memorybank.errors import MemorybankError
from memorybank.injection import Section, estimate_tokens, room_beside
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.allowance import Allowance
    from memorybank.cycle.recall.episodic import Episodic
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.cycle.recall.reading import Reading
    from memorybank.injection import Injection, Item

HEADING = "## Last session and open failures"
_DAY = 86_400_000
_FAILED_WITHIN = 7 * _DAY
_SESSION_WITHIN = 30 * _DAY
_KEPT_FOR = 60 * _DAY
_MOST_FAILURES = 5
_LOOKED_AT = 20
_SESSION_CHARACTERS = 1_200
_FAILURE_CHARACTERS = 220
COMPACT, RESUME = "compact", "resume"


class Opening:
    """body: of the resident summary to inject, '' when there is none; episodic: what could be told of earlier days; recollections: the last
    session, then open failures; left_out: of them, what proved not to be worth its tokens; told: after `sections` the sources and days
    that the episodes tell."""

    def __init__(self, reading: Reading, body: str, recollections: list[Recollection], episodic: Episodic | None) -> None:
        self.reading = reading
        self.body = body
        self.left_out = [one for one in recollections if reading.is_left_out(one.memory)]
        self.recollections = [one for one in recollections if one not in self.left_out]
        self.episodic = episodic
        self.told: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.body or self.recollections or self.left_out or self.episodic)

    def sections(self, given: set[str], left: Allowance) -> tuple[list[Section], list[Recollection]]:
        """(sections in order, the memories of the last one), of those that the session's tokens allow."""
        base = self.reading.base
        found = []
        if self.body:
            found.append(resident.section(self.body, base.layout.relative(resident.path_of(base.layout)), base.settings.budgets.resident))
        earlier = self._earlier_days(given, left, room_beside(found, base.settings.budgets.session_start))
        found += [earlier] if earlier is not None else []
        kept: list[Recollection] = []
        items: list[Item] = []
        for recollection in self.recollections:
            if recollection.memory.memory not in given and not self.is_told(recollection.memory):
                item = self.reading.item(recollection, _SESSION_CHARACTERS if recollection.memory.kind == schema.SESSION else _FAILURE_CHARACTERS)
                if item is not None and not self._is_told(recollection, item, kept, items) and left.takes(item):
                    kept.append(recollection)
                    items.append(item)
        if items:
            found.append(Section(HEADING, base.settings.budgets.last_session, items=items, rest="'memorybank log list' names them"))
        return found, kept

    def is_told(self, memory: Memory) -> bool:
        """Whether the episodes that were put into the sections speak for it."""
        return episodic.is_told(memory, self.told)

    def _earlier_days(self, given: set[str], left: Allowance, room: int) -> Section | None:
        """The section of the episodes; afterwards `told` knows what need not be told beside it."""
        self.told = set()
        if self.episodic is None:
            return None
        last = next((one.memory for one in self.recollections if episodic.source_of(one.memory.memory) and one.memory.memory not in given), None)
        units = left.units(min(self.reading.base.settings.budgets.episodes, room))
        section, tells_last = self.episodic.section(given, (episodic.source_of(last.memory), last.at) if last is not None else None, units)
        self.told = self.episodic.told_by(section)
        if last is not None and not tells_last:
            self.told.discard(episodic.source_of(last.memory))
        if section is not None:
            left.pay(sum(section.told.values()))
        return section

    def _is_told(self, recollection: Recollection, item: Item, kept: list[Recollection], items: list[Item]) -> bool:
        """Whether the last session, which comes first, already says that this call failed."""
        last = kept[0].memory if kept else None
        return last is not None and last.kind == schema.SESSION and last.session == recollection.memory.session and repeats.is_told(item.text, items[0].text)

    def resident_in(self, injection: Injection) -> tuple[str, int]:
        """(digest, tokens) of the resident summary in an injection; ('', 0) when it is not in it."""
        if resident.MEMORY not in injection.sizes:
            return "", 0
        return resident.digest_of(self.body), estimate_tokens(self.body)

    def keep(self) -> None:
        """Remember the body as this session was given it. A cache that is busy or not writable: a compact reads the file again."""
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


def of_session(base: Base, event: Event, reading: Reading) -> Opening:
    """What the start of this session has to say, before anything else is recollected."""
    return Opening(reading, _body(base, event, reading), _recollections(reading), episodic.of_session(reading))


def _body(base: Base, event: Event, reading: Reading) -> str:
    """The resident summary to inject: read again at a start, the same text after a compact, at a resume only when it changed."""
    if resident.why_off(base.settings):
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


def _recollections(reading: Reading) -> list[Recollection]:
    connection = reading.sources.cycle
    if connection is None:
        return []
    columns = candidates.MEMORY_COLUMNS
    sessions = connection.execute(
        f"SELECT {columns} FROM memories WHERE kind = ? AND session <> ? AND last_at BETWEEN ? AND ? ORDER BY last_at DESC, memory LIMIT {_LOOKED_AT}",
        (schema.SESSION, reading.context.session, reading.now - _SESSION_WITHIN, reading.now),
    ).fetchall()
    failures = connection.execute(
        f"SELECT {columns} FROM memories m WHERE kind = ? AND status = 'failure' AND fixed_by IS NULL AND read_only = 0 AND last_at BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM memories s WHERE s.fingerprint = m.fingerprint AND s.successes > 0 AND s.last_at > m.last_at)"
        f" ORDER BY last_at DESC, memory LIMIT {_LOOKED_AT}",
        (schema.GROUP, reading.now - _FAILED_WITHIN, reading.now),
    ).fetchall()
    return [*_seen(reading, sessions)[:1], *_seen(reading, failures)[:_MOST_FAILURES]]


def _seen(reading: Reading, rows: list[tuple[object, ...]]) -> list[Recollection]:
    """The rows that this reader may see."""
    found = [memory for row in rows if (memory := candidates.memory_of(row, reading.query, reading.context)) is not None]
    return [reading.recollect(memory) for memory in found if ranking.may_see(memory, reading.viewer, reading.base.settings, reading.now)]
