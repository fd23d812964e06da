"""Editing a note with a preview, through the same protocol as `memorybank edit`; its versions, their differences, and taking a change back."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from memorybank.bank import Bank
from memorybank.bank.history import PRESENT
from memorybank.errors import Conflict, UsageError
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.storage.digest import sha256
from memorybank.ui.markup import RawText, is_titled, rendered
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views.note import key_of, path_of

MOST_CHARACTERS = 120_000
"""Maximum length of a text that is edited here. A browser is slow with longer ones, and an editor is not."""
SIZE = 15
MOST_LINES = 120
"""Maximum number of lines of a difference that are shown."""
SAVE = "save"


def show_form(site: Site, request: PageRequest) -> Answer:
    bank = site.open()
    with bank.at_once(is_thorough=False):
        note = _editable(bank, request)
    return _form(site, request, note, _lines(note.text), note.digest)


def save(site: Site, request: PageRequest) -> Answer:
    """Save the text, or show it as it would look.

    do: `save`; anything else shows a preview and changes nothing
    text: the entire file; a browser sends its lines with CR LF
    before: digest of the note that the text was made from
    If somebody saved the note in the meantime, nothing is saved: both versions are shown (409).
    """
    bank = site.open()
    note = _editable(bank, request)
    text = _lines("".join(request.fields.get("text", ("",))[-1:]))
    before = request.text("before")
    if request.partial or request.text("do") != SAVE:
        return _form(site, request, note, text, before, is_preview=True)
    try:
        bank.notes.replace(note.key, text.replace("\n", _line_end(note.text)), before)
    except Conflict as conflict:
        now = bank.notes.read(note.key, record_view=False)
        return _form(site, request, now, text, now.digest, conflict=conflict)
    return Redirect(path_of(note.key), "told.saved", note.key)


def show_history(site: Site, request: PageRequest) -> Answer:
    """The versions of a note, and the difference between one of them and the next newer one or the present text.

    version: id of the version; by default the latest before the present one
    with: id of the version to compare with; by default the present one
    """
    bank = site.open()
    chosen = request.text("version")
    lines: Sequence[str] = ()
    with bank.at_once(is_thorough=False):
        key = bank.notes.locate(key_of(request))
        note = bank.notes.read(key, record_view=False)
        versions = bank.history.versions(key)
        if chosen:
            lines = bank.history.difference(key, chosen, request.text("with") or PRESENT)
    page = request.page_of(SIZE)
    values: dict[str, Any] = {"key": key, "title": note.title, "is_own": True, "versions": page.part(versions), "pager": page.of(len(versions))}
    values |= {"chosen": next((each for each in versions if each.id == chosen), None)}
    values |= {"lines": lines[:MOST_LINES], "more": max(0, len(lines) - MOST_LINES)}
    return RenderedPage("history.html", values)


def undo(site: Site, request: PageRequest) -> Answer:
    """Take back an edit or a rename, as `memorybank undo` does."""
    [undone, *_] = site.open().rotation.undo_change(request.text("change"))
    if undone.error is not None:
        raise undone.error
    return Redirect("/note/history?" + urlencode({"key": undone.key}), "told.undone", undone.key)


def _form(site: Site, request: PageRequest, note: Note, text: str, before: str, *, is_preview: bool = False, conflict: Conflict | None = None) -> RenderedPage:
    html = rendered(parse(note.key, text.encode(errors="replace")).body, note.key, request.prefix) if is_preview else ""
    values = {
        "key": note.key,
        "title": note.title,
        "is_own": True,
        "text": RawText(text),
        "before": before,
        "html": html,
        "is_titled": is_titled(html, note.title),
        "conflict": conflict,
        "theirs": RawText(_lines(note.text)) if conflict else "",
    }
    return RenderedPage("preview.html" if request.partial else "edit.html", values, 409 if conflict else 200)


def _editable(bank: Bank, request: PageRequest) -> Note:
    """Return the note, if a browser can give back every byte that is not edited. Raises `UsageError` otherwise."""
    key = bank.notes.resolve(key_of(request))
    note = bank.notes.read(key, record_view=False)
    next_step = f"edit it with: memorybank edit {key}"
    if len(note.text) > MOST_CHARACTERS:
        raise UsageError(f"{key} is too long for this page", next_step=next_step)
    is_whole = sha256(note.text.encode(errors="replace")).hex() == note.digest and "\0" not in note.text
    if not is_whole or _lines(note.text).replace("\n", _line_end(note.text)) != note.text:
        raise UsageError(f"{key} has characters or line ends that a browser would change", next_step=next_step)
    return note


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
