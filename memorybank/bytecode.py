"""Loads the modules and the regular expressions that a process needs from one compiled file, modules in the order of their dependencies.

A hook needs about fifty small modules, a command a hundred. Finding, checking and reading them one by one takes longer than the work that is
done with them. `hosts.bytecode_file` writes those of hooks into one file next to the package's other compiled files, `cli.bytecode_file` those
of commands into another; this module reads them.

Like a `.pyc`, the file is valid only for the interpreter that wrote it, and only while every source file has the recorded modification time
and size, which are checked at every start. If the file is missing or anything differs, Python imports the modules as usual.
"""

__light__ = True

import posix
import sys
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

PACKAGE = __file__.rpartition("/")[0]
PATH = f"{PACKAGE}/__pycache__/hook.{sys.implementation.cache_tag}.segments"
COMMANDS = f"{PACKAGE}/__pycache__/command.{sys.implementation.cache_tag}.segments"
LOADED = "__loaded__"
"""The name under which a module finds `LoadedModules`: `hosts.bytecode_file` makes look-ups there of its imports."""
LISTS = 256
"""Number of lists in which the file has its patterns."""
HEAD = 8
"""Length in bytes of the number at the start of the file, which gives the length of the index after it."""


def serve(path: str = PATH) -> "Segments":
    """Serve imports from a compiled file from now on, as far as there is one for this interpreter."""
    finder = Segments(path)
    try:
        finder.file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        size = int.from_bytes(posix.pread(finder.file, HEAD, 0), "little")
        magic, segments, patterns, _ = loads(posix.pread(finder.file, size, HEAD))
        if magic == MAGIC_NUMBER:
            finder.start, finder.segments, finder.patterns, finder.is_stale = HEAD + size, segments, patterns, False
    except Exception:  # a missing or unreadable file is not an error: Python imports as usual
        finder.is_stale = True
    sys.meta_path.insert(0, finder)
    return finder


def version() -> str:
    """Return what tells the compiled file of hooks from any other; "" in a process that was not served from it alone."""
    served = [posix.fstat(finder.file) for finder in sys.meta_path if isinstance(finder, Segments) and finder.path == PATH and not finder.is_stale]
    return "".join(f"{status.st_ino} {status.st_size} {status.st_mtime_ns}" for status in served)


def program(text: str | bytes) -> "Any":
    """Return what `_sre.compile` needs for a regular expression, after the version of `_sre`, or None if the file does not contain it.

    The third value, the program, is a list of numbers as bytes.
    """
    for finder in sys.meta_path:
        if isinstance(finder, Segments):
            return finder.program(text)
    return None


def words(text: str) -> list[str]:
    """Return strings in lower case of which every text with a match of a regular expression contains one, without loading it; [] if the file has none."""
    for finder in sys.meta_path:
        if isinstance(finder, Segments):
            return finder.words(text)
    return []


class LoadedModules(dict[str, "ModuleType"]):
    """Modules by name. One that is missing is loaded from the file, or imported."""

    def __init__(self, finder: "Segments") -> None:
        self.finder = finder

    def __missing__(self, name: str) -> "ModuleType":
        # Python's import would look for each package on the way, and make a second module only to find the loaded one.
        if name not in sys.modules and not self.finder.load(name):
            __import__(name)
        found = self[name] = sys.modules[name]
        return found


