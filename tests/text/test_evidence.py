"""What in a sentence speaks for and against its lasting: the same words last or do not, depending on what stands next to them."""

import time

import pytest

from memorybank.text.evidence import ENOUGH
from memorybank.text.evidence_english import ENGLISH
from memorybank.text.evidence_japanese import JAPANESE
from memorybank.text.statements import kind_of, statements

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


@pytest.mark.parametrize(
    ("table", "text"), [(ENGLISH, "we should never use the always "), (JAPANESE, "必ずテストを書かないでください、"), (ENGLISH, "a.b/c "), (ENGLISH, "x" * 9)]
)
def test_a_sentence_of_the_greatest_length_is_read_fast(table, text):
    sentence = (text * 400)[:400]
    table.find(sentence)
    started = time.process_time()
    table.find(sentence)
    assert time.process_time() - started < 0.1
