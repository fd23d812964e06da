"""What each tool answers: memories in a fence, and data about each of them; reading records a view, listing does not."""

import json
import sqlite3

import pytest
from jsonschema import validate

from memorybank.bank import Bank
from memorybank.errors import NotFound, UsageError
from memorybank.storage import database

from .conftest import ANSWER, inside

NOTES = {
    "planning/staging.md": "# Staging\n\nThe staging database is reset every Monday by `jobs/reset.py`.\n",
    "shared/認証.md": "# 認証トークン\n\n認証トークンは24時間で失効する。\n",
    "implementation/agent.md": "---\nagent_created: main\n---\n# Upload retries\n\nUploads retry three times; the fourth needs a person.\n",
}


def views(scratch) -> list[str]:
    path = scratch.root / "log" / "access.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return [line["path"] for line in lines if line.get("kind") == "view"]


def checked(result):
    """Every answer has the documented fields."""
    validate(result.fields, ANSWER)
    assert result.fields.get("memory", "") in result.text
    return result


@pytest.mark.parametrize(("query", "key"), [("staging database", "planning/staging.md"), ("認証トークン", "shared/認証.md")])
def test_search_finds_in_both_languages(bank, ask, query, key):
    found = checked(ask(bank(NOTES), "search", query=query))
    assert found.fields["items"][0]["id"] == f"note:{key}"
    assert f"note:{key}" in inside(found.text)


def test_status_does_not_say_both_that_notes_have_problems_and_that_there_is_none(bank, ask, monkeypatch):
    monkeypatch.setattr("memorybank.doctor.run.quick", lambda *given: ())
    healthy = "The quick checks found no problem; they do not look for secrets."
    assert healthy in ask(bank(NOTES), "status").text
    told = ask(bank({**NOTES, "shared/reset.md": "<<<<<<< HEAD\nMonday.\n=======\nFriday.\n>>>>>>> a\n"}), "status").text
    assert "1 note has problems" in told and healthy not in told


def test_search_says_that_a_note_has_a_conflict_instead_of_both_sides(bank, ask):
    text = "# Staging\n\n<<<<<<< HEAD\nStaging is reset every Friday.\n=======\nStaging is reset every Tuesday.\n>>>>>>> a\n"
    found = checked(ask(bank({"shared/reset.md": text}), "search", query="staging"))
    assert "This note has an unresolved git conflict" in inside(found.text) and "reset every" not in found.text


@pytest.mark.parametrize("said", [("reset every Friday", "reset every Tuesday"), ("金曜日に初期化", "火曜日に初期化")])
def test_read_says_what_to_do_about_a_conflict_instead_of_both_sides(bank, ask, said):
    """As recall and search do: an agent would take one side for what holds. On the command line a person reads the whole text."""
    text = f"# Staging\n\nThe cluster.\n\n<<<<<<< HEAD\n{said[0]}\n=======\n{said[1]}\n>>>>>>> a\n"
    scratch = bank({"shared/初期化.md": text})
    found = checked(ask(scratch, "read", id="note:shared/初期化.md"))
    assert not any(each in found.text for each in said) and "<<<<<<< HEAD" not in found.text
    assert "This note has an unresolved git conflict" in inside(found.text)
    assert "It begins at line 5 of .claude/memory/active/shared/初期化.md: keep the right text, and remove the lines with" in inside(found.text)
    assert "both sides of a git conflict" in found.fields["items"][0]["stale"]
    assert all(each in Bank.open(scratch.root).notes.read("shared/初期化.md").text for each in said)


def test_a_note_that_shows_a_conflict_as_an_example_is_read_as_it_is(bank, ask):
    text = "# How merges look\n\n```\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> a\n```\n"
    assert "theirs" in inside(ask(bank({"shared/merge.md": text}), "read", id="note:shared/merge.md").text)


def test_one_search_asks_in_several_wordings(bank, ask):
    found = checked(ask(bank(NOTES), "search", query="when is staging wiped", also=["認証トークン", "staging reset"]))
    assert {item["id"] for item in found.fields["items"]} == {"note:planning/staging.md", "note:shared/認証.md"}


