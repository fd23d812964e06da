"""Views of what agents remember: episodes, knowledge from sessions, the policy that recall learned, and exposures."""

from typing import Any
from urllib.parse import urlencode

from memorybank.bank.known_items import KINDS, REJECTED
from memorybank.bank.memory import MOMENTS
from memorybank.bank.policy import Policies, changes
from memorybank.config.episodes import LOOKBACKS
from memorybank.cycle.policy import PolicyRecord
from memorybank.errors import UsageError
from memorybank.log import ticks
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

MOST_EPISODES, MOST_KNOWN, MOST_VERSIONS, MOST_SESSIONS, MOST_EXPOSURES = 60, 100, 50, 50, 100
"""Maximum numbers of rows."""
EVERY = 1
"""Seconds between two requests for the progress of a run."""
EXPOSURES = ("exposure", "resident_exposure")
_CHARACTERS = 2_000


def show_episodes(site: Site, request: PageRequest) -> Answer:
    """Episodes, the look-back, and the progress of a run.

    episode: a name such as `episode:2025-09-17`; only that one is shown
    lookback: a value to try; it is not saved
    """
    episodes = site.open().episodes
    running = episodes.progress()
    values: dict[str, Any] = {"running": running, "is_busy": running is not None or site.updates.is_running, "finished": site.updates.finished, "every": EVERY}
    name = request.text("episode")
    if name:
        return RenderedPage("episode.html", {"name": name, "entries": episodes.document(name)})
    told = [entry for entry in episodes.readable() if entry.first]
    values["newest"] = next((entry.last for entry in reversed(told) if entry.is_showable), "")
    if request.partial:
        return RenderedPage("progress.html", values)
    tried = request.text("lookback") or episodes.lookback
    block = episodes.inject(episodes.raw_from(None), lookback=tried)
    values |= {
        "entries": told[-MOST_EPISODES:][::-1],
        "more": max(0, len(told) - MOST_EPISODES),
        "lookbacks": LOOKBACKS,
        "kept": episodes.lookback,
        "tried": tried,
        "block": block,
    }
    return RenderedPage("memory.html", values)


def update_episodes(site: Site, request: PageRequest) -> Answer:
    """Start the command in the background. If a run is in progress, started here or elsewhere, show that one instead."""
    if site.updates.is_running or site.open().episodes.progress() is not None:
        return Redirect("/memory", "told.busy")
    return Redirect("/memory", background=site.updates.start)


def set_lookback(site: Site, request: PageRequest) -> Answer:
    kept = site.open().episodes.set_lookback(request.text("lookback"))
    return Redirect("/memory", "told.lookback", kept)


def show_known(site: Site, request: PageRequest) -> Answer:
    """All knowledge, or one known item with its sources.

    id: show only this item
    """
    knowledge = site.open().knowledge
    if request.text("id"):
        return RenderedPage("known_one.html", {"details": knowledge.show(request.text("id"))})
    found = knowledge.list(every=True, is_shown=True, limit=MOST_KNOWN)
    groups = {kind: [known for known in found if known.kind == kind and known.status != REJECTED] for kind in KINDS}
    values: dict[str, Any] = {"groups": groups, "rejected": knowledge.list(is_rejected=True, limit=MOST_KNOWN)}
    return RenderedPage("known.html", values)


def reject(site: Site, request: PageRequest) -> Answer:
    return Redirect("/known", "told.rejected", site.open().knowledge.reject(_id(request)).id)


def restore(site: Site, request: PageRequest) -> Answer:
    return Redirect("/known", "told.unrejected", site.open().knowledge.restore(_id(request)).id)


def tick(site: Site, request: PageRequest) -> Answer:
    """Mark one known item as helpful or wrong, in the name of the person at the page."""
    verdict = request.text("verdict")
    memory = site.open().knowledge.tick(_id(request), verdict)
    return Redirect("/known?" + urlencode({"id": memory}), "told.helpful" if verdict == ticks.HELPFUL else "told.wrong", memory)


def _id(request: PageRequest) -> str:
    name = request.text("id")
    if not name:
        raise UsageError("nothing was chosen", next_step="choose an entry of the list")
    return name


def show_policy(site: Site, request: PageRequest) -> Answer:
    policies = site.open().policy
    records, refused = policies.history()
    values = {"state": policies.state(), "history": _with_changes(policies, records)[:MOST_VERSIONS], "refused": refused}
    return RenderedPage("policy.html", values)


def rollback(site: Site, request: PageRequest) -> Answer:
    version = request.text("version")
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        raise UsageError(f"{version[:40]!r} is not a version", next_step="choose one from the history")
    record = site.open().policy.rollback(int(version), request.text("reason"))
    return Redirect("/policy", "told.rolled_back", str(record.version))


def _with_changes(policies: Policies, records: list[PolicyRecord]) -> list[dict[str, Any]]:
    """Return the records, newest first, each with its changes from the one before. The first one is compared with the settings."""
    before = [policies.version(0), *records][: len(records)]
    return [{"record": record, "changes": changes(earlier, record)} for earlier, record in zip(before, records, strict=True)][::-1]


def show_recall(site: Site, request: PageRequest) -> Answer:
    """The exposures of one session, and the answer of recall to a question. Nothing is written.

    session: id of the session; the newest by default
    q, moment: question for recall
    """
    bank = site.open()
    sessions = bank.log.sessions()[:MOST_SESSIONS]
    chosen = request.text("session") or (sessions[0].session_id if sessions else "")
    lines = bank.log.lines(chosen, events=EXPOSURES) if chosen else []
    values: dict[str, Any] = {
        "sessions": sessions,
        "session": chosen,
        "lines": lines[::-1][:MOST_EXPOSURES],
        "moments": MOMENTS,
        "q": request.text("q")[:_CHARACTERS],
        "moment": request.text("moment") or "prompt",
        "recalled": None,
        "problem": "",
    }
    if values["q"] or request.text("moment"):
        try:
            values["recalled"] = bank.memory.recall(values["q"], moment=values["moment"])
        except UsageError as error:
            values["problem"] = error.message
    return RenderedPage("recalled.html" if request.partial else "recall.html", values)
