"""Folds exposure lines: what was shown in which context, which anchors would count as its use, and the use when it happens."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import sharing
from memorybank.cycle.fold.kinds import FAILS, FORM
from memorybank.cycle.fold.recorded import texts
from memorybank.storage import jsontext
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

USED = 0.5
"""The sample of a used exposure before anything more is known."""
WINDOW = 20
"""Number of results of the same agent within which a call counts as the use (docs/adr/0029)."""
_MOST_ANCHORS = 12
SAID = "said"
"""Stored instead of an anchor when the agent used the words of the memory in what it said or wrote."""
_LEAST_WORDS, _MOST_WORDS = 2, 4
"""Number of distinctive words that a text must contain: half of them, within these limits."""


def write(connection: Connection, file: int, line: LogEvent) -> None:
    """Insert the rows of one exposure line."""
    trigger = line.fields.get("trigger")
    event = trigger.get("event") if isinstance(trigger, dict) else None
    exposures = line.fields.get("exposures")
    for exposure in exposures if isinstance(exposures, list) else ():
        if not isinstance(exposure, dict) or not isinstance(exposure.get("memory"), str):
            continue
        named = texts(exposure.get("anchors"))[:_MOST_ANCHORS]
        warned = next((anchor for anchor in named if anchor.startswith(FAILS)), None)
        # What the agent has already touched proves nothing when it is touched again.
        new = [anchor for anchor in named if not anchor.startswith(FAILS) and not sharing.is_met(connection, file, line.agent, anchor)]
        connection.execute(
            "INSERT INTO exposures (memory, file, offset, rank, session, agent, epoch, at, event, shown, excluded, score, tokens,"
            f" parts, match, anchored, kind, policy, terms, awaited, anchors, warned) VALUES ({', '.join('?' * 22)})",
            (
                *(exposure["memory"], file, line.offset, _number(exposure.get("rank")), line.session, line.agent, line.epoch, line.at),
                *(str(event or line.event), int(exposure.get("shown") is True), int(exposure.get("excluded") is True)),
                *(_number(exposure.get("score")), _number(exposure.get("tokens")), _numbers(exposure.get("parts"))),
                *(_number(exposure.get("match")), int(any(":" in one for one in texts(exposure.get("why")))), str(exposure.get("kind") or "")),
                *(_number(line.fields.get("policy_version")), " ".join(texts(exposure.get("terms"))[:_MOST_ANCHORS]), len(new)),
                *("\n".join(new), warned),
            ),
        )


def use(connection: Connection, file: int, line: LogEvent) -> None:
    """Record the use of every memory whose awaited anchor this call touches.

    A call that comes too late uses up the memory's anchors without counting as a use. Nor does a failure that a memory warned of.
    """
    touched = [*line.anchors, *_forms(line)]
    waiting = connection.execute(
        "SELECT id, offset, anchors, warned FROM exposures WHERE session = ? AND agent = ? AND epoch = ? AND (anchors <> '' OR warned IS NOT NULL)",
        (line.session, line.agent, line.epoch),
    ).fetchall()
    for exposure, offset, anchors, warned in waiting:
        if warned in touched:
            connection.execute("UPDATE exposures SET met_at = ? WHERE id = ? AND met_at IS NULL", (line.offset, exposure))
        awaited = anchors.split("\n")
        anchor = next((one for one in touched if one in awaited), None)
        if anchor is None:
            continue
        if _is_soon(connection, file, line, offset):
            connection.execute("UPDATE exposures SET used_at = ?, used = ? WHERE id = ? AND used_at IS NULL", (line.offset, anchor, exposure))
        # One touch decides: the memory's other anchors are no longer awaited.
        connection.execute("UPDATE exposures SET anchors = '' WHERE id = ?", (exposure,))


def _forms(line: LogEvent) -> list[str]:
    """Return the forms of a command as anchors, because running what a problem recommends is a use of it; and that of a call that failed."""
    from memorybank.cycle.fold.failures import form_of_line  # late, as the next one: the end of a turn asks for no form
    from memorybank.text.commands import exact

    found = [f"{FORM}{form}" for form in exact.forms_with_variables(line.text("command"))] if line.tool == "Bash" else []
    return [*found, FAILS + form_of_line(line)] if line.failed else found


def use_words(connection: Connection, line: LogEvent, text: str) -> None:
    """Record the use of every memory whose distinctive words a text of the agent contains. Their absence says nothing."""
    waiting = connection.execute(
        "SELECT id, terms FROM exposures WHERE session = ? AND agent = ? AND epoch = ? AND used_at IS NULL AND terms <> ''",
        (line.session, line.agent, line.epoch),
    ).fetchall()
    if not waiting:
        return
    said = set(content_terms(text))
    for exposure, terms in waiting:
        words = terms.split(" ")
        carried = [word for word in words if word in said]
        if len(carried) >= min(_MOST_WORDS, max(_LEAST_WORDS, (len(words) + 1) // 2)):
            connection.execute("UPDATE exposures SET used_at = ?, used = ? WHERE id = ?", (line.offset, SAID, exposure))


def judge_turn(connection: Connection, line: LogEvent) -> None:
    """Give used exposures their sample at the end of a turn, until the end of the session determines their worth."""
    used = "UPDATE exposures SET sample = ? WHERE session = ? AND agent = ? AND used_at IS NOT NULL AND sample IS NULL"
    connection.execute(used, (USED, line.session, line.agent))


def _is_soon(connection: Connection, file: int, line: LogEvent, offset: int) -> bool:
    """Return whether fewer than WINDOW results of this agent are between the exposure and the line."""
    between = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM events WHERE file = ? AND offset > ? AND offset < ? AND agent = ? AND event = 'tool_after' LIMIT ?)",
        (file, offset, line.offset, line.agent, WINDOW),
    ).fetchone()
    return int(between[0]) < WINDOW


def _numbers(value: object) -> str:
    """Return the numbers in an object as JSON."""
    return jsontext.encode({name: number for name, number in (value.items() if isinstance(value, dict) else ()) if isinstance(number, int | float)})


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
