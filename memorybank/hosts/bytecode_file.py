"""Writing the file that `memorybank.bytecode` reads: for each module that a hook asks for, that one and all that it brings along.

It is made from the sources alone and lies among the package's other compiled files: whoever can write there could as well replace
the package. Nothing of it comes from a project or goes into one. Where the folder cannot be written, hooks do without.
"""

import ast
import os
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER
from marshal import dumps, loads
from types import CodeType

from memorybank import bytecode
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.storage import disk

Entry = tuple[str, str, int, int, bool, CodeType]
"""One module as `memorybank.bytecode` takes it."""

FIRST = "memorybank.hosts"
"""What a process asks for when it has read the file: the package of `hosts.firing`."""
ALWAYS = ("memorybank.hosts.firing", "memorybank.text.redact", "memorybank.cycle.phases.record")
"""What every recorded event needs, in this order: no other segment holds their modules again."""
BEFORE = ("memorybank", "memorybank.bytecode")
"""What a process has imported when it reads the file."""
PART = 100_000
"""Bytes that are read at once: for more the C library asks the system for memory, and gives it back, each time."""
LIGHT = "Light imports only"
"""What the docstring of a module says that hooks may load."""


def write() -> bool:
    """Write it anew; False where the folder refuses."""
    folder = os.path.dirname(bytecode.PATH)
    try:
        disk.make_directories(folder, disk.USER_DIRECTORY)
        if not os.access(folder, os.W_OK):
            return False
        disk.replace(bytecode.PATH, _chunks(), mode=disk.USER_FILE, durable=False)
    except MemorybankError:
        return False
    disk.sweep_temps(folder, Clock().now())
    return True


def is_current() -> bool:
    """Whether the file is there, of this interpreter, and of the sources as they are now."""
    try:
        with open(bytecode.PATH, "rb") as stream:
            size = int.from_bytes(stream.read(bytecode.HEAD), "little")
            magic, segments = loads(stream.read(size))
            data = stream.read()
        if magic != MAGIC_NUMBER:
            return False
        parts = [part for found in segments.values() for part in found]
        return all(map(_is_as_compiled, (entry for begin, length in parts for entry in loads(data[begin : begin + length]))))
    except (OSError, ValueError, EOFError, TypeError):
        return False


def _is_as_compiled(entry: Entry) -> bool:
    status = os.stat(bytecode.PACKAGE + entry[1])
    return (status.st_mtime_ns, status.st_size) == entry[2:4]


def asked() -> list[str]:
    """The modules that have a segment each."""
    return list(_segments())


def _chunks() -> list[bytes]:
    index: dict[str, tuple[tuple[int, int], ...]] = {}
    data: list[bytes] = []
    begin = 0
    for name, entries in _segments().items():
        parts = _parts(entries)
        ends = [begin + sum(map(len, parts[: number + 1])) for number in range(len(parts))]
        index[name] = tuple((end - len(part), len(part)) for end, part in zip(ends, parts, strict=True))
        data += parts
        begin = ends[-1]
    head = dumps((MAGIC_NUMBER, index))
    return [len(head).to_bytes(bytecode.HEAD, "little"), head, *data]


def _parts(entries: tuple[Entry, ...]) -> list[bytes]:
    """A segment in parts of at most `PART` bytes, as far as its modules allow."""
    whole = dumps(entries)
    half = len(entries) // 2
    return [whole] if len(whole) <= PART or not half else [*_parts(entries[:half]), *_parts(entries[half:])]


def _segments() -> dict[str, tuple[Entry, ...]]:
    """{module that is asked for: its entries, each behind those that it needs}. The packages of all are in the first."""
    sources = _Sources()
    needs: dict[str, dict[str, _Source]] = {}
    asking: dict[str, set[str]] = {name: set() for name in ALWAYS}
    waiting = list(ALWAYS)
    for name in waiting:
        needs[name] = sources.collect(name, set(BEFORE))
        for other in (other for source in needs[name].values() for other in sources.light(source.late)):
            asking.setdefault(other, set()).add(name)
            if other not in waiting:
                waiting.append(other)
    first = needs[ALWAYS[0]]
    for name in waiting:
        first = first | sources.collect(name.rpartition(".")[0], {*BEFORE, *first})
    there = _there({name: set(found) for name, found in needs.items()}, asking)
    chosen = {FIRST: first} | {name: {each: needs[name][each] for each in needs[name] if each not in first and each not in there[name]} for name in waiting[1:]}
    return {name: tuple(source.entry for source in found.values()) for name, found in chosen.items() if found}


def _there(needs: dict[str, set[str]], asking: dict[str, set[str]]) -> dict[str, set[str]]:
    """{module that is asked for: those that are loaded by then, whoever asks}. needs: {it: itself and all that it brings along};
    asking: {it: those asked for before, of whose modules one asks for it}."""
    everything = set().union(*needs.values())
    there = dict.fromkeys(needs, everything)
    always: set[str] = set()
    for name in ALWAYS:
        there[name] = set(always)
        always.update(needs[name])
    changed = True
    while changed:
        changed = False
        for name in needs.keys() - set(ALWAYS):
            found = always.union(everything.intersection(*(there[other].union(needs[other]) for other in asking[name])))
            changed = changed or found != there[name]
            there[name] = found
    return there


class _Source:
    """One module's source. early: names that it imports when it is loaded; late: inside functions."""

    def __init__(self, name: str, path: str) -> None:
        status = os.stat(path)
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read(), path)
        self.is_light = LIGHT in " ".join((ast.get_docstring(tree) or "").split())
        self.early = list(_imported(tree.body))
        self.late = [name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for name in _imported(ast.walk(node))]
        code = compile(_Bare().visit(tree), path, "exec", dont_inherit=True, optimize=2)
        self.entry: Entry = (name, path.removeprefix(bytecode.PACKAGE), status.st_mtime_ns, status.st_size, path.endswith("/__init__.py"), code)


class _Bare(ast.NodeTransformer):
    """A module without what only people and type checkers read, so that less is loaded: annotations, and the import that allows them."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.value is None else ast.copy_location(ast.Assign([node.target], node.value), node)


class _Sources(dict[str, _Source | None]):
    """Own modules by name, read once; None for a name that is none."""

    def __missing__(self, name: str) -> _Source | None:
        stem = f"{os.path.dirname(bytecode.PACKAGE)}/{name.replace('.', '/')}"
        path = next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if os.path.isfile(path)), None)
        found = self[name] = _Source(name, path) if name.startswith("memorybank.") and path else None
        return found

    def collect(self, name: str, known: set[str]) -> dict[str, _Source]:
        """A module behind its package and behind what it imports, without what is known."""
        found: dict[str, _Source] = {}
        self._collect(name, known, found)
        return found

    def _collect(self, name: str, known: set[str], found: dict[str, _Source]) -> None:
        source = self[name]
        if source is None or name in known or name in found:
            return
        found[name] = source  # so that a circle ends
        for other in (name.rpartition(".")[0], *source.early):
            self._collect(other, known, found)
        found[name] = found.pop(name)

    def light(self, names: list[str]) -> Iterator[str]:
        """Those that are modules which hooks may load."""
        return (name for name in names if (source := self[name]) is not None and source.is_light)


def _imported(nodes: Iterator[ast.AST] | list[ast.stmt]) -> Iterator[str]:
    """The modules that import statements name, and the names that they take from them, which may be modules too."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
