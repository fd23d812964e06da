"""What in a sentence speaks for and against its lasting: the same words last or do not, depending on what stands next to them."""

import time

import pytest

from memorybank.text.prompts.evidence import ENOUGH
from memorybank.text.prompts.evidence_english import ENGLISH
from memorybank.text.prompts.evidence_japanese import JAPANESE
from memorybank.text.prompts.statements import kind_of, statements, table_for

PAIRS = [
    ("Never push to main.", "Don't push it yet."),
    ("Use pnpm instead of npm in this repo.", "Use the first file instead of the second."),
    ("Tests must not touch the network.", "This test must not touch it."),
    ("Ask me before you delete data.", "Ask me again when this is done."),
    ("No abbreviations in variable names please.", "No changes here please."),
    ("We deploy from the release branch.", "We deployed it yesterday."),
    ("Keep commit messages short.", "Keep the old button."),
    ("I prefer early returns.", "I prefer the second option."),
    ("When you add an endpoint, update the OpenAPI file.", "When I click on it, the page is empty."),
    ("One migration per pull request.", "One test still fails."),
    ("Only maintainers merge to release branches.", "Only the last test fails."),
    ("Don't use sleep in tests.", "Don't use this one for now."),
    ("The wiki is outdated, use docs/ instead.", "The page is empty now."),
    ("mainに直接プッシュしないでください。", "まだプッシュしないでください。"),
    ("コメントは日本語で書いて。", "このコメントを日本語にして。"),
    ("リリース前に必ずCHANGELOGを更新する。", "今回はCHANGELOGを更新しなくていい。"),
    ("テストでは外部のAPIを呼ばない。", "テストがまだ落ちる。"),
    ("このリポジトリではpnpmを使う。", "この関数ではpnpmを使わない。"),
    ("依存を増やす前に相談して。", "消す前に差分を見せて。"),
    ("pipではなくuvを使います。", "src/a.pyではなくsrc/b.pyです。"),
    ("例外を握りつぶさない。", "一覧に表示されない。"),
    ("短い関数のほうが好みです。", "B案のほうでお願いします。"),
    ("dont mock the gateway, ever", "dont mock it for now"),
    ("Errors go thru the handler.", "The error is still there."),
    ("Every alert needs a runbook link.", "Every alert fired at three."),
    ("Rotate the keys by script, otherwise the audit fails us.", "Rotate the image by ten degrees."),
    ("Floats for positions, integers for money.", "Floats for the third column."),
    ("No unwrap in a route.", "No code yet."),
    ("No sleeps in the integration tests.", "No edits."),
    ("thiserror only, anyhow is for the binary.", "First step only."),
    ("terraform apply is mine, you plan.", "The second plan is fine for now."),
    ("The token is in `ADMIRALTY_API_KEY`.", "The button is in the header."),
    ("5432 is the Postgres of my machine, leave that alone.", "60 seconds, not more, and it has to drop the entry."),
    ("There are factories in tests/factories.py, use those.", "There are two failing ones in there."),
    ("Keep the description short: why, what, risk.", "Keep it small."),
    ("Prod data never goes on a laptop.", "The banner never goes away."),
    ("Reuse the fixtures of tests/conftest.py everywhere.", "Reuse what we have."),
    ("Accounts without activity have to be closed by the nightly job.", "The lawyer says accounts without activity have to go."),
    ("Reservations are never deleted.", "Customer on the phone: his reservation was gone."),
    ("Contact sheets never leave the building.", "I always get a blank sheet."),
    ("GoとTSはコミットを分けてください。", "この変更は分割して。"),
    ("prismaのモックはナシで。", "今日は金曜なし。"),
    ("鍵は金庫、コードには書かない。", "鍵が入らない。"),
    ("本番のapplyは私がやる。", "本番で落ちた。"),
    ("E2Eは必ず通してからマージして。", "E2Eも通しておいて。"),
    ("文言はi18nで。", "いつもこの文言で固まる。"),
    ("今度から型チェックしてからコミットして。", "さっきの変更をコミットして。"),
    ("コミット前に型チェックを通す。", "夏休み前に速くしたいので、原因を見て改善してください。"),
    ("リリース前に変更履歴を更新する。", "宿泊日が1日前になってると指摘がきた。"),
    ("ローカルではDockerを使う。", "ローカルだと再現しない。"),
    ("CSVはShift_JISで出す決まりです。", "Shift_JISで出すほうがいいって"),
    ("StatelessWidgetを優先。", "StatelessWidgetが白い。"),
    ("main直接編集禁止", "今回直接編集可"),
    ("We must not delete files in `ledger/`.", "We must not delete any other thing."),
    ("Keep the release notes short: what, why, who, nothing else.", "Don't change anything else."),
    ("Nobody pushes to main.", "Nobody knows why it does that."),
    ("Never be rude in review comments.", "Don't be silly."),
    ("I've never allowed force pushes, and never will.", "I've never used Rust before"),
    ("バグ報告には必ず再現手順を書く", "必ず再現する"),
    ("lintの警告は気にしないで", "大丈夫、気にしないで"),
    ("絶対に本番のデータを消さないで", "絶対いける"),
    ("We use uv, not pip or anything else.", "Don't break anything else!"),
    ("Never leave debug output in the code.", "Leave everything else as it is."),
    ("依頼した箇所以外は変更しないで。", "他は絶対に触らないで"),
    ("絶対にmainへ直接pushしないで。", "こんな感じ、絶対違う"),
    ("絶対にバグのあるコードをコミットしないで", "絶対うまくいかない"),
    ("jQueryは一切使わない", "一切変わってない"),
    ("すべてのAPIに認可チェックを入れてください", "一覧に認可チェックを入れてください"),
    ("マイグレーションを書くときはロールバック処理を用意してください", "退会したときにデータを消す処理を用意してください"),
    ("破壊的な操作には必ず確認オプションを付けてください", "エラー時に必ず通知する機能を追加してほしい"),
    ("一覧を追加するときは必ず件数のテストを書いて。", "一覧を開くときに表がカクつくんだけど"),
    ("コミットする前に型チェックを通してほしい。", "取り込みを止めた際に部分ファイルを消す仕組みをちゃんと実装してほしい。"),
]
"""(a sentence that lasts, one with some of its words that does not)"""


