"""Occasions: a kind of derived memory at one moment, for example `finding@prompt`. Learning can exclude an occasion, on evidence of that occasion alone
(Self-improving memory cycle, phase 4, "低寄与パターン除外").

Notes and statements of people, and failures, are never excluded.
"""

from __future__ import annotations

__light__ = True

from memorybank.reasons.reason import Reason
from memorybank.storage.digest import sha256

DERIVED = ("finding", "files", "session", "topic")
"""The kinds of memory that learning may exclude on an occasion."""
MOMENTS = ("session_start", "prompt", "tool_before", "failure", "subagent_start")
EXCLUDED, UNUSED = "recall.excluded", "recall.unused"
"""Codes of the reasons why learning suppresses a memory."""
PROBED = 20
"""One of this many sessions excludes nothing, so that learning notices when something becomes useful again."""


def name(kind: str, moment: str) -> str:
    """Return the occasion of a kind at a moment, as policies name it."""
    return f"{kind}@{moment}"


def is_occasion(text: str) -> bool:
    """Return whether a text names an occasion that a policy may exclude. Exclusions of folders and notes in earlier versions are read and ignored."""
    kind, _, moment = text.partition("@")
    return kind in DERIVED and moment in MOMENTS


def is_spared(kind: str) -> bool:
    """Return whether memories of this kind are shown whatever their worth."""
    return kind not in DERIVED


def is_suppressed(why: Reason | None) -> bool:
    """Return whether learning is the reason why a memory is not shown."""
    return why is not None and why.code in (EXCLUDED, UNUSED)


def is_probe(session: str) -> bool:
    """Return whether this session excludes nothing. Decided by a hash of its id, so that nothing must be counted."""
    return int.from_bytes(sha256(session.encode("utf-8", "replace"))[:4], "big") % PROBED == 0