class Segments:
    """Import finder and loader. A segment is one module with all its dependencies: importing the module loads the entire segment.

    segments: {module: its parts}. A part is (offset after the index, length in bytes, name) of a marshalled tuple of modules. The name is that of the
        only module in it, which another segment may have loaded; "" for a part of several modules. Each module is (name, path of its source below the
        package, modification time of the source in ns, size of the source in bytes, whether it is a package, code).
    patterns: the offset and length of the places of the lists of patterns, `LISTS` of them. A pattern is in the list that its length says: the texts of
        all patterns are long, and a hook needs a few of them. A list is {regular expression: the offset and length of its compiled form, and its words,
        each with a zero byte after it}.
    missed, missed_patterns: the modules and patterns that were requested and are not in the file, in this order
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.file = -1
        self.start = 0
        self.segments: dict[str, tuple[tuple[int, int, str], ...]] = {}
        self.patterns = (0, 0)
        self.lists: list[tuple[int, int]] | None = None
        self.programs: dict[int, dict[str | bytes, tuple[int, int, str]]] = {}
        self.is_stale = True
        self.loaded = LoadedModules(self)
        self.missed: list[str] = []
        self.missed_patterns: list[str | bytes] = []

    def program(self, text: str | bytes) -> "Any":
        """Return the compiled form of a regular expression. It depends on nothing but the text, so it counts even when a source has changed."""
        try:
            return self._read(self._listed(text)[:2])
        except Exception:  # any damage has the same answer as a pattern that is not in the file
            self.missed_patterns.append(text)
            return None

    def words(self, text: str) -> list[str]:
        """Return strings in lower case of which every text with a match of a regular expression contains one; [] if there are none, or they are not known."""
        try:
            return self._listed(text)[2].split("\0")[:-1]
        except Exception:  # as in `program`, which is asked for the same pattern next
            return []

    def _listed(self, text: str | bytes) -> tuple[int, int, str]:
        number = len(text) % LISTS
        if number not in self.programs:
            if self.lists is None:
                self.lists = self._read(self.patterns)
            self.programs[number] = self._read(self.lists[number])
        return self.programs[number][text]

    def _read(self, place: tuple[int, int]) -> "Any":
        begin, size = place
        return loads(posix.pread(self.file, size, self.start + begin))

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        if self.load(name):
            return type(__spec__)(name, self)  # type: ignore[arg-type]  # has the methods of a loader, without its base class
        self.missed.append(name)
        return None

    def load(self, name: str) -> bool:
        """Load the segment of a module. Return False if the file has none, or is stale."""
        found = self.segments.pop(name, None)
        if found is None:
            return False
        modules = sys.modules
        try:
            segment = [module for begin, size, alone in found if alone not in modules for module in self._read((begin, size))]
            for _, source, changed, size, _, _ in segment:
                status = posix.stat(PACKAGE + source)
                if status.st_mtime_ns != changed or status.st_size != size:
                    raise ValueError(source)
        except Exception:  # any damage has the same answer: Python imports as usual
            self.is_stale = True
            # Serving part of a stale file would mix old and new code, so no other segment is used either.
            self.segments.clear()
            return False
        made = type(__spec__)
        for each, source, _, _, is_package, code in segment:
            # Another segment may have loaded a shared dependency already.
            if each not in modules:
                module = modules[each] = type(sys)(each)
                module.__file__ = PACKAGE + source
                setattr(module, LOADED, self.loaded)
                if is_package:
                    module.__path__ = [module.__file__.rpartition("/")[0]]
                    spec = _package_spec(each, module.__file__)
                else:
                    spec = made(each, self)  # type: ignore[arg-type]  # a spec only keeps its loader, and this one has the methods that Python calls
                # Each import of a module asks its spec whether it is still loading. Where there is no answer, Python makes an exception and drops it.
                spec._initializing = False  # type: ignore[attr-defined]  # as Python does after loading a module
                module.__spec__ = spec
                exec(code, module.__dict__)
                parent, _, child = each.rpartition(".")
                setattr(modules[parent], child, module)
            self.loaded[each] = modules[each]
        return True

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        return sys.modules[spec.name]

    def exec_module(self, module: "ModuleType") -> None:
        """Do nothing: `load` has already executed the module with its segment."""


def _package_spec(name: str, path: str) -> "ModuleSpec":
    """Return what Python finds the modules and the data files of a package with."""
    spec = type(__spec__)(name, SourceFileLoader(name, path), origin=path, is_package=True)
    spec.submodule_search_locations = [path.rpartition("/")[0]]
    return spec
