"""What the person does themself: commits, pushes, deploys, starts servers. Before an agent's call that does the same, their words say so.

A saying counts until the person asks an agent for the action, or the same command works in a later session.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search
from memorybank.text.commands.actions import of_forms
from memorybank.text.prompts.deeds import ALONE, ORDERED, SERVE, deeds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_LEAST_SESSIONS = 2
"""Sessions in which a person must have said so, unless their words say that it was they: "myself", 「手動で」."""
_OF_CALLS = {
    **{action: action for action in str.split("commit push merge deploy publish release migrate")},
    **dict.fromkeys(str.split("dev serve start runserver server http-server live-server"), SERVE),
}
"""{action of a command: the action in words of people}"""
_SERVERS = frozenset(("http.server", "http-server", "live-server", "vite", "uvicorn", "flask run", "rails s", "rails server", "php -S"))
_GIT_ONLY = frozenset(("commit", "push"))
_NEWEST = 40
_AGAIN = "SELECT 1 FROM forms JOIN files ON files.id = file WHERE worked AND form = ? AND last_at > ? AND session IS NOT ? AND session IS NOT ? LIMIT 1"


def said_about(earlier: Earlier, called: Sequence[str], prompts: Iterable[str]) -> tuple[Passage, int] | None:
    """Return (the words in which a person said best that they do an action of a call, the sessions in which they said that they do it); None if the agent is to do it.

    called: forms of the call. prompts: of this session, in which the person may ask for it.
    """
    wanted = {action: form for form in called for action in _actions(form)}
    if not wanted:
        return None
    asked = {action for prompt in prompts for action, how in deeds(prompt) if how == ORDERED}
    for action, form in wanted.items():
        found = None if action in asked else _said(earlier, action, form)
        if found is not None:
            return found
    return None


def _actions(form: str) -> list[str]:
    if form in _SERVERS:
        return [SERVE]
    found = [_OF_CALLS[action] for action in of_forms((form,)) if action in _OF_CALLS]
    return [action for action in found if action not in _GIT_ONLY or form.startswith("git ")]


def _said(earlier: Earlier, action: str, form: str) -> tuple[Passage, int] | None:
    rows = earlier.connection.execute(
        f"SELECT {search.COLUMNS}, how FROM deeds JOIN passages p ON p.id = passage JOIN passage_terms t ON t.id = p.id"
        f" WHERE action = ? AND at <= ? AND {search.IS_SEEN} ORDER BY at DESC, p.id DESC LIMIT ?",
        (action, earlier.now, _NEWEST),
    )
    found: list[Passage] = []
    alone: set[int] = set()
    for *row, how in rows:
        if how == ORDERED:
            break
        said = search.read(row)
        if said.session != earlier.own:
            found.append(said)
            alone.update([said.id] if how == ALONE else ())
    sessions = len({said.session for said in found})
    if not found or (sessions < _LEAST_SESSIONS and not alone):
        return None
    if earlier.connection.execute(_AGAIN, (form, found[0].at, found[0].session, earlier.own)).fetchone() is not None:
        return None
    # Words such as "myself" say it best, then those that say more: "from the editor's UI".
    best = max(found, key=lambda said: (said.id in alone, said.at if said.id in alone else len(said.terms)))
    best.rank = best.share = 1.0  # it is about this very call, which its age does not change
    return best, sessions
