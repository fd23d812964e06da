"""Where people and programs see the rank of an importance."""

import json

NOTES = {"a.md": "Never force-push to `main`.\n", "用語.md": "todo\n", "c.md": "# C\n\nSome text about nothing.\n"}


def test_commands_show_the_rank(bank, run):
    scratch = bank(NOTES)
    listed = run(scratch, "list")
    assert "top 34 %" in listed.out and "lowest" in listed.out
    fields = {each["key"]: each["rank"] for each in json.loads(run(scratch, "list", "--format", "json").out)}
    assert fields["a.md"] == {"position": 1, "of": 3, "top_percent": 34}
    [one] = json.loads(run(scratch, "score", "用語.md", "--format", "json").out)
    assert one["rank"] == {"position": 3, "of": 3, "top_percent": 100}
    assert "lowest" in run(scratch, "score", "用語.md").out
    explained = run(scratch, "score", "a.md", "--explain").out
    assert explained.splitlines()[0].endswith(", top 34 %")
    assert json.loads(run(scratch, "score", "a.md", "--explain", "--format", "json").out)[0]["rank"]["of"] == 3
    shown = json.loads(run(scratch, "show", "a.md", "--format", "json").out)
    assert shown["rank"]["position"] == 1 and shown["importance"] > 5


def test_a_filtered_list_ranks_among_all_notes(bank, run):
    [one] = json.loads(run(bank(NOTES), "list", "--min-importance", "5", "--format", "json").out)
    assert one["rank"] == {"position": 1, "of": 3, "top_percent": 34}


def test_a_note_that_is_shown_on_a_terminal_has_its_score_below_it(bank, run, monkeypatch):
    import sys

    scratch = bank(NOTES)
    assert run(scratch, "show", "a.md").err == ""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    shown = run(scratch, "show", "a.md")
    assert shown.out == NOTES["a.md"] and shown.err.startswith("memorybank: importance ") and shown.err.endswith(", top 34 %\n")


def test_an_empty_bank_has_no_ranks(bank, run):
    assert json.loads(run(bank({}), "list", "--format", "json").out) == []
    assert json.loads(run(bank({}), "score", "--format", "json").out) == []


def test_ranks_of_another_day(bank, run):
    scratch = bank(NOTES)
    found = json.loads(run(scratch, "score", "--as-of", "+60d", "--format", "json").out)
    assert [each["rank"]["position"] for each in found] == [1, 2, 3]
