"""`scripts/test --quick` is what a developer runs before every commit: it selects tests of every package and leaves out tests/crash and slow tests."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from . import sources

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(path.parent.name for path in (ROOT / "memorybank").glob("*/__init__.py"))
LEFT_OUT = {"slow", "full"}


def marks(expressions: list[ast.expr]) -> set[str]:
    """Return the names of the marks in decorators or in the value of `pytestmark`."""
    return {part.attr for each in expressions for part in ast.walk(each) if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "pytest.mark"}


def quick_tests(source: str) -> list[str]:
    """Return the names of the test functions of a module that `--quick` selects."""
    body = ast.parse(source).body
    module = [node.value for node in body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"]
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [node.name for node in functions if not LEFT_OUT & marks([*module, *node.decorator_list])]


@pytest.mark.parametrize("package", PACKAGES)
def test_it_selects_tests_of_every_package(package):
    folder = ROOT / "tests" / package
    assert [name for path in folder.glob("test_*.py") for name in quick_tests(sources.text(path))]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def test_a(): ...\ndef helper(): ...", ["test_a"]),
        ("@pytest.mark.slow\ndef test_a(): ...\n@pytest.mark.parametrize('a', [1])\ndef test_b(a): ...", ["test_b"]),
        ("@pytest.mark.full\ndef test_a(): ...", []),
        ("pytestmark = pytest.mark.slow\ndef test_a(): ...", []),
        ("pytestmark = [pytest.mark.slow]\ndef test_a(): ...", []),
    ],
)
def test_the_rule_sees_marks(source, names):
    assert quick_tests(source) == names


def test_pytest_leaves_out_what_is_marked_and_the_crash_tests():
    """The selection of pytest itself: a folder with crash tests, a file marked slow, a file with one slow test, and this file."""
    chosen = ("crash/test_editors.py", "rotation/test_verify.py", "notes/test_parse.py", "house/test_quick.py")
    command = [sys.executable, "-m", "pytest", "--quick", "--collect-only", "-q", "--color=no", "-p", "no:cacheprovider", *(f"tests/{name}" for name in chosen)]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, encoding="utf-8", timeout=120, check=True)
    assert {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line} == {"tests/notes/test_parse.py", "tests/house/test_quick.py"}
    assert "test_a_note_of_ten_megabytes" not in done.stdout
    assert "deselected" in done.stdout


def test_contributing_lists_every_test_that_itself_does_more_under_all():
    """Add a new one to the table of CONTRIBUTING.md: what the standard run does, and what --all does. Samples of cases need no row (`tests/sample.py`)."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+/test_[a-z_]+\.py)`", page.partition("### What only `--all` runs")[2].partition("\n## ")[0])
    more = re.compile(r"pytest\.mark\.full\b|getoption\(\"--all\"\)")
    doing_more = {path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").glob("*/test_*.py") if more.search(sources.text(path))}
    assert doing_more - {*named} == {"house/test_quick.py"} and {*named} <= doing_more


@pytest.mark.slow
def test_the_usual_run_takes_a_sample_and_a_chosen_case_always_runs():
    name = "tests/hook/test_secrets.py::test_nor_in_long_prompts_and_answers"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--color=no", "-p", "no:cacheprovider"]
    cases = {}
    for chosen in (name, f"{name}[4000]", "--all"):
        arguments = (name, chosen) if chosen == "--all" else (chosen,)
        done = subprocess.run([*command, *arguments], cwd=ROOT, env=dict(os.environ), capture_output=True, encoding="utf-8", timeout=120, check=True)
        cases[chosen] = [line.partition("[")[2] for line in done.stdout.splitlines() if line.startswith(name)]
        assert ("3 cases were left out" in done.stdout) is (chosen == name)
    assert cases == {name: ["3990]"], f"{name}[4000]": ["4000]"], "--all": ["3990]", "4000]", "6000]", "8010]"]}


def test_quick_and_all_exclude_each_other():
    command = [sys.executable, "-m", "pytest", "--quick", "--all", "-p", "no:cacheprovider", "tests/house/test_quick.py"]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 4 and "exclude each other" in done.stderr
