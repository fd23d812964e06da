"""The exposure: the line of the log that records what a context is shown, written before the memories are printed."""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.cycle.improve import occasions
from memorybank.cycle.recall import repeated
from memorybank.cycle.recall.context import shown_in
from memorybank.errors import MemorybankError
from memorybank.log import events as log
from memorybank.storage import jsontext
from memorybank.storage.digest import hmac_sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.recollect import Composed, Draft
    from memorybank.injection import Injection

    Fields = dict[str, Any]

MOST_SHADOWS = 3
_WORDS_LOGGED = 6
"""Number of matched stems recorded for each memory. The question itself is in the log, redacted in the same way."""
_FIELDS_OF_NO_CALL: dict[str, object] = {
    "task_id": None,
    "tool": None,
    "inputs": {},
    "outputs": {},
    "status": None,
    "latency_ms": None,
    "error": None,
    "importance_score": 0.0,
}


def expose(base: CycleContext, event: Event, draft: Draft) -> Composed:
    """Record and return what the context is shown now, each memory at most once.

    Under the session's lock, memories that the context already has are dropped, one line records what it is shown now, and only then is anything
    printed. The line contains ids of memories, ranks, score parts, anchors and digests of sentences, never a text. The fold computes uses from it later:
    an anchor that the trigger did not contain and that a later event of the same context touches.

    When the log is switched off, busy or not writable, the memories are shown without a record.
    """
    context = draft.context
    composed: list[Composed] = []

    def entries(tail: log.LogTail) -> list[Fields]:
        # Called with the lock held: another hook of this context may have shown the same memories a moment ago.
        composed.append(draft.compose(context.shown | shown_in(tail.data, context.agent, max(tail.epoch, 1)), tail.data))
        return lines_of(base, event, draft, composed[0])

    if event.session_id and base.settings.phases.record and draft.has_something:
        try:
            log.EventWriter(base.layout, base.key(), base.clock, base.settings.record.cut_characters).append(event.session_id, entries)
        except MemorybankError:  # read-only or full: the agent is shown its memories without a record
            composed[:] = composed[:1]
    return composed[0] if composed else draft.compose(context.shown)


def lines_of(base: CycleContext, event: Event, draft: Draft, composed: Composed) -> list[Fields]:
    """Return the exposure line and the line for the resident summary; neither when nothing was shown and nothing came near."""
    injection = composed.injection
    exposures = []
    near = sorted(
        composed.left_out, key=lambda one: not occasions.is_suppressed(one.why)
    )  # suppressed ones first: only exposures as a shadow can bring them back
    shadows = [one for one in near if one.memory.memory not in draft.context.shown][:MOST_SHADOWS]
    for rank, recollection in enumerate((*composed.shown, *shadows), 1):
        memory = recollection.memory
        shown = injection is not None and memory.memory in injection.sizes
        exposures.append(
            {
                "memory": memory.memory,
                "rank": rank,
                "score": round(recollection.score, 4),
                "parts": {name: round(value, 4) for name, value in recollection.parts.items()},
                "match": round(memory.match, 4),
                "why": [*memory.shared, *memory.matched[:_WORDS_LOGGED]],
                "anchors": draft.anchors(memory),
                "terms": list(memory.terms),
                "kind": memory.kind,
                "tokens": injection.tokens(memory.memory) if injection is not None and shown else 0,
                "shown": shown,
                **({"version": version} if shown and (version := draft.version(memory)) else {}),
                **({"excluded": True} if occasions.is_suppressed(recollection.why) else {}),
            }
        )
    if injection is not None:
        exposures += _of_earlier_days(injection, {exposure["memory"] for exposure in exposures})
    found = []
    if exposures:
        memories = [str(exposure["memory"]) for exposure in exposures]
        said: Fields = {} if injection is None else {"sentences": repeated.digests(base.key(), injection.text)}
        found.append(_exposure_line(base, event, "exposure", memories, draft, exposures=exposures, **said))
    if composed.resident:
        found.append(_exposure_line(base, event, "resident_exposure", [composed.resident], draft, digest=composed.resident, tokens=composed.resident_tokens))
    return found


def _of_earlier_days(injection: Injection, ranked: Collection[object]) -> list[Fields]:
    """Return the exposures of the episodes at the start of a session. They are not ranked, and no use is expected of them.

    ranked: ids of the memories that were ranked.
    """
    others = [memory for memory in injection.sizes if memory not in ranked]
    if not others:
        return []
    from memorybank.episodes.entry import MEMORY
    from memorybank.episodes.window import NOTED

    shown = [memory for memory in others if memory.startswith((MEMORY, NOTED))]
    judged: Fields = {"score": 0.0, "parts": {}, "match": 0.0, "why": [], "anchors": [], "kind": "episode"}
    return [{"memory": memory, "rank": rank, **judged, "tokens": injection.tokens(memory), "shown": True} for rank, memory in enumerate(shown, len(ranked) + 1)]


def _exposure_line(base: CycleContext, event: Event, name: str, memories: list[str], draft: Draft, **fields: object) -> Fields:
    at = base.clock.now() if event.at is None else event.at
    key = base.key()
    parts = [event.session_id, event.agent_id, name, event.name, event.tool or "", event.strong_id or "", str(at), *memories]
    return {
        "id": hmac_sha256(key, jsontext.encode_bytes(parts)).hex()[:32],
        "schema_version": log.SCHEMA_VERSION,
        "event": name,
        "timestamp": time_of.isoformat(at),
        "session_id": event.session_id,
        "host": event.host,
        "agent_id": event.agent_id,
        "agent_role": base.role(event.agent_role),
        **_FIELDS_OF_NO_CALL,
        "acl": "session",
        "privacy": "private",
        "origin": "agent",
        "trigger": {"event": draft.query.moment, "tool": event.tool, "tool_use_id": event.tool_use_id, "anchors": list(draft.query.given)},
        "policy_version": base.policy.version if base.policy is not None else 0,
        **fields,
    }
