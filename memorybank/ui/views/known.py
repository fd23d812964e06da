"""What the sessions taught: problems, rules and the findings that agents were shown, each with its sources and with buttons to judge it."""

from typing import Any
from urllib.parse import urlencode

from memorybank.bank.known_items import KINDS, REJECTED
from memorybank.errors import UsageError
from memorybank.log import ticks
from memorybank.ui.asked import Answer, PageRequest, Redirect, RenderedPage, Site

MOST = 100


def show(site: Site, asked: PageRequest) -> Answer:
    """Everything that is known, or one thing with its sources.

    id: only this one
    """
    knowledge = site.open().knowledge
    if asked.text("id"):
        return RenderedPage("known_one.html", {"details": knowledge.show(asked.text("id"))})
    found = knowledge.list(every=True, is_shown=True, limit=MOST)
    groups = {kind: [known for known in found if known.kind == kind and known.status != REJECTED] for kind in KINDS}
    values: dict[str, Any] = {"groups": groups, "rejected": knowledge.list(is_rejected=True, limit=MOST)}
    return RenderedPage("known.html", values)


def reject(site: Site, asked: PageRequest) -> Answer:
    return Redirect("/known", "told.rejected", site.open().knowledge.reject(_id(asked)).id)


def restore(site: Site, asked: PageRequest) -> Answer:
    return Redirect("/known", "told.unrejected", site.open().knowledge.restore(_id(asked)).id)


def tick(site: Site, asked: PageRequest) -> Answer:
    """Mark one thing as helpful or wrong, as the person at the page."""
    verdict = asked.text("verdict")
    memory = site.open().knowledge.tick(_id(asked), verdict)
    return Redirect("/known?" + urlencode({"id": memory}), "told.helpful" if verdict == ticks.HELPFUL else "told.wrong", memory)


def _id(asked: PageRequest) -> str:
    name = asked.text("id")
    if not name:
        raise UsageError("nothing was chosen", next_step="choose an entry of the list")
    return name
