"""Commands load their modules from one file, which the first of them writes: the same output, and only while every source is unchanged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import memorybank

pytestmark = pytest.mark.slow

PACKAGE = Path(memorybank.__file__).parent
SEARCH = ("search", "staging", "--format", "json")


@pytest.fixture
def installed(tmp_path):
    """A copy of the package in a writable folder, without compiled files."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "memorybank", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "config", tmp_path / "site" / "config")
    return tmp_path / "site"


@pytest.fixture
def repository(bank):
    return bank({"planning/a.md": "# Alpha\n\nThe staging database.\n", "shared/用語.md": "# 用語\n\n検索の索引。\n"}).repository


def file_of(site: Path) -> Path:
    return site / "memorybank" / "__pycache__" / f"command.{sys.implementation.cache_tag}.segments"


def call(site: Path, repository: Path, *arguments: str, **environment: str) -> tuple[str, set[str]]:
    """Run a command. Return its output and the modules of the package that it imported in the ordinary way."""
    command = [sys.executable, "-X", "importtime", "-m", "memorybank", *arguments]
    known = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=repository, capture_output=True, encoding="utf-8", env={**known, "PYTHONPATH": str(site), **environment}, timeout=60)
    assert done.returncode == 0, done.stderr
    imported = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return done.stdout, {name for name in imported if name.startswith("memorybank.")}


def test_a_later_search_imports_few_modules_and_finds_the_same(installed, repository):
    call(installed, repository, "index")
    first, many = call(installed, repository, *SEARCH)
    call(installed, repository, *SEARCH)
    again, few = call(installed, repository, *SEARCH)
    assert again == first
    assert len(many) > 60
    assert len(few) < 20, few
    assert "memorybank.cli.bytecode_file" not in few, "there is nothing left to add"


def test_what_another_command_needs_is_added(installed, repository):
    call(installed, repository, *SEARCH)
    before = file_of(installed).read_bytes()
    listed, _ = call(installed, repository, "list", "--format", "json")
    assert file_of(installed).read_bytes() != before
    call(installed, repository, "list", "--format", "json")
    assert call(installed, repository, "list", "--format", "json")[0] == listed
    assert len(call(installed, repository, *SEARCH)[1]) < 20


def test_a_changed_source_counts_at_once(installed, repository):
    call(installed, repository, "--version")
    call(installed, repository, *SEARCH)
    source = installed / "memorybank" / "cli" / "search.py"
    source.write_text(source.read_text(encoding="utf-8").replace("Find notes and episodes", "FIND notes and episodes"), encoding="utf-8")
    assert "FIND notes and episodes" in call(installed, repository, "search", "--help")[0]
    call(installed, repository, "search", "--help")
    assert "FIND notes and episodes" in call(installed, repository, "search", "--help")[0]


@pytest.mark.parametrize("harm", [b"", b"\xff" * 1000, None])
def test_a_damaged_file_is_written_again(installed, repository, harm):
    expected, _ = call(installed, repository, *SEARCH)
    data = file_of(installed).read_bytes()
    file_of(installed).write_bytes(data[: len(data) // 2] if harm is None else harm)
    assert call(installed, repository, *SEARCH)[0] == expected
    for _ in range(2):
        call(installed, repository, *SEARCH)
    assert len(call(installed, repository, *SEARCH)[1]) < 20


def test_it_is_not_written_where_python_writes_no_bytecode(installed, repository):
    call(installed, repository, *SEARCH, PYTHONDONTWRITEBYTECODE="1")
    assert not file_of(installed).exists()


def test_no_word_of_a_query_or_note_is_in_the_file(installed, repository):
    call(installed, repository, "search", "--type", "content", "--regex", "stagin[g] databas.")
    call(installed, repository, "search", "zyxwvut")
    data = file_of(installed).read_bytes()
    assert b"stagin[g]" not in data
    assert b"zyxwvut" not in data
