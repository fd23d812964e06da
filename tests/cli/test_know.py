"""`memorybank know`: what is known is listed with its counts, shown with its sources, rejected for good, and taken back."""

import json

import pytest

from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

REMEDY = "`rtk bun run build` fails here"
RULE = "Never edit the generated schema by hand."
FINDING = "The flaky upload came from the proxy, which drops idle connections after 30 seconds."


def taught(scratch, clock, sessions=3):
    """A bank of some sessions: a command that fails with a wrapper and works without, a rule of a person, an answer."""
    for number in range(sessions):
        work = Session(scratch.layout, clock, f"session-{number}", NOW - (sessions - number) * DAY)
        work.prompt("Build it, please." if number else f"Build it, please. {RULE}")
        work.run("rtk bun run build", error="error: unrecognized subcommand 'bun'")
        work.run("bun run build")
        work.turn_end(FINDING if number == 0 else "The build works now that the compiler runs without its wrapper.")
        work.end()
    return scratch


@pytest.fixture
def scratch(bank, fixed_clock):
    return taught(bank(), fixed_clock)


def ids(run, scratch, *options):
    found = json.loads(run(scratch, "know", "list", "--format", "json", *options).out)
    return {item["text"]: item for item in found}


def id_of(run, scratch, part, *options):
    return next(item["id"] for text, item in ids(run, scratch, *options).items() if part in text)


def test_each_kind_is_listed_with_counts_dates_and_ids(run, scratch):
    found = ids(run, scratch)
    problem = next(item for text, item in found.items() if REMEDY in text)
    rule = next(item for text, item in found.items() if RULE in text)
    finding = next(item for text, item in found.items() if "proxy" in text)
    assert (problem["kind"], problem["sessions"], problem["last"][:10]) == ("problem", 3, "2025-09-16")
    assert (rule["kind"], rule["sessions"], rule["status"]) == ("rule", 1, "in force")
    assert (finding["kind"], finding["last"][:10]) == ("finding", "2025-09-14")
    assert problem["id"].startswith("problem:") and rule["id"].startswith("rule:") and finding["id"].startswith("answer:")


def test_a_kind_and_a_limit_narrow_the_list(run, scratch):
    assert {item["kind"] for item in ids(run, scratch, "--kind", "problem").values()} == {"problem"}
    newest = json.loads(run(scratch, "know", "list", "--kind", "finding", "--limit", "1", "--format", "json").out)
    assert [item["last"][:10] for item in newest] == ["2025-09-16"]


@pytest.mark.parametrize("wide", [80, 120])
def test_on_a_page_nothing_is_wider_than_it(run, scratch, monkeypatch, wide):
    name = id_of(run, scratch, REMEDY)
    monkeypatch.setenv("COLUMNS", str(wide))
    for command in (["know", "list", "--all"], ["know", "show", name]):
        page = run(scratch, *command).out
        assert name in page
        assert all(len(line) <= wide for line in page.splitlines())


def test_show_prints_the_sources_and_why_it_counts(run, scratch):
    shown = run(scratch, "know", "show", id_of(run, scratch, REMEDY)[:12]).out
    assert "`bun run build` helped in 3 of 3 sessions" in shown
    assert "never shown to an agent so far" in shown
    assert shown.count("unrecognized subcommand") == 3
    for day, session in (("2025-09-14", "session-0"), ("2025-09-15", "session-1"), ("2025-09-16", "session-2")):
        assert f"{day}  {session}" in shown
    assert "a person stated it (constraint)" in run(scratch, "know", "show", id_of(run, scratch, RULE)).out
    finding = json.loads(run(scratch, "know", "show", id_of(run, scratch, "proxy"), "--format", "json").out)
    assert FINDING in finding["sources"][0]["text"]


def test_an_unknown_id_and_one_that_is_not_unique_are_refused(run, scratch):
    unknown = run(scratch, "know", "show", "problem:00000000")
    assert (unknown.code, unknown.out) == (3, "")
    assert "know list" in unknown.err
    assert run(scratch, "know", "show", "answer:").code == 2
    assert run(scratch, "know", "reject", "").code == 3
    assert run(scratch, "know", "undo").code == 3


