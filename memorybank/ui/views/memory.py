"""The memory tab of the episodic memory specification (section 5): how far back episodes are shown, the newest ones, the button that writes them."""

from typing import Any

from memorybank.config.episodes import LOOKBACKS
from memorybank.ui.asked import Answer, PageRequest, Redirect, RenderedPage, Site

MOST = 60
EVERY = 1
"""Seconds between two requests for the progress of a run."""


def show(site: Site, asked: PageRequest) -> Answer:
    """Episodes, the look-back, and the progress of a run.

    episode: a name such as `episode:2025-09-17`; only that one is shown
    lookback: a value to try; it is not saved
    """
    episodes = site.open().episodes
    running = episodes.progress()
    values: dict[str, Any] = {"running": running, "is_busy": running is not None or site.updates.is_running, "finished": site.updates.finished, "every": EVERY}
    name = asked.text("episode")
    if name:
        return RenderedPage("episode.html", {"name": name, "entries": episodes.document(name)})
    told = [entry for entry in episodes.readable() if entry.first]
    values["newest"] = next((entry.last for entry in reversed(told) if entry.is_showable), "")
    if asked.partial:
        return RenderedPage("progress.html", values)
    tried = asked.text("lookback") or episodes.lookback
    block = episodes.inject(episodes.raw_from(None), lookback=tried)
    values |= {
        "entries": told[-MOST:][::-1],
        "more": max(0, len(told) - MOST),
        "lookbacks": LOOKBACKS,
        "kept": episodes.lookback,
        "tried": tried,
        "block": block,
    }
    return RenderedPage("memory.html", values)


def update(site: Site, asked: PageRequest) -> Answer:
    """Start the command next to the answer. If a run goes on, started here or elsewhere, show that one instead."""
    if site.updates.is_running or site.open().episodes.progress() is not None:
        return Redirect("/memory", "told.busy")
    return Redirect("/memory", begins=site.updates.start)


def lookback(site: Site, asked: PageRequest) -> Answer:
    kept = site.open().episodes.set_lookback(asked.text("lookback"))
    return Redirect("/memory", "told.lookback", kept)
