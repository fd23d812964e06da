"""Where the files of a bank are: finding the bank, the names of its folders, and safe paths inside it."""

from __future__ import annotations

__light__ = True

from memorybank.errors import NotFound, PermissionRefused, UsageError
from memorybank.storage import beneath
from memorybank.storage import system as os
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BANK = os.path.join(".claude", "memory")
_CREATE = "create a bank there with 'memorybank --bank DIR init', or with Bank.create(DIR) in Python"
PUBLISHED_PREFIX = ".claude/memory/active/"
"""Published documents refer to a note by this literal prefix and its key, wherever the bank is."""

MAX_NOTE_BYTES = 64 << 20
"""Size of the largest note. Larger files are not read as notes."""
MAX_NAME_BYTES = 255
"""Length of the longest file name that Linux and macOS accept."""
REMEMBER_FOLDER = "shared"
"""Folder of active/ for notes that name none."""
ACTIVE_FOLDERS = ("planning", "implementation", "sync", "shared")
IGNORED = (
    *("log/", "backups/", "cache/", "indexes/", "metadata/", "archive/by_importance/", "archive/by_topic/"),
    *("summary.draft.md", "*.broken-*", ".mb-tmp-*"),
)
"""Lines that `init` writes to the bank's .gitignore: local and derived data."""

IN_REPOSITORY = "./"
"""Prefix of the keys of source files in the repository. The key of any other source file is its absolute path."""


class Layout:
    """The folders of one bank, as absolute paths.

    root: the bank
    repository: the work tree that contains the bank, or None outside git
    local_root: the bank of the main worktree, which owns `log/` and `backups/`; equal to root outside linked worktrees
    is_read_only: whether whoever opened the bank asked to change nothing in it
    """

    __slots__ = (
        *("active", "archive", "backups", "bookmarks", "cache", "config", "database", "indexes", "local_root", "log", "metadata", "repository", "root"),
        *("vectors", "is_read_only"),
    )

    def __init__(self, root: str, *, local_root: str | None = None, repository: str | None = None) -> None:
        self.root = root
        self.is_read_only = False
        self.local_root = local_root or root
        self.repository = repository
        for bank in (self.root, self.local_root):
            beneath.confine(bank)
        self.active = os.path.join(root, "active")
        self.archive = os.path.join(root, "archive")
        self.bookmarks = os.path.join(root, "bookmarks.json")
        self.config = os.path.join(root, "config")
        self.indexes = os.path.join(root, "indexes")
        self.metadata = os.path.join(root, "metadata")
        self.cache = os.path.join(root, "cache")
        self.database = os.path.join(self.cache, "bank.sqlite3")
        self.vectors = os.path.join(self.cache, "meaning.sqlite3")
        self.log = os.path.join(self.local_root, "log")
        self.backups = os.path.join(self.local_root, "backups")

    def __repr__(self) -> str:
        return f"Layout({self.root!r}, repository={self.repository!r})"

    @property
    def base(self) -> str:
        """The folder that `./` stands for in the keys of source files: the work tree, else the folder that contains `.claude/memory`."""
        return self.repository or os.path.dirname(os.path.dirname(self.root))

    def require_writable(self) -> None:
        """Raise `PermissionRefused` if the bank was opened to change nothing in it."""
        if self.is_read_only:
            raise PermissionRefused("this bank was opened with read_only=True", next_step="open it without, to change something in it")

    def file_path(self, key: str) -> str:
        """Return the absolute path of a note, or of a file of a source. Raises `UsageError` as `note_path` does."""
        if key == ".":
            return self.base
        if key.startswith(IN_REPOSITORY):
            return os.path.join(self.base, *safe_parts(key[len(IN_REPOSITORY) :]))
        return key if key.startswith("/") else self.note_path(key)

    def note_path(self, key: str) -> str:
        """Return the absolute path of a note. Raises `UsageError` when the key is not a safe relative POSIX path."""
        return os.path.join(self.active, *safe_parts(key))

    def published_path(self, key: str) -> str:
        """Return the path under which documents and answers name a note or a file of a source."""
        return key.removeprefix(IN_REPOSITORY) if is_source_key(key) else PUBLISHED_PREFIX + key

    @property
    def work_tree(self) -> str:
        """The folder that recorded paths are relative to: the repository, or, outside git, the folder two levels above the bank."""
        return self.repository or os.path.dirname(os.path.dirname(self.root))

    def relative(self, path: str) -> str:
        """Return a path in the form in which it is shown and recorded: POSIX relative to the repository, `~/…`, or unchanged."""
        base = self.work_tree
        if path == base or path.startswith(base.rstrip(os.sep) + os.sep):
            return os.path.relpath(path, base).replace(os.sep, "/")
        home = os.path.expanduser("~")
        if home not in ("/", "~") and path.startswith(home + os.sep):
            return "~/" + os.path.relpath(path, home).replace(os.sep, "/")
        return path


