"""`memorybank superseded`: the pairs are listed, refused and taken back; `show`, `search` and `status` carry the mark."""

import json

import pytest

from memorybank.clock import DAY, isoformat
from tests.conftest import NOW


def dated(text, day):
    at = isoformat(NOW - (200 - day) * DAY)
    return f"---\ncreated: {at}\nupdated: {at}\n---\n{text}\n"


@pytest.fixture
def scratch(bank):
    notes = {"queue.md": dated("We use Redis for the queue.", 1), "queue-2.md": dated("The queue moved from Redis to PostgreSQL.", 50)}
    return bank({**notes, "cache.md": dated("# Cache", 1), "no-cache.md": dated("# 方針\n\nこの決定は [[cache]] を置き換える。", 60)})


def listed(run, scratch, *options):
    return json.loads(run(scratch, "superseded", "list", "--json", *options).out)


def test_it_lists_statements_and_entire_notes(run, scratch):
    assert [(each["key"], each["line"], each["by"]) for each in listed(run, scratch)] == [("cache.md", None, "no-cache.md"), ("queue.md", 5, "queue-2.md")]
    out = run(scratch, "superseded", "list", "queue").out
    assert "queue.md:5  We use Redis for the queue." in out
    assert "cache.md" not in out
    assert run(scratch, "superseded", "list", "--check").code == 9
    assert run(scratch, "superseded", "list", "no-cache", "--check").out == "no statement is known to be superseded\n"


def test_show_search_and_status_carry_the_mark(run, scratch):
    assert "line 5: superseded by queue-2.md, 2025-04-20" in run(scratch, "show", "queue.md").err
    assert "this note is superseded by no-cache.md, 2025-04-30" in run(scratch, "show", "cache.md").err
    assert json.loads(run(scratch, "show", "queue.md", "--json").out)["superseded"][0]["sentence"] == "superseded by queue-2.md, 2025-04-20"
    assert "(superseded by queue-2.md, 2025-04-20)" in run(scratch, "search", "redis queue").out
    assert "2 statements in notes" in run(scratch, "status").out


def test_a_pair_is_kept_and_restored(run, scratch):
    pair = listed(run, scratch, "queue")[0]["id"]
    assert pair in run(scratch, "superseded", "keep", pair[:-1]).out
    assert listed(run, scratch, "queue") == []
    assert pair in run(scratch, "know", "list", "--rejected").out
    assert run(scratch, "superseded", "restore").out == f"restored: {pair}\n"
    assert len(listed(run, scratch, "queue")) == 1


@pytest.mark.parametrize("arguments", [("keep", "superseded:ffffffff"), ("keep", "superseded:"), ("restore",), ("restore", "x"), ("list", "nothing.md")])
def test_a_wrong_id_changes_nothing(run, scratch, arguments):
    assert run(scratch, "superseded", *arguments).code != 0
    assert len(listed(run, scratch)) == 2
