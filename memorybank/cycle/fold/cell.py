"""Cells: who may see a memory that is made of several lines. Only lines of one cell are combined, so that no restricted text hides in a public memory and
nothing must be restricted afterwards.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

USER, PUBLIC = "user", "public"
EVERYBODY = "user public"
"""The name of the cell that everybody may see."""


class Cell:
    """The acl and privacy of a line, and the parts of its origin that these two need; other parts are None.

    hold: whether a rule of the settings lowered it, so that it is never released by time

    A private cell also names its role, because time may release it to that role.
    """

    __slots__ = ("acl", "agent", "hold", "name", "privacy", "role", "session")

    def __init__(self, acl: str, privacy: str, hold: bool, session: str | None, agent: str | None, role: str | None) -> None:
        self.acl = acl
        self.privacy = privacy
        self.hold = hold
        self.session = None if acl in (USER, "agent") else session
        self.agent = None if privacy in (PUBLIC, "agent-only") else agent
        self.role = None if acl != "agent" and privacy == PUBLIC else role
        parts = (acl, privacy, "hold" if hold else None, self.session, self.agent, self.role)
        self.name = " ".join(part for part in parts if part is not None)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the cell."""
        return self.name == EVERYBODY


def of_line(fields: dict[str, Any]) -> Cell:
    """Return the cell of a recorded line. A line without acl and privacy is user and public."""
    return Cell(
        str(fields.get("acl") or USER),
        str(fields.get("privacy") or PUBLIC),
        bool(fields.get("hold")),
        fields.get("session_id"),
        fields.get("agent_id"),
        fields.get("agent_role"),
    )


def short(name: str) -> str:
    """Return 8 hexadecimal digits that distinguish cells in the ids of memories."""
    return sha256(name.encode("utf-8", "replace")).hex()[:8]
