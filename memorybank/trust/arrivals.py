"""Finds what git brought into a bank since it was accepted: the files that commits of others changed.

A commit counts as made here if HEAD's log says so, which is local to this machine. Uncommitted changes are made here too. What somebody else
committed arrives by a clone, pull, merge, checkout, rebase or cherry-pick, and waits for a person, unless its content was accepted before.
"""

from memorybank.storage.layout import Layout
from memorybank.trust import commits as history
from memorybank.trust.record import MOST_KNOWN, TrustRecord

_COMPARED = 8
"""Number of accepted commits whose content is compared, the latest first."""
_COPIED = 64
"""Number of commits made here whose files are compared, the latest first, because a rebase gives commits new ids."""


def caught_up(layout: Layout, before: TrustRecord, head: str) -> TrustRecord | None:
    """Return the record after HEAD moved to `head`, with the files that now wait; None when git fails or is too slow."""
    repository = str(layout.repository)
    seen = {**before.seen, repository: head}
    if head in before.known:
        return before.changed(seen=seen)
    accepted = before.changed(seen=seen, known=(*before.known, head)[-MOST_KNOWN:])
    if before.follows:
        return accepted
    commits = history.arrived(repository, layout.root, head, before.known)
    if commits is None:
        return None
    here = history.made_here(repository)
    prefix = layout.root[len(repository) :].strip("/") + "/"
    arrived = {path.removeprefix(prefix) for commit, paths in commits.items() if commit not in set(here) for path in paths}
    held = dict(before.held)
    if arrived:
        now = history.blobs(repository, layout.root, head)
        own = history.written(repository, layout.root, here[-_COPIED:])
        trees = [history.blobs(repository, layout.root, commit) for commit in before.known[: -_COMPARED - 1 : -1]]
        if now is None:
            return None
        for path in arrived & now.keys():
            earlier = [tree[path] for tree in trees if tree is not None and path in tree]
            if now[path] not in earlier and (path, now[path]) not in own:
                held.setdefault(path, earlier[0] if earlier else "")
    return before.changed(seen=seen, held=held) if held else accepted
