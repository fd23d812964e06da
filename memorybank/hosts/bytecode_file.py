"""Writes the file that `memorybank.bytecode` reads. It contains each module that a hook imports by name, with all modules that it needs, and
the compiled form of each regular expression in these modules.

What a module imports from others at its top is looked up where one of its functions reads it (`hosts.late_imports`).

The file is made from the package's sources alone and is stored with the package's other compiled files: whoever can write there could
just as well replace the package. Nothing from a project goes into it. Where the folder is not writable, hooks work without the file.

Writing takes seconds, more than the end of a session has on a busy machine. So what a run has prepared is kept until the file is complete.
"""

import __future__

import ast
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import MAGIC_NUMBER
from itertools import groupby
from marshal import dumps, loads
from types import CodeType, MappingProxyType
from typing import NamedTuple

from memorybank import bytecode
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.hosts import late_imports
from memorybank.hosts.literals import literals
from memorybank.hosts.loaded_before import loaded_before
from memorybank.hosts.prepared import PreparedWork
from memorybank.hosts.programs import programs
from memorybank.storage import abandoned, disk
from memorybank.text import pattern
from memorybank.text.prompts import evidence
from memorybank.text.secrets import scanner

Entry = tuple[str, str, int, int, bool, CodeType]
"""One module in the form that `memorybank.bytecode` reads."""
Part = tuple[str, bytes]
"""The name of the only module in a part, "" for one with several modules, and its marshalled entries."""

FIRST = "memorybank.hosts"
"""The first import of a process after it has read the file: the package of `hosts.firing`."""
FIRING = "memorybank.hosts.firing"
"""The module that every process imports first. What it needs is not repeated in other segments."""
BEFORE = ("memorybank", "memorybank.bytecode")
"""Modules that a process has imported before it reads the file."""
PART = 100_000
"""Maximum number of bytes read at once. For more, the C library requests memory from the system, and returns it, each time."""
LIGHT = "__light__"
"""The name that a module which hooks may load sets to True."""
PREPARED = f"{bytecode.PATH}.prepared"
"""Where a run that was killed left what it had prepared."""


def write() -> bool:
    """Write the file again. Return False where the folder is not writable. A process that is killed meanwhile leaves its work to the next run."""
    folder = os.path.dirname(bytecode.PATH)
    try:
        disk.make_directories(folder, disk.USER_DIRECTORY)
        if not os.access(folder, os.W_OK):
            return False
        disk.replace(bytecode.PATH, _chunks(PreparedWork(PREPARED, (MAGIC_NUMBER, *_writer()))), mode=disk.USER_FILE, durable=False)
        disk.remove(PREPARED)
    except MemorybankError:
        return False
    abandoned.sweep(folder, Clock().now())
    return True


def is_current() -> bool:
    """Return whether the file exists and was made by this interpreter and this module from the current sources."""
    try:
        with open(bytecode.PATH, "rb") as stream:
            size = int.from_bytes(stream.read(bytecode.HEAD), "little")
            magic, segments, _, writer = loads(stream.read(size))
            data = stream.read()
        if magic != MAGIC_NUMBER or writer != _writer():
            return False
        parts = [part for found in segments.values() for part in found]
        return all(map(_is_as_compiled, (entry for begin, length, _ in parts for entry in loads(data[begin : begin + length]))))
    except (OSError, ValueError, EOFError, TypeError):
        return False


def _writer() -> tuple[int, int]:
    """Return what identifies this version of the writer: the modification time (ns) and size of its sources."""
    # A file that an earlier version of this writer left may have another layout, even where Python and all sources are the same.
    found = [os.stat(path) for path in (__file__, late_imports.__file__)]
    return max(status.st_mtime_ns for status in found), sum(status.st_size for status in found)


def _is_as_compiled(entry: Entry) -> bool:
    status = os.stat(bytecode.PACKAGE + entry[1])
    return (status.st_mtime_ns, status.st_size) == entry[2:4]


def _chunks(prepared: PreparedWork) -> list[bytes]:
    sources = _Sources(prepared)
    found = _segments(sources)
    counts = Counter(entry[0] for entries in found.values() for entry in entries)
    segments = {name: [*_parts(entries, counts)] for name, entries in found.items()}
    # Importing a module declares its patterns; they are known only after that.
    for name in [name for name, source in sources.items() if source is not None and pattern.__name__ in source.early]:
        import_module(name)
    patterns = compiled_patterns(prepared)
    return layout(segments, patterns, _writer(), {text: prepared.of(("words", text), literals, text) for text in pattern.declared})


def compiled_patterns(prepared: PreparedWork | None = None) -> dict[str | bytes, bytes]:
    """Return the programs of all patterns that are declared so far, and the words by which rows of evidence are sifted."""
    found = programs(dict.fromkeys([*pattern.declared, *scanner.every_pattern()]), prepared)
    found[evidence.LITERALS] = dumps({text: literals(text) for text in evidence.sifted})
    return found


