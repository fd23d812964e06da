"""Evidence: the judged exposures of finished sessions, as `learning` needs them, read from the cycle's cache."""

from __future__ import annotations

from memorybank.cycle.fold.ticked import SAMPLE
from memorybank.cycle.improve import occasions
from memorybank.cycle.improve.judged import JudgedExposure
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

LOOKED_AT = 2_000
"""Number of newest judged exposures, shadows included: at least those of ten sessions, as needed for rare patterns."""


def until(connection: Connection, round_: int) -> list[JudgedExposure]:
    """Return what was judged up to a round (its position in log/organize.jsonl), newest first. The result is the same whenever it is computed."""
    found: list[JudgedExposure] = []
    # Later ticks must not change the result of an earlier round.
    (ticked_until,) = connection.execute("SELECT ifnull(max(at), 0) FROM finished WHERE round <= ?", (round_,)).fetchone()
    sessions = connection.execute("SELECT session, covered_to FROM finished WHERE round <= ? ORDER BY round DESC", (round_,))
    for session, covered_to in sessions:
        found.extend(_of_session(connection, session, covered_to, ticked_until))
        if len(found) >= LOOKED_AT:
            break
    return found[:LOOKED_AT]


def of_session(connection: Connection, session: str, covered_to: int) -> int:
    """Return the number of judged exposures of one session. Without any, nothing is learned from its end."""
    counted = "SELECT count(*) FROM exposures WHERE session = ? AND offset < ? AND sample IS NOT NULL"
    return int(connection.execute(counted, (session, covered_to)).fetchone()[0])


def _of_session(connection: Connection, session: str, covered_to: int, ticked_until: int) -> Iterator[JudgedExposure]:
    rows = connection.execute(
        f"SELECT memory, rank, {SAMPLE} AS worth, score, parts, match, evidence, kind, shown, policy, event, tokens, excluded"
        " FROM exposures WHERE session = ? AND offset < ? AND worth IS NOT NULL ORDER BY offset DESC, rank DESC",
        (ticked_until, session, covered_to),
    )
    for memory, rank, sample, score, parts, match, evidence, kind, shown, version, moment, tokens, excluded in rows:
        yield JudgedExposure(
            memory,
            rank,
            sample,
            _numbers(parts),
            score=score,
            match=match,
            anchored=bool(evidence),
            occasion=occasions.name(kind, moment),
            shown=bool(shown),
            version=version,
            session=session,
            moment=moment,
            tokens=tokens,
            excluded=bool(excluded),
        )


def _numbers(text: str | None) -> dict[str, float]:
    found: dict[str, Any] = jsontext.decode(text) if text else {}
    return found
