"""An agent that searches is shown what earlier sessions said about what it searches for, in English and Japanese."""

from pathlib import Path

import pytest

from memorybank.cycle.event import MAIN, SUCCESS, TOOL_AFTER, TOOL_BEFORE, Event
from memorybank.cycle.fold import schema
from memorybank.cycle.recall import recollect
from memorybank.cycle.router import HookRouter
from tests.cycle.recalling import Remembering, assert_gives_way_when_rejected, before

SETUP = (
    "Can you look at the first run of the tool in a new clone?",
    "`EnsureSetup` is never called on the path with `--agent`, so the branch of sessions is created only at the first checkpoint.\n\n"
    "The documentation of the flag is complete.",
    "is never called on the path with `--agent`",
)
CLOSING = (
    "月末の締め処理を見てください。",
    "`close_month` は請求書を締めたあとに在庫評価額を計算します。先に計算すると、当月の返品が含まれないためです。",
    "先に計算すると、当月の返品が含まれないため",
)
OTHER = ("Rewrite the introduction of the tone guide.", "`docs/tone.md` begins with an example now, because readers skip the rules.")
SEARCHES = {"english": (SETUP, "func.*EnsureSetup\\("), "japanese": (CLOSING, "close_month|在庫評価額")}
BOTH = frozenset((TOOL_BEFORE, TOOL_AFTER))


@pytest.fixture
def said(bank, fixed_clock):
    """said((request, answer), …, asks) → a bank in which each pair was a session, and a current session with a request."""

    def make(*turns, asks="Please continue with the next point."):
        remembering = Remembering(bank({}), fixed_clock)
        for number, (request, answer) in enumerate(turns):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number)
            session.prompt(request)
            session.turn_end(answer)
            session.end()
        now = remembering.session("now")
        now.line("session_start", source="startup")
        now.prompt(asks)
        return remembering.fold()

    return make


def result(tool, inputs, number=1, **fields):
    return Event(
        host="claude-code", name=TOOL_AFTER, session_id="now", tool=tool, inputs=inputs, status=SUCCESS, output="…", agent_id=MAIN, agent_role=MAIN,
        tool_use_id=f"toolu_{number}", strong_id=f"toolu_{number}", **{"delivery": True, **fields},
    )  # fmt: skip


def searched(remembering, pattern, delivers=BOTH, tool="Grep", **fields):
    """Return the text that a hook shows with the result of a search; "" for none."""
    found = HookRouter(remembering.base, delivers).answer(result(tool, {"pattern": pattern, "path": f"{remembering.root()}/src"}, **fields))
    return "" if found is None else found.text


@pytest.mark.parametrize("language", SEARCHES)
def test_a_search_brings_what_was_said_about_it(said, language):
    (request, answer, finding), pattern = SEARCHES[language]
    text = searched(said((request, answer), OTHER), pattern)
    assert finding in text
    assert "session earlier-" in text


@pytest.mark.parametrize("command", ["grep -rn 'EnsureSetup' cmd", "cd cmd && rg -A 3 EnsureSetup strategy | head", "git grep EnsureSetup"])
def test_a_search_in_the_shell_does_too(said, command):
    remembering = said(SETUP[:2], OTHER)
    assert SETUP[2] in remembering.ask(before("Bash", {"command": command})).text


def test_of_several_things_one_is_enough(said):
    assert SETUP[2] in searched(said(SETUP[:2], OTHER), "checkLinger|EnsureSetup|removeWidget")


@pytest.mark.parametrize(
    ("answer", "pattern", "shown"),
    [
        (
            "The repository has three changes:\n- Added the field `imported` to the interface of the rows of evaluations\n"
            "- Added the field `isImported`, which is optional, to the interface of the items of the history, and to its test\n"
            "- `getRecentEvaluations` must select the new field, too\n",
            "getRecentEvaluations.*select.*new field",
            "changes: Added the field `imported` to the interface of the rows of evaluations; `getRecentEvaluations` must select the new field, too; …",
        ),
        (
            "在庫の画面を三か所変更しました:\n- "
            + "一覧に `imported` の列を追加し、" * 6
            + "並べ替えもできます\n- "
            + "詳細に `isImported` を追加し、" * 5
            + "保存します\n"
            "- `recent_items` の検索条件には新しい列が必要\n",
            "recent_items",
            "並べ替えもできます; `recent_items` の検索条件には新しい列が必要; …",
        ),
    ],
    ids=["english", "japanese"],
)
def test_of_a_long_list_the_items_about_it_are_shown(said, answer, pattern, shown):
    assert shown in searched(said(("Show imported evaluations in the list.", answer), OTHER), pattern)


def test_it_comes_once(said):
    remembering = said(SETUP[:2], OTHER)
    assert searched(remembering, "EnsureSetup")
    assert not searched(remembering, "EnsureSetup", number=2)


