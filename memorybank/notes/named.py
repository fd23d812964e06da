"""Finds the note that a person means by a key, a path or a name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from unicodedata import normalize

from memorybank.errors import NotFound, Problem, UsageError
from memorybank.notes import scan
from memorybank.notes.scan import SUFFIX
from memorybank.storage.layout import PUBLISHED_PREFIX, Layout

_MAX_CANDIDATES = 5


def exact_key(layout: Layout, text: str) -> str | None:
    """Return the key of the note that `text` names exactly, without listing the others; None when `resolve_key` has to compare them."""
    for form in _forms(text, layout.active):
        try:
            if scan.find_keys(layout, (form,)).found and _is_spelled(layout.active, form):
                return form
        except (UsageError, ValueError, OSError):
            continue  # a path out of the bank, or text that no path can contain
    return None


def _is_spelled(active: str, key: str) -> bool:
    """Return whether folders and file have exactly these names: some file systems also find a file under a name in other letters."""
    folder = active
    for name in key.split("/"):
        if name not in os.listdir(folder):
            return False
        folder = os.path.join(folder, name)
    return True


def resolve_key(text: str, keys: Collection[str], active: str | None = None) -> str:
    """Return the key that a person means by `text`: a key, `active/…`, `.claude/memory/active/…`, or a path, absolute or relative to the working folder.

    An exact match comes first, then the only key that is equal in NFC. Raises `NotFound`, which names candidates. A file of another bank is
    not a note of this one.
    active: the absolute folder of the notes, needed for paths
    """
    forms = list(_forms(text, active))
    for form in forms:
        if form in keys:
            return form
    wanted = {normalize("NFC", form) for form in forms}
    equal = sorted(key for key in keys if normalize("NFC", key) in wanted)
    if len(equal) == 1:
        return equal[0]
    if equal:
        raise NotFound(f"{text!r} matches several notes that differ only in Unicode normalization", next_step=_suggest(equal))
    name = normalize("NFC", text).rpartition("/")[2].removesuffix(SUFFIX).casefold()
    similar = sorted(key for key in keys if name and name in normalize("NFC", key).casefold())
    raise NotFound(f"no note {text!r}", next_step=_suggest(similar) if similar else "run 'memorybank list' to see every note")


def unread(text: str, problems: Iterable[Problem], active: str) -> Problem | None:
    """Return the problem of the file that `text` names by a key, a path or a file name, if it is one that is not read as a note."""
    wanted = {normalize("NFC", form) for form in _forms(text, active)}
    wanted |= {form + SUFFIX for form in wanted}
    known = [(problem, normalize("NFC", problem.path)) for problem in problems]
    exact = (problem for problem, path in known if path in wanted)
    return next(exact, None) or next((problem for problem, path in known if path.rpartition("/")[2] in wanted), None)


def _forms(text: str, active: str | None) -> list[str]:
    """Return the possible keys for `text`, the most literal one first."""
    forms = [text]
    relative = text.removeprefix("./")
    forms += [relative.removeprefix(prefix) for prefix in (PUBLISHED_PREFIX, "active/") if relative.startswith(prefix)]
    if active is not None and "\0" not in text:
        folder = os.path.join(active, "")
        path = os.path.join(os.path.realpath(os.path.dirname(text)), os.path.basename(text))
        if path.startswith(folder):
            forms.append(path.removeprefix(folder))
    # An absolute path from another checkout. It counts only when no file is there: an existing file belongs to another bank.
    if text.startswith("/") and "/" + PUBLISHED_PREFIX in text and not os.path.lexists(text):
        forms.append(text.rpartition("/" + PUBLISHED_PREFIX)[2])
    forms.append(relative)
    return [form for form in dict.fromkeys(forms) if form]


def _suggest(keys: list[str]) -> str:
    more = f" and {len(keys) - _MAX_CANDIDATES} more" if len(keys) > _MAX_CANDIDATES else ""
    return "did you mean " + ", ".join(keys[:_MAX_CANDIDATES]) + more + "?"
