"""The syntax trees of the package and of the tests: each file is read and walked once for all tests of this folder."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Nodes = tuple[ast.AST, ...]
"""All nodes of a tree, the module first."""


def dotted(path: Path) -> str:
    """Return the name by which a file of the repository is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def walked(source: str) -> Nodes:
    """Return all nodes of a source, the module first."""
    return tuple(ast.walk(ast.parse(source)))


_latest: tuple[str, Nodes] = ("", ())


def nodes(path: Path) -> Nodes:
    """Return all nodes of a file. Only those of the latest file are kept, since all trees together would slow down the tests that follow."""
    global _latest
    if _latest[0] != str(path):
        _latest = (str(path), walked(text(path)))
    return _latest[1]
