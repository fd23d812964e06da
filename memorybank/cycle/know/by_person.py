"""What the person does themself: commits, pushes, deploys, starts servers. Before an agent's call that does the same, their words say so.

A saying counts until the person asks an agent for the action, or the same command works in a later session.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import RULE
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.know.search import IS_SEEN
from memorybank.storage.digest import sha256
from memorybank.text.commands.actions import by_hand
from memorybank.text.prompts.deeds import ALONE, ORDERED, deeds
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.know.earlier import Earlier

_LEAST_SESSIONS = 2
"""Sessions in which a person must have said so, unless their words say that it was they: "myself", 「手動で」."""
_NEWEST = 40
_AGAIN = "SELECT 1 FROM forms JOIN files ON files.id = file WHERE worked AND form = ? AND last_at > ? AND session IS NOT ? AND session IS NOT ? LIMIT 1"


class Deed(Value):
    """An action that a person does themself: their words on it, session and instant (ms), and the number of sessions in which they said so.

    last, last_at: session and instant (ms) in which they said so last.
    """

    text: str
    session: str
    at: int
    sessions: int
    last: str = ""
    last_at: int = 0

    @property
    def memory(self) -> str:
        """The id of its memory: the same for all actions of a sentence, so that "I committed and pushed it" is shown once."""
        return f"{RULE}:{sha256(f'by person|{self.text}'.encode()).hex()[:8]}"

    def shown(self, language: str) -> str:
        """Return it in one line, with the person's words."""
        return phrase("by_person" if self.sessions > 1 else "by_person_once", language, said=self.text.rstrip("。."), count=self.sessions)


def said_about(earlier: Earlier, called: Sequence[str], prompts: Iterable[str]) -> Deed | None:
    """Return what a person does themself that a call does, in the words that say it best; None if the agent is to do it.

    called: forms of the call. prompts: of this session, in which the person may ask for it.
    """
    wanted = {action: form for form in called for action in by_hand(form)}
    if not wanted:
        return None
    found = {action: done for action, form in wanted.items() if (done := _said(earlier, action, form)) is not None}
    asked = {action for prompt in prompts for action, how in deeds(prompt) if how == ORDERED} if found else ()
    return next((done for action, done in found.items() if action not in asked), None)


def is_ordered_since(earlier: Earlier, called: Sequence[str], since: int) -> bool:
    """Return whether a person asked for what one of these forms does after an instant (ms)."""
    asked = f"SELECT 1 FROM deeds WHERE action = ? AND how = '{ORDERED}' AND at > ? AND at <= ? AND {IS_SEEN} LIMIT 1"
    actions = [action for form in called for action in by_hand(form)]
    return any(earlier.connection.execute(asked, (action, since, earlier.now)).fetchone() is not None for action in actions)


def known(connection: Connection, now: int) -> list[tuple[Deed, bool]]:
    """Return (what a person said that they did, whether it no longer counts), each sentence once, the newest first."""
    found: dict[str, tuple[Deed, bool]] = {}
    for (action,) in connection.execute("SELECT DISTINCT action FROM deeds ORDER BY action").fetchall():
        best = _best(connection, action, "", now)
        if best is not None:
            found[best.memory] = best, False
    for at, session, text in connection.execute(
        f"SELECT at, session, text FROM deeds WHERE how <> ? AND at <= ? AND {IS_SEEN} ORDER BY at DESC, session, offset DESC", (ORDERED, now)
    ):
        one = Deed(text, session, at, 1)
        found.setdefault(one.memory, (one, True))
    return sorted(found.values(), key=lambda one: -one[0].at)


def _said(earlier: Earlier, action: str, form: str) -> Deed | None:
    best = _best(earlier.connection, action, earlier.own, earlier.now)
    if best is None or earlier.connection.execute(_AGAIN, (form, best.last_at, best.last, earlier.own)).fetchone() is not None:
        return None
    return best


def _best(connection: Connection, action: str, own: str, now: int) -> Deed | None:
    """Return the words that say best that the person does an action, if they did not ask an agent for it since."""
    rows = connection.execute(
        f"SELECT at, session, text, how FROM deeds WHERE action = ? AND at <= ? AND {IS_SEEN} ORDER BY at DESC, session, offset DESC LIMIT ?",
        (action, now, _NEWEST),
    )
    found: list[tuple[bool, int, str, str]] = []
    for at, session, text, how in rows:
        if how == ORDERED:
            break
        if session != own:
            found.append((how == ALONE, at, session, text))
    sessions = len({session for _, _, session, _ in found})
    if not found or (sessions < _LEAST_SESSIONS and not any(is_alone for is_alone, *_ in found)):
        return None
    # Words such as "myself" say it best, then those that say more: "from the editor's UI".
    _, at, session, text = max(found, key=lambda said: (said[0], said[1] if said[0] else len(said[3])))
    return Deed(text, session, at, sessions, found[0][2], found[0][1])
