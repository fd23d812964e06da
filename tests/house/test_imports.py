"""Every call pays for start-up, so a process may load only the modules of a list."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLOW = {"rich", "yaml", "frontmatter", "pyromark", "watchdog", "zstandard", "rapidfuzz", "asyncio", "email", "http", "logging", "concurrent"}
LATE = {"dataclasses", "inspect", "ast", "uuid", "platform", "sqlite3", "signal", "datetime", "gettext", "locale"}
"""What click and the standard library's own modules bring, and no search or recall needs."""
PROBE = """
import sys
sys.argv = ["memorybank", *sys.argv[1:]]
from memorybank.__main__ import main
try:
    main()
except SystemExit as finished:
    code = finished.code
sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
sys.exit(code)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    """Return the modules that one command line loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def offenders(modules: set[str], forbidden: set[str]) -> set[str]:
    return {name for name in modules if name in forbidden or name.split(".")[0] in forbidden}


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_click_and_nothing_else(tmp_path, argument):
    modules = loaded(tmp_path, argument)
    assert not offenders(modules, {*SLOW, "sqlite3", "_sqlite3", "orjson", "subprocess", "json"})
    assert {name for name in modules if name.startswith("memorybank.")} <= {
        "memorybank.__main__",
        "memorybank.bytecode",
        "memorybank.cli",
        "memorybank.cli.call",
        "memorybank.cli.light_click",
        "memorybank.cli.main",
        "memorybank.clock",
        "memorybank.errors",
        "memorybank.storage",
        "memorybank.storage.path_names",
        "memorybank.storage.beneath",
        "memorybank.storage.layout",
        "memorybank.storage.system",
        "memorybank.values",
    }


def test_importing_the_package_is_free(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import memorybank, sys; print([name for name in sys.modules if name.startswith('memorybank.')])"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_a_search_of_an_unchanged_bank_stays_light(bank):
    """A plain search only reads the index and prints: it loads no terminal library, no parser and no compressor."""
    scratch = bank({"planning/a.md": "# Alpha\n\nThe staging database.\n", "shared/用語.md": "# 用語\n\n検索の索引。\n"})
    loaded(scratch.repository, "index")
    for arguments in (["staging"], ["検索"], ["--type", "content", "staging"], ["--type", "recent"], ["--type", "importance"]):
        for form in ("json", "table", "markdown", "summary"):
            assert not offenders(loaded(scratch.repository, "search", "--format", form, *arguments), {*SLOW, *LATE}), (arguments, form)
    assert not offenders(loaded(scratch.repository, "search", "nothing of this"), {*SLOW, *LATE, "json", "hashlib"})
    for arguments in (["recall", "staging"], ["list"], ["list", "--format", "json"]):
        assert not offenders(loaded(scratch.repository, *arguments), {*SLOW, *LATE}), arguments


def test_a_hook_that_takes_in_a_note_loads_no_more_than_it_needs():
    """Indexing a note runs after every turn that edited one, so it must not load what starts processes, writes documents or compiles classes."""
    modules = "memorybank.cycle.finish.upkeep", "memorybank.index.apply", "memorybank.index.store", "memorybank.notes.parse"
    probe = f"import sys; sys.path.append({str(ROOT)!r}); import {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", probe], capture_output=True, encoding="utf-8", timeout=60, check=True)
    costly = {*SLOW, "dataclasses", "inspect", "subprocess", "pickle", "orjson", "json", "hashlib", "_hashlib", "sqlite3", "datetime", "zoneinfo"}
    assert not offenders(set(done.stdout.split()), costly)
