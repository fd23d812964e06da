"""Verifies the event log: every line is unaltered, lines are in their original order, and none is missing at the end.

A line's signature covers the signature before it, so an altered, removed or reordered line breaks the chain at that place. Lines cut
off at the end are found by comparing with `log/organize.jsonl`, which records for each finished session its size in bytes and its
last signature. Without the bank's key nothing can be verified: the state is `unknown`.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memorybank.log import events, key, lines
from memorybank.log.seal import digest
from memorybank.storage import compressed
from memorybank.storage.layout import Layout

_CODES = {"log_line_torn": "line_torn", "log_line_altered": "line_altered", "log_tail_torn": "tail_open"}
"""{code of a problem with any log: that of the fault}"""


@dataclass(frozen=True, slots=True)
class ChainFault:
    """A fault in one session's log.

    code: `line_torn`, `line_altered`, `chain_broken`, `text_altered`, `log_truncated`, `log_missing`, `tail_open` or `newer_format`
    line: 1-based
    """

    code: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """The result for one session's log.

    state: `whole`, `open` (the last line is still being written), `faulty` or `unknown` (no key)
    lines: valid lines
    purged: texts that `memorybank purge` blanked
    """

    name: str
    state: str
    lines: int
    purged: int
    faults: tuple[ChainFault, ...]


def check(layout: Layout, finished: Mapping[str, str] | None = None) -> list[SessionCheck]:
    """Check every session's log, by name, and report the logs that should exist but are missing.

    finished: {file name: signature of the session's last line when it was organised}, from `log/organize.jsonl`.
    """
    secret = key.load(layout)
    finished = finished or {}
    names = events.names(layout)
    missing = sorted(set(finished) - set(names))
    checks = [_session(layout, name, secret, finished.get(name)) for name in names]
    return checks + [
        SessionCheck(name, "faulty", 0, 0, (ChainFault("log_missing", None, "the session was finished, but its log is missing"),)) for name in missing
    ]


def _session(layout: Layout, name: str, secret: bytes | None, head: str | None) -> SessionCheck:
    path = os.path.join(events.folder(layout), name)
    faults = [ChainFault(_CODES.get(problem.code, problem.code), problem.line, problem.message) for problem in lines.problems(path, name)]
    if compressed.is_damaged(path):
        faults.append(ChainFault("line_altered", None, "the compressed log is damaged; readers skip the lines that are lost"))
    count = purged = 0
    seen = {name}
    if secret is None:
        count = sum(1 for _ in lines.read(path))
        return SessionCheck(name, "unknown", count, 0, tuple(faults))
    previous = name
    for number, (_, _, raw) in enumerate(lines.complete_lines(path), 1):
        fields = lines.decode(raw)
        if fields is None:
            continue
        count += 1
        if lines.is_newer(fields):  # its signature may cover other fields
            previous = str(fields.get("signature"))
            seen.add(previous)
            continue
        if fields.get("signature") != events.signature(previous, fields, secret):
            faults.append(ChainFault("chain_broken", number, "the signature does not follow from the line before: a line was altered, removed or moved"))
        previous = str(fields.get("signature"))
        seen.add(previous)
        for field, state in _texts(fields, secret):
            purged += state == "purged"
            if state == "altered":
                faults.append(ChainFault("text_altered", number, f"{field} is not the text that was recorded"))
    # The head may be anywhere in the chain: a session can have continued after it was organised.
    if head is not None and head not in seen:
        faults.append(ChainFault("log_truncated", None, "lines at the end of the finished session's log are missing"))
    codes = {fault.code for fault in faults}
    state = "faulty" if codes - {"tail_open", "line_torn", "newer_format"} else "open" if "tail_open" in codes else "whole"
    return SessionCheck(name, state, count, purged, tuple(faults))


def _texts(fields: dict[str, Any], secret: bytes) -> Iterator[tuple[str, str]]:
    """Yield (field, `whole` | `purged` | `altered`) for each text of a line."""
    for field, expected in (fields.get("digests") or {}).items():
        value = fields.get(field)
        yield field, "purged" if not value else "whole" if digest(value, secret) == expected else "altered"