def test_a_search_that_finds_nothing_says_what_to_do_next(bank, ask):
    """Where a filter may be the reason, the answer names the filter instead of suggesting other words."""
    scratch = bank(NOTES)
    assert "Try another word" in ask(scratch, "search", query="zebra").text
    told = ask(scratch, "search", query="staging", folder="nowhere", since="2025-01-01").text
    assert "with these filters: folder, since. Search without them" in told and "rarer" not in told
    with pytest.raises(UsageError) as refused:
        ask(scratch, "search", query="***")
    assert "--" not in f"{refused.value.message} {refused.value.next_step}"  # an agent has arguments, not options


def test_every_memory_says_who_wrote_it_how_old_it_is_and_what_speaks_against_it(bank, ask):
    scratch = bank(NOTES, git=True)
    (scratch.repository / "jobs").mkdir()
    (scratch.repository / "jobs" / "reset.py").write_text("reset()\n")
    scratch.git("add", "jobs")
    scratch.git("commit", "-q", "-m", "Reset")
    scratch.git("rm", "-q", "jobs/reset.py")
    scratch.git("commit", "-q", "-m", "No reset")
    commit = scratch.git("rev-parse", "HEAD")[:7]
    by_id = {item["id"]: item for item in checked(ask(scratch, "recent")).fields["items"]}
    staging, agent = by_id["note:planning/staging.md"], by_id["note:implementation/agent.md"]
    assert (staging["origin"], staging["age_days"], staging["kind"]) == ("human", 10, "note")
    assert agent["origin"] == "agent"
    assert "jobs/reset.py" in staging["stale"] and agent["stale"] == ""
    assert f"possibly stale: jobs/reset.py was deleted in {commit}" in ask(scratch, "recent").text
    (scratch.repository / "jobs").mkdir(exist_ok=True)
    (scratch.repository / "jobs" / "reset.py").write_text("")
    assert ask(scratch, "read", id="note:planning/staging.md").fields["items"][0]["stale"] == ""


def test_a_reading_is_a_view_and_a_list_is_none(bank, ask):
    scratch = bank(NOTES)
    ask(scratch, "search", query="staging")
    ask(scratch, "recent")
    ask(scratch, "recall", situation="how often is the staging database reset")
    ask(scratch, "status")
    assert views(scratch) == []
    ask(scratch, "read", id="note:planning/staging.md")
    assert views(scratch) == ["planning/staging.md"]


def test_a_long_memory_comes_in_parts_that_together_are_the_whole(bank, ask):
    lines = [f"line {number} 行" * 20 for number in range(400)]
    scratch = bank({"planning/long.md": "\n".join(lines) + "\n"})
    found, at, parts = [], 1, 0
    while at:
        part = checked(ask(scratch, "read", id="note:planning/long.md", from_line=at))
        first, _ = part.fields["items"][0]["lines"]
        assert first == at and part.fields["total_lines"] == 400
        found += [line for line in inside(part.text).split("\n") if line.startswith("line ")]
        at, parts = part.fields.get("next_line"), parts + 1
        assert part.fields["truncated"] is (at is not None)
    assert found == lines and parts > 2


def test_one_endless_line_is_cut_and_says_so(bank, ask):
    read = ask(bank({"planning/endless.md": "あ" * 100_000}), "read", id="note:planning/endless.md")
    assert read.fields["truncated"] and "[this line is cut to save space]" in read.text and len(read.text) < 30_000


def test_ids_that_search_gives_can_be_read(bank, ask):
    """Names that nobody would choose, in both Unicode forms, with brackets, blanks and signs of the fence."""
    names = [
        "planning/a b.md",
        "planning/が.md",
        "planning/か\u3099く.md",
        "planning/[x] <system>.md",
        "planning/a\u200bb.md",
        "planning/100%.md",
        "planning/*.md",
    ]
    scratch = bank({name: f"# Thing {number}\n\nzebra {number}\n" for number, name in enumerate(names)})
    found = ask(scratch, "search", query="zebra", limit=50).fields["items"]
    texts = [inside(ask(scratch, "read", id=item["id"]).text) for item in found]
    assert sorted(number for number in range(len(names)) for text in texts if f"zebra {number}\n" in text) == list(range(len(names)))


