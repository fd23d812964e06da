"""Base: what every phase of the cycle stands on: where the bank lies, its settings, the clock, and the key of its log."""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.config import cycle_settings
from memorybank.config.cycle import CycleSettings
from memorybank.log import key as log_key
from memorybank.storage import system as os
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.policy import Record


class Base:
    """layout, clock; started: `clock.monotonic()` of the process's start, the zero of every deadline.

    configured: the settings as a person wrote them; settings: those in effect; policy: the record that was
    brought into force (`improve.force`), None before, and where nothing was learned.
    """

    __slots__ = ("_key", "_root", "clock", "configured", "layout", "policy", "settings", "started")

    def __init__(self, layout: Layout, settings: CycleSettings, clock: Clock, started: float | None = None) -> None:
        self.layout = layout
        self.configured = self.settings = settings
        self.clock = clock
        self.started = clock.monotonic() if started is None else started
        self.policy: Record | None = None
        self._key: bytes | None = None
        self._root: str | None = None

    @property
    def root(self) -> str:
        """The folder that recorded paths are relative to: the work tree, else the folder that holds `.claude/memory`; of what is
        imported the folder it was recorded in."""
        return self._root or self.layout.repository or os.path.dirname(os.path.dirname(self.layout.root))

    def rooted(self, root: str) -> Base:
        """The same base for events whose paths are relative to another folder."""
        other = Base(self.layout, self.settings, self.clock, self.started)
        other.policy = self.policy
        other._key = self._key
        other._root = root
        return other

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """(folder, what stands for it) of the places of this machine, for `paths.without_places`: what is told of a call names none."""
        return ((self.root, "."), (os.path.expanduser("~"), "~"))

    def key(self) -> bytes:
        """The bank's key, made at the first line that needs it."""
        key = self.existing_key()
        if key is None:
            key = self._key = log_key.ensure(self.layout)
        return key

    def existing_key(self) -> bytes | None:
        """The bank's key, or None before its first line."""
        if self._key is None:
            self._key = log_key.load(self.layout)
        return self._key

    def assume_key(self) -> None:
        """A key that is not kept, to count what would be recorded where nothing was recorded yet."""
        if self.existing_key() is None:
            self._key = bytes(log_key.BYTES)

    def milliseconds_left(self, deadline: int) -> float:
        """Of a deadline counted from the process's start; negative when it has passed."""
        return deadline - (self.clock.monotonic() - self.started) * 1000

    def role(self, role: str) -> str:
        """An agent role by the name that the settings give it (`roles`)."""
        named: str = self.settings.roles.get(role, role)
        return named


def describe(layout: Layout, clock: Clock, started: float | None = None) -> Base:
    """The base of a bank, with the settings a hook can read."""
    return Base(layout, cycle_settings.load(layout)[0], clock, started)
