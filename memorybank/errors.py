"""Every error that a user can see, with its exit code and next step; and `Problem`, which reports bad input as a value.

Exit codes: 0 ok, 1 general, 2 usage, 3 not found, 4 permission, 5 missing optional dependency, 6 config invalid,
7 lock timeout, 8 resource, 9 validation, 70 bug, 130 interrupted.

Library code raises these errors and never prints or exits. The command line turns them into sentences in one place.
"""

from __future__ import annotations

__light__ = True

from memorybank.values import Value

EXIT_BUG = 70
EXIT_INTERRUPTED = 130


class MemorybankError(Exception):
    """An error that the user can act on. `message` says what is wrong, `next_step` what to do about it."""

    exit_code = 1
    code = "general"
    next_step = ""

    def __init__(self, message: str, *, next_step: str = "") -> None:
        super().__init__(message)
        self.message = message
        if next_step:
            self.next_step = next_step


class Conflict(MemorybankError):
    """Two sources contradict each other, and only a person can choose between them."""

    code = "conflict"


class UsageError(MemorybankError):
    """The request itself is malformed."""

    exit_code = 2
    code = "usage"


class NotFound(MemorybankError):
    """The bank, note, rotation or archive object does not exist."""

    exit_code = 3
    code = "not_found"


class PermissionRefused(MemorybankError):
    """The operating system refuses access: no permission, or a read-only file system."""

    exit_code = 4
    code = "permission"
    next_step = "check the owner and mode of the path named above, or whether the file system is read-only"


class MissingExtra(MemorybankError):
    """An optional dependency is not installed."""

    exit_code = 5
    code = "missing_extra"


class ConfigInvalid(MemorybankError):
    """A configuration file contains errors and cannot be used."""

    exit_code = 6
    code = "config_invalid"
    next_step = "run 'memorybank config validate' to list every problem"


class LockTimeout(MemorybankError):
    """Another process holds the lock."""

    exit_code = 7
    code = "lock_timeout"
    next_step = "wait until it has finished and run the same command again"


class ResourceExhausted(MemorybankError):
    """The disk is full, a limit is exceeded, or a device does not support what is needed."""

    exit_code = 8
    code = "resource"


class BrakeRefused(ResourceExhausted):
    """A run would change more than the brake permits without a person's confirmation."""

    code = "brake"


class ValidationFailed(MemorybankError):
    """Stored data does not match its checksum or schema."""

    exit_code = 9
    code = "validation"


class NewerFormat(MemorybankError):
    """A file that a newer memorybank wrote, in a format that this one does not know. It is not damaged, and it is never changed."""

    code = "newer_format"
    next_step = "upgrade memorybank, then run the same command again; nothing was changed"


class Misplaced(MemorybankError):
    """A file stands where a folder of the bank belongs, or a folder where a file belongs. It may be somebody's, so it is not replaced."""

    exit_code = 9
    code = "misplaced"
    next_step = "move it away, then run the same command again; 'memorybank doctor' names everything that is in the way"


class LinkRefused(MemorybankError):
    """A file or folder of the bank is a symbolic link. It could lead out of the repository, so it is not followed."""

    exit_code = 9
    code = "link"
    next_step = "remove the link and put a real file or folder in its place; what it leads to can be copied there"


CONFLICT = "git_conflict"
"""Code of a file that contains both sides of a merge and git's markers."""


class Problem(Value):
    """Bad input that did not stop the command: what is wrong, where, and under which code. Problems are sorted by their place.

    code: snake_case identifier, listed in docs/format.md
    path: relative to the repository, or a note's key
    line: 1-based, or None
    """

    code: str
    path: str
    message: str
    line: int | None = None

    @property
    def where(self) -> str:
        """`path:line`, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __lt__(self, other: Problem) -> bool:
        return self._place() < other._place()

    def _place(self) -> tuple[str, str, int, str]:
        return (self.path, self.code, self.line or 0, self.message)

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, "path": self.path, "line": self.line, "message": self.message}
