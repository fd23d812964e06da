"""The id of a repository on the server: the same in every clone, and without the name, the path or the address of the repository.

It is a digest of the organisation and of the repository's first commit, which all clones have in common, and of the folder of the bank inside the
repository. Somebody who reads the database cannot tell from it what the project is called; somebody who has a clone can compute it.
"""

from __future__ import annotations

import os
from hashlib import sha256

from memorybank import git
from memorybank.errors import UsageError
from memorybank.storage.layout import BANK, Layout

PREFIX = "git-"
_NAME_IT = "name it with --repository NAME, the same on every machine"


def repository_id(layout: Layout, organisation: str) -> str:
    """Return the id. Raises `UsageError` where git does not know the first commit, so that a person has to choose a name."""
    if layout.repository is None:
        raise UsageError("this bank is not in a git repository, so other machines cannot recognise it", next_step=_NAME_IT)
    if git.shallow_commits(layout.repository):
        raise UsageError("this is a shallow clone, which lacks the first commit", next_step=f"git fetch --unshallow; or {_NAME_IT}")
    # Of the first parents, because a merge may bring the first commit of another repository.
    found = (git.run(layout.repository, "rev-list", "--first-parent", "--max-parents=0", "HEAD") or b"").decode("ascii", "replace").split()
    if not found:
        raise UsageError("this repository has no commit yet, so other machines cannot recognise it", next_step=f"commit first; or {_NAME_IT}")
    inside = os.path.relpath(layout.root, layout.repository)
    parts = ("memorybank team", organisation, *found, "" if inside == BANK else inside)
    return PREFIX + sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:24]
