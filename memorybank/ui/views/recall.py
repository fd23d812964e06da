"""The recall log: what agents were shown, when and why; and what they would be shown now."""

from typing import Any

from memorybank.bank.memory import MOMENTS
from memorybank.errors import UsageError
from memorybank.ui.asked import Answer, PageRequest, RenderedPage, Site

EXPOSURES = ("exposure", "resident_exposure")
SESSIONS, LINES = 50, 100
_CHARACTERS = 2_000


def show(site: Site, asked: PageRequest) -> Answer:
    """The exposures of one session, and the answer of recall to a question. Nothing is written.

    session: id of the session; the newest by default
    q, moment: question for recall
    """
    bank = site.open()
    sessions = bank.log.sessions()[:SESSIONS]
    chosen = asked.text("session") or (sessions[0].session_id if sessions else "")
    lines = bank.log.lines(chosen, events=EXPOSURES) if chosen else []
    values: dict[str, Any] = {
        "sessions": sessions, "session": chosen, "lines": lines[::-1][:LINES], "count": len(lines), "moments": MOMENTS, "q": asked.text("q")[:_CHARACTERS],
        "moment": asked.text("moment") or "prompt", "recalled": None, "problem": "",
    }  # fmt: skip
    if values["q"] or asked.text("moment"):
        try:
            values["recalled"] = bank.memory.recall(values["q"], moment=values["moment"])
        except UsageError as error:
            values["problem"] = error.message
    return RenderedPage("recalled.html" if asked.partial else "recall.html", values)
