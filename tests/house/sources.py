"""The syntax trees of the package and of the tests: each module is read and walked once for all tests of this folder."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

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


Answer = TypeVar("Answer")
_questions: list[Callable[[Nodes], Any]] = []
_answers: dict[Path, dict[Callable[[Nodes], Any], Any]] = {}


def asked_of_files(question: Callable[[Nodes], Answer]) -> Callable[[Path], Answer]:
    """Make a function of a file out of one of its nodes.

    When a file is looked at for the first time, all such questions are answered, so that a tree is walked once and need not be kept: all trees
    together take seconds to make, and would slow down the tests that follow. A question therefore never fails; the test does, by the answer.
    """
    _questions.append(question)

    def asked(path: Path) -> Answer:
        known = _answers.setdefault(path, {})
        if question not in known:
            nodes = walked(text(path))
            known.update({each: each(nodes) for each in _questions if each not in known})
        return known[question]

    return asked