@pytest.mark.parametrize(("lasting", "passing"), PAIRS)
def test_what_stands_next_to_the_words_decides(lasting, passing):
    assert kind_of(lasting) is not None
    assert kind_of(passing) is None


@pytest.mark.parametrize(
    "sentence",
    ["Never push to main{}.", "Always run the linter before you commit{}.", "I don't want any new dependencies{}.", "Tests must be deterministic{}."],
)
@pytest.mark.parametrize("moment", [" for now", " today", " this time", " until tomorrow, maybe"])
def test_the_moment_speaks_against_lasting(sentence, moment):
    weights = [sum(evidence.weight for evidence in ENGLISH.find(sentence.format(added))) for added in ("", moment)]
    assert weights[1] < weights[0] >= ENOUGH


@pytest.mark.parametrize("sentence", ["今回は{}", "とりあえず{}", "まだ{}", "この関数では{}"])
@pytest.mark.parametrize("rule", ["コメントを書かないでください。", "テストは毎回実行する。", "英語で書くこと。"])
def test_the_moment_speaks_against_lasting_in_japanese(sentence, rule):
    assert kind_of(rule) is not None
    assert kind_of(sentence.format(rule)) is None


@pytest.mark.parametrize(
    ("sentence", "table"),
    [
        ("Should we always squash?", ENGLISH),
        ("Is it forbidden to push to main?", ENGLISH),
        ("We never squash, right?", ENGLISH),
        ("ルールでは必ずテストを書くのですか？", JAPANESE),
        ("プッシュは禁止だっけ", JAPANESE),
    ],
)
def test_a_question_has_no_evidence(sentence, table):
    assert table.asks(sentence)
    assert table.find(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "can you never use git add -A?",
        "Could you always answer in English?",
        "can you update CLAUDE.md that the worker must be restarted after a config change?",
    ],
)
def test_a_request_to_do_something_always_is_no_question(sentence):
    assert kind_of(sentence) is not None


@pytest.mark.parametrize(
    ("said", "repeated"),
    [
        ("no default exports in shared code", "again: no default exports in shared code"),
        ("we go with fetch in the client", "I've told you we go with fetch in the client"),
        ("don't run the entire suite", "how many times do I have to say it, don't run the entire suite"),
        ("don't run the entire suite", "as I said before, don't run the entire suite"),
        ("コメントを消さないで。", "何度も言ってるけど、コメントを消さないで。"),
        ("DBをモックしないで", "DBをモックしないでって…。"),
        ("fetchを使う。", "fetchを使うって決めたよね。"),
    ],
)
def test_what_is_said_again_counts_more(said, repeated):
    table = JAPANESE if "を" in said else ENGLISH
    assert "said again" in [evidence.what for evidence in table.find(repeated)]
    assert "said again" not in [evidence.what for evidence in table.find(said)]
    assert statements(repeated) != []


def test_a_long_quotation_is_not_what_the_person_says():
    assert kind_of('He wrote "never use globals in this code base, they are forbidden by the style guide" in the review.') is None
    assert kind_of("レビューに「グローバル変数はこのリポジトリでは禁止なので必ず引数で渡すこと」とあった。") is None


def test_what_speaks_against_is_only_looked_for_when_it_matters():
    assert all(evidence.weight > 0 for evidence in ENGLISH.find("Everything works again."))
    assert any(evidence.weight < 0 for evidence in ENGLISH.find("Never push to main for now."))


SENTENCES = [
    *(
        "Never push to main for now.",
        "We use pnpm, not npm.",
        "Please look at the handler.",
        "The staging database lives on port 5433.",
        "Dont use mocks in tests",
    ),
    *(
        "You may skip the linter here.",
        "again: never commit secrets",
        "テストは必ず書いてください。",
        "とりあえず今回はモックでお願いします。",
        "本番の設定は変えないで",
    ),
]


@pytest.mark.parametrize("further", [0, 3])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_enough_is_the_complete_evidence_or_nothing(sentence, further):
    """Looking stops where too little is left, which changes nothing for a sentence that lasts."""
    complete = table_for(sentence).find(sentence, further)
    is_enough = further + sum(evidence.weight for evidence in complete) >= ENOUGH
    assert table_for(sentence).enough(sentence, further) == (complete if is_enough else [])


@pytest.mark.parametrize(
    ("table", "text"), [(ENGLISH, "we should never use the always "), (JAPANESE, "必ずテストを書かないでください、"), (ENGLISH, "a.b/c "), (ENGLISH, "x" * 9)]
)
def test_a_sentence_of_the_greatest_length_is_read_fast(table, text):
    sentence = (text * 400)[:400]
    table.find(sentence)
    started = time.process_time()
    table.find(sentence)
    assert time.process_time() - started < 0.1
