"""The heartbeat: when recording or recall has stopped working, the next session shows the person one line with the command that repairs it.

The line comes at the end of a turn, where hosts show the message of a hook, at most once a day for each project, and only where memorybank
has worked before on this machine. A stamp in the person's state folder records that, so colleagues who never installed memorybank see
nothing. When the program itself is missing, the registered command starts the script `missing.sh` in the same folder, which needs only `sh`.

`CHECKS` lists the conditions, the most severe first. To add one, write a function that returns a `HeartbeatTrouble`, and append it.
`memorybank doctor` and `memorybank status` show the same ones.
"""

from __future__ import annotations

__light__ = True

import sys

from memorybank.clock import Clock, day_of
from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused
from memorybank.storage import disk
from memorybank.storage import system as os
from memorybank.storage.layout import state_folder
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memorybank.storage.layout import Layout

FAR_BEHIND = 100
"""Number of missing notes from which an index counts as far behind. Fewer are indexed within the next turns."""
SCRIPT = "missing.sh"
_STAMPS = "working"
_CAP = 16 << 10
_LONGEST_NAME = 200
_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-")
RECORDING, TRUST, INDEX, SUMMARY = "recording", "trust", "index", "summary"
LINE = "memorybank does not work as it did: {what}. To repair it, run: `{repair}`"
_LINE_OF_TRUST = "memorybank: {what}. To read it and decide, run: `{repair}`"


class HeartbeatTrouble(Value):
    """One condition under which recording or recall does not work.

    id: its name.
    what: the fault and its cause, as part of a sentence.
    repair: the command that repairs it.
    """

    id: str
    what: str
    repair: str

    @property
    def line(self) -> str:
        """The line for the person."""
        return (_LINE_OF_TRUST if self.id == TRUST else LINE).format(what=self.what, repair=self.repair)


class Pulse(Value):
    """The facts that the checks of a heartbeat examine.

    refused: why this process could not record; None when it could, or did not try.
    has_been_ready: whether the index was complete before on this machine, so that an incomplete one is news.
    """

    layout: Layout
    refused: MemorybankError | None = None
    has_been_ready: bool = True


def recording(pulse: Pulse) -> HeartbeatTrouble | None:
    """Check that the log and the cache can be written."""
    layout = pulse.layout
    error = pulse.refused
    if isinstance(error, LockTimeout):  # busy: the next hook records it
        return None
    if error is None:
        closed = next(
            (path for path in (layout.log, f"{layout.log}/events", layout.cache, layout.root) if os.path.exists(path) and not os.access(path, os.W_OK)), None
        )
        if closed is None:
            return None
        error = PermissionRefused(f"{layout.relative(closed)} cannot be written")
    from memorybank.injection import one_line  # late: `status` and the ends of turns ask each time, and seldom find an error

    folders = f"{quoted(layout.relative(layout.log))} {quoted(layout.relative(layout.cache))}"
    repair = f"chmod -R u+rwX {folders}" if isinstance(error, PermissionRefused) else "memorybank doctor"
    return HeartbeatTrouble(RECORDING, f"it cannot write into the memory of this project ({one_line(error.message)})", repair)


def trust(pulse: Pulse) -> HeartbeatTrouble | None:
    """Check that a person accepted the bank, and the files in it that arrived by git. Agents are shown nothing else."""
    from memorybank.trust import gate

    reason = gate.gate_of(pulse.layout, os.environ, Clock(), keep=False).reason
    return HeartbeatTrouble(TRUST, reason.partition(":")[0], "memorybank trust") if reason else None


def index(pulse: Pulse) -> HeartbeatTrouble | None:
    """Check that the index does not lack many notes, which recall would find by title only."""
    from memorybank.index import glance, readiness
    from memorybank.index.schema import VERSION
    from memorybank.storage import database

    if not pulse.has_been_ready:
        return None
    connection = database.open_reading(pulse.layout.database, VERSION)
    try:
        waiting = readiness.of(connection).waiting
    finally:
        if connection is not None:
            connection.close()
    if waiting is None:
        waiting = sum(1 for _ in glance.keys_below(pulse.layout.active))
    if waiting < FAR_BEHIND:
        return None
    return HeartbeatTrouble(INDEX, f"the index of this project lacks {waiting:,} notes, which are found by their titles only", "memorybank index")


def summary(pulse: Pulse) -> HeartbeatTrouble | None:
    """Check that git does not ignore the resident summary unless it ignores the notes too; otherwise clones and other worktrees start without it."""
    layout = pulse.layout
    path = f"{layout.root}/summary.md"
    if layout.repository is None or not os.path.isfile(path):
        return None
    from memorybank import git

    if not git.is_ignored(layout.repository, path) or git.is_ignored(layout.repository, f"{layout.active}/any.md"):
        return None
    shown = layout.relative(path)
    return HeartbeatTrouble(SUMMARY, f"git ignores {shown}, so clones and other worktrees start without it", f"git add --force {quoted(shown)}")


