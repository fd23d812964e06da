"""The tests give the same results wherever the suite is started: no terminal, locale, zone, `PYTHON*` or variable of another tool affects them."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import memorybank

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BARE = {
    "TERM": "dumb", "COLUMNS": "40", "LINES": "5", "NO_COLOR": "1", "FORCE_COLOR": "1", "LANG": "ja_JP.UTF-8", "LANGUAGE": "ja", "LC_ALL": "C",
    "TZ": "Asia/Tokyo", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "1", "MEMORYBANK_INTERNAL": "1",
    "CLAUDE_CONFIG_DIR": "{elsewhere}", "CODEX_HOME": "{elsewhere}", "XDG_STATE_HOME": "{elsewhere}", "GIT_DIR": "{elsewhere}",
}  # fmt: skip
"""The environment of a job that an agent starts on a machine without the person's locale. {elsewhere}: a folder in which nothing may be written."""
BUSY = {
    "TERM": "xterm-direct", "COLORTERM": "truecolor", "COLUMNS": "400", "CLICOLOR_FORCE": "1", "LC_CTYPE": "POSIX", "LC_TIME": "tr_TR.UTF-8",
    "TZ": "America/St_Johns", "PYTHONWARNINGS": "error", "PYTHONPROFILEIMPORTTIME": "1", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1",
    "PYTHONSAFEPATH": "1", "PYTHONPATH": "{another}", "CLAUDECODE": "1", "MEMORYBANK_DIR": "{elsewhere}", "MEMORYBANK_TASK": "T-9", "OPENAI_API_KEY": "theirs",
    "http_proxy": "http://127.0.0.1:9/", "GIT_TRACE": "1",
}  # fmt: skip
"""The environment of a terminal in which everything is set. {another}: a folder with another package called memorybank."""
TELLING = (
    "house/test_environment.py::test_a_test_and_a_program_that_it_starts_see_nothing_of_where_the_suite_was_started",
    "cli/test_output.py::test_nothing_is_cut_towards_a_pipe",
    "cli/test_output.py::test_columns_says_how_wide_the_page_is",
    "cli/test_output.py::test_a_terminal_gets_a_drawn_table",
    "cli/test_import.py::test_without_a_path_the_projects_own_transcripts_are_imported",
    "cli/test_hooks.py::test_status_names_what_is_registered_and_what_cannot_be_delivered",
    "cli/test_process.py::test_an_interrupt_while_the_program_loads_is_no_traceback",
    "cycle/test_episode_step.py::test_a_day_is_over_in_the_banks_own_zone",
    "git/test_git.py",
)
SEES = """
import json, os, sys, time
flags = [name for name in ("dev_mode", "dont_write_bytecode", "utf8_mode") if getattr(sys.flags, name)]
print(json.dumps([sorted(os.environ), sys.stdout.encoding, time.tzname, sys.warnoptions, flags, os.umask(0)]))
"""


def test_a_test_and_a_program_that_it_starts_see_nothing_of_where_the_suite_was_started():
    assert time.tzname == ("UTC", "UTC")
    assert memorybank.__file__ == str(ROOT / "memorybank" / "__init__.py")
    done = subprocess.run([sys.executable, "-c", SEES], capture_output=True, encoding="utf-8", check=True)
    names, *state = json.loads(done.stdout)
    assert done.stderr == "" and state == ["utf-8", ["UTC", "UTC"], [], [], 0o022]
    of_tests = {name for name in names if name.startswith(("GIT_", "MEMORYBANK_", "PYTEST_", "XDG_"))}
    assert of_tests.isdisjoint({*BARE, *BUSY})
    assert set(names) - of_tests - {"LD_LIBRARY_PATH", "PYENV_ROOT", "TMPDIR"} == {"HOME", "LANG", "PATH", "PYTHONPATH", "TERM", "TZ"}


@pytest.mark.parametrize("variables", [BARE, BUSY], ids=["bare", "busy"])
def test_telling_tests_pass_wherever_the_suite_is_started(variables, tmp_path):
    elsewhere, another = tmp_path / "elsewhere", tmp_path / "another"
    elsewhere.mkdir()
    another.mkdir()
    (another / "memorybank.py").touch()
    hostile = {name: value.format(elsewhere=elsewhere, another=another) for name, value in variables.items()}
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", *(f"tests/{name}" for name in TELLING)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **hostile}, umask=0o077, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stdout
    assert list(elsewhere.iterdir()) == []
