"""The record of a person's decision about one bank on this machine: whether agents may be shown its memories, and what arrived by git since.

The record is in the person's own state folder (`$XDG_STATE_HOME/memorybank/trust/`), because a file in the bank could come from
whoever wrote the bank. All worktrees of a repository share one record.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import state_folder
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout
    from memorybank.storage.lock import Lock

VERSION = 1
CREATED, KEY, PERSON, SETTINGS, UNCOMMITTED = "created", "key", "person", "settings", "uncommitted"
"""How a bank came to be trusted: this machine created it, had signed logs in it already, a person accepted it, the person's settings name it, or
git tracks none of its files, so that none can have come with a clone."""
MOST_KNOWN = 200
MOST_ACCEPTED = 20_000
_CAP = 8 << 20


SHOWN = ("active", "summary.md", "episodes", "config")
"""What of a bank agents can be shown, or decides what they are shown. Nothing else waits."""


class TrustRecord(Value):
    """The decision about one bank.

    by: how it came to be trusted (`CREATED` and so on); "" while it waits for a person.
    at: when it was accepted (ISO 8601).
    follows: whether files that arrive by git are accepted without asking.
    known: commits whose files in the bank are accepted, the latest last; at most `MOST_KNOWN`.
    seen: {worktree: the commit that HEAD named when it was last looked at}.
    held: {path relative to the bank: blob id that was accepted there, "" for a new file} of what arrived and waits for a person.
    accepted: ids of contents and passages that a person accepted before any commit made here contained them, the latest last; at most
        `MOST_ACCEPTED`.
    """

    by: str = ""
    at: str = ""
    follows: bool = False
    known: tuple[str, ...] = ()
    seen: Mapping[str, str] = {}
    held: Mapping[str, str] = {}
    accepted: tuple[str, ...] = ()


def path_of(layout: Layout, environ: Mapping[str, str]) -> str:
    """Return the path of a bank's record, named after the project and a digest of the bank's path in the main worktree."""
    project = os.path.basename(os.path.dirname(os.path.dirname(layout.local_root))) or "bank"
    return os.path.join(state_folder(environ), "trust", f"{project}-{sha256(layout.local_root.encode('utf-8', 'surrogateescape')).hex()[:16]}.json")


def load(layout: Layout, environ: Mapping[str, str]) -> TrustRecord | None:
    """Return the record, or None when there is none. A record that cannot be read counts as one that waits for a person."""
    try:
        fields = jsontext.decode(disk.read(path_of(layout, environ), _CAP))
    except FileNotFoundError:
        return None
    except (MemorybankError, OSError, ValueError):
        return TrustRecord()
    if not isinstance(fields, dict) or fields.get("version") != VERSION:
        return TrustRecord()
    known, seen, held = _texts(fields.get("known")), _table(fields.get("seen")), _table(fields.get("held"))
    by, at, accepted = _text(fields.get("trusted_by")), _text(fields.get("trusted_at")), _texts(fields.get("accepted"))
    return TrustRecord(by, at, fields.get("follows") is True, known, seen, held, accepted)


def save(layout: Layout, environ: Mapping[str, str], record: TrustRecord) -> None:
    """Write the record durably. Raises MemorybankError where the state folder is not writable."""
    path = path_of(layout, environ)
    fields = {
        "version": VERSION,
        "bank": layout.local_root,
        "trusted_by": record.by,
        "trusted_at": record.at,
        "follows": record.follows,
        "known": list(record.known[-MOST_KNOWN:]),
        "seen": dict(record.seen),
        "held": dict(record.held),
        "accepted": list(record.accepted[-MOST_ACCEPTED:]),
    }
    disk.make_directories(os.path.dirname(path))
    disk.replace(path, (jsontext.encode_bytes(fields), b"\n"), durable=True)


def lock(layout: Layout, environ: Mapping[str, str], clock: Clock, seconds: float) -> Lock:
    """Return the lock for changing a bank's record.

    seconds: how long entering it waits for another process.
    """
    from memorybank.storage.lock import Lock  # late: hooks seldom change a record

    return Lock(f"{path_of(layout, environ)}.lock", "memorybank trust", clock, timeout=seconds)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _table(value: Any) -> dict[str, str]:
    return {name: each for name, each in value.items() if isinstance(each, str)} if isinstance(value, dict) else {}


def is_shown(path: str) -> bool:
    """Return whether agents can be shown a file of a bank, or whether it decides what they are shown. path: relative to the bank"""
    return path.partition("/")[0] in SHOWN
