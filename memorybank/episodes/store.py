"""Changes the list of episodes, and keeps the texts that leave it.

The list is replaced atomically, after every text that leaves it is in `episodes/archives/replaced/`. A file that cannot be parsed is never replaced,
except by `set_aside`, which first keeps it as `episodic_memory.broken-<stamp>.json`.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.episodes import list_file, union
from memorybank.episodes.entry import ERROR_TEXT, Episode, sort
from memorybank.episodes.list_file import StoredEpisodes
from memorybank.errors import MemorybankError
from memorybank.storage import beneath, disk
from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class EpisodeStore:
    """The list of one bank, for code that changes it.

    The caller holds the lock of the episodes. People and git do not, so every change is applied to the list as it is at that moment.
    timeout: seconds to wait for a command that changes other files of the bank; `LockTimeout` after that
    """

    def __init__(self, layout: Layout, clock: Clock, timeout: float = 2.0) -> None:
        self.layout = layout
        self.clock = clock
        self._timeout = timeout
        self._known: tuple[tuple[int, ...], StoredEpisodes] | None = None
        self._parsed: tuple[bytes, StoredEpisodes] | None = None

    def read(self) -> StoredEpisodes:
        """Return the current list. The file is parsed again only when it has changed."""
        seen = list_file.signature(list_file.path_of(self.layout))
        if seen == ():
            from memorybank.editing.write import finish_interrupted  # imported here because hooks only read

            # A killed change can leave the list without its name.
            if finish_interrupted(self.layout, self.clock, timeout=self._timeout):
                seen = list_file.signature(list_file.path_of(self.layout))
        if self._known is None or self._known[0] != seen or seen == ():
            self._known = (seen, list_file.read(self.layout))
        return self._known[1]

    def change(self, edit: Callable[[list[Episode]], Sequence[Episode]], *, kept_elsewhere: frozenset[str] = frozenset()) -> tuple[Episode, ...]:
        """Replace the list by the result of `edit`, after archiving every entry that leaves it. Returns the new list.

        edit: called again with the present list when somebody saves the file in between
        kept_elsewhere: `encoded` of entries that are already in a verified archive

        Raises ValidationFailed when the file is broken, NewerFormat when a newer memorybank wrote it.
        """
        wanted: list[Episode] = []

        def changed(data: bytes | None) -> bytes | None:
            nonlocal wanted
            stored = self._stored(data)
            list_file.refuse_unwritable(self.layout, stored)
            wanted = sort(list(edit(list(stored.entries))))
            staying = {entry.encoded for entry in wanted}
            # The archives come first: a crash before the list is written leaves a copy too many, never one too few.
            for entry in (*stored.entries, *stored.dropped):
                if entry.encoded not in staying and entry.encoded not in kept_elsewhere:
                    keep_replaced(self.layout, entry)
            return list_file.encode(wanted, stored.members) if stored.merged or stored.dropped or not union.same(wanted, stored.entries) else data

        self._update(changed)
        return tuple(wanted)

    def set_aside(self, clock: Clock) -> tuple[str, int]:
        """Keep a broken file under another name and continue with the entries that can be read out of it.

        Returns (new name, number of entries saved); ("", 0) when the file is not broken.
        """
        name, saved = "", 0

        def changed(data: bytes | None) -> bytes | None:
            nonlocal name, saved
            if data is None or not list_file.parse(data).broken:
                return data
            name = keep_broken(self.layout, list_file.NAME, data, clock)
            entries = list_file.salvage(data)
            saved = len(entries)
            return list_file.encode(entries, None) if entries else None

        self._update(changed)
        return name, saved

    def _stored(self, data: bytes | None) -> StoredEpisodes:
        if data is None:
            return StoredEpisodes()
        if self._parsed is None or self._parsed[0] != data:
            self._parsed = (data, list_file.parse(data))
        return self._parsed[1]

    def _update(self, edit: Callable[[bytes | None], bytes | None]) -> None:
        from memorybank.editing.write import update  # imported here because hooks only read

        # A text that leaves the list is in the archives, so the former version of the list is not kept as well.
        update(self.layout, "memorybank episodes", self.clock, f"{list_file.FOLDER}/{list_file.NAME}", edit, is_kept=False, timeout=self._timeout)
        self._known = None


def keep_replaced(layout: Layout, entry: Episode) -> None:
    """Write an entry that is about to leave the list to the archives, unless it is there already. Our own record of a failed day has no text to keep."""
    if entry.is_error and entry.summary == ERROR_TEXT:
        return
    data = (entry.encoded + "\n").encode("utf-8", "replace")
    target = list_file.replaced_folder(layout)
    disk.make_directories(target, disk.USER_DIRECTORY, durable=True)
    try:
        disk.create(os.path.join(target, replaced_name(entry.first or "undated", data)), data)
    except FileExistsError:
        return


def replaced_name(date: str, data: bytes) -> str:
    """Return the name of the file that keeps a replaced entry."""
    return f"{date}-{sha256(data).hex()[:16]}.json"


def keep_broken(layout: Layout, name: str, data: bytes, clock: Clock) -> str:
    """Store the bytes of an unreadable file of the episodes in the same folder, under the first free name. Returns that name.

    A copy that an interrupted command stored counts, so that there are not two of them.
    """
    begin = f"{name.removesuffix('.json')}.broken-"
    for known in beneath.names_in(list_file.folder(layout)):
        if known.startswith(begin) and _has_bytes(os.path.join(list_file.folder(layout), known), data):
            return known
    stem = begin + time_of.stamp(clock.now())
    number = 1
    while True:
        name = f"{stem}{f'-{number}' if number > 1 else ''}.json"
        try:
            disk.create(os.path.join(list_file.folder(layout), name), data)
            return name
        except FileExistsError:
            number += 1


def _has_bytes(path: str, data: bytes) -> bool:
    try:
        return beneath.stat(path).st_size == len(data) and disk.read(path, list_file.MAX_BYTES) == data
    except (OSError, MemorybankError):
        return False
