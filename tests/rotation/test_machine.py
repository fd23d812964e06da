"""Any order of edits, renames, bookmarks, rotations, restores, crashes and passing days: no content is ever lost.

The model is a set of contents: whatever a person wrote and did not overwrite or delete must be in active/, in an archive object that
verifies, or in a backup, until retention deletes it, seven observed days after its tombstone.
"""

import os
import shutil
import tempfile

import hypothesis.strategies as st
from hypothesis import settings as depth
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memorybank.archive import store
from memorybank.clock import DAY, HOUR, FixedClock
from memorybank.editing import bookmarking
from memorybank.errors import NotFound
from memorybank.log import rotation as log
from memorybank.rotation import undo
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import maintain
from memorybank.rotation.verify import verify
from memorybank.storage.layout import Layout
from tests.crash.recorder import Killing, Passing, replaced
from tests.rotation.rotation_rows import NOW, active, expiring, plan_for, rows, tree

KEYS = ("a.md", "planning/設計.md", "planning/b.md", "shared/deep/c.md")
IMPORTANCE = {"a.md": 1.0, "planning/設計.md": 3.0, "planning/b.md": 1.5, "shared/deep/c.md": 9.0}


EXPIRING = expiring(2, unattended="by_rules")
"""Everything that can happen to a note happens: it leaves without pressure, and its object expires."""


class Bank(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.folder = tempfile.mkdtemp(prefix="memorybank-machine-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.layout = Layout(os.path.join(self.folder, "bank"))
        os.makedirs(self.layout.active)
        self.clock = FixedClock(NOW)
        self.written = 0
        self.alive: dict[str, bytes] = {}
        """What each note holds for sure: the last thing a person wrote and nobody took away since."""
        self.archived: set[bytes] = set()
        self.dates: dict[str, int] = {}
        self.replacing = replaced(Passing())
        self.replacing.__enter__()

    def teardown(self):
        if hasattr(self, "folder"):
            self.replacing.__exit__(None, None, None)
            shutil.rmtree(self.folder, ignore_errors=True)

    # a person

    @rule(key=st.sampled_from(KEYS), age=st.integers(0, 60), by_rename=st.booleans())
    def write(self, key, age, by_rename):
        self.written += 1
        data = f"content {self.written} 内容\n".encode()
        path = self.layout.note_path(key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        target = path + ".swp" if by_rename else path
        with open(target, "wb") as stream:
            stream.write(data)
        if by_rename:
            os.replace(target, path)
        instant = (self.clock.instant - age * DAY) * 1_000_000
        os.utime(path, ns=(instant, instant))
        self.alive[key] = data
        self.dates[key] = instant

    @rule(key=st.sampled_from(KEYS))
    def delete(self, key):
        if os.path.exists(self.layout.note_path(key)):
            os.remove(self.layout.note_path(key))
            self.alive.pop(key, None)

    @rule(key=st.sampled_from(KEYS), other=st.sampled_from(KEYS))
    def rename(self, key, other):
        source, target = self.layout.note_path(key), self.layout.note_path(other)
        if key != other and os.path.exists(source) and not os.path.lexists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(source, target)
            if key in self.alive:
                self.alive[other] = self.alive.pop(key)

    @rule(key=st.sampled_from(KEYS), on=st.booleans())
    def bookmark(self, key, on):
        (bookmarking.add(self.layout, key, "", self.clock) if on else bookmarking.remove(self.layout, key, self.clock))

    @rule(hours=st.sampled_from([1, 7, 25, 24 * 8, 24 * 31, 24 * 95]))
    def time_passes(self, hours):
        self.clock.instant += hours * HOUR

    # the tool

    @rule()
    def rotate(self):
        self._take(lambda: execute(self._plan(), self.layout, self.clock))

    @rule(k=st.integers(0, 120), after=st.booleans())
    def rotate_and_be_killed(self, k, after):
        self._killed(k, after, lambda: execute(self._plan(), self.layout, self.clock))

    @rule()
    def maintain(self):
        self._take(lambda: maintain(self.layout, EXPIRING, self.clock, lambda: rows(self.layout, IMPORTANCE, self.clock.instant)))

    @rule(days=st.integers(7, 12))
    def maintain_every_day(self, days):
        for _ in range(days):
            self.clock.instant += DAY
            self.maintain()

    @rule(key=st.sampled_from(KEYS))
    def restore(self, key):
        objects = [each for each in store.listing(self.layout)[0] if each.original_path == key]
        if objects:
            undo.restore(self.layout, objects[-1].id, self.clock)

    @rule()
    def undo(self):
        try:
            undo.undo(self.layout, self.clock)
        except NotFound:
            return

    @rule(k=st.integers(0, 60), after=st.booleans())
    def undo_and_be_killed(self, k, after):
        self._killed(k, after, lambda: undo.undo(self.layout, self.clock))

    # promises

    @invariant()
    def no_content_is_lost(self):
        if not hasattr(self, "layout"):
            return
        notes, backups = active(self.layout), tree(self.layout.backups)
        objects = {store.read_object(self.layout, each) for each in store.listing(self.layout)[0]}
        for key, data in self.alive.items():
            assert notes.get(key) == data or data in objects or data in backups.values(), f"{key} lost {data!r}"
        buried = {record.sha256 for record in log.read(self.layout).archived() if record.archive_path in log.read(self.layout).deleted}
        for data in self.archived:
            from hashlib import sha256

            assert data in objects or sha256(data).hexdigest() in buried, f"the archive lost {data!r}"

    @invariant()
    def the_archive_verifies(self):
        if hasattr(self, "layout"):
            findings = verify(self.layout, self.clock.instant).findings
            assert not [finding for finding in findings if not finding.code.endswith("torn") and finding.code != "sidecar_missing"]

    def _plan(self):
        return plan_for(self.layout, IMPORTANCE, self.clock.instant, settings=EXPIRING)

    def _take(self, command):
        """After a command that ran to its end: a note that left is in the archive."""
        command()
        notes = active(self.layout)
        for key in [key for key, data in self.alive.items() if notes.get(key) != data]:
            self.archived.add(self.alive.pop(key))

    def _killed(self, k, after, command):
        child = os.fork()
        if child == 0:
            try:
                with replaced(Killing(k, after=after)):
                    command()
            finally:
                os._exit(0)
        os.waitpid(child, 0)


Bank.TestCase.settings = depth(deadline=None)
test_any_order_of_work = Bank.TestCase
