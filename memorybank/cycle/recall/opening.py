"""The memories at the start of a session: the resident summary, the episodes of the previous days, the results of the last sessions, the recurring
problems and the rules in force.

Resident summary ticket (once a session, its wording, the same text after a host's compact); Self-improving memory cycle, phase 3
("初期ブースト取得（前回セッション要約）").

Each of the last days that the agent's raw log does not contain is shown with the episode that covers it, or with a few words of the summaries of its
sessions (elastic injection, episodic memory specification, section 2). The raw log is that of this session, from its start or its last host compact on.
A session that is still going on has no summary yet, so its last request and answer are read from its log. Only what everybody may see is shown.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock, resident
from memorybank.config import episodes as episode_settings
from memorybank.cycle.fold import cache, schema, wording
from memorybank.cycle.fold.phrases import language_of, phrase
from memorybank.cycle.fold.recorded import EVERYBODY, PUBLIC, USER, cell_of_line
from memorybank.cycle.recall import knowledge
from memorybank.cycle.recall.ranking import ALREADY_SHOWN, SESSION
from memorybank.episodes import archive, dates, fitting, store, window
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.window import RawLog
from memorybank.errors import MemorybankError
from memorybank.injection import InjectionSection, estimate_tokens, one_line, remaining_budget, utf16
from memorybank.log import events as log
from memorybank.log import lines
from memorybank.reasons.reason import Reason
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterator
    from typing import Any

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.cycle.recall.recollect import Reading
    from memorybank.episodes.window import EpisodeSelection, NotedDay
    from memorybank.injection import Injection

    Items = list[tuple[int, str]]
    """(instant in ms, text)"""

HEADING = "## Known here"
BEYOND_BUDGET = Reason("recall.beyond_budget")
_KEPT_FOR = 60 * clock.DAY
_STANDING = 600
"""UTF-16 units of problems and rules together. Agents read them at every start, so they must be short."""
COMPACT, RESUME = "compact", "resume"
_PREFIX = "events/"
"""Precedes the name of a session's log in the `covers` of an episode."""
_SECTIONS_OF_A_SUMMARY = (("goals", 110), ("results", 120), ("open_ends", 100), ("changed", 90), ("commits", 90), ("fixes", 160))
"""(section of a summary, characters of one item), in the order that helps somebody who continues the work. Decisions are missing because lessons show them."""
_LEAST_UNITS = 60
"""UTF-16 units that a session without an episode takes at least. The budget divided by this is the number of sessions whose items are read, newest first."""
_ONE_LINE = 120
"""Characters of each older session, which is shown in one line."""
_MOST_OPEN_SESSIONS = 8
_ASKED, _ANSWERED = 110, 120
"""Characters of the last request and the last answer of a session that is still going on."""
_SPOKEN = (b'"event":"prompt"', b'"event":"turn_end"')
_MOST_LOG_BYTES = 1 << 21
"""Of a longer log only the end is read."""


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
        sessions = {_source_of(memory.partition(":")[2]) for memory in given if memory.startswith(f"{schema.SESSION}:")}
        block = fitting.block(self.days, given, sessions, left.units(min(self.reading.base.settings.budgets.episodes, budget)))
        if block is None:
            return None
        left.spend(sum(block.sizes.values()))
        return InjectionSection(fitting.HEADING, utf16(block.text) + 2, body=block.body, intro=fitting.SENTENCE, sizes=block.sizes)

    def _covered_by(self, section: InjectionSection | None) -> set[str]:
        """The sources and days (`day:<date>`) that the section of the episodes covers."""
        if section is None or self.days is None:
            return set()
        days = (day for entry in self.days.entries if entry.memory in section.sizes for day in dates.between(entry.first, entry.last))
        return window.sources_in(self.days, section.sizes) | {f"{schema.DAY}:{day}" for day in days}

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
    return Opening(reading, _body(base, event, reading), works, standing, _days_to_show(reading))


