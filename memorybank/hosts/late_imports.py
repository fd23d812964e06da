"""Imports at the top of a module that nothing needs before one of its functions runs, moved to where their names are used (`hosts.bytecode_file`).

A hook calls less than half of the functions that its modules define. With the names of other modules looked up where they are used, it loads those that it
calls. This changes no behaviour: modules of this package declare names and do nothing else when they are loaded.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

PACKAGE = "memorybank."


def take_out(tree: ast.Module, source: Callable[[str, str], str]) -> list[ast.ImportFrom]:
    """Take the imports that can wait out of the top of a module, and put what they import in place of its names. Return these imports.

    source: returns an expression for a module and the name of something in it
    """
    imports = [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module and each.module.startswith(PACKAGE)]
    early = _needed_early(tree)
    taken = []
    places: dict[str, str] = {}
    for each in imports:
        late = [alias for alias in each.names if alias.asname != alias.name and (alias.asname or alias.name) not in early]
        places |= {alias.asname or alias.name: source(each.module, alias.name) for alias in late}
        each.names = [alias for alias in each.names if alias not in late]
        taken += [ast.ImportFrom(each.module, late, 0)] if late else []
    tree.body = [each for each in tree.body if not isinstance(each, ast.ImportFrom) or each.names]
    in_place = _InPlace(places)
    for function in chain.from_iterable(map(_functions, tree.body)):
        function.body = [in_place.visit(inner) for inner in function.body]
    return taken


def _needed_early(tree: ast.Module) -> set[str]:
    """Return the names that are read when the module is loaded, that nothing reads, and that stand for something else anywhere."""
    functions = [function for statement in tree.body for function in _functions(statement)]
    inside = {id(node) for function in functions for inner in function.body for node in ast.walk(inner)}
    bound = Counter(chain.from_iterable(map(_bound, ast.walk(tree))))
    read = [(node.id, id(node) in inside) for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    matched = {node.id for pattern in ast.walk(tree) if isinstance(pattern, ast.pattern) for node in ast.walk(pattern) if isinstance(node, ast.Name)}
    early = {name for name, is_inside in read if not is_inside}
    return early | matched | {name for name, count in bound.items() if count > 1 or name not in {name for name, _ in read}}


def _functions(statement: ast.stmt) -> Iterator[ast.FunctionDef]:
    """Yield the outermost functions of a statement at the top of a module: itself, or the methods of a class."""
    if isinstance(statement, ast.FunctionDef):
        yield statement
    elif isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            yield from _functions(inner)


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives a value."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.ImportFrom | ast.Import):
        yield from (alias.asname or alias.name for alias in node.names)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


class _InPlace(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.sources:
            return node
        made = ast.parse(self.sources[node.id], mode="eval").body
        for inner in ast.walk(made):
            ast.copy_location(inner, node)
        return made
