"""The claims of notes: what they name that can be looked up in the repository, and whether it is still so."""

from collections.abc import Sequence

from memorybank.bank.arguments import BankFacade
from memorybank.claims.claim import DATE, UNKNOWN
from memorybank.index import claim_rows, claim_states
from memorybank.index.claim_rows import NoteClaim
from memorybank.index.fold import refresh_shown


class Claims(BankFacade):
    """What the notes of a bank claim about the repository."""

    def list(self, key: str | None = None, *, is_patient: bool = True) -> Sequence[NoteClaim]:
        """Return the claims of all notes and files of sources, by key and line, with their states. Nothing in the repository changes.

        key: return only those of this note
        is_patient: whether to wait up to a minute for each answer of git, rather than 2 s
        Raises `NotFound` for an unknown key.
        """
        if key is not None:
            from memorybank.bank.notes import Notes

            key = Notes(self._bank).find(key)
        with self._bank.folded() as index:
            slow = claim_states.refresh(index, claim_states.PATIENT_SECONDS if is_patient else claim_states.SECONDS)
            self._bank.notify(*([slow] if slow is not None else []))
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
