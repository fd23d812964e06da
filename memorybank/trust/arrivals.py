"""Finds what git brought into a bank since it was accepted: the files that commits of others changed.

A commit counts as made here if HEAD's log says so, which is local to this machine. What somebody else committed arrives by a clone, pull, merge,
checkout, rebase or cherry-pick, and waits for a person, unless its content was accepted before. A commit made here may contain it too, after
`git merge --squash` or `git checkout BRANCH -- PATH`; there it is recognised by its content.
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
    made = {path.removeprefix(prefix) for commit, paths in commits.items() if commit in set(here) for path in paths}
    held = dict(before.held)
    if arrived or made:
        now = history.blobs(repository, layout.root, head)
        earlier_own = history.written(repository, layout.root, history.made_here(repository, before.seen.get(repository, ""))[-_COPIED:])
        own = earlier_own | history.written(repository, layout.root, here[-_COPIED:])
        if made and now is not None:
            others = set(history.committed_by_others(repository, layout.root, before.known, set(here)))
            others -= {*before.accepted, *(blob for _, blob in earlier_own)}
            arrived |= {path for path in made if now.get(path) in others}
            own = {(path, blob) for path, blob in own if blob not in others}
        trees = [history.blobs(repository, layout.root, commit) for commit in before.known[: -_COMPARED - 1 : -1]]
        if now is None:
            return None
        for path in arrived & now.keys():
            earlier = [tree[path] for tree in trees if tree is not None and path in tree]
            if now[path] not in earlier and (path, now[path]) not in own:
                held.setdefault(path, earlier[0] if earlier else "")
    return before.changed(seen=seen, held=held) if held else accepted


def unaccepted(layout: Layout, record: TrustRecord, head: str) -> list[str]:
    """Return the blob ids of what others committed and nobody accepted, the latest first. Git knows them from any branch, fetch or stash.

    What HEAD or the latest accepted commits contain is accepted unless it waits, and what a commit made here wrote is this person's own.
    """
    repository = str(layout.repository)
    here = history.made_here(repository)
    found = history.committed_by_others(repository, layout.root, record.known, set(here))
    now = history.blobs(repository, layout.root, head) or {}
    waiting = {blob for path, blob in now.items() if path in record.held and blob != record.held[path]}
    trees = [history.blobs(repository, layout.root, commit) for commit in record.known[: -_COMPARED - 1 : -1]] if found else []
    accepted = {*record.accepted, *(blob for tree in trees for blob in (tree or {}).values()), *(now.values() if found else ())}
    accepted |= {blob for _, blob in history.written(repository, layout.root, here[-_COPIED:])} if found else set()
    return [*sorted(waiting), *(blob for blob in found if blob not in accepted and blob not in waiting)]
