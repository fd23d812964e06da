"""What happened in the sessions of agents: a list with results, one session turn by turn, and what recall would show for a prompt."""

from typing import Any

from memorybank.bank.memory import MOMENTS
from memorybank.errors import UsageError
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site

SIZE = 8
TURNS = 3
MOST_JUDGED = 12
_CHARACTERS = 2_000


def show(site: Site, request: PageRequest) -> Answer:
    """The sessions, the most recent first."""
    page = request.page_of(SIZE)
    found, total = site.open().activity.sessions(first=page.first, limit=page.size)
    return RenderedPage("sessions.html", {"sessions": found, "pager": page.of(total)})


def show_one(site: Site, request: PageRequest) -> Answer:
    """One session: its results first, then its turns.

    session: its id, or a unique beginning of it
    """
    name = request.required("session", "no session was given", "choose one from the list")
    activity = site.open().activity
    turns = activity.turns(name)
    page = request.page_of(TURNS)
    values = {"result": activity.session(name), "turns": page.part(turns), "pager": page.of(len(turns))}
    return RenderedPage("session.html", values)


def show_recall(site: Site, request: PageRequest) -> Answer:
    """What a prompt would show an agent now, what came near, and why. Nothing is written.

    q, moment: question for recall
    """
    bank = site.open()
    query, moment = request.text("q")[:_CHARACTERS], request.text("moment") or "prompt"
    values: dict[str, Any] = {"moments": MOMENTS, "q": query, "moment": moment, "recalled": None, "problem": None, "titles": {}}
    if query or request.text("moment"):
        try:
            recalled = bank.memory.recall(query, moment=moment)
        except UsageError as error:
            values["problem"] = error
        else:
            judged = (*recalled.shown, *recalled.near)[:MOST_JUDGED]
            values |= {"recalled": recalled, "judged": judged, "titles": bank.activity.titles([one.memory for one in judged])}
            values["more"] = len(recalled.shown) + len(recalled.near) - len(judged)
    return RenderedPage("recalled.html" if request.partial else "recall.html", values)