def is_utf8(name: str) -> bool:
    """Return whether the name of a file is UTF-8. Python shows other bytes as lone surrogates, which cannot be encoded."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def safe_parts(relative: str) -> list[str]:
    """Return the parts of a relative POSIX path. Raises `UsageError` for an absolute or empty path, and for one with `.`, `..` or NUL."""
    parts = relative.split("/")
    if not relative or "\0" in relative or any(part in ("", ".", "..") for part in parts):
        raise UsageError(
            f"{relative!r} is not a path inside the bank", next_step="write it relative to active/, such as planning/overview.md, without . and .."
        )
    return parts


def find_bank(start: str, *, explicit: str | None = None, environment: str | None = None, home: str | None = None) -> Layout:
    """Return the bank for a command run in `start`. Raises `NotFound`.

    Order: `explicit` (--bank), then `environment` ($MEMORYBANK_DIR), else `.claude/memory` in `start` or in one of its parents up to the
    repository root, but never in `home` or above it. A named folder must look like a bank.
    """
    for named, origin in ((explicit, ""), (environment, " (from MEMORYBANK_DIR)")):
        if named:
            root = os.path.realpath(os.path.join(start, named))
            if not os.path.isdir(root):
                raise NotFound(f"no bank at {named}{origin}", next_step=f"check the path, or {_CREATE}")
            if not _is_bank(root):
                inner = os.path.join(named, BANK)
                near = f"did you mean {inner}?" if os.path.isdir(os.path.join(root, BANK)) else _CREATE
                raise NotFound(f"{named}{origin} is not a bank: it has neither active/ nor archive/ nor bookmarks.json", next_step=near)
            return describe(root)
    stop = os.path.realpath(home) if home else None
    for folder in upward(os.path.realpath(start)):
        if folder == stop:
            break
        candidate = os.path.join(folder, BANK)
        if os.path.isdir(candidate):
            return describe(os.path.realpath(candidate))
        if os.path.exists(os.path.join(folder, ".git")):
            break
    raise NotFound(f"no memory bank (.claude/memory) in {start} or above it", next_step="create one with 'memorybank init', or name one with --bank DIR")


def _is_bank(root: str) -> bool:
    """Return whether a named folder contains notes, an archive or bookmarks. In any other folder a cache and logs would be created by mistake."""
    return any(os.path.exists(os.path.join(root, name)) for name in ("active", "archive", "bookmarks.json"))


def describe(root: str) -> Layout:
    """Return the layout of the bank at `root` (an absolute real path). Linked worktrees are resolved by reading files, without running git."""
    for folder in upward(root):
        marker = os.path.join(folder, ".git")
        if os.path.isdir(marker):
            return Layout(root, repository=folder)
        if os.path.isfile(marker):
            main = _main_worktree(folder)
            local = os.path.join(main, os.path.relpath(root, folder)) if main else root
            return Layout(root, local_root=os.path.realpath(local) if os.path.isdir(local) else root, repository=folder)
    return Layout(root)


def upward(folder: str) -> Iterator[str]:
    """Yield a folder (an absolute path) and every folder above it."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def project_of(layout: Layout) -> str:
    """Return the folder that contains `.claude/memory`, in which agents are started. For a bank elsewhere: the repository root, else the bank's parent."""
    if layout.root.endswith(f"/{BANK}"):
        return layout.root[: -len(BANK) - 1] or "/"
    return layout.repository or os.path.dirname(layout.root)


