"""The table of views: path, method, function, tab; and the tabs with their pages, in their order."""

from collections.abc import Callable
from typing import NamedTuple

from memorybank.ui.request import Answer, PageRequest
from memorybank.ui.site import Site
from memorybank.ui.views import archive, claims, conflicts, edit, episodes, health, home, knowledge, links, note, notes, rotation, sessions, settings, trust

HOME, NOTES, SESSIONS, KNOWLEDGE, ARCHIVE, SETTINGS = "home", "notes", "sessions", "knowledge", "archive", "settings"
MAX_TEXT = 1 << 20
"""Maximum size of a form with the text of a note, in bytes."""


class PageView(NamedTuple):
    """One view.

    show: the function that calls the facade and returns values
    tab: the tab that it belongs to
    name: key in `words` of its name, for a view that its tab lists; the first one of a tab is the tab itself
    part: id of the element that htmx replaces when it asks for a part
    most: maximum size of its form in bytes; 0 for that of other forms
    """

    path: str
    method: str
    show: Callable[[Site, PageRequest], Answer]
    tab: str
    name: str = ""
    part: str = ""
    most: int = 0


class PageTab(NamedTuple):
    """One tab. pages: (path, key of the name) of each view that it lists"""

    name: str
    path: str
    pages: tuple[tuple[str, str], ...]


VIEWS = (
    PageView("/", "GET", home.show, HOME, "page.home"),
    PageView(claims.PATH, "GET", claims.show, HOME, "page.claims"),
    PageView(conflicts.PATH, "GET", conflicts.show, HOME, "page.conflicts"),
    PageView(f"{conflicts.PATH}/keep", "POST", conflicts.keep, HOME),
    PageView(trust.PATH, "GET", trust.show, HOME, "page.trust"),
    PageView(f"{trust.PATH}/accept", "POST", trust.accept, HOME),
    PageView(f"{trust.PATH}/revoke", "POST", trust.revoke, HOME),
    PageView("/notes", "GET", notes.show, NOTES, "page.notes", part="results"),
    PageView("/links", "GET", links.show, NOTES, "page.links"),
    PageView("/note", "GET", note.show, NOTES),
    PageView("/note/recall", "GET", note.show_recall, NOTES),
    PageView("/note/history", "GET", edit.show_history, NOTES),
    PageView("/note/edit", "GET", edit.show_form, NOTES),
    PageView("/note/edit", "POST", edit.save, NOTES, part="preview", most=MAX_TEXT),
    PageView("/note/undo", "POST", edit.undo, NOTES),
    PageView("/note/picture", "GET", note.picture, NOTES),
    PageView("/note/rate", "POST", note.rate, NOTES),
    PageView("/note/bookmark", "POST", note.bookmark, NOTES),
    PageView("/sessions", "GET", sessions.show, SESSIONS, "page.sessions"),
    PageView("/sessions/one", "GET", sessions.show_one, SESSIONS),
    PageView("/recall", "GET", sessions.show_recall, SESSIONS, "page.recall", part="recalled"),
    PageView("/episodes", "GET", episodes.show, SESSIONS, "page.episodes", part="progress"),
    PageView("/episodes/update", "POST", episodes.update, SESSIONS),
    PageView("/episodes/lookback", "POST", episodes.set_lookback, SESSIONS),
    PageView("/knowledge", "GET", knowledge.show, KNOWLEDGE, "page.knowledge"),
    PageView("/knowledge/edit", "GET", knowledge.show_form, KNOWLEDGE),
    PageView("/knowledge/edit", "POST", knowledge.rewrite, KNOWLEDGE),
    PageView("/knowledge/reject", "POST", knowledge.reject, KNOWLEDGE),
    PageView("/knowledge/restore", "POST", knowledge.restore, KNOWLEDGE),
    PageView("/tick", "POST", knowledge.tick, KNOWLEDGE),
    PageView("/archive", "GET", archive.show, ARCHIVE, "page.archive"),
    PageView("/archive/object", "GET", archive.show_object, ARCHIVE),
    PageView("/archive/restore", "POST", archive.restore, ARCHIVE),
    PageView("/rotation", "GET", rotation.show_plan, ARCHIVE, "page.rotation"),
    PageView("/rotation/run", "POST", rotation.run, ARCHIVE),
    PageView("/rotation/undo", "POST", rotation.undo, ARCHIVE),
    PageView("/settings", "GET", settings.show, SETTINGS, "page.settings"),
    PageView("/settings/rollback", "POST", settings.rollback, SETTINGS),
    PageView("/health", "GET", health.show, SETTINGS, "page.health"),
)
TABS = tuple(
    PageTab(tab, pages[0][0], pages)
    for tab in dict.fromkeys(view.tab for view in VIEWS)
    for pages in [tuple((view.path, view.name) for view in VIEWS if view.tab == tab and view.name)]
)
READS = frozenset(view.path for view in VIEWS if view.method == "GET")
"""The paths that a link or an answer may lead to."""


def tab_of(path: str) -> PageTab:
    """Return the tab that a path belongs to; the first one for a path of no view."""
    name = next((view.tab for view in VIEWS if view.path == path), HOME)
    return next(tab for tab in TABS if tab.name == name)
