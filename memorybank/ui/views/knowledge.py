"""What the sessions taught: problems, rules, findings and reasons, each confirmed, edited, marked or rejected by a person."""

from typing import Any
from urllib.parse import urlencode

from memorybank.bank.known_items import KINDS, REJECTED, KnowledgeItem
from memorybank.cycle.fold.kinds import REASON
from memorybank.log import ticks
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views.note import path_of

PATH = "/knowledge"
SIZE = 8
MOST_FINDINGS = 200
"""Maximum number of findings that can be paged through: the newest."""
PROBLEM, RULE, FINDING, COMMANDS = KINDS
GROUPS = (PROBLEM, COMMANDS, RULE, FINDING, REASON, REJECTED)
_CHARACTERS = 8_000


def show(site: Site, request: PageRequest) -> Answer:
    """One group of what is known, or one known item with its sources.

    kind: one of `GROUPS`; by default the first one that has entries
    id: show only this item
    """
    knowledge = site.open().knowledge
    if request.text("id"):
        return RenderedPage("known_one.html", {"details": knowledge.show(request.text("id"))})
    kind = request.one_of("kind", GROUPS, "knowledge")
    known = [one for one in knowledge.list(every=True, limit=MOST_FINDINGS) if one.status != REJECTED]
    groups = {group: [one for one in known if _group(one) == group] for group in GROUPS}
    groups[REJECTED] = knowledge.list(is_rejected=True, limit=MOST_FINDINGS)
    kind = kind or next((group for group in GROUPS if groups[group]), PROBLEM)
    page = request.page_of(SIZE)
    values: dict[str, Any] = {"groups": {group: len(groups[group]) for group in GROUPS}, "kind": kind}
    values |= {"found": page.part(groups[kind]), "pager": page.of(len(groups[kind]))}
    return RenderedPage("knowledge.html", values)


def show_form(site: Site, request: PageRequest) -> Answer:
    """The text of a known item, to be replaced by one's own words."""
    return RenderedPage("known_edit.html", {"known": site.open().knowledge.show(_id(request)).known})


def rewrite(site: Site, request: PageRequest) -> Answer:
    """Save a note in the person's own words, and reject the item that it replaces."""
    key = site.open().knowledge.rewrite(_id(request), request.text("text")[:_CHARACTERS].replace("\r\n", "\n"))
    return Redirect(path_of(key), "told.rewritten", key)


def reject(site: Site, request: PageRequest) -> Answer:
    return Redirect(f"{PATH}?kind={REJECTED}", "told.rejected", site.open().knowledge.reject(_id(request)).id)


def restore(site: Site, request: PageRequest) -> Answer:
    known = site.open().knowledge.restore(_id(request))
    return Redirect(f"{PATH}?" + urlencode({"kind": _group(known)}) if _group(known) in GROUPS else PATH, "told.unrejected", known.id)


def tick(site: Site, request: PageRequest) -> Answer:
    """Mark any memory as helpful or wrong, in the name of the person at the page.

    back: the page to return to; by default that of the item
    """
    verdict = request.text("verdict")
    memory = site.open().knowledge.tick(_id(request), verdict)
    back = request.text("back") or f"{PATH}?" + urlencode({"id": memory})
    return Redirect(back, "told.helpful" if verdict == ticks.HELPFUL else "told.wrong", memory)


def _group(known: KnowledgeItem) -> str:
    """Return the group that lists an item. Reasons are findings that a model named, and have a group of their own."""
    return REASON if known.id.startswith(f"{REASON}:") else known.kind


def _id(request: PageRequest) -> str:
    return request.required("id", "nothing was chosen", "choose an entry of the list")