def _line(memory: Memory) -> str:
    source = f" [{one_line(memory.source)}]" if memory.source else ""
    return f"- {one_line(memory.text)}{source}"


def _body(base: CycleContext, event: Event, reading: Reading) -> str:
    """The resident summary to inject: read again at a start, the stored text after a compact, and at a resume only when it changed."""
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


def _days_to_show(reading: Reading) -> EpisodeSelection | None:
    """The days to show at the start of a session; None when the settings switch episodes off or there is nothing to show."""
    base = reading.base
    settings = episode_settings.load(base.layout) if base.settings.budgets.episodes else None
    lookback = episode_settings.days_of(settings.lookback) if settings is not None else 0
    if settings is None or not lookback:
        return None
    calendar = LocalCalendar(settings.timezone)
    own = _source_of(reading.context.session)
    at = _start_of_raw_log(reading)
    raw = RawLog(at, calendar.day_of(at), (own,))
    first = dates.plus(raw.date, -lookback)
    entries = store.read_since(base.layout, first)
    inside = (entry for entry in entries if entry.is_showable and first <= entry.first and entry.last < raw.date)
    covered = {(date, source) for entry in inside for date, source, _ in entry.covers}
    connection = reading.sources.cycle
    noted: list[NotedDay] = []
    if connection is not None:
        since = (clock.parse(first) or 0) - clock.DAY
        try:
            most = base.settings.budgets.episodes // _LEAST_UNITS
            noted = [
                *_days_of_finished_sessions(connection, since, reading.now, calendar, covered, most),
                *_days_of_open_sessions(reading, connection, since, calendar),
            ]
        except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits: show the episodes alone
            noted = []
    selection = window.select(raw, lookback, entries, noted, lambda week: archive.unfolded(base.layout, week))
    return selection if selection is not None and (selection.entries or selection.pieces) else None


def _is_covered(memory: Memory, covered: Collection[str]) -> bool:
    """Whether the shown episodes already cover the public summary of a session or day (`session:<id>`, `day:<date>`)."""
    if memory.acl not in (None, USER) or memory.privacy not in (None, PUBLIC):
        return False
    kind, _, session = memory.memory.partition(":")
    source = _source_of(session) if kind == schema.SESSION and "/" not in session else ""
    return source in covered or memory.memory.partition("/")[0] in covered


def _source_of(session: str) -> str:
    return _PREFIX + log.name_of(session).removesuffix(".jsonl")


def _start_of_raw_log(reading: Reading) -> int:
    """The instant (ms) from which the host has this session's raw log: its start, or its last compact or clear."""
    context = reading.context
    found = context.began
    if not found and context.epoch and reading.sources.cycle is not None:
        asked = "SELECT e.at FROM events e JOIN files f ON f.id = e.file WHERE f.session = ? AND e.epoch = ? ORDER BY e.offset LIMIT 1"
        try:
            row = reading.sources.cycle.execute(asked, (context.session, context.epoch)).fetchone()
        except sqlite3.DatabaseError:
            row = None
        found = int(row[0]) if row is not None else 0
    return min(found or reading.now, reading.now)


def _days_of_finished_sessions(
    connection: Connection, since: int, now: int, calendar: LocalCalendar, covered: Collection[tuple[str, str]], most: int
) -> Iterator[NotedDay]:
    """The days of finished sessions that no episode covers. The `most` newest ones are returned item by item, the others in one line each."""
    rows = connection.execute(
        "SELECT session, first_at, last_at, id FROM memories WHERE kind = ? AND cell = ? AND last_at BETWEEN ? AND ? ORDER BY last_at DESC, memory",
        (schema.SESSION, EVERYBODY, since, now),
    ).fetchall()
    read = 0
    for session, first_at, last_at, number in rows:
        source = _source_of(session)
        first, last = calendar.day_of(first_at), calendar.day_of(last_at)
        if all((date, source) in covered for date in ((first,) if first == last else dates.between(first, last))):
            continue
        read += 1
        column = "detail" if read <= most else f"substr(text, 1, {_ONE_LINE})"
        (said,) = connection.execute(f"SELECT {column} FROM memories WHERE id = ?", (number,)).fetchone()
        yield from window.noted(source, _items(jsontext.decode(said)) if read <= most else [(last_at, said)], calendar)


