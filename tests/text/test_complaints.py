"""A complaint gives an order again. It is a statement where the prompt gives no order itself, and nobody takes what a program does for one."""

import pytest

from memorybank.text.prompts.complaints import complaint
from memorybank.text.prompts.stated import AGAIN, CONSTRAINT, CORRECTION
from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.traits import traits

OMITTED = [
    ("again you forgot to run the build", "run the build"),
    ("you didn't run the build again", "run the build"),
    ("you always forget to update the changelog", "update the changelog"),
    ("you never run the tests before committing", "run the tests before committing"),
    ("you never update the changelog", "update the changelog"),
    ("you never ask first", "ask first"),
    ("why don't you ever run the tests?", "run the tests"),
    ("again, why didn't you run the build?", "run the build"),
    ("you keep forgetting to run the build", "run the build"),
    ("you failed to run the tests", "run the tests"),
    ("how many times do I have to tell you to run the build", "run the build"),
    ("didn't I tell you to use pnpm?", "use pnpm"),
    ("またビルドを忘れてる", "ビルド"),
    ("毎回テストを忘れてる", "テスト"),
    ("またテスト書いてないじゃん", "テスト"),
    ("また日本語じゃなくなってる", "日本語"),
    ("何度も言うけどテストを書いて", "テストを書いて"),
]
DONE = [
    ("I told you not to touch the lockfile", "touch the lockfile"),
    ("why do you keep using any", "using any"),
    ("you used npm again, it's pnpm", "used npm"),
    ("you are touching the lockfile again", "touching the lockfile"),
    ("stop creating md files", "creating md files"),
    ("why are you still using npm?", "using npm"),
    ("またnpm使ってる", "npm"),
    ("またnpmを使っています", "npmを"),
    ("いつもnpm使ってるじゃん", "npm"),
    ("なんでまたanyを使うの", "any"),
    ("また英語になってる", "英語"),
]


@pytest.mark.parametrize(("text", "said", "is_forbidden"), [*((*one, False) for one in OMITTED), *((*one, True) for one in DONE)])
def test_a_complaint_says_what_is_wanted(text, said, is_forbidden):
    assert complaint(text) == (said, is_forbidden)
    (found,) = statements(text)
    assert (found.kind, found.text) == (CORRECTION, text)
    assert AGAIN in traits(found.kind, found.text)


@pytest.mark.parametrize(
    "text",
    [
        "the button keeps disappearing",
        "why does it keep crashing",
        "you broke the login again",
        "you renamed the column again",
        "you can restart the workers by hand again",
        "you always forget the semicolon",
        "stop running the server",
        "why don't you use redis for the cache?",
        "why don't you run the tests again?",
        "why didn't you use a hook here?",
        "you keep losing the websocket connection",
        "you failed to connect to the database",
        "i asked you to add a dark mode toggle",
        "You are still using React 17?",
        "毎回テストを書いてくれて助かる",
        "毎回テストを書いてくれてありがとう",
        "いつもnpmを使ってます",
        "いつもDBを使うページが遅い",
        "毎回APIを使うと遅い",
        "また、READMEを更新していない箇所があれば直して",
        "また、型定義を使う",
        "またエラーになってる",
        "またボタンが消えてる",
        "また落ちてる",
    ],
)
def test_what_happened_is_no_complaint_about_the_way_of_working(text):
    assert complaint(text) == ("", False)


@pytest.mark.parametrize(
    "text",
    [
        "You never edit generated files in this repo.",
        "You never push to main without asking me.",
        "you never commit secrets to the repo",
        "You never run the migrations on production",
        "you never deploy on Fridays",
        "you never touch the migrations folder, only I do",
        "you never push to main again",
        "you never write tests in the src folder",
        "本番では絶対にマイグレーションを実行しないこと。",
    ],
)
def test_what_an_agent_never_does_is_forbidden_unless_it_is_a_good_habit(text):
    assert complaint(text) == ("", False)
    assert [(found.kind, found.text) for found in statements(text)] == [(CONSTRAINT, text)]


def test_an_order_beside_a_complaint_says_what_is_wanted():
    assert [found.text for found in statements("you used npm again. Always use pnpm in this repo.")] == ["Always use pnpm in this repo."]
    assert [found.text for found in statements("また英語でコメントを書いてる。コメントは必ず日本語で書くこと。")] == ["コメントは必ず日本語で書くこと。"]