def test_the_same_said_by_another_session_is_not_shown_in_addition(said):
    """Another thing that it said about what is searched for is shown."""
    other = "`EnsureSetup` is never called on the path with `--agent`: the branch of sessions appears at the first checkpoint."
    more = "`EnsureSetup` must not run in a bare repository, because it has no folder for hooks."
    pattern = "EnsureSetup.*never called.*path.*agent|EnsureSetup.*bare repository"
    remembering = said(SETUP[:2], (SETUP[0], other), (SETUP[0], more), OTHER)
    shown = [searched(remembering, pattern, number=number) for number in range(3)]
    assert [sum(part in text for text in shown) for part in ("is never called", "bare repository")] == [1, 1]


@pytest.mark.parametrize(
    "pattern",
    ["EnsureTeardown", "func", "setup", "the", "session", "ensure.*widget.*linger", "返品", "", ".*"],
)
def test_a_search_for_something_else_starts_no_recall(said, pattern, monkeypatch):
    """Common words, and names of which only a part is known, are no evidence."""
    remembering = said(SETUP[:2], CLOSING[:2], OTHER)
    monkeypatch.setattr(recollect, "Draft", None)
    assert not searched(remembering, pattern)


def test_what_many_passages_name_is_not_answered(said):
    """Nothing tells which of them is meant."""
    many = [
        ("Where is it called?", f"`EnsureSetup` is called by `step{number}` of the path with `--agent`, because it needs a branch.") for number in range(13)
    ]
    assert not searched(said(*many), "EnsureSetup.*path.*agent.*branch")
    assert searched(said(*many[:3]), "EnsureSetup.*path.*agent.*branch")


def test_a_sentence_without_what_it_leads_in_to_is_no_answer(said):
    assert not searched(
        said((SETUP[0], "**Add a call of `EnsureSetup` on the path with `--agent`:**\n\n```go\na\nb\nc\nd\n```"), OTHER), "EnsureSetup.*path.*agent"
    )


def test_parts_of_several_names_are_no_evidence_together(said, monkeypatch):
    """Each of these names shares a part with the passage, and so do the folders, but it contains none of them."""
    remembering = said(SETUP[:2], OTHER)
    monkeypatch.setattr(recollect, "Draft", None)
    inputs = {"pattern": "createBranchWidget|firstFrobnicator|ensureLingerGadget|sessionsKettle", "path": f"{remembering.root()}/src/checkpoint/agent/path"}
    assert HookRouter(remembering.base, BOTH).answer(result("Grep", inputs)) is None


@pytest.mark.parametrize(("delivers", "delivery"), [(BOTH, False), (frozenset(), False)])
def test_a_host_that_accepts_no_memory_there_is_shown_nothing(said, delivers, delivery):
    assert not searched(said(SETUP[:2], OTHER), "EnsureSetup", delivers=delivers, delivery=delivery)


def test_a_list_of_what_ran_is_no_answer(said):
    answer = "All tests of `EnsureSetup` pass.\n\n| function | result |\n| --- | --- |\n| `EnsureSetup` | ok |\n"
    assert not searched(said(("Run the tests.", answer), OTHER), "EnsureSetup")


def test_a_context_that_was_shown_enough_is_left_alone(said):
    remembering = said(SETUP[:2], OTHER)
    shown = [{"memory": f"answer:other.{number}", "kind": "finding", "shown": True, "tokens": 20} for number in range(4)]
    remembering.session("now").expose(*shown)
    assert not searched(remembering, "EnsureSetup")


def test_what_a_person_rejected_is_not_shown(said):
    remembering = said(SETUP[:2], OTHER)
    assert_gives_way_when_rejected(remembering, before("Grep", {"pattern": "EnsureSetup"}))


def test_what_others_may_not_see_stays_with_them(said):
    remembering = said(OTHER)
    session = remembering.session("private", days_ago=3)
    session.prompt(SETUP[0], acl="session")
    session.turn_end(SETUP[1], acl="session")
    remembering.fold()
    assert not searched(remembering, "EnsureSetup")


@pytest.mark.parametrize("pattern", ["caf\udce9 EnsureSetup", "\x00EnsureSetup", "Ensure" * 5_000])
def test_a_pattern_that_no_text_contains_loses_no_event(said, pattern):
    remembering = said(SETUP[:2], OTHER)
    router = HookRouter(remembering.base, BOTH)
    router.answer(result("Grep", {"pattern": pattern}))
    router.answer(result("Glob", {"pattern": pattern}, number=2))
    assert router.refused is None
    assert len(remembering.lines("now", TOOL_AFTER)) == 2


def test_a_cache_that_cannot_be_read_says_nothing(said):
    remembering = said(SETUP[:2], OTHER)
    Path(schema.path(remembering.scratch.layout)).write_bytes(b"no database")
    assert not searched(remembering, "EnsureSetup")
