"""The sources of a bank: Markdown files of other people and tools, which are read in place and never written.

A source inside the repository is declared in the bank's `config/sources_config.json`, and everybody who clones the repository has it. A source
outside the repository is declared in the person's own settings alone, for one bank: a bank can come from a stranger, and must not choose which
files of this machine are read. An invalid entry is left out with a Problem and never stops a command.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.group import MAX_FILE_BYTES
from memorybank.errors import MemorybankError, NewerFormat, Problem
from memorybank.storage import disk, jsontext, versions
from memorybank.storage import system as os
from memorybank.storage.layout import IN_REPOSITORY, person_folder
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from memorybank.storage.layout import Layout

INSTRUCTIONS, RULES, DOCS, DECISIONS, LEARNINGS, CHANGELOG = "instructions", "rules", "docs", "decisions", "learnings", "changelog"
MEMORY_BANK, AUTO_MEMORY, CODEX_MEMORY, OBSIDIAN, BASIC_MEMORY = "memory-bank", "auto-memory", "codex-memory", "obsidian", "basic-memory"
CLAUDE_MEM = "claude-mem"
KINDS = (INSTRUCTIONS, RULES, DOCS, DECISIONS, LEARNINGS, CHANGELOG, MEMORY_BANK, AUTO_MEMORY, CODEX_MEMORY, OBSIDIAN, BASIC_MEMORY, CLAUDE_MEM)
FILE = "sources_config.json"
OWN_KEY = "sources"
"""The key of the person's own settings."""
MAX_SOURCES = 100
_MAX_NAME = 60


class Source(Value):
    """One source.

    name: its name in commands
    kind: one of `KINDS`
    root: absolute path of a folder or of one file
    key: prefix of the keys of its files: `./docs` in the repository, an absolute path elsewhere
    left_out: folders and files below the root that do not belong to it, POSIX
    is_private: whether it is declared in the person's own settings
    project: absolute path of the repository, for sources that contain files of several projects
    """

    name: str
    kind: str
    root: str
    key: str
    left_out: tuple[str, ...] = ()
    is_private: bool = False
    project: str = ""


class SourceList(Value):
    """The sources of a bank, the most specific root first, and the problems of the entries that were left out."""

    sources: Sequence[Source]
    problems: Sequence[Problem]

    def covering(self, key: str) -> Source | None:
        """Return the source that the file with this key belongs to, by its path alone."""
        for source in self.sources:
            if key == source.key or key.startswith(source.key + "/"):
                inside = key[len(source.key) + 1 :]
                if not is_left_out(source, inside):
                    return source
        return None


NO_SOURCES = SourceList((), ())


def is_left_out(source: Source, inside: str) -> bool:
    """Return whether a path below the source's root is excluded from the source."""
    return any(inside == path or inside.startswith(path + "/") for path in source.left_out)


def load(layout: Layout, environment: Mapping[str, str] | None = None) -> SourceList:
    """Return the sources of a bank: those that it declares, and those that the person declared for it."""
    found: list[Source] = []
    problems: list[Problem] = []
    committed = os.path.join(layout.config, FILE)
    document = _read(committed, layout.relative(committed), problems)
    entries = document.get("sources", []) if document is not None else []
    _collect(entries, layout, found, problems, layout.relative(committed))
    own = own_path(os.environ if environment is None else environment)
    document = _read(own, layout.relative(own), problems)
    entries = document.get(OWN_KEY, []) if document is not None else []
    _collect(entries, layout, found, problems, layout.relative(own), own=True)
    if not found and not problems:
        return NO_SOURCES
    return SourceList(tuple(sorted(found, key=lambda source: (-len(source.root), source.name))), tuple(problems))


def problems_in(data: bytes, layout: Layout) -> list[Problem]:
    """Return the problems of a bank's file of sources with these contents."""
    shown = layout.relative(os.path.join(layout.config, FILE))
    problems: list[Problem] = []
    document = _parse(data, shown, problems)
    _collect(document.get("sources", []) if document is not None else [], layout, [], problems, shown)
    return problems


def own_path(environment: Mapping[str, str]) -> str:
    """Return the path of the person's own settings."""
    return os.path.join(person_folder(environment, "XDG_CONFIG_HOME", ".config"), "config.json")


