"""Checks the links between the notes of a tree: each leads to a note, a file or a folder that the same commit contains, or to an archived note."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from posixpath import basename, dirname
from unicodedata import normalize
from urllib.parse import quote

from memorybank.checking.guidance import BROKEN_LINK, UNKNOWN_LINK
from memorybank.checking.tree import FILE, CommittedTree
from memorybank.config import sources
from memorybank.errors import MemorybankError, Problem
from memorybank.index.links import active_folder
from memorybank.notes import frontmatter, source_files, targets, written_links
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.notes.scan import SUFFIX
from memorybank.notes.written_links import WrittenLink
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

NOTES, ARCHIVE = "active/", "archive/by_date"
_NAMED = 3
_ORIGINAL = '"original_path": '


class LinkCheck:
    """The notes of a tree, to which links can lead."""

    def __init__(self, tree: CommittedTree, layout: Layout) -> None:
        self._tree = tree
        self._layout = layout
        self._active = active_folder(layout)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for key in sorted(_keys(path for path, file in tree.files.items() if file.kind == FILE)):
            self._by_name[targets.name_of(key)].append(key)

    def broken(self, note: Note) -> Iterator[Problem]:
        """Yield the links of a note that lead nowhere. Paths and names in running text do not count: they may be about anything."""
        for link, line, target in self._unresolved(note):
            if link.link.kind == "wiki":
                alike = [key for key in self._by_name.get(targets.name_of(target), ()) if self._means(target, frozenset((key,)))]
                what = f"may mean {' or '.join(alike[:_NAMED])}" if alike else "names no note, archived note or source"
                yield Problem(UNKNOWN_LINK, note.key, f"[[{target}]] {what}", line)
            else:
                yield Problem(BROKEN_LINK, note.key, f"links to {target}, which does not exist{self._elsewhere(target)}", line)

    def broken_by_removal(self, removed: Sequence[str], known: Sequence[str]) -> Iterator[Problem]:
        """Yield the links of other notes to notes that the commit removes.

        removed, known: paths; the notes of `known` are checked anyway
        """
        gone = set(_keys(removed))
        if gone:
            gone -= self._archived
        if not gone:
            return
        stems = {basename(key).removesuffix(SUFFIX) for key in gone}
        texts = sorted(stems | {quote(stem) for stem in stems})
        paths = {path for path, _ in self._tree.lines_with(texts, NOTES.rstrip("/"))} - set(known)
        files = [self._tree.files[path] for path in sorted(paths) if path in self._tree.files]
        for file, data in self._tree.contents(files):
            note = parse(file.path.removeprefix(NOTES), data or b"")
            for link, line, target in self._unresolved(note):
                if target in gone or (link.link.kind == "wiki" and self._means(target, gone)):
                    yield Problem(BROKEN_LINK, note.key, f"links to {target}, which this commit removes", line)

    def _unresolved(self, note: Note) -> Iterator[tuple[WrittenLink, int, str]]:
        """Yield (link, line, target): of a Markdown link the key that it means, of a wiki link its text."""
        offset = frontmatter.read(note.text, note.key).markdown_offset
        before = note.text.count("\n", 0, offset) + 1
        markdown = note.text[offset:]
        for link in written_links.read(markdown) or ():
            target = self._missing(note.key, link)
            if target is not None:
                begin = link.begin if link.begin >= 0 else max(markdown.find(link.link.target), 0)
                yield link, before + markdown.count("\n", 0, begin), target

    def _missing(self, key: str, written: WrittenLink) -> str | None:
        """Return the target of a broken link; None for a link whose target is in the tree or outside the notes."""
        link = written.link
        # A link of a note to itself resolves to None, so the question is asked for its folder.
        source = f"{dirname(key)}/" if "/" in key else ""
        if link.kind not in ("link", "wiki") or not link.target or targets.resolve(source, link, self._by_name, self._active) is not None:
            return None
        if link.kind == "link":
            path = targets.path_of(key, link.target, self._active)
            target = path.removeprefix(self._active + "/")
            return target if target != path and not self._has(target) else None
        if self._has_file_named(link.target) or self._means(link.target, self._archived) or self._is_in_source(source, written):
            return None
        return link.target

    def _has(self, target: str) -> bool:
        """Return whether a path below `active/` is a file or a folder, or was that of an archived note."""
        wanted = normalize("NFC", target).rstrip("/")
        return wanted in self._paths or target in self._archived

    def _has_file_named(self, target: str) -> bool:
        name = normalize("NFC", basename(target))
        return "." in name and name in self._file_names

    def _means(self, target: str, keys: "set[str] | frozenset[str]") -> bool:
        """Return whether the text of a wiki link is one of these keys, or the file name of one."""
        wanted = normalize("NFC", target).removesuffix(SUFFIX).removeprefix("/")
        return any(wanted in (stem, basename(stem)) for stem in (normalize("NFC", key).removesuffix(SUFFIX) for key in keys))

    def _is_in_source(self, source: str, written: WrittenLink) -> bool:
        by_name, by_alias = self._sources
        return bool(by_name) and targets.resolve(source, written.link, by_name, self._active, by_alias) is not None

    def _elsewhere(self, target: str) -> str:
        """Return a remark about a note of the same name, or about one that was not staged."""
        if os.path.lexists(os.path.join(self._layout.active, *target.split("/"))):
            return " in the commit, because git does not have the file yet"
        alike = [key for key in self._by_name.get(targets.name_of(target), ()) if basename(key) == basename(target)]
        return f" (did you mean {alike[0]}?)" if len(alike) == 1 else ""

    @cached_property
    def _paths(self) -> frozenset[str]:
        """The files below `active/` and their folders, in NFC."""
        files = [normalize("NFC", path.removeprefix(NOTES)) for path in self._tree.files if path.startswith(NOTES)]
        folders = {folder for path in files for folder in _folders(path)}
        return frozenset((*files, *folders))

    @cached_property
    def _file_names(self) -> frozenset[str]:
        return frozenset(basename(path) for path in self._paths)

    @cached_property
    def _archived(self) -> frozenset[str]:
        """The keys of the archived notes, from the sidecars in the tree."""
        found = set()
        for path, line in self._tree.lines_with([_ORIGINAL], ARCHIVE):
            if path.endswith(".json") and line.strip().startswith(_ORIGINAL):
                try:
                    found.add(str(json.loads(line.partition(":")[2].strip().rstrip(","))))
                except ValueError:
                    continue
        return frozenset(found)

    @cached_property
    def _sources(self) -> tuple[dict[str, list[str]], dict[str, list[tuple[str, str]]]]:
        """({name: keys}, {name: (alias, key)}) of the files that the bank reads in place."""
        from memorybank.index.extract import other_names  # late: only a wiki link that names no note needs it

        by_name: dict[str, list[str]] = defaultdict(list)
        by_alias: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for key in source_files.sweep(sources.load(self._layout), skipped=self._layout.root).files:
            by_name[targets.name_of(key)].append(key)
            try:
                note = parse(key, source_files.read(self._layout, key, MAX_NOTE_BYTES))
            except (MemorybankError, OSError):
                continue
            for alias in map(targets.folded_name, other_names(note)):
                by_alias[targets.name_of(alias)].append((alias, key))
        return by_name, by_alias


def _keys(paths: "Iterator[str] | Sequence[str]") -> Iterator[str]:
    return (path.removeprefix(NOTES) for path in paths if path.startswith(NOTES) and path.endswith(SUFFIX))


def _folders(path: str) -> Iterator[str]:
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
