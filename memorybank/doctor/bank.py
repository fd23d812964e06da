"""Checks of the bank itself: its folders, who may write to them, abandoned temporary files, and files of a newer memorybank.

The last are not damaged: an older version skips them, and neither repairs nor replaces them.
"""

import os
from collections.abc import Iterator
from stat import S_ISDIR, S_ISLNK, S_IWOTH

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import NewerFormat
from memorybank.log import events
from memorybank.storage import abandoned, disk
from memorybank.text.quantities import counted

_OTHERS = 0o077
"""The permission bits of the group and of everybody else."""
_FOLDERS = ("active", "archive", "config", "episodes")
_FILES = ("summary.md", "bookmarks.json", "dates.jsonl")
_DATA = (".jsonl", ".json", ".sqlite3")
"""Ends of the names of the files in `log/`, `config/`, `episodes/`, `indexes/` and `cache/`."""
_IN_COMMIT = "move it away, and restore the right one from git"
_OWN = "move it away; memorybank creates it again when it is needed"

_UPGRADE = "upgrade memorybank; until then this file is skipped, and commands that would have to change it end with an error"


def layout(context: DoctorContext) -> Iterator[Symptom]:
    """Report names of folders and files that are something else, and a missing folder for notes."""
    root = context.layout.root
    if not os.path.isdir(context.layout.active) and not os.path.lexists(context.layout.active):
        yield Symptom(WARN, "there is no folder for notes", "active", "create it with 'memorybank init'; if notes are missing, restore them from git")
    for name in (*_FOLDERS, *_FILES):
        yield from _misplaced(context, os.path.join(root, name), name in _FOLDERS, _IN_COMMIT)
    for folder in (*_private_folders(context), context.layout.indexes, events.folder(context.layout)):
        yield from _misplaced(context, folder, True, _OWN)
    for folder in (context.layout.cache, context.layout.config, os.path.join(root, "episodes"), context.layout.indexes, context.layout.log):
        for path in context.folders_in(folder):
            if path.endswith(_DATA):
                yield from _misplaced(context, path, False, _IN_COMMIT if folder == context.layout.config else _OWN)


def _misplaced(context: DoctorContext, path: str, is_folder: bool, suggestion: str) -> Iterator[Symptom]:
    if os.path.lexists(path) and not os.path.islink(path) and os.path.isdir(path) != is_folder:
        what = "a file stands where a folder belongs" if is_folder else "a folder stands where a file belongs"
        yield Symptom(FAIL, f"{what}: commands and hooks that need it fail", context.shown(path), suggestion)


def unlinked(context: DoctorContext) -> Iterator[Symptom]:
    """Report symbolic links in the bank: they are not followed, because what a commit brings could lead out of the repository.

    A link in place of a note is reported with the notes.
    """
    root, active = context.layout.root, context.layout.active
    machine = (context.layout.log, context.layout.backups, context.layout.cache, context.layout.indexes, context.layout.metadata)
    for path, status in context.entries:
        if not S_ISLNK(status.st_mode) or path.startswith(active + os.sep):
            continue
        is_top = os.path.dirname(path) in (root, context.layout.local_root)
        is_own = any(path == folder or path.startswith(folder + os.sep) for folder in machine)
        again = "memorybank creates a real one when it is needed" if is_own else "put a real one in its place, or restore it from git"
        what = "this is a symbolic link: nothing is written or read through it" + (", and commands that need it fail" if is_top else "")
        yield Symptom(FAIL, what, context.shown(path), f"look at what it leads to, remove the link, and copy what belongs to the bank; {again}")


def readable(context: DoctorContext) -> Iterator[Symptom]:
    """Report folders of the bank that this user may not list; commands and hooks that need them fail."""
    if context.entries:
        for path in context.unseen:
            yield Symptom(
                FAIL,
                "you have no permission to list this folder: commands and hooks that need it fail",
                context.shown(path),
                f"find out who owns it: ls -ld {path}",
            )


def private(context: DoctorContext) -> Iterator[Symptom]:
    """Report folders of logs, backups and caches that other users can enter, because these contain what people said.

    Only the folders are checked, since they block the way to the files. The mode of a backup, for instance, is that of its note.
    """
    for folder in _open_folders(context):
        yield Symptom(WARN, "other users of this machine can access this folder", context.shown(folder), f"chmod go= {context.shown(folder)}")


