"""The record of failures: each failed call, and what was done instead, or first, to make it work."""

import pytest

from memorybank.cycle.fold import logs, repairs

PRIVATE = {"acl": "session", "privacy": "private", "hold": True}


@pytest.fixture
def kept(base, cache):
    """kept() → [(form, whether it was repaired, {(how, remedy)})] of every failure, in order, after folding everything."""

    def rows():
        logs.fold(base, cache, wait=True)
        found = cache.execute("SELECT id, form, mended IS NOT NULL FROM failures ORDER BY file, offset").fetchall()
        remedies = "SELECT how, remedy FROM remedies WHERE failure = ?"
        return [(form, bool(mended), set(cache.execute(remedies, (number,)).fetchall())) for number, form, mended in found]

    return rows


def test_a_failure_keeps_its_form_its_call_and_what_went_wrong(base, cache, session):
    session().run("cd app && bun run lint --fix src/a.ts", error="error: script `lint` is not defined", tool_use_id="t1")
    logs.fold(base, cache, wait=True)
    form, call, error, said, mended = cache.execute("SELECT form, call, error, said, mended FROM failures").fetchone()
    assert (form, call, mended) == ("bun run lint", "t1", None)
    assert said == "error: script `lint` is not defined"
    assert {"script", "lint", "bun"} <= set(error.split())


def test_the_same_command_mends_a_failure_and_what_ran_between_was_done_first(session, kept):
    work = session()
    work.run("pytest tests/a.py", error="ModuleNotFoundError: No module named 'yaml'")
    work.run("pip install pyyaml")
    work.run("pytest tests/a.py -k one")
    assert kept() == [("pytest", True, {("first", "pip install pyyaml")})]


def test_a_command_without_the_word_before_it_is_what_to_use_instead(session, kept):
    """What ran in between is no remedy in this case; the other command is."""
    work = session()
    work.run("rtk bun run test", error="error: unknown command bun")
    work.run("make clean")
    work.run("bun run test")
    assert kept() == [("rtk bun run test", True, {("instead", "bun run test")})]


def test_a_word_put_before_the_command_is_what_to_use_instead(session, kept):
    work = session()
    work.run("pytest -q", error="pytest: command not found")
    work.run("uv run pytest -q")
    work.run("tox pytest")
    assert kept() == [("pytest", True, {("instead", "uv run pytest")})]
    other = session("s2")
    other.run("manage.py check", error="permission denied")
    other.run("python manage.py check")
    assert kept()[1] == ("manage.py check", True, {("instead", "python manage.py check")})


def test_a_part_of_the_command_that_mends_was_done_first(session, kept):
    work = session()
    work.run("git commit -m one", error="error: gitleaks found tmp/clones/x")
    work.run("rm -rf tmp/clones && git commit -m one")
    assert kept() == [("git commit", True, {("first", "rm -rf tmp/clones")})]


def test_of_a_command_of_several_parts_the_last_one_failed(session, kept):
    work = session()
    work.run("make clean && make check", error="make: *** [check] Error 2")
    work.run("make clean")
    assert kept() == [("make check", False, set())]
    work.run("make check")
    assert kept() == [("make check", True, {("first", "make clean")})]


def test_what_only_looked_is_no_remedy(session, kept):
    work = session()
    work.run("make", error="make: *** [all] Error 2")
    work.run("git status")
    work.run("ls -l src")
    work.run("make")
    assert kept() == [("make", True, set())]


@pytest.mark.parametrize(("program", "remedy"), [("dotnet", set()), ("cargo", set()), ("npm run", {("first", "npm run build")})])
def test_a_build_is_no_remedy_for_a_command_that_builds_by_itself(session, kept, program, remedy):
    work = session()
    work.run(f"{program} test", error="error: tide is missing")
    work.run(f"{program} build")
    work.run(f"{program} test")
    assert kept() == [(f"{program} test", True, remedy)]


def test_one_success_mends_every_open_failure_of_its_form(session, kept):
    work = session()
    work.run("make", error="Error 1")
    work.run("make", error="Error 2")
    work.run("docker compose up -d")
    work.run("make")
    work.run("docker compose down")
    work.run("make")
    assert kept() == [("make", True, {("first", "docker compose up")})] * 2, "what follows the success is no part of it"


@pytest.mark.parametrize("other", ["ruff check tests/a.py", "make", "git push"])
def test_another_command_mends_nothing(session, kept, other):
    work = session()
    work.run("pytest tests/a.py", error="ImportError: no module named b")
    work.run(other)
    assert kept() == [("pytest", False, set())]


def test_an_unknown_outcome_mends_nothing_and_is_no_remedy(session, kept):
    work = session()
    work.run("make", error="Error 1")
    work.run("docker compose up -d", status="unknown")
    work.run("make", status="unknown")
    assert kept() == [("make", False, set())]
    work.run("make")
    assert kept() == [("make", True, set())]


