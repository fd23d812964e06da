"""Anchors of a note: files of the repository that it names, in prose, in code and as links, and notes named by their path.

`file:src/upload.py` and `note:planning/retry.md`, written as events write theirs, so that a memory is found when an agent touches
what it is about. A path may be the end of a longer one (`cycle/ranking.py`): who asks also asks for the ends of its paths. Pure.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from posixpath import normpath
from unicodedata import normalize

from memorybank.notes.note import Link
from memorybank.notes.targets import ACTIVE, RepositoryFile, resolve
from memorybank.text.tokens import CJK_LETTER

MOST = 64
"""Anchors that one note keeps; a list of more files is about none in particular."""
LONGEST = 256
"""Characters of an anchor's path."""

_BEGIN = r"(?<![\w./@+~%-])"
_PATH = re.compile(
    rf"{_BEGIN}(?:~/|\.{{1,2}}/)*[\w@.+-]+(?:/[\w@.+-]+)+/?"
    rf"|{_BEGIN}[\w@+-]{{2,}}(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9]{{0,7}}(?![A-Za-z0-9_/])"
)
"""A run with a slash, or a file name with an extension."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_ONLY_NUMBERS = re.compile(r"[\d./_+-]+")


def find(text: str, key: str, links: Iterable[Link]) -> tuple[str, ...]:
    """The anchors of the note `key`, in order of appearance, at most `MOST`."""
    found: dict[str, None] = {}
    for link in links:
        target = resolve(key, link, {}) if link.kind == "link" else None
        if isinstance(target, RepositoryFile):
            found[f"file:{target.path}"[:LONGEST]] = None
    for path in _paths(text):
        found[anchor_of(path)] = None
        if len(found) >= MOST:
            break
    return tuple(found)[:MOST]


def anchor_of(path: str) -> str:
    """A repository-relative path as an anchor; one below `active/` is the note itself."""
    inside = path.removeprefix(ACTIVE + "/")
    return f"note:{inside}" if inside != path and path.endswith(".md") else f"file:{path}"


def _paths(text: str) -> Iterator[str]:
    if "://" in text:
        text = _SCHEME.sub(" ", text)
    for match in _PATH.finditer(text):
        written = match[0]
        if written.isascii():
            yield from _candidate(written)
        else:
            for form in _forms(normalize("NFC", written)):
                yield from _candidate(form)


@cache
def _japanese_around() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before a path, and an extension with what stands behind it; compiled, in a millisecond, where a path is not ASCII."""
    return re.compile(rf"^.*{CJK_LETTER}(?=[A-Za-z0-9_.@-])"), re.compile(rf"(\.[A-Za-z][A-Za-z0-9]{{0,7}}){CJK_LETTER}.*$")


def _forms(written: str) -> Iterator[str]:
    """In Japanese text a path touches the words around it: what ends with the extension, and what begins where the script changes."""
    before, extension = _japanese_around()
    ended = extension.sub(r"\1", written)
    yield ended
    head, slash, rest = ended.partition("/")
    begun = before.sub("", head) + slash + rest
    if begun != ended:
        yield begun


def _candidate(written: str) -> Iterator[str]:
    path = normpath(written.rstrip("./") if written.endswith((".", "/")) else written)
    if len(path) <= LONGEST and not path.startswith(("..", "/", "~")) and path != "." and not _ONLY_NUMBERS.fullmatch(path):
        yield path
