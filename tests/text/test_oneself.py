"""Statements about oneself and reports of what one did are kept apart from statements about the product and from requests."""

import pytest

from memorybank.text.prompts.deeds import ALONE, ORDERED, SAID, deeds
from memorybank.text.prompts.oneself import holds_no_longer, of_oneself, subject_of_oneself
from memorybank.text.prompts.stated import LASTING, PREFERENCE, STANDING
from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.traits import traits


@pytest.mark.parametrize(
    ("prompt", "clause"),
    [
        ("I'm not a programmer, so show me where to click", "I'm not a programmer"),
        ("Rename the tables. I don't know SQL very well, please say what each line does", "I don't know SQL very well"),
        ("I'm fairly new to Elixir, can you walk me through it?", "I'm fairly new to Elixir"),
        ("keep the sentences short, English isn't my first language", "English isn't my first language"),
        ("素人の私にも分かるように、一つずつ説明して", "素人の私にも分かるように"),
        ("Goにはあまり詳しくないので、型も説明してください", "Goにはあまり詳しくない"),
        ("私はデザイナーです。この差分を見て", "私はデザイナー"),
    ],
)
def test_who_a_person_is_lasts_although_the_rest_is_asked_for_now(prompt, clause):
    found = [(one.kind, one.text) for one in statements(prompt)]
    assert (PREFERENCE, clause) in found
    assert {STANDING, LASTING} <= set(traits(PREFERENCE, clause))


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm not sure the engineer meant that",
        "I'm new to this ticket",
        "I'm not the author of it",
        "I don't know this module well",
        "If I'm not a developer, which page opens?",
        "For users who are not engineers the page must be simpler",
        "I can't code review it before noon",
        "ユーザーは初心者なので、手順を減らして",
        "手順書を非エンジニアでも分かるように書いて",
        "もし私が初心者なら、どこから読むべき？",
        "テストは初めて通りました",
        "この例外は初めてなので調べて",
        "I'm not an expert, but the cache looks stale",
        "I'm not good at explaining this",
        "I'm not comfortable with merging it yet",
        "I'm not a developer of this library",
        "I'm not familiar with vite's plugin hooks",
        "I am writer of the second chapter",
        "日本語が読めないのでフォントを直して",
        "APIはよくわからないので調べて",
    ],
)
def test_what_is_said_about_others_or_the_moment_is_not_about_the_person(sentence):
    assert of_oneself(sentence) == ""


def test_what_says_the_same_of_a_person_has_one_key():
    keys = {subject_of_oneself(one) for one in ("I'm not a developer", "I can't code", "プログラミング初心者", "素人の私にも分かるように")}
    assert len(keys) == 1
    assert keys.isdisjoint((subject_of_oneself("I'm new to Elixir"), ""))


def test_git_is_no_it_and_a_clause_is_not_cut_within_a_word():
    assert subject_of_oneself("I'm unfamiliar with git") == "oneself:git"
    assert subject_of_oneself("GitHub Actionsは初めて") == "oneself:github-actions"
    assert of_oneself("ド素人なのですが、教えてください") == "ド素人なのですが"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I'm new to Elixir", "I'm no longer new to Elixir"),
        ("I don't know Elixir well", "I know Elixir quite well by now"),
        ("I'm a beginner", "I'm not a beginner any more"),
        ("Elixirは初めて", "Elixirにはもう慣れました"),
        ("プログラミング初心者", "もう初心者ではありません"),
    ],
)
def test_what_holds_no_longer_has_the_key_of_what_it_ends(earlier, later):
    assert of_oneself(later) == later and holds_no_longer(later) and not holds_no_longer(earlier)
    assert subject_of_oneself(earlier) == subject_of_oneself(later)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("I merged and deployed it", {("merge", SAID), ("deploy", SAID)}),
        ("I'll publish this one by hand", {("publish", ALONE)}),
        ("Pushed. Next: the footer", {("push", SAID)}),
        ("fix the typo, then commit", {("commit", ORDERED)}),
        ("I pushed back on the plan", set()),
        ("don't deploy before noon", set()),
        ("did I commit that?", set()),
        ("マージとデプロイは済ませました", {("merge", SAID), ("deploy", SAID)}),
        ("開発サーバーは自分で起動しました", {("serve", ALONE)}),
        ("直したらプッシュしてください", {("push", ORDERED)}),
        ("佐藤さんがマージしました", set()),
        ("デプロイが完了しました", set()),
        ("コミットしないでください", set()),
        ("Run the migration", {("migrate", ORDERED)}),
        ("git push", {("push", ORDERED)}),
        ("commit it, please, and I'll push it myself", {("commit", ORDERED), ("push", ALONE)}),
        ("you can deploy now", {("deploy", ORDERED)}),
        ("I want you to commit", {("commit", ORDERED)}),
        ("I don't want you to commit", set()),
        ("make a commit of it", {("commit", ORDERED)}),
        ("I want to push this myself", {("push", ALONE)}),
        ("I pushed the button by hand", set()),
        ("I merged the cells manually", set()),
        ("I committed to doing it myself", set()),
        ("コミットはお願いします、プッシュはこちらでやります", {("commit", ORDERED), ("push", ALONE)}),
        ("プッシュしていいですよ", {("push", ORDERED)}),
        ("デプロイしましょう", {("deploy", ORDERED)}),
        ("git commitしてください", {("commit", ORDERED)}),
        ("pushは自分でしました", {("push", ALONE)}),
        ("プッシュ通知の設定をこちらで完了しました", set()),
        ("サーバーの設定をこちらで行いました", set()),
        ("リリースノートの作成を自分で行いました", set()),
        ("コミットせずにプッシュしました", {("push", SAID)}),
        ("勝手にコミットしました", set()),
        ("自分でプッシュする方法を教えてください", set()),
        ("コミットしなくていいです", set()),
    ],
)
def test_what_a_person_did_is_told_from_what_they_ask_for(prompt, expected):
    assert set(deeds(prompt)) == expected
