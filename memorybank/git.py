"""Read-only queries to git. No query writes, waits long, uses the network or runs a program that a repository names.

`run` also carries out the few commands that write (`merging`): what its caller passes, with the same protection.

HEAD and the branch are read directly from files, because every hook needs them.
"""

from __future__ import annotations

__light__ = True

from memorybank.errors import LockTimeout
from memorybank.storage import system as os
from memorybank.storage.layout import GitFolders, first_line, git_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIMEOUT_SECONDS = 2.0
FIRST_SECOND = 100_000_001
"""The earliest instant that `--since=@SECONDS` understands as a number of seconds."""
_MAX_REFERENCE_DEPTH = 5
_MOST_VERSIONS = 5
# A repository's configuration may name programs (fsmonitor, signature checks); these options keep git from running them
# and from using the network.
_SAFE_OPTIONS = (
    *("--no-optional-locks", "--no-pager", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "protocol.allow=never"),
)
_KEPT_VARIABLES = ("GIT_CONFIG_", "GIT_CEILING_DIRECTORIES")
_HEX = frozenset("0123456789abcdef")


def head(repository: str) -> str | None:
    """Return the commit id of HEAD, or None: no repository, no commit yet, or a reference format that is not supported here."""
    folders = git_folders(repository)
    if folders is None:
        return None
    value = first_line(os.path.join(folders.own, "HEAD"))
    for _ in range(_MAX_REFERENCE_DEPTH):
        if not value.startswith("ref:"):
            return value if len(value) in (40, 64) and _HEX.issuperset(value) else None
        value = _reference(folders, value[4:].strip())
    return None


def branch(repository: str) -> str | None:
    """Return the checked-out branch (`main`, `feature/x`), or None when HEAD is detached or outside git."""
    folders = git_folders(repository)
    if folders is None:
        return None
    return _named_branch(os.path.join(folders.own, "HEAD"), "refs/heads/")


def default_branch(repository: str) -> str | None:
    """Return the branch that `origin` calls its HEAD, as the clone recorded it, or None when the clone recorded none."""
    folders = git_folders(repository)
    if folders is None:
        return None
    return _named_branch(os.path.join(folders.common, "refs", "remotes", "origin", "HEAD"), "refs/remotes/origin/")


def _named_branch(path: str, prefix: str) -> str | None:
    """Return the branch that a file such as HEAD refers to below `prefix`, or None."""
    value = first_line(path)
    name = value[4:].strip() if value.startswith("ref:") else ""
    return name.removeprefix(prefix) if name.startswith(prefix) else None


def versions(repository: str, path: str, size: int) -> Iterator[tuple[str, bytes]]:
    """Yield (commit, bytes) of a path, from the latest commits of any branch or stash that added or changed it.

    path: POSIX, relative to the repository
    size: only contents of this many bytes
    """
    found = run(repository, "log", "--all", "--full-history", "--format=%H", "--diff-filter=AM", f"--max-count={_MOST_VERSIONS}", "--", path)
    for commit in (found or b"").decode("ascii", "replace").split():
        name = f"{commit}:{path}"
        if (run(repository, "cat-file", "-s", name) or b"").strip() == str(size).encode():
            data = run(repository, "cat-file", "blob", name)
            if data is not None:
                yield commit, data


def folder_in(repository: str, folder: str) -> tuple[str, str]:
    """Return (a folder as an argument of git, the beginning of the paths that git prints for the files in it).

    folder: absolute
    """
    inside = os.path.relpath(folder, repository)
    return inside, "" if inside == "." else inside + "/"


def names(listed: bytes, prefix: str = "") -> list[str]:
    """Return the paths that git printed with `-z`, without the prefix of a folder."""
    return [name.decode("utf-8", "surrogateescape").removeprefix(prefix) for name in listed.split(b"\0") if name]


def tracked(repository: str, folder: str) -> list[str] | None:
    """Return the paths in git's index, committed or staged, relative to `folder`, or None when git fails or is too slow."""
    return _listed(repository, folder)


def is_ignored(repository: str, path: str) -> bool:
    """Return whether git ignores a path. A tracked path is never ignored. False also when git cannot answer."""
    # The command supports no literal pathspecs, and treats every path literally anyway.
    return run(repository, "--no-literal-pathspecs", "check-ignore", "--quiet", "--", path) is not None


def milliseconds(seconds: str) -> int | None:
    """Return an instant (ms) from the seconds that git prints; None for anything else."""
    return int(seconds) * 1000 if seconds.removeprefix("-").isdigit() else None


