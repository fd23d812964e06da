"""A first prompt that only asks to go on is shown what the last session left: its result, what it named as next, and the phase of the pasted plan."""

import pytest

from memorybank.cycle.know import continued, plans
from tests.cycle.recalling import Remembering, prompt, start

PLAN = """here is the plan for the billing export, please start with phase 1

# Billing export

## Phase 1: rows
Read the rows in pages of 100.

## Phase 2: files
- one file per month, names are zero padded
- refuse to overwrite a file without --force

## Phase 3: sending
Exit with 2 if the bank refuses the file.
"""
PLAN_JA = """移行の計画です。フェーズ1から始めてください。

# 倉庫の移行計画

## フェーズ1 型の整理
金額は整数、日時は UTC。

## フェーズ2 取り込み
ストリーミング挿入は使わない（料金のため）。

## フェーズ3 並行稼働
4週間は両方に入れ、差異が3日連続でゼロなら切り替える。
"""


@pytest.fixture
def played(bank, fixed_clock):
    """played((days ago, task, request, answer, …), …, start=) → a bank in which each was a session, and the current session has begun."""

    def make(*sessions, task=None, start=False):
        remembering = Remembering(bank({}), fixed_clock)
        for number, (ago, of_task, *texts) in enumerate(sessions):
            session = remembering.session(f"earlier-{number}", days_ago=ago)
            for request, answer in zip(texts[::2], texts[1::2], strict=True):
                session.prompt(request, task_id=of_task)
                session.turn_end(answer, task_id=of_task)
            session.end(task_id=of_task)
        now = remembering.session("now")
        now.line("session_start", source="startup", task_id=task)
        return remembering.fold()

    return make


def shown(remembering, text):
    injection = remembering.ask(prompt(text))
    return "" if injection is None else injection.text


BILLING = (6, None, PLAN, "Phase 1 is done: the export reads pages of 100 rows. Phase 2 (the files) is next.")
WAREHOUSE = (6, None, PLAN_JA, "フェーズ1の型を整理しました。金額は整数で持ちます。フェーズ1は完了、次はフェーズ2の取り込みです。")
LOGO = (2, None, "Draw the logo.", "The logo is drawn as one SVG path, because the printer merges shapes. The dark variant is still missing.")


@pytest.mark.parametrize(
    "text", ["go on", "ok, continue please", "what's next?", "anything left?", "続けて", "続きお願いします", "次は何だっけ？", "where were we?"]
)
def test_go_on_shows_what_the_last_session_left(played, text):
    said = shown(played(BILLING, LOGO), text)
    assert "one SVG path" in said and "dark variant is still missing" in said and "pages of 100" not in said, said


@pytest.mark.parametrize("text", ["phase 2 now", "carry on with phase 2", "let's start phase 2 of the billing export", "is anything left of the billing plan?"])
def test_a_phase_is_shown_with_its_lines_of_the_pasted_plan(played, text):
    said = shown(played(BILLING, LOGO), text)
    assert "zero padded" in said and "without --force" in said and "Phase 2 (the files) is next" in said, said
    assert "Exit with 2" not in said and "SVG" not in said, said


@pytest.mark.parametrize("text", ["フェーズ2やりましょう。ブランチ feature/load で", "移行の続き、次は何だっけ", "移行の残りは何がある？"])
def test_so_is_it_in_japanese(played, text):
    said = shown(played(WAREHOUSE, LOGO), text)
    assert "ストリーミング挿入は使わない" in said and "並行稼働" not in said and "SVG" not in said, said


def test_what_comes_after_a_finished_phase_is_next(played):
    done = (3, None, "残りやって", "取り込みを main に入れました。フェーズ2は完了、次は並行稼働です。")
    said = shown(played(WAREHOUSE, done, LOGO), "移行の続き、次は何だっけ")
    assert "フェーズ2は完了、次は並行稼働です" in said and "3日連続でゼロ" in said, said


def test_the_last_session_of_the_same_task_comes_first(played):
    other = (5, "billing", "Add the export.", "The export reads pages of 100 rows, because larger ones are cut. The retry is still missing.")
    assert "The retry is still missing" in shown(played(other, LOGO, task="billing"), "go on")
    assert "SVG" in shown(played(other, LOGO), "go on")


def test_work_that_nobody_knows_is_not_guessed(played):
    assert shown(played(BILLING, LOGO), "continue with the tokenizer") == ""


def test_a_phase_that_no_plan_has_gets_no_lines(played):
    assert "From the plan" not in shown(played(BILLING, LOGO), "phase 7 now")


@pytest.mark.parametrize("text", ["go on", "what's next?", "続けて"])
def test_what_the_start_has_shown_is_not_repeated(played, text):
    remembering = played(LOGO)
    started = remembering.ask(start())
    assert started is not None and "one SVG path" in started.text and "still missing" in started.text
    assert shown(remembering, text) == ""


def test_what_the_start_did_not_show_is_said(played):
    remembering = played(BILLING)
    started = remembering.ask(start())
    assert started is not None and "(the files) is next" in started.text and "zero padded" not in started.text
    said = shown(remembering, "phase 2 now")
    assert "zero padded" in said and "(the files) is next" not in said, said


@pytest.mark.parametrize("text", ["go on", "続けて", "what's next?"])
def test_within_a_session_the_agent_knows_what_is_meant(played, text):
    remembering = played(BILLING, LOGO)
    remembering.session("now").prompt("look at the mails please")
    assert shown(remembering, text) == ""


