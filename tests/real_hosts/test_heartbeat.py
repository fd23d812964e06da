"""What stops working is shown to the person by the real Claude Code, in the next session, once; and a fresh clone recalls in its first session."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, count, shown
from .test_claude_code import HOST, LIVE, said

KETTLE = "how do I start the copper kettle"
AGAIN = "and how do I start the copper kettle again"
SCRIPT = {KETTLE: ["like this"], AGAIN: ["as said"]}


def told(project, prompt, **environment):
    """Play a session with one prompt. Return what memorybank shows to the person, as Claude Code prints it."""
    run = project.play([*LIVE], said(prompt), **environment)
    assert run.status == 0, run.err
    lines = [line for line in run.lines if "memorybank does not work" in json.dumps(line)]
    assert all(line["type"] == "system" for line in lines), lines
    return [str(line["content"]) for line in lines]


@pytest.fixture
def installed_copy(play, tmp_path):
    """play(scope) → a project whose hooks start a copy of the package, which a test can remove, after a first session in which everything works."""

    def start(scope="local"):
        project = play(HOST, dict(SCRIPT), hooks=False)
        package = tmp_path / "site" / "memorybank"
        shutil.copytree(ROOT / "memorybank", package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "config", package / "config" / "defaults", dirs_exist_ok=True)
        program = project.programs / "memorybank"
        program.write_text(f'#!/bin/sh\nPYTHONPATH={package.parent} exec {sys.executable} -m memorybank "$@"\n')
        program.chmod(0o755)
        project.memorybank("hooks", "install", "--no-mcp", "--scope", scope)
        settings = (project.project / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")).read_text()
        assert (str(package) in settings) == (scope == "local")
        assert told(project, KETTLE) == [] and len(project.logs()) == 1
        return project, package

    yield start


def test_a_package_that_was_removed(installed_copy):
    project, package = installed_copy()
    kept = package.rename(package.parent / "away")
    (line,) = told(project, AGAIN)
    assert "its program is missing" in line or "does not find the program" in line
    assert "memorybank hooks install" in line and len(project.logs()) == 1
    assert told(project, AGAIN) == [], "once a day"
    kept.rename(package)


def test_a_program_that_is_no_longer_on_the_path(installed_copy):
    project, _ = installed_copy("project")
    program = project.programs / "memorybank"
    program.rename(project.programs / "elsewhere")
    (line,) = told(project, AGAIN)
    assert "so nothing is recorded or recalled in this project" in line and "memorybank hooks install" in line
    (project.programs / "elsewhere").rename(program)


def test_a_colleague_who_never_installed_it_sees_nothing(installed_copy):
    """The committed hooks of a project, on a machine without memorybank."""
    project, _ = installed_copy("project")
    (project.programs / "memorybank").rename(project.programs / "elsewhere")
    shutil.rmtree(project.home / ".local")
    assert told(project, AGAIN) == []
    (project.programs / "elsewhere").rename(project.programs / "memorybank")


def test_a_bank_that_cannot_be_written(play):
    project = play(HOST, dict(SCRIPT))
    assert told(project, KETTLE) == []
    events = project.bank / "log" / "events"
    kept = events.rename(project.bank / "log" / "kept")
    events.write_text("")
    (line,) = told(project, AGAIN)
    assert "it cannot write into the memory of this project" in line and "memorybank doctor" in line
    (request,) = project.model.asked(AGAIN)
    assert count(request, "NOTE-COPPER") == 1, "recall still answers"
    events.unlink()
    kept.rename(events)
    (project.bank / "log" / "hook_errors.jsonl").unlink()


def test_an_index_that_is_far_behind(play):
    project = play(HOST, dict(SCRIPT))
    assert told(project, KETTLE) == []
    for number in range(900):
        project.note(f"planning/n{number}.md", f"# Plan {number}\n\n{'The office orders tea, honey and lemons on the first Monday. ' * 20}\n")
    shutil.rmtree(project.bank / "cache")
    (line,) = told(project, AGAIN)
    assert "which are found by their titles only" in line and "`memorybank index`" in line
    (request,) = project.model.asked(AGAIN)
    assert count(request, "NOTE-COPPER") == 1 and re.search(r"The index lacks \d+ of 9\d\d notes", shown(request))


def test_a_summary_that_git_ignores(play):
    project = play(HOST, dict(SCRIPT))
    assert told(project, KETTLE) == []
    (project.project / ".gitignore").write_text("summary.md\n")
    (line,) = told(project, AGAIN)
    assert "git ignores .claude/memory/summary.md" in line and "`git add --force .claude/memory/summary.md`" in line
    assert "git ignores" in project.memorybank("status")
    subprocess.run(["git", "add", "--force", ".claude/memory/summary.md"], cwd=project.project, check=True, env=project.environment())
    for said_today in Path(project.home / ".local/state/memorybank/working").glob("*.said-*"):
        said_today.unlink()
    assert told(project, KETTLE) == []


def test_a_fresh_clone_recalls_in_its_first_session(play):
    """No command was run in it: the notes are there, the index is not."""
    project = play(HOST, dict(SCRIPT), indexed=False, hooks=False)
    project.configure({"deadlines_ms": {"outbox_turn_end": 4_000, "process": 8_000}})
    for number in range(900):
        project.note(f"planning/n{number}.md", f"# Plan {number}\n\nThe office orders tea number {number} on the first Monday.\n")
    shutil.rmtree(project.bank / "cache", ignore_errors=True)
    project.memorybank("hooks", "install", "--no-mcp")
    shutil.rmtree(project.bank / "cache")
    project.prompt(KETTLE)
    (request,) = project.model.asked(KETTLE)
    assert count(request, "NOTE-COPPER") == 1 and "were searched by title and tags only" in shown(request)
    assert os.path.exists(project.bank / "cache" / "bank.sqlite3"), "the end of the turn began to index"
