"""Anchors of a note: the repository files that it names in prose, code and links, and the notes that it names by their path.

They are written like the anchors of events, `file:src/upload.py` and `note:planning/retry.md`, so that a memory is found when an agent
touches what it is about. A path in a note may be the end of a longer one (`cycle/ranking.py`), so whoever looks up a path also looks up
its ends.
"""

from __future__ import annotations

__light__ = True

from unicodedata import normalize

from memorybank.notes.note import Link
from memorybank.notes.targets import ACTIVE, RepositoryFile, resolve
from memorybank.storage.path_names import normpath
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.tokens import CJK_LETTER, stretches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST = 64
"""Maximum number of anchors stored for one note; a longer list of files is about none of them in particular."""
MOST_OF_CONVENTIONS = 128
"""The same for the anchors of `KINDS_OF_CONVENTIONS`. A term of each sentence and the words of a glossary come before other terms of the sentences."""
DOES = "does:"
"""Kind of an anchor of a note that says how something is done: `does:commit`."""
FOR, MEANS = "for:", "means:"
"""Kinds of anchors of a note that orders something about a kind of thing (`for:price`), and of one that explains a word (`means:hold`)."""
KINDS_OF_CONVENTIONS = (DOES, FOR, MEANS)
LONGEST = 256
"""Maximum length of an anchor's path, in characters."""

_BEGIN = r"(?<![\w./@+~%-])"
_PATH = lazy_pattern(rf"{_BEGIN}(?:~/|\.{{1,2}}/)*[\w@.+-]+(?:/[\w@.+-]+)+/?|{_BEGIN}[\w@+-]{{2,}}(?:\.[\w+-]+)*\.[A-Za-z][A-Za-z0-9]{{0,7}}(?![A-Za-z0-9_/])")
"""A word with a slash, or a file name with an extension."""
_SCHEME = lazy_pattern(r"(?<![A-Za-z])[A-Za-z][A-Za-z0-9+.-]{0,40}://\S+")
"""A URL. Its first match never follows a letter, with which it would begin."""
_JAPANESE_BEFORE = lazy_pattern(rf"^.*{CJK_LETTER}(?=[A-Za-z0-9_.@-])")
_EXTENSION_BEFORE_JAPANESE = lazy_pattern(rf"(\.[A-Za-z][A-Za-z0-9]{{0,7}}){CJK_LETTER}.*")
_ONLY_NUMBERS = lazy_pattern(r"[\d./_+-]+")


def find(text: str, key: str, links: Iterable[Link]) -> tuple[str, ...]:
    """Return the anchors of the note `key`, links first, then in order of appearance; at most `MOST`."""
    found: dict[str, None] = {}
    for link in links:
        if len(found) >= MOST:
            return tuple(found)
        target = resolve(key, link, {}) if link.kind == "link" else None
        if isinstance(target, RepositoryFile):
            found[f"file:{target.path}"[:LONGEST]] = None
    for path in _paths(text):
        found[anchor_of(path)] = None
        if len(found) >= MOST:
            break
    return tuple(found)[:MOST]


def of_conventions(body: str) -> tuple[str, ...]:
    """Return the anchors of what a note says how it is to be done (`text.prompts.conventions`), and of the things that it is about (`text.prompts.things`),
    at most `MOST_OF_CONVENTIONS`."""
    from memorybank.text.prompts import conventions, things  # late: a day's episode says nothing of this

    ordered = [list(terms) for terms, _ in things.of_note(body)]
    first = (FOR + terms[0] for terms in ordered)
    explained = (MEANS + word for word, _ in things.defined_in(body))
    others = (FOR + term for terms in ordered for term in terms[1:])
    return tuple(dict.fromkeys((*(DOES + action for action, _ in conventions.of_note(body)), *first, *explained, *others)))[:MOST_OF_CONVENTIONS]


def anchor_of(path: str) -> str:
    """Return a repository-relative path as an anchor. The path of a Markdown file below `active/` gives the anchor of that note."""
    inside = path.removeprefix(ACTIVE + "/")
    return f"note:{inside}" if inside != path and path.endswith(".md") else f"file:{path}"


def _paths(text: str) -> Iterator[str]:
    if "://" in text:
        text = _SCHEME.sub(" ", text)
    for written in (match[0] for word in _words(text) for match in _PATH.finditer(word)):
        if written.isascii():
            yield from _candidate(written)
        else:
            for form in _forms(normalize("NFC", written)):
                yield from _candidate(form)


def _words(text: str) -> Iterator[str]:
    """Yield the words that may contain a path: those with a slash or a period, unless it only ends a sentence."""
    for begin, end in stretches(text):
        for word in [word for word in text[begin:end].split() if "/" in word or "." in word]:
            if "/" in word or not (word[-1] == "." and word[:-1].isalpha()):
                yield word


def _forms(written: str) -> Iterator[str]:
    """Return the paths that a non-ASCII match may mean.

    Japanese text has no spaces between a path and the words around it, so one form ends after the extension, and another one also begins
    where the script changes.
    """
    ended = _EXTENSION_BEFORE_JAPANESE.sub(lambda found: found[1], written)
    yield ended
    head, slash, rest = ended.partition("/")
    begun = _JAPANESE_BEFORE.sub("", head) + slash + rest
    if begun != ended:
        yield begun


def _candidate(written: str) -> Iterator[str]:
    path = normpath(written.rstrip("./") if written.endswith((".", "/")) else written)
    if len(path) <= LONGEST and not path.startswith(("..", "/", "~")) and path != "." and not _ONLY_NUMBERS.fullmatch(path):
        yield path
