"""Evidence: the judged exposures of finished sessions, as `learning` takes them. Reads the cycle's cache."""

from __future__ import annotations

from memorybank.cycle.improve import patterns
from memorybank.cycle.improve.judged import Judged
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

LOOKED_AT = 2_000
"""Newest judged exposures, shadows included: ten sessions' at least, and what a seldom pattern needs."""
SESSIONS = 50
"""Newest sessions that say whether tokens are scarce."""


def until(connection: Connection, round_: int) -> list[Judged]:
    """What was judged up to a round (its place in log/organize.jsonl), the newest first: the same whoever asks, and whenever."""
    found: list[Judged] = []
    sessions = connection.execute("SELECT session, covered_to FROM finished WHERE round <= ? ORDER BY round DESC", (round_,))
    for session, covered_to in sessions:
        found.extend(_of_session(connection, session, covered_to))
        if len(found) >= LOOKED_AT:
            break
    return found[:LOOKED_AT]


def spent(connection: Connection, round_: int) -> list[int]:
    """Tokens of memories that each of the newest finished sessions was given, up to a round."""
    asked = (
        "SELECT (SELECT ifnull(sum(tokens), 0) FROM exposures e WHERE e.session = f.session AND e.offset < f.covered_to AND shown = 1)"
        " FROM finished f WHERE round <= ? ORDER BY round DESC LIMIT ?"
    )
    return [int(tokens) for (tokens,) in connection.execute(asked, (round_, SESSIONS))]


def of_session(connection: Connection, session: str, covered_to: int) -> int:
    """How many exposures of one session were judged: without any, nothing is learned from its end."""
    counted = "SELECT count(*) FROM exposures WHERE session = ? AND offset < ? AND sample IS NOT NULL"
    return int(connection.execute(counted, (session, covered_to)).fetchone()[0])


def _of_session(connection: Connection, session: str, covered_to: int) -> Iterator[Judged]:
    rows = connection.execute(
        "SELECT e.memory, rank, sample, score, parts, factors, match, evidence, pattern, shown, policy, e.event, e.tokens, excluded,"
        " ifnull(m.protected, 0), ifnull(m.failures, 0)"
        " FROM exposures e LEFT JOIN memories m ON m.memory = e.memory WHERE e.session = ? AND e.offset < ? AND sample IS NOT NULL"
        " ORDER BY e.offset DESC, rank DESC",
        (session, covered_to),
    )
    for memory, rank, sample, score, parts, factors, match, evidence, pattern, shown, version, moment, tokens, excluded, protected, failures in rows:
        yield Judged(
            memory,
            rank,
            sample,
            _numbers(parts),
            _numbers(factors),
            score,
            match,
            bool(evidence),
            _patterns(memory, moment, evidence, pattern, protected=bool(protected), failed=bool(failures)),
            bool(shown),
            version,
            session,
            moment,
            tokens,
            bool(excluded),
        )


def _patterns(memory: str, moment: str, evidence: str, pattern: str, *, protected: bool, failed: bool) -> tuple[str, ...]:
    """Of what it may be left out by: its pattern and its occasion."""
    occasion = patterns.occasion(memory, moment, evidence)
    spared = patterns.is_spared(occasion, protected=protected, failed=failed)
    return (*([pattern] if pattern and not protected and not failed else []), *([] if spared else [occasion]))


def _numbers(text: str | None) -> dict[str, float]:
    found: dict[str, Any] = jsontext.decode(text) if text else {}
    return found
