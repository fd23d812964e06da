"""Something about stored data that a person should know: damage, a late edit, a file that does not belong there."""

from dataclasses import dataclass
from typing import Any

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class ArchiveFinding:
    """One observation about stored data.

    path: relative to the bank
    code: snake_case, listed in docs/format.md
    level: `error` or `warning`; an error ends the command with exit code 9
    """

    path: str
    code: str
    level: str
    message: str
    next_step: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "level": self.level, "path": self.path, "message": self.message, "next_step": self.next_step}
