"""What follows after notes moved between `active/` and the archive: the index, the record of dates and the published history are brought up to date."""

from memorybank.bank import recording
from memorybank.bank.opened import OpenBank
from memorybank.errors import MemorybankError
from memorybank.index.fold import refresh
from memorybank.rotation import history


def settle(bank: OpenBank) -> list[str]:
    """Update what is derived and the record of dates after notes moved. Return warnings."""
    warnings = update_derived(bank)
    recording.record_all(bank)
    return warnings


def update_derived(bank: OpenBank) -> list[str]:
    """Update the index, the catalogues and the published history.

    The notes are safe already. An error here becomes a warning with a next step, and does not fail the operation.
    """
    try:
        with bank.opened() as index:
            refresh(index, fresh=True)
        history.write_documents(bank.layout)
    except MemorybankError as error:
        return [f"the notes are in place, but the index could not be updated ({error.message}); run 'memorybank rebuild' to create it again"]
    return []