def blobs_of_tree(tree: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield (path, blob id) from `ls-tree -r -z`: `mode type id TAB path`. Symlinks and submodules are not notes and are skipped."""
    for entry in tree.split(b"\0"):
        description, tab, path = entry.partition(b"\t")
        fields = description.split()
        if tab and len(fields) == 3 and fields[0].startswith(b"100"):
            yield path, fields[2].decode("ascii")


def contents(repository: str, blobs: Iterable[str], limit: int, total: int) -> dict[str, bytes] | None:
    """Return {blob id: bytes} of the blobs that the repository contains, or None when git fails or is too slow.

    limit: maximum number of bytes of a blob; longer ones are left out
    total: maximum number of bytes of all of them; the first ones are returned
    """
    asked = "\n".join(dict.fromkeys(blobs)).encode("ascii", "replace")
    sizes = run(repository, "cat-file", "--batch-check=%(objectname) %(objectsize)", data=asked) if asked else b""
    chosen = []
    for name, _, size in (line.partition(b" ") for line in (sizes or b"").splitlines()):
        if size.isdigit() and int(size) <= min(limit, total):
            total -= int(size)
            chosen.append(name)
    if sizes is None or not chosen:
        return None if sizes is None else {}
    answer = run(repository, "cat-file", "--batch=%(objectname) %(objectsize)", data=b"\n".join(chosen))
    return None if answer is None else dict(contents_of_batch(answer))


def contents_of_batch(answer: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (blob id, bytes) from the output of `cat-file --batch="%(objectname) %(objectsize)"`."""
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        blob, size = answer[at:end].decode("ascii").split(" ")
        yield blob, answer[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)


def shallow_commits(repository: str) -> frozenset[str]:
    """Return the commits whose parents a shallow clone leaves out. Files that they seem to add may be older."""
    folders = git_folders(repository)
    if folders is None:
        return frozenset()
    try:
        with open(os.path.join(folders.common, "shallow"), encoding="ascii", errors="replace") as stream:
            return frozenset(stream.read().split())
    except OSError:
        return frozenset()


def committable(repository: str, folder: str) -> frozenset[str] | None:
    """Return the paths of a folder that git tracks or does not ignore, relative to it, or None when git fails or is too slow."""
    found = _listed(repository, folder, "--cached", "--others", "--exclude-standard")
    return None if found is None else frozenset(found)


def _listed(repository: str, folder: str, *options: str) -> list[str] | None:
    inside, prefix = folder_in(repository, folder)
    found = run(repository, "ls-files", "-z", *options, "--", inside)
    return None if found is None else names(found, prefix)


def run(repository: str, *arguments: str, seconds: float | None = None, data: bytes = b"", index: str = "") -> bytes | None:
    """Return git's output, or None when git is not installed, fails, or exceeds the time limit.

    seconds: another time limit, at which `LockTimeout` is raised
    data: standard input
    index: absolute path of an index to use instead of the repository's own
    """
    command = ["git", *_SAFE_OPTIONS, "-C", repository, *arguments]
    environment = {**_environment(), "GIT_INDEX_FILE": index} if index else _environment()
    limit = TIMEOUT_SECONDS if seconds is None else seconds
    from memorybank.storage import program  # late: most hooks start no git

    try:
        code, output = program.answer_to(data, command, environment, limit) if data else program.answer(command, environment, limit)
    except TimeoutError:
        if seconds is not None:
            raise LockTimeout(f"git did not answer within {seconds:.1f} s") from None
        return None
    except OSError:
        return None
    return output if code == 0 else None


class GitOutput:
    """The output of git as an iterator over lines, read while git writes it. For answers that are too large to keep.

    seconds: time limit of git and the reader together, after which git is ended
    data: standard input
    none: exit code with which git says that it found nothing
    Leaving the block raises `LockTimeout` when git failed or did not finish in time.
    """

    def __init__(self, repository: str, *arguments: str, seconds: float, data: bytes = b"", none: int = 0) -> None:
        self._command = ["git", *_SAFE_OPTIONS, *arguments]
        self._repository, self._seconds, self._data, self._none = repository, seconds, data, none
        self._is_given_up = False

    def __enter__(self) -> GitOutput:
        import subprocess
        import tempfile
        import threading

        with tempfile.TemporaryFile() as given:
            given.write(self._data)
            given.seek(0)
            pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
            try:
                self._process = subprocess.Popen(self._command, cwd=self._repository, env=_environment(), stdin=given, stdout=pipe, stderr=nowhere)
            except OSError as error:
                raise LockTimeout(f"git cannot be started: {error}") from None
        assert self._process.stdout is not None
        self._output = self._process.stdout
        self._timer = threading.Timer(self._seconds, self.give_up)
        self._timer.daemon = True
        self._timer.start()
        return self

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._output)

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        return self._output.read(size)

    def give_up(self) -> None:
        """End git, as when its time is over."""
        self._is_given_up = True
        self._process.kill()

    def __exit__(self, kind: object, *_rest: object) -> None:
        self._output.close()
        if kind is not None:
            self._process.kill()
        code = self._process.wait()
        self._timer.cancel()
        if kind is None and (self._is_given_up or code not in (0, self._none)):
            raise LockTimeout(f"git did not answer within {self._seconds:.1f} s")


def _environment() -> dict[str, str]:
    """Return the caller's environment without GIT_* (inside a git hook they point to another repository), with lazy fetches disabled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)}
    return {**kept, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def _reference(folders: GitFolders, name: str) -> str:
    """Return the content of a reference: loose in this worktree or in the common folder, else packed; '' when it does not exist."""
    parts = name.split("/")
    if len(parts) < 2 or any(part in ("", ".", "..") for part in parts):
        return ""
    # A linked worktree's own references come first; in a main worktree both folders are the same.
    for directory in dict.fromkeys((folders.own, folders.common)):
        value = first_line(os.path.join(directory, *parts))
        if value:
            return value
    try:
        with open(os.path.join(folders.common, "packed-refs"), encoding="utf-8", errors="surrogateescape") as stream:
            for line in stream:
                commit, _, packed = line.rstrip("\n").partition(" ")
                if packed == name:
                    return commit
    except OSError:
        pass
    return ""