def test_what_is_shown_is_short(played):
    long = (
        2,
        None,
        "Draw the logo.",
        "The logo is drawn as one SVG path, because the printer merges shapes. " * 3 + "The dark variant of it is still missing. " * 5,
    )
    plan = (1, None, PLAN.replace("Read the rows", "Read the rows in one pass over everything " * 20), "Phase 1 is next.")
    for sessions in ((long,), (long, plan)):
        assert len(shown(played(*sessions), "go on")) < 800


TILES = """the import of the map tiles, step by step please. start with step one

# Tile import

Step 1: download
Fetch the tiles with 4 connections.

Step 2: projection
Drop tiles above zoom 14.

Step 3: packing
One file with a checksum table.
"""
BOOKING = """予約システムのplanです。読んでstep1からお願い

# 予約システム

## ステップ1: 席の管理
席は番号で持つ。

## ステップ2: 仮押さえ
仮押さえは15分で自動解放する。

## ステップ3: 前払い
前払いは1人500円、当日取消は返金しない。
"""
FILES = (
    5,
    None,
    "merge it, then phase 2 of the billing export",
    "The branch is merged. For phase 2 the files have one month each. The refusal to overwrite is still missing.",
)
TWO = (
    BILLING,
    (5.5, None, TILES, "Step 1 is done: tiles are fetched with 4 connections. Step 2 (projection) is next."),
    FILES,
    LOGO,
)
TWO_JA = (
    (9, None, BOOKING, "ステップ1の席の管理ができました。次はステップ2の仮押さえです。"),
    WAREHOUSE,
    (5, None, "予約のstep2お願い", "ステップ2のうち、仮押さえの登録ができました。自動解放の処理がまだ残っています。"),
    LOGO,
)


@pytest.mark.parametrize("text", ["is it merged? if not merge it. then phase 2 of the billing plan", "phase2 plz", "go on with the 2nd phase"])
def test_a_phase_shows_its_last_session_and_not_the_one_before(played, text):
    said = shown(played(*TWO), text)
    assert "zero padded" in said and "refusal to overwrite is still missing" in said, said
    assert "is next" not in said and "zoom 14" not in said and "SVG" not in said, said


@pytest.mark.parametrize("text", ["step2 of the tile import, on a branch tiles", "next step of the tile import", "whats the state of main? then step two"])
def test_of_several_plans_the_one_that_is_named(played, text):
    said = shown(played(*TWO), text)
    assert "zoom 14" in said and "Step 2 (projection) is next" in said and "zero padded" not in said and "overwrite" not in said, said


@pytest.mark.parametrize("text", ["予約step2いこう", "マージ終わったら予約のステップ２に進んで", "ステップ2の続きをお願いします"])
def test_so_is_it_with_two_japanese_plans(played, text):
    said = shown(played(*TWO_JA), text)
    assert "15分で自動解放" in said and "自動解放の処理がまだ" in said and "次はステップ2" not in said and "ストリーミング" not in said, said


def test_a_phase_that_nobody_began_has_its_lines_and_the_last_session_of_its_plan(played):
    said = shown(played(*TWO_JA), "予約のstep3先にやる。文面は短く")
    assert "1人500円" in said and "自動解放の処理がまだ" in said and "ストリーミング" not in said, said


@pytest.mark.parametrize(
    ("request_", "answer"),
    [("go on", "An existing file is kept unless `--force` is given."), ("protect existing files", "The refusal to overwrite is in, `--force` skips it.")],
)
def test_an_open_point_that_a_later_session_closed_is_over(played, request_, answer):
    said = shown(played(BILLING, FILES, (4, None, request_, answer), LOGO), "phase 2 of the billing plan")
    assert "zero padded" in said and "--force" in said and "still missing" not in said, said


def test_the_last_version_of_a_plan_counts(played):
    later = (3, None, PLAN.replace("zero padded", "in lower case"), "I read the new version of the plan.")
    said = shown(played(BILLING, later, LOGO), "phase 2 now")
    assert "in lower case" in said and "zero padded" not in said, said


@pytest.mark.parametrize("text", ["step through the debugger please", "the build stops in phase 2 with exit code 3", "手順を2回繰り返すテストを足して"])
def test_a_step_that_is_only_mentioned_shows_no_plan(played, text):
    assert "From the plan" not in shown(played(*TWO), text)


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ("Phases 1 and 2 work. Next: Phase 3: show completed jobs on a page.", 3),
        ("Step 3: build the deployed image", 3),
        ("Phase 2 needs a live database", 2),
        ("Step 2 is blocked until CI is ready", 2),
        ("残りはフェーズ3：完了したジョブの一覧です。", 3),
        ("フェーズ2は完了条件が未定です", 2),
        ("Step 2: done", 3),
        ("Step 1 is implemented and tested.", 2),
        ("ステップ2が終わりました。残りはステップ3です。", 3),
    ],
)
def test_the_step_that_is_open_is_next_whatever_its_title_says(said, step):
    assert continued._next_step(said) == step


def test_a_list_of_faults_is_no_plan():
    assert plans.steps_of("Users on the free plan report these bugs, please fix them:\n1. login is grey\n2. the export is empty") == {}
    assert plans.steps_of("料金プランのページです。次の不具合を直して。\n1. 画面が白い\n2. CSVが空") == {}
    assert list(plans.steps_of("Here is the plan:\n1. parse\n2. write")) == [1, 2]
