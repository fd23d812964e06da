"""Finds what git brought into a bank since it was accepted: the files that commits of others changed.

A commit counts as made here if HEAD's log says so, which is local to this machine. What somebody else committed arrives by a clone, pull, merge,
checkout, rebase or cherry-pick, and waits for a person, unless its content was accepted before. A commit made here may contain it too, entirely after
`git checkout BRANCH -- PATH` or in parts after `git merge --squash`; there it is recognised by its content.
"""

from memorybank import git
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.trust import commits as history
from memorybank.trust import strangers
from memorybank.trust.record import MOST_KNOWN, TrustRecord

_MOST_BYTES = 256 << 20
"""Maximum number of bytes of the files of one's own in which passages of others are looked for."""


def caught_up(layout: Layout, before: TrustRecord, head: str) -> TrustRecord | None:
    """Return the record after HEAD moved to `head`, with the files that now wait; None when git fails or is too slow."""
    repository = str(layout.repository)
    seen = {**before.seen, repository: head}
    if head in before.known:
        return before.changed(seen=seen)
    accepted = before.changed(seen=seen, known=(*before.known, head)[-MOST_KNOWN:])
    if before.follows:
        return accepted
    changed = history.arrived(repository, layout.root, head, before.known)
    now = history.blobs(repository, layout.root, head) if changed else {}
    if changed is None or now is None:
        return None
    prefix = layout.root[len(repository) :].strip("/") + "/"
    paths = {path.removeprefix(prefix) for found in changed.values() for path in found} & now.keys()
    held = dict(before.held)
    if paths:
        trees = strangers.accepted_trees(layout, before)
        own = strangers.own_work(layout, before)
        arrived = {path.removeprefix(prefix) for commit, found in changed.items() if commit not in own.commits.made for path in found}
        new = {path for path in paths if now[path] not in (tree.get(path) for tree in trees)}
        # What a commit made here wrote is this person's own, unless it contains what others wrote.
        suspects = {path for path in new if path not in arrived or (path, now[path]) in own.files}
        strange = strangers.contents(layout, before, own, trees) if suspects else strangers.StrangeContents()
        texts = git.contents(repository, (now[path] for path in sorted(suspects)), MAX_NOTE_BYTES, _MOST_BYTES) if strange.blobs else {}
        if texts is None:
            return None
        for path in sorted(new):
            if path not in suspects or strange.concerns(path, now[path], texts.get(now[path])):
                held.setdefault(path, next((tree[path] for tree in trees if path in tree), ""))
    return before.changed(seen=seen, held=held) if held else accepted


def unaccepted(layout: Layout, record: TrustRecord, head: str) -> tuple[list[str], dict[str, str]]:
    """Return (marks of what others committed and nobody accepted, {path of settings that others changed: blob id that is accepted there}).

    The marks are git's blob ids, the latest first, then ids of passages. Git knows them from any branch, fetch or stash. What HEAD or the latest accepted
    commits contain is accepted unless it waits.
    """
    now = history.blobs(str(layout.repository), layout.root, head) or {}
    waiting = [(path, now[path]) for path in record.held if path in now and now[path] != record.held[path]]
    settled = {path: blob for path, blob in now.items() if path not in record.held}
    trees = [*strangers.accepted_trees(layout, record), settled]
    found = strangers.contents(layout, record, strangers.own_work(layout, record), trees, waiting)
    return found.marks(), {path: settled.get(path, "") for path in found.settings}
