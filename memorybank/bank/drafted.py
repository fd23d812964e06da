"""Which lines of the drafted summary sessions no longer receive, for commands: by the same code as a start."""

from memorybank import resident
from memorybank.bank import cycle_cache
from memorybank.bank.opened import OpenBank
from memorybank.cycle.know import rules
from memorybank.cycle.know.rejected import rejections
from memorybank.cycle.recall.candidates import Sources
from memorybank.cycle.recall.drafted_page import DraftedPage
from memorybank.index.decision_rows import TakenBack
from memorybank.resident import Resident


def standing(bank: OpenBank, found: Resident) -> tuple[str, list[str]]:
    """Return (the body that sessions receive of a summary, the lines of a draft that no longer hold)."""
    if not found.is_drafted:
        return found.body, []
    with bank.opened() as index, cycle_cache.seen_by(bank) as cycle:
        kept, sources = rejections(bank.layout), Sources(index.connection, cycle)
        taken_back = [TakenBack.of(*said) for said in rules.taken_back(cycle, bank.clock.now())]
        return DraftedPage(bank.layout, sources, lambda note: sources.superseded(note, kept, lambda row: True), taken_back).standing(found)


def withdrawn(bank: OpenBank) -> int:
    """Return the number of lines of the bank's drafted summary that no longer hold."""
    return len(standing(bank, resident.collect(bank.layout))[1])