def test_what_is_rejected_is_never_recalled_again(run, scratch):
    problem, rule, finding = (id_of(run, scratch, part) for part in (REMEDY, RULE, "proxy"))
    question = ("recall", "why did the flaky upload lose its idle connections at the proxy?")
    assert REMEDY in run(scratch, "recall").out and "30 seconds" in run(scratch, *question).out
    done = run(scratch, "know", "reject", problem, rule, finding)
    assert (done.code, done.out.count("rejected: ")) == (0, 3)
    started = run(scratch, "recall").out
    assert REMEDY not in started and f'"{RULE}"' not in started
    assert "30 seconds" not in run(scratch, *question).out
    assert REMEDY not in run(scratch, "recall", "--tool", "Bash", "rtk bun run build").out
    assert "rejected by a person on 2025-09-17 (command)" in run(scratch, "recall", "--explain").out
    assert {problem, rule, finding}.isdisjoint(item["id"] for item in ids(run, scratch).values())
    assert {item["status"] for item in ids(run, scratch, "--all").values() if item["id"] in (problem, rule, finding)} == {"rejected"}


def test_a_rejection_is_a_line_that_is_committed_and_outlives_the_cache(run, scratch):
    problem = id_of(run, scratch, REMEDY)
    run(scratch, "know", "reject", problem)
    run(scratch, "know", "reject", problem)
    (line,) = (scratch.root / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line) | {"what": ""} == {"memory": problem, "verdict": "rejected", "at": "2025-09-17T12:34:56.789Z", "by": "command", "what": ""}
    for path in (scratch.root / "cache").iterdir():
        path.unlink()
    assert REMEDY not in run(scratch, "recall").out


def test_undo_takes_the_newest_back_and_restore_a_named_one(run, scratch):
    problem, rule = id_of(run, scratch, REMEDY), id_of(run, scratch, RULE)
    run(scratch, "know", "reject", problem)
    run(scratch, "know", "reject", rule)
    assert run(scratch, "know", "undo").out.startswith(f"restored: {rule}")
    assert f'"{RULE}"' in run(scratch, "recall").out and REMEDY not in run(scratch, "recall").out
    assert run(scratch, "know", "restore", problem).out.startswith(f"restored: {problem}")
    assert REMEDY in run(scratch, "recall").out
    assert run(scratch, "know", "undo").code == 3


def test_a_merge_that_left_its_markers_rejects_all_the_same(run, scratch):
    problem, rule = id_of(run, scratch, REMEDY), id_of(run, scratch, RULE)
    run(scratch, "know", "reject", problem)
    run(scratch, "know", "reject", rule)
    path = scratch.root / "rejected.jsonl"
    ours, theirs = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f"<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> other\n", encoding="utf-8")
    told = run(scratch, "recall").out
    assert REMEDY not in told and f'"{RULE}"' not in told
    run(scratch, "know", "restore", problem)
    assert "=======" in path.read_text(encoding="utf-8")


def test_a_rejection_takes_no_place_of_what_is_known(run, bank, fixed_clock):
    """A start shows four problems: of five with one rejected, the other four."""
    scratch = bank()
    for number in range(2):
        work = Session(scratch.layout, fixed_clock, f"many-{number}", NOW - (2 - number) * DAY)
        for program in ("amber", "birch", "cedar", "dahlia", "elder"):
            work.run(f"wrapped{program} {program} build", error=f"error: {program} is no subcommand")
            work.run(f"{program} build")
    every = [item["id"] for item in ids(run, scratch, "--kind", "problem").values()]
    run(scratch, "know", "reject", every[0])
    assert len(every) == 5
    assert run(scratch, "recall").out.count("fails here") == 4


def test_a_rejected_rule_takes_no_place_of_those_about_a_call(run, bank, fixed_clock):
    """A call shows two rules: of three with the newest rejected, the other two."""
    scratch = bank()
    stated = ("Never push with tags to the mirror.", "Always push release branches at night.", "Never push drafts of the handbook.")
    for number, rule in enumerate(stated):
        work = Session(scratch.layout, fixed_clock, f"rule-{number}", NOW - (9 - number) * DAY)
        work.prompt(rule)
        work.end()
    call = ("recall", "--tool", "Bash", "git push")
    assert [rule in run(scratch, *call).out for rule in stated] == [False, True, True]
    run(scratch, "know", "reject", id_of(run, scratch, stated[2], "--kind", "rule"))
    assert [rule in run(scratch, *call).out for rule in stated] == [True, True, False]
    assert "rejected by a person" in run(scratch, *call, "--explain").out


