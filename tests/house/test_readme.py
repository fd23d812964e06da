"""README shows real output: the test runs every `$ memorybank …` of its console blocks and compares the output with the text below it."""

import os
import re
import shlex

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run

from .pages import ROOT, blocks

NOW = 1_758_112_496_789 * 1_000_000
PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")


def transcript() -> list[tuple[str, str]]:
    """Return (command line, expected output) in the order of the page."""
    steps: list[tuple[str, str]] = []
    for block in blocks("README.md", "console"):
        for step in re.split(r"(?m)^\$ ", block)[1:]:
            line, _, output = step.partition("\n")
            steps.append((line, output))
    return steps


def test_the_tour_of_the_readme_is_what_happens(bank, fixed_clock, monkeypatch, capsys, request):
    """After an intended change of output, run pytest tests/house/test_readme.py --rewrite and read the difference."""
    scratch = bank({})
    monkeypatch.chdir(scratch.repository)
    monkeypatch.setenv("COLUMNS", "80")
    steps = transcript()
    assert len(steps) >= 5
    page = README
    for line, expected in steps:
        program, *arguments = shlex.split(line)
        assert program == "memorybank"
        capsys.readouterr()
        code = run(arguments, CommandCall(clock=fixed_clock))
        captured = capsys.readouterr()
        for path in scratch.active.rglob("*.md"):
            os.utime(path, ns=(NOW, NOW))
        if request.config.getoption("--rewrite"):
            page = page.replace(f"$ {line}\n{expected}", f"$ {line}\n{captured.out}")
        else:
            assert (code, captured.out) == (0, expected), f"$ {line}\n{captured.out}{captured.err}"
    if page != README:
        PAGE.write_text(page, encoding="utf-8")