def layout(
    segments: Mapping[str, Sequence[Part]],
    patterns: Mapping[str | bytes, bytes],
    writer: tuple[int, int],
    words: Mapping[str | bytes, Sequence[str]] = MappingProxyType({}),
) -> list[bytes]:
    """Return the contents of a file that `memorybank.bytecode` reads.

    segments: {module: its parts}; a part that several segments share is stored once
    patterns: {regular expression: its program}
    writer: what identifies the version of the writer
    words: {regular expression: strings of which every text with a match contains one}; those of one letter are not worth looking for
    """
    places: dict[bytes, tuple[int, int]] = {}
    end = 0

    def place(chunk: bytes) -> tuple[int, int]:
        nonlocal end
        if chunk not in places:
            places[chunk] = end, len(chunk)
            end += len(chunk)
        return places[chunk]

    index = {name: tuple((*place(chunk), alone) for alone, chunk in parts) for name, parts in segments.items()}
    rare = {text: listed for text, listed in words.items() if all(len(word) > 1 or not word.isascii() for word in listed)}
    found = {text: (*place(program), "".join(f"{word}\0" for word in rare.get(text, ()))) for text, program in patterns.items()}
    lists = [{text: found[text] for text in found if len(text) % bytecode.LISTS == number} for number in range(bytecode.LISTS)]
    # The head is read first and alone: from it a process knows where the one segment is that it needs.
    head = dumps((MAGIC_NUMBER, index, place(dumps([place(dumps(each)) for each in lists])), writer))
    return [len(head).to_bytes(bytecode.HEAD, "little"), head, *places]


def _parts(entries: Sequence[Entry], counts: Mapping[str, int]) -> Iterator[Part]:
    """Yield the parts of a segment. A module that is in several segments is a part of its own, so that a process which has it already need not read it.

    counts: {module: the number of segments that contain it}
    """
    for is_shared, group in groupby(entries, lambda entry: counts[entry[0]] > 1):
        if is_shared:
            yield from ((entry[0], dumps((entry,))) for entry in group)
        else:
            yield from (("", chunk) for chunk in _chunks_of(tuple(group)))


def _chunks_of(entries: tuple[Entry, ...]) -> list[bytes]:
    """Return entries in chunks of at most `PART` bytes, as far as the sizes of single modules permit."""
    whole = dumps(entries)
    half = len(entries) // 2
    return [whole] if len(whole) <= PART or not half else [*_chunks_of(entries[:half]), *_chunks_of(entries[half:])]


def _segments(sources: "_Sources") -> dict[str, tuple[Entry, ...]]:
    """Return {module imported by name: its entries, each after those that it needs}. The packages of all modules are in the first segment."""
    needs: dict[str, dict[str, _Source]] = {}
    asking: dict[str, set[str]] = {FIRING: set()}
    waiting = [FIRING]
    for name in waiting:
        needs[name] = sources.collect(name, set(BEFORE))
        for other in (other for source in needs[name].values() for other in sources.served(source.late)):
            asking.setdefault(other, set()).add(name)
            if other not in waiting:
                waiting.append(other)
    first = needs[FIRING]
    for name in waiting:
        first = first | sources.collect(name.rpartition(".")[0], {*BEFORE, *first})
    there = loaded_before({name: set(found) for name, found in needs.items()}, asking, FIRING)
    chosen = {FIRST: first} | {name: {each: needs[name][each] for each in needs[name] if each not in first and each not in there[name]} for name in waiting[1:]}
    return {name: tuple(source.entry for source in found.values()) for name, found in chosen.items() if found}


class _Source(NamedTuple):
    """One module's source. early: modules that it imports when it is loaded; late: modules that it imports when a function needs them."""

    is_light: bool
    early: list[str]
    late: list[str]
    entry: Entry


def _read(name: str, path: str) -> tuple[bool, list[str], list[str], Entry]:
    """Return the fields of `_Source` for a module."""
    status = os.stat(path)
    with open(path, "rb") as stream:
        tree = ast.parse(stream.read(), path)
    is_light = any(isinstance(node, ast.Assign) and ast.unparse(node) == f"{LIGHT} = True" for node in tree.body)
    # Imports inside functions may never run, so they get segments of their own and cost nothing until then.
    late = [name for statement in _below(tree.body) if isinstance(statement, ast.FunctionDef) for name in _imported(_below(statement.body))]
    _bare(tree.body, is_light=is_light)
    if is_light:
        late_imports.put_off(tree, lambda own: f"{bytecode.LOADED}[{name!r}].{own}")
        late += _imported(late_imports.take_out(tree, _source))
    early = list(_imported(tree.body))
    if is_light:
        tree.body = list(_with_direct_imports(tree.body))
    # A `Value` reads its fields from the texts of the annotations, and in Python 3.14 a class has them only with the import that `_bare` removes.
    postponed = __future__.annotations.compiler_flag if is_light else 0
    code = compile(tree, path, "exec", postponed, dont_inherit=True, optimize=2)
    entry = (name, path.removeprefix(bytecode.PACKAGE), status.st_mtime_ns, status.st_size, path.endswith("/__init__.py"), code)
    return is_light, early, late, entry