def has_own_settings(environment: Mapping[str, str]) -> bool:
    """Return whether the person has settings of their own, also if they cannot be read."""
    try:
        os.lstat(own_path(environment))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def fault(entry: object, layout: Layout, *, own: bool) -> str:
    """Return why an entry cannot be used, "" when it can. Files need not exist: a file that is deleted at its origin is deleted here too."""
    if not isinstance(entry, dict):
        return "expected an object with name, kind and path"
    name, kind, path, left_out = entry.get("name"), entry.get("kind"), entry.get("path"), entry.get("except", [])
    if not isinstance(name, str) or not is_name(name):
        return "name: expected letters, digits, '-' and '_', at most 60"
    if kind not in KINDS:
        return f"kind: expected one of {', '.join(KINDS)}"
    if not isinstance(path, str) or not path or "\0" in path:
        return "path: expected a path"
    if not isinstance(left_out, list) or not all(isinstance(each, str) and _is_inside(each) for each in left_out):
        return "except: expected a list of paths below the source"
    if own:
        if not path.startswith(("/", "~/")):
            return "path: expected an absolute path, or one that begins with ~/"
        root = os.path.realpath(os.path.expanduser(path))
        if root == "/" or root == os.path.realpath(os.path.expanduser("~")):
            return "path: the home folder and the root of the file system are not sources"
        return "" if not _below(root, layout.base) else "path: is inside the repository; declare it in the bank"
    if path == ".":
        return ""
    if not _is_inside(path) or path.startswith("~"):
        return "path: a bank can only name files of its own repository; a source outside it belongs into your own settings"
    root = os.path.join(layout.base, path)
    if _below(root, layout.root):
        return "path: is inside the bank"
    if path.split("/")[0] == ".git":
        return "path: is git's own folder"
    return "" if os.path.realpath(root) == root else "path: a symbolic link leads out of it"


def is_name(name: str) -> bool:
    return 0 < len(name) <= _MAX_NAME and name[0].isalnum() and all(sign.isalnum() or sign in "-_" for sign in name)


def _is_inside(path: str) -> bool:
    """Return whether a path is relative and has no part that leads elsewhere."""
    return bool(path) and "\0" not in path and all(part not in ("", ".", "..") for part in path.split("/"))


def _leads_out(entry: Any) -> bool:
    path = entry.get("path") if isinstance(entry, dict) else None
    return isinstance(path, str) and (path.startswith(("/", "~")) or ".." in path.split("/"))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _collect(entries: Any, layout: Layout, found: list[Source], problems: list[Problem], shown: str, *, own: bool = False) -> None:
    """Add the valid entries to `found`. Of the person's own settings only those for this bank count."""
    if not isinstance(entries, list):
        problems.append(Problem("source_invalid", shown, "sources: expected a list of objects"))
        return
    for number, entry in enumerate(entries[:MAX_SOURCES]):
        if own and not (isinstance(entry, dict) and entry.get("bank") == layout.local_root):
            continue
        reason = fault(entry, layout, own=own)
        if not reason and any(source.name == entry["name"] for source in found):
            reason = f"name: {entry['name']!r} is taken by another source"
        if reason:
            code = "source_outside" if not own and _leads_out(entry) else "source_invalid"
            problems.append(Problem(code, shown, f"sources[{number}].{reason}; it is ignored"))
            continue
        found.append(_source(entry, layout, own=own))
    if len(entries) > MAX_SOURCES:
        problems.append(Problem("source_invalid", shown, f"more than {MAX_SOURCES} sources; the others are ignored"))


def _source(entry: dict[str, Any], layout: Layout, *, own: bool) -> Source:
    base = layout.base
    path = entry["path"]
    root = os.path.realpath(os.path.expanduser(path)) if own else base if path == "." else os.path.join(base, path)
    return Source(entry["name"], entry["kind"], root, root if own else path if path == "." else IN_REPOSITORY + path, tuple(entry.get("except", ())), own, base)


def _read(path: str, shown: str, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        data = disk.read(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return None
    except (MemorybankError, OSError):
        problems.append(_unreadable(shown))
        return None
    return _parse(data, shown, problems)


def _unreadable(shown: str) -> Problem:
    return Problem("source_unreadable", shown, "cannot be read as JSON, so its sources are ignored")


def _parse(data: bytes, shown: str, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        document = jsontext.decode(data)
    except ValueError:
        problems.append(_unreadable(shown))
        return None
    if not isinstance(document, dict):
        return None
    newer = versions.newer(document.get("version"))
    if newer:
        problems.append(Problem(NewerFormat.code, shown, f"{newer}; the sources that this release knows are read"))
    return document
