"""Finds what commits of others contain and nobody accepted, in any branch, tag or fetch that this clone knows."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memorybank import git
from memorybank.storage.layout import Layout
from memorybank.trust import commits as history
from memorybank.trust.commits import LocalCommits
from memorybank.trust.passages import mark, passages
from memorybank.trust.record import TrustRecord

COMPARED = 8
"""Number of accepted commits whose content is compared, the latest first."""
_COPIED = 64
"""Number of commits made here whose files are compared, the latest first, because a rebase gives commits new ids."""
_MOST_TEXTS = 2_000
"""Number of contents whose passages are looked for, the latest first."""
_MOST_BYTES, _MOST_BYTES_OF_ALL = 8 << 20, 64 << 20
_TEXTS = ("active/", "episodes/episodic_memory.json", "episodes/topic_clusters.json", "summary.md")
SETTINGS = "config/"


class StrangeContents(NamedTuple):
    """What others committed and nobody accepted.

    blobs: git's ids of the contents, the latest first
    passages: pieces of these texts that no accepted text contains, the latest first
    settings: paths of files of settings that these commits change
    """

    blobs: tuple[str, ...] = ()
    passages: tuple[bytes, ...] = ()
    settings: tuple[str, ...] = ()

    def marks(self) -> list[str]:
        """Return the ids by which a hook recognises what is strange."""
        return [*self.blobs, *map(mark, self.passages)]

    def concerns(self, path: str, blob: str, data: bytes | None) -> bool:
        """Return whether a file was written by others, or contains a piece of what they wrote. data: its content, None if it is not known"""
        return blob in self.blobs or path in self.settings or (data is not None and not passages(path, data).isdisjoint(self.passages))


class OwnWork(NamedTuple):
    """The commits that were created in this repository, and what those with a person's own work wrote.

    files: (path relative to the bank, blob id) of what the latest ones wrote
    accepted: those of `files` that an accepted commit followed
    """

    commits: LocalCommits
    files: frozenset[tuple[str, str]]
    accepted: frozenset[tuple[str, str]]


def own_work(layout: Layout, record: TrustRecord) -> OwnWork:
    """Return what was committed on this machine."""
    repository = str(layout.repository)
    local = history.local_commits(repository)
    latest = local.made[-_COPIED:]
    followed = history.accepted_here(repository, latest, record.known)
    files, accepted = (frozenset(history.written(repository, layout.root, commits)) for commits in (latest, followed))
    return OwnWork(local, files, accepted)


def accepted_trees(layout: Layout, record: TrustRecord) -> list[Mapping[str, str]]:
    """Return {path relative to the bank: blob id} of the latest accepted commits, the latest first."""
    trees = (history.blobs(str(layout.repository), layout.root, commit) for commit in record.known[: -COMPARED - 1 : -1])
    return [tree for tree in trees if tree is not None]


def contents(layout: Layout, record: TrustRecord, own: OwnWork, trees: Iterable[Mapping[str, str]], waiting: Iterable[tuple[str, str]] = ()) -> StrangeContents:
    """Return what others committed and nobody accepted; nothing where git fails or is too slow.

    trees: {path: blob id} of what is accepted
    waiting: (path, blob id) of files of HEAD that wait
    """
    repository = str(layout.repository)
    found = [*waiting, *history.committed_by_others(repository, layout.root, record.known, own.commits, own.files)]
    accepted = {file for tree in trees for file in tree.items()} | own.accepted
    decided = frozenset(record.accepted)
    blobs = decided | {blob for _, blob in accepted}
    strange = [(path, blob) for path, blob in found if blob not in blobs]
    pieces = {piece: mark(piece) for path, data in _texts(repository, strange[:_MOST_TEXTS]) for piece in sorted(passages(path, data))}
    for path, data in _texts(repository, accepted) if pieces else ():
        for piece in passages(path, data) & pieces.keys():
            del pieces[piece]
    kept = tuple(piece for piece, name in pieces.items() if name not in decided)
    settings = dict.fromkeys(path for path, _ in strange if path.startswith(SETTINGS))
    return StrangeContents(tuple(dict.fromkeys(blob for _, blob in strange)), kept, tuple(settings))


def _texts(repository: str, files: Iterable[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return (path, content) of the files that agents can be shown; none when git fails or is too slow."""
    paths = {blob: path for path, blob in files if path.startswith(_TEXTS)}
    found = git.contents(repository, paths, _MOST_BYTES, _MOST_BYTES_OF_ALL) or {}
    return [(paths[blob], data) for blob, data in found.items()]