def test_a_call_that_a_person_stopped_is_no_failure(session, kept):
    session().run("make", status="partial", reason="interrupted")
    assert kept() == []


def test_what_a_failure_led_to_is_forgotten_once_it_is_mended(base, cache, session):
    work = session()
    work.run("make", error="Error 1")
    for number in range(9):
        work.run(f"tool{number} run")
    logs.fold(base, cache, wait=True)
    (failure,) = cache.execute("SELECT DISTINCT failure FROM steps_since").fetchone()
    assert len(repairs.commands_since(cache, failure)) == 6, "later commands did not prepare anything"
    work.run("make")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT count(*) FROM steps_since").fetchone() == (0,)


def test_a_skill_that_failed_is_mended_by_the_command_it_asks_for(session, kept):
    work = session()
    work.line("tool_after", tool="Skill", inputs={"other": {"skill": "commit"}}, status="failure", error="Unknown skill: commit")
    work.run("git commit -m one")
    assert kept() == [("Skill commit", True, {("instead", "git commit")})]


@pytest.mark.parametrize(("tool", "error"), [("Edit", "String to replace not found in file."), ("Read", "File does not exist."), ("Write", "EACCES")])
def test_failures_of_a_hosts_own_tools_are_kept_and_mended_by_nothing(session, kept, tool, error):
    """Another call of such a tool teaches nothing, so these failures are not open problems."""
    work = session()
    work.edit("src/a.py", tool=tool, status="failure", error=error)
    work.edit("src/a.py", tool=tool)
    work.run("make src/a.py")
    assert kept() == [(tool, True, set())]


def test_another_agent_and_another_scope_mend_nothing(session, kept):
    work = session()
    work.run("make", error="Error 1")
    work.run("make", agent="a1")
    work.run("make", **PRIVATE)
    assert kept() == [("make", False, set())]
    work.run("rm -rf private/x", **PRIVATE)
    work.run("make")
    assert kept() == [("make", True, set())], "nothing narrow is a remedy that everybody sees"


def test_an_agent_of_the_same_role_mends_nothing_either(session, kept):
    work = session()
    work.run("make", error="Error 1", agent="a1")
    work.run("make", agent="a2")
    assert kept() == [("make", False, set())]
    work.run("make", agent="a1")
    assert kept() == [("make", True, set())]


def test_a_failure_keeps_who_may_see_it(base, cache, session):
    work = session()
    work.run("make", error="Error 1", **PRIVATE)
    work.run("make", error="Error 1", agent="a1")
    logs.fold(base, cache, wait=True)
    rows = cache.execute("SELECT acl, privacy, hold, session, agent, role FROM failures ORDER BY offset").fetchall()
    assert rows == [("session", "private", 1, "s1", "main", "main"), ("user", "agent-only", 0, "s1", "a1", "explorer")]


def test_forms_and_chains_count_every_command_once_however_it_ended(base, cache, session):
    one, two = session("one"), session("two")
    one.run("rtk git status && rtk git log | head", error="fatal: not a repository")
    one.run("rtk git status")
    two.run("rtk ls", status="unknown", id="unclear")
    two.run("rtk ls", event="correction", corrects="unclear")
    two.run("cd src && FOO=1 make")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT program, word, uses FROM chains WHERE program IN ('rtk', 'make', 'cd') ORDER BY 1, 2").fetchall() == [
        ("make", "", 1),
        ("rtk", "git", 3),
        ("rtk", "ls", 1),
    ]
    forms = cache.execute("SELECT form, name FROM forms JOIN files f ON f.id = file ORDER BY 1, 2").fetchall()
    assert [row for row in forms if row[0] != "head"] == [
        ("make", "two.jsonl"),
        ("rtk git log", "one.jsonl"),
        ("rtk git status", "one.jsonl"),
        ("rtk ls", "two.jsonl"),
    ]


def test_a_corrected_outcome_fails_and_mends_like_one_that_was_known(session, kept):
    work = session()
    work.run("make", status="unknown", id="first")
    work.run("make", status="unknown", id="second")
    work.run("make", error="Error 1", event="correction", corrects="first")
    assert kept() == [("make", False, set())]
    work.run("make", event="correction", corrects="second")
    assert kept() == [("make", True, set())]


def test_a_remark_belongs_to_the_failure_it_was_made_after(base, cache, session):
    work = session()
    work.prompt("Make the build pass.")
    work.run("make", error="Error 1", tool_use_id="t1")
    work.turn_end("Done.", remarks=[{"after": "t1", "text": "The build failed because the generated parser was stale."}])
    logs.fold(base, cache, wait=True)
    rows = cache.execute("SELECT text, form FROM passages JOIN failures x ON x.id = failure WHERE kind = 'remark'").fetchall()
    assert rows == [("The build failed because the generated parser was stale.", "make")]
