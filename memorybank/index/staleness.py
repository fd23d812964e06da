"""Checks whether the rows still agree with files, log, git, settings and clock. It only reads and imports little, because every search does this."""

from __future__ import annotations

__light__ = True

from itertools import chain

from memorybank import git
from memorybank.index import meta, queries, recorded
from memorybank.index.working import Index
from memorybank.log import access, lines
from memorybank.notes.note_files import ListedNotes, NoteFile, NoteFiles, NoteSweep, folder_of
from memorybank.storage import beneath, jsontext
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.index.queries import FileState


class IndexDifference(Value):
    """The difference between files and rows.

    suspects: note files that must be read.
    gone: keys whose file does not exist, except below folders that could not be listed.
    hidden: number of rows whose folder could not be listed.
    listings: for `record_agreement`: {folder: what it lists now, None if it is missing}, of folders whose rows were read and agree with it.
    revision: that of the rows before they were compared.
    """

    suspects: list[NoteFile] | NoteFiles
    gone: list[str]
    hidden: int
    listings: dict[str, bytes | None]
    revision: int

    @property
    def is_none(self) -> bool:
        """Whether each file has a row that was made from it, and each row such a file."""
        return not (self.suspects or self.gone or self.hidden)


NO_DIFFERENCE = IndexDifference([], [], 0, {}, 0)
_FEW_FOLDERS = 50
"""Number of folders up to which only their rows are read. The rows of more are found sooner among all."""


def difference(index: Index, swept: NoteSweep, only: Collection[str] | None) -> IndexDifference:
    """Return which notes must be read or removed.

    only: restrict the comparison to these keys; None compares all, but reads no rows of folders that still list what agreed with their rows.
    """
    revision = meta.integer(index.connection, "revision") or 0
    listed = swept.listed if only is None else None
    listings: dict[str, bytes | None] = {}
    if listed is None:
        suspects, missing = _compare(swept.files, queries.each_file_state(index.connection, only))
    else:
        listings = _not_agreed(index, listed)
        if len(listings) > _FEW_FOLDERS:
            suspects, missing = _compare(swept.files, queries.each_file_state(index.connection))
            listings = {} if suspects or missing else listings
        else:
            suspects, missing = _compare_folders(index, listed, listings, swept.others)
            for key in chain((found.key for found in suspects), missing):
                listings.pop(folder_of(key), None)
    hidden = tuple(problem.path for problem in swept.problems if problem.code == "unreadable")
    gone = [key for key in sorted(missing) if not key.startswith(hidden)]
    return IndexDifference(suspects, gone, len(missing) - len(gone), listings, revision)


def differing(index: Index, swept: NoteSweep) -> IndexDifference:
    """Compare every file with its row, as `difference` does, although neither may have changed since they agreed."""
    suspects, gone = _compare(swept.files, queries.each_file_state(index.connection))
    return IndexDifference(suspects, sorted(gone), 0, {}, 0)


def _not_agreed(index: Index, listed: ListedNotes) -> dict[str, bytes | None]:
    """Return {folder: what it lists now, None if it is missing} of all folders whose rows may not agree with it."""
    found: dict[str, bytes | None] = {**listed.listings}
    for folder, listing in index.connection.execute("SELECT path, listing FROM listings"):
        if found.setdefault(folder, None) == listing is not None:
            del found[folder]
    return found


def _compare_folders(
    index: Index, listed: ListedNotes, folders: dict[str, bytes | None], others: Sequence[NoteFile]
) -> tuple[list[NoteFile] | NoteFiles, list[str]]:
    """Do what `_compare` does for the notes of some folders, and for the files of sources."""
    rows = chain.from_iterable(queries.file_states_in(index.connection, folder).items() for folder in folders)
    suspects, gone = _compare(listed.files([folder for folder, listing in folders.items() if listing is not None]), rows)
    of_sources = [row[0] for row in index.connection.execute("SELECT key FROM notes WHERE source <> ''")]
    more, missing = _compare(list(others), queries.each_file_state(index.connection, of_sources))
    return sorted([*suspects, *more]) if more else suspects, [*gone, *missing]


