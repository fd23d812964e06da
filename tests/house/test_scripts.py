"""The scripts: the specification's three wrappers keep their positional arguments, and all shell scripts are executable and parse."""

import ast
import importlib
import os
import re
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
BASH = sorted(path for path in SCRIPTS.iterdir() if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env bash"))


@pytest.fixture
def called(tmp_path):
    """Return a function that runs a script with a `memorybank` on the PATH that prints its arguments, one per line."""
    stub = tmp_path / "memorybank"
    stub.write_text('#!/bin/sh\nfor word in "$@"; do printf \'%s\\n\' "$word"; done\n')
    stub.chmod(0o755)

    def call(name: str, *arguments: str) -> list[str]:
        environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run([SCRIPTS / name, *arguments], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    return call


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["two words"], ["search", "--type", "content", "--limit", "10", "--format", "json", "--", "two words"]),
        (["検索", "keyword", "3", "summary"], ["search", "--type", "keyword", "--limit", "3", "--format", "summary", "--", "検索"]),
        (["--help"], ["search", "--type", "content", "--limit", "10", "--format", "json", "--", "--help"]),
    ],
)
def test_memory_search(called, arguments, expected):
    assert called("memory-search.sh", *arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["rotate", "--type", "manual"]),
        (["size_based"], ["rotate", "--type", "size_based"]),
        (["time_based", "true"], ["rotate", "--type", "time_based", "--dry-run"]),
        (["manual", "false"], ["rotate", "--type", "manual"]),
    ],
)
def test_rotate_notes(called, arguments, expected):
    assert called("rotate-notes.sh", *arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["full"], ["index", "--mode", "full", "--"]),
        (["selective", "planning/a b.md", "shared/語.md"], ["index", "--mode", "selective", "--", "planning/a b.md", "shared/語.md"]),
    ],
)
def test_update_index(called, arguments, expected):
    assert called("update-index.sh", *arguments) == expected


@pytest.mark.parametrize("path", BASH, ids=lambda path: path.name)
def test_scripts_are_executable_and_parse(path):
    assert os.access(path, os.X_OK)
    subprocess.run(["bash", "-n", path], check=True)


def test_the_tests_say_which_groups_they_leave_out():
    """The standard run names the groups that it leaves out, so that nobody takes it for all tests."""
    text = (SCRIPTS / "test").read_text(encoding="utf-8")
    for group in ("--hosts", "--page", "--all", "what --quick leaves out"):
        assert f"not held here: {group}" in text


def test_the_second_process_of_the_tests_gets_folders_that_exist():
    """A renamed folder would otherwise run in neither process, or in both."""
    [folders] = re.findall(r"(?m)^second=\((tests/[^)]*)\)", (SCRIPTS / "test").read_text(encoding="utf-8"))
    assert [name for name in folders.split() if not (SCRIPTS.parent / name).is_dir()] == []


PYTHON = sorted(path for path in SCRIPTS.rglob("*") if path.is_file() and (path.suffix == ".py" or b"python" in path.read_bytes()[:60].partition(b"\n")[0]))


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(SCRIPTS).as_posix())
def test_what_a_script_imports_from_the_package_exists(path):
    """The benchmarks run rarely, so a renamed module would be noticed months later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "memorybank":
            module = importlib.import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or importlib.import_module(f"{node.module}.{alias.name}"), f"{node.module}.{alias.name}"
