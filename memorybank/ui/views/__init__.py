"""The table of views (path, method, function), and the tabs in their order."""

from collections.abc import Callable
from typing import NamedTuple

from memorybank.ui.asked import Answer, Asked, Site
from memorybank.ui.views import archive, memory, note, overview, policy, recall, rotation, search


class View(NamedTuple):
    """One view.

    show: asks the facade and returns values
    part: id of the element that htmx replaces when it asks for a part
    """

    path: str
    method: str
    show: Callable[[Site, Asked], Answer]
    part: str = ""


VIEWS = (
    View("/", "GET", search.show, "results"),
    View("/note", "GET", note.show),
    View("/note/picture", "GET", note.picture),
    View("/note/rate", "POST", note.rate),
    View("/note/bookmark", "POST", note.bookmark),
    View("/overview", "GET", overview.show),
    View("/links", "GET", overview.links),
    View("/rotation", "GET", rotation.show),
    View("/rotation/run", "POST", rotation.run),
    View("/rotation/undo", "POST", rotation.undo),
    View("/archive", "GET", archive.show),
    View("/archive/object", "GET", archive.one),
    View("/archive/restore", "POST", archive.restore),
    View("/memory", "GET", memory.show, "progress"),
    View("/memory/update", "POST", memory.update),
    View("/memory/lookback", "POST", memory.lookback),
    View("/policy", "GET", policy.show),
    View("/policy/rollback", "POST", policy.rollback),
    View("/recall", "GET", recall.show, "recalled"),
)
TABS = (
    ("/", "tab.search"),
    ("/overview", "tab.overview"),
    ("/links", "tab.links"),
    ("/rotation", "tab.rotation"),
    ("/archive", "tab.archive"),
    ("/memory", "tab.memory"),
    ("/policy", "tab.policy"),
    ("/recall", "tab.recall"),
)
"""(path, key of the name)."""