def is_one_file(layout: Layout, key: str, other: str) -> bool:
    """Return whether two keys that differ only in case name the same file, as on a disk that ignores case."""
    if key == other or key.casefold() != other.casefold():
        return False
    try:
        first, second = (beneath.lstat(layout.note_path(each)) for each in (key, other))
    except OSError:
        return False
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def has_notes(layout: Layout) -> bool:
    """Return whether `active/` contains any file other than empty folders."""
    return _has_file(layout.active)


def _has_file(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(not entry.is_dir(follow_symlinks=False) or _has_file(entry.path) for entry in entries)
    except OSError:
        return False


def siblings(layout: Layout) -> list[Layout]:
    """Return this bank and the banks at the same path in the other worktrees of its repository that share its logs."""
    found = {layout.root: layout}
    git = git_folders(layout.repository) if layout.repository else None
    if layout.repository is None or git is None:
        return [layout]
    administration = os.path.join(git.common, "worktrees")
    names = sorted(os.listdir(administration)) if os.path.isdir(administration) else []
    markers = [first_line(os.path.join(administration, name, "gitdir")) for name in names]
    places = [os.path.join(administration, name, marker) for name, marker in zip(names, markers, strict=True) if marker]
    for worktree in (git.common, *places):
        root = os.path.realpath(os.path.join(os.path.dirname(os.path.normpath(worktree)), os.path.relpath(layout.root, layout.repository)))
        if os.path.isdir(root) and root not in found:
            sibling = describe(root)
            if sibling.local_root == layout.local_root:
                found[root] = sibling
    return list(found.values())


class GitFolders(Value):
    """The git folder of a worktree, and the one that all worktrees of its repository have in common. In a main worktree both are the same."""

    own: str
    common: str


def git_folders(repository: str) -> GitFolders | None:
    """Return the git folders of a repository root, or None. Only files are read."""
    marker = os.path.join(repository, ".git")
    if os.path.isdir(marker):
        return GitFolders(marker, marker)
    line = first_line(marker)
    if not line.startswith("gitdir:"):
        return None
    own = os.path.normpath(os.path.join(repository, line[7:].strip()))
    common = first_line(os.path.join(own, "commondir"))
    return GitFolders(own, os.path.normpath(os.path.join(own, common)) if common else own)


def _main_worktree(directory: str) -> str | None:
    """Return the main worktree's root when `directory` is a linked worktree of a non-bare repository; None for submodules."""
    found = git_folders(directory)
    if found is None or found.own == found.common or os.path.basename(found.common) != ".git":
        return None
    return os.path.dirname(found.common)


def first_line(path: str) -> str:
    """Return the first line of a small file, stripped; "" when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            return stream.readline(4096).strip()
    except OSError:
        return ""


def person_folder(environ: Mapping[str, str], variable: str, *otherwise: str) -> str:
    """Return the absolute path of the person's own `memorybank` folder of a kind. (XDG Base Directory Specification: a relative path in the variable is
    ignored.) otherwise: the parts of the path below the home folder"""
    place = environ.get(variable, "")
    return os.path.join(place if place.startswith("/") else os.path.join(environ.get("HOME") or os.path.expanduser("~"), *otherwise), "memorybank")


def state_folder(environ: Mapping[str, str]) -> str:
    """Return the absolute path of the person's own state folder on this machine. Nothing in it is ever part of a repository."""
    return person_folder(environ, "XDG_STATE_HOME", ".local", "state")


def is_source_key(key: str) -> bool:
    """Return whether a key is that of a source's file or folder, which is only read, and not that of a note."""
    return key.startswith((IN_REPOSITORY, "/")) or key == "."
