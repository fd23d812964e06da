"""`memorybank recall`: what an agent would be shown, why, and what recall did so far."""

import json

import pytest

from memorybank.bank import Bank
from tests.cycle.recalling import Remembering, prompt

from .remembered import prompted, talk, worthless

NOTES = {
    "planning/retry.md": "# Upload retries\n\nUploads are retried three times with jitter, see src/upload.py.\n",
    "shared/再送.md": "# 再送の上限\n\nアップロードの再送は三回まで。詳細は src/upload.py を参照。\n",
    "sync/secret.md": "---\nacl: agent\nprivacy: agent-only\nagent_created: planner\n---\n# Upload retries of planners\n\nUploads are retried secretly.\n",
}


@pytest.mark.parametrize(("words", "key"), [(["how are", "uploads retried?"], "planning/retry.md"), (["再送の上限はアップロードで何回？"], "shared/再送.md")])
def test_it_shows_the_injected_text(run, bank, words, key):
    """A note that nobody has indexed yet is found: the command brings the index up to date as a search does."""
    found = run(bank(NOTES), "recall", *words)
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("<memorybank-memory>\n")
    assert found.out.endswith("</memorybank-memory>\n")
    assert f"[note {key}; 2025-09-07; recalled for " in found.out
    assert "secretly" not in found.out


def test_silence_says_why(run, bank):
    scratch = bank(NOTES)
    assert run(scratch, "recall", "水彩画の展覧会の費用").out == "nothing would be injected: no memory has enough in common with it\n"
    assert run(scratch, "recall", "ok").out == "nothing would be injected: it has too few words that say what it is about\n"
    assert run(bank(), "recall").out == "nothing would be injected: nothing is known yet\n"
    start = run(scratch, "recall")
    assert start.out.startswith("nothing would be injected: a session starts with what earlier sessions taught, which is nothing yet; notes are shown")
    assert "memorybank recall 'TEXT'" in start.err
    scratch.configure("cycle", '{"recall": {"enabled": {"prompt": false}}}')
    assert "recall.enabled.prompt" in run(scratch, "recall", "how are uploads retried?").out


def test_explain_shows_what_was_asked_every_score_and_what_came_near(run, bank):
    scratch = bank({**NOTES, "b.md": "# Jitter\n\nA word about other things."})
    near = run(scratch, "recall", "a word about lasagna", "--explain").out
    assert "moment: prompt\nwords: word, lasagna\nanchors: none\n" in near
    [row] = [line for line in near.splitlines() if "note:b.md" in line]
    assert row.split()[:2] == ["-", "4"] and row.endswith("  one word in common is a coincidence")
    shown = run(scratch, "recall", "how are uploads retried?", "--explain").out
    assert "size: " in shown
    [row] = [line for line in shown.splitlines() if " note:planning/retry.md " in line]
    assert row.split()[:2] == ["1", "0"] and "importance + " in row


def test_what_is_suppressed_is_named_with_its_reason(run, bank, fixed_clock):
    """By the policy, by learning, and not in the memory that has proved useful; what is shown in its place is not named as left out."""
    scratch = bank(NOTES)
    talk(scratch, fixed_clock, "ferry", "why does the ferry leave late?", "The ferry leaves the harbour late because its tide table is of 1987.")
    talk(scratch, fixed_clock, "roof", "what keeps the roof dry?", "Two layers of slate keep the roof dry, above them the copper gutter.")
    talk(scratch, fixed_clock, "bread", "when is the bread baked?", "The bread is baked at four, before the market opens.")

    def recalled():
        return json.loads(run(scratch, "recall", "is the ferry late at the harbour for its tide table?", "--format", "json").out)

    [shown] = recalled()["shown"]
    assert shown["kind"] == "finding" and "1987" in recalled()["text"]
    worthless(scratch, shown["memory"], "finding", "prompt")
    found = recalled()
    assert [item["why"] for item in found["near"] if item["memory"] == shown["memory"]] == [
        ["suppressed by learning since 2025-09-17: shown 6 times at this moment, and not used"]
    ]
    run(scratch, "policy", "set", "exclusions", "finding@prompt")
    found = recalled()
    assert found["text"] is None
    assert {tuple(item["why"]) for item in found["near"]} == {("suppressed by policy 1, which excludes finding@prompt",)}
    run(scratch, "policy", "set", "exclusions", "finding@failure")
    assert recalled()["near"] and "excludes" not in str(recalled()["near"])


def test_what_is_suppressed_is_logged_before_other_shadows(run, bank, fixed_clock):
    """Only its shadows can bring it back, and a line holds three of them."""
    scratch = bank({f"planning/{number}.md": f"# Pier {number}\n\nPier {number} is drawn by src/pier.py.\n" for number in range(6)})
    talk(scratch, fixed_clock, "ferry", "why does the ferry leave late?", "The ferry leaves the harbour late because its tide table is of 1987.")
    run(scratch, "policy", "set", "exclusions", "finding@prompt")
    run(scratch, "policy", "set", "top_k", "1")
    told = prompted(scratch, fixed_clock, "now", "is the ferry of src/pier.py late at the harbour for its tide table?")
    assert len(told.sizes) == 1
    (line,) = [line for line in Bank.open(str(scratch.root), clock=fixed_clock).log.lines("now") if line["event"] == "exposure"]
    first, *shadows = line["exposures"]
    assert first["shown"] is True and len(shadows) == 3 and not any(one["shown"] for one in shadows)
    assert (shadows[0]["kind"], shadows[0].get("excluded")) == ("finding", True)


