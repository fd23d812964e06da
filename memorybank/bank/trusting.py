"""Lets a person decide whether agents on this machine may be shown a bank: what it would show them, the decision, and what arrived since."""

import os
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memorybank import clock, git, resident
from memorybank.bank.arguments import BankFacade
from memorybank.config import cycle as cycle_settings
from memorybank.episodes import list_file
from memorybank.errors import MemorybankError, UsageError
from memorybank.notes import frontmatter, scan
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import MAX_NOTE_BYTES
from memorybank.text import requests
from memorybank.text.quantities import counted
from memorybank.trust import brought, commits, gate, grounds, record, unaccepted
from memorybank.trust.record import TrustRecord

TRUSTED, WAITING, CHANGED = "trusted", "waiting", "changed"
INSTRUCTS, HIDES = "reads like an instruction to agents that people should not notice", "contains invisible characters"
WIDENS = "changes what hooks record and what agents see"
READS = "names files of the repository that agents are shown"
_ENVIRONMENT = "environment"
_NOTES, _LEARNED = "active/", "active/learned/"
_SINGLE_FILES = (resident.FILE, gate.EPISODES, gate.TOPICS, cycle_settings.FILE, gate.SOURCES)
_ORDER = ("settings", "summary", "rule", "episodes", "topics", "note")
_DIFF_LINES = 12
_LOCK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class TrustStatus:
    """Whether agents are shown the bank's memories.

    state: `trusted`, `waiting` (nobody accepted the bank) or `changed` (some files arrived by git and wait)
    by: how the bank came to be trusted: `created`, `key`, `person`, `settings`, `uncommitted`, `environment`; "" when it waits
    at: since when (ms), or None
    follows: whether files that arrive by git are accepted without asking
    waiting: paths, relative to the bank, of the files that wait; () when the whole bank waits
    """

    state: str
    by: str
    at: int | None
    follows: bool
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speech:
    """One file that would be shown to agents unasked, or that decides what they are shown.

    path: relative to the bank
    what: `summary`, `episodes`, `topics`, `rule` (a learned note), `note` or `settings`
    warning: why a person should read it first, or ""
    diff: the change of a file that arrived by git since the bank was accepted, or the beginning of the text of a bank that nobody accepted: 12 lines,
        and how many more there are
    """

    path: str
    what: str
    warning: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True)
class TrustSurvey:
    """What a person would accept.

    speaks: the resident summary, the settings, the episodes and the notes; of a trusted bank only notes with a warning, and where some files wait, these
    notes, learned, episodes: numbers of notes, learned notes and episodes in the bank
    essence: digest of the commit and of every file that an acceptance would concern, none in a trusted bank; another one means that something changed since
    """

    status: TrustStatus
    speaks: tuple[Speech, ...]
    notes: int
    learned: int
    episodes: int
    essence: str


