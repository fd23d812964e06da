"""The table of mutants fits the code, and `scripts/mutants` reports each one as what it is. The mutants themselves run under `scripts/test --all`."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts import loaded

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "mutants"
LEAST = 120


@pytest.fixture(scope="module")
def script():
    """The script as a module."""
    return loaded("mutants")


def test_every_row_fits_the_code(script):
    """Each old text occurs exactly once, each mutant is a program, and each named test exists."""
    mutants = script.load()
    assert list(script.faults(mutants)) == []
    assert len(mutants) >= LEAST


def test_few_rows_are_explained_and_each_promise_is_a_sentence(script):
    mutants = script.load()
    assert sum(bool(mutant.survives) for mutant in mutants) <= (1 - script.LEAST_CAUGHT) * len(mutants)
    assert [mutant.name for mutant in mutants if not mutant.promise.endswith(".") or mutant.name.endswith(".")] == []


SOURCE = "def total(one, other):\n    return one + other\n\n\ndef least(one, other):\n    return min(one, other)\n"
TESTS = """
import sums


def test_total():
    assert sums.total(2, 3) == 5


def test_least():
    assert sums.least(2, 2) == 2
"""


def row(name, old, new, tests="tests/test_sums.py", **more):
    fields = {"name": name, "promise": "It adds.", "file": "memorybank/sums.py", "old": old, "new": new, "tests": [tests], **more}
    return "[[mutant]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())


CAUGHT = row("a difference", "one + other", "one - other")
SURVIVING = row("the greater", "min(one, other)", "max(one, other)")
EXPLAINED = row("the other order", "min(one, other)", "min(other, one)", survives="min is symmetric")
NOT_RUN = row("no module", "def least", "raise ValueError\n\n\ndef least")


@pytest.fixture
def project(tmp_path):
    """project(*rows, tests=…) → run(*arguments), the script in a small project of its own."""

    def make(*rows, tests=TESTS):
        root = tmp_path / "project"
        for name, text in (("memorybank/sums.py", SOURCE), ("tests/test_sums.py", tests), ("tests/mutants/sums.toml", "\n".join(rows))):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["memorybank"]\n', encoding="utf-8")
        (root / "scripts").mkdir(exist_ok=True)
        shutil.copy(SCRIPT, root / "scripts" / "mutants")
        (tmp_path / "tmp").mkdir(exist_ok=True)

        def start(*arguments):
            environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            command = [sys.executable, str(root / "scripts" / "mutants"), *arguments]
            return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def run(*arguments):
            process = start(*arguments)
            out, err = process.communicate(timeout=120)
            assert list((tmp_path / "tmp").iterdir()) == [], "a copy was left behind"
            assert (root / "memorybank/sums.py").read_text(encoding="utf-8") == SOURCE
            return process.returncode, out, err

        run.start = start
        return run

    return make


@pytest.mark.slow
def test_each_mutant_is_reported_as_what_it_is(project):
    run = project(CAUGHT, SURVIVING, EXPLAINED, NOT_RUN)
    code, out, _ = run("--json", "--jobs", "2")
    found = json.loads(out)
    assert code == 1 and found["totals"] == {"mutants": 4, "caught": 1, "survived": 1, "explained": 1, "not_run": 1} and found["rate"] == 0.25
    outcomes = {mutant["name"]: (mutant["outcome"], mutant["by"]) for mutant in found["mutants"]}
    assert outcomes["a difference"] == ("caught", "tests/test_sums.py::test_total")
    assert [outcomes[name][0] for name in ("the greater", "the other order", "no module")] == ["survived", "explained", "not run"]
    code, out, _ = run("-k", "difference", "-k", "other order")
    assert code == 0 and "50.0% of 2 mutants were caught" in out and "(min is symmetric)" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "tests", "code", "says"),
    [
        ([CAUGHT], TESTS, 0, "100.0% of 1 mutants were caught"),
        ([EXPLAINED], TESTS, 1, "0.0% of 1"),  # explained, but too few are caught
        ([row("a difference", "one + other", "one - other", survives="said wrongly")], TESTS, 1, "although its row explains why it survives"),
        ([CAUGHT], TESTS.replace("== 5", "== 6"), 2, "the tests fail without any mutant"),
        ([row("a difference", "one, other", "other, one")], TESTS, 2, "the old text occurs 3 times in memorybank/sums.py"),
        ([row("a difference", "one * other", "one")], TESTS, 2, "the old text occurs 0 times"),
        ([row("a difference", "one + other", "one +")], TESTS, 2, "does not compile"),
        ([row("a difference", "one + other", "one", "tests/test_sums.py::test_gone")], TESTS, 2, "there is no test tests/test_sums.py::test_gone"),
        ([CAUGHT, CAUGHT], TESTS, 2, "2 mutants have this name"),
        ([row("a difference", "one + other", "one", reason="x")], TESTS, 2, "sums.toml, mutant 1: an unknown field"),
        ([row("a difference", "one + other", "one", "x", promise="")], TESTS, 2, "sums.toml, mutant 1: promise"),
    ],
)
def test_what_it_refuses_and_how_it_ends(project, rows, tests, code, says):
    ended, out, err = project(*rows, tests=tests)()
    assert (ended, says in out + err) == (code, True), out + err


@pytest.mark.slow
def test_ctrl_c_ends_the_running_tests_and_prints_what_is_known(project, tmp_path):
    waits = row("a wait", "min(one, other)", "__import__('signal').pause()")
    process = project(CAUGHT, waits).start("--jobs", "1")
    assert process.stdout.readline().startswith("caught")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and "interrupted after 1 of 2 mutants" in err and "100.0% of 1 mutants" in out
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.slow
def test_a_name_that_no_mutant_has_is_refused(project):
    code, _, err = project(CAUGHT)("-k", "nothing like it")
    assert code == 2 and "no mutant has a name with nothing like it" in err
