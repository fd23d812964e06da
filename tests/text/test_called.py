"""A rule that is called by what it is about ends or returns; an order to keep it, or another thing of that name, ends nothing."""

import pytest

from memorybank.text.prompts.called import called, calls, forbids_again, returns
from memorybank.text.prompts.ending import may_mean
from memorybank.text.prompts.permissions import permission_of, takes_back
from memorybank.text.prompts.refuting import refutes
from memorybank.text.prompts.statements import statements

ENDED = [
    ("Keep dates in ISO format in every log line.", "forget that log line rule"),
    ("Never mock the clock in integration tests.", "Scrap the clock rule, its ok to mock it now."),
    ("Always add a screenshot to UI pull requests.", "we don't need the screenshot rule any more"),
    ("Never rename columns of the ledger.", "the ledger rule doesn't apply any longer"),
    ("ログの日付は必ずISO形式で書いてください。", "ログのルールはもう忘れてください"),
    ("統合テストで時計をモックしないでください。", "この前言った時計のルールはなしでお願いします"),
    ("台帳の列名は変更しないこと。", "台帳のルールは取り下げます"),
]
STAYS = [
    ("Keep dates in ISO format in every log line.", "don't forget the log line rule"),
    ("Keep dates in ISO format in every log line.", "Never ignore that log line rule."),
    ("Keep dates in ISO format in every log line.", "You ignore the log line rule all the time."),
    ("Never mock the clock in integration tests.", "Drop the clock rule in ruff.toml."),
    ("Never push to main.", "forget the push rule"),
    ("Never rename columns of the ledger, and always write a migration before you change it.", "forget the ledger rule"),
    ("ログの日付は必ずISO形式で書いてください。", "ログのルールを廃止しないでください"),
    ("ログの日付は必ずISO形式で書いてください。", "ログのルールは不要ではありません"),
    ("統合テストで時計をモックしないでください。", "時刻表のルールはなしで"),
]


@pytest.mark.parametrize(("rule", "said"), ENDED)
def test_a_rule_may_be_called_by_a_part_of_what_it_says(rule, said):
    assert takes_back(said) and may_mean(said, rule)


@pytest.mark.parametrize(("rule", "said"), STAYS)
def test_who_keeps_a_rule_or_means_another_ends_none(rule, said):
    assert not (takes_back(said) and may_mean(said, rule))


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("the screenshot rule is back", {"screenshot"}),
        ("please reinstate the rule about the ledger", {"ledger"}),
        ("スクリーンショットのルールは復活でお願いします", {"スクリーンショット"}),
        ("台帳のルールを元に戻してください", {"台帳"}),
    ],
)
def test_a_rule_returns_by_its_name(said, names):
    assert returns(said) and called(said) == names and [one.kind for one in statements(said)]
    assert not takes_back(said)


def test_who_denies_or_asks_brings_no_rule_back():
    for said in ("the screenshot rule is not back", "is the screenshot rule back?", "台帳のルールは復活させないで", "the build is back"):
        assert not returns(said)
    assert not calls("the build is back", "Always build twice.")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I take that back, never rename columns of the ledger.", "never rename columns of the ledger."),
        ("I changed my mind: always add a screenshot.", "always add a screenshot."),
        ("やっぱり台帳の変更は禁止に戻します", "やっぱり台帳の変更は禁止に戻します"),
        ("Renaming columns of the ledger is forbidden again.", "Renaming columns of the ledger is forbidden again."),
    ],
)
def test_who_goes_back_to_a_rule_allows_nothing(said, kept):
    assert permission_of(said) == ""
    assert [one.text for one in statements(said)] == [kept]


def test_who_changes_the_mind_and_allows_still_allows():
    assert takes_back("I changed my mind, you can rename columns of the ledger.") and not forbids_again("it is not forbidden again")


def test_two_sentences_allow_one_thing():
    said = "やっぱり顔文字OKにします。コメントに入れていいよ"
    assert [one.text for one in statements(said)] == [said] and takes_back(said)


ANSWER, QUESTION = "The retention of the audit log is 30 days.", "how long is the audit log kept?"


@pytest.mark.parametrize(
    ("prompt", "answer", "reply", "question"),
    [
        ("nope its 90 days since spring", ANSWER, "", QUESTION),
        ("nope its 90 kb since spring", "The limit of a log line is 30 KB, set in conf.toml.", "Thanks, noted.", "how long may a log line be?"),
        ("nope its 90 days now", "The audit log is kept 30 days, set in conf.toml.", "Thanks, noted.", QUESTION),
        ("thats not right, its 90 days", ANSWER, "", QUESTION),
        ("そうじゃなくて90", "監査ログの保存期間は30日です。", "", "監査ログの保存期間は？"),
        ("本当ですか？", "監査ログの保存期間は30日です。", "確認しました。誤っていました。90日です。", "監査ログの保存期間は？"),
    ],
)
def test_a_short_objection_refutes(prompt, answer, reply, question):
    assert refutes(prompt, answer, reply, question)


@pytest.mark.parametrize(
    ("prompt", "answer", "reply", "question"),
    [
        ("thats ok, lets do 90", ANSWER, "Fine, 90 days.", QUESTION),
        ("its cleanup job is called sweep", ANSWER, "", QUESTION),
        ("そうじゃなくて、次", "監査ログの保存期間は30日です。", "はい。", "監査ログの保存期間は？"),
        ("本当ですか？", "監査ログの保存期間は30日です。", "はい、確認しました。間違いありません、30日です。", "監査ログの保存期間は？"),
    ],
)
def test_what_is_no_objection_refutes_nothing(prompt, answer, reply, question):
    assert not refutes(prompt, answer, reply, question)
