"""Who may see a memory that is made of several lines: lines are only put together within one cell, so that nothing narrow
hides inside a public text and nothing has to be lowered afterwards.
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
    """acl and privacy of a line, and as much of its origin as these two need; the rest is None.

    hold: lowered by a rule of the settings, so that no time releases it. A private cell also names its role: time may release
    it to that role.
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
        return self.name == EVERYBODY


def of_line(fields: dict[str, Any]) -> Cell:
    """The cell of a recorded line; what says nothing is user and public."""
    return Cell(
        str(fields.get("acl") or USER),
        str(fields.get("privacy") or PUBLIC),
        bool(fields.get("hold")),
        fields.get("session_id"),
        fields.get("agent_id"),
        fields.get("agent_role"),
    )


def short(name: str) -> str:
    """8 hexadecimal digits that tell cells apart in the ids of memories."""
    return sha256(name.encode("utf-8", "replace")).hex()[:8]