def make_private(context: DoctorContext) -> Iterator[str]:
    """Fix: remove the access of other users from these folders."""
    for folder in _open_folders(context):
        disk.remove_permissions(folder, _OTHERS)
        yield f"removed the access of other users from {context.shown(folder)}/"


def writable(context: DoctorContext) -> Iterator[Symptom]:
    """Report files and folders that everybody can write: whoever can write a note can put words before an agent."""
    paths = _writable_by_all(context)
    if paths:
        what = f"every user of this machine can write to {counted(len(paths), 'file or folder', 'files and folders')}, whose text reaches agents"
        yield Symptom(FAIL, what, context.shown(paths[0]), "run chmod -R o-w on the bank")


def make_unwritable(context: DoctorContext) -> Iterator[str]:
    """Fix: remove the write permission of other users."""
    paths = _writable_by_all(context)
    for path in paths:
        disk.remove_permissions(path, S_IWOTH)
    if paths:
        yield f"removed the write permission of other users from {counted(len(paths), 'file or folder', 'files and folders')}"


def temps(context: DoctorContext) -> Iterator[Symptom]:
    """Report temporary files whose process has ended: they contain a copy of what was being written."""
    for path in _abandoned(context):
        yield Symptom(WARN, "a temporary file whose process has ended", context.shown(path), "'memorybank doctor --fix' removes it")


def remove_temps(context: DoctorContext) -> Iterator[str]:
    """Fix: remove these temporary files."""
    yield from context.remove(_abandoned(context))


def _abandoned(context: DoctorContext) -> list[str]:
    named = (path for path, status in context.entries if os.path.basename(path).startswith(disk.TEMP_PREFIX) and not S_ISDIR(status.st_mode))
    return [path for path in named if abandoned.is_abandoned(path, context.now)]


def _open_folders(context: DoctorContext) -> list[str]:
    private = _private_folders(context)
    return [path for path, status in context.entries if path in private and S_ISDIR(status.st_mode) and status.st_mode & _OTHERS]


def _private_folders(context: DoctorContext) -> tuple[str, ...]:
    layout = context.layout
    return (layout.log, layout.backups, layout.cache, layout.metadata)


def _writable_by_all(context: DoctorContext) -> list[str]:
    return [path for path, status in context.entries if not S_ISLNK(status.st_mode) and status.st_mode & S_IWOTH]


def newer_formats(context: DoctorContext) -> Iterator[Symptom]:
    """Report archived notes, logs, bookmarks, settings, episodes and topics that a newer memorybank wrote."""
    from memorybank.episodes import list_file as episodes  # late, like the next: the status only checks the layout
    from memorybank.episodes.topics import store as topics
    from memorybank.log import lines
    from memorybank.notes import bookmarks

    for finding in context.verified.findings:
        if finding.code == NewerFormat.code:
            yield Symptom(WARN, finding.message, finding.path, _UPGRADE)
    for name in events.names(context.layout):
        path = os.path.join(events.folder(context.layout), name)
        for problem in lines.problems(path, f"log/events/{name}") if lines.newer_lines(path) else ():
            if problem.code == NewerFormat.code:
                yield Symptom(WARN, problem.message, problem.where, _UPGRADE)
    marked = bookmarks.load(context.layout).malformed
    if marked is not None and marked.code == NewerFormat.code:
        yield Symptom(WARN, marked.message, "bookmarks.json", _UPGRADE)
    listed = episodes.read(context.layout)
    if listed.newer:
        yield Symptom(WARN, f"the list of episodes {listed.newer}", context.shown(episodes.path_of(context.layout)), _UPGRADE)
    for problem in context.configured[1]:
        if problem.code == NewerFormat.code:
            yield Symptom(WARN, problem.message, problem.path, _UPGRADE)
    stored = topics.read(context.layout)
    if stored.is_newer:
        yield Symptom(WARN, f"the file of topics {stored.broken}", context.shown(topics.path_of(context.layout)), _UPGRADE)
