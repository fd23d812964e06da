"""The one access rule: who may see a note, an event, or anything derived from them. Two independent filters must both pass.

acl: `session` (the same session), `agent` (the same role), `user` (everyone). privacy: `private` (the same agent), `agent-only` (the same role), `public`.

A missing acl means `user`, a missing privacy `public`. An unknown value counts as the strictest, so that a misspelt `privte` shows less,
never more. An unknown or empty identifier on either side never matches.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class RestrictedNote(Protocol):
        """What a note says about who may see it: its front matter, or its row in the index."""

        @property
        def acl(self) -> str | None: ...

        @property
        def privacy(self) -> str | None: ...

        @property
        def agent_created(self) -> str | None: ...

        @property
        def session_id(self) -> str | None: ...


ROLE_AFTER = 7 * DAY
PUBLIC_AFTER = 30 * DAY


class Viewer(Value):
    """The viewer of a memory. Each field is None when unknown.

    role: `planner`, `main` …
    session, agent: identifiers
    """

    role: str | None = None
    session: str | None = None
    agent: str | None = None

    def sees(self, note: RestrictedNote) -> bool:
        """Return whether this viewer may see a note."""
        return visible(note.acl, note.privacy, Origin(note.agent_created, note.session_id, note.agent_created), self)


UNKNOWN_VIEWER = Viewer()
"""A viewer about whom nothing is known, who therefore sees what everybody may see."""


class Origin:
    """The maker of a memory, in the same terms as a Viewer. Written by hand, because one is made for every note that is filtered."""

    __slots__ = ("agent", "role", "session")

    def __init__(self, role: str | None = None, session: str | None = None, agent: str | None = None) -> None:
        self.role = role
        self.session = session
        self.agent = agent


def visible(acl: str | None, privacy: str | None, origin: Origin, viewer: Viewer) -> bool:
    """Return whether `viewer` may see what `origin` made under `acl` and `privacy`."""
    return _acl_passes(acl, origin, viewer) and _privacy_passes(privacy, origin, viewer)


def released(privacy: str | None, age: int) -> str | None:
    """Return the privacy of something of this age (ms): `private` becomes `agent-only` after 7 days, and both become `public` after 30.

    Only for events and what is derived from them (Complete cycle design, "時限公開"). A note itself says who may see it.
    """
    if privacy == "private" and age >= ROLE_AFTER:
        privacy = "agent-only"
    return "public" if privacy == "agent-only" and age >= PUBLIC_AFTER else privacy


def _acl_passes(acl: str | None, origin: Origin, viewer: Viewer) -> bool:
    if acl is None or acl == "user":
        return True
    return _same(origin.role, viewer.role) if acl == "agent" else _same(origin.session, viewer.session)


def _privacy_passes(privacy: str | None, origin: Origin, viewer: Viewer) -> bool:
    if privacy is None or privacy == "public":
        return True
    return _same(origin.role, viewer.role) if privacy == "agent-only" else _same(origin.agent, viewer.agent)


def _same(one: str | None, other: str | None) -> bool:
    return bool(one) and one == other
