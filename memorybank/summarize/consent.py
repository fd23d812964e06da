"""What a person agreed to: texts of this bank may go to that host, or to that program. Asked once per (bank, host), kept in the person's own folder.

A line of JSON each in `consents.jsonl` beside their `config.json`; to take one back, delete its line. Never in a bank: a bank must not agree for
the person who cloned it.
"""

from __future__ import annotations

import json
import os

from memorybank import clock as instants
from memorybank.clock import Clock
from memorybank.storage import appending, disk

FILE = "consents.jsonl"
_MAX_BYTES = 1 << 20


def is_given(folder: str, bank: str, to: str) -> bool:
    """folder: `Own.folder`; bank: its absolute path; to: `Choice.leaves_by`. Lines that cannot be read count for nothing."""
    try:
        lines = disk.read(os.path.join(folder, FILE), _MAX_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return False
    return any(_names(line, os.path.realpath(bank), to) for line in lines)


def give(folder: str, bank: str, to: str, clock: Clock) -> None:
    """Remember that the person said yes."""
    disk.make_directories(folder)
    line = json.dumps({"bank": os.path.realpath(bank), "to": to, "at": instants.isoformat(clock.now())}, ensure_ascii=False)
    appending.append(os.path.join(folder, FILE), line.encode("utf-8", "surrogateescape") + b"\n", durable=True, clock=clock)


def _names(line: str, bank: str, to: str) -> bool:
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("bank") == bank and said.get("to") == to
