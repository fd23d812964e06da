"""Arguments at the border of what a command takes: each gives an answer or one line with the next step, and no command crashes or half does its work."""

import json

import pytest

from memorybank.bank import Bank
from memorybank.errors import UsageError

HUGE = "99999999999999999999"
NOTES = {"shared/a.md": "# A\n\nAlpha.\n", "planning/計画.md": "# 計画\n\n本文。\n"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "--limit", HUGE),
        ("search", "alpha", "--limit", HUGE),
        ("score", "--limit", HUGE),
        ("know", "list", "--limit", HUGE),
        ("log", "list", "--limit", HUGE),
        ("log", "tail", "--lines", HUGE),
        ("policy", "history", "--limit", HUGE),
        ("archive", "list", "--limit", HUGE),
        ("episodes", "inject", "--budget", "0"),
        ("episodes", "inject", "--budget", HUGE),
    ],
    ids=" ".join,
)
def test_a_number_that_is_far_too_large_means_all(bank, run, arguments):
    done = run(bank(NOTES), *arguments)
    assert done.code in (0, 2), done.err
    if done.code:
        assert "is not in the range" in done.err and "next:" in done.err


@pytest.mark.parametrize("value", ["", "nan", "十", "1.5", "x"])
@pytest.mark.parametrize(
    "arguments", [("list", "--limit"), ("policy", "rollback"), ("episodes", "inject", "--budget"), ("log", "tail", "--lines")], ids=" ".join
)
def test_what_is_no_number_is_refused_in_words_of_people(bank, run, arguments, value):
    scratch = bank(NOTES)
    before = scratch.snapshot()
    refused = run(scratch, *arguments, value)
    assert refused.code == 2 and f"'{value}' is not a valid whole number" in refused.err and "next:" in refused.err
    assert scratch.snapshot() == before


@pytest.mark.parametrize("command", ["export", "import"])
def test_a_descriptor_that_no_system_has_is_refused(bank, run, command):
    refused = run(bank(NOTES), "backup", command, "file", "--passphrase-fd", HUGE)
    assert refused.code == 2 and "is not in the range 0<=x<=2147483647" in refused.err


def test_a_rollback_that_would_change_nothing_writes_nothing(bank, run):
    scratch = bank(NOTES)
    run(scratch, "list")
    before = scratch.snapshot()
    done = run(scratch, "policy", "rollback", "0")
    assert (done.code, done.err) == (0, "") and done.out == "nothing to roll back: version 0 has the values that are in force; nothing was changed\n"
    assert scratch.snapshot() == before and json.loads(run(scratch, "policy", "history", "--json").out) == []
    run(scratch, "policy", "set", "top_k", "3")
    assert "nothing to roll back" in run(scratch, "policy", "rollback", "1").out
    assert "version 2: back to version 0" in run(scratch, "policy", "rollback", "0").out
    assert run(scratch, "policy", "rollback", "9").code == 3 and run(scratch, "policy", "rollback", "--", "-1").code == 2
    assert len(json.loads(run(scratch, "policy", "history", "--json").out)) == 2


@pytest.mark.parametrize("tag", ["", " ", "a,b", "決定、方針", "a//b", "a\nb\x07"])
def test_a_tag_that_no_command_could_name_is_refused_and_no_note_is_written(bank, run, tag):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    refused = run(scratch, "add", "x", "--tag", tag)
    assert refused.code == 2 and "is not the name of a tag" in refused.err and "write a word such as decision" in refused.err
    assert scratch.snapshot("active") == before
    with pytest.raises(UsageError):
        Bank.open(scratch.root).notes.add("x", tags=[tag])


@pytest.mark.parametrize("folder", ["a\nb", "計画\t", "x\x1b[31m"])
def test_a_folder_with_a_control_character_is_refused(bank, run, folder):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    refused = run(scratch, "add", "x", "--folder", folder)
    assert refused.code == 2 and "contains a control character" in refused.err and scratch.snapshot("active") == before


def test_an_empty_name_of_a_file_is_refused_before_anything_is_written(bank, run):
    scratch = bank(NOTES)
    refused = run(scratch, "metrics", "--output", "")
    assert refused.code == 2 and "--output names no file" in refused.err and not (scratch.root / "metadata" / "analytics.json").exists()


@pytest.mark.parametrize("name", ["help", "version"])
def test_a_command_of_other_programs_names_the_option(bank, run, name):
    refused = run(bank({}), name)
    assert refused.code == 2 and f"no such command '{name}'; did you mean '--{name}'?" in refused.err


@pytest.mark.parametrize(("typed", "found"), [("shared/", ["shared/a.md"]), ("計", ["planning/計画.md"]), ("a", ["shared/a.md"]), ("zz", [])])
def test_a_key_is_completed_by_its_beginning_or_its_file_name(bank, monkeypatch, typed, found):
    import click

    from memorybank.cli.options import complete_key

    scratch = bank(NOTES)
    monkeypatch.chdir(scratch.repository)
    context = click.Context(click.Command("memorybank"))
    assert [item.value for item in complete_key(context, click.Argument(["key"]), typed)] == found
