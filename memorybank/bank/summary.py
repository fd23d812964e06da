"""`summary refresh`: collects what everybody may see of a bank's notes, sessions and episodes, and drafts the resident summary from it."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memorybank.bank.episodes import Episodes
from memorybank.clock import DAY, day_of
from memorybank.cycle.finish.session_note import FOLDER as SESSION_NOTES
from memorybank.cycle.know import rules
from memorybank.cycle.know.learned import FOLDER as LEARNED_NOTES
from memorybank.cycle.know.rejected import rejections
from memorybank.cycle.recall.candidates import Sources
from memorybank.cycle.recall.drafted_page import BY_AGENT, EPISODE, SESSION, DraftedPage, mark_of
from memorybank.drafting import draft, page
from memorybank.drafting.draft import DAYS, FAILURES, NOTES, QuotableItem, SummaryDraft
from memorybank.drafting.page import PageDecision
from memorybank.editing.write import finish_interrupted
from memorybank.errors import CONFLICT, MemorybankError
from memorybank.index import queries
from memorybank.index.decision_rows import SupersededStatement, Supersessions, TakenBack, in_text
from memorybank.injection import RESIDENT_HEADING, RESIDENT_SENTENCE, utf16
from memorybank.log import key as log_key
from memorybank.notes import scan
from memorybank.notes.frontmatter import UNREAD
from memorybank.notes.note import Note
from memorybank.storage import jsontext
from memorybank.summarize import sentences
from memorybank.text.prompts.withheld import without_permissions
from memorybank.text.secrets.redact import redact
from memorybank.trust import gate as gates
from memorybank.trust.gate import TrustGate
from memorybank.visibility import UNKNOWN_VIEWER

if TYPE_CHECKING:
    from sqlite3 import Connection

    from memorybank.bank.opened import OpenBank
    from memorybank.index.row import IndexedNote

DEFAULT_BUDGET = 4_500
"""Budget of the summary in UTF-16 units, when the settings do not show it to agents."""
_MOST = {NOTES: 40, FAILURES: draft.MOST[FAILURES], DAYS: draft.MOST[DAYS]}
"""Maximum number of items that are considered for each section. Of the notes some are left out, so more are considered than listed."""
_OPEN_WITHIN = 14 * DAY
_SESSIONS = 5
_ARRIVED = "others changed it, and it waits for you: memorybank trust"
_UNREADABLE = "its front matter cannot be read; 'memorybank list --problems' says why"
_WHY_NOT = {**dict.fromkeys(UNREAD, _UNREADABLE), CONFLICT: "git left a conflict in it; keep one side"}
"""{code of a problem of a note: why the draft does not quote it}."""


@dataclass(frozen=True, slots=True)
class SummaryRefresh:
    """The result of a refresh, or of its dry run.

    path: path of the written file, relative to the repository, or ""
    backup: path of the backup of a summary that --force replaced, or ""
    dry_run: whether nothing was written
    """

    draft: SummaryDraft
    decision: PageDecision
    path: str
    backup: str
    dry_run: bool


def refresh(bank: "OpenBank", cycle: "Connection", budget: int, *, force: bool = False, dry_run: bool = False) -> SummaryRefresh:
    """Draft the resident summary and write it to its place.

    cycle: the cache of the cycle
    budget: maximum length of the block that a hook injects, in UTF-16 units
    Raises `Conflict` when somebody wrote the summary in the meantime; `LockTimeout`, `PermissionRefused`, `ResourceExhausted`,
    `ValidationFailed`. In every case nothing was changed.
    """
    language, found = _found(bank, cycle)
    key = log_key.load(bank.layout)
    made = draft.compose(found, language, _body_budget(budget), lambda text: redact(text, key))
    if dry_run:
        decision = _decide(bank, page.read_page(bank.layout), made, force)
        return SummaryRefresh(made, decision, "", "", True)
    with page.locked(bank.layout, bank.clock):
        finish_interrupted(bank.layout, bank.clock)  # a killed refresh can leave the page without its name
        before = page.read_page(bank.layout)
        decision = _decide(bank, before, made, force)
        written, backup = page.carry_out(bank.layout, decision, before, bank.clock)
    shown = bank.layout.relative
    return SummaryRefresh(made, decision, shown(written) if written else "", shown(backup) if backup else "", False)


def _decide(bank: "OpenBank", before: bytes | None, made: SummaryDraft, force: bool) -> PageDecision:
    return page.decide(None if before is None else before.decode("utf-8", "replace"), made.body, bank.clock.now(), quotes=made.quotes, force=force)


def _body_budget(budget: int) -> int:
    """Return the UTF-16 units of the longest body that a hook shows without a cut."""
    return (budget or DEFAULT_BUDGET) - utf16(f"\n{RESIDENT_HEADING}\n\n{RESIDENT_SENTENCE}\n\n") - 1


def _found(bank: "OpenBank", cycle: "Connection") -> tuple[str, list[QuotableItem]]:
    """Return (language of most notes, the material for the draft)."""
    with bank.folded() as index:
        notes = [note for note in index.notes() if _is_for_everybody(note)]
        notes.sort(key=lambda note: (-note.importance, -note.modified, note.key))
        listed = notes[: _MOST[NOTES]]
        found = Supersessions(index.connection, rejections(bank.layout))
        superseded = {note.key: found.of_note(queries.id_of_indexed(index.connection, note.key)) for note in listed}
    japanese = sum(note.language == "ja" for note in listed)
    language = "ja" if listed and japanese * 2 > len(listed) else "en"
    opened = _open_ends(cycle, bank.clock.now())
    gate = gates.gate_of(bank.layout, os.environ, bank.clock, keep=not bank.read_only)
    return language, [*_notes(bank, gate, listed, language, superseded), *opened, *_days(bank, gate, _withdrawn(bank, cycle))]


def _is_for_everybody(note: "IndexedNote") -> bool:
    """Return whether an unknown viewer may see a note. Duplicates and notes of sessions are left out; episodes cover their days."""
    if note.duplicate_of is not None or note.key.startswith((f"{SESSION_NOTES}/", f"{LEARNED_NOTES}/")):
        return False
    return UNKNOWN_VIEWER.sees(note)


def _withheld(bank: "OpenBank", gate: TrustGate, path: str) -> str:
    """Return why a file may not be quoted: a quotation would bring a text of others into a page of one's own. In a bank that waits, the page waits too."""
    return "" if not gate.is_open or gate.admits(bank.layout, path) else _ARRIVED


