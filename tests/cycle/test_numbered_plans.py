"""A pasted plan that is a numbered list, and the ways in which an agent says that a step is done."""

import pytest

from memorybank.cycle.know.continued import _next_step
from memorybank.cycle.know.plans import steps_of
from tests.cycle.recalling import Remembering, prompt

PLAN = """Here is what we agreed on for the feed. Please begin with step 1 only.

# Feed

Goal: members subscribe to their bookings.

1. Secret address: the token is 32 random bytes, stored as a hash.
2. Rendering: times in UTC, lines folded at 75 octets.
3. Caching: max-age is 900.

Not in scope: writing back.
"""
PLAN_JA = """再発防止の計画です。まずステップ1だけお願いします。

1. 前週の半分未満なら送信しない。
2. 止めたときは前週の同じ曜日の実績をそのまま送る。
3. 天気の応答を検査する。

対象外: しきい値の調整。
"""


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("in this order, start with 1\n1) dump\n2) load in batches\n   - check the sums\n\nthanks", {1: "1) dump", 2: "2) load in batches: check the sums"}),
        ("# Plan\n\n## 1. Tables\n\nUse ints.\n\n## 2. Import\n\nNo stream.\n\n## Not in scope\nfoo", {1: "1. Tables: Use ints.", 2: "2. Import: No stream."}),
        ("**Plan**\n\n1. **Rows**: add\n   1. inner\n2. Files\n\nQuestions:\n1. why\n2. how\n3. when", {1: "1. Rows: add: 1. inner", 2: "2. Files"}),
        ("my plan:\n  (1) first\n  (2) second", {1: "(1) first", 2: "(2) second"}),
        ("計画です\n１．席は番号で持つ\n２．仮押さえは15分\n\nよろしく", {1: "１．席は番号で持つ", 2: "２．仮押さえは15分"}),
        ("手順：\n1、止める\n2、移す", {1: "1、止める", 2: "2、移す"}),
        ("Phase 1: a\n1. x\n2. y\nPhase 2: b\n1. z", {1: "Phase 1: a: 1. x; 2. y", 2: "Phase 2: b: 1. z"}),
        ("Two bugs:\n1. the list is empty\n2. it hangs", {}),
        ("Steps to reproduce:\n1. open\n2. click", {}),
        ("再現手順：\n1. 開く\n2. 押す", {}),
        ("the plan for\n1.5 GB\n2.0 GB", {}),
        ("my plan:\n2. files\n3. sending", {}),
    ],
)  # fmt: skip
def test_the_steps_of_a_numbered_list(text, steps):
    assert steps_of(text) == steps


@pytest.mark.parametrize("said", [
    "Step 1 is implemented in feed.ts.", "Step 1 is in place", "Step 1 (the table) is built and tested.", "I implemented step 1 with hashes.",
    "Finished step 1.", "Step 1 is done and step 2 will be built tomorrow.", "ステップ1を実装しました。", "ステップ1に対応しました。",
    "ステップ1はできています。", "ステップ1の画面を作りました。",
])  # fmt: skip
def test_a_step_is_done(said):
    assert _next_step(said) == 2


@pytest.mark.parametrize("said", [
    "Step 1 is not implemented.", "Step 1 is to be built next.", "Step 1 should be implemented by hand.", "Step 1 isn't finished.",
    "Next I implement step 1.", "Step 1 is half implemented.", "ステップ1を実装します。", "ステップ1はまだ実装していません。",
    "ステップ1は終わっていません。", "ステップ1の実装を始めました。",
])  # fmt: skip
def test_a_step_is_not_done(said):
    assert _next_step(said) == 1


@pytest.mark.parametrize(
    ("plan", "answer", "text", "lines"),
    [
        (PLAN, "Step 1 is implemented: `newToken` is in feed.ts.", "go on", "lines folded at 75 octets"),
        (PLAN, "Step 1 is done, the address is there.", "Please do step 2 now.", "lines folded at 75 octets"),
        (PLAN.replace(". ", ") ").replace("Step", "step"), "Step 1 is done, the address is there.", "what's next?", "lines folded at 75 octets"),
        (PLAN_JA, "ステップ1を実装しました。", "続きをお願いします", "実績をそのまま送る"),
        (PLAN_JA, "ステップ1が終わりました。", "ステップ2お願いします", "実績をそのまま送る"),
    ],
)
def test_its_next_step_is_shown(bank, fixed_clock, plan, answer, text, lines):
    said = _after(bank, fixed_clock, plan, answer, text)
    assert lines in said and "900" not in said and "天気" not in said, said


@pytest.mark.parametrize("text", ["go on", "step 2 please"])
def test_a_list_of_other_things_is_no_plan(bank, fixed_clock, text):
    asked = "Please look at these:\n\n1. The list of rooms is empty.\n2. The sum of the second page is wrong by one.\n"
    said = _after(bank, fixed_clock, asked, "Step 1 was to read the query. The list was empty because of the time zone.", text)
    assert "From the plan" not in said


@pytest.mark.parametrize(
    ("greeting", "asked", "text"),
    [
        ("Good morning.", "The search for free rooms takes four seconds.", "go on"),
        ("Hi Claude!", "The search for free rooms takes four seconds.", "go on"),
        ("おはようございます。", "空き部屋の検索が4秒かかります。", "続けて"),
        ("お疲れ様です。", "空き部屋の検索が4秒かかります。", "続けて"),
    ],
)
def test_a_greeting_is_not_quoted_as_the_request(bank, fixed_clock, greeting, asked, text):
    said = _after(bank, fixed_clock, f"{greeting} {asked}", "The index on rooms was missing, because the migration had dropped it.", text)
    assert asked.rstrip(".。") in said and greeting.rstrip(".。!") not in said, said


def _after(bank, fixed_clock, asked, answer, text):
    """Return what is shown at the first prompt of a session after one with this request and answer."""
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=2)
    session.prompt(asked)
    session.turn_end(answer)
    session.end()
    remembering.session("now").line("session_start", source="startup")
    injection = remembering.fold().ask(prompt(text))
    return "" if injection is None else injection.text
