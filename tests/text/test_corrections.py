"""Corrections: the sentences of a prompt that correct the turn it answers. Precision matters more than recall."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts.corrections import corrections

CORRECTIONS = [
    "No, use tabs.",
    "no, that's wrong",
    "No - I meant the other file",
    "Nope, don't touch the tests",
    "No. Use the staging database.",
    "that's not what I asked for",
    "You forgot the migration.",
    "I said port 8080, not 8000",
    "Please revert that.",
    "stop adding comments everywhere",
    "Why did you delete the fixture?",
    "Use pnpm instead.",
    "Actually use the factory instead of the fixture.",
    "you should have asked first",
    "Wrong file.",
    "違います。タブを使ってください。",
    "そうじゃなくて、テストのほうを直して",
    "npmではなくpnpmを使ってください",
    "勝手に設定を変えないで",
    "元に戻してください。",
    "やっぱり青にして",
    "いや、そうではなくログを消して",
    "mainじゃなくてdevelopにして",
    "それはさっき違うって言いました",
]
NOTHING = [
    "",
    "Implement the login form",
    "did you push?",
    "continue",
    "No problem, thanks!",
    "No, that's fine.",
    "No, keep going",
    "No idea why this fails, can you look?",
    "Nothing works here",
    "It always fails with a timeout.",
    "The test never returns.",
    "Never mind.",
    "Why does it always crash?",
    "Do you remember the port?",
    "I don't remember the password",
    "Add a remember-me checkbox",
    "The button should always be visible when I scroll.",
    "What is the default in the future versions?",
    "Create a hello world function",
    "use the new API in src/client.py",
    "Use a map instead of a loop?",
    "we never got this to work",
    "Wrong answers are counted twice, please fix the quiz",
    "```\nalways use tabs\n```",
    "> No, use tabs.",
    "<task-notification>no, use tabs</task-notification>",
    "This session is being continued from a previous conversation. Always use tabs.",
    "[Request interrupted by user]",
    "mix phx.server doesnt seem to start",
    "scrolling back still does not work (maybe because outer web catches it)? websearch terminal interactions",
    "ログイン画面を作ってください",
    "テストがいつも失敗します",
    "覚えていますか？",
    "毎回落ちるのはなぜですか",
    "タイトルを青にして",
    "必ずしも必要ではない",
    "これは警告ではなくエラーです",
    "今後の予定を教えて下さい。",
    "違いを説明してください",
    "忘れ物リストの画面を作って",
    "サーバーがいつも古いキャッシュを使う",
    "いつもここで止まる",
    "このテストは絶対に成功しない",
    "必ずしも毎回テストを実行する必要はない",
    "いつも uv を使うのはなぜ？",
    "いつも困っていること",
    "必ずエラーになります",
]


@pytest.mark.parametrize("prompt", CORRECTIONS)
def test_corrections_are_told(prompt):
    found = corrections(prompt)
    assert found and all(sentence in prompt for sentence in found)


@pytest.mark.parametrize("prompt", NOTHING)
def test_ordinary_prompts_correct_nothing(prompt):
    assert corrections(prompt) == []


def test_a_short_correction_takes_what_is_wanted_with_it():
    assert corrections("No. Use the staging database.") == ["No.", "Use the staging database."]
    assert corrections("違います。タブを使ってください。") == ["違います。", "タブを使ってください。"]


def test_a_pasted_correction_is_nobodys():
    assert corrections("Review this:\n\n```\nNo, use tabs.\n```") == []
    assert corrections("Implement the following plan:\n\n# Plan\n\nNo, use tabs.") == []


@given(st.text(max_size=200))
def test_any_text_is_taken(text):
    assert all(isinstance(sentence, str) and sentence for sentence in corrections(text))
