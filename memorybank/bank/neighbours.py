"""Finds the banks of a repository: a monorepo can have one for each of its projects."""

import os

from memorybank import git
from memorybank.errors import MemorybankError, NotFound
from memorybank.storage.layout import BANK, Layout, describe, upward

_PATTERN = f":(top,glob)**/{BANK}/**"
_SECONDS = 20.0


def repository_of(folder: str) -> str | None:
    """Return the root of the work tree that contains a folder; None outside git."""
    return next((each for each in upward(os.path.realpath(folder)) if os.path.exists(os.path.join(each, ".git"))), None)


def banks_beside(own: Layout | None, folder: str) -> list[Layout]:
    """Return the banks of a repository, by path. Raises `NotFound` outside git, and in a repository without a bank.

    own: the bank that the working folder belongs to, which is returned wherever it is; None without one
    folder: the working folder
    """
    repository = own.repository if own is not None else repository_of(folder)
    if repository is None:
        raise NotFound("not in a git repository, so there are no other banks", next_step="name one bank with --bank DIR")
    found = {layout.root: layout for layout in (*banks_of(repository), *([own] if own is not None else []))}
    if not found:
        raise NotFound("no bank .claude/memory in this repository", next_step="create one with 'memorybank init'")
    return [found[root] for root in sorted(found)]


def banks_of(repository: str, *, without: Layout | None = None) -> list[Layout]:
    """Return the banks `.claude/memory` in a work tree that contain files which git tracks or does not ignore, by path.

    without: a bank that is left out, whose files git then need not list
    Banks of submodules and of other worktrees are not among them: they belong to other repositories or work trees.
    """
    is_inside = without is not None and without.root.startswith(repository + os.sep)
    patterns = (_PATTERN, f":(top,exclude,literal){without.root[len(repository) + 1 :]}") if without is not None and is_inside else (_PATTERN,)
    arguments = ("--no-literal-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns)
    listed = git.run(repository, *arguments, seconds=_SECONDS)
    if listed is None:
        raise MemorybankError("git cannot list the banks of this repository", next_step="run 'git status' in the repository to see why")
    names = {f"/{path}".partition(f"/{BANK}/")[0] for path in git.names(listed)}
    roots = [os.path.join(repository, name.lstrip("/"), BANK) if name else os.path.join(repository, BANK) for name in sorted(names)]
    others = (root for root in roots if without is None or root != without.root)
    return [describe(root) for root in others if os.path.isdir(root) and os.path.realpath(root) == root]
