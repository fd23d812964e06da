"""Writes the file from which `memorybank.bytecode` loads the modules of commands: what one command had to import one by one, later ones find there.

Like a `.pyc` file it is written when it is missing, by the process that would have needed it, and contains nothing but code of this package.
A segment is made of what really happened: when a module is imported, those that it imports are complete before it is.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from marshal import dumps, loads

from memorybank import bytecode
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.hosts import bytecode_file
from memorybank.hosts.programs import programs
from memorybank.storage import abandoned, disk


def add(compiled: bytecode.Segments, started: Sequence[str]) -> bool:
    """Add modules and patterns to the file. Return False where nothing was written.

    compiled: the file as this process read it
    started: the modules that this process imported in the ordinary way, in the order in which their imports began
    """
    try:
        kept, kept_programs = _kept(compiled)
        parts = _Parts()
        added = {name: tuple((each, parts[each]) for each in _with_packages(found)) for name, found in _segments(started)}
        # A pattern that cannot be stored is stored as None, so that nobody tries again.
        patterns = dict.fromkeys(compiled.missed_patterns, dumps(None)) | programs(compiled.missed_patterns)
        chunks = bytecode_file.layout({**kept, **added}, {**kept_programs, **patterns}, (0, 0))
        disk.replace(bytecode.COMMANDS, chunks, mode=disk.USER_FILE, durable=False)
        abandoned.sweep(os.path.dirname(bytecode.COMMANDS), Clock().now())
    except (MemorybankError, OSError, ValueError, EOFError, TypeError, LookupError):
        return False
    return True


def _segments(started: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each module that was not imported because of another of these, with all that were imported because of it, each after those that it needs."""
    completed = {name: place for place, name in enumerate(sys.modules)}  # Python moves a module to the end when its import is complete
    waiting = [*dict.fromkeys(started)]
    while waiting:
        first = completed[waiting[0]]
        count = next((count for count, name in enumerate(waiting) if completed[name] > first), len(waiting))
        yield waiting[0], sorted(waiting[:count], key=completed.__getitem__)
        del waiting[:count]


def _with_packages(names: Sequence[str]) -> list[str]:
    """Return modules, each after its packages, which another process may not have imported before."""
    found: dict[str, None] = {}
    for name in names:
        words = name.split(".")
        found.update(dict.fromkeys(".".join(words[:count]) for count in range(2, len(words) + 1)))
    return [*found]


class _Parts(dict[str, bytes]):
    """Modules by name, each as one part of a segment."""

    def __missing__(self, name: str) -> bytes:
        spec = sys.modules[name].__spec__
        if spec is None or spec.origin is None:
            raise LookupError(name)
        before, code, after = os.stat(spec.origin), spec.loader.get_code(name), os.stat(spec.origin)  # type: ignore[union-attr]  # loads a source
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            raise ValueError(spec.origin)
        is_package = spec.submodule_search_locations is not None
        entry: bytecode_file.Entry = name, spec.origin.removeprefix(bytecode.PACKAGE), before.st_mtime_ns, before.st_size, is_package, code
        part = self[name] = dumps((entry,))
        return part


def _kept(compiled: bytecode.Segments) -> tuple[dict[str, tuple[bytecode_file.Part, ...]], dict[str | bytes, bytes]]:
    """Return the segments and programs of the present file; none of a missing or outdated one."""
    if compiled.is_stale:
        return {}, {}
    with open(bytecode.COMMANDS, "rb") as stream:
        size = int.from_bytes(stream.read(bytecode.HEAD), "little")
        _, segments, (begin, length), _ = loads(stream.read(size))
        data = stream.read()
    lists = [loads(data[begin : begin + length]) for begin, length in loads(data[begin : begin + length])]
    return (
        {name: tuple((alone, data[begin : begin + length]) for begin, length, alone in parts) for name, parts in segments.items()},
        {text: data[begin : begin + length] for each in lists for text, (begin, length, _) in each.items()},
    )