def test_the_start_of_a_session_says_why_it_leaves_something_out(run, bank, fixed_clock):
    scratch = bank()
    for number in range(2):
        talk(scratch, fixed_clock, f"tests{number}", "did you add tests for it?", "Yes, three.")
    for number, wish in enumerate(
        (
            "Never touch the vendored parser, because another team keeps a copy of it and merges it by hand every quarter.",
            "Always write commit messages in English, since the customers in Canada read them too when they upgrade.",
            "Never log the e-mail address of a customer, not even in a debug build that only we can see.",
        )
    ):
        talk(scratch, fixed_clock, f"wish{number}", wish, "Understood.")
    talk(scratch, fixed_clock, "deictic", "It should never try to open a branch without a base.", "Understood.")

    def left_out():
        return sorted(why for item in json.loads(run(scratch, "recall", "--format", "json").out)["near"] for why in item["why"])

    assert left_out() == [
        "beyond the budget for the start of a session",
        "it does not say what it is about, so it is shown only where it applies",
        "people asked for it in 2 sessions so far; a start shows it from 3 sessions on",
    ]


def test_a_first_prompt_says_why_it_leaves_out_the_last_session(run, bank, fixed_clock):
    scratch = bank()
    talk(scratch, fixed_clock, "ferry", "why does the ferry leave late?", "The ferry leaves the harbour late because its tide table is of 1987.")

    def recalled():
        found = json.loads(run(scratch, "recall", "continue where we left off", "--format", "json").out)
        return [item["memory"] for item in found["shown"]], {item["memory"]: item["why"] for item in found["near"]}

    assert recalled() == (["session:ferry"], {})
    run(scratch, "policy", "set", "exclusions", "session@prompt")
    assert recalled() == ([], {"session:ferry": ["suppressed by policy 1, which excludes session@prompt"]})
    run(scratch, "policy", "set", "exclusions", "none")
    worthless(scratch, "session:ferry", "session", "prompt")
    assert recalled() == ([], {"session:ferry": ["suppressed by learning since 2025-09-17: shown 6 times at this moment, and not used"]})
    scratch.configure("cycle", '{"budgets": {"last_session": 20}}')
    assert recalled() == ([], {})


def test_each_memory_that_was_left_out_has_its_true_reason(run, bank):
    others = {f"planning/{number}.md": f"# Plan {number}\n\nStep {number} of the garden wall.\n" for number in range(30)}
    scratch = bank({**NOTES, **others, "b.md": "# Pictures\n\nThe uploads of pictures are retried with jitter.\n"})

    def near(*arguments):
        return {item["memory"]: item for item in json.loads(run(scratch, "recall", *arguments, "--format", "json").out)["near"]}

    asked = ("how are uploads retried with jitter in three times as of src?",)
    found = near(*asked)["note:b.md"]
    assert found["why"][0].startswith("another note matches far better: ") and found["rank"] is None and found["band"] >= 1
    run(scratch, "policy", "set", "top_k", "1")
    edit = ("--tool", "Edit", "--file", "src/upload.py")
    assert [item["why"] for item in near(*edit).values()] == [["beyond the first 1 or the budget"]]
    run(scratch, "policy", "set", "top_k", "5")
    run(scratch, "policy", "set", "min_score", "0.95")
    assert {tuple(item["why"]) for item in near(*edit).values()} == {("its score is below 0.95",)}


@pytest.mark.parametrize("wide", [40, 80])
def test_on_a_narrow_page_nothing_of_scores_and_numbers_is_cut(run, bank, monkeypatch, wide):
    scratch = bank(NOTES)
    monkeypatch.setenv("COLUMNS", str(wide))
    explained = run(scratch, "recall", "再送の上限はアップロードで何回？", "--explain").out.partition("</memorybank-memory>")[2]
    stats = run(scratch, "recall", "stats").out
    for page in (explained, stats):
        assert all(len(line) <= wide for line in page.splitlines())
        assert "\n".join(page.split()).count("…") == 0
    assert "context_match" in explained and "because of" in explained and "note:shared/再送.md" in explained
    assert "subagent_start  0 injected" in stats and "0 silent" in " ".join(stats.split())


def test_json_has_the_text_the_scores_and_the_reasons(run, bank):
    scratch = bank(NOTES)
    found = json.loads(run(scratch, "recall", "--tool", "Edit", "--file", "src/upload.py", "--format", "json").out)
    assert found["moment"] == "tool_before"
    assert found["anchors"] == ["file:src/upload.py"]
    assert {item["memory"] for item in found["shown"]} == {"note:planning/retry.md", "note:shared/再送.md"}
    for item in found["shown"]:
        assert item["why"] == ["src/upload.py"]
        assert item["score"] == pytest.approx(min(1, sum(item["parts"].values())), abs=0.001)
    assert found["utf16"] == len(found["text"].encode("utf-16-le")) // 2
    silent = json.loads(run(scratch, "recall", "nothing of that kind", "--format", "json").out)
    assert silent["text"] is None
    assert (silent["reason"], silent["code"]) == ("no memory has enough in common with it", "silence.no_match")