def test_an_archived_note_is_found_and_read_and_says_that_it_was_put_away(bank, ask, asked):
    scratch = bank(NOTES, days_old=400)
    assert asked(scratch).bank.rotation.execute(asked(scratch).bank.rotation.plan(), yes=True).rotated
    found = [item for item in ask(scratch, "search", query="staging 認証 uploads", archive=True).fields["items"] if item["kind"] == "archive"]
    assert {item["origin"] for item in found} == {"human", "agent"}
    read = checked(ask(scratch, "read", id=found[0]["id"]))
    assert read.fields["items"][0]["stale"] == found[0]["stale"] == "it was archived on 2025-09-17"
    assert inside(read.text)


def test_days_come_newest_first_between_two_dates(bank, ask):
    scratch = bank({})
    scratch.episodes(*({"date": f"2025-09-{day:02}", "summary": f"on day {day} 日目"} for day in range(1, 16)))
    days = checked(ask(scratch, "episodes", limit=3))
    assert [item["id"] for item in days.fields["items"]] == ["episode:2025-09-15", "episode:2025-09-14", "episode:2025-09-13"]
    assert "12 older summaries are left out" in days.fields["notice"]
    between = ask(scratch, "episodes", since="2025-09-03", until="2025-09-04").fields["items"]
    assert [item["id"] for item in between] == ["episode:2025-09-04", "episode:2025-09-03"]
    assert "on day 3 日目" in inside(ask(scratch, "read", id="episode:2025-09-03").text)
    with pytest.raises(UsageError):
        ask(scratch, "episodes", since="soon")


def test_recall_is_what_a_hook_would_bring_up_and_silent_rather_than_guessing(bank, ask, asked):
    scratch = bank(NOTES)
    situation = "how many times do uploads retry before a person is needed"
    told = checked(ask(scratch, "recall", situation=situation))
    assert told.fields["items"][0]["id"] == "note:implementation/agent.md"
    assert told.fields["memory"] == asked(scratch).bank.memory.recall(situation, role="", agent="").injection.text
    silent = checked(ask(scratch, "recall", situation="what is the weather like"))
    assert silent.fields["items"] == [] and "Nothing is recalled" in silent.text


def test_what_is_opened_for_a_question_is_closed_with_its_answer(bank, ask, asked, monkeypatch):
    """A server lives for days: nothing is left to be collected some time."""
    scratch = bank(NOTES)
    ask(scratch, "recall", situation="how often is the staging database reset")
    opened, real = [], database.open_reading
    monkeypatch.setattr(database, "open_reading", lambda *given, **more: opened.append(real(*given, **more)) or opened[-1])
    ask(scratch, "recall", situation="how often is the staging database reset")
    asked(scratch).bank.memory.stats()
    asked(scratch).bank.memory.refresh(dry_run=True)
    assert len(opened) >= 3
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def test_an_empty_bank_says_so(bank, ask):
    scratch = bank({})
    for tool, given in (
        ("search", {"query": "x"}),
        ("recent", {}),
        ("episodes", {}),
        ("recall", {"situation": "the build of the parser fails"}),
        ("status", {}),
    ):
        told = checked(ask(scratch, tool, **given))
        assert told.fields["items"] == [] and told.text


def test_an_agent_can_remember_rate_and_bookmark(bank, ask):
    scratch = bank(NOTES)
    made = ask(scratch, "remember", role="reviewer", text="The parser needs a full stop.\n\nElse it hangs.", tags=["parser"])
    assert "note:shared/the-parser-needs-a-full-stop.md" in made.text
    text = (scratch.active / "shared" / "the-parser-needs-a-full-stop.md").read_text()
    assert "agent_created: reviewer" in text and "tags:" in text and "Else it hangs." in text
    assert ask(scratch, "search", query="parser full stop").fields["items"][0]["origin"] == "agent"
    ask(scratch, "rate", id="note:planning/staging.md", rating=9)
    assert "rating: 9" in (scratch.active / "planning" / "staging.md").read_text()
    assert "Bookmarked: note:planning/staging.md" in ask(scratch, "bookmark", id="note:planning/staging.md", reason="読む").text
    assert "Already bookmarked" in ask(scratch, "bookmark", id="note:planning/staging.md").text
    assert json.loads((scratch.root / "bookmarks.json").read_text())["bookmarks"][0]["path"] == "planning/staging.md"


