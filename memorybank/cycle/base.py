"""The context that every phase of the cycle needs: the layout of the bank, its settings, the clock, and the key of its log."""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.config import cycle as cycle_settings
from memorybank.config.cycle import CycleSettings
from memorybank.errors import MemorybankError
from memorybank.log import key as log_key
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.trust import gate as gates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.cycle.policy import PolicyRecord
    from memorybank.trust.gate import TrustGate


class CycleContext:
    """The common context of the phases.

    started: `clock.monotonic()` at the start of the process, the zero of every deadline
    used: `clock.cpu()` at that moment, the zero of every budget of processor time
    configured: the settings as a person wrote them
    settings: the settings in force
    policy: the policy record in force (see `bring_policy_into_force`); None before that, and when nothing has been learned
    """

    __slots__ = ("_gate", "_key", "_root", "clock", "configured", "layout", "policy", "settings", "started", "used")

    def __init__(self, layout: Layout, settings: CycleSettings, clock: Clock, started: float | None = None, *, gate: TrustGate | None = None) -> None:
        self.layout = layout
        self.configured = self.settings = settings
        self.clock = clock
        self.started = clock.monotonic() if started is None else started
        # A hook's process exists only for its event, so the time of its start counts too.
        self.used = clock.cpu() if started is None else 0.0
        self.policy: PolicyRecord | None = None
        self._gate = gate
        self._key: bytes | None = None
        self._root: str | None = None

    @property
    def gate(self) -> TrustGate:
        """Which of the bank's files agents may be shown; decided at the first access."""
        if self._gate is None:
            self._gate = gates.gate_of(self.layout, os.environ, self.clock)
        return self._gate

    @property
    def root(self) -> str:
        """The folder that recorded paths are relative to: the work tree, else the folder that holds `.claude/memory`. For imported events, the folder in
        which they were recorded.
        """
        return self._root or self.layout.work_tree

    def rooted(self, root: str) -> CycleContext:
        """Return the same context for events whose paths are relative to another folder."""
        other = CycleContext(self.layout, self.settings, self.clock, self.started, gate=self._gate)
        other.used = self.used
        other.policy = self.policy
        other._key = self._key
        other._root = root
        return other

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """(folder, its replacement) for the paths of this machine, for `paths.without_places`: recorded calls are shown without them."""
        return ((self.root, "."), (os.path.expanduser("~"), "~"))

    def key(self) -> bytes:
        """Return the bank's key, and create it when the first line needs it."""
        key = self.existing_key()
        if key is None:
            self.gate  # noqa: B018  # decided before there is a key, because a key counts as proof that the bank was used here before
            key = self._key = log_key.ensure(self.layout)
        return key

    def existing_key(self) -> bytes | None:
        """Return the bank's key, or None when the bank has none yet."""
        if self._key is None:
            self._key = log_key.load(self.layout)
        return self._key

    def assume_key(self) -> None:
        """Use a temporary key when the bank has none, to count what would be recorded without writing anything."""
        if self.existing_key() is None:
            self._key = bytes(log_key.BYTES)

    def bring_policy_into_force(self) -> None:
        """Apply the latest policy to the settings, for recall; recording does not need it. A log that cannot be verified changes nothing."""
        if self.policy is not None:
            return
        from memorybank.log import policy as log

        try:
            fields = log.latest(self.layout, self.existing_key())
        except MemorybankError:  # an unreadable log folder must not prevent recall
            return
        if fields is None:
            return
        from memorybank.cycle import policy

        self.policy = policy.of_fields(fields)
        if self.policy is not None:
            self.settings = policy.applied(self.configured, self.policy)

    def milliseconds_left(self, deadline: float) -> float:
        """Return the milliseconds until a deadline that is counted from the start of the process; negative when it has passed."""
        return deadline - (self.clock.monotonic() - self.started) * 1000

    def milliseconds_used(self) -> float:
        """Return the milliseconds of processor time that were used since the start of the process."""
        return (self.clock.cpu() - self.used) * 1000

    def role(self, role: str) -> str:
        """Return the name that the settings (`roles`) give to an agent role."""
        named: str = self.settings.roles.get(role, role)
        return named


def describe(layout: Layout, clock: Clock, started: float | None = None) -> CycleContext:
    """Return the context for a bank, with the settings that a hook can read.

    Settings that nobody on this machine accepted can only make agents see less (`cycle_settings.cautious`).
    """
    settings = cycle_settings.load(layout)[0]
    base = CycleContext(layout, settings, clock, started)
    if settings is not cycle_settings.DEFAULTS and not base.gate.admits(base.layout, cycle_settings.FILE):
        base.configured = base.settings = cycle_settings.cautious(settings)
    return base
