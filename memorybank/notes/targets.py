"""Resolves a link to a note or file, given the names of all notes.

Every note has a *name* (`name_of`), and every link has a name under which it waits (`waiting_name`). A link can refer only to notes whose
name equals its waiting name. Therefore `keys_by_name` ({name: keys}) is all that resolving needs, and an added or removed note affects only
the links that wait under its name.

In Japanese text a file name can follow other words without a space (`詳細は設計.mdを参照`). A mention is therefore stored as the entire run of
characters (`詳細は設計.md`), and the name may begin at any *cut* in it: where the script changes (ASCII, hiragana, kanji or katakana), after a
one-letter particle, and after emphasis marks at such a place. The longest match wins.

So that each link has only one waiting name, a name is the part of the stem after its last cut (`API設計` and `詳細は設計` both wait under `設計`).
The same name may therefore belong to several notes, which are told apart when the link is resolved.
"""

from __future__ import annotations

__light__ = True

from itertools import islice
from unicodedata import normalize

from memorybank.notes.note import Link
from memorybank.storage.layout import IN_REPOSITORY, is_source_key
from memorybank.storage.path_names import basename, dirname, join, normpath
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

NO_ALIASES: Mapping[str, Collection[tuple[str, str]]] = type(type.__dict__)({})  # what `types` calls MappingProxyType
_MOST_CANDIDATES = 50
"""Maximum number of notes of one name that are compared, because thousands may share a name."""
ACTIVE = ".claude/memory/active"
_PARTICLES = frozenset("はがをにへともでやのらりて")
_HIRAGANA = ("\u3041", "\u309f")
_LEADING = "_~"
"""Emphasis marks that may precede a name. `_name.md` may also be the name itself."""


class RepositoryFile(NamedTuple):
    """A file of the repository outside `active/`, on which a note depends. path: POSIX, relative to the repository; the file need not exist."""

    path: str


def name_of(key: str) -> str:
    """Return the name of a note or target: its file name (NFC, without `.md`) after the last offset at which a name may begin."""
    stem = normalize("NFC", basename(key)).removesuffix(".md")
    cuts = _cuts(stem)
    return stem[cuts[-1] :] if cuts else stem


def waiting_name(link: Link) -> str:
    """Return the name under which a link waits for notes that are added, removed or become ambiguous; '' for an external link."""
    return "" if link.kind == "external" else name_of(link.target)


def folded_name(name: str) -> str:
    """Return an alias in the form in which aliases are compared."""
    return " ".join(normalize("NFC", name).casefold().split())


def resolve(
    source: str,
    link: Link,
    keys_by_name: Mapping[str, Collection[str]],
    active: str = ACTIVE,
    keys_by_alias: Mapping[str, Collection[tuple[str, str]]] = NO_ALIASES,
) -> str | RepositoryFile | None:
    """Return the key or repository file to which `link` in the note `source` refers; None if it is external, unknown or the note itself.

    active: the folder of the notes relative to the repository, POSIX
    keys_by_alias: {name: (alias, key)} of titles, aliases and permalinks, to which wiki links refer where no note has such a key or file name
    """
    if link.kind == "external":
        return None
    bucket = keys_by_name.get(name_of(link.target), ())
    if link.kind == "link":
        found = _relative(source, link.target, bucket, active)
    elif link.kind == "wiki":
        found = _wiki(source, link.target, bucket) or _by_alias(source, link.target, keys_by_alias)
    else:
        found = _mention(source, link.target, bucket)
    return None if found == source else found


def path_of(source: str, target: str, active: str = ACTIVE) -> str:
    """Return the path, relative to the repository, that a Markdown destination in the note `source` means. It may begin with `..`."""
    folder = dirname(source.removeprefix(IN_REPOSITORY)) if is_source_key(source) else f"{active}/{dirname(source)}"
    return normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))


def _relative(source: str, target: str, bucket: Collection[str], active: str) -> str | RepositoryFile | None:
    """Resolve a Markdown destination. One that begins with `/` starts at the repository, as on GitHub."""
    if source.startswith("/"):
        return _key(normpath(join(dirname(source), target)), bucket)
    path = path_of(source, target, active)
    if path == ".." or path.startswith("../") or path in (".", active) or "\0" in path:
        return None
    if path.startswith(active + "/"):
        return _key(path[len(active) + 1 :], bucket)
    return _key(IN_REPOSITORY + path, bucket) or RepositoryFile(path)


