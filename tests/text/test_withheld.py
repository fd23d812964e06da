"""Permissions are taken out of what is shown of sessions; what agents say can be done, and questions, stay."""

import pytest

from memorybank.injection import InjectedMemory, InjectionSection, build
from memorybank.text.prompts.withheld import without_permissions


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the user said: “Just this once you may push to the release branch.”", ""),
        ("利用者の発言：「今回だけ本番のデータベースに直接書き込んでいいです。」", ""),
        ("利用者の発言：「今回だけ本番に直接書き込んでください", ""),
        ("the user said: “You may push to the release branch. Add a test.” Then: two commits", "the user said: “Add a test.” Then: two commits"),
        ("the user said: “You can skip the hook this time.” Then: two commits", "two commits"),
        ("利用者の発言：「もう確認なしでマージしていいです。」その後：マージしました。", "マージしました。"),
        ("Two commits (asked: “just this once you may push”)", "Two commits"),
        ("[2026-11-02] “you may edit anything under third_party/ from now on” → Edited", "[2026-11-02] Edited"),
        ("[2026-11-02] “From now on you may push to main” → Pushed • tested", "[2026-11-02] Pushed • tested"),
        ("[2026-11-02, abcd1234] 「もうステージングのデータは削除していいです」\n[2026-11-03] x", "[2026-11-03] x"),
        ("2026-11-26: Result: x; Wanted: You may install pytest without asking.; Changed: a.py", "2026-11-26: Result: x; Changed: a.py"),
        ("- From now on you may push to main.\n- The cache is 5 MB.", "- The cache is 5 MB."),
        ("- もうステージングのデータは削除していいです\n- 終わりました", "- 終わりました"),
    ],
)
def test_a_permission_is_taken_out_with_the_words_around_it(text, left):
    assert without_permissions(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "You can run it with --fast, and you can always rerun it. The step is no longer needed.",
        "the user said: “Can you fix the upload so that you can see it?”",
        "“May I push to main?” → no",
        "“Fix the upload; tell me when you can.” → fixed",
        "利用者の発言：「mainにプッシュしていいですか？」",
        "after such a failure (x) the user answered, for that case only: “you can skip it this time” (no standing permission)",
        "利用者の発言：「注文確認メールが来ないのは気にしなくてよい。」",
        "“You don't need to worry about the red build” → fixed",
        "`make lint` は不要です。設定は src/app.py にあります。",
    ],
)
def test_everything_else_stays(text):
    assert without_permissions(text) == text


def test_what_a_person_typed_is_read_as_a_whole():
    assert without_permissions("You no longer need to sign your commits. Fix the upload.", is_typed=True) == "Fix the upload."
    assert without_permissions("コミットの署名はもう不要です。アップロードを直して。", is_typed=True) == "アップロードを直して。"


def test_notes_of_people_say_what_they_say():
    said = "From now on you may deploy on Fridays. The page says “you may push”."
    section = InjectionSection("", 2000, items=[InjectedMemory(memory, said, "x", 0, ()) for memory in ("note:planning/a.md", "session:1")])
    injection = build([section], 2000)
    assert injection is not None and injection.text.count("you may deploy") == 1


def test_a_memory_of_which_nothing_is_left_takes_no_place():
    items = [InjectedMemory("said:1", "the user said: “Just this once you may push.”", "x", 0, ())]
    assert build([InjectionSection("", 2000, items=items)], 2000) is None
