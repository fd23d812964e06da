"""Finds what git brought into a bank since it was accepted: the files that commits of others changed.

A commit counts as made here if HEAD's log says so, which is local to this machine. What somebody else committed arrives by a clone, pull, merge,
checkout, rebase or cherry-pick, and waits for a person, unless its content was accepted before. A commit made here may contain it too, entirely after
`git checkout BRANCH -- PATH` or in parts after `git merge --squash`; there it is recognised by its content.

The contents of strangers are what commits of others contain and nobody accepted, in any branch, tag or fetch that this clone knows. They are compared by
passages: a merge mixes a stranger's lines with one's own, and the mixture has a blob id that git never saw. A passage is a line, a run of shorter lines or,
in JSON, a string, whatever its escapes. Something like `## Status` or `rating: 8` says nothing about where it came from, so a passage has at least `LEAST`
bytes and a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from memorybank import git
from memorybank.storage import jsontext
from memorybank.storage.digest import sha256
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.trust import commits as history
from memorybank.trust import own_notes
from memorybank.trust.commits import LocalCommits
from memorybank.trust.record import MOST_KNOWN, TrustRecord, is_shown

LEAST = 12
"""Minimum number of bytes."""
_DIGITS = 16
_STRING = re.compile(rb'("(?:[^"\\\n]++|\\.)*+")|"(?:[^"\\\n]++|\\.)*+')
"""Matches a string, or without its group one that does not end in its line, so that what is in it is not read again from each of its quotes."""
_WORD = re.compile(rb"[A-Za-z]{3}|[\x80-\xff]{3}")
_FENCE = b"---"
_FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n.{0,16384}?^---[ \t]*\r?$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(rb"^title:.*(?:\n[ \t].*)*", re.MULTILINE)
_TEMPLATE = re.compile(
    (
        r"^(?:## (?:Goal|Result|Changed|Failed and fixed|Decided|Commits|Open|目的|結果|変更|失敗と修正|決定|コミット|未解決)"
        r"|Stated by a person on \d{4}-\d\d-\d\d\.|\d{4}-\d\d-\d\d に利用者が述べた。)[ \t]*\r?$"
    ).encode(),
    re.MULTILINE,
)
"""Lines of session notes and learned notes that say nothing of a session."""
COMPARED = 8
"""Number of accepted commits whose content is compared, the latest first."""
_COPIED = 64
"""Number of commits made here whose files are compared, the latest first, because a rebase gives commits new ids."""
_MOST_TEXTS = 2_000
"""Number of contents whose passages are looked for, the latest first."""
_MOST_BYTES_OF_OTHERS = 64 << 20
"""Maximum number of bytes of all contents whose passages are looked for, so also of one of them."""
_MOST_BYTES_OF_OWN = 256 << 20
"""Maximum number of bytes of the files of one's own in which passages of others are looked for."""
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
        return [*self.blobs, *map(passage_mark, self.passages)]

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


def caught_up(layout: Layout, before: TrustRecord, head: str) -> TrustRecord | None:
    """Return the record after HEAD moved to `head`, with the files that now wait; None when git fails or is too slow."""
    repository = str(layout.repository)
    seen = {**before.seen, repository: head}
    if head in before.known:
        return before.with_changes(seen=seen)
    accepted = before.with_changes(seen=seen, known=(*before.known, head)[-MOST_KNOWN:])
    if before.follows:
        return accepted
    changed = history.arrived(repository, layout.root, head, before.known)
    now = history.blobs(repository, layout.root, head) if changed else {}
    if changed is None or now is None:
        return None
    paths = {path for found in changed.values() for path in found if is_shown(path)} & now.keys()
    held = dict(before.held)
    if paths:
        trees = accepted_trees(layout, before)
        own = own_work(layout, before)
        arrived = {path for commit, found in changed.items() if commit not in own.commits.made for path in found}
        new = {path for path in paths if now[path] not in (tree.get(path) for tree in trees)}
        # What a commit made here wrote is this person's own, unless it contains what others wrote.
        suspects = {path for path in new if path not in arrived or (path, now[path]) in own.files}
        strange = strange_contents(layout, before, own, trees) if suspects else StrangeContents()
        texts = git.contents(repository, (now[path] for path in sorted(suspects)), MAX_NOTE_BYTES, _MOST_BYTES_OF_OWN) if strange.blobs else {}
        if texts is None:
            return None
        for path in sorted(new):
            if path not in suspects or strange.concerns(path, now[path], _of_others(layout, path, texts.get(now[path]))):
                held.setdefault(path, next((tree[path] for tree in trees if path in tree), ""))
    return before.with_changes(seen=seen, held=held) if held else accepted