def _items(summary: dict[str, Any]) -> Items:
    """The items of a session summary as stored in its row (`{section: [[at, text], …], language}`), with the latest result first."""
    found: Items = []
    for name, characters in _SECTIONS_OF_A_SUMMARY:
        items = summary.get(name, ())
        mark = phrase(name, summary["language"]) if items else ""
        found += [(at, f"{mark}: {wording.one_line(text, characters)}") for at, text in (reversed(items) if name == "results" else items)]
    return found


def _days_of_open_sessions(reading: Reading, connection: Connection, since: int, calendar: LocalCalendar) -> Iterator[NotedDay]:
    """The days of sessions, this one included, whose log continues after the lines that their summary covers."""
    rows = connection.execute(
        "SELECT f.session, m.last_at FROM files f LEFT JOIN finished d ON d.session = f.session"
        " LEFT JOIN memories m ON m.memory = ?1 || f.session"
        " WHERE f.session <> ?5 AND f.last_at BETWEEN ?2 AND ?3 AND (d.covered_to IS NULL OR f.offset > d.covered_to) ORDER BY f.last_at DESC LIMIT ?4",
        (f"{schema.SESSION}:", since, reading.now, _MOST_OPEN_SESSIONS, reading.context.session),
    ).fetchall()
    summarised: dict[str, int | None] = dict(rows)
    if reading.context.epoch > 1:  # in its first epoch, all of this session is raw log
        own = f"{schema.SESSION}:{reading.context.session}"
        row = connection.execute("SELECT last_at FROM memories WHERE memory = ?", (own,)).fetchone()
        summarised[reading.context.session] = row[0] if row is not None else None
    for session in summarised:
        items = _asked_and_answered(reading, session, summarised.get(session) or 0)
        yield from window.noted(_source_of(session), items, calendar)


def _asked_and_answered(reading: Reading, session: str, after: int) -> Items:
    """The first and the latest request and the last answer after an instant, from the public lines of a session's log. Prompts that state
    a correction or a rule are left out, because lessons show them."""
    asked: Items = []
    answered: Items = []
    for fields in _spoken(reading, session):
        at = clock.parse(str(fields.get("timestamp"))) or 0
        if at <= after or not cell_of_line(fields).is_public:
            continue
        if fields.get("event") == "prompt" and fields.get("human") is not False and not fields.get("lessons"):
            text = (fields.get("inputs") or {}).get("text")
            asked += [(at, text)] if isinstance(text, str) and text.strip() else []
        elif fields.get("event") == "turn_end":
            text = (fields.get("outputs") or {}).get("head")
            answered += [(at, text)] if isinstance(text, str) and text.strip() else []
    language = language_of(" ".join(text for _, text in asked))
    chosen = [(at, f"{phrase('goals', language)}: {wording.one_line(text, _ASKED)}") for at, text in dict.fromkeys((*asked[:1], *asked[-1:]))]
    return chosen + [(at, f"{phrase('results', language)}: {wording.one_line(text, _ANSWERED)}") for at, text in answered[-1:]]


def _spoken(reading: Reading, session: str) -> Iterator[dict[str, Any]]:
    """The prompts and ends of turns in a session's log; of a long log only those near its end."""
    path = log.path_of(reading.base.layout, session)
    if lines.size(path) <= _MOST_LOG_BYTES:
        yield from lines.read_containing(path, *_SPOKEN)
        return
    for raw in log.end_of(reading.base.layout, session).split(b"\n"):
        if any(part in raw for part in _SPOKEN):
            fields = lines.decode(raw)
            if fields is not None:
                yield fields
