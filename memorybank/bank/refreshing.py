"""`summary refresh`, wired: what everybody may see of the notes, sessions and episodes of a bank, as the things that a draft may tell."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memorybank.clock import DAY, day_of
from memorybank.cycle.finish.session_note import FOLDER as SESSION_NOTES
from memorybank.cycle.finish.sessions import from_json
from memorybank.cycle.fold import schema
from memorybank.cycle.fold.cell import EVERYBODY
from memorybank.cycle.know.learned import FOLDER as LEARNED_NOTES
from memorybank.drafting import draft, page, save
from memorybank.drafting.draft import DAYS, FAILURES, NOTES, Draft, Found
from memorybank.drafting.page import Decision
from memorybank.errors import MemorybankError
from memorybank.injection import RESIDENT_HEADING, RESIDENT_SENTENCE, utf16
from memorybank.log import key as log_key
from memorybank.notes import scan
from memorybank.notes.note import Note
from memorybank.storage import jsontext
from memorybank.text.redact import redact
from memorybank.visibility import Origin, Viewer, visible

if TYPE_CHECKING:
    from sqlite3 import Connection

    from memorybank.bank.bank import Bank
    from memorybank.index.row import IndexedNote

DEFAULT_ROOM = 4_500
"""UTF-16 units of a page, where the settings put none before an agent."""
_MOST = {NOTES: 40, FAILURES: 6, DAYS: 4}
"""Things of each section that are looked at: more than fit."""
_OPEN_WITHIN = 14 * DAY
_SESSIONS = 5
_EVERYBODY = Viewer()
_BY_AGENT = {"en": "written by an agent", "ja": "エージェントが作成"}


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did, or would do. path: of what was written, relative to the repository, ""; backup: of the page that --force replaced, "";
    dry_run: nothing was written."""

    draft: Draft
    decision: Decision
    path: str
    backup: str
    dry_run: bool


def refresh(bank: "Bank", cycle: "Connection | None", room: int, *, force: bool = False, dry_run: bool = False) -> Refreshed:
    """Draft the resident summary and put it where it belongs. cycle: the cache of the cycle; room: UTF-16 units that a hook has for it.

    `Conflict`: somebody wrote the page meanwhile; `LockTimeout`, `PermissionRefused`, `ResourceExhausted`, `ValidationFailed`: nothing changed.
    """
    language, found = _found(bank, cycle)
    key = log_key.load(bank.layout)
    made = draft.compose(found, language, _body_room(room), lambda text: redact(text, key))
    if dry_run:
        decision = _decide(bank, save.lying(bank.layout), made, force)
        return Refreshed(made, decision, "", "", True)
    with save.locked(bank.layout, bank.clock):
        before = save.lying(bank.layout)
        decision = _decide(bank, before, made, force)
        written, backup = save.carry_out(bank.layout, decision, before, bank.clock)
    shown = bank.layout.relative
    return Refreshed(made, decision, shown(written) if written else "", shown(backup) if backup else "", False)


def _decide(bank: "Bank", before: bytes | None, made: Draft, force: bool) -> Decision:
    return page.decide(save.text_of(before), made.body, bank.clock.now(), force=force)


def _body_room(room: int) -> int:
    """UTF-16 units of a body that a hook puts before an agent whole."""
    return (room or DEFAULT_ROOM) - utf16(f"\n{RESIDENT_HEADING}\n\n{RESIDENT_SENTENCE}\n\n") - 1


def _found(bank: "Bank", cycle: "Connection | None") -> tuple[str, list[Found]]:
    """(language of most of it, everything that may be told)."""
    with bank.folded() as index:
        notes = [note for note in index.notes() if _is_for_everybody(note)]
    notes.sort(key=lambda note: (-note.importance, note.key))
    told = notes[: _MOST[NOTES]]
    japanese = sum(note.language == "ja" for note in told)
    language = "ja" if told and japanese * 2 > len(told) else "en"
    opened = list(_open_ends(cycle, bank.clock.now())) if cycle is not None else []
    return language, [*_notes(bank, told, language), *opened, *_days(bank)]


def _is_for_everybody(note: "IndexedNote") -> bool:
    """Visible to somebody of whom nothing is known; not a copy; not of a session, whose days are told anyway."""
    if note.duplicate_of is not None or note.key.startswith((f"{SESSION_NOTES}/", f"{LEARNED_NOTES}/")):
        return False
    return visible(note.acl, note.privacy, Origin(note.agent_created, note.session_id), _EVERYBODY)


def _notes(bank: "Bank", notes: Iterable["IndexedNote"], language: str) -> Iterable[Found]:
    for indexed in notes:
        seen = scan.look(bank.layout, (indexed.key,))
        note = scan.read(bank.layout, seen.found[0]) if seen.found else None
        if isinstance(note, Note):
            yield Found(NOTES, note.title, note.body, indexed.key, _BY_AGENT[language] if indexed.agent_created else "")


def _open_ends(cycle: "Connection", now: int) -> Iterable[Found]:
    """What the latest finished sessions left, the newest first, without calls that went well since."""
    rows = cycle.execute(
        f"SELECT session, detail FROM memories WHERE kind = ? AND cell = ? AND last_at BETWEEN ? AND ? ORDER BY last_at DESC, memory LIMIT {_SESSIONS}",
        (schema.SESSION, EVERYBODY, now - _OPEN_WITHIN, now),
    ).fetchall()
    mended = _mended(cycle)
    said: dict[str, Found] = {}
    for session, detail in rows:
        for item in reversed(from_json(jsontext.decode(detail)).open_ends):
            if not item.text.startswith(mended):
                said.setdefault(item.text, Found(FAILURES, "", item.text, f"session {session[:8]}, {day_of(item.at)}"))
    return list(said.values())[: _MOST[FAILURES]]


def _mended(cycle: "Connection") -> tuple[str, ...]:
    """How calls are told that failed in one session and went well in a later one."""
    rows = cycle.execute(
        "SELECT detail FROM memories m WHERE kind = ? AND cell = ? AND failures > 0 AND EXISTS"
        " (SELECT 1 FROM memories s WHERE s.fingerprint = m.fingerprint AND s.kind = m.kind AND s.successes > 0 AND s.last_at > m.last_at)",
        (schema.GROUP, EVERYBODY),
    ).fetchall()
    found = (jsontext.decode(row[0]).get("what") for row in rows)
    return tuple(sorted({what for what in found if isinstance(what, str) and what}))


def _days(bank: "Bank") -> Iterable[Found]:
    """The latest episodes, the newest first; a list that cannot be read is told by the commands of the episodes."""
    try:
        entries = bank.episodes.readable()
    except MemorybankError:
        return []
    told = [entry for entry in entries if entry.is_told]
    return [Found(DAYS, entry.date, entry.summary, f"episode {entry.date}") for entry in reversed(told[-_MOST[DAYS] :])]
