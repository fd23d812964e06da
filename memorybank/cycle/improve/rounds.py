"""Learns at the end of a session: writes one record to `log/policy.jsonl` when the evidence of the round is certain enough.

The evidence consists of the judged exposures of finished sessions. Each round is used once. The record names its round, so that resuming an interrupted run
writes no second one, and it uses only what was judged up to that round, whichever session finishes later.
"""

from __future__ import annotations

from itertools import pairwise

from memorybank.cycle import policy
from memorybank.cycle.fold.ticked import SAMPLE
from memorybank.cycle.improve.learning import JudgedExposure, propose
from memorybank.log import policy as log
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

    from memorybank.cycle.base import CycleContext

    Fields = dict[str, Any]

LOOKED_AT = 2_000
"""Number of newest judged exposures, shadows included: at least those of ten sessions, as needed for rare patterns."""


def learn(base: CycleContext, connection: Connection, session: str) -> int | None:
    """Learn from a finished session. Returns the version of the new policy, None when nothing changed.

    Raises LockTimeout when another process is changing the policy.
    """
    row = connection.execute("SELECT covered_to, round, at FROM finished WHERE session = ?", (session,)).fetchone()
    if row is None:
        return None
    covered_to, round_, at = row
    judged = "SELECT 1 FROM exposures WHERE session = ? AND offset < ? AND sample IS NOT NULL LIMIT 1"
    if connection.execute(judged, (session, covered_to)).fetchone() is None:
        return None

    def compose(lines: list[Fields]) -> Fields | None:
        records = [record for fields in lines if (record := policy.of_fields(fields)) is not None]
        # This round has already been learned from, by a run that was interrupted afterwards.
        if any(record.session == session and record.covered_to == covered_to for record in records):
            return None
        last = records[-1] if records else policy.of_settings(base.configured)
        if last.frozen:
            return None
        values = policy.in_force(base.configured, last)
        since = changed_at([policy.of_settings(base.configured), *records])
        proposal = propose(evidence_until(connection, round_), values, last.exclusions, since, base.configured)
        if proposal is None:
            return None
        return policy.PolicyRecord(
            proposal.values,
            policy.values_of(base.configured),
            proposal.exclusions,
            at=at,
            session=session,
            covered_to=covered_to,
            evidence=proposal.evidence,
            reason="; ".join(proposal.reasons),
            by=policy.LEARNING,
        ).fields()

    written = log.append(base.layout, base.key(), compose, base.clock)
    return None if written is None else int(written["version"])


def changed_at(records: list[policy.PolicyRecord]) -> dict[str, int]:
    """Return {unit of values, or occasion: the version at which it last changed}."""
    found: dict[str, int] = {}
    for before, record in pairwise(records):
        found.update({policy.unit(key): record.version for key in policy.KEYS if record.values[key] != before.values[key]})
        found.update(dict.fromkeys(set(record.exclusions) ^ set(before.exclusions), record.version))
    return found


def evidence_until(connection: Connection, round_: int) -> list[JudgedExposure]:
    """Return the judged exposures up to a round, newest first; at any later time the result is the same. round_: its position in log/organize.jsonl"""
    found: list[JudgedExposure] = []
    # Later ticks must not change the result of an earlier round.
    (ticked_until,) = connection.execute("SELECT ifnull(max(at), 0) FROM finished WHERE round <= ?", (round_,)).fetchone()
    sessions = connection.execute("SELECT session, covered_to FROM finished WHERE round <= ? ORDER BY round DESC", (round_,))
    for session, covered_to in sessions:
        found.extend(_of_session(connection, session, covered_to, ticked_until))
        if len(found) >= LOOKED_AT:
            break
    return found[:LOOKED_AT]


def _of_session(connection: Connection, session: str, covered_to: int, ticked_until: int) -> Iterator[JudgedExposure]:
    asked = (
        f"SELECT memory, rank, {SAMPLE} AS worth, parts, score, match, anchored, kind || '@' || event, shown, policy, session, event, excluded"
        " FROM exposures WHERE session = ? AND offset < ? AND worth IS NOT NULL ORDER BY offset DESC, rank DESC"
    )
    for memory, rank, sample, parts, *others in connection.execute(asked, (ticked_until, session, covered_to)):
        yield JudgedExposure(memory, rank, sample, jsontext.decode(parts), *others)
