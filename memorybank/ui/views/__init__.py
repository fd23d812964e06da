"""The table of views: path, method, function, and the tabs in their order."""

from collections.abc import Callable
from typing import NamedTuple

from memorybank.ui.request import Answer, PageRequest
from memorybank.ui.site import Site
from memorybank.ui.views import claims, memory, notes, overview, rotation, trust


class PageView(NamedTuple):
    """One view.

    show: the function that calls the facade and returns values
    tab: key in `words` of the name of its tab; "" for a view without a tab
    part: id of the element that htmx replaces when it asks for a part
    """

    path: str
    method: str
    show: Callable[[Site, PageRequest], Answer]
    tab: str = ""
    part: str = ""


VIEWS = (
    PageView("/", "GET", notes.show_search, "tab.search", part="results"),
    PageView("/note", "GET", notes.show_note),
    PageView("/note/picture", "GET", notes.picture),
    PageView("/note/rate", "POST", notes.rate),
    PageView("/note/bookmark", "POST", notes.bookmark),
    PageView("/overview", "GET", overview.show_overview, "tab.overview"),
    PageView(claims.PATH, "GET", claims.show),
    PageView(trust.PATH, "GET", trust.show),
    PageView(f"{trust.PATH}/accept", "POST", trust.accept),
    PageView(f"{trust.PATH}/revoke", "POST", trust.revoke),
    PageView("/links", "GET", overview.show_links, "tab.links"),
    PageView("/rotation", "GET", rotation.show_plan, "tab.rotation"),
    PageView("/rotation/run", "POST", rotation.run),
    PageView("/rotation/undo", "POST", rotation.undo),
    PageView("/archive", "GET", rotation.show_archive, "tab.archive"),
    PageView("/archive/object", "GET", rotation.show_archived_note),
    PageView("/archive/restore", "POST", rotation.restore),
    PageView("/memory", "GET", memory.show_episodes, "tab.memory", part="progress"),
    PageView("/memory/update", "POST", memory.update_episodes),
    PageView("/memory/lookback", "POST", memory.set_lookback),
    PageView("/known", "GET", memory.show_known, "tab.known"),
    PageView("/known/reject", "POST", memory.reject),
    PageView("/known/restore", "POST", memory.restore),
    PageView("/known/tick", "POST", memory.tick),
    PageView("/policy", "GET", memory.show_policy, "tab.policy"),
    PageView("/policy/rollback", "POST", memory.rollback),
    PageView("/recall", "GET", memory.show_recall, "tab.recall", part="recalled"),
)
TABS = tuple((view.path, view.tab) for view in VIEWS if view.tab)
"""(path, key of the name)."""