def _of_others(layout: Layout, path: str, data: bytes | None) -> bytes | None:
    """Return the content of a file whose passages are compared; None for a session note that this machine wrote."""
    return None if data is None or own_notes.is_own(layout, path, data) else data


def unaccepted(layout: Layout, record: TrustRecord, head: str) -> tuple[list[str], dict[str, str]]:
    """Return (marks of what others committed and nobody accepted, {path of settings that others changed: blob id that is accepted there}).

    The marks are git's blob ids, the latest first, then ids of passages. Git knows them from any branch, fetch or stash. What HEAD or the latest accepted
    commits contain is accepted unless it waits.
    """
    now = history.blobs(str(layout.repository), layout.root, head) or {}
    waiting = [(path, now[path]) for path in record.held if path in now and now[path] != record.held[path]]
    settled = {path: blob for path, blob in now.items() if path not in record.held}
    trees = [*accepted_trees(layout, record), settled]
    found = strange_contents(layout, record, own_work(layout, record), trees, waiting)
    return found.marks(), {path: settled.get(path, "") for path in found.settings}


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


def strange_contents(
    layout: Layout, record: TrustRecord, own: OwnWork, trees: Iterable[Mapping[str, str]], waiting: Iterable[tuple[str, str]] = ()
) -> StrangeContents:
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
    pieces = {piece: passage_mark(piece) for path, data in _texts(repository, strange[:_MOST_TEXTS]) for piece in sorted(passages(path, data))}
    for path, data in _texts(repository, accepted) if pieces else ():
        for piece in passages(path, data) & pieces.keys():
            del pieces[piece]
    kept = tuple(piece for piece, name in pieces.items() if name not in decided)
    settings = dict.fromkeys(path for path, _ in strange if path.startswith(SETTINGS))
    return StrangeContents(tuple(dict.fromkeys(blob for _, blob in strange)), kept, tuple(settings))


def _texts(repository: str, files: Iterable[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return (path, content) of the files that agents can be shown; none when git fails or is too slow."""
    paths = {blob: path for path, blob in files if path.startswith(_TEXTS)}
    found = git.contents(repository, paths, _MOST_BYTES_OF_OTHERS, _MOST_BYTES_OF_OTHERS) or {}
    return [(paths[blob], data) for blob, data in found.items()]


def passages(path: str, data: bytes) -> set[bytes]:
    """Return the passages of a file. path: its name decides whether it is read as JSON

    In the front matter of a note only the title is text that agents are shown, and what memorybank writes into every note of its kind says nothing about
    where that came from.
    """
    parts = _strings(data) if path.endswith((".json", ".jsonl")) else _runs(_TEMPLATE.sub(b"", _FRONT_MATTER.sub(_title, data)))
    return {part for part in parts if len(part) >= LEAST and _WORD.search(part) is not None}


def _title(found: re.Match[bytes]) -> bytes:
    return b"\n".join(_TITLE.findall(found[0]))


def passage_mark(passage: bytes) -> str:
    """Return the id by which a passage is kept: shorter than git's blob ids, so the two cannot be confused."""
    return sha256(passage).hex()[:_DIGITS]


def _strings(data: bytes) -> Iterator[bytes]:
    """Yield the strings of JSON, which need not be valid: after a merge it can contain conflict marks."""
    for found in filter(None, _STRING.findall(data)):
        try:
            yield str(jsontext.decode(found)).strip().encode("utf-8", "surrogatepass")
        except ValueError:
            yield found


def _runs(data: bytes) -> Iterator[bytes]:
    """Yield the long lines, and each run of shorter ones, which blank lines do not end."""
    run: list[bytes] = []
    for line in map(bytes.strip, data.split(b"\n")):
        if line and len(line) < LEAST and line != _FENCE:
            run.append(line)
        elif line:
            yield line
            yield b"\n".join(run)
            run = []
    yield b"\n".join(run)
