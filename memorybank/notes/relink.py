"""Rewrites the links of one note after a note got another key. Only targets change: texts, titles, fragments, aliases and every other byte stay.

`[…](…)`, reference definitions and `[[…]]` are rewritten. A mention of a file name in running text is somebody's wording, so it stays and is
reported. The result is parsed again; a note in which another link would change its meaning is not rewritten at all.
"""

import re
from collections.abc import Collection, Mapping
from posixpath import basename, dirname, relpath
from typing import NamedTuple
from urllib.parse import quote

from memorybank.notes import frontmatter, targets, written_links
from memorybank.notes.note import Link
from memorybank.notes.written_links import ANGLE, WIKI, WrittenLink

_SUFFIX = ".md"
_UNDECODED = re.compile("[\udc80-\udcff]")
_MARKS_OF_WIKI = re.compile(r"[\[\]|#\\\n`<]")
"""Characters that a wiki link cannot contain, or that begin code or HTML."""
_PLAIN_SAFE = "/!$*,-.:;=@_~+'"
_ANGLE_SAFE = _PLAIN_SAFE + ' ()[]{}^|"'


class KeyChange(NamedTuple):
    """A note that gets another key, among all notes.

    before, after: {name: keys} of all notes, as `targets.resolve` takes them.
    active: the folder of the notes relative to the repository, POSIX.
    """

    old: str
    new: str
    before: Mapping[str, Collection[str]]
    after: Mapping[str, Collection[str]]
    active: str = targets.ACTIVE


class RelinkedNote(NamedTuple):
    """A note with rewritten links.

    data: its bytes.
    rewritten: number of links.
    left: targets, as written, that still contain the old path.
    """

    data: bytes
    rewritten: int
    left: tuple[str, ...]


def relinked(data: bytes, source: str, change: KeyChange) -> RelinkedNote:
    """Return a note in which every link follows the change. The moved note itself keeps linking to what it linked to.

    source: key of the note before the change
    """
    decoded = data.decode("utf-8", "surrogateescape")
    start = len(decoded) - len(decoded.removeprefix("\ufeff"))
    readable = _UNDECODED.sub("\ufffd", decoded)  # same length, so offsets hold in both
    start += frontmatter.read(readable[start:], source).markdown_offset
    links = written_links.read(readable[start:])
    if links is None:
        return RelinkedNote(data, 0, ())
    wanted = {link: target for link in links if (target := _new_target(source, link, change)) is not None}
    edits = {(link.begin, link.end): target for link, target in wanted.items() if target}
    text = decoded[start:]
    for (begin, end), target in sorted(edits.items(), reverse=True):
        text = text[:begin] + target + text[end:]
    if not _means_the_same(source, links, edits, written_links.read(_UNDECODED.sub("\ufffd", text)), change):
        return RelinkedNote(data, 0, _distinct(wanted))
    changed = (decoded[:start] + text).encode("utf-8", "surrogateescape")
    mentions = [link.target for link in _mentions(readable[start:]) if _is_lost(source, link, change)]
    return RelinkedNote(changed, len(edits), (*_distinct([link for link, target in wanted.items() if not target]), *mentions))


def _distinct(links: Collection[WrittenLink]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.link.target for each in links))


def _mentions(markdown: str) -> list[Link]:
    from memorybank.notes import structure

    return [link for link in structure.read(markdown).links if link.kind == "mention"]


def _new_target(source: str, place: WrittenLink, change: KeyChange) -> str | None:
    """Return the new target for a link; "" when it cannot be written there, None when nothing has to change."""
    if place.link.kind == "wiki":
        target = _wiki_target(place, change) if _is_moved(source, place.link, change) else None
        return None if target == place.written else target
    path = targets.path_of(source, place.link.target, change.active)
    meant = f"{change.active}/{change.new}" if _is_moved(source, place.link, change) else path
    home = change.new if source == change.old else source
    if targets.path_of(home, place.link.target, change.active) == meant or path.startswith("../"):
        return None
    return _destination(home, place, meant, change.active)


