"""Looks a claim up in the files that exist and in what git's history removed. When in doubt, the answer is `unknown`."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import BRANCH, CHANGED, COMMAND, COMMIT, GONE, HOLDING, MOVED, NOTE, PATH, UNKNOWN_STATE, VERSION, Claim, ClaimState
from memorybank.claims.ranges import agree, allows, version_of
from memorybank.storage.layout import PUBLISHED_PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Protocol

    from memorybank.claims.claim import Vanished
    from memorybank.claims.declared import Declarations

    class ExistingPaths(Protocol):
        """The files and folders that exist now. is_complete: whether every path that git tracks is known."""

        @property
        def is_complete(self) -> bool: ...

        def has(self, path: str) -> bool: ...

        def ending_with(self, path: str) -> list[str]: ...

    class PastPaths(Protocol):
        """What git's history removed: the first removal after an instant (ms) of a path, of each path that ends with one, of each file below a folder
        (at most `MOST_BELOW` + 1), and of each version of a dependency.
        """

        def exact(self, kind: str, path: str, since: int) -> Vanished | None: ...

        def ending_with(self, path: str, since: int) -> list[Vanished]: ...

        def below(self, folder: str, since: int) -> list[Vanished]: ...

        def versions_of(self, name: str, since: int) -> list[Vanished]: ...


_MOST_RENAMES = 16
"""Maximum number of renames that are followed."""
MOST_BELOW = 500
"""Maximum number of files of a removed folder that are compared."""
_GENERIC = frozenset(
    str.split("""readme.md readme.rst readme.txt readme changelog.md license license.md license.txt contributing.md security.md todo.md notes.md index.md
    index.js index.ts index.tsx index.jsx index.html index.php index.css index.mjs main.py main.go main.rs main.c main.cpp main.ts main.js
    main.java mod.rs lib.rs __init__.py __main__.py setup.py setup.cfg conftest.py manage.py app.py app.js app.ts app.tsx server.js server.ts
    server.py config.py config.js config.ts config.json config.yml config.yaml config.toml settings.py settings.json utils.py utils.js utils.ts
    helpers.py types.ts types.py models.py views.py urls.py tests.py test.py test.js package.json package-lock.json yarn.lock pnpm-lock.yaml
    tsconfig.json pyproject.toml requirements.txt cargo.toml cargo.lock go.mod go.sum gemfile gemfile.lock makefile justfile dockerfile docker-
    compose.yml compose.yml .gitignore .gitattributes .env .envrc .editorconfig .npmrc .dockerignore .prettierrc .eslintrc claude.md agents.md
    gemini.md copilot-instructions.md style.css styles.css schema.sql data.json test.txt""")
)
"""File names that every other project has as well. Without a folder they say nothing about this one."""


class ClaimLookup:
    """Answers about claims in one state of a repository.

    references: names of its branches and tags.
    commits: those of the claimed commits that exist.
    declarations: what its manifests declare; None when nobody asks about commands and versions.
    """

    def __init__(
        self, tree: ExistingPaths, past: PastPaths, references: Collection[str], commits: Collection[str], declarations: Declarations | None = None
    ) -> None:
        self._tree = tree
        self._past = past
        self._references = references
        self._commits = commits
        self._declarations = declarations

    def state_of(self, claim: Claim, since: int) -> ClaimState:
        """Return the state of a claim.

        since: instant (ms) at which the text with the claim was created. What left before cannot have made it untrue.
        """
        if claim.kind == PATH:
            return self._of_path(claim, since)
        if claim.kind == NOTE:
            return self._of_note(claim.subject, since)
        if claim.kind == COMMIT:
            return HOLDING if claim.subject in self._commits else UNKNOWN_STATE
        if claim.kind == BRANCH:
            return self._of_branch(claim.subject, since)
        if self._declarations is None:
            return UNKNOWN_STATE
        of = {COMMAND: self._of_command, VERSION: self._of_version}
        return of[claim.kind](claim.place, since, self._declarations)

    def _of_path(self, claim: Claim, since: int) -> ClaimState:
        if claim.place:
            return HOLDING if self._tree.has(claim.place) else self._of_place(claim.place, since)
        path = claim.subject
        if self._tree.has(path) or self._tree.ending_with(path) or self._tree.has(PUBLISHED_PREFIX + path):
            return HOLDING
        if not self._tree.is_complete:
            return UNKNOWN_STATE  # another file that git tracks may have this name
        if "/" not in path and path.lower() in _GENERIC:
            return UNKNOWN_STATE
        found = self._of_place(path, since)
        if found is not UNKNOWN_STATE or self._past.exact(PATH, path, since) is not None:
            return found
        return self._only(self._past.ending_with(path, since))

    def _of_place(self, path: str, since: int) -> ClaimState:
        """Return the fate of exactly this path: a file, or a folder with all files below it."""
        removal = self._past.exact(PATH, path, since)
        if removal is not None:
            return self._fate(removal)
        below = self._past.below(path, since)
        return self._of_folder(path, below) if 0 < len(below) <= MOST_BELOW else UNKNOWN_STATE

    def _of_note(self, target: str, since: int) -> ClaimState:
        """Return the state of a wiki link that no note answers."""
        name = target.removeprefix("/").removesuffix(".md") + ".md"
        exact = self._past.exact(PATH, PUBLISHED_PREFIX + name, since)
        found = self._past.ending_with(name, since) if exact is None else [exact]
        return self._only([each for each in found if each.path.startswith(PUBLISHED_PREFIX)])

    def _of_branch(self, name: str, since: int) -> ClaimState:
        if name in self._references:
            return HOLDING
        merged = self._past.exact(BRANCH, name, since)
        return ClaimState(GONE, "", merged.commit, merged.at) if merged is not None else UNKNOWN_STATE

    def _of_command(self, key: str, since: int, declared: Declarations) -> ClaimState:
        if key in declared.commands:
            return HOLDING
        removal = self._past.exact(COMMAND, key, since)
        is_listed = key.partition(":")[0] not in declared.open_families
        return ClaimState(GONE, "", removal.commit, removal.at) if removal is not None and is_listed else UNKNOWN_STATE

    def _of_version(self, place: str, since: int, declared: Declarations) -> ClaimState:
        name, _, version = place.rpartition(" ")
        ranges, locked = declared.ranges.get(name, set()), declared.locked.get(name, set())
        if any(agree(version, each) for each in locked) or ("" not in ranges and any(allows(each, version) for each in ranges)):
            return HOLDING
        now = locked or {version_of(each) for each in ranges}
        earlier = [each for each in self._past.versions_of(name, since) if agree(version, each.path.rpartition(" ")[2])]
        if not earlier or len(now) > 1 or "" in ranges:
            return UNKNOWN_STATE
        latest = max(earlier, key=lambda each: each.at)
        return ClaimState(CHANGED, next(iter(now)), latest.commit, latest.at) if now else ClaimState(GONE, "", latest.commit, latest.at)

    def _only(self, found: list[Vanished]) -> ClaimState:
        """Return the fate of the only path that a claim can mean."""
        return self._fate(found[0]) if len(found) == 1 else UNKNOWN_STATE

    def _fate(self, removal: Vanished) -> ClaimState:
        """Follow renames to the present. The commit of the result is the one after which the written path was wrong, or the one that deleted the file."""
        step = removal
        for _ in range(_MOST_RENAMES):
            if not step.target:
                return ClaimState(GONE, "", step.commit, step.at)
            following = self._past.exact(PATH, step.target, step.at)
            if following is None:
                return ClaimState(MOVED, step.target, removal.commit, removal.at) if self._tree.has(step.target) else UNKNOWN_STATE
            step = following
        return UNKNOWN_STATE

    def _of_folder(self, folder: str, removals: list[Vanished]) -> ClaimState:
        """Return the fate of a folder: moved if every file went to the same place in one new folder, gone if every file was deleted."""
        fates = [self._fate(removal) for removal in removals]
        newest = max(removals, key=lambda removal: removal.at)
        if all(fate.state == GONE for fate in fates):
            return ClaimState(GONE, "", newest.commit, newest.at)
        moved = [(fate.target, removal.path[len(folder) :]) for fate, removal in zip(fates, removals, strict=True) if fate.state == MOVED]
        places = {target[: -len(rest)] if target.endswith(rest) else "" for target, rest in moved}
        if len(places) == 1 and "" not in places and all(fate.state in (GONE, MOVED) for fate in fates):
            return ClaimState(MOVED, places.pop(), newest.commit, newest.at)
        return UNKNOWN_STATE
