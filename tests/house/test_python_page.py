"""docs/python.md shows real output: the test runs every `>>>` line of its blocks, in order and in one interpreter, and compares the output."""

import doctest
import os
import re
import subprocess
import sys

import pytest

import memorybank
from memorybank import errors

from .pages import ROOT, blocks

NOW = 1_758_112_496_789 * 1_000_000
PAGE = "docs/python.md"


def test_the_examples_of_the_page_are_what_happens(tmp_path, monkeypatch):
    """Files that an example writes get the instant of the tests' clock, so that the output is the same on every day."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    examples = blocks(PAGE, "pycon")
    assert len(examples) >= 7
    names: dict[str, object] = {}
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.REPORT_NDIFF)
    for number, text in enumerate(examples, 1):
        test = doctest.DocTestParser().get_doctest(text, names, f"block {number}", PAGE, 0)
        runner.run(test, out=told.append, clear_globs=False)
        names.update(test.globs)
        for path in tmp_path.rglob("*.md"):
            os.utime(path, ns=(NOW, NOW))
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def test_the_page_is_linked():
    for page in ("README.md", "ARCHITECTURE.md"):
        assert "(docs/python.md)" in (ROOT / page).read_text(encoding="utf-8"), page


def public_errors() -> set[str]:
    return {name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__}


def test_every_error_can_be_imported_from_the_package():
    assert public_errors() == {*memorybank.__all__} - {"Bank", "__version__"}
    assert {name: getattr(memorybank, name) for name in public_errors()} == {name: getattr(errors, name) for name in public_errors()}
    assert public_errors() <= {*dir(memorybank)}
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        memorybank.Nothing  # noqa: B018  # reading the name is what raises


def test_importing_an_error_does_not_load_the_facade():
    program = "import sys; from memorybank import NotFound; print(*sorted(name for name in sys.modules if name.startswith('memorybank.')))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "memorybank.errors memorybank.values\n"


def test_the_page_lists_every_error_with_its_exit_code():
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| ([\d–]+) \|", (ROOT / PAGE).read_text(encoding="utf-8")))
    codes = {name: str(getattr(errors, name).exit_code) for name in public_errors() - {"Problem"}}
    assert rows == codes
