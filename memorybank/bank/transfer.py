"""Moving to another machine what only this machine knows of a bank: event logs, key, policy, backups and the decision to trust it."""

import os
from dataclasses import dataclass
from typing import Any

from memorybank import git
from memorybank.bank.arguments import BankFacade
from memorybank.errors import Conflict, NotFound, UsageError
from memorybank.storage import disk
from memorybank.storage.layout import Layout, project_of
from memorybank.transfer import carry_out, contents, export_file, merging
from memorybank.transfer.export_file import LocalExport
from memorybank.transfer.merging import ImportPlan
from memorybank.trust import record
from memorybank.trust.record import TrustRecord

LEAST_CHARACTERS = 12
"""Length of the shortest passphrase that an export is encrypted with."""
_LARGEST_FILE = 1 << 33
_LOCK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export contains. path: where it was written, "" after a dry run; size: bytes of the file; plain: bytes before compression."""

    path: str
    size: int
    plain: int
    sessions: int
    files: tuple[str, ...]
    has_notes: bool
    has_trust: bool

    def to_json(self) -> dict[str, object]:
        return {
            **{"path": self.path or None, "bytes": self.size, "plain_bytes": self.plain, "sessions": self.sessions},
            **{"notes": self.has_notes, "trust": self.has_trust, "files": list(self.files)},
        }


class Transfers(BankFacade):
    """Exports of what only this machine has, and imports of another machine's export."""

    def export(self, path: str | os.PathLike[str], passphrase: str, *, dry_run: bool = False) -> ExportReport:
        """Write one encrypted file with the files that git does not move, and return what it contains. Nothing in the bank is changed.

        path: a new file outside the bank
        passphrase: at least 12 characters; without it nobody can open the file
        dry_run: whether only to say what it would contain; then the passphrase is not used
        Raises `Conflict` for an existing file, `UsageError` for a short passphrase or a path in the bank, `MissingExtra` without the extra `backup`.
        """
        layout = self._bank.layout
        target = _absolute(path)
        if os.path.lexists(target):
            raise Conflict(f"{target} exists", next_step="name a new file; an export never replaces one")
        if any(os.path.realpath(target).startswith(f"{root}/") for root in (layout.root, layout.local_root)):
            raise UsageError(f"{target} is in the bank, which git would commit", next_step="name a file outside the bank, such as ~/memory.age")
        if not os.path.isdir(os.path.dirname(target)):
            raise NotFound(f"no folder {os.path.dirname(target)}", next_step="create it, or name another file")
        if not dry_run and len(passphrase) < LEAST_CHARACTERS:
            raise UsageError(
                f"the passphrase has fewer than {LEAST_CHARACTERS} characters", next_step="choose several words; whoever has the file can try them all"
            )
        files = contents.collect(layout)
        trust = _decision(record.load(layout, os.environ))
        export = LocalExport(self._bank.clock.now(), os.path.basename(project_of(layout)), files, trust)
        data = b"" if dry_run else export_file.pack(export, passphrase)
        if not dry_run:
            disk.create(target, data, mode=disk.PRIVATE_FILE)
        names = tuple(file.path for file in files)
        sessions = sum(name.startswith(contents.EVENTS) for name in names)
        plain = sum(len(file.data) for file in files)
        return ExportReport("" if dry_run else target, len(data), plain, sessions, names, any(map(contents.is_peoples, names)), trust is not None)

    def plan(self, path: str | os.PathLike[str], passphrase: str) -> ImportPlan:
        """Open an export, verify every digest in it, and return what an import would add to this bank. Nothing is changed.

        Raises `ValidationFailed` for a wrong passphrase or a damaged file, `NewerFormat` for a file of a newer memorybank.
        """
        layout = self._bank.layout
        source = _absolute(path)
        try:
            data = disk.read(source, _LARGEST_FILE)
        except FileNotFoundError:
            raise NotFound(f"no file {source}", next_step="name a file that 'memorybank backup export' wrote") from None
        export = export_file.unpack(data, passphrase, source)
        return merging.plan(layout, export, _accepted(layout, export))

    def carry_out(self, plan: ImportPlan) -> None:
        """Write what a plan says. A repeated import after an interruption completes it. Raises `Conflict` when the bank has changed since."""
        layout = self._bank.layout
        carry_out.carry_out(layout, plan, self._bank.clock)
        if plan.trust is not None:
            with record.lock(layout, os.environ, self._bank.clock, _LOCK_SECONDS):
                if _waits(record.load(layout, os.environ)):
                    record.save(layout, os.environ, _record(plan.trust))


def _absolute(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if not text:
        raise UsageError("the name of the file is empty")
    return os.path.normpath(os.path.join(os.getcwd(), os.path.expanduser(text)))


def _decision(found: TrustRecord | None) -> dict[str, Any] | None:
    """Return the part of a decision that holds on another machine: commits and contents, not worktrees."""
    if found is None or not found.by:
        return None
    return {
        **{"at": found.at, "follows": found.follows, "known": list(found.known)},
        **{"held": dict(found.held), "accepted": list(found.accepted)},
    }


def _record(decision: dict[str, Any]) -> TrustRecord:
    texts = {name: tuple(map(str, decision.get(name) or ())) for name in ("known", "accepted")}
    held = {str(path): str(blob) for path, blob in dict(decision.get("held") or {}).items()}
    return TrustRecord(record.PERSON, str(decision.get("at")), decision.get("follows") is True, texts["known"], {}, held, texts["accepted"])


def _waits(found: TrustRecord | None) -> bool:
    return found is None or not found.by


def _accepted(layout: Layout, export: LocalExport) -> dict[str, Any] | None:
    """Return the decision of the export if nobody decided here and this clone contains a commit that was accepted there."""
    decision = dict(export.trust) if export.trust is not None else None
    if decision is None or not _waits(record.load(layout, os.environ)):
        return None
    if layout.repository is None:
        return decision
    commits = [str(commit) for commit in decision.get("known") or () if str(commit).isalnum()]
    is_here = any(git.run(layout.repository, "cat-file", "-e", f"{commit}^{{commit}}") is not None for commit in commits)
    return decision if is_here else None
