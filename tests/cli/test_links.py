"""A folder of the bank that is a symbolic link, as a stranger's commit can bring one: nothing is written through it, and nothing is read as truth."""

import os

import pytest

FOLDERS = ("log", "cache", "archive", "backups", "indexes", "metadata", "episodes", "config", "active")
INNER = ("log/events", "archive/by_date", "archive/by_importance", "active/shared", "backups/edits", "episodes/archives")
NOTES = {
    "shared/用語集.md": "---\nrating: 9\n---\n# 用語集\n\n検索の索引。\n",
    "planning/old.md": "# Old plan\n\nnothing of note\n",
    "planning/new.md": "# New plan\n\nThe importer ships in June.\n",
}
COMMANDS = (
    *(("index",), ("list",), ("search", "plan"), ("status",), ("show", "planning/new.md"), ("rate", "planning/new.md", "9"), ("rebuild",)),
    *(("add", "Fresh", "--body", "fresh text", "--folder", "shared"), ("bookmark", "add", "planning/new.md"), ("rotate", "--yes"), ("maintain",)),
    *(("mv", "planning/new.md", "shared/moved.md"), ("forget", "planning/new.md", "--yes"), ("tags",), ("recall", "When does the importer ship?")),
    *(("episodes", "update"), ("episodes", "list"), ("episodes", "lookback", "5"), ("topics", "update"), ("policy", "show"), ("metrics",), ("verify",)),
    *(("verify", "--repair"), ("undo",), ("purge", "importer ships"), ("summary", "refresh"), ("know", "list"), ("log", "list"), ("init",)),
    *(("doctor",), ("doctor", "--fix", "--yes")),
)


def content(folder):
    return {os.path.relpath(os.path.join(top, name), folder): os.lstat(os.path.join(top, name)).st_size for top, _, names in os.walk(folder) for name in names}


@pytest.fixture
def linked(bank, run, tmp_path):
    """(folder below the bank) → (the bank, the place outside to which that folder leads). What was in the folder has been moved there."""

    def make(folder: str):
        scratch = bank(NOTES, days_old=90)
        for command in (("init",), ("index",), ("rotate", "--yes", "--type", "time_based")):
            assert run(scratch, *command).code == 0, command
        outside = tmp_path / "outside"
        scratch.lead_away(folder, outside)
        return scratch, outside

    return make


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS + INNER)
def test_no_command_changes_anything_behind_a_link(linked, run, folder, request):
    """The usual run takes every third command, from another one on for each folder: five folders meet each command."""
    scratch, outside = linked(folder)
    before = content(outside)
    first, step = (0, 1) if request.config.getoption("--all") else ((FOLDERS + INNER).index(folder) % 3, 3)
    for command in COMMANDS[first::step]:
        result = run(scratch, *command)
        assert content(outside) == before, command
        assert result.code != 70, (command, result.err)
    result = run(scratch, "doctor", "--strict")
    assert result.code == 9 and folder in result.out and "symbolic link" in result.out
