"""No two modules of the package import each other, directly or through others. Imports inside functions and those for type checkers count too."""

import ast
from pathlib import Path

from .sources import Nodes, asked_of_files, dotted

ROOT = Path(__file__).resolve().parents[2]


MODULES = {dotted(path): path for path in sorted((ROOT / "memorybank").rglob("*.py"))}


def imported(node: ast.AST) -> set[str]:
    """The modules of the package that one statement imports. `from package import name` is the module of that name if there is one."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & MODULES.keys()
    if isinstance(node, ast.ImportFrom) and node.module:
        found = {f"{node.module}.{alias.name}" for alias in node.names}
        return (found | {node.module} if found - MODULES.keys() else found) & MODULES.keys()
    return set()


@asked_of_files
def imports_of(module: Nodes) -> set[str]:
    return set().union(*map(imported, module))


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that reach one another: what is left when modules that import nothing, or that nothing imports, are taken away."""
    left = {name: others - {name} for name, others in imports.items()}
    while True:
        used = set().union(*left.values()) if left else set()
        ends = {name for name, others in left.items() if not others or name not in used}
        if not ends:
            return [sorted(left)] if left else []
        left = {name: others - ends for name, others in left.items() if name not in ends}


def test_no_imports_go_in_a_circle():
    """A circle means that neither module can be understood, tested or loaded without the other."""
    imports = {name: imports_of(path) for name, path in MODULES.items()}
    assert circles(imports) == []


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == [["a", "b", "c"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_every_way_to_import_counts():
    source = """
import memorybank.clock
from memorybank.rotation import plan, rules
from memorybank.rotation.plan import RotationPlan
def late():
    from memorybank.bank import bank
if TYPE_CHECKING:
    from memorybank.errors import Problem
"""
    found = set().union(*map(imported, ast.walk(ast.parse(source))))
    wanted = {"memorybank.clock", "memorybank.rotation.plan", "memorybank.rotation.rules", "memorybank.bank.bank", "memorybank.errors"}
    assert found == wanted