def _is_moved(source: str, link: Link, change: KeyChange) -> bool:
    """Return whether a link means the moved note, also from within it."""
    # A link of a note to itself resolves to None, so the question is asked for its folder.
    return targets.resolve(_folder(source), link, change.before, change.active) == change.old


def _folder(source: str) -> str:
    """Return the folder of a note as a key that no note has."""
    folder = dirname(source)
    return f"{folder}/" if folder else ""


def _is_lost(source: str, link: Link, change: KeyChange) -> bool:
    """Return whether a link of another note means the moved note now and no longer afterwards."""
    return source != change.old and _is_moved(source, link, change) and targets.resolve(source, link, change.after, change.active) != change.new


def _destination(home: str, place: WrittenLink, path: str, active: str) -> str:
    """Return a Markdown destination of a path in the way in which the old one was written."""
    if not place.form:
        return ""
    if place.link.target.startswith("/"):
        target = f"/{path}"
    else:
        target = relpath(path, f"{active}/{dirname(home)}".rstrip("/"))
        if ":" in target.partition("/")[0] or (place.link.target.startswith("./") and not target.startswith("../")):
            target = f"./{target}"
    safe = _ANGLE_SAFE if place.form == ANGLE else _PLAIN_SAFE
    is_encoded = place.written.isascii() and not place.link.target.isascii()
    return "".join(each if each in safe or (each.isalnum() if each.isascii() else not is_encoded) else quote(each) for each in target)


def _wiki_target(place: WrittenLink, change: KeyChange) -> str:
    """Return a wiki target: the name alone if the old one was a name and the new one is unique, otherwise the key."""
    suffix = _SUFFIX if place.link.target.endswith(_SUFFIX) else ""
    stem = basename(change.new).removesuffix(_SUFFIX)
    is_unique = targets.resolve("", Link("wiki", stem), change.after) == change.new
    name = stem if "/" not in place.link.target and is_unique else change.new.removesuffix(_SUFFIX)
    target = f"{'/' if place.link.target.startswith('/') else ''}{name}{suffix}"
    return "" if place.form != WIKI or _MARKS_OF_WIKI.search(target) or target != target.strip() else target


def _means_the_same(source: str, links: list[WrittenLink], edits: Mapping[tuple[int, int], str], now: list[WrittenLink] | None, change: KeyChange) -> bool:
    """Return whether the rewritten text has the same links as before, and those that were rewritten mean the moved note, or what they meant before."""
    if now is None or len(now) != len(links):
        return False
    home = change.new if source == change.old else source

    def is_meant(before: WrittenLink, after: WrittenLink) -> bool:
        if (before.begin, before.end) not in edits:
            return before.link == after.link
        return before.link.kind == after.link.kind and _meaning(home, after, change.after, change.active) == _was(source, before, change)

    return all(map(is_meant, links, now))


def _meaning(source: str, place: WrittenLink, names: Mapping[str, Collection[str]], active: str) -> object:
    found = targets.resolve(_folder(source), place.link, names, active)
    return found if isinstance(found, str) or place.link.kind == "wiki" else targets.path_of(source, place.link.target, active)


def _was(source: str, place: WrittenLink, change: KeyChange) -> object:
    found = _meaning(source, place, change.before, change.active)
    return change.new if found == change.old else found


def keys_by_name(keys: Collection[str]) -> dict[str, list[str]]:
    """Return {name: keys}, as `targets.resolve` takes it."""
    found: dict[str, list[str]] = {}
    for key in sorted(keys):
        found.setdefault(targets.name_of(key), []).append(key)
    return found


def key_change(old: str, new: str, keys: Collection[str], active: str) -> KeyChange:
    """Return a change of key among all notes.

    keys: of all notes before the change
    """
    return KeyChange(old, new, keys_by_name(keys), keys_by_name({*keys, new} - {old}), active)