def test_a_rule_that_another_replaced_is_named_with_it(run, bank, fixed_clock):
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "changed", NOW - 2 * DAY)
    work.prompt("Always use npm for the packages.")
    work.prompt("From now on always use pnpm for the packages instead of npm.")
    in_force = ids(run, scratch, "--kind", "rule")
    every = ids(run, scratch, "--kind", "rule", "--all")
    assert [item["status"] for item in in_force.values()] == ["in force"]
    assert sorted(item["status"] for item in every.values()) == ["in force", "superseded"]
    old = next(item for item in every.values() if item["status"] == "superseded")
    assert "superseded on 2025-09-15 by rule:" in run(scratch, "know", "show", old["id"]).out


def test_what_a_role_alone_may_see_is_neither_listed_nor_committed(run, bank, fixed_clock):
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "hidden", NOW - DAY)
    work.prompt("Never mention the merger with Acme.", acl="agent", privacy="agent-only", role="planner")
    assert run(scratch, "know", "list", "--format", "json").out.strip() == "[]"
    (mine,) = json.loads(run(scratch, "know", "list", "--role", "planner", "--format", "json").out)
    assert run(scratch, "know", "reject", mine["id"]).code == 3
    assert not (scratch.root / "rejected.jsonl").exists()


def test_nothing_known_is_said(run, bank):
    assert run(bank(), "know", "list").out == "nothing is known yet; recorded sessions add to it\n"


def test_a_tick_is_shown_with_what_is_known(run, scratch):
    problem = id_of(run, scratch, REMEDY)
    assert run(scratch, "tick", problem[:13], "wrong").out == f"wrong: {problem}\n"
    assert "marked wrong by a person on 2025-09-17" in run(scratch, "know", "show", problem).out
    assert REMEDY in run(scratch, "recall").out, "a problem only carries the mark"


def test_a_derived_memory_marked_wrong_is_recalled_no_more(run, scratch):
    question = ("recall", "why did the flaky upload lose its idle connections at the proxy?")
    finding = id_of(run, scratch, "proxy")
    assert "30 seconds" in run(scratch, *question).out
    run(scratch, "tick", finding, "wrong")
    assert "30 seconds" not in run(scratch, *question).out
    assert "marked wrong on 2025-09-17" in run(scratch, *question, "--explain").out
    run(scratch, "tick", finding, "helpful")
    assert "30 seconds" in run(scratch, *question).out


def test_what_nobody_knows_cannot_be_ticked(run, scratch):
    for name in ("answer:never", "note:planning/never.md", "note:", ""):
        assert run(scratch, "tick", name, "helpful").code in (2, 3)
    assert run(scratch, "tick", id_of(run, scratch, REMEDY), "splendid").code == 2
    assert not (scratch.root / "log" / "ticks.jsonl").exists()


def test_an_agent_ticks_only_what_it_may_see(run, scratch, fixed_clock):
    from memorybank.bank import Bank
    from memorybank.errors import NotFound

    work = Session(scratch.layout, fixed_clock, "hidden", NOW - DAY)
    work.prompt("Never mention the merger with Acme.", acl="agent", privacy="agent-only", role="planner")
    (hidden,) = (item["id"] for text, item in ids(run, scratch, "--role", "planner", "--kind", "rule").items() if "Acme" in text)
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    for role in (None, "reviewer"):
        with pytest.raises(NotFound):
            bank.seen_by(role).tick(hidden, "wrong")
    assert bank.seen_by("planner").tick(hidden, "wrong") == hidden
    problem = id_of(run, scratch, REMEDY)
    assert bank.seen_by(None).tick(problem, "helpful") == problem
    assert "marked helpful by an agent on 2025-09-17" in run(scratch, "know", "show", problem).out
