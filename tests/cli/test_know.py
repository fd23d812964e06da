"""`memorybank know`: what is known is listed with its counts, shown with its sources, rejected for good, and taken back."""

import json

import pytest

from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

REMEDY = "`rtk bun run build` fails here"
RULE = "Never edit the generated harbour schema by hand."
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


RETOLD = {
    "English": (
        "Why is the upload flaky? Look into it.",
        FINDING,
        "The uploads are flaky because the proxy drops idle connections after 30 seconds.",
        "The flaky upload came from the balancer, which drops idle connections after 90 seconds.",
        "why did the flaky upload lose its idle connections after a few seconds?",
    ),
    "Japanese": (
        "アップロードが失敗する原因を調べてください。",
        "アップロードが失敗する原因は、30秒でアイドル接続を切るプロキシです。",
        "プロキシが30秒でアイドル接続を切るため、アップロードが失敗していました。",
        "アップロードが失敗する原因は、90秒でアイドル接続を切るバランサです。",
        "アップロードが失敗してアイドル接続が切れるのはなぜですか。",
    ),
}


@pytest.fixture(params=RETOLD)
def retold(request, bank, fixed_clock):
    """A finding, later what says the same, then a correction, each of another session; with other work around them."""
    asked, first, again, corrected, question = RETOLD[request.param]
    scratch = bank()
    other = ("The kettle boils.", "The lid fits.", "A spout was soldered.")
    for number, answer in enumerate((first, other[0], again, other[1], corrected, other[2])):
        work = Session(scratch.layout, fixed_clock, f"retold-{number}", NOW - (30 - number) * DAY)
        work.prompt(asked if answer not in other else f"Look at part {number}.")
        work.turn_end(answer)
        work.end()
    return scratch, first, again, corrected, ("recall", question)


def test_a_rejected_finding_stays_rejected_however_it_is_told_again(run, retold):
    scratch, first, again, corrected, question = retold
    run(scratch, "know", "reject", id_of(run, scratch, first))
    name, other = (id_of(run, scratch, told, "--rejected") for told in (first, again))
    said = run(scratch, *question).out
    assert first not in said and again not in said and corrected in said
    explained = " ".join(run(scratch, *question, "--explain").out.split())
    assert f"says the same as {name}, rejected by a person on 2025-09-17 (command)" in explained
    listed = ids(run, scratch)
    assert corrected in listed and first not in listed and again not in listed
    assert set(ids(run, scratch, "--rejected")) == {first, again}
    assert {ids(run, scratch, "--all")[told]["status"] for told in (first, again)} == {"rejected"}
    assert f"says the same as {name}, rejected by a person" in " ".join(run(scratch, "know", "show", other).out.split())
    assert other in run(scratch, "know", "show", name).out


@pytest.mark.parametrize("how", ["undo", "restore"])
def test_taking_the_rejection_back_brings_every_telling_back(run, retold, how):
    scratch, first, again, *_ = retold
    name = id_of(run, scratch, first)
    run(scratch, "know", "reject", name)
    assert run(scratch, "know", how, *([name] if how == "restore" else [])).code == 0
    assert {first, again} <= set(ids(run, scratch))
    assert run(scratch, "know", "list", "--rejected").out == "nothing is rejected\n"


def test_one_telling_can_be_restored_alone(run, retold):
    scratch, first, again, *_ = retold
    run(scratch, "know", "reject", id_of(run, scratch, first))
    other = id_of(run, scratch, again, "--rejected")
    assert run(scratch, "know", "restore", other).out.startswith(f"restored: {other}")
    listed = ids(run, scratch)
    assert again in listed and first not in listed
    assert "restored on 2025-09-17 (command)" in run(scratch, "know", "show", other).out
    assert run(scratch, "know", "restore", other).code == 3


def test_a_colleague_who_found_the_same_has_the_rejection_with_the_commit(run, retold, bank, fixed_clock):
    scratch, first, again, *_ = retold
    run(scratch, "know", "reject", id_of(run, scratch, first))
    theirs = bank()
    work = Session(theirs.layout, fixed_clock, "theirs", NOW - DAY)
    work.prompt("Why does it fail?")
    work.turn_end(again)
    work.end()
    assert again in ids(run, theirs)
    (theirs.root / "rejected.jsonl").write_bytes((scratch.root / "rejected.jsonl").read_bytes())
    assert again not in ids(run, theirs)