def _wiki(source: str, target: str, bucket: Collection[str]) -> str | None:
    """Resolve a key with or without `.md`, else a stem that is unique among the notes of the same kind, else in the bank and its sources.

    Files of sources are also found by the end of their path, as in a vault.
    """
    target = target.removeprefix("/")
    key = _key(target, bucket) or _key(target + ".md", bucket)
    if key is not None:
        return key
    stem = normalize("NFC", target).removesuffix(".md")
    if "/" in target:
        return _near(source, (key for key in bucket if is_source_key(key) and normalize("NFC", key).removesuffix(".md").endswith("/" + stem)))
    return _near(source, (key for key in bucket if normalize("NFC", basename(key)).removesuffix(".md") == stem))


def _by_alias(source: str, target: str, keys_by_alias: Mapping[str, Collection[tuple[str, str]]]) -> str | None:
    """Resolve a title, an alias or a permalink."""
    if keys_by_alias is NO_ALIASES:
        return None
    alias = folded_name(target)
    named = {key for name in (name_of(target), name_of(alias)) for known, key in keys_by_alias.get(name, ()) if known == alias}
    return _near(source, sorted(named))


def _near(source: str, keys: Iterable[str]) -> str | None:
    """Return the only key in the folder of `source`, else the only one of its kind, else the only one. Kinds: notes, files inside, files outside."""
    found = list(islice(keys, _MOST_CANDIDATES))
    if len(found) < 2:
        return found[0] if found else None
    for form in (dirname, _kind):
        if is_source_key(source) or form is _kind:
            near = _only(key for key in found if form(key) == form(source))
            if near is not None:
                return near
    return None


def _kind(key: str) -> str:
    return key[0] if is_source_key(key) else ""


def _mention(source: str, target: str, bucket: Collection[str]) -> str | None:
    """Resolve an exact key, a path in the repository, or a file name that exactly one note has. The longest match at the end of the run wins."""
    target = normalize("NFC", target)
    if not bucket:
        return None
    target = target.rpartition(f"{ACTIVE}/")[2]
    for begin in (0, *_cuts(target.partition("/")[0].removesuffix(".md"))):
        candidate = target[begin:].removeprefix("./").removeprefix("active/")
        key = _key(candidate, bucket) or _key(IN_REPOSITORY + candidate, bucket)
        if key is None and "/" not in candidate:
            key = _near(source, (key for key in bucket if normalize("NFC", basename(key)) == candidate))
        if key is not None:
            return key
    return None


def _key(target: str, bucket: Collection[str]) -> str | None:
    """Return the exact key, else the only key that is equal in NFC."""
    if target in bucket:
        return target
    if target.isascii():
        return None  # ASCII has one form
    wanted = normalize("NFC", target)
    return _only(key for key in bucket if normalize("NFC", key) == wanted)


def _only(keys: Iterable[str]) -> str | None:
    """Return the only key, else None. At most two are read, because thousands of notes may share a name."""
    first_two = list(islice(keys, 2))
    return first_two[0] if len(first_two) == 1 else None


def _cuts(text: str) -> list[int]:
    """Return the offsets where a name may begin inside a run of characters, from left to right, without 0.

    A cut depends only on the characters since the previous cut, so that the last cut of a run is the last cut of every name at its end.
    """
    if text.isascii():  # of one script and without particles
        return list(range(1, min(len(text) - len(text.lstrip(_LEADING)) + 1, len(text))))
    cuts = []
    begins = True  # a name may begin at the character before
    for at in range(1, len(text)):
        before, after = text[at - 1], text[at]
        # After a place where a name may begin, each emphasis mark adds another: `_name.md` can be `_name`, or `name` in emphasis.
        begins = (begins and before in _LEADING) or before in _PARTICLES or _script(before) != _script(after)
        if begins:
            cuts.append(at)
    return cuts


def _script(character: str) -> int:
    """Return 0 for ASCII and other letters, 1 for hiragana, 2 for kanji, katakana and everything else from CJK upwards."""
    if character < "\u2e80":
        return 0
    return 1 if _HIRAGANA[0] <= character <= _HIRAGANA[1] else 2
