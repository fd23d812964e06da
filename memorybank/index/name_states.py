"""What is known about the names of code that notes claim: which of them no file contains any more, and which definitions git's history removed.

    answers = ask(connection, repository, head, tree, bank, seconds)      no transaction is open
    store(connection, answers)                                            in a transaction
    lookup = lookup_of(connection, tree, answers)

After a commit, only the words of its changed lines are searched again. The table `vanished` keeps the removed definitions, and the words that occur
nowhere (`missing`) or only in configuration files (`configured`).
"""

from __future__ import annotations

from collections.abc import Iterable

from memorybank import git
from memorybank.claims import config_keys, occurrences, removals
from memorybank.claims.claim import KEY, MOVED, SYMBOL, Claim, Vanished
from memorybank.claims.definitions import is_config
from memorybank.claims.name_lookup import NameLookup
from memorybank.claims.names import file_of, file_of_target, words_of
from memorybank.claims.tree import RepositoryFiles
from memorybank.index import meta
from memorybank.index.claim_rows import StoredPast, put_vanished
from memorybank.index.claims_due import NAMES_HEAD, NAMES_SINCE, NEVER, OF_NAMES
from memorybank.storage.sqlite import sqlite3
from memorybank.values import NamedTuple

_MISSING, _CONFIGURED = "missing", "configured"
"""Kinds of rows of `vanished`: words that no file of code contains, and words that only configuration files contain."""
_MOST_FILES = 200
"""Maximum number of changed files in which words are looked up before the entire repository is searched."""
_MOST_VERSIONS = 5
"""Maximum number of removals of a key whose files are read."""


class NamedClaim(NamedTuple):
    """A claim about a name, as it is stored. identity: note, position, and what it says."""

    identity: tuple[int, int, str, str]
    claim: Claim
    state: str
    target: str
    created: int

    @property
    def watched(self) -> list[str]:
        """The words on which its state depends."""
        words = words_of(self.claim)
        return words + self.target.replace("::", ".").split(".") if self.state == MOVED and not file_of_target(self.target) else words


class NameAnswers(NamedTuple):
    """What the repository answered about names, before anything is written.

    since: instant (ms) from which removals are complete
    is_complete: whether `removals` replaces what is stored, rather than continuing it
    pending: the claims that are to be looked up
    """

    head: str
    since: int
    removals: list[Vanished]
    is_complete: bool
    missing: set[str]
    configured: set[str]
    pending: frozenset[tuple[int, int, str, str]]
    keys: set[str]
    removed_keys: list[Vanished]
    files: dict[str, str]
    words_of_files: dict[str, set[str]]


class _Changes(NamedTuple):
    """What changed since the last time: words of the changed lines, and files. touched: None when everything may have changed."""

    removed: set[str]
    added: set[str]
    touched: set[str] | None


def ask(connection: sqlite3.Connection, repository: str, head: str, tree: RepositoryFiles, bank: str, seconds: float, *, anew: bool = False) -> NameAnswers:
    """Ask git what is needed to look up the names that notes claim.

    bank: folder of the bank, relative to the repository; what it contains is no use of a name
    seconds: time limit of each call of git
    anew: whether to forget what was known
    Raises `LockTimeout`.
    """
    claims = _claims(connection)
    known = None if anew else meta.text(connection, NAMES_HEAD)
    if not claims:
        return NameAnswers(head, NEVER, [], True, set(), set(), frozenset(), set(), [], {}, {})
    return _Question(connection, repository, head, tree, bank, seconds).answers(claims, known)


