"""Restores the reason why a note was archived, as a value, from its sidecar, which stores it as an English sentence."""

from memorybank.archive.object import ArchiveObject
from memorybank.reasons.reason import Reason
from memorybank.rotation.chosen import FORGOTTEN
from memorybank.rotation.rules import MB


def reason_of(stored: ArchiveObject) -> Reason | None:
    """Return the reason; None for a rule that this version does not know."""
    if stored.rule in ("low", "medium"):
        return Reason("archived.importance", importance=stored.importance)
    if stored.rule == "size":
        return Reason("archived.size", size=stored.size / MB)
    if stored.rule == "directory_size":
        return Reason("archived.directory_size")
    return Reason("rotation.forgotten") if stored.rule == FORGOTTEN else None
