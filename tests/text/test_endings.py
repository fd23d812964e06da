"""What a Japanese sentence reports, states or offers does not depend on the dialect or tone of its end."""

import pytest

from memorybank.summarize.findings import changes, decides
from memorybank.text.prose import instructive, momentary, open_points
from memorybank.text.prose.openers import answer_first
from memorybank.text.prose.plans import plans
from memorybank.text.words.endings import polite


@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("設定を直したで！", "設定を直しました。"),
        ("設定を直したぜ！🚀", "設定を直しました。"),
        ("テストが通ったわ。", "テストが通りました。"),
        ("索引を消したんや", "索引を消しました。"),
        ("移行は完了や！", "移行は完了です。"),
        ("原因は古い鍵やな", "原因は古い鍵です。"),
        ("原因は古い鍵だぜ！", "原因は古い鍵です。"),
        ("次に索引を作るで〜", "次に索引を作ります。"),
        ("ログを確認するで！", "ログを確認します。"),
        ("手元では動かへんで", "手元では動かません。"),
        ("鍵がないと読めへんかったわ", "鍵がないと読めませんでした。"),
        ("それはあかんで！", "それはだめです。"),
        ("索引も直しといてや", "索引も直しといてください。"),
        ("索引も追加しよか？", "索引も追加しましょうか？"),
        ("本番では実行しないでや！", "本番では実行しないでください。"),
        ("その鍵は使わないでくれ", "その鍵は使わないでください。"),
        ("手順書を読んでくれ", "手順書を読んでください。"),
        ("成功してるじゃねーか！", "成功してます。"),
        ("完了しました！", "完了しました。"),
    ],
)
def test_a_sentence_is_read_with_its_polite_end(said, read_as):
    assert polite(said) == read_as


@pytest.mark.parametrize(
    "said",
    [
        "設定を直しました。", "索引を作る。", "main に直接 push するな。", "鍵は `pass` や `gpg` で読む。", "用語や略語", "これで", "画面の右上にあるボタン",
        "このへん", "サーバー", "料金は税込だ。", "ログを見て", "The build is done!", "", "結果は次の通り：", "急いで", "テストはどこや`x`",
        "読んで", "本番では実行しないで", "その鍵は使わないで。", "Never run it in 本番", "Do not run it.",
    ],
)  # fmt: skip
def test_another_sentence_stays_as_it_is(said):
    assert polite(said) == said


ENDS = pytest.mark.parametrize("end", ["しました。", "しました！", "したで！", "したぜ！", "したわ。", "したんや！", "したぞ"])


@ENDS
def test_a_report_is_news_whatever_its_end(end):
    assert instructive.is_news(f"索引の作成を追加{end}")
    assert not open_points.names_open(f"残りの課題を全部解消{end}")


def test_what_should_work_from_now_on_is_news():
    assert instructive.is_news("The deprecation warnings should now be gone when you run ansible.")
    assert not instructive.is_news("The playbook should run with `--check` first.")


@pytest.mark.parametrize("said", ["次に移行を試します。", "次に移行を試すで！", "次に移行を試すぜ！", "次に移行を試すわ"])
def test_a_plan_is_one_whatever_its_end(said):
    assert plans(said)


@pytest.mark.parametrize("said", ["索引も作りましょうか？", "索引も作ろうか？", "索引も追加しよか？", "索引も追加しようぜ！", "必要なら索引も作りますか"])
def test_an_offer_is_momentary_whatever_its_end(said):
    assert momentary.is_momentary(said)


@pytest.mark.parametrize("said", ["本番には未反映です。", "email の扱いだけ未決です。", "email の扱いだけ未決や！", "これから移行を試すで！"])
def test_how_things_stand_is_momentary_whatever_its_end(said):
    assert momentary.is_momentary(said)


@pytest.mark.parametrize("said", ["鍵がないと起動せえへんで！", "古い鍵では読めへんから、作り直すんや。", "8080 番は使えへんわ"])
def test_what_holds_is_told_whatever_its_end(said):
    assert instructive.tells(said) and not momentary.is_momentary(said)


@pytest.mark.parametrize("end", ["ためです。", "からです。", "からや！", "からやで", "からだぜ！"])
def test_a_cause_is_one_whatever_its_end(end):
    assert decides(f"落ちたのは鍵が古い{end}")


@pytest.mark.parametrize("said", ["期限を30日に変更しました。", "期限を30日にしたで！", "鍵は使わないことにしたぜ！"])
def test_what_holds_from_then_on_is_a_change_whatever_its_end(said):
    assert changes(said)


@pytest.mark.parametrize(
    "opener",
    [
        "修正が完了しました！",
        "修正が完了したで！",
        "全部終わったぜ！",
        "おう！修正が完了したで！",
        "よっしゃ！テストが全部通ったで！",
        "作業は完了や！",
        "やったぜ！",
    ],
)
def test_an_answer_begins_after_its_opener_whatever_its_end(opener):
    assert answer_first(f"{opener}鍵は `TIDE_KEY` から読みます。") == "鍵は `TIDE_KEY` から読みます。"


@pytest.mark.parametrize(
    "said", ["修正したのは鍵の読み方や。", "テストが通らんかったで！鍵が古い。", "終わった処理の一覧は `done/` にあるで。", "おうちの設定は `home` や。"]
)
def test_what_says_something_opens_no_answer(said):
    assert answer_first(said) == said