class _Question:
    """One look at a repository on behalf of the claims about names."""

    def __init__(self, connection: sqlite3.Connection, repository: str, head: str, tree: RepositoryFiles, bank: str, seconds: float) -> None:
        self._connection, self._repository, self._head = connection, repository, head
        self._tree, self._bank, self._seconds = tree, bank, seconds
        self._past = StoredPast(connection)

    def answers(self, claims: list[NamedClaim], known: str | None) -> NameAnswers:
        changes = self._changes(known)
        claimed = {word for each in claims for word in each.watched}
        missing, configured = ({row[0] for row in self._rows(kind)} & claimed for kind in (_MISSING, _CONFIGURED))
        before = (set(missing), set(configured))
        new = claimed if changes.touched is None else claimed - {word for each in claims if each.state for word in each.watched}
        asked = new | self._left(changes, (claimed & changes.removed) - missing)
        of_keys = {words_of(each.claim)[-1] for each in claims if each.claim.kind == KEY}
        asked |= of_keys & (changes.removed | changes.added) & (missing | configured)
        asked |= {words_of(each.claim)[-1] for each in claims if each.claim.kind == KEY and not each.state}
        missing -= changes.added
        places = occurrences.find(self._repository, self._head, asked, self._bank, self._seconds)
        for word, paths in places.items():
            (missing.discard if paths else missing.add)(word)
            is_only = 0 < len(paths) < occurrences.MOST_PLACES and all(map(is_config, paths))
            (configured.add if is_only else configured.discard)(word)
        flipped = (missing ^ before[0]) | (configured ^ before[1]) | (asked & of_keys)
        pending = [each for each in claims if self._is_pending(each, changes, flipped)]
        absent = {word for each in pending for word in each.watched} & (missing | configured)
        removed, since, is_complete = self._removals(known if changes.touched is not None else None, min(each.created for each in claims))
        targets = self._targets(removed, absent & missing)
        found = occurrences.find(self._repository, self._head, targets - claimed, self._bank, self._seconds)
        missing |= {word for word, paths in found.items() if not paths}
        keys, removed_keys = self._keys(pending, missing, configured, places, removed)
        files, words_of_files = self._files(pending, removed)
        identities = frozenset(each.identity for each in pending)
        return NameAnswers(self._head, since, removed, is_complete, missing, configured, identities, keys, removed_keys, files, words_of_files)

    def _rows(self, kind: str) -> list[tuple[str]]:
        return self._connection.execute("SELECT path FROM vanished WHERE kind = ?", (kind,)).fetchall()

    def _changes(self, known: str | None) -> _Changes:
        """Return what changed in code since a commit."""
        if known == self._head:
            return _Changes(set(), set(), set())
        if not known or git.run(self._repository, "merge-base", "--is-ancestor", known, self._head, seconds=self._seconds) is None:
            return _Changes(set(), set(), None)
        removed: set[str] = set()
        added: set[str] = set()
        touched: set[str] = set()
        for change in removals.changes_between(self._repository, known, self._head, self._seconds):
            touched |= {change.before, change.after}
            for path, lines, words in ((change.before, change.removed, removed), (change.after, change.added, added)):
                if occurrences.counts(path, self._bank):
                    words.update(word.decode() for word in occurrences.words_of("\n".join(lines).encode()))
        return _Changes(removed, added, touched)

    def _left(self, changes: _Changes, words: set[str]) -> set[str]:
        """Return those of the words that may have been removed which no changed file contains any more."""
        left = words - changes.added
        if left and changes.touched and len(changes.touched) <= _MOST_FILES:
            paths = [path for path in changes.touched if occurrences.counts(path, self._bank) and not is_config(path)]
            for _, data in occurrences.contents(self._repository, self._at_head(paths), self._seconds):
                left -= {word.decode() for word in occurrences.words_of(data or b"")}
        return left

    def _at_head(self, paths: Iterable[str]) -> list[str]:
        return [f"{self._head}:{path}" for path in paths if "\n" not in path]

    def _is_pending(self, each: NamedClaim, changes: _Changes, flipped: set[str]) -> bool:
        if not each.state or changes.touched is None or not flipped.isdisjoint(each.watched):
            return True
        file = file_of(each.claim)
        return bool(file) and any(path.endswith(file) or path == file_of_target(each.target) for path in changes.touched)

    def _removals(self, known: str | None, oldest: int) -> tuple[list[Vanished], int, bool]:
        """Return (removals, instant from which they are complete, whether they replace the stored ones).

        oldest: instant (ms) of the oldest note that claims a name
        """
        since = meta.integer(self._connection, NAMES_SINCE) or 0
        if not known or oldest < since:
            return removals.read(self._repository, self._head, oldest, self._seconds), oldest, True
        return removals.read(self._repository, f"{known}..{self._head}", 0, self._seconds) if known != self._head else [], since, False

    def _targets(self, removed: list[Vanished], words: set[str]) -> set[str]:
        """Return the names that missing definitions got later."""
        stored = self._connection.execute("SELECT path, target FROM vanished WHERE kind = ? AND target <> ''", (SYMBOL,))
        renamed: dict[str, set[str]] = {}
        for path, target in (*stored, *((each.path, each.target) for each in removed if each.target)):
            renamed.setdefault(path.rpartition("::")[2], set()).add(target.rpartition("::")[2])
        found: set[str] = set()
        waiting = list(words)
        while waiting:
            following = renamed.get(waiting.pop(), set()) - found
            found |= following
            waiting += following
        return found - words

    def _keys(
        self, pending: list[NamedClaim], missing: set[str], configured: set[str], places: dict[str, list[str]], removed: list[Vanished]
    ) -> tuple[set[str], list[Vanished]]:
        """Return the claimed keys that exist, and the removals of those that existed."""
        claims = [each for each in pending if each.claim.kind == KEY and words_of(each.claim)[-1] in missing | configured]
        existing: set[str] = set()
        lacking = {words_of(each.claim)[-1] for each in claims} - places.keys()
        places = {**places, **occurrences.find(self._repository, self._head, lacking, self._bank, self._seconds)}
        paths = {path for each in claims for path in places.get(words_of(each.claim)[-1], ()) if is_config(path)}
        for name, data in occurrences.contents(self._repository, self._at_head(paths), self._seconds):
            keys = config_keys.keys_of(name, data or b"")
            existing |= {each.claim.place for each in claims if keys is None or config_keys.has_key(keys, each.claim.place)}
        asked: dict[tuple[str, str], Vanished] = {}
        for each in claims:
            word = words_of(each.claim)[-1]
            rows = [*(one for one in removed if one.name == word), *self._past.definitions(word, each.created)]
            of_files = [one for one in rows if is_config(one.path.rpartition("::")[0])]
            asked.update({(each.claim.place, one.commit + one.path): one for one in sorted(of_files, key=lambda one: -one.at)[:_MOST_VERSIONS]})
        names = [f"{one.commit}{sign}:{one.path.rpartition('::')[0]}" for one in asked.values() for sign in ("^", "")]
        versions = [found or b"" for _, found in occurrences.contents(self._repository, names, self._seconds)]
        gone = []
        for ((key, _), one), before, after in zip(asked.items(), versions[::2], versions[1::2], strict=True):
            path = one.path.rpartition("::")[0]
            had, has = config_keys.keys_of(path, before), config_keys.keys_of(path, after) if after else set()
            if had is not None and has is not None and config_keys.has_key(had, key) and not config_keys.has_key(has, key):
                gone.append(Vanished(KEY, key, "", one.commit, one.at))
        return existing, gone

    def _files(self, pending: list[NamedClaim], removed: list[Vanished]) -> tuple[dict[str, str], dict[str, set[str]]]:
        """Return the files in which claims place symbols, and the words of these and of those into which definitions moved."""
        written = {file for each in pending if (file := file_of(each.claim))}
        files = {}
        for path in written:
            found = [path] if self._tree.is_tracked(path) else self._tree.ending_with(path)
            if len(found) == 1:
                files[path] = found[0]
        words = {words_of(each.claim)[-1] for each in pending if file_of(each.claim)}
        rows = [*removed, *(row for word in words for row in self._past.definitions(word, 0))]
        targets = {row.target.rpartition("::")[0] for row in rows if row.name in words and row.target}
        paths = [path for path in sorted({*files.values(), *targets}) if "\n" not in path]
        contents = occurrences.contents(self._repository, self._at_head(paths), self._seconds)
        return files, {path: {word.decode() for word in occurrences.words_of(data or b"")} for path, (_, data) in zip(paths, contents, strict=True)}


