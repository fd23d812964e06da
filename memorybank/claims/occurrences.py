"""In which files of a commit words occur. A few words are searched by git, many by reading every file once."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memorybank import git
from memorybank.claims.definitions import is_code
from memorybank.errors import LockTimeout
from memorybank.text.pattern import compiled

MOST_PLACES = 20
"""Maximum number of files that are listed for a word."""
_FEW = 6
"""Number of words up to which git searches faster than reading everything."""
_LARGEST = 4 << 20
"""Maximum size (bytes) of a file that is read. Larger ones are data."""
_MOST_BYTES = 1 << 30
"""Size of all files above which nothing is searched."""
_WORD = rb"[A-Za-z_][A-Za-z0-9_]*"
_JOINED = rb"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)+"


def find(repository: str, commit: str, words: Collection[str], without: str, seconds: float) -> dict[str, list[str]]:
    """Return {word: files of code that contain it as a complete word, at most `MOST_PLACES`}, for every word.

    without: folder whose files do not count, relative to the repository
    Raises `LockTimeout`, also where contents are missing, as in a partial clone.
    """
    found: dict[str, list[str]] = {word: [] for word in words}
    if not words:
        return found
    pairs = _searched if len(words) <= _FEW else _read
    for word, path in pairs(repository, commit, found, without, seconds):
        places = found.get(word)
        if places is not None and len(places) < MOST_PLACES and path not in places[-1:]:
            places.append(path)
    return found


def contents(repository: str, names: list[str], seconds: float) -> Iterator[tuple[str, bytes | None]]:
    """Yield (name, content) of each object, in order: None for one that is missing or no file. Raises `LockTimeout`."""
    if not names:
        return
    asked = "".join(f"{name}\n" for name in names).encode("utf-8", "replace")
    with git.GitOutput(repository, "cat-file", "--batch", seconds=seconds, data=asked) as output:
        for name, line in zip(names, output, strict=False):
            fields = line.split()
            if len(fields) == 3 and fields[2].isdigit():
                data = output.read(int(fields[2]) + 1)[:-1]
                yield name, data if fields[1] == b"blob" else None
            else:
                yield name, None


def words_of(data: bytes, *, joined: bool = True) -> set[bytes]:
    """Return the words of a file. joined: also words with hyphens, as configuration keys have them."""
    found = set(compiled(_WORD).findall(data))
    return found.union(compiled(_JOINED).findall(data)) if joined else found


def counts(path: str, without: str) -> bool:
    """Return whether what a file contains is in use."""
    return is_code(path) and not (without and path.startswith(f"{without}/"))


def _searched(repository: str, commit: str, words: Collection[str], without: str, seconds: float) -> Iterator[tuple[str, str]]:
    """Yield (word, file) as git finds them."""
    patterns = [argument for word in words for argument in ("-e", word)]
    with git.GitOutput(
        repository, "grep", "-I", "-o", "-w", "-F", "-z", "--full-name", "--no-color", *patterns, commit, "--", seconds=seconds, none=1
    ) as output:
        for line in output:
            place, _, word = line.rstrip(b"\n").rpartition(b"\0")
            path = place.partition(b"\0")[0].decode("utf-8", "replace").partition(":")[2]
            if counts(path, without):
                yield word.decode("utf-8", "replace"), path


def _read(repository: str, commit: str, words: Collection[str], without: str, seconds: float) -> Iterator[tuple[str, str]]:
    """Yield (word, file) of every file."""
    wanted = {word.encode() for word in words}
    is_joined = any(b"-" in word for word in wanted)
    listed = git.run(repository, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, seconds=seconds)
    if listed is None:
        raise LockTimeout("git cannot list the files of this repository")
    paths: dict[str, list[str]] = {}
    size = 0
    for entry in listed.split(b"\0"):
        description, _, name = entry.partition(b"\t")
        fields = description.split()
        path = name.decode("utf-8", "replace")
        if len(fields) == 4 and fields[1] == b"blob" and fields[3].isdigit() and int(fields[3]) <= _LARGEST and counts(path, without):
            paths.setdefault(fields[2].decode("ascii"), []).append(path)
            size += int(fields[3])
    if size > _MOST_BYTES:
        raise LockTimeout("this repository is too large to be searched")
    for blob, data in contents(repository, list(paths), seconds):
        if data is None:
            raise LockTimeout("contents of this repository are missing")
        if b"\0" not in data[:8000]:
            for word in words_of(data, joined=is_joined) & wanted:
                for path in paths[blob]:
                    yield word.decode(), path
