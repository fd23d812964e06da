"""The days before a session: the episodes that cover them, and a few words about the sessions that no episode covers.

Each of the last days that the agent's raw log does not contain is shown with the episode that covers it, or with the gists of its sessions: what each was
about and what came of it (elastic injection, episodic memory specification, section 2). The raw log is that of this session, from its start or its last
host compact on.
A session that is still going on has no summary yet, so its gist is read from its log. Only what everybody may see is shown.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.config import episodes as episode_settings
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.recorded import cell_of_line
from memorybank.episodes import archive, dates, list_file, window
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.window import RawLog
from memorybank.log import events as log
from memorybank.log import lines
from memorybank.storage import jsontext
from memorybank.storage.answering import answer
from memorybank.summarize import listed
from memorybank.text.prompts.sentences import joined, sentences
from memorybank.text.prompts.withheld import without_permissions
from memorybank.text.untrusted.against import is_against_people
from memorybank.trust import gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

    from memorybank.cycle.recall.reading import Reading
    from memorybank.episodes.entry import Episode
    from memorybank.episodes.window import EpisodeSelection, NotedDay
    from memorybank.index.decision_rows import TakenBack

    Items = list[tuple[int, str]]
    """(instant in ms, text)"""

_SECTIONS_OF_A_SUMMARY = ("results", "goals", "commits", "changed", "fixes", "open_ends")
"""Sections of a summary, best first, of which one item describes a day that the session's gist says nothing about."""
_ITEM = 160
"""Characters of such an item."""
_LEAST_UNITS = 60
"""UTF-16 units that a session without an episode takes at least. The budget divided by this is the number of sessions whose items are read, newest first."""
_ONE_LINE = 120
"""Characters of each older session, which is shown in one line."""
_MOST_OPEN_SESSIONS = 8
_SPOKEN = (b'"event":"prompt"', b'"event":"turn_end"')
_MOST_LOG_BYTES = 1 << 21
"""Of a longer log only the end is read."""


def to_show(reading: Reading, *, only_quotable: bool = False) -> EpisodeSelection | None:
    """Return the days to show at the start of a session; None when the settings switch episodes off or there is nothing to show.

    only_quotable: whether to leave out what tries to instruct agents behind the backs of their people. Looking at every item takes longer than everything
    else here, so the caller asks for it when something of the kind would be shown.
    """
    base = reading.base
    settings = episode_settings.load(base.layout) if base.settings.budgets.episodes else None
    lookback = episode_settings.days_of(settings.lookback) if settings is not None else 0
    if settings is None or not lookback:
        return None
    calendar = LocalCalendar(settings.timezone)
    own = source_of(reading.context.session)
    at = _start_of_raw_log(reading)
    raw = RawLog(at, calendar.day_of(at), (own,))
    first = dates.plus(raw.date, -lookback)
    entries = list_file.read_since(base.layout, first) if base.gate.admits(base.layout, gate.EPISODES) else []
    if only_quotable:
        entries = _quotable(entries)
    inside = (entry for entry in entries if entry.is_showable and first <= entry.first and entry.last < raw.date)
    covered = {(date, source) for entry in inside for date, source, _ in entry.covers}
    since = (clock.parse(first) or 0) - clock.DAY
    most = base.settings.budgets.episodes // _LEAST_UNITS

    def days(cycle: Connection) -> list[NotedDay]:
        finished = _days_of_finished_sessions(cycle, since, reading.now, calendar, covered, most)
        return [*finished, *_days_of_open_sessions(reading, cycle, since, calendar)]

    noted: list[NotedDay] = answer(reading.sources.cycle, [], days)
    if only_quotable:
        noted = [window.NotedDay(day.date, day.source, [said for said in day.messages if not is_against_people(said.text)]) for day in noted]

    def unfolded(week: Episode) -> Sequence[Episode]:
        found = archive.unfolded(base.layout, week)
        return _quotable(found) if only_quotable else found

    selection = window.select(raw, lookback, entries, [day for day in noted if day.messages], unfolded)
    if selection is None or not (selection.entries or selection.pieces):
        return None
    if outdated := reading.outdated():
        _mark(selection, outdated)
    left: list[str] = answer(reading.sources.cycle, [], lambda cycle: _left_since(reading, cycle, since))
    if left:
        _leave_out(selection, left)
    return selection


