"""A request that people repeat has one theme, however they phrase it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts import expectations
from memorybank.text.prompts.expectations import asks
from memorybank.text.prompts.themes import PRACTICES, same_theme

THEMES = {
    "tests": [
        "did you write tests as well?",
        "can we add a test?",
        "please add unit tests for this",
        "do we have a test for parse_rows?",
        "is there test coverage for the new branch?",
        "ok, add tests for it",
        "テストも書いて",
        "テストを追加してください",
        "テストは書きましたか？",
    ],
    "duplicates": [
        "can you check whether this is duplicated anywhere?",
        "did you check for duplicate code?",
        "could we deduplicate these two functions?",
        "is this a copy-paste of the other parser?",
        "重複がないか確認して",
        "コピペになっていませんか？",
    ],
    "a failing test first": [
        "write a test that fails before you fix it",
        "let's do it test-driven",
        "can you create a failing test first?",
        "まず失敗するテストを書いてください",
    ],
    "useful tests": [
        "can you check that the tests don't test the standard library?",
        "are these tests really testing something?",
        "標準ライブラリのテストになっていませんか？",
    ],
    "changelog": ["commit and update the changelog", "did you update CHANGELOG.md?", "変更履歴も更新して"],
    "lint": ["did you run the linter?", "please run prettier", "フォーマットもかけてください"],
    "removal": ["let's delete it completely", "remove the old flag entirely", "is the old helper module still used?", "完全に削除してください"],
    "a plan before the code": [
        "don't write any code yet",
        "explain both options to me before you try one of them",
        "before you change anything, show me the plan",
        "we have to discuss it together, don't rush into fixing it yet",
        "まだ実装しないで、方針だけ教えて",
        "実装する前に設計案を見せてください",
        "まず計画を立ててください",
        "勝手に修正しないで",
        "let's first talk about how the retries work",
        "ask before changing anything",
        "don't jump into coding",
        "コードを書く前に計画を見せて",
        "いきなり実装しないで",
        "私がOKを出すまで変更しないで",
    ],
    "documentation": ["can you add this to CLAUDE.md?", "does it need an update of the docs? please update the docs", "READMEも更新してください"],
}


@pytest.mark.parametrize(("theme", "sentence"), [(theme, sentence) for theme, sentences in THEMES.items() for sentence in sentences])
def test_paraphrases_share_a_theme_and_others_do_not(theme, sentence):
    (found, *_) = asks(sentence)
    assert found.kind == "expectation" and sentence.startswith(found.text[:20])
    for other, sentences in THEMES.items():
        first = asks(sentences[0])[0].subject
        assert same_theme(found.subject, first) == (theme == other), (sentence, sentences[0])


@pytest.mark.parametrize(
    "prompt",
    [
        "make the table wider",
        "commit this",
        "yes",
        "what is a changelog?",
        "why do the tests fail?",
        "do the critical duplicate code",
        "the tests are red again",
        "can you explain how the linter works?",
        "rename the test harness",
        "look at tests/test_rows.py:12",
        "show me the duplicated rows in the table",
        "Please deploy to staging again, the webhook timeout must be tested today.",
        "検索のタイムアウトは今日テストしてください。",
        "テストを追加する前に聞かなくてもいいです。",
        "テスト用のデータは本番からコピーしないでください。",
        "テストが落ちています",
        "集計のテストがCIでだけ時々落ちます。",
        "決済のテストが朝だけ失敗した",
        "テストではファクトリを使えって言ったよね。",
        "テスト関数にコメント付けるのやめて",
        "please use no snapshots in new tests",
        "なぜ重複していますか？",
        "画面を作って",
        "I don't see any change yet",
        "don't start the dev server yet",
        "Users don't see the changes until they reload",
        "No need to ask me before making changes.",
        "ask me before you push",
        "wait until I tell the customer",
        "we haven't decided which library",
        "describe the table before you start the import",
        "変更前に確認ダイアログを出して",
        "商品カタログを追加して",
        "管理者が承認してから公開されるようにして",
        "まず設計書を作って",
        "先に案件一覧の画面を作って",
        "実装する前にブランチを切って",
        "修正前にどうなっていたか説明して",
        "変更する前に確認しなくていいです",
        "```\ndid you add tests?\n```",
        "",
    ],
)
def test_requests_about_the_thing_at_hand_are_none(prompt):
    assert asks(prompt) == []


def test_whether_something_was_done_counts_whatever_it_is():
    (one,), (other,) = asks("did you restart the emulator?"), asks("and did you restart the emulator this time?")
    assert same_theme(one.subject, other.subject)
    assert not same_theme(one.subject, asks("did you rotate the keys?")[0].subject)


def test_a_reminder_to_discuss_one_thing_is_not_about_every_change():
    assert not same_theme(expectations.theme_of("did you discuss the schema with the other team?"), expectations.theme_of("まず計画を立ててください"))


def test_every_practice_that_is_recognised_is_one_of_those_that_are_compared():
    assert {practice for practice, _ in expectations._PRACTICES} == PRACTICES


def test_at_most_three_and_each_theme_once():
    found = asks("Can we add a test? Did you write tests too? Please run the linter. Update the changelog. Remove it completely.")
    assert [statement.subject for statement in found] == ["test", "lint", "changelog"]


@given(st.text(max_size=300))
def test_any_text_is_taken(text):
    assert len(asks(text)) <= 3


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_theme_is_shared_both_ways(one, other):
    assert same_theme(one, other) == same_theme(other, one)


@pytest.mark.parametrize(
    "sentence", ["テストは絶対に削除しないでください。", "このテストを削除してください。", "Please delete this test.", "Please never delete tests."]
)
def test_doing_away_with_tests_or_forbidding_that_asks_for_none(sentence):
    assert expectations.theme_of(sentence) == ""
    assert expectations.theme_of("Please remove the duplicate tests.") == "duplicate"