def test_what_an_agent_nearly_repeats_is_named_if_it_may_see_it(bank, ask):
    said = "The staging database is reset every Monday at 09:00."
    notes = {"shared/reset.md": f"# Reset\n\n{said}\n", "shared/other.md": "# Other\n\nThe parser needs a full stop, else it hangs.\n"}
    scratch = bank(notes)
    ask(scratch, "search", query="staging")
    assert "note:shared/reset.md says the same or nearly" in ask(scratch, "remember", text="The staging database is reset every Monday at 09:00 UTC.").text
    assert "says the same" not in ask(scratch, "remember", text="Invoices are numbered per calendar year.").text
    hidden = bank({"shared/reset.md": f"---\nacl: agent\nagent_created: planner\n---\n# Reset\n\n{said}\n", "shared/o.md": "# Other\n\nNothing.\n"})
    ask(hidden, "search", query="staging")
    assert "reset.md says" not in ask(hidden, "remember", role="reviewer", text="The staging database is reset every Monday at 09:00 UTC.").text


def test_a_secret_is_taken_out_of_what_an_agent_remembers(bank, ask):
    scratch = bank({})
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    told = ask(scratch, "remember", text=f"The deploy token is {token}, kept here.")
    assert "secret was removed" in told.text
    assert token not in "".join(path.read_text() + path.name for path in scratch.active.rglob("*.md"))


def test_a_pattern_cannot_be_bookmarked(bank, ask):
    """A note may be called `*.md`; its bookmark would keep every note."""
    scratch = bank({"planning/*.md": "# Star\n", "planning/other.md": "# Other\n"})
    with pytest.raises(UsageError):
        ask(scratch, "bookmark", id="note:planning/*.md")
    with pytest.raises(NotFound):
        ask(scratch, "bookmark", id="note:planning/")


def test_resources_are_the_summary_and_the_notes(bank, asked):
    scratch = bank(NOTES)
    page, following = asked(scratch).resources(0)
    assert following is None
    assert [uri for _, uri in page] == [
        f"memorybank://note/{key}" for key in ("implementation/agent.md", "planning/staging.md", "shared/%E8%AA%8D%E8%A8%BC.md")
    ]
    for _, uri in page:
        assert inside(asked(scratch).resource(uri))
    with pytest.raises(NotFound):
        asked(scratch).resource("memorybank://summary")
    (scratch.root / "summary.md").write_text("---\nupdated_at: 2025-09-01T00:00:00Z\n---\nTea is brewed at four.\n")
    assert "Tea is brewed at four." in inside(asked(scratch).resource("memorybank://summary"))


def test_many_notes_are_listed_in_pages(bank, asked):
    scratch = bank({f"planning/n{number:03}.md": f"# N {number}\n" for number in range(250)})
    begin, found = 0, []
    while begin is not None:
        page, begin = asked(scratch).resources(begin)
        found += page
    assert len(found) == len(set(found)) == 250


def test_a_bank_that_cannot_be_written_is_still_answered(bank, ask):
    scratch = bank(NOTES)
    ask(scratch, "status")
    ask(scratch, "search", query="staging")
    for path in [scratch.root, *scratch.root.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert ask(scratch, "search", query="staging").fields["items"]
        assert "reset every Monday" in ask(scratch, "read", id="note:planning/staging.md").text
    finally:
        for path in [scratch.root, *scratch.root.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_weak_matches_and_ranks_are_told_to_the_agent(bank, ask):
    scratch = bank(
        {
            "jitter.md": "# Jitter\n\nA word about the garden wall.\n",
            "upload.md": "---\nrating: 9\n---\n# Upload retries\n\nUploads retry three times with exponential backoff.\n",
            "猫.md": "# 猫\n\n無関係なメモ。\n",
        }
    )
    weak = checked(ask(scratch, "search", query="garden lasagna recipe oven"))
    assert [item.get("weak") for item in weak.fields["items"]] == [True]
    assert "; weak match" in weak.text and "only weak matches: each contains less than half of the query" in weak.fields["notice"]
    good = checked(ask(scratch, "search", query="upload retries backoff"))
    assert "weak" not in good.fields["items"][0] and "weak match" not in good.text and "notice" not in good.fields
    assert good.fields["items"][0]["top_percent"] == 34
    assert "of 10, top 34 %" in ask(scratch, "read", id="note:upload.md").text
