"""What only the start of a session gets: the resident summary, the session before, and what failed and was not fixed.

Resident summary ticket (once a session, its wording, the same text after a host's compact); Self-improving memory cycle, phase 3
("初期ブースト取得（前回セッション要約）"). Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank import resident
from memorybank.cycle import cache, candidates, ranking, repeats, schema
from memorybank.errors import MemorybankError
from memorybank.injection import Section, estimate_tokens
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event
    from memorybank.cycle.ranking import Recollection
    from memorybank.cycle.recollect import Draft
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
    """body, digest: of the resident summary to inject, '' when there is none; recollections: the last session, then open failures."""

    def __init__(self, draft: Draft, body: str, recollections: list[Recollection]) -> None:
        self.draft = draft
        self.body = body
        self.recollections = recollections

    def __bool__(self) -> bool:
        return bool(self.body or self.recollections)

    def sections(self, given: set[str]) -> tuple[list[Section], list[Recollection]]:
        """(sections in order, the memories in them)."""
        base = self.draft.base
        found = []
        if self.body:
            found.append(resident.section(self.body, base.layout.relative(resident.path_of(base.layout)), base.settings.budgets.resident))
        kept: list[Recollection] = []
        items: list[Item] = []
        for recollection in self.recollections:
            if recollection.memory.memory not in given:
                item = self.draft.item(recollection, _SESSION_CHARACTERS if recollection.memory.kind == schema.SESSION else _FAILURE_CHARACTERS)
                if item is not None and not self._is_told(recollection, item, kept, items):
                    kept.append(recollection)
                    items.append(item)
        if items:
            found.append(Section(HEADING, base.settings.budgets.last_session, items=items, rest="'memorybank log list' names them"))
        return found, kept

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
        base = self.draft.base
        try:
            connection = cache.writable(base.layout)
            connection.execute("DELETE FROM renderings WHERE at < ?", (self.draft.now - _KEPT_FOR,))
            connection.execute(
                "INSERT OR REPLACE INTO renderings VALUES (?, ?, ?, ?)",
                (self.draft.context.session, resident.digest_of(self.body), self.draft.now, self.body),
            )
        except (MemorybankError, sqlite3.Error):
            return


def of_session(base: Base, event: Event, draft: Draft) -> Opening:
    """What the start of this session has to say, before anything else is recollected."""
    return Opening(draft, _body(base, event, draft), _recollections(draft))


def _body(base: Base, event: Event, draft: Draft) -> str:
    """The resident summary to inject: read again at a start, the same text after a compact, at a resume only when it changed."""
    if resident.why_off(base.settings):
        return ""
    kept = _kept(draft) if event.source in (COMPACT, RESUME) else None
    if event.source == COMPACT and kept is not None:
        return kept[1]
    found = resident.collect(base.layout)
    if event.source == RESUME and found.digest in (draft.context.resident, kept[0] if kept else None):
        return ""
    return found.body


def _kept(draft: Draft) -> tuple[str, str] | None:
    connection = draft.sources.cycle
    if connection is None:
        return None
    row = connection.execute("SELECT digest, body FROM renderings WHERE session = ?", (draft.context.session,)).fetchone()
    return (str(row[0]), str(row[1])) if row is not None else None


def _recollections(draft: Draft) -> list[Recollection]:
    connection = draft.sources.cycle
    if connection is None:
        return []
    columns = candidates.MEMORY_COLUMNS
    sessions = connection.execute(
        f"SELECT {columns} FROM memories WHERE kind = ? AND session <> ? AND last_at BETWEEN ? AND ? ORDER BY last_at DESC, memory LIMIT {_LOOKED_AT}",
        (schema.SESSION, draft.context.session, draft.now - _SESSION_WITHIN, draft.now),
    ).fetchall()
    failures = connection.execute(
        f"SELECT {columns} FROM memories m WHERE kind = ? AND status = 'failure' AND fixed_by IS NULL AND read_only = 0 AND last_at BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM memories s WHERE s.fingerprint = m.fingerprint AND s.successes > 0 AND s.last_at > m.last_at)"
        f" ORDER BY last_at DESC, memory LIMIT {_LOOKED_AT}",
        (schema.GROUP, draft.now - _FAILED_WITHIN, draft.now),
    ).fetchall()
    return [*_seen(draft, sessions)[:1], *_seen(draft, failures)[:_MOST_FAILURES]]


def _seen(draft: Draft, rows: list[tuple[object, ...]]) -> list[Recollection]:
    """The rows that this reader may see."""
    found = [memory for row in rows if (memory := candidates.memory_of(row, draft.query, draft.context)) is not None]
    return [draft.recollect(memory) for memory in found if ranking.may_see(memory, draft.viewer, draft.base.settings, draft.now)]
