"""The package keeps to `docs/style.md`: each public class name occurs once, and none of the phrases that read as translated comes back."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from .sources import Nodes, asked_of_files, text

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = sorted((ROOT / "memorybank").rglob("*.py"))
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
PHRASES = re.compile(
    r"\b(?:(?:is|are|was|were|be) told(?! apart)|tells? of|for who\b|(?<!there )(?:is|are) no(?: [a-z]+)?[.;,]"
    r"|what is asked of|is let\b|so many(?! that)|Pure\.$)",
    re.MULTILINE,
)
"""Phrases of the table in docs/style.md that can be found without understanding the sentence."""
ANYWHERE = re.compile(PHRASES.pattern.replace("$", ""))
"""The same in the source of a module, where a line does not end with the sentence. Only modules with one of them are parsed."""


def test_a_public_class_name_occurs_once():
    """A reader who meets a name knows what it is without looking at the imports."""
    found = defaultdict(list)
    for path in PACKAGE:
        for name in re.findall(r"^class ([A-Za-z]\w*)", text(path), re.MULTILINE):
            found[name].append(path.relative_to(ROOT).as_posix())
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


@asked_of_files
def documented(module: Nodes) -> list[str]:
    """Every string statement of a module: docstrings, and the text under a constant."""
    found = (node for node in module if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    return [node.value.value for node in found if isinstance(node.value.value, str)]


def test_docstrings_are_plain():
    suspects = [path for path in PACKAGE if ANYWHERE.search(text(path))]
    assert suspects, "names and messages contain such words too: if nothing is found, the search is broken"
    assert {path.relative_to(ROOT).as_posix(): said for path in suspects if (said := [one for one in documented(path) if PHRASES.search(one)])} == {}


@pytest.mark.every_case  # all of them take less than a second
@pytest.mark.parametrize("path", [page for page in PAGES if page.name not in ("style.md",)], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_are_plain(path):
    assert [line for line in text(path).splitlines() if PHRASES.search(line)] == []


def test_the_changelog_says_each_thing_once():
    """A merge that keeps the lines of both sides leaves an entry twice, one of them in older words."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    beginnings = [line.partition("**:")[0] if line.startswith("- **") else line[:60] for line in lines if line.startswith(("- ", "  "))]
    assert [beginning for beginning in sorted(set(beginnings)) if beginnings.count(beginning) > 1] == []
