"""The summaries of days, how far back sessions are shown them, and the run that writes them."""

from typing import Any

from memorybank.config.episodes import LOOKBACKS
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

SIZE = 6
EVERY = 1
"""Seconds between two requests for the progress of a run."""
PATH = "/episodes"


def show(site: Site, request: PageRequest) -> Answer:
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
    page = request.page_of(SIZE)
    values |= {
        "entries": page.part(told[::-1]),
        "pager": page.of(len(told)),
        "lookbacks": LOOKBACKS,
        "kept": episodes.lookback,
        "tried": tried,
        "block": block,
    }
    return RenderedPage("episodes.html", values)


def update(site: Site, request: PageRequest) -> Answer:
    """Start the command in the background. If a run is in progress, started here or elsewhere, show that one instead."""
    if site.updates.is_running or site.open().episodes.progress() is not None:
        return Redirect(PATH, "told.busy")
    return Redirect(PATH, background=site.updates.start)


def set_lookback(site: Site, request: PageRequest) -> Answer:
    kept = site.open().episodes.set_lookback(request.text("lookback"))
    return Redirect(PATH, "told.lookback", kept)