def store(connection: sqlite3.Connection, answers: NameAnswers) -> None:
    """Store what was found, and reset the states of the claims that are to be looked up."""
    if answers.is_complete:
        connection.execute("DELETE FROM vanished WHERE kind = ?", (SYMBOL,))
    connection.execute("DELETE FROM vanished WHERE kind IN (?, ?)", (_MISSING, _CONFIGURED))
    words = [Vanished(kind, word, "", "", 0) for kind, found in ((_MISSING, answers.missing), (_CONFIGURED, answers.configured)) for word in found]
    put_vanished(connection, (*answers.removals, *answers.removed_keys, *words))
    reset = "UPDATE claims SET state = '' WHERE note = ? AND position = ? AND subject = ? AND place = ?"
    connection.executemany(reset, answers.pending)
    meta.write(connection, NAMES_HEAD, answers.head)
    meta.write(connection, NAMES_SINCE, answers.since)


def lookup_of(connection: sqlite3.Connection, tree: RepositoryFiles, answers: NameAnswers) -> NameLookup:
    """Return the lookup of the pending claims."""
    past = StoredPast(connection)
    return NameLookup(tree, past, answers.missing, answers.words_of_files, answers.files, answers.keys, answers.configured | answers.missing)


def _claims(connection: sqlite3.Connection) -> list[NamedClaim]:
    columns = "c.note, c.position, c.kind, c.subject, c.line, c.place, c.state, c.target, n.created"
    query = f"SELECT {columns} FROM claims c JOIN notes n ON n.id = c.note WHERE c.{OF_NAMES}"
    return [
        NamedClaim((note, position, subject, place), Claim(kind, subject, line, place), state, target, created)
        for note, position, kind, subject, line, place, state, target, created in connection.execute(query)
    ]
