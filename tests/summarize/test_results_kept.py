"""What came of a session is kept though it begins like an order, is said twice, or has a semicolon in its code, in English and Japanese."""

import pytest

from memorybank.cycle.know.gist import gist
from memorybank.cycle.know.results import came_of
from memorybank.summarize import listed
from memorybank.summarize.findings import carries
from memorybank.summarize.lines import of_day
from memorybank.summarize.summarizer import GOALS, RESULTS, DayText, SessionItem

FIRST = "The exporter reads `rows.csv` because the API has no dump."


def told(asked, answers):
    (found,) = gist([(100 * number, one) for number, one in enumerate(asked)], [(100 * number + 50, one) for number, one in enumerate(answers)])
    return found[1]


def results_of_day(asked, *answers):
    parts = (SessionItem(GOALS, asked, "1"), *(SessionItem(RESULTS, answer, "1") for answer in answers))
    return [line.text for line in of_day(DayText("2026-03-02", "en", 2_000, parts)) if line.section == RESULTS]


@pytest.mark.parametrize(
    "sentence",
    [
        "Run times of the night batch fell from 4 s to 1 s.",
        "Open connections to the replica are closed after 30 s.",
        "Keep-alive towards the upstream is off in `nginx.conf`.",
        "Create and update of an invoice now share one form.",
        "You must set `FOO=1` before the build, because the plugin reads it.",
        "Send the token as `X-Api-Key` to the gateway.",
        "Run queues of the workers are split by tenant.",
        "`EXPORT_MAX=5000` を本番の設定ファイルに設定してください。",
        "再起動は夜間にしてください、接続が30秒で切れるためです。",
    ],
)
def test_what_holds_is_no_order_whatever_it_begins_with(sentence):
    assert sentence in [text for _, text in came_of([(1, f"{FIRST} {sentence}")], {"exporter"}, 500)]


@pytest.mark.parametrize(
    "sentence",
    ["Open the settings of the browser and click Privacy.", "Run `npm start` and visit the dashboard.", "ブラウザの設定画面を表示してください。"],
)
def test_what_somebody_is_told_to_do_is_no_further_result(sentence):
    assert sentence not in [text for _, text in came_of([(1, f"{FIRST} {sentence}")], {"exporter"}, 500)]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("Where do the reports live?", "The reports live in the replica schema."),
        ("How do deploys happen?", "Deploys happen from the release branch."),
        ("帳票はどのスキーマにありますか", "帳票はレプリカのスキーマにあります。"),
    ],
)
def test_a_result_that_the_last_answer_repeats_stays(asked, sentence):
    assert sentence in told([asked, "Sure?"], [sentence, sentence])
    assert results_of_day(asked, sentence, sentence) == [sentence]


@pytest.mark.parametrize("sentence", ["Hold nothing back, mate.", "遠慮は無用ですぞ、旦那。"])
def test_a_manner_of_speaking_is_none(sentence):
    assert results_of_day("Where do the reports live?", sentence, sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Once that's done, the Python compilation should work properly.",
        "I've successfully implemented all major improvements from the `IMPROVEMENTS.md` document.",
        "I've created a detailed investigation report at `x.md` with all 4 findings.",
        "The bot has been updated and is running.",
        "I'll proceed with the final remaining task: the `lexer.py` cleanup.",
        "`dev` is now `7a08679` on origin.",
        "Your branch is 17 commits ahead of `dev` and 0 behind.",
        "The merge base of `dev` and `feat/x` is `7a08679`.",
        "`george-report` clean and pushed (PR #243).",
        "You're now on `session-portability`, tracking `origin/session-portability`.",
        "それが済めば、`lexer.py` のコンパイルは通るはずです。",
        "調査レポートを `x.md` に作成しました。",
        "ボットを更新し、起動しました。",
        "ブランチは `dev` より17コミット進んでいます。",
        "`feat/x` ブランチに切り替えました。",
    ],
)
def test_hopes_reports_and_states_of_git_are_no_results(sentence):
    assert not carries(sentence)
    assert listed.at_start(f"Wanted: Push the lexer branch\nResult: {sentence}") == "Wanted: Push the lexer branch"
    assert sentence not in [text for _, text in came_of([(1, f"{FIRST} {sentence}")], {"exporter", "lexer"}, 500)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Once the lock is released, the worker should retry, because the queue keeps the job.",
        "The bot has been updated to `discord.py` 2.4.",
        "The report of `make audit` is written to `x.md`.",
        "A branch that is 20 commits behind `dev` is rebased by the bot.",
        "`deploy.sh` pins `7a08679` because the next one breaks.",
        "The release branch tracks `origin/stable` in CI.",
        "レポートは `x.md` に毎晩作成されます。",
        "本番は `stable` ブランチから配信します。",
        "CI を `stable` ブランチに切り替えました。",
    ],
)
def test_what_resembles_them_and_holds_carries(sentence):
    assert carries(sentence)


@pytest.mark.parametrize(
    ("sentence", "is_kept"),
    [
        ("You want to move the crane planner into the harbour module.", False),
        ("You want to set `PGHOST` before running the tests.", True),
        ("You want the `--frozen` flag here: without it, the lock is rewritten.", True),
        ("You asked to keep the old endpoint until March.", True),
        ("You want to use `pnpm` rather than `npm`.", True),
        ("The current implementation passes the tide id to the berth planner.", False),
        ("The current implementation cannot handle tide tables larger than 2 GB.", True),
        ("Currently, the gauge allows 100 requests per minute.", True),
        ("Currently only harbour masters can delete a berth.", True),
        ("現在の実装では berth planner に tide id を渡しています。", False),
        ("現在の実装では、2GBを超える潮汐表を扱えません。", True),
        ("現在の設定では、潮位計は1分に100回までしか呼べません。", True),
        ("今の処理では港長だけが桟橋を削除できます。", True),
        ("港の一覧を印刷したいとのことですね。", False),
    ],
)
def test_a_limit_or_advice_is_kept_and_how_the_code_stands_or_what_was_asked_is_not(sentence, is_kept):
    assert carries(sentence) is is_kept