def _left_since(reading: Reading, cycle: Connection, since: int) -> list[str]:
    """Return the sentences of answers since an instant (ms) that a later session changed or reverted."""
    if cycle.execute("SELECT 1 FROM outdated LIMIT 1").fetchone() is None:
        return []
    from memorybank.cycle.know import latest  # late, as the next one: in many banks nothing was reverted
    from memorybank.cycle.know.earlier import Earlier

    earlier = Earlier(cycle, reading.context.session, reading.now, lambda passage: (reading.refuses(passage), passage.text))
    return latest.left_since(earlier, since)


def _leave_out(selection: EpisodeSelection, left: Iterable[str]) -> None:
    """Leave these sentences out of what agents said in these days."""
    from memorybank.cycle.recall.shown import bare  # late, as the next one: most days keep all that was said

    bare_ones = set(map(bare, left))

    def without(said: str) -> str:
        kept = [sentence for sentence in sentences(said) if bare(sentence) not in bare_ones]
        return joined(kept) if len(kept) < len(sentences(said)) else said

    for entry in selection.entries:
        entry.memory  # noqa: B018  # as above
        entry.summary = listed.with_answers(entry.summary, without)
    for message in (message for piece in selection.pieces for message in piece.messages):
        message.text = listed.with_answers(message.text, without)


def _mark(selection: EpisodeSelection, outdated: Sequence[TakenBack]) -> None:
    """Mark what people said in these days and took back or replaced later."""
    from memorybank.cycle.recall.shown import marked

    for entry in selection.entries:
        entry.memory  # noqa: B018  # reading it computes the id from the text as it was written, before the marks
        entry.summary = marked(entry.summary, outdated)
    for message in (message for piece in selection.pieces for message in piece.messages):
        message.text = marked(message.text, outdated)


def _quotable(entries: Iterable[Episode]) -> list[Episode]:
    return [entry for entry in entries if not is_against_people(entry.summary)]


def source_of(session: str) -> str:
    """Return the name of a session's log in the `covers` of an episode."""
    return log.source_of(log.name_of(session))


def _start_of_raw_log(reading: Reading) -> int:
    """Return the instant (ms) from which the host has this session's raw log: its start, or its last compact or clear."""
    context = reading.context
    found = context.began
    if not found and context.epoch:
        asked = "SELECT e.at FROM events e JOIN files f ON f.id = e.file WHERE f.session = ? AND e.epoch = ? ORDER BY e.offset LIMIT 1"
        row = answer(reading.sources.cycle, None, lambda cycle: cycle.execute(asked, (context.session, context.epoch)).fetchone())
        found = int(row[0]) if row is not None else 0
    return min(found or reading.now, reading.now)


def _days_of_finished_sessions(
    connection: Connection, since: int, now: int, calendar: LocalCalendar, covered: Collection[tuple[str, str]], most: int
) -> Iterator[NotedDay]:
    """Yield the days of finished sessions that no episode covers. The `most` newest ones are returned item by item, the others in one line each."""
    rows = connection.execute(
        "SELECT session, first_at, last_at, id FROM summaries WHERE last_at BETWEEN ? AND ? ORDER BY last_at DESC, session", (since, now)
    ).fetchall()
    read = 0
    for session, first_at, last_at, number in rows:
        source = source_of(session)
        first, last = calendar.day_of(first_at), calendar.day_of(last_at)
        if all((date, source) in covered for date in ((first,) if first == last else dates.between(first, last))):
            continue
        read += 1
        column = "detail" if read <= most else "''"
        detail, line = connection.execute(f"SELECT {column}, substr(text, 1, {_ONE_LINE}) FROM summaries WHERE id = ?", (number,)).fetchone()
        yield from window.noted(source, _items(jsontext.decode(detail), calendar) if detail else [(last_at, line)], calendar)