def _compare(files: list[NoteFile] | NoteFiles, rows: Iterable[tuple[str, FileState]]) -> tuple[list[NoteFile] | NoteFiles, list[str]]:
    """Return (files without a row that was made from them, keys of rows without a file). No row is kept: a large bank has many."""
    gone: list[str] = []
    if isinstance(files, NoteFiles):
        return files.different(rows, gone), gone
    known = dict(rows)
    suspects = [found for found in files if known.pop(found.key, None) != found.state]
    return suspects, list(known)


def record_agreement(index: Index, found: IndexDifference) -> None:
    """Record what folders list whose rows agree with it, so that `difference` reads no rows of them as long as they list the same.

    The caller holds a transaction. Nothing is recorded if another process has changed rows since. Whoever writes or removes a row takes back what
    is recorded of its folder (`store`).
    """
    if found.listings and (meta.integer(index.connection, "revision") or 0) == found.revision:
        index.connection.executemany("DELETE FROM listings WHERE path = ?", [(folder,) for folder in found.listings])
        kept = [(folder, listing) for folder, listing in found.listings.items() if listing is not None]
        index.connection.executemany("INSERT INTO listings VALUES (?, ?)", kept)


def is_due(index: Index, found: IndexDifference) -> bool:
    """Return whether a fold would write anything."""
    moved = settings_changed(index) or sources_changed(index) or _log_is_behind(index) or _head_moved(index)
    return bool(found.suspects or found.gone or moved or recorded.is_behind(index.connection, index.layout) or scores_are_due(index))


def settings_changed(index: Index) -> bool:
    """Return whether the rows were made with other settings."""
    return meta.text(index.connection, "settings") != settings_text(index)


def record_settings(index: Index) -> None:
    """Record the current settings for an empty index; do nothing for one that has rows or settings."""
    if not meta.text(index.connection, "settings") and not index.count():
        meta.write(index.connection, "settings", settings_text(index))


def settings_text(index: Index) -> str:
    """Return the settings that the rows depend on, as text. The rotation policy is not among them."""
    return jsontext.encode([index.settings.scoring.to_json(), index.settings.index.to_json()])


def sources_changed(index: Index) -> bool:
    """Return whether the last complete fold knew other sources."""
    return (meta.text(index.connection, "sources") or "") != _sources_text(index)


def record_sources(index: Index) -> None:
    """Record the current sources. If they changed, every file of a source counts as changed, because its row may belong to another source now."""
    if sources_changed(index):
        index.connection.execute("UPDATE notes SET racy = 1, digest = '' WHERE source <> ''")
        meta.write(index.connection, "sources", _sources_text(index))


def _sources_text(index: Index) -> str:
    """Return the sources as text; "" when there are none."""
    return jsontext.encode([[source.name, source.kind, source.key, list(source.left_out)] for source in index.sources.sources]) if index.sources.sources else ""


def scores_are_due(index: Index) -> bool:
    """Return whether the passage of time alone changed a score since the last fold."""
    scored_at = meta.integer(index.connection, "scored_at")
    if scored_at is None or index.now < scored_at:
        return True
    return index.connection.execute("SELECT 1 FROM notes WHERE next_change_at <= ? LIMIT 1", (index.now,)).fetchone() is not None


def head_of(layout: Layout) -> str:
    """Return the commit that HEAD points to; '' outside git."""
    return (git.head(layout.repository) or "") if layout.repository else ""


def history_state(index: Index) -> str:
    """Return the state that git's dates depend on: HEAD, and the sources whose files have dates too."""
    head, inside = head_of(index.layout), [source.key for source in index.sources.sources if not source.is_private]
    return " ".join([head, *inside]) if head else ""


def first_line(path: str) -> str:
    """Return the first line of a file in hexadecimal, at most 160 bytes of it, by which one log is distinguished from another; '' without a file."""
    try:
        with beneath.stream(path) as stream:
            return stream.read(160).partition(b"\n")[0].hex()
    except FileNotFoundError:
        return ""


def _log_is_behind(index: Index) -> bool:
    """Return whether the access log has lines that are not folded, or is another log than the folded one."""
    path = access.path(index.layout)
    size = lines.size(path)
    folded = meta.integer(index.connection, "access_offset") or 0
    return size != folded or (size > 0 and first_line(path) != meta.text(index.connection, "access_identity"))


def _head_moved(index: Index) -> bool:
    return history_state(index) != (meta.text(index.connection, "git_head") or "")
