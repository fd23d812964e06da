"""Which part of a project's work a text names or a prompt begins, and what is put off until one."""

import pytest

from memorybank.text.prompts.milestones import begun_by, is_put_off, milestones_in, puts_off

PHASE, STEP = False, True


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("revisit in Phase 6", {(PHASE, "6")}),
        ("docs/phases/phase-8.1-locking.md", {(PHASE, "8.1")}),
        ("step two, then stage 3", {(STEP, "2"), (PHASE, "3")}),
        ("sprint 4 and iteration 5", {(PHASE, "4"), (PHASE, "5")}),
        ("フェーズ6とステップ２", {(PHASE, "6"), (STEP, "2")}),
        ("第三段階", {(PHASE, "3")}),
        ("フェーズ2.1", {(PHASE, "2.1")}),
        ("6 tests in phases of the moon", set()),
    ],
)
def test_parts_are_named_by_their_number(text, named):
    assert milestones_in(text) == named


@pytest.mark.parametrize(
    ("prompt", "part"),
    [
        ("ok it's time to start with Phase 6", (PHASE, "6")),
        ("let's document all of this as a phase 8.1", (PHASE, "8.1")),
        ("plan sprint 3 please", (PHASE, "3")),
        ("フェーズ6の実装計画を立てて", (PHASE, "6")),
        ("第二段階に進めたいです", (PHASE, "2")),
        ("why did phase 6 fail?", None),
        ("the error comes in step 3", None),
        ("start phase 6, phase 7 can wait", None),
        ("ステップ3でエラーが出ます", None),
        ("start the server", None),
        ("sprint3を始めましょう", (PHASE, "3")),
        ("continue with part 2 of the migration plan", (PHASE, "2")),
        ("この計画のステップ2を実装して", (STEP, "2")),
        ("don't start phase 6 yet", None),
        ("what is left to do in phase 6?", None),
        ("did you do phase 6?", None),
        ("フェーズ6はまだ始めないで", None),
        ("フェーズ6の実装は終わりましたか", None),
        ("write part 1 of the form", None),
        ("implement step 2 of the wizard", None),
        ("the wizard's step 2 should validate, implement it", None),
        ("ウィザードのステップ2を実装して", None),
    ],
)
def test_a_short_prompt_begins_one(prompt, part):
    assert begun_by(prompt) == part


@pytest.mark.parametrize(
    ("sentence", "is_for_later"),
    [
        ("Not yet — revisit in Phase 6", True),
        ("Berths belong on the list when phase 6 lands.", True),
        ("Ferry times → Phase 6", True),
        ("The lock will be needed in phase 6.", True),
        ("満潮の通知はフェーズ6で対応します。", True),
        ("フェーズ6まで保留です。", True),
        ("Phase 6 is implemented.", False),
        ("Phase 6 — marked complete", False),
        ("フェーズ6は実装済みです。", False),
        ("Phase 6 has three slices.", False),
        ("Do not defer this to phase 6.", False),
        ("The lock was deferred until phase 6 and then dropped.", False),
        ("Should we defer the lock to phase 6?", False),
        ("~~Ferry times → Phase 6~~", False),
        ("フェーズ6で対応済みです。", False),
        ("フェーズ6で追加しました。", False),
        ("フェーズ6に先送りしました。", True),
        ("フェーズ6では対応しません。", False),
    ],
)
def test_what_is_put_off_is_told_from_what_is_done(sentence, is_for_later):
    assert is_put_off(sentence) is is_for_later


@pytest.mark.parametrize("sentence", ["The user will see the form in step 2.", "Once the file is there, step 2 opens later.", "ステップ2で項目を追加します。"])
def test_what_happens_in_a_step_is_not_put_off(sentence):
    assert not is_put_off(sentence, until_step=True)


@pytest.mark.parametrize("sentence", ["Leave it for step 2.", "ステップ2まで保留です。"])
def test_what_waits_for_a_step_is(sentence):
    assert is_put_off(sentence, until_step=True)


@pytest.mark.parametrize(
    ("heading", "off"),
    [
        ("What I would defer", True),
        ("Out of scope", True),
        ("今後の対応", True),
        ("Changes", False),
        ("", False),
        ("Left sidebar", False),
        ("Open a PR", False),
        ("残り時間", False),
    ],
)
def test_a_heading_puts_its_items_off(heading, off):
    assert puts_off(heading) is off