def _notes(
    bank: "OpenBank", gate: TrustGate, notes: Iterable["IndexedNote"], language: str, superseded: Mapping[str, Sequence[SupersededStatement]]
) -> Iterable[QuotableItem]:
    for indexed in notes:
        seen = scan.find_keys(bank.layout, (indexed.key,))
        note = scan.read(bank.layout, seen.found[0]) if seen.found else None
        if isinstance(note, Note):
            why = _withheld(bank, gate, f"active/{indexed.key}")
            body = _in_force(note, superseded[indexed.key])
            if body is None:
                continue
            if not why and not draft.says_something(note.title, body):
                continue
            why = why or next((_WHY_NOT[problem.code] for problem in note.problems if problem.code in _WHY_NOT), "")
            author = BY_AGENT[language] if indexed.agent_created else ""
            yield QuotableItem(NOTES, note.title, body, indexed.key, author, why, may_rule=not indexed.agent_created, mark=mark_of(note.text))


def _in_force(note: Note, superseded: Sequence[SupersededStatement]) -> str | None:
    """Return the text of a note without the statements that later ones replaced; None if the note or its title is one of them."""
    body = note.body
    for each in superseded:
        if each.is_entire or in_text(note.title, each.text):
            return None
        body = body.replace(in_text(body, each.text), "")
    return body


def _open_ends(cycle: "Connection", now: int) -> Iterable[QuotableItem]:
    """Return what the latest finished sessions left open, newest first, without calls that have succeeded since."""
    rows = cycle.execute(
        f"SELECT session, detail FROM summaries WHERE last_at BETWEEN ? AND ? ORDER BY last_at DESC, session LIMIT {_SESSIONS}", (now - _OPEN_WITHIN, now)
    ).fetchall()
    repaired = _repaired(cycle, [session for session, _ in rows])
    said: dict[str, QuotableItem] = {}
    for session, detail in rows:
        for at, text in reversed(jsontext.decode(detail)["open_ends"] if detail else ()):
            if (session, at) not in repaired:
                said.setdefault(text, QuotableItem(FAILURES, "", text, f"{SESSION}{session[:8]}, {day_of(at)}"))
    return list(said.values())[: _MOST[FAILURES]]


def _repaired(cycle: "Connection", sessions: Sequence[str]) -> set[tuple[str, int]]:
    """Return (session, instant in ms) of the calls that failed in one of these sessions and succeeded later."""
    succeeded = dict(cycle.execute("SELECT fingerprint, max(at) FROM events WHERE status = 'success' AND fingerprint IS NOT NULL GROUP BY fingerprint"))
    failed = cycle.execute(
        "SELECT session, at, fingerprint FROM events JOIN files ON id = file WHERE status = 'failure' AND session IN (SELECT value FROM json_each(?))",
        (jsontext.encode(sessions),),
    )
    return {(session, at) for session, at, fingerprint in failed if at < succeeded.get(fingerprint, 0)}


def _withdrawn(bank: "OpenBank", cycle: "Connection") -> Callable[[str], bool]:
    """Return what tells whether a sentence of an episode repeats what a person allowed, took back, replaced or refuted."""
    now = bank.clock.now()
    said = [*rules.taken_back(cycle, now), *((older.sayings[0], newer.at) for older, newer in rules.superseded(cycle, now))]
    page = DraftedPage(bank.layout, Sources(None, cycle), lambda note: (), [TakenBack.of(*each) for each in said])
    return lambda line: without_permissions(line) != line or page.is_withdrawn(line)


def _days(bank: "OpenBank", gate: TrustGate, is_withdrawn: Callable[[str], bool]) -> Iterable[QuotableItem]:
    """Return the latest episodes, newest first, without what no longer holds. An unreadable list counts as empty here; the episodes commands report it."""
    try:
        entries = Episodes(bank).readable()
    except MemorybankError:
        return []
    told = [entry for entry in entries if entry.is_showable]
    why = _withheld(bank, gate, gates.EPISODES)
    latest = reversed(told[-_MOST[DAYS] :])
    standing = [(each, _standing(each.summary, is_withdrawn)) for each in latest]
    return [QuotableItem(DAYS, each.date, text, f"{EPISODE}{each.date}", withheld=why, mark=mark_of(each.summary)) for each, text in standing if text.strip()]


def _standing(text: str, is_withdrawn: Callable[[str], bool]) -> str:
    """Return an episode without the sentences that no longer hold."""
    for sentence in (each for line in text.split("\n") for each in sentences.cut(line)):
        if is_withdrawn(sentence):
            text = text.replace(sentence, "", 1)
    return "\n".join(line for line in text.split("\n") if line.strip(" -"))
