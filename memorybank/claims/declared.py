"""Where manifests and lock files are, and the value for what they declare. It loads nothing that reads them: many repositories have none."""

from __future__ import annotations

from memorybank import git
from memorybank.claims.claim import Vanished
from memorybank.values import NamedTuple

MANIFESTS = frozenset(
    (
        *("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "requirements.txt", ".tool-versions", "Makefile", "makefile", "GNUmakefile"),
        *("justfile", "Justfile", ".nvmrc", ".node-version", ".python-version"),
    )
)
LOCKS = frozenset(("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "uv.lock", "Cargo.lock", "go.sum", "Gemfile.lock"))
NAMES = MANIFESTS | LOCKS


class Declarations(NamedTuple):
    """What the manifests of a repository declare, and what they declared.

    commands: keys of the commands at HEAD.
    ranges: {name: versions and ranges at HEAD as they are written}, "" for any version.
    locked: {name: versions that the lock files at HEAD contain}, of the dependencies that notes name.
    open_families: families of commands (`make`) that cannot be listed completely.
    vanished: the removals of commands and versions; `path` is the key of a command, or a name and a version.
    """

    commands: frozenset[str]
    ranges: dict[str, set[str]]
    locked: dict[str, set[str]]
    open_families: frozenset[str]
    vanished: list[Vanished]


NOTHING = Declarations(frozenset(), {}, {}, frozenset(), [])


def tracked(repository: str, seconds: float) -> list[str]:
    """Return the manifests and lock files that git tracks, in git's order. Raises `LockTimeout`.

    The names are given to git as patterns of ignored files, because those of paths are compared literally (`git.run`).
    """
    patterns = [argument for name in sorted(NAMES) for argument in ("-x", name)]
    found = git.run(repository, "ls-files", "-z", "--cached", "--ignored", *patterns, seconds=seconds) or b""
    # A pattern also fits what a folder of this name contains.
    return [path for path in found.decode("utf-8", "replace").split("\0") if path.rpartition("/")[2] in NAMES]
