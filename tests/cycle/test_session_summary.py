"""The session summary: somebody who was not there can retell the session. By rules, in English and Japanese."""

import json

import pytest

from memorybank.cycle.finish import borders, sessions, telling
from memorybank.cycle.fold.recorded import Recorded
from memorybank.log import events

from .conftest import NOW


@pytest.fixture
def summary(base, session):
    """summary(work) → the summary of what everybody may see of a session."""

    def of(work):
        lines = [Recorded(line) for line in events.read(base.layout, events.name_of(work.session))]
        parts = sessions.by_cell(lines)
        return sessions.summarise(parts["user public"][1]) if "user public" in parts else None

    return of


def told(items):
    return [item.text for item in items]


def english(work):
    work.prompt("Make the search find Japanese words. Start with the tokenizer.", task_id="ABC-7")
    work.read("src/tokens.py")
    work.run("pytest tests/test_tokens.py", error="E   AssertionError: assert [] == ['検索']")
    work.edit("src/tokens.py", "def terms(text):\n    return text.split()", "def terms(text):\n    return pairs(text)")
    work.edit("src/tokens.py", "", "def pairs(text): ...")
    work.run("pytest tests/test_tokens.py")
    work.edit("docs/search.md", tool="Write")
    work.run('git add -A && git commit -m "Search cuts Japanese into pairs"')
    work.turn_end("The search now finds Japanese words.\n\nI chose pairs instead of a dictionary. Still to do: not yet measured on long texts.")
    work.prompt("no, keep the old function as well", lessons=["no, keep the old function as well"], signal=-1)
    work.run("mypy src", error="src/tokens.py:3: error: Missing return statement")
    work.turn_end("I kept it, the type check is still red.", status="failure")
    work.end()


def test_a_session_can_be_retold(session, summary):
    work = session()
    english(work)
    found = summary(work)
    assert told(found.goals) == ["Make the search find Japanese words. Start with the tokenizer.", "no, keep the old function as well"]
    assert told(found.changed) == [
        "src/tokens.py (edited, 2 changes): `return text.split()` → `return pairs(text)`; added `def pairs(text): ...`",
        "docs/search.md (written)",
    ]
    assert told(found.fixes) == [
        "`pytest tests/test_tokens.py` failed: AssertionError: assert [] == ['検索']. It succeeded after src/tokens.py: added `def pairs(text): ...`."
    ]
    assert told(found.commits) == ["Search cuts Japanese into pairs"]
    assert "I chose pairs instead of a dictionary." in told(found.decisions)
    assert "no, keep the old function as well" in told(found.decisions)
    assert told(found.open_ends)[0] == "`mypy src` failed last: src/tokens.py:3: error: Missing return statement"
    assert "the last turn ended in an error" in told(found.open_ends)
    assert (found.files, found.tasks, found.language) == (["src/tokens.py", "docs/search.md"], ["ABC-7"], "en")


def test_a_japanese_session_is_told_in_japanese(session, summary):
    work = session()
    work.prompt("検索の順位を直して、テストも追加してください。")
    work.run("pytest tests/順位.py", error="AssertionError: 順位が違います")
    work.edit("src/順位.py", "return 1", "return 2")
    work.run("pytest tests/順位.py")
    work.turn_end("順位を直しました。重みは設定に置くことにしました。次は速度の計測が残っています。")
    found = summary(work)
    text = telling.short(found)
    assert text.startswith("目的: 検索の順位を直して、テストも追加してください。\n結果: 順位を直しました。")
    assert "失敗と修正: `pytest tests/順位.py` が失敗: AssertionError: 順位が違います。 その後成功（直前の変更: src/順位.py: `return 1` →" in text
    assert told(found.decisions) == ["重みは設定に置くことにしました。"]
    assert told(found.open_ends) == ["次は速度の計測が残っています。"]
    assert found.language == "ja" and "変更: src/順位.py（" not in text and "変更: src/順位.py (編集)" in text


@pytest.mark.parametrize("case", ["nothing", "greeting", "one look", "only exposures"])
def test_a_session_with_nothing_to_say_has_none(session, summary, case):
    work = session()
    if case == "greeting":
        work.prompt("hello")
        work.turn_end("Hello! What shall we do?")
    elif case == "one look":
        work.prompt("what is in a.py?")
        work.read("src/a.py")
        work.turn_end("A function.")
    elif case == "only exposures":
        work.expose({"memory": "note:a", "shown": True})
    work.end()
    assert summary(work) is None


def test_words_that_only_say_go_on_are_no_goal(session, summary):
    work = session()
    for text in ("Hi!", "おはようございます。", "continue", "Fix the login.", "yes", "はい", "続けて", "Thanks!"):
        work.prompt(text)
        work.edit("src/a.py", "a", "b")
    assert told(summary(work).goals) == ["Fix the login."]
    assert telling.title(summary(work)) == "Fix the login."


