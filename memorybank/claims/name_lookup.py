"""Looks up names of code in what the files of a commit contain and in what git's history removed. When in doubt, the answer is `unknown`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from memorybank.claims.claim import GONE, HOLDING, KEY, MOVED, UNKNOWN_STATE, Claim, ClaimState, Vanished
from memorybank.claims.definitions import is_config
from memorybank.claims.names import file_of, is_specific, words_of
from memorybank.text.pattern import lazy_pattern

_SEPARATORS = lazy_pattern(r"[/.:]+")
_MOST_RENAMES = 16
"""Maximum number of renames that are followed."""


class RemovedNames(Protocol):
    """What git's history removed, after an instant (ms), the latest first: the definitions of a name, and a configuration key."""

    def definitions(self, name: str, since: int) -> list[Vanished]: ...

    def keys(self, key: str, since: int) -> list[Vanished]: ...


class PathsNow(Protocol):
    """The paths that exist now, and those of them that git tracks."""

    def has(self, path: str) -> bool: ...

    def is_tracked(self, path: str) -> bool: ...


class NameLookup:
    """Answers about the names of code in one commit.

    missing: words that no file of code contains
    words_of_files: {file: its words}, of the files in which symbols are said to be, and of those into which they were moved
    files: {file as it is written: the only tracked file that it can mean}
    keys: configuration keys that exist
    only_configured: last parts of keys that nothing but configuration files contains
    """

    def __init__(
        self,
        tree: PathsNow,
        past: RemovedNames,
        missing: Collection[str],
        words_of_files: Mapping[str, Collection[str]],
        files: Mapping[str, str],
        keys: Collection[str],
        only_configured: Collection[str],
    ) -> None:
        self._tree, self._past = tree, past
        self._missing = missing
        self._words_of_files, self._files = words_of_files, files
        self._keys, self._only_configured = keys, only_configured

    def state_of(self, claim: Claim, since: int) -> ClaimState:
        """Return the state of a claim about a symbol, a variable or a key.

        since: instant (ms) at which the text with the claim was created
        """
        words = words_of(claim)
        file = self._files.get(file_of(claim), "")
        if file and not self._is_in(file, words[-1]):
            return self._in_another_file(file, claim, since)
        if claim.kind == KEY and words[-1] in self._only_configured:
            found = self._of_key(claim.place, since)
            if found is not UNKNOWN_STATE or words[-1] not in self._missing:
                return found
        for number, word in enumerate(words):
            if word in self._missing:
                has_owner = not file and (claim.kind == KEY or not is_specific(word))
                return self._removed(word, claim.subject, since, words[:number] if has_owner else None)
        return HOLDING

    def _is_in(self, file: str, word: str) -> bool:
        return word in self._words_of_files.get(file, ())

    def _in_another_file(self, file: str, claim: Claim, since: int) -> ClaimState:
        """Return the state of a symbol that is not in the file in which the note says it is."""
        word = words_of(claim)[-1]
        if word in self._missing:
            return self._removed(word, claim.subject, since)
        for removal in self._past.definitions(word, since):
            path, _, name = removal.target.rpartition("::")
            if removal.path == f"{file}::{word}" and name == word and self._is_in(path, word):
                return ClaimState(MOVED, removal.target, removal.commit, removal.at)
        return UNKNOWN_STATE

    def _of_key(self, key: str, since: int) -> ClaimState:
        if key in self._keys:
            return HOLDING
        removals = self._past.keys(key, since)
        return ClaimState(GONE, "", removals[0].commit, removals[0].at) if removals else UNKNOWN_STATE

    def _removed(self, word: str, subject: str, since: int, owners: list[str] | None = None) -> ClaimState:
        """Return what became of a name that is in use nowhere: renames are followed to the present.

        owners: the names before a word that other projects use as well, one of which must belong to this project
        """
        name, first = word, None
        for _ in range(_MOST_RENAMES):
            removals = self._past.definitions(name, since)
            if not removals or (owners is not None and is_config(removals[0].path.rpartition("::")[0])):
                return UNKNOWN_STATE
            latest = removals[0]
            first = first or latest
            if owners is not None and not is_specific(word) and not any(is_specific(owner) or owner in _SEPARATORS.split(latest.path) for owner in owners):
                return UNKNOWN_STATE
            path = latest.path.rpartition("::")[0]
            if self._tree.has(path) and not self._tree.is_tracked(path):
                return UNKNOWN_STATE  # generated now, or written and not yet committed
            renamed = latest.target.rpartition("::")[2]
            if not renamed:
                return ClaimState(GONE, "", latest.commit, latest.at)
            if renamed == name:
                return UNKNOWN_STATE  # moved, and no commit removed it from there
            if renamed not in self._missing:
                return ClaimState(MOVED, subject.replace(word, renamed), first.commit, first.at)
            name, since = renamed, latest.at
        return UNKNOWN_STATE
