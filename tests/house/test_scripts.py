"""The scripts: the specification's three wrappers keep their positional arguments, and all shell scripts are executable and parse."""

import ast
import importlib
import os
import re
import subprocess
import sys
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


BENCH = sorted(path for path in (SCRIPTS / "bench").iterdir() if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env python3"))
WITHOUT_LIBRARIES = {"baselines.py", "generate.py", "histories", "lot"}
"""Benchmarks that need nothing but Python."""


@pytest.mark.slow
@pytest.mark.parametrize("script", [path for path in BENCH if path.name not in ("baselines.py", "redact")], ids=lambda path: path.name)
def test_a_benchmark_can_be_started(script):
    """Its imports exist. The whole run needs data or time."""
    done = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "") and "usage" in done.stdout


def test_benchmarks_that_need_libraries_look_for_them():
    lacking = {path.name for path in BENCH if "\nimport interpreter" not in path.read_text(encoding="utf-8")}
    assert lacking == {*WITHOUT_LIBRARIES, "interpreter.py"} & {path.name for path in BENCH}


@pytest.fixture
def bare(tmp_path):
    """Return a function that runs a benchmark of a project in `tmp_path` with an interpreter that has no libraries."""
    folder = tmp_path / "scripts" / "bench"
    folder.mkdir(parents=True)
    (folder / "interpreter.py").write_bytes((SCRIPTS / "bench" / "interpreter.py").read_bytes())
    (folder / "some").write_text("import sys\nimport interpreter\nprint(sys.argv[1:], sys.flags.isolated)\n", encoding="utf-8")

    def call(*arguments: str) -> subprocess.CompletedProcess:
        environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
        command = [sys._base_executable, "-S", folder / "some", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    return call


def test_a_benchmark_without_libraries_says_which_command_to_run(bare, tmp_path):
    done = bare("--x")
    assert done.returncode == 1 and done.stdout == ""
    assert "some: " in done.stderr and f"'scripts/test --quick' creates {tmp_path}/.venv" in done.stderr


def test_a_benchmark_finds_the_projects_environment(bare, tmp_path):
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    done = bare("--x", "two words")
    assert (done.returncode, done.stdout, done.stderr) == (0, "['--x', 'two words'] 0\n", "")


def test_an_incomplete_environment_does_not_start_itself_for_ever(bare, tmp_path):
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys._base_executable}" -S "$@"\n')
    python.chmod(0o755)
    assert "lacks libraries" in bare().stderr


PYTHON = sorted(path for path in SCRIPTS.rglob("*") if path.is_file() and (path.suffix == ".py" or b"python" in path.read_bytes()[:60].partition(b"\n")[0]))


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(SCRIPTS).as_posix())
def test_what_a_script_imports_from_the_package_exists(path):
    """The benchmarks run rarely, so a renamed module would be noticed months later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "memorybank":
            module = importlib.import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or importlib.import_module(f"{node.module}.{alias.name}"), f"{node.module}.{alias.name}"
