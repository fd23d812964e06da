"""The sessions of the event log for display: listed, found by a prefix of their id, and their newest lines."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

from memorybank import clock as time_of
from memorybank.errors import NotFound
from memorybank.log import events, lines, organize
from memorybank.storage.layout import Layout
from memorybank.values import Value

FINISHED = "finished"
OPEN = "open"
_CANDIDATES = 5
_NEWEST = 32
"""Number of logs that are read to find the last session: the most recently written ones."""
_AHEAD = time_of.HOUR
"""How much later (ms) than the writing of its line a host may say that an event was."""

Fields = dict[str, Any]


class SessionOverview(Value):
    """Facts about one log.

    first, last: instants (ms) of its earliest and latest line, None without lines
    prompts: prompts that a person typed
    failures: calls that failed
    purged: texts that were blanked
    state: `finished` (its end was reported, or it has been summarised) or `open`
    """

    name: str
    session_id: str
    host: str
    first: int | None
    last: int | None
    lines: int
    prompts: int
    failures: int
    purged: int
    state: str

    def to_json(self) -> dict[str, Any]:
        return {
            "file": f"log/events/{self.name}",
            "session_id": self.session_id,
            "host": self.host,
            "first": None if self.first is None else time_of.isoformat(self.first),
            "last": None if self.last is None else time_of.isoformat(self.last),
            "lines": self.lines,
            "prompts": self.prompts,
            "failures": self.failures,
            "purged": self.purged,
            "state": self.state,
        }


def listing(layout: Layout, limit: int | None = None) -> list[SessionOverview]:
    """Return every session, most recently active first. limit: only the first ones; then the logs of older ones are not read"""
    from bisect import insort  # late: `status` asks for the last session only

    found: list[tuple[SessionOverview, int]] = []
    for written_at, name in events.newest_first(layout) if limit != 0 else ():
        # No line is newer than its file, so the remaining logs have none that is newer than those of enough others.
        if limit is not None and len(found) >= limit and _activity(found[-limit])[0] > written_at + _AHEAD:
            break
        insort(found, _session(layout, name), key=_activity)
    return _with_rounds(layout, found[::-1][:limit])


def _activity(found: tuple[SessionOverview, int]) -> tuple[int, str]:
    return found[0].last or 0, found[0].name


def _with_rounds(layout: Layout, found: list[tuple[SessionOverview, int]]) -> list[SessionOverview]:
    """Return the sessions; one whose end nobody reported is finished if its latest round covers all of its lines."""
    covered = organize.covered(layout, [one.session_id for one, _ in found if one.state == OPEN])
    return [one.with_changes(state=FINISHED) if 0 < end <= covered.get(one.session_id, 0) else one for one, end in found]


class LastSession(Value):
    """The session meant by "the last session". at: instant (ms) of its newest line; is_over: it ended or has been summarised."""

    session_id: str
    host: str
    at: int
    is_over: bool

    def to_json(self) -> dict[str, Any]:
        return {"session_id": self.session_id, "host": self.host, "at": time_of.isoformat(self.at), "is_over": self.is_over}


def last(layout: Layout) -> LastSession | None:
    """Return the newest session that is over, else the newest one, or None. Reads only the ends of the newest logs."""
    found = [ended for _, name in events.newest_first(layout)[:_NEWEST] for ended in [_ended(layout, name)] if ended is not None]
    found.sort(key=lambda ended: (ended.at, ended.session_id), reverse=True)
    newest_over = next((place for place, ended in enumerate(found) if ended.is_over), len(found))
    # A session whose end nobody reported is over if it has been summarised up to its last line.
    covered = organize.covered(layout, [ended.session_id for ended in found[:newest_over]])
    for ended in found[:newest_over]:
        if 0 < lines.size(events.path_of(layout, ended.session_id)) <= covered.get(ended.session_id, 0):
            return ended.with_changes(is_over=True)
    return found[newest_over] if newest_over < len(found) else found[0] if found else None


def _ended(layout: Layout, name: str) -> LastSession | None:
    """Return what the end of one log says about its session. Reads backwards only as far as needed."""
    newest: LastSession | None = None
    for fields in lines.newest_first(os.path.join(events.folder(layout), name)):
        if newest is None:
            at = time_of.parse(str(fields.get("timestamp")))
            if at is None:
                continue
            newest = LastSession(str(fields.get("session_id") or ""), str(fields.get("host") or ""), at, False)
        event = fields.get("event")
        # Reading backwards, a start that is found before any end means that the session has not ended since.
        if event == "session_start":
            break
        if event == "session_end":
            return newest.with_changes(is_over=True)
    return newest


def heads(layout: Layout) -> dict[str, str]:
    """Return {file name: signature of the last line that a session had when it was summarised}, for `log.chain.check`."""
    return {events.name_of(session): step.head for session, step in organize.latest(layout).items() if step.head}


def find(layout: Layout, beginning: str) -> str:
    """Return the file name of the only session whose id or file name starts with `beginning`.

    Raises NotFound when no session or more than one matches; in the latter case the message lists candidates.
    """
    names = events.names(layout)
    wanted = beginning.removesuffix(".jsonl")
    found = [name for name in names if name.startswith(wanted)] if wanted else []
    if events.name_of(beginning) in names:
        return events.name_of(beginning)
    if not found and wanted:
        found = [name for name in names if str(next((line.fields.get("session_id") for line in events.read(layout, name)), "")).startswith(beginning)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(f"session not found: {beginning!r}", next_step="list the sessions with: memorybank log list")
    candidates = ", ".join(name.removesuffix(".jsonl") for name in found[:_CANDIDATES])
    raise NotFound(f"{beginning!r} matches {len(found)} sessions: {candidates}", next_step="enter more characters of the session id")


def id_of(layout: Layout, beginning: str) -> str:
    """Return the id of the only session whose id or file name starts with `beginning`. Raises NotFound as `find` does."""
    name = find(layout, beginning)
    return next((str(line.fields["session_id"]) for line in events.read(layout, name) if line.fields.get("session_id")), beginning)


def newest(layout: Layout, count: int) -> list[Fields]:
    """Return the last `count` lines of all sessions together, oldest first. Logs in which none of them can be are not opened."""
    known: list[int] = []
    names = []
    for written_at, name in events.newest_first(layout):
        if len(known) >= count and (not count or known[count - 1] > written_at + _AHEAD):
            break
        names.append(name)
        read = islice(lines.newest_first(os.path.join(events.folder(layout), name)), count)
        known = sorted([*known, *(time_of.parse(str(fields.get("timestamp"))) or 0 for fields in read)], reverse=True)[:count]
    each = [lines.newest_first(os.path.join(events.folder(layout), name)) for name in sorted(names)]
    from heapq import merge  # late: every status loads this module

    merged = merge(*each, key=lambda fields: str(fields.get("timestamp")), reverse=True)
    return list(islice(merged, count))[::-1]


def purged_fields(fields: Fields) -> list[str]:
    """Return the text fields of a line that `purge` has blanked."""
    return [name for name in fields.get("digests") or () if not fields.get(name)]


def _session(layout: Layout, name: str) -> tuple[SessionOverview, int]:
    """Return a session as its log alone describes it, and the offset after its last line."""
    identifier, host = name.removesuffix(".jsonl"), ""
    count = prompts = failures = purged = end = 0
    instants: list[int] = []
    closed = False
    for line in events.read(layout, name):
        fields, end = line.fields, line.end
        count += 1
        identifier, host = str(fields.get("session_id") or identifier), str(fields.get("host") or host)
        at = time_of.parse(str(fields.get("timestamp")))
        instants += [] if at is None else [at]
        event = fields.get("event")
        prompts += event == "prompt" and fields.get("human") is not False
        failures += event in ("tool_after", "correction") and fields.get("status") == "failure"
        purged += len(purged_fields(fields))
        closed = event == "session_end" or (closed and event != "session_start")
    first, last = min(instants, default=None), max(instants, default=None)
    return SessionOverview(name, identifier, host, first, last, count, prompts, failures, purged, FINISHED if closed else OPEN), end
