"""The context of all checks: one bank, however broken, and its machine. Everything except the texts is read once, when the first check needs it."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from stat import S_ISREG
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.config import settings as configuration
from memorybank.config.settings import Settings
from memorybank.errors import ConfigInvalid, MemorybankError, Problem
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout, project_of

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.hosts.status import HookStatus
    from memorybank.log.rotation_state import RotationState
    from memorybank.notes.note_files import NoteSweep
    from memorybank.rotation.verify import VerifyReport

_LARGEST_TEXT = 64 << 20


class DoctorContext:
    """The bank and the machine that the checks examine.

    layout: the paths of the bank.
    environ: the environment variables of the process.
    now: an instant (ms).
    walked: whether the current check listed folders; `run` resets it before each check.
    unseen: folders that could not be listed.
    step: called with `(done, total)` by slow checks and fixes.
    """

    def __init__(self, layout: Layout, clock: Clock, environ: Mapping[str, str]) -> None:
        self._found = layout
        self.clock = clock
        self.now = clock.now()
        self.environ = environ
        self.walked = False
        self.unseen: list[str] = []
        self.step: Callable[[int, int], None] = lambda done, total: None

    @cached_property
    def configured(self) -> tuple[Settings | None, list[Problem]]:
        """The bank's settings, None when they cannot be used, and all problems in them."""
        return configuration.load_with_problems(self._found)

    @property
    def settings(self) -> Settings:
        """The settings in effect; the shipped ones if the bank's cannot be used."""
        return self.configured[0] or configuration.DEFAULTS

    @cached_property
    def layout(self) -> Layout:
        """The paths of the bank, as its settings place them."""
        return configuration.placed_layout(self._found, self.settings)

    @cached_property
    def bank(self) -> "Bank":
        """The facade, read-only."""
        from memorybank.bank import Bank

        return Bank(self.layout, self.settings, self.clock, read_only=True)

    def shown(self, path: str) -> str:
        """Return a path as shown to people: relative to the bank if it is inside, otherwise as `Layout.relative` gives it."""
        for root in (self.layout.root, self.layout.local_root):
            if path == root or path.startswith(root + os.sep):
                return path[len(root) + 1 :] or "."
        return self.layout.relative(path)

    def writable_bank(self) -> "Bank":
        """Return the facade for a fix that rebuilds derived files. Raises `ConfigInvalid` if the settings they depend on cannot be used."""
        from memorybank.bank import Bank

        if self.configured[0] is None:
            raise ConfigInvalid("the settings of the bank cannot be used, and derived files depend on them: correct the settings first")
        return Bank(self.layout, self.settings, self.clock)

    def remove(self, paths: Iterable[str]) -> Iterator[str]:
        """Remove files for a fix; yields a sentence for each."""
        for path in paths:
            disk.remove(path)
            yield f"removed {self.shown(path)}"

    @property
    def entries(self) -> tuple[tuple[str, os.stat_result], ...]:
        """(path, status) of the bank, of every file and folder in it, and of its local folders. Links are not followed.

        Afterwards `unseen` contains the folders that could not be listed.
        """
        self.walked = True
        return self._entries

    @cached_property
    def _entries(self) -> tuple[tuple[str, os.stat_result], ...]:
        tops = [self.layout.root]
        tops += [top for top in (self.layout.log, self.layout.backups) if not top.startswith(self.layout.root + os.sep)]
        return tuple(entry for top in tops for entry in _below(top, self.unseen))

    def folders_in(self, folder: str) -> list[str]:
        """Return the paths of the folders in one folder of the bank, sorted, without walking through the rest of the bank.

        Links are not followed, and what is not a folder contains none. A folder that cannot be listed is added to `unseen`.
        """
        self.walked = True
        try:
            with beneath.scandir(folder) as found:
                return sorted(f"{folder}/{entry.name}" for entry in found if entry.is_dir(follow_symlinks=False))
        except (NotADirectoryError, beneath.LinkInBank):
            return []
        except OSError as error:
            _refused(error, self.unseen)
            return []

    @cached_property
    def swept(self) -> "NoteSweep":
        """The note files of the bank, without their contents."""
        from memorybank.notes import scan

        return scan.sweep(self.layout)

    @property
    def texts(self) -> Iterator[tuple[str, str]]:
        """(path relative to the bank, text) of every text file to be committed: notes, the resident summary, bookmarks, settings, episodes.

        Bytes that are not UTF-8 become U+FFFD. A file that cannot be read is left out.
        """
        paths = list(self._text_paths())
        for number, path in enumerate(paths):
            self.step(number, len(paths))
            try:
                text = disk.read(path, _LARGEST_TEXT).decode("utf-8", "replace")
            except (MemorybankError, OSError):
                continue
            yield self.shown(path), text

    def _text_paths(self) -> Iterator[str]:
        yield from (found.path for found in self.swept.found)
        yield os.path.join(self.layout.root, "summary.md")
        yield self.layout.bookmarks
        for folder in (self.layout.config, os.path.join(self.layout.root, "episodes")):
            yield from (path for path, status in self.entries if path.startswith(folder + os.sep) and path.endswith(".json") and S_ISREG(status.st_mode))

    @cached_property
    def tracked(self) -> frozenset[str] | None:
        """Absolute paths of the files that git tracks; None outside git and when git cannot answer."""
        from memorybank import git

        repository = self.layout.repository
        names = git.tracked(repository, repository) if repository is not None else None
        return None if repository is None or names is None else frozenset(os.path.join(repository, name) for name in names)

    @cached_property
    def index_problems(self) -> list[Problem]:
        """Every difference between notes, index and published documents."""
        return self.bank.index.check()

    @cached_property
    def verified(self) -> "VerifyReport":
        """The report of a verification in which every digest of archive and logs is computed again."""
        return self.bank.archive.verify()

    @cached_property
    def rotations(self) -> "RotationState":
        """The state that results from the rotation log."""
        from memorybank.log import rotation

        return rotation.read(self.layout)

    @cached_property
    def hook_statuses(self) -> "tuple[HookStatus, ...]":
        """The registrations of hooks with each coding agent, also those that are missing."""
        from memorybank.hosts import status
        from memorybank.hosts.program import this_program

        return tuple(status.hook_statuses(self.project, this_program(), self.environ))

    @property
    def project(self) -> str:
        """The folder that the bank belongs to, in which coding agents are started."""
        return project_of(self.layout)


def _below(top: str, unseen: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    """Yield a folder and everything below it, in order. What is deleted meanwhile is left out; folders that cannot be listed are added to `unseen`."""
    try:
        status = os.lstat(top)
    except FileNotFoundError:
        return
    yield top, status
    for folder, folders, names in os.walk(top, onerror=lambda error: _refused(error, unseen)):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = os.path.join(folder, name)
            try:
                yield path, os.lstat(path)
            except OSError:
                continue


def _refused(error: OSError, unseen: list[str]) -> None:
    if not isinstance(error, FileNotFoundError) and str(error.filename) not in unseen:
        unseen.append(str(error.filename))