CHECKS: tuple[Callable[[Pulse], HeartbeatTrouble | None], ...] = (recording, trust, index, summary)


def troubles(pulse: Pulse) -> list[HeartbeatTrouble]:
    """Return every condition that holds, the most severe first."""
    return [found for check in CHECKS if (found := check(pulse)) is not None]


class WorkingStamp(Value):
    """The record that memorybank has worked in a project on this machine.

    project: the folder in which the host was started.
    programs: the folder of the program `memorybank`.
    session: the latest session in which it worked.
    was_ready: whether the index was complete once.
    """

    project: str
    programs: str
    session: str
    was_ready: bool


def beat(layout: Layout, clock: Clock, environ: Mapping[str, str], project: str, session: str, refused: MemorybankError | None) -> str:
    """Return the line that is due at the end of a turn, "" for none, and record that memorybank works where it does.

    project: the folder in which the host was started.
    Never raises because of the state folder: where it cannot be written, nothing is remembered and nothing shown.
    """
    path = stamp_path(project, environ)
    said = f"{path}.said-{day_of(clock.now())}"
    stamp = read_stamp(path, project)
    if stamp is not None and stamp.session == session and refused is None:
        return ""  # this session was looked at
    if stamp is not None and not os.path.lexists(said):
        found = next((trouble for check in CHECKS if (trouble := check(Pulse(layout, refused, stamp.was_ready))) is not None), None)
        if found is not None:
            return found.line if _claim(path, said) else ""
    if refused is None:
        was_ready = (stamp is not None and stamp.was_ready) or index(Pulse(layout)) is None
        _write(path, WorkingStamp(project, os.path.dirname(sys.executable), session.partition("\n")[0], was_ready), environ)
    return ""


def stamp_path(project: str, environ: Mapping[str, str]) -> str:
    """Return the path of a project's stamp. `missing.sh` forms the same name from the same folder, with `tr`."""
    name = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in project.encode("utf-8", "surrogateescape").decode("latin-1"))
    return os.path.join(state_folder(environ), _STAMPS, name[-_LONGEST_NAME:])


def read_stamp(path: str, project: str) -> WorkingStamp | None:
    """Return the stamp of a project; None when memorybank never worked there."""
    try:
        fields = disk.read(path, _CAP).decode("utf-8", "surrogateescape").split("\n")
    except (OSError, MemorybankError):
        return None
    return WorkingStamp(project, fields[1], fields[2], fields[3] == "ready") if len(fields) > 3 and fields[0] == project else None


def forget(project: str, environ: Mapping[str, str]) -> None:
    """Delete the stamp of a project, after its hooks were removed on purpose."""
    disk.discard(stamp_path(project, environ))


def write_script(environ: Mapping[str, str]) -> None:
    """Write `missing.sh`, unless it is there already. Raises a `MemorybankError` where the state folder cannot be written."""
    from memorybank.hosts.missing_script import TEXT

    path = os.path.join(state_folder(environ), SCRIPT)
    data = TEXT.encode()
    try:
        if disk.read(path, _CAP) == data:
            return
    except (OSError, MemorybankError):
        pass
    disk.make_directories(os.path.dirname(path))
    disk.replace(path, (data,), durable=False)


def quoted(path: str) -> str:
    """Return a path as one word of `sh`, in quotes only where it needs them."""
    return path if _SAFE.issuperset(path) else "'" + path.replace("'", "'\\''") + "'"


def _claim(path: str, said: str) -> bool:
    """Return whether this process may show the line of the day: of several, exactly one."""
    folder, _, name = path.rpartition("/")
    try:
        disk.create(said, b"", mode=disk.PRIVATE_FILE)
        older = [each for each in os.listdir(folder) if each.startswith(f"{name}.said-") and f"{folder}/{each}" != said]
    except (OSError, MemorybankError):  # another process was faster, or the folder cannot be written
        return False
    for each in older:
        disk.discard(f"{folder}/{each}")
    return True


def _write(path: str, stamp: WorkingStamp, environ: Mapping[str, str]) -> None:
    fields = (stamp.project, stamp.programs, stamp.session, "ready" if stamp.was_ready else "", "")
    try:
        write_script(environ)
        disk.make_directories(os.path.dirname(path))
        disk.replace(path, ("\n".join(fields).encode("utf-8", "surrogateescape"),), durable=False)
    except (OSError, MemorybankError):
        return
