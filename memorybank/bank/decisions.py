"""The claims of notes (what they name in the repository, and whether it is still so) and their decisions (which statements a later one replaced).

A person may say of two decisions that they do not contradict each other.
"""

from collections.abc import Sequence

from memorybank.bank.arguments import BankFacade
from memorybank.bank.notes import Notes
from memorybank.claims.claim import DATE, UNKNOWN
from memorybank.cycle.know import rejected
from memorybank.errors import NotFound, UsageError
from memorybank.index import claim_rows, claim_states
from memorybank.index.claim_rows import NoteClaim
from memorybank.index.decision_rows import SUPERSEDED, SupersededStatement, Supersessions
from memorybank.index.fold import refresh_shown
from memorybank.index.queries import id_of

_NEXT = "'memorybank superseded list' shows the ids of superseded statements"


class Claims(BankFacade):
    """What the notes of a bank claim about the repository."""

    def list(self, key: str | None = None, *, is_patient: bool = True) -> Sequence[NoteClaim]:
        """Return the claims of all notes and files of sources, by key and line, with their states. Nothing in the repository changes.

        key: return only those of this note
        is_patient: whether to wait up to a minute for each answer of git, rather than 2 s
        Raises `NotFound` for an unknown key.
        """
        if key is not None:
            key = Notes(self._bank).find(key)
        with self._bank.folded() as index:
            self._bank.look_up_every_claim(index, is_patient=is_patient)
            return list(claim_rows.claims(index.connection, self._bank.layout.work_tree, key))

    def to_review(self) -> Sequence[NoteClaim]:
        """Return the statements that say "temporary" or "for now" for so long that a person should read them: 180 days."""
        with self._bank.folded() as index:
            every = claim_rows.claims(index.connection, self._bank.layout.work_tree)
            return [each for each in every if each.claim.kind == DATE and each.found.state == UNKNOWN and 0 < each.found.at <= index.now]

    def untrue(self, key: str) -> Sequence[NoteClaim]:
        """Return the outdated claims of one note or file of a source. Other notes are not checked, so this is fast in any bank.

        key: exact; an unknown one gives ()
        """
        with self._bank.opened() as index:
            if not index.frozen:
                refresh_shown(index, [key])
                claim_states.refresh(index)
            return [each for each in claim_rows.claims(index.connection, self._bank.layout.work_tree, key) if each.is_untrue]


class Decisions(BankFacade):
    """What the notes of a bank decide, and what of it is no longer in force."""

    def superseded(self, key: str | None = None) -> Sequence[SupersededStatement]:
        """Return the superseded statements of all notes and files of sources, or of one of them, by key and place.

        Raises `NotFound` for an unknown key.
        """
        if key is not None:
            key = Notes(self._bank).find(key)
        with self._bank.folded() as index:
            found = Supersessions(index.connection, self._kept())
            if key is None:
                return list(found.everything())
            note = id_of(index.connection, key)
            return found.of_note(note) if note is not None else []

    def superseded_in(self, key: str) -> Sequence[SupersededStatement]:
        """Return the superseded statements of one note. Other notes are not checked, so this is fast in any bank.

        key: exact; an unknown one gives ()
        """
        with self._bank.opened() as index:
            if not index.frozen:
                refresh_shown(index, [key])
            note = id_of(index.connection, key)
            return Supersessions(index.connection, self._kept()).of_note(note) if note is not None else []

    def keep(self, name: str) -> SupersededStatement:
        """Record that a statement is not superseded by the one that is named for it. It is a line of `rejected.jsonl`, which lasts and is shared.

        name: id of the pair, or the beginning of one
        Raises `NotFound` and `UsageError` for an id that no pair has, or that several have.
        """
        found = [each for each in self.superseded() if each.id.startswith(name)] if name else []
        if not found:
            raise NotFound(f"no superseded statement has the id {name!r}", next_step=_NEXT)
        if len({each.id for each in found}) > 1:
            raise UsageError(f"more than one id begins with {name!r}", next_step="write more characters of it")
        kept = found[0]
        what = f"{kept.key} is not superseded by {kept.by}"
        rejected.add(self._bank.layout, kept.id, is_rejected=True, by=rejected.COMMAND, what=what, clock=self._bank.clock)
        return kept

    def restore(self, name: str | None = None) -> str:
        """Take back what `keep` recorded, by default its newest line. Return the id of the pair. Raises `NotFound`, `UsageError`."""
        kept = [memory for memory, verdict in rejected.rejections(self._bank.layout).items() if memory.startswith(f"{SUPERSEDED}:")]
        found = [memory for memory in kept if memory.startswith(name)] if name else kept[-1:]
        if not found:
            raise NotFound(f"no pair with the id {name!r} is kept" if name else "no pair is kept", next_step="'memorybank know list --rejected' lists them")
        if len(found) > 1:
            raise UsageError(f"more than one id begins with {name!r}", next_step="write more characters of it")
        rejected.add(self._bank.layout, found[0], is_rejected=False, by=rejected.COMMAND, what="", clock=self._bank.clock)
        return found[0]

    def _kept(self) -> set[str]:
        return set(rejected.rejections(self._bank.layout))
