"""Pages show real output: the test runs every `$ memorybank …` of their console blocks and compares the output with the text below it.

Each page begins in an empty repository. A comment such as `<!-- 60 days later -->` in a page moves the clock.
"""

import os
import re
import shlex
import subprocess

import pytest

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run
from memorybank.clock import DAY

from .pages import ROOT

PAGES = ("docs/start.md", "docs/daily.md", "docs/ja/start.md", "docs/ja/daily.md")
STEP = re.compile(r"<!-- (\d+) days later -->|(?ms:^```console\n(.*?)^```)")


def steps(page: str) -> list[tuple[str, str]]:
    """Return (command line, expected output) in the order of the page. A move of the clock is ("", days)."""
    found: list[tuple[str, str]] = []
    for match in STEP.finditer(page):
        if match[1]:
            found.append(("", match[1]))
            continue
        for step in re.split(r"(?m)^\$ ", match[2])[1:]:
            line, _, output = step.partition("\n")
            found.append((line, output))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_examples_of_the_page_are_what_happens(name, tmp_path, fixed_clock, monkeypatch, capsys, request):
    """After an intended change of output, run pytest tests/house/test_pages.py --rewrite and read the difference."""
    repository = tmp_path / "parcels"
    subprocess.run(["git", "init", "-q", "-b", "main", str(repository)], check=True)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("COLUMNS", "80")
    path = ROOT / name
    before = page = path.read_text(encoding="utf-8")
    instants = {fixed_clock.instant}
    assert len(steps(page)) >= 3
    for line, expected in steps(page):
        if not line:
            fixed_clock.instant += int(expected) * DAY
            instants.add(fixed_clock.instant)
            continue
        program, *arguments = shlex.split(line)
        assert program == "memorybank"
        capsys.readouterr()
        code = run(arguments, CommandCall(clock=fixed_clock))
        captured = capsys.readouterr()
        for note in (repository / ".claude/memory/active").rglob("*.md"):
            if note.stat().st_mtime_ns // 1_000_000 not in instants:  # written by this command, at the machine's time
                os.utime(note, ns=(fixed_clock.instant * 1_000_000,) * 2)
        if request.config.getoption("--rewrite"):
            assert code == 0, captured.err
            page = page.replace(f"$ {line}\n{expected}", f"$ {line}\n{captured.out}")
        else:
            assert (code, captured.out) == (0, expected), f"$ {line}\n{captured.out}{captured.err}"
    if page != before:
        path.write_text(page, encoding="utf-8")
