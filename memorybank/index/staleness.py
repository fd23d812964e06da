"""Checks whether the rows still agree with files, log, git, settings and clock. It only reads and imports little, because every search does this."""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.index import meta, queries, recorded
from memorybank.index.working import Index
from memorybank.log import access, lines
from memorybank.notes.note_files import NoteFile, NoteFiles, NoteSweep
from memorybank.storage import beneath, jsontext
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memorybank.index.queries import FileState


class IndexDifference(Value):
    """The difference between files and rows.

    suspects: note files that must be read.
    gone: keys whose file does not exist, except below folders that could not be listed.
    hidden: number of rows whose folder could not be listed.
    states: the text that `record_agreement` stores when nothing differs; "" when it is already stored.
    """

    suspects: list[NoteFile] | NoteFiles
    gone: list[str]
    hidden: int = 0
    states: str = ""

    @property
    def is_none(self) -> bool:
        """Whether each file has a row that was made from it, and each row such a file."""
        return not (self.suspects or self.gone or self.hidden)


_COMPARED = "compared_files"
"""Key of `meta`: the revision of rows that agreed with all files, and the fingerprint that these files had."""


def difference(index: Index, swept: NoteSweep, only: Collection[str] | None) -> IndexDifference:
    """Return which notes must be read or removed.

    only: restrict the comparison to these keys; None compares all.
    """
    states = _states(index, swept) if only is None else ""
    if only is None and states == meta.text(index.connection, _COMPARED):
        return IndexDifference([], [])
    suspects, missing = _compare(swept.files, queries.each_file_state(index.connection, only))
    hidden = tuple(problem.path for problem in swept.problems if problem.code == "unreadable")
    gone = [key for key in sorted(missing) if not key.startswith(hidden)]
    return IndexDifference(suspects, gone, len(missing) - len(gone), states)


def differing(index: Index, swept: NoteSweep) -> IndexDifference:
    """Compare every file with its row, as `difference` does, although neither may have changed since they agreed."""
    suspects, gone = _compare(swept.files, queries.each_file_state(index.connection))
    return IndexDifference(suspects, sorted(gone))


def _compare(files: list[NoteFile] | NoteFiles, rows: Iterable[tuple[str, FileState]]) -> tuple[list[NoteFile] | NoteFiles, list[str]]:
    """Return (files without a row that was made from them, keys of rows without a file). No row is kept: a large bank has many."""
    gone: list[str] = []
    if isinstance(files, NoteFiles):
        return files.different(rows, gone), gone
    known = dict(rows)
    suspects = [found for found in files if known.pop(found.key, None) != found.state]
    return suspects, list(known)


def record_agreement(index: Index, found: IndexDifference) -> None:
    """Record that files and rows agree, so that `difference` reads no rows as long as neither change. Does nothing where they differ.

    A fold that changes a note raises the revision. After `record_sources`, and in a new index, the rows are read again.
    """
    if found.states and found.is_none:
        meta.write(index.connection, _COMPARED, found.states)


def _states(index: Index, swept: NoteSweep) -> str:
    """Return the revision of the rows and the fingerprint of all files."""
    return f"{meta.integer(index.connection, 'revision') or 0} {swept.fingerprint()}"


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
        meta.write(index.connection, _COMPARED, None)
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
