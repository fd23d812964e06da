"""Short names: the beginning or end of a note's file name, title or path, if it belongs to one note only."""

from collections.abc import Iterable
from unicodedata import normalize

from memorybank.errors import NotFound
from memorybank.notes.scan import SUFFIX

_MAX_LISTED = 10


def matching(text: str, notes: Iterable[tuple[str, str]]) -> list[str]:
    """Return the keys that a short name may mean, sorted; without case and Unicode form.

    A complete name comes before a part of one: if the last names of a path are equal to `text`, the other notes do not count; then complete
    titles; then what file names, titles and paths begin or end with.
    notes: pairs of (key, title)
    """
    wanted = _folded(text)
    name = wanted.removesuffix(SUFFIX)
    if not name or wanted.startswith(("/", "../", "./")):
        return []
    known = [(key, _folded(key).removesuffix(SUFFIX), _folded(title)) for key, title in notes]
    named = [key for key, path, _ in known if path == name or path.endswith("/" + name)]
    titled = [key for key, _, title in known if title == wanted]
    ends = [key for key, path, title in known if path.endswith(name) or title.endswith(wanted)]
    begins = [key for key, path, title in known if path.startswith(wanted) or path.rpartition("/")[2].startswith(wanted) or title.startswith(wanted)]
    return sorted(named or titled or {*begins, *ends})


def one_of(text: str, found: list[str]) -> str | None:
    """Return the only key, None if there is none. Raises `NotFound`, which lists the candidates, if there are several."""
    if len(found) > 1:
        more = f" and {len(found) - _MAX_LISTED} more" if len(found) > _MAX_LISTED else ""
        raise NotFound(f"{text!r} may mean {len(found)} notes", next_step=f"name one of {', '.join(found[:_MAX_LISTED])}{more}")
    return found[0] if found else None


def _folded(text: str) -> str:
    return normalize("NFC", text).strip().casefold()
