"""The table of views (path, method, function), and the tabs in their order."""

from collections.abc import Callable
from typing import NamedTuple

from memorybank.ui.asked import Answer, PageRequest, Site
from memorybank.ui.views import archive, known, memory, note, overview, policy, recall, rotation, search


class PageView(NamedTuple):
    """One view.

    show: asks the facade and returns values
    part: id of the element that htmx replaces when it asks for a part
    """

    path: str
    method: str
    show: Callable[[Site, PageRequest], Answer]
    part: str = ""


VIEWS = (
    PageView("/", "GET", search.show, "results"),
    PageView("/note", "GET", note.show),
    PageView("/note/picture", "GET", note.picture),
    PageView("/note/rate", "POST", note.rate),
    PageView("/note/bookmark", "POST", note.bookmark),
    PageView("/overview", "GET", overview.show),
    PageView("/links", "GET", overview.links),
    PageView("/rotation", "GET", rotation.show),
    PageView("/rotation/run", "POST", rotation.run),
    PageView("/rotation/undo", "POST", rotation.undo),
    PageView("/archive", "GET", archive.show),
    PageView("/archive/object", "GET", archive.one),
    PageView("/archive/restore", "POST", archive.restore),
    PageView("/memory", "GET", memory.show, "progress"),
    PageView("/memory/update", "POST", memory.update),
    PageView("/memory/lookback", "POST", memory.lookback),
    PageView("/known", "GET", known.show),
    PageView("/known/reject", "POST", known.reject),
    PageView("/known/restore", "POST", known.restore),
    PageView("/known/tick", "POST", known.tick),
    PageView("/policy", "GET", policy.show),
    PageView("/policy/rollback", "POST", policy.rollback),
    PageView("/recall", "GET", recall.show, "recalled"),
)
TABS = (
    ("/", "tab.search"),
    ("/overview", "tab.overview"),
    ("/links", "tab.links"),
    ("/rotation", "tab.rotation"),
    ("/archive", "tab.archive"),
    ("/memory", "tab.memory"),
    ("/known", "tab.known"),
    ("/policy", "tab.policy"),
    ("/recall", "tab.recall"),
)
"""(path, key of the name)."""
