"""Imports at the top of a module whose names only functions read, moved to these functions, and classes that are made when they are first read
(`hosts.bytecode_file`).

A hook calls less than half of the functions in the modules that it names, and reads half of their classes. Where a name is looked up when it is read, only the
modules whose names are read are loaded, and only the classes made. A module of this package only defines names when it is loaded, so it does not matter when
that happens.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

_PACKAGE = "memorybank."
_WANTED = "__wanted__"
"""The parameter of a `__getattr__` that makes classes."""


def take_out(tree: ast.Module, source: Callable[[str, str], str]) -> list[ast.ImportFrom]:
    """Take the imports that can wait out of the top of a module, and put what they import in the place of its names. Return these imports.

    source: returns an expression for something in a module: source(module, name).
    """
    needed = _needed_at_once(tree)
    taken: list[ast.ImportFrom] = []
    places: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module and statement.module.startswith(_PACKAGE):
            # `name as name` says that other modules import the name from here.
            late = [alias for alias in statement.names if alias.asname != alias.name and (alias.asname or alias.name) not in needed]
            places |= {alias.asname or alias.name: source(statement.module, alias.name) for alias in late}
            taken += [ast.ImportFrom(statement.module, late, 0)] if late else []
            statement.names = [alias for alias in statement.names if alias not in late]
    tree.body = [statement for statement in tree.body if not isinstance(statement, ast.ImportFrom) or statement.names]
    in_place = _InPlace(places)
    for function in _functions(tree.body):
        function.body = [in_place.visit(statement) for statement in function.body]
    return taken


def put_off(tree: ast.Module, source: Callable[[str], str]) -> None:
    """Make the classes at the top of a module that can wait when something first reads them: in a `__getattr__` of the module. One that is made of a name with
    several meanings does not wait, because the name might mean something else then.

    source: returns an expression for a name of this module.
    """
    body = tree.body
    late = [statement for statement in body if isinstance(statement, ast.ClassDef) and not statement.decorator_list]
    made_of = {statement.name: _read(ast.Module([statement], []))[0] for statement in late}
    while late:
        tree.body = [_making(late), *(statement for statement in body if statement not in late)]
        at_once, _, bound = _read(tree)
        several = {name for name, count in bound.items() if count > 1}
        stays = at_once | several
        waiting = [one for one in late if one.name not in stays and made_of[one.name].isdisjoint(several)] if "__getattr__" not in several else []
        if waiting == late:
            break
        late = waiting
    else:
        tree.body = body
        return
    in_place = _InPlace({statement.name: source(statement.name) for statement in late})
    for function in _functions(tree.body):
        function.body = [in_place.visit(statement) for statement in function.body]


def _making(late: list[ast.ClassDef]) -> ast.FunctionDef:
    """Return the `__getattr__` that makes classes."""
    branches = "".join(f"    if {_WANTED} == {statement.name!r}: return {statement.name}\n" for statement in late)
    text = f"def __getattr__({_WANTED}):\n    global {', '.join(statement.name for statement in late)}\n{branches}    raise AttributeError({_WANTED})"
    (made,) = (statement for statement in ast.parse(text).body if isinstance(statement, ast.FunctionDef))
    for branch, statement in zip((one for one in made.body if isinstance(one, ast.If)), late, strict=True):
        branch.body.insert(0, statement)
    return made


def _needed_at_once(tree: ast.Module) -> set[str]:
    """Return the names that are read while a module is loaded, those that nothing reads, and those that mean something else anywhere in it."""
    at_once, late, bound = _read(tree)
    several = {name for name, count in bound.items() if count > 1}
    return at_once | several | (set(bound) - late)


def _read(tree: ast.Module) -> tuple[set[str], set[str], Counter[str]]:
    """Return (names that are read while a module is loaded, names that its functions read, how often each name is given a meaning)."""
    bodies = {id(statement) for function in _functions(tree.body) for statement in function.body}
    at_once, late = set[str](), set[str]()
    bound: list[str] = []
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_late = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            (late if is_late else at_once).add(node.id)
            continue
        bound += _bound(node)
        # A pattern of `match` may contain only names and attributes.
        is_late = is_late and not isinstance(node, ast.pattern)
        # The annotations that are left, of classes, are not evaluated.
        children = (part for part in (node.target, node.value) if part) if isinstance(node, ast.AnnAssign) else ast.iter_child_nodes(node)
        waiting += [(child, is_late or id(child) in bodies) for child in children]
    return at_once, late, Counter(bound)


def _functions(block: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module or class. Their bodies run later; decorators and defaults do not."""
    for statement in block:
        if isinstance(statement, ast.FunctionDef):
            yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body)


def _bound(node: ast.AST) -> list[str]:
    """Return the names to which a node gives a meaning."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.ImportFrom | ast.Import):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


class _InPlace(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._places:
            return node
        made = ast.parse(self._places[node.id], mode="eval").body
        for inner in ast.walk(made):
            ast.copy_location(inner, node)
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = self.visit(node.value) if node.value else None
        return node
