"""`episodes/archives/<week>.json`: the original entries of a merged week, unchanged, each with its digest.

`{"week": "2025-W38", "entries": [{"digest": …, "entry": {…}}, …]}`. An archive only grows, and it is read back before the list of episodes changes.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates, list_file
from memorybank.episodes.entry import Episode, sort
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.storage import beneath, disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.clock import Clock


def path_of(layout: Layout, week: str) -> str:
    """Return the path of a week's archive. week: ISO 8601 week, such as `2025-W38`."""
    return os.path.join(list_file.archives(layout), f"{week}.json")


def names(layout: Layout) -> list[str]:
    """Return the names of the weeks that have an archive, sorted."""
    found = beneath.names_in(list_file.archives(layout))
    return sorted(name[:-5] for name in found if name.endswith(".json") and dates.week_of(name[:-5]) is not None)


def read(layout: Layout, week: str) -> list[Episode]:
    """Return the entries in a week's archive, each checked against its digest; [] when there is no archive.

    Raises ValidationFailed when the archive is damaged.
    """
    try:
        return _entries(layout, week, disk.read(path_of(layout, week), list_file.MAX_BYTES))
    except FileNotFoundError:
        return []


def _entries(layout: Layout, week: str, data: bytes) -> list[Episode]:
    try:
        return parse(data)
    except ValueError as error:
        raise _damaged(layout, path_of(layout, week), str(error)) from None


def parse(data: bytes) -> list[Episode]:
    """Return the entries of an archive, each checked against its digest. Raises ValueError with the reason when it is damaged."""
    try:
        value = jsontext.decode(data)
    except ValueError:
        raise ValueError("is not JSON") from None
    items = value.get("entries") if isinstance(value, dict) else None
    if not isinstance(items, list):
        raise ValueError("has no list of entries")
    entries = []
    for item in items:
        raw = item.get("entry") if isinstance(item, dict) else None
        if raw is None or item.get("digest") != digest_of(raw):
            raise ValueError("contains an entry that does not match its digest")
        entries.append(Episode(raw))
    return entries


def rendered(week: str, entries: Sequence[Episode]) -> bytes:
    """Return the file of a week's archive."""
    lines = ",\n".join(f"    {jsontext.encode({'digest': digest_of(entry.raw), 'entry': entry.raw})}" for entry in entries)
    return f'{{\n  "week": {jsontext.encode(week)},\n  "entries": [\n{lines}\n  ]\n}}\n'.encode("utf-8", "replace")


def write(layout: Layout, week: str, entries: Sequence[Episode], clock: Clock) -> None:
    """Add entries to a week's archive, durably, and read the archive back. Entries that it already holds stay.

    Raises ValidationFailed when the archive is damaged, or does not hold the entries afterwards.
    """
    from memorybank.editing.write import update  # imported here because hooks only read

    have: set[str] = set()

    def grown(data: bytes | None) -> bytes | None:
        nonlocal have
        known = [] if data is None else _entries(layout, week, data)
        have = {entry.encoded for entry in known}
        wanted = sort([*known, *(entry for entry in entries if entry.encoded not in have)])
        return data if len(wanted) == len(known) else rendered(week, wanted)

    path = path_of(layout, week)
    name = os.path.relpath(path, layout.root).replace(os.sep, "/")
    # An archive only grows, so the former version is not kept.
    update(layout, "memorybank episodes", clock, name, grown, is_kept=False)
    # The caller removes these entries from the list next, so the archive must be proven readable now.
    kept = {entry.encoded for entry in read(layout, week)}
    if not have | {entry.encoded for entry in entries} <= kept:
        raise _damaged(layout, path, "does not contain the entries that were just written")


def unfolded(layout: Layout, entry: Episode) -> list[Episode]:
    """Return the original entries of a merged week.

    Returns [] when the archive is missing or damaged, or when its entries do not cover everything that the week covers.
    """
    try:
        found = read(layout, dates.week_name(entry.first)) if entry.first else []
    except MemorybankError:
        return []
    days = [day for day in found if entry.first <= day.first and day.last <= entry.last]
    covered = {cover for day in days for cover in day.covers}
    return days if set(entry.covers) <= covered else []


def digest_of(raw: object) -> str:
    """Return the SHA-256 digest of an entry's JSON value, as 64 hexadecimal digits."""
    return sha256(jsontext.encode_bytes(raw)).hex()


def _damaged(layout: Layout, path: str, what: str) -> ValidationFailed:
    return ValidationFailed(f"{layout.relative(path)}: {what}", next_step="restore the file from git; the list was not changed")
