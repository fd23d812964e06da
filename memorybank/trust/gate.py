"""Decides what agents may be shown of a bank unasked: everything, nothing, or everything except the files that arrived by git and wait for a person.

A repository that somebody clones may contain a bank that a stranger wrote. Until a person of this machine accepts it (`memorybank trust`),
its notes, episodes and resident summary are found only by a search, and its settings for recall have no effect. Memories that this machine recorded
itself are always shown.
"""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.clock import isoformat
from memorybank.errors import MemorybankError
from memorybank.log import key
from memorybank.trust import record as records
from memorybank.trust import unaccepted
from memorybank.trust.record import TrustRecord
from memorybank.trust.unaccepted import UnacceptedContents
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

VARIABLE = "MEMORYBANK_TRUST"
"""Environment variable. With the value `all` every bank is trusted: for containers and CI, in which a person cannot be asked."""
WAITS = "nobody on this machine has accepted this bank yet: 'memorybank trust' shows what it would tell agents"
CHANGED = "{count} of this bank came from others and {wait} for a person: 'memorybank trust' shows the changes"
EPISODES, TOPICS = "episodes/episodic_memory.json", "episodes/topic_clusters.json"
"""Files of a bank that contain all episodes and all topics, relative to it."""
SOURCES = "config/sources_config.json"
"""The file that declares which files of the repository are read in place."""
ALL = "all"
_LOCK_SECONDS = 0.05


class TrustGate(Value):
    """What agents may be shown of one bank.

    is_open: whether a person accepted the bank.
    held: {path relative to the bank: blob id that was accepted there} of the files that wait.
    others: what others committed and nobody accepted; a file with such a content, or with a passage of it, waits, however it got into the working tree.
    accepted: blob ids and ids of passages that a person accepted before any commit made here contained them.
    """

    is_open: bool
    held: Mapping[str, str] = {}
    others: UnacceptedContents = UnacceptedContents()
    accepted: frozenset[str] = frozenset()

    def admits(self, layout: Layout, path: str) -> bool:
        """Return whether a file of the bank may be shown. Content that was accepted before may be shown again.

        path: relative to the bank.
        """
        if not self.is_open or not (self.others.marks or path in self.held):
            return self.is_open
        found = unaccepted.marks_of(layout, path)
        if path in self.held:
            return self.held[path] in found.blobs
        if not self.accepted.isdisjoint(found.blobs) or self.others.settings.get(path) in found.blobs:
            return True
        return path not in self.others.settings and self.others.marks.isdisjoint(found.blobs | found.passages)

    @property
    def reason(self) -> str:
        """Return why something is not shown, with the command that shows it to a person; "" when everything may be shown."""
        if not self.is_open:
            return WAITS
        return changed(len(self.held))


def changed(count: int) -> str:
    """Return a sentence about the number of files that wait; "" for none."""
    return CHANGED.format(count=f"{count} file{'s' if count > 1 else ''}", wait="wait" if count > 1 else "waits") if count else ""


OPEN, CLOSED = TrustGate(True), TrustGate(False)


def gate_of(layout: Layout, environ: Mapping[str, str], clock: Clock, *, keep: bool = True) -> TrustGate:
    """Return the gate of a bank. The first call on this machine records how the bank was found; later calls record what git brought since.

    keep: whether to record anything.
    """
    if environ.get(VARIABLE) == ALL:
        return OPEN
    found = records.load(layout, environ)
    if found is None:
        found = _first_sight(layout, environ, clock, keep)
    if not found.by:
        return CLOSED
    head = git.head(layout.repository) if layout.repository else None
    if head is not None and found.seen.get(str(layout.repository)) != head:
        from memorybank.trust import arrivals  # late: HEAD rarely moves between two events

        caught_up = arrivals.caught_up(layout, found, head)
        if caught_up is None:  # git could not say what arrived, so nothing is shown until it can
            return CLOSED
        if keep:
            _keep(layout, environ, clock, found, caught_up)
        found = caught_up
    held = {path: blob for path, blob in found.held.items() if records.is_shown(path)}
    others = unaccepted.of_record(layout, environ, found, head, keep=keep) if head is not None and not found.follows else UnacceptedContents()
    return TrustGate(True, held, others, frozenset(found.accepted)) if held or others.marks else OPEN


def _first_sight(layout: Layout, environ: Mapping[str, str], clock: Clock, keep: bool) -> TrustRecord:
    """Decide about a bank of which this machine has no record, and record it before the bank gets a key.

    A later key is no proof that the bank was here before, because the first event that a hook records creates one.
    """
    from memorybank.trust import grounds  # late: once for each bank

    by = grounds.of_bank(layout, environ, has_key=key.load(layout) is not None)
    first = TrustRecord()
    if by:
        head = git.head(layout.repository) if layout.repository else None
        seen = {str(layout.repository): head} if head else {}
        first = TrustRecord(by, isoformat(clock.now()), known=(head,) if head else (), seen=seen)
    if not keep:
        return first
    saved = _keep(layout, environ, clock, None, first)
    # Without a record, the key that is about to be created would count as proof at the next event.
    return first if saved or by == records.SETTINGS else TrustRecord()


def _keep(layout: Layout, environ: Mapping[str, str], clock: Clock, before: TrustRecord | None, after: TrustRecord) -> bool:
    """Save a record if nobody changed it since it was read. Return whether it was saved."""
    try:
        with records.lock(layout, environ, clock, _LOCK_SECONDS):
            if records.load(layout, environ) != before:
                return False
            records.save(layout, environ, after)
    except MemorybankError:  # busy or not writable: the next event decides again
        return False
    return True