def test_a_finding_that_not_everybody_may_see_is_rejected_by_digests(run, bank, fixed_clock):
    scratch = bank()
    for number, answer in enumerate((FINDING, RETOLD["English"][2])):
        work = Session(scratch.layout, fixed_clock, f"hidden-{number}", NOW - (9 - number) * DAY)
        scope = {"acl": "agent", "privacy": "agent-only", "role": "main"}
        work.prompt("Why is the upload flaky?", **scope)
        work.turn_end(answer, **scope)
        work.end()
    run(scratch, "know", "reject", id_of(run, scratch, FINDING))
    (line,) = (scratch.root / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    fields = json.loads(line)
    assert "what" not in fields and set(fields["claim"]) == {"terms", "names", "negated"}
    assert not any(word in line for word in ("upload", "proxy", "idle", "flak"))
    assert ids(run, scratch) == {}
    run(scratch, "know", "undo")
    assert len(ids(run, scratch)) == 2


def test_no_place_of_this_machine_is_written_with_a_rejection(run, bank, fixed_clock, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "places", NOW - DAY)
    work.prompt("Where is the cache?")
    work.turn_end("The compiler reads its cache from /home/ann/.cache/kettle and never cleans it.")
    work.end()
    run(scratch, "know", "reject", id_of(run, scratch, "compiler"))
    line = (scratch.root / "rejected.jsonl").read_text(encoding="utf-8")
    assert "ann" not in line and "~/.cache/kettle" in line


def test_what_came_of_earlier_work_leaves_out_what_is_rejected(run, bank, fixed_clock):
    """An answer is also shown as the result of what was asked, and where a prompt continues its session."""
    scratch = taught(bank(), fixed_clock, sessions=1)
    scratch.configure("cycle", '{"budgets": {"episodes": 0}}')
    commands = (("recall", "Let us continue where we left off last time."), ("recall", f"Build it, please. {RULE}"))
    assert ["30 seconds" in run(scratch, *command).out for command in commands] == [True, True]
    run(scratch, "know", "reject", id_of(run, scratch, "proxy"))
    assert ["30 seconds" in run(scratch, *command).out for command in commands] == [False, False]


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


@pytest.mark.slow
@pytest.mark.parametrize("said", ["I pushed it by hand", "手動でプッシュしました"])
def test_what_one_call_is_told_can_be_listed_shown_and_rejected(run, bank, fixed_clock, said):
    scratch = bank()
    work = Session(scratch.layout, fixed_clock, "earlier", NOW - 2 * DAY)
    work.prompt(said)
    work.run("git commit -m tides", error="Author identity unknown")
    work.run("cat tides.json | jq .high", error="bash: line 1: jq: command not found")
    work.end()
    for part, call, why in (
        (said, "git push", "a person said so in 1 session"),
        ("`git commit` failed", "git commit -m jetty", "failed when it was last run"),
        ("`jq` was not found", "cat a | jq .b", "it failed when it was last run by its name alone"),
    ):
        name = id_of(run, scratch, part)
        assert part in run(scratch, "recall", "--tool", "Bash", call).out
        shown = run(scratch, "know", "show", name).out
        assert why in shown and "earlier" in shown
        assert run(scratch, "know", "reject", name).code == 0
        assert part not in run(scratch, "recall", "--tool", "Bash", call).out
        assert name not in {item["id"] for item in ids(run, scratch).values()}
        assert run(scratch, "know", "restore", name).code == 0
        assert part in run(scratch, "recall", "--tool", "Bash", call).out


@pytest.mark.parametrize(("said", "order"), [("I pushed it by hand", "push it, please"), ("手動でプッシュしました", "プッシュしてください")])
def test_what_a_person_did_before_they_asked_for_it_is_superseded(run, bank, fixed_clock, said, order):
    scratch = bank()
    for number, prompt in enumerate((said, order)):
        work = Session(scratch.layout, fixed_clock, f"session-{number}", NOW - (2 - number) * DAY)
        work.prompt(prompt)
        work.end()
    assert not any(said in text for text in ids(run, scratch))
    assert [item["status"] for text, item in ids(run, scratch, "--all").items() if said in text and item["kind"] == "rule"] == ["superseded"]
