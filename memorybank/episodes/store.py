"""`episodes/episodic_memory.json`, and the texts that were once in it.

The list is replaced atomically, after every text that leaves it is in `episodes/archives/replaced/`. A file that cannot be parsed is never replaced,
except by `set_aside`, which first keeps it as `episodic_memory.broken-<stamp>.json`. A file with git's conflict marks is read as both of its sides
(`union`).
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.episodes import union
from memorybank.episodes.entry import ERROR_TEXT, Episode, file_text, sort
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.storage import disk, jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAME = "episodic_memory.json"
MAX_BYTES = 1 << 28


class StoredEpisodes:
    """The content of the list's file.

    entries: sorted; () when the file cannot be parsed
    broken: the reason why it cannot be parsed, else ""
    merged: whether the file holds git's conflict marks; `entries` then joins both sides
    dropped: entries that a better one replaces, still in the file
    """

    __slots__ = ("broken", "dropped", "entries", "merged")

    def __init__(self, entries: Sequence[Episode] = (), *, broken: str = "", merged: bool = False, dropped: Sequence[Episode] = ()) -> None:
        self.entries = tuple(entries)
        self.broken = broken
        self.merged = merged
        self.dropped = tuple(dropped)

    def __repr__(self) -> str:
        return f"StoredEpisodes({len(self.entries)} entries, broken={self.broken!r}, merged={self.merged!r})"


def folder(layout: Layout) -> str:
    """Return the folder of the episodes."""
    return os.path.join(layout.root, "episodes")


def path_of(layout: Layout) -> str:
    """Return the path of the list."""
    return os.path.join(folder(layout), NAME)


def archives(layout: Layout) -> str:
    """Return the folder of merged weeks."""
    return os.path.join(folder(layout), "archives")


def replaced_folder(layout: Layout) -> str:
    """Return the folder of replaced texts."""
    return os.path.join(archives(layout), "replaced")


def state(layout: Layout) -> str:
    """Return a text that changes whenever the list's file changes or is replaced; "none" without a file."""
    return " ".join(map(str, _signature(path_of(layout)))) or "none"


def modified_ns(layout: Layout) -> int:
    """Return when the list's file was last modified (ns); 0 without a file."""
    found = _signature(path_of(layout))
    return found[2] if found else 0


def read(layout: Layout) -> StoredEpisodes:
    """Return the current list. Never raises for the file's content. A missing file is an empty list."""
    try:
        return parse(disk.read(path_of(layout), MAX_BYTES))
    except FileNotFoundError:
        return StoredEpisodes()
    except MemorybankError as error:
        return StoredEpisodes(broken=error.message)


def parse(data: bytes) -> StoredEpisodes:
    """Return the list that these bytes contain."""
    try:
        copies = union.copies(data, _entries, "JSON list")
    except ValueError as error:
        return StoredEpisodes(broken=str(error))
    if len(copies) == 1:
        return StoredEpisodes(sort(copies[0]))
    kept, dropped = union.union(*copies)
    return StoredEpisodes(kept, merged=True, dropped=dropped)


def salvage(data: bytes) -> list[Episode]:
    """Return the entries that can still be read from a file that is not a JSON list: every object in it with a date and a summary."""
    text = data.decode("utf-8", "replace")
    found: dict[str, Episode] = {}
    at = text.find("{")
    while at >= 0:
        end = _object_end(text, at)
        entry = _object(text[at:end]) if end else None
        if entry is not None:
            found.setdefault(entry.encoded, entry)
        at = text.find("{", end if entry is not None else at + 1)
    return sort(list(found.values()))


