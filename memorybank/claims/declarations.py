"""The declarations of manifests over time: what they declare at HEAD, and what each of their commits took away or replaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import pairwise

from memorybank import git
from memorybank.claims import locks
from memorybank.claims.claim import COMMAND, VERSION, Vanished
from memorybank.claims.declared import Declarations
from memorybank.claims.manifests import MAX_BYTES, NOTHING, Declared, is_manifest, nearest, read
from memorybank.claims.occurrences import contents
from memorybank.claims.ranges import version_of
from memorybank.claims.removals import log_entries
from memorybank.values import NamedTuple

_MOST_MANIFESTS = 50
"""Maximum number of manifests that are read, those nearest to the root first."""
_MOST_VERSIONS = 300
"""Maximum number of commits of one manifest that are read, the latest first."""


class _Version(NamedTuple):
    """A manifest at one commit. at: ms."""

    commit: str
    at: int
    declared: Declared


def collect(repository: str, tracked: list[str], names: Collection[str], since: int, seconds: float) -> Declarations:
    """Read the manifests and lock files at HEAD and in the commits that changed them. Raises `LockTimeout`.

    tracked: the manifests and lock files that git tracks
    names: the dependencies that notes name
    since: instant (ms) of the oldest note that names one; lock files are read from then on
    """
    paths = nearest(tracked, is_manifest, _MOST_MANIFESTS)
    commands: set[str] = set()
    ranges: dict[str, set[str]] = defaultdict(set)
    open_families: set[str] = set()
    locked = locks.collect(repository, tracked, names, since, seconds)
    vanished = list(locked.vanished)
    for path, history in _histories(repository, paths, seconds).items():
        if not history:
            continue
        now = history[0].declared
        commands |= now.commands
        for name, written in now.ranges.items():
            ranges[name].add(written)
        if now.is_open:
            open_families.add(_family(path))
        vanished += _removals(history)
    return Declarations(frozenset(commands), dict(ranges), locked.versions, frozenset(open_families), vanished)


def _family(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return "make" if "makefile" in name else "just" if name == "justfile" else "npm" if name == "package.json" else "python"


def _histories(repository: str, paths: list[str], seconds: float) -> dict[str, list[_Version]]:
    if not paths:
        return {}
    log = git.run(repository, "log", "-z", "--no-renames", "--format=%x01%H %ct", "--name-only", "HEAD", "--", *paths, seconds=seconds) or b""
    changes: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for commit, at, entry in log_entries(log):
        path = entry.decode("utf-8", "replace")
        if path in paths and len(changes[path]) < _MOST_VERSIONS:
            changes[path].append((commit, at))
    asked = [(path, commit, at) for path, found in changes.items() for commit, at in found]
    histories: dict[str, list[_Version]] = {path: [] for path in paths}
    for (path, commit, at), (_, data) in zip(asked, contents(repository, [f"{commit}:{path}" for path, commit, _ in asked], seconds), strict=False):
        declared = NOTHING if data is None else read(path, data) if len(data) <= MAX_BYTES else Declared(is_open=True)
        histories[path].append(_Version(commit, at, declared))
    return histories


def _removals(history: list[_Version]) -> Iterator[Vanished]:
    """Yield what each commit removed or replaced, newest first. A version that could not be read says nothing about its neighbours."""
    for newer, older in pairwise(history):
        after, before = newer.declared, older.declared
        if after.is_open and not after.commands and not after.ranges:
            continue
        for command in before.commands - after.commands:
            yield Vanished(COMMAND, command, "", newer.commit, newer.at)
        for name, written in before.ranges.items():
            version, replaced = version_of(written), after.ranges.get(name)
            if version and replaced != "" and version_of(replaced or "") != version:
                yield Vanished(VERSION, f"{name} {version}", version_of(replaced or ""), newer.commit, newer.at)