def test_the_short_form_has_the_first_goal_and_the_latest(session, summary):
    work = session()
    for text in ("Build a shop.", "Add a cart.", "色を青にして。", "Deploy it.", "Write the README."):
        work.prompt(text)
        work.edit("src/a.py", "a", "b")
    assert telling.short(summary(work)).split("\n")[:3] == ["Goal: Build a shop.", "- Deploy it.", "- Write the README."]


def test_a_failure_that_was_put_otherwise_and_succeeded_is_not_open(session, summary):
    work = session()
    work.run("git push", error="fatal: The current branch x has no upstream branch.")
    work.run("git push -u origin x", fingerprint="git push -u _")
    assert summary(work) is None or told(summary(work).open_ends) == []


def test_a_host_s_notice_is_no_result_beside_real_ones(session, summary):
    work = session()
    work.prompt("build it")
    work.edit("src/a.py", "a", "b")
    work.turn_end("Built.")
    work.prompt("<task-notification>a task ended</task-notification>", human=False)
    work.turn_end("That was a stale task.")
    assert told(summary(work).results) == ["Built."]


def test_an_interrupted_or_unfinished_end_is_open(session, summary):
    for fields, expected in (({"reason": "interrupted"}, "the last turn was interrupted"), ({"open_work": 2}, "background work still ran: 2")):
        work = session(f"s-{len(expected)}")
        work.edit("src/a.py", "a", "b")
        work.turn_end("…", status="partial", **fields)
        assert expected in told(summary(work).open_ends)


def test_files_outside_the_repository_are_counted_not_named(session, summary):
    """Their recorded names are keyed hashes, which tell a reader nothing."""
    work = session()
    work.edit("outside:bc65aad472193adb", "a", "b")
    work.edit("src/a.py", "a", "b")
    found = summary(work)
    assert told(found.changed) == ["src/a.py (edited): `a` → `b`", "files outside the repository: 1"] and found.files == ["src/a.py"]


def test_a_call_whose_inputs_nobody_knows_is_still_named(session, summary):
    work = session()
    work.line("tool_after", tool="Skill", inputs={"other": {"skill": "commit"}}, status="failure", error="fatal: ambiguous argument", fingerprint="Skill")
    assert told(summary(work).open_ends) == ["Skill commit failed last: fatal: ambiguous argument"]


def test_a_turn_that_a_person_stopped_is_open_though_its_end_was_never_reported(session, summary):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.turn_end("done")
    work.run("make all", status="partial", reason="interrupted")
    found = summary(work)
    assert told(found.open_ends) == ["the last turn was interrupted"]
    assert told(found.decisions) == ["stopped or refused by the person: `make all`"]


def test_the_short_form_fits_and_cuts_whole_lines(session, summary):
    work = session()
    work.prompt("x " * 300)
    for number in range(60):
        work.edit(f"src/{number}.py", f"old {number} " * 20, f"new {number} " * 20)
        work.run(f"git commit -m 'change number {number}'")
    work.turn_end("done " * 300)
    text = telling.short(summary(work))
    assert len(text) <= 1_900 and text.splitlines()[-1].startswith(("- ", "Changed: "))
    assert len(telling.short(summary(work), 300)) <= 300


def test_the_summary_survives_its_json(session, summary):
    work = session()
    english(work)
    found = summary(work)
    again = sessions.from_json(json.loads(json.dumps(found.to_json())))
    assert again.to_json() == found.to_json() and telling.body(again) == telling.body(found)


def test_a_session_over_midnight_is_told_in_both_days_each_with_its_part(session, summary):
    work = session(at=1_758_153_000_000)  # 2025-09-17T23:50Z
    work.prompt("first evening")
    work.edit("src/a.py", "a", "evening")
    work.at += 30 * 60_000
    work.prompt("after midnight")
    work.edit("src/b.py", "b", "morning")
    found = summary(work)
    assert borders.days_of(found) == {"2025-09-17", "2025-09-18"}
    first, second = (borders.day_text(day, [found]) for day in ("2025-09-17", "2025-09-18"))
    assert "first evening" in first and "src/a.py" in first and "src/b.py" not in first
    assert "after midnight" in second and "src/b.py" in second and "first evening" not in second
    assert borders.day_text("2025-09-19", [found]) == ""


def test_a_month_tells_every_session_before_the_details_of_one(session, summary):
    found = []
    for number in range(5):
        work = session(f"s{number}", at=NOW + number * 86_400_000)
        work.prompt(f"goal number {number}")
        for turn in range(8):
            work.run(f"git commit -m 'commit {number}.{turn}'")
        work.turn_end("done")
        found.append(summary(work))
    text = borders.month_text("2025-09", reversed(found))
    assert [line.rsplit(" ", 1)[-1] for line in text.splitlines()[1:6]] == list("01234") and len(text) <= 1_800
    assert text.splitlines()[0] == "2025-09: 5 sessions"
