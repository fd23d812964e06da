"""Occasions: a kind of derived memory at one moment, for example `finding@prompt`. Learning keeps a kind from being shown on an occasion, on
evidence of that occasion alone (Self-improving memory cycle, phase 4, "低寄与パターン除外").

What people wrote or stated, and what failed, is never kept back.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import sha256

DERIVED = ("finding", "files", "session", "topic")
"""The kinds that learning may keep back on an occasion."""
MOMENTS = ("session_start", "prompt", "tool_before", "failure", "subagent_start")
SUPPRESSED = "suppressed by "
"""How the reason of what is kept back begins."""
EXCLUDED = SUPPRESSED + "policy {version}, which excludes {occasion}"
UNUSED = SUPPRESSED + "learning since {day}: shown {count} times at this moment, and not used"
PROBED = 20
"""One session of so many keeps nothing back, so that what became useful again is seen."""


def name(kind: str, moment: str) -> str:
    """The occasion of a kind at a moment, as policies name it."""
    return f"{kind}@{moment}"


def is_occasion(text: str) -> bool:
    """Whether a text names an occasion that a policy may exclude. Earlier versions excluded folders and people's notes: these are read and
    not obeyed."""
    kind, _, moment = text.partition("@")
    return kind in DERIVED and moment in MOMENTS


def is_spared(kind: str) -> bool:
    """Whether memories of this kind are shown whatever they were worth."""
    return kind not in DERIVED


def is_probe(session: str) -> bool:
    """Whether this session is one of those that keep nothing back: by a hash of its id, so that nothing has to be counted."""
    return int.from_bytes(sha256(session.encode("utf-8", "replace"))[:4], "big") % PROBED == 0
