"""The light path from one file: the modules that hooks need, compiled, each behind those that it needs.

A hook needs some fifty small modules; to find, check and read them one by one takes longer than all that it does with them.
`hosts.bytecode_file` writes them into one file beside the package's other compiled files, and here it is read. Like a `.pyc` it
counts only for the interpreter that wrote it, and while every source is as it was (time of change and size, asked at every
start). Where anything differs, and where there is no such file, Python imports as usual.
"""

__light__ = True

import posix
import sys
from _frozen_importlib_external import MAGIC_NUMBER
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

PACKAGE = __file__.rpartition("/")[0]
PATH = f"{PACKAGE}/__pycache__/hook.{sys.implementation.cache_tag}.segments"
HEAD = 8
"""Bytes of the number in front: how many more the index takes."""


def serve() -> None:
    """From now on imports are served from the file, if there is one for this interpreter."""
    try:
        file = posix.open(PATH, posix.O_RDONLY | posix.O_CLOEXEC)
        size = int.from_bytes(posix.pread(file, HEAD, 0), "little")
        magic, segments = loads(posix.pread(file, size, HEAD))
    except Exception:  # whatever is in it: there is another way
        return
    if magic == MAGIC_NUMBER:
        sys.meta_path.insert(0, Segments(file, HEAD + size, segments))


def is_fresh() -> bool:
    """Whether all that this process asked for was served."""
    return any(isinstance(finder, Segments) and not finder.is_stale for finder in sys.meta_path)


class Segments:
    """Finder and loader. A segment is one module and all that it brings along; who asks for that one gets all of them loaded.

    segments: {module: its parts}; a part: (where it begins behind the index, bytes), a tuple of (module, its source below the package,
    that one's time of change in ns and size, whether it is a package, its code).
    """

    def __init__(self, file: int, start: int, segments: dict[str, tuple[tuple[int, int], ...]]) -> None:
        self.file = file
        self.start = start
        self.segments = segments
        self.is_stale = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        found = self.segments.pop(name, None)
        if found is None:
            return None
        try:
            segment = [module for begin, size in found for module in loads(posix.pread(self.file, size, self.start + begin))]
            for _, source, changed, size, _, _ in segment:
                status = posix.stat(PACKAGE + source)
                if status.st_mtime_ns != changed or status.st_size != size:
                    raise ValueError(source)
        except Exception:  # as above
            self.is_stale = True
            self.segments.clear()
            return None
        modules = sys.modules
        for each, source, _, _, is_package, code in segment:
            if each not in modules:
                module = modules[each] = type(sys)(each)
                module.__file__ = PACKAGE + source
                if is_package:
                    module.__path__ = [module.__file__.rpartition("/")[0]]
                exec(code, module.__dict__)
                parent, _, child = each.rpartition(".")
                setattr(modules[parent], child, module)
        return type(__spec__)(name, self)  # type: ignore[arg-type]  # a loader by what it does

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        return sys.modules[spec.name]

    def exec_module(self, module: "ModuleType") -> None:
        """It was, with its segment."""
