"""Stores a person's consent to send texts of a bank to a host or a program. It is asked for once for each bank and destination.

One line of JSON each in `consents.jsonl` next to the person's own `config.json`; to withdraw consent, delete the line. It is never stored in a bank,
because a bank must not consent for the person who cloned it.
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
    """Return whether the person has consented. Unreadable lines count as no consent.

    folder: `PersonalSettingsFile.folder`
    bank: its absolute path
    to: `SummarizerChoice.leaves_by`
    """
    try:
        lines = disk.read(os.path.join(folder, FILE), _MAX_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return False
    return any(_names(line, os.path.realpath(bank), to) for line in lines)


def give(folder: str, bank: str, to: str, clock: Clock) -> None:
    """Store the person's consent."""
    disk.make_directories(folder)
    line = json.dumps({"bank": os.path.realpath(bank), "to": to, "at": instants.isoformat(clock.now())}, ensure_ascii=False)
    appending.append(os.path.join(folder, FILE), line.encode("utf-8", "surrogateescape") + b"\n", durable=True, clock=clock)


def _names(line: str, bank: str, to: str) -> bool:
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and said.get("bank") == bank and said.get("to") == to