def test_a_role_sees_what_is_its_own(run, bank):
    scratch = bank(NOTES)
    assert "secretly" in run(scratch, "recall", "how are uploads of planners retried?", "--role", "planner").out
    assert "secretly" not in run(scratch, "recall", "how are uploads of planners retried?", "--role", "reviewer").out


def test_each_moment_can_be_asked(run, bank):
    scratch = bank(NOTES)
    (scratch.root / "summary.md").write_text("---\nupdated_at: 2025-09-01T00:00:00Z\n---\nBody.\n")
    assert "## Resident memory summary" in run(scratch, "recall").out
    assert "Resident" not in run(scratch, "recall", "--role", "reviewer").out
    assert "jitter" in run(scratch, "recall", "--moment", "failure", "--tool", "Bash", "uploads retried three times with jitter").out
    assert run(scratch, "recall", "--moment", "never").code == 2


def test_another_day_is_answered_without_touching_the_cache(run, bank):
    scratch = bank(NOTES)
    run(scratch, "recall", "how are uploads retried?")
    cache = scratch.snapshot("cache")
    now, later = (json.loads(run(scratch, "recall", "how are uploads retried?", "--format", "json", *extra).out) for extra in ((), ("--as-of", "+30d")))
    assert later["shown"][0]["parts"]["recency"] < now["shown"][0]["parts"]["recency"]
    assert {name: digest for name, (digest, _) in scratch.snapshot("cache").items()} == {name: digest for name, (digest, _) in cache.items()}


def test_what_was_not_written_yet_is_not_recalled(run, bank):
    scratch = bank(NOTES)
    cache = run(scratch, "recall", "how are uploads retried?") and scratch.snapshot("cache")
    assert "nothing would be injected" in run(scratch, "recall", "how are uploads retried?", "--as-of", "2020-01-01").out
    assert "nothing would be injected" in run(scratch, "recall", "--as-of", "2020-01-01").out
    assert {name: digest for name, (digest, _) in scratch.snapshot("cache").items()} == {name: digest for name, (digest, _) in cache.items()}
    assert "jitter" in run(scratch, "recall", "how are uploads retried?").out


def test_nothing_is_written_to_the_log(run, bank):
    scratch = bank(NOTES)
    run(scratch, "index")
    log = scratch.snapshot("log")
    run(scratch, "recall", "how are uploads retried?", "--session", "s1")
    assert scratch.snapshot("log") == log


def test_a_session_is_named_by_the_beginning_of_its_id(run, bank, fixed_clock):
    """`status` prints the first eight characters."""
    scratch = bank(NOTES)
    run(scratch, "index")
    memory = Remembering(scratch, fixed_clock)
    for session in ("11111111-aaaa", "22222222-aaaa", "22222222-bbbb"):
        memory.ask(prompt("how are uploads retried?", session=session))
    asked = ("recall", "how are uploads retried?", "--session")
    told = {given: run(scratch, *asked, given) for given in ("11111111-aaaa", "11111111", "22222222", "no-such")}
    assert told["11111111"].out == told["11111111-aaaa"].out != told["no-such"].out
    assert told["11111111"].err == told["11111111-aaaa"].err == ""
    assert told["no-such"].err.startswith("memorybank: session not found: 'no-such'; list the sessions with: memorybank log list")
    assert "matches 2 sessions" in told["22222222"].err


def test_stats_of_a_bank_without_sessions(run, bank):
    found = run(bank(), "recall", "stats")
    assert found.code == 0
    assert "prompt" in found.out
    assert "they do not show what memory contributed" in found.out
    numbers = json.loads(run(bank(), "recall", "stats", "--format", "json").out)
    assert [row["moment"] for row in numbers["moments"]] == ["session_start", "prompt", "tool_before", "failure", "subagent_start"]
    assert numbers["moments"][1] == {
        "moment": "prompt",
        "firings": 0,
        "injected": 0,
        "abstentions": 0,
        "memories": 0,
        "tokens": 0,
        "used": 0,
        "precision": None,
    }


def test_without_a_bank_it_says_what_to_do(run, bank, tmp_path):
    scratch = bank()
    for path in (scratch.active, scratch.root):
        path.rmdir()
    found = run(scratch, "recall", "x")
    assert found.code == 3
    assert "memorybank init" in found.err


def test_a_text_from_standard_input_is_a_prompt_and_one_that_nobody_asked_for_is_named(bank, process):
    scratch = bank(NOTES)
    asked = process(scratch, "recall", "-", stdin="how are uploads retried?")
    assert asked.code == 0 and asked.out.startswith("<memorybank-memory>")
    ignored = process(scratch, "recall", stdin="how are uploads retried?")
    assert ignored.code == 0 and "'memorybank recall -' reads the text from it" in ignored.err
