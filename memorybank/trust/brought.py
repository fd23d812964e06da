"""Which files of the working tree wait although git brought them without a commit, for those who list what waits."""

from memorybank.storage.layout import Layout
from memorybank.trust import commits
from memorybank.trust.gate import TrustGate
from memorybank.trust.record import SHOWN


def waiting(layout: Layout, gate: TrustGate) -> list[str]:
    """Return every path, relative to the bank, of a file that waits: because git brought it, or because others committed its content.

    Where git fails or is too slow, the latter are missing.
    """
    if not gate.others.marks or layout.repository is None:
        return sorted(gate.held)
    paths = commits.uncommitted(layout.repository, layout.root, SHOWN)
    return sorted({*gate.held, *(path for path in paths if not gate.admits(layout, path))})