class TrustFacade(BankFacade):
    """The operations of `memorybank trust`."""

    def status(self) -> TrustStatus:
        """Return whether agents are shown the bank's memories."""
        bank = self._bank
        found = self._gate()
        if os.environ.get(gate.VARIABLE) == gate.ALL:
            return TrustStatus(TRUSTED, _ENVIRONMENT, None, False, ())
        kept = record.load(bank.layout, os.environ) or TrustRecord()
        if not found.is_open:
            return TrustStatus(WAITING, "", None, False, ())
        waiting = tuple(brought.waiting(self._bank.layout, found))
        return TrustStatus(CHANGED if waiting else TRUSTED, kept.by or record.SETTINGS, clock.parse(kept.at) if kept.at else None, kept.follows, waiting)

    def withheld(self, paths: Iterable[str]) -> list[str]:
        """Return those of the files that agents are not shown before a person accepts them.

        paths: relative to the bank
        """
        found = self._gate()
        return [path for path in paths if not found.admits(self._bank.layout, path)]

    def survey(self, *, of_trusted: bool = True) -> TrustSurvey:
        """Return what the bank would show agents: the waiting files with their changes or, while nobody has accepted the bank, all of it.

        of_trusted: whether to read the files of a bank that is trusted too; otherwise such a bank has no `speaks`
        """
        status = self.status()
        notes = sorted(_NOTES + note.key for note in scan.sweep(self._bank.layout).found)
        learned = sum(path.startswith(_LEARNED) for path in notes)
        # An acceptance concerns no file of a trusted bank. If one arrives that waits, the state changes.
        concerned = status.waiting or ((*_SINGLE_FILES, *notes) if of_trusted or status.state != TRUSTED else ())
        speaks: list[Speech] = []
        digests: list[str] = []
        for path in concerned:
            text = self._text(path)
            digests.append(path if text is None else f"{path} {sha256(text.encode()).hex()}")
            if text is not None and (speech := self._speech(status, path, text)) is not None:
                speaks.append(speech)
        speaks.sort(key=lambda one: (not one.warning, _ORDER.index(one.what), one.path))
        essence = self._essence(status, () if status.state == TRUSTED else digests)
        return TrustSurvey(status, tuple(speaks), len(notes) - learned, learned, len(list_file.read(self._bank.layout).entries), essence)

    def accept(self, *, follow: bool | None = None) -> TrustStatus:
        """Show agents everything that the bank contains now.

        follow: whether to accept files that arrive by git from now on without asking; None leaves that as it is
        """
        layout = self._bank.layout
        head = git.head(layout.repository) if layout.repository else None

        def accepted(before: TrustRecord) -> TrustRecord:
            known = (*before.known, head) if head and head not in before.known else before.known
            seen = {**before.seen, str(layout.repository): head} if head else before.seen
            at = clock.isoformat(self._bank.clock.now())
            return TrustRecord(record.PERSON, at, before.follows if follow is None else follow, known, seen, accepted=before.accepted)

        status = self._change(accepted)
        if not status.waiting:
            return status
        # What is in the working tree only has no commit to accept, so its content is accepted, with the passages that others wrote.
        strange = self._gate().others.marks
        found = [unaccepted.marks_of(layout, path) for path in status.waiting]
        contents = [mark for one in found for mark in (*sorted(one.blobs), *sorted(one.passages & strange))]
        return self._change(lambda before: before.with_changes(accepted=tuple(dict.fromkeys((*before.accepted, *contents)))))

    def revoke(self) -> TrustStatus:
        """Show agents none of the bank's own files until a person accepts it again.

        Raises `UsageError` when the person's own settings name the bank.
        """
        if grounds.is_named(self._bank.layout, os.environ):
            raise UsageError("your own settings trust this bank", next_step="remove its folder or remote from trust in your own config.json")
        return self._change(lambda before: TrustRecord(seen=before.seen))

    def _gate(self) -> gate.TrustGate:
        return gate.gate_of(self._bank.layout, os.environ, self._bank.clock, keep=not self._bank.read_only)

    def _essence(self, status: TrustStatus, digests: Iterable[str]) -> str:
        layout = self._bank.layout
        head = git.head(layout.repository) if layout.repository else None
        return sha256("\0".join((head or "", status.state, *digests)).encode("utf-8", "surrogateescape")).hex()

    def _speech(self, status: TrustStatus, path: str, text: str) -> Speech | None:
        """Return a file that a person should know about before accepting; None for a note without a warning that does not wait."""
        warning = _warning(path, text)
        if not warning and status.state == TRUSTED and path.startswith(_NOTES):
            return None
        diff = self._difference(path, text) if status.waiting else _beginning(path, text) if status.state == WAITING else ""
        return Speech(path, _kind(path), warning, diff)

    def _text(self, path: str) -> str | None:
        """Return the text of a file of the bank, or None when it is missing or cannot be read."""
        try:
            return disk.read(os.path.join(self._bank.layout.root, *path.split("/")), MAX_NOTE_BYTES).decode("utf-8", "replace")
        except (MemorybankError, OSError):
            return None

    def _difference(self, path: str, text: str) -> str:
        """Return the change of a waiting file: a diff, or the first lines of a new file."""
        layout = self._bank.layout
        before = self._gate().held.get(path)
        if before is None and layout.repository:
            before = (commits.blobs(layout.repository, layout.root, "HEAD") or {}).get(path)
        if before and layout.repository:
            file = os.path.join(layout.root, *path.split("/"))
            command = f"git diff {before} -- {shlex.quote(layout.relative(file))}"
            return _cut(commits.changes(layout.repository, file, before), command)
        return _cut([f"+{line}" for line in text.splitlines()], f"read {path}")

    def _change(self, change: "Callable[[TrustRecord], TrustRecord]") -> TrustStatus:
        bank = self._bank
        with record.lock(bank.layout, os.environ, bank.clock, _LOCK_SECONDS):
            record.save(bank.layout, os.environ, change(record.load(bank.layout, os.environ) or TrustRecord()))
        return self.status()


def _beginning(path: str, text: str) -> str:
    """Return the first lines of what agents could be shown of a file: the text of a note without its front matter, the summaries of the latest episodes."""
    if path == gate.EPISODES:
        text = "\n".join(f"{entry.date}: {' '.join(entry.summary.split())}" for entry in reversed(list_file.salvage(text.encode())) if entry.summary)
    elif not path.endswith(".json"):
        block = frontmatter.find_block(text)
        text = text[block.after :] if isinstance(block, frontmatter.FrontMatterBlock) else text
    return _cut([line for line in text.splitlines() if line.strip()], f"read {path}")


def _cut(lines: list[str], rest: str) -> str:
    """Return the first lines, and how many are missing. rest: what a person can do to see them"""
    left = len(lines) - _DIFF_LINES
    return "\n".join([*lines[:_DIFF_LINES], *([f"… {counted(left, 'more line')}: {rest}"] if left > 0 else [])])


def _kind(path: str) -> str:
    """Return what a file is to agents, one of the values of `Speech.what`."""
    named = {resident.FILE: "summary", gate.EPISODES: "episodes", gate.TOPICS: "topics", cycle_settings.FILE: "settings", gate.SOURCES: "settings"}
    return named.get(path) or ("rule" if path.startswith(_LEARNED) else "note")


def _warning(path: str, text: str) -> str:
    """Return why a person should read a file first, or ""."""
    if path in (cycle_settings.FILE, gate.SOURCES):
        return WIDENS if path == cycle_settings.FILE else READS
    if requests.is_against_people(text):
        return INSTRUCTS
    return HIDES if requests.HIDDEN.search(text.removeprefix("\ufeff")) else ""