def _bodies(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement. Imports, annotations and functions are statements, so expressions, most of a module, can be skipped."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _below(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block and of all blocks inside it."""
    for statement in block:
        yield statement
        for inner in _bodies(statement):
            yield from _below(inner)


def _bare(block: list[ast.stmt], *, is_light: bool, of_class: bool = False) -> None:
    """Remove from a block what only people and type checkers read, so that less is loaded: annotations, the import for postponed ones, and what is imported
    for type checkers.

    The annotations in a class stay, because its members may be made from them.
    """
    for place, statement in reversed([*enumerate(block)]):
        if isinstance(statement, ast.FunctionDef):
            statement.returns = None
            taken = statement.args
            for argument in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg):
                if argument is not None:
                    argument.annotation = None
        elif isinstance(statement, ast.AnnAssign) and not of_class:
            value = statement.value
            block[place : place + 1] = [] if value is None else [ast.copy_location(ast.Assign([statement.target], value), statement)]
        elif isinstance(statement, ast.ImportFrom) and statement.module == "__future__" and is_light:
            del block[place]
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING" and is_light:
            _bare(statement.orelse, is_light=is_light, of_class=of_class)
            block[place : place + 1] = statement.orelse or [ast.copy_location(ast.Pass(), statement)]
            continue
        for inner in _bodies(statement):
            _bare(inner, is_light=is_light, of_class=isinstance(statement, ast.ClassDef))
            if not inner and inner is getattr(statement, "body", None):
                inner.append(ast.copy_location(ast.Pass(), statement))


def _with_direct_imports(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block, with look-ups in `bytecode.LoadedModules` in place of its imports from this package, also in functions.

    Nearly all that a module names at its top is loaded before the module. Python looks for a package's path in each of these modules, which takes longer than
    everything else in an import.
    """
    for statement in block:
        for inner in _bodies(statement):
            inner[:] = _with_direct_imports(inner)
        module = statement.module if isinstance(statement, ast.ImportFrom) else None
        if not isinstance(statement, ast.ImportFrom) or not module or module.partition(".")[0] != bytecode.__name__.partition(".")[0]:
            yield statement
            continue
        for alias in statement.names:
            (made,) = ast.parse(f"{alias.asname or alias.name} = {_source(module, alias.name)}").body
            for node in ast.walk(made):
                ast.copy_location(node, statement)
            yield made


def _source(module: str, name: str) -> str:
    """Return the expression that looks up what a module imports from another one of the package."""
    whole = f"{module}.{name}"
    return f"{bytecode.LOADED}[{whole!r}]" if _path_of(whole) else f"{bytecode.LOADED}[{module!r}].{name}"


def _path_of(name: str) -> str | None:
    """Return the path of a module of the package, None if there is none of this name."""
    stem = f"{os.path.dirname(bytecode.PACKAGE)}/{name.replace('.', '/')}"
    return next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if os.path.isfile(path)), None)


class _Sources(dict[str, _Source | None]):
    """The package's modules by name, each read once; None for a name that is not a module of the package."""

    def __init__(self, prepared: PreparedWork | None = None) -> None:
        self._prepared = prepared if prepared is not None else PreparedWork()

    def __missing__(self, name: str) -> _Source | None:
        path = _path_of(name) if name.startswith("memorybank.") else None
        self[name] = self._source(name, path) if path else None
        return self[name]

    def _source(self, name: str, path: str) -> _Source:
        status = os.stat(path)
        return _Source(*self._prepared.of((name, path, status.st_mtime_ns, status.st_size), _read, name, path))

    def collect(self, name: str, known: set[str]) -> dict[str, _Source]:
        """Return a module and all that it imports, in loading order: a package before its modules, imported modules before importing ones.

        known: modules to leave out.
        """
        found: dict[str, _Source] = {}
        self._collect(name, known, found)
        return found

    def _collect(self, name: str, known: set[str], found: dict[str, _Source]) -> None:
        source = self[name]
        if source is None or name in known or name in found:
            return
        found[name] = source  # entered before its imports, so that circular imports end
        for other in (name.rpartition(".")[0], *source.early):
            self._collect(other, known, found)
        # Moved to the end, after everything that it needs.
        found[name] = found.pop(name)

    def served(self, names: list[str]) -> Iterator[str]:
        """Yield those names that are modules which hooks load from the file."""
        return (name for name in names if (source := self[name]) is not None and source.is_light)


def _imported(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the modules in import statements, and the names imported from them, which may be modules too."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