class EpisodeStore:
    """The list of one bank, for code that changes it.

    The caller holds the lock of the episodes. People and git do not, so every change is applied to the list as it is at that moment.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._known: tuple[tuple[int, ...], StoredEpisodes] | None = None

    def read(self) -> StoredEpisodes:
        """Return the current list. The file is parsed again only when it has changed."""
        seen = _signature(path_of(self.layout))
        if self._known is None or self._known[0] != seen or seen == ():
            self._known = (seen, read(self.layout))
        return self._known[1]

    def change(self, edit: Callable[[list[Episode]], Sequence[Episode]], *, kept_elsewhere: frozenset[str] = frozenset()) -> tuple[Episode, ...]:
        """Replace the list by the result of `edit`, after archiving every entry that leaves it. Returns the new list.

        kept_elsewhere: `encoded` of entries that are already in a verified archive

        Raises ValidationFailed when the file is broken.
        """
        stored = self.read()
        refuse_broken(self.layout, stored)
        wanted = sort(list(edit(list(stored.entries))))
        staying = {entry.encoded for entry in wanted}
        # The archives come first: a crash before the list is written leaves a copy too many, never one too few.
        for entry in (*stored.entries, *stored.dropped):
            if entry.encoded not in staying and entry.encoded not in kept_elsewhere:
                keep_replaced(self.layout, entry)
        if stored.merged or not union.same(wanted, stored.entries):
            self._write(wanted)
        return tuple(wanted)

    def set_aside(self, clock: Clock) -> tuple[str, int]:
        """Keep a broken file under another name and continue with the entries that can be read out of it. Returns (new name, number of entries saved)."""
        path = path_of(self.layout)
        data = disk.read(path, MAX_BYTES)
        name = keep_broken(self.layout, NAME, data, clock)
        saved = salvage(data)
        if saved:
            self._write(saved)
        else:
            disk.remove(path)
            disk.sync_directory(folder(self.layout))
            self._known = None
        return name, len(saved)

    def _write(self, entries: Sequence[Episode]) -> None:
        disk.make_directories(folder(self.layout), disk.USER_DIRECTORY, durable=True)
        disk.replace(path_of(self.layout), (file_text(entries).encode("utf-8", "replace"),), mode=disk.USER_FILE, durable=True)
        self._known = (_signature(path_of(self.layout)), StoredEpisodes(entries))


def refuse_broken(layout: Layout, stored: StoredEpisodes) -> None:
    """Raise ValidationFailed when the list cannot be parsed: writing a new one would lose it."""
    if stored.broken:
        raise ValidationFailed(
            f"{layout.relative(path_of(layout))}: {stored.broken}; nothing was changed",
            next_step="repair or restore the file, or run 'memorybank episodes repair', which keeps it under another name and continues with what can be read",
        )


def keep_replaced(layout: Layout, entry: Episode) -> None:
    """Write an entry that is about to leave the list to the archives, unless it is there already. Our own record of a failed day has no text to keep."""
    if entry.is_error and entry.summary == ERROR_TEXT:
        return
    data = (entry.encoded + "\n").encode("utf-8", "replace")
    target = replaced_folder(layout)
    disk.make_directories(target, disk.USER_DIRECTORY, durable=True)
    try:
        disk.create(os.path.join(target, replaced_name(entry.first or "undated", data)), data)
    except FileExistsError:
        return


def replaced_name(date: str, data: bytes) -> str:
    """What the file of a replaced entry is called."""
    return f"{date}-{sha256(data).hex()[:16]}.json"


def replaced(layout: Layout) -> list[Episode]:
    """Every entry that once stood in the list and was replaced, in the order of dates."""
    found = []
    try:
        names = sorted(os.listdir(replaced_folder(layout)))
    except FileNotFoundError:
        return []
    for name in names:
        if name.endswith(".json"):
            entry = _object(disk.read(os.path.join(replaced_folder(layout), name), MAX_BYTES).decode("utf-8", "replace"))
            if entry is not None:
                found.append(entry)
    return sort(found)


def _entries(text: str) -> list[Episode]:
    """Return the entries of a JSON list. Raises ValueError with the reason when the text is not one."""
    try:
        value = jsontext.decode(text)
    except ValueError:
        raise ValueError("is not JSON") from None
    if not isinstance(value, list):
        raise ValueError("is not a JSON list")
    return [Episode(item) for item in value]


def _object(text: str) -> Episode | None:
    try:
        value = jsontext.decode(text)
    except ValueError:
        return None
    entry = Episode(value)
    return entry if isinstance(value, dict) and "date" in value and "summary" in value else None


def _object_end(text: str, begin: int) -> int:
    """Return the offset after the bracket that closes the one at `begin`, skipping strings; 0 when it is not closed."""
    depth = 0
    quoted = False
    at = begin
    while at < len(text):
        sign = text[at]
        if quoted:
            if sign == "\\":
                at += 1
            elif sign in '"\n':  # no string of this file spans lines, so a line end closes one that was cut off
                quoted = False
        elif sign == '"':
            quoted = True
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return 0


def keep_broken(layout: Layout, name: str, data: bytes, clock: Clock) -> str:
    """Store the bytes of an unreadable file of the episodes in the same folder, under the first free name. Returns that name."""
    stem = f"{name.removesuffix('.json')}.broken-{time_of.stamp(clock.now())}"
    number = 1
    while True:
        name = f"{stem}{f'-{number}' if number > 1 else ''}.json"
        try:
            disk.create(os.path.join(folder(layout), name), data)
            return name
        except FileExistsError:
            number += 1


def _signature(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return ()
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
