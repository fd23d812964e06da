"""What git's history removed, as values: a file that was deleted or renamed, a branch that was merged."""

from __future__ import annotations

__light__ = True

from memorybank.values import Value


class Vanished(Value):
    """Something that one commit removed.

    kind: `path`, `branch`, `command`, `version`, `symbol` or `key`.
    path: of the file, relative to the repository; the name of a branch; of a definition the file and the name, as in `src/a.py::parse_plan`; of a
        configuration key its parts, as in `upload/timeout`.
    target: the file's new path; "" when it was deleted. For a branch "".
    at: committer date (ms).
    """

    kind: str
    path: str
    target: str
    commit: str
    at: int

    @property
    def name(self) -> str:
        """The last part of the path, or the name of the definition."""
        return self.path.rpartition("/")[2].rpartition("::")[2]