def _items(summary: dict[str, Any], calendar: LocalCalendar) -> Items:
    """Return the gist of a session, and for each day that it says nothing about, the last item of the best section.

    summary: as stored in its row (`{section: [[at, text], …]}`).
    """
    found: Items = [(at, text) for at, text in summary["gist"]]
    said = {calendar.day_of(at) for at, _ in found}
    for name in _SECTIONS_OF_A_SUMMARY:
        own = {day: (at, text) for at, text in summary[name] if (day := calendar.day_of(at)) not in said}
        told = ((at, without_permissions(text, is_typed=name == "goals")) for at, text in own.values())
        found += [(at, wording.one_line(text, _ITEM)) for at, text in told if text]
        said.update(own)
    return found


def _days_of_open_sessions(reading: Reading, connection: Connection, since: int, calendar: LocalCalendar) -> Iterator[NotedDay]:
    """Yield the days of sessions, this one included, whose log continues after the lines that their summary covers."""
    rows = connection.execute(
        "SELECT f.session, m.last_at FROM files f LEFT JOIN finished d ON d.session = f.session"
        " LEFT JOIN summaries m ON m.session = f.session"
        " WHERE f.session <> ?1 AND f.last_at BETWEEN ?2 AND ?3 AND (d.covered_to IS NULL OR f.offset > d.covered_to) ORDER BY f.last_at DESC LIMIT ?4",
        (reading.context.session, since, reading.now, _MOST_OPEN_SESSIONS),
    ).fetchall()
    summarised: dict[str, int | None] = dict(rows)
    if reading.context.epoch > 1:  # in its first epoch, all of this session is raw log
        row = connection.execute("SELECT last_at FROM summaries WHERE session = ?", (reading.context.session,)).fetchone()
        summarised[reading.context.session] = row[0] if row is not None else None
    for session in summarised:
        items = _gist_of_log(reading, session, summarised.get(session) or 0)
        yield from window.noted(source_of(session), items, calendar)


def _gist_of_log(reading: Reading, session: str, after: int) -> Items:
    """Return the gist of the public lines of a session's log after an instant, and the latest request. Prompts that state a correction or a rule are left
    out, because lessons show them."""
    from memorybank.cycle.know.gist import gist  # late: few sessions have no summary yet

    asked: Items = []
    answered: Items = []
    tasks: Items = []
    for fields in _spoken(reading, session):
        at = clock.parse(str(fields.get("timestamp"))) or 0
        if at <= after or not cell_of_line(fields).is_public:
            continue
        task = fields.get("task_id")
        tasks += [(at, task)] if isinstance(task, str) and task else []
        if fields.get("event") == "prompt" and fields.get("human") is not False and not fields.get("lessons"):
            text = (fields.get("inputs") or {}).get("text")
            asked += [(at, text)] if isinstance(text, str) and text.strip() else []
        elif fields.get("event") == "turn_end":
            text = (fields.get("outputs") or {}).get("head")
            answered += [(at, text)] if isinstance(text, str) and text.strip() else []
    found = gist(asked, answered, tasks=tasks)
    return [*found, *(latest for latest in gist(asked[-1:], ()) if not any(latest[1] in text for _, text in found))]


def _spoken(reading: Reading, session: str) -> Iterator[dict[str, Any]]:
    """Yield the prompts and ends of turns in a session's log; of a long log only those near its end."""
    path = log.path_of(reading.base.layout, session)
    if lines.size(path) <= _MOST_LOG_BYTES:
        yield from lines.read_containing(path, *_SPOKEN)
        return
    for raw in log.end_of(reading.base.layout, session).split(b"\n"):
        if any(part in raw for part in _SPOKEN):
            fields = lines.decode(raw)
            if fields is not None:
                yield fields
