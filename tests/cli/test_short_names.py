"""Short names of notes: unique ones are enough; several candidates are listed and nothing changes."""

import json

import pytest

from memorybank.notes.short_names import matching

NOTES = {
    "planning/staging-database.md": "# How staging is reset\n\nEvery Monday.\n",
    "planning/alpha.md": "# Alpha\n",
    "sync/alpha-2.md": "# Second alpha\n",
    "shared/用語集.md": "# ことばの表\n",
    "shared/release.md": "# Release steps\n",
    "sync/release.md": "# What was released\n",
}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("staging", "planning/staging-database.md"),
        ("STAGING", "planning/staging-database.md"),
        ("database", "planning/staging-database.md"),
        ("database.md", "planning/staging-database.md"),
        ("planning/st", "planning/staging-database.md"),
        ("How staging is reset", "planning/staging-database.md"),
        ("is reset", "planning/staging-database.md"),
        ("alpha", "planning/alpha.md"),
        ("alpha.md", "planning/alpha.md"),
        ("Second", "sync/alpha-2.md"),
        ("用語", "shared/用語集.md"),
        ("の表", "shared/用語集.md"),
        ("sync/release", "sync/release.md"),
        ("what was released", "sync/release.md"),
    ],
)
def test_a_unique_name_is_enough(bank, run, name, key):
    assert json.loads(run(bank(NOTES), "show", name, "--format", "json").out)["key"] == key


@pytest.mark.parametrize("name", ["release", "plann", "sync/", ""])
@pytest.mark.parametrize("command", [["show"], ["rate"], ["score"], ["tick"]])
def test_several_or_no_candidates_change_nothing(bank, run, command, name):
    scratch = bank(NOTES)
    run(scratch, "index")
    before = {path: data for path, data in scratch.snapshot().items() if str(path).startswith("active/")}
    given = ["tick", f"note:{name}", "helpful"] if command == ["tick"] else [*command, name, *(["5"] if command == ["rate"] else [])]
    refused = run(scratch, *given)
    assert refused.code == 3
    if name == "release":
        assert "may mean 2 notes" in refused.err and "shared/release.md, sync/release.md" in refused.err
    assert {path: data for path, data in scratch.snapshot().items() if str(path).startswith("active/")} == before


def test_rate_score_and_tick_take_short_names(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "rate", "staging", "9").out == "rated 9: planning/staging-database.md\n"
    assert [note["key"] for note in json.loads(run(scratch, "score", "用語", "staging", "--format", "json").out)] == [
        "planning/staging-database.md",
        "shared/用語集.md",
    ]
    assert "planning/staging-database.md" in run(scratch, "tick", "note:staging", "helpful").out


def test_bookmarks_take_short_names_folders_and_globs(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "bookmark", "add", "staging").out == "bookmarked: planning/staging-database.md\n"
    refused = run(scratch, "bookmark", "add", "release")
    assert refused.code == 3 and "shared/release.md, sync/release.md" in refused.err
    for pattern in ("shared/", "sync/*.md", "nothing-like-it.md"):
        assert run(scratch, "bookmark", "add", pattern).out == f"bookmarked: {pattern}\n"
    assert run(scratch, "bookmark", "remove", "staging").out == "bookmark removed: planning/staging-database.md\n"
    assert run(scratch, "bookmark", "remove", "nothing-like-it.md").code == 0
    assert [mark["path"] for mark in json.loads(run(scratch, "bookmark", "list", "--format", "json").out)] == ["shared/", "sync/*.md"]


def test_paths_outside_the_bank_are_not_short_names():
    assert matching("/alpha.md", [("a/alpha.md", "Alpha")]) == []
    assert matching("../alpha.md", [("a/alpha.md", "Alpha")]) == []
