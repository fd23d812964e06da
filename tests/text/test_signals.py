"""User signals: what a person's prompt corrects, prefers or wants remembered; precise rather than many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.signals import CORRECTION, PREFERENCE, REMEMBER, signal, task_key

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
PREFERENCES = [
    "Always run the linter before you commit.",
    "Never push to main.",
    "Please always answer in Japanese.",
    "From now on, use British spelling.",
    "I prefer small commits.",
    "we always use uv here",
    "You should never edit generated files.",
    "Can you always show the diff first?",
    "In this project use four spaces.",
    "Write tests first from now on.",
    "Don't ever commit the lock file.",
    "いつも日本語で答えてください",
    "今後はテストを先に書いてください。",
    "コミットの前に必ずlintを実行して",
    "絶対にmainへpushしないで",
    "関数は短いほうが好きです",
    "これからはpnpmを使って",
    "毎回差分を見せてね",
    "パッケージの追加にはいつも uv を使う。",
    "いつも uv を使います",
    "コミットの前に必ずテストを実行すること。",
    "今後はテストを先に書く。",
    "絶対に main へ push しない",
    "pip は絶対に使わないこと",
    "コメントは常に日本語で書く",
]
REMEMBERS = [
    "Remember that the staging host is called otter.",
    "Remember: deploys only on Tuesdays.",
    "please remember to update the changelog",
    "Keep in mind that the API is rate limited.",
    "For future reference, the cache lives in var/cache.",
    "Don't forget that Bob owns the schema.",
    "ステージングのホスト名はotterです。覚えておいてください。",
    "デプロイは火曜だけだと覚えておいて",
    "この手順を忘れないで",
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
def test_corrections_count_against_the_turn_before(prompt):
    found = signal(prompt)
    assert (found.kind, found.value) == (CORRECTION, -1)
    assert all(sentence in prompt for sentence in found.sentences) and found.sentences


@pytest.mark.parametrize("prompt", PREFERENCES)
def test_preferences_are_kept(prompt):
    found = signal(prompt)
    assert (found.kind, found.value) == (PREFERENCE, 1)
    assert found.sentences == [prompt]


@pytest.mark.parametrize("prompt", REMEMBERS)
def test_what_is_to_be_remembered(prompt):
    found = signal(prompt)
    assert (found.kind, found.value) == (REMEMBER, 1)
    assert found.sentences


@pytest.mark.parametrize("prompt", NOTHING)
def test_ordinary_prompts_say_nothing(prompt):
    assert signal(prompt).kind is None, signal(prompt)


def test_the_sentence_is_told_from_its_neighbours():
    prompt = "The page loads now. Always use the shared client for requests! Then fix the footer."
    assert signal(prompt).sentences == ["Always use the shared client for requests!"]
    prompt = "画面は出ました。今後は共通のクライアントを使ってください。次にフッターを直して。"
    assert signal(prompt).sentences == ["今後は共通のクライアントを使ってください。"]


def test_a_short_correction_takes_what_is_wanted_with_it():
    assert signal("No. Use the staging database.").sentences == ["No.", "Use the staging database."]
    assert signal("違います。タブを使ってください。").sentences == ["違います。", "タブを使ってください。"]


def test_a_correction_outweighs_a_preference():
    found = signal("No, use tabs. Always use tabs in this repository.")
    assert (found.kind, found.value, len(found.sentences)) == (CORRECTION, -1, 2)


@given(st.text(max_size=200))
def test_any_text_is_taken(text):
    found = signal(text)
    assert found.value in (-1, 0, 1) and (found.kind is None) == (found.sentences == [])


@pytest.mark.parametrize(
    ("prompt", "patterns", "key"),
    [
        ("Fix ABC-123 please", ["ABC-#"], "ABC-123"),
        ("ABC-12を直して", ["ABC-#"], "ABC-12"),
        ("see XABC-12 and ABC-12x and ABC- 1", ["ABC-#"], None),
        ("see #45, then OPS-7", ["OPS-#", "##"], "#45"),
        ("issue #45", ["issue ##"], "issue #45"),
        ("2024/031 and task_9", ["#/#", "task_#"], "2024/031"),
        ("number 42", ["#"], None),
        ("ABC-1", ["ABC-[0-9]+", "(a+)+$"], None),
        ("a hotfix for login", ["hotfix"], "hotfix"),
        ("", ["ABC-#"], None),
        ("ABC-1", [], None),
        ("ABC-1 " * 3, ["", "#" * 70, "ABC-#"], "ABC-1"),
    ],
)
def test_task_keys(prompt, patterns, key):
    assert task_key(prompt, patterns) == key


@given(st.text("AB-#1 0", max_size=30), st.lists(st.text("AB-#1 0", max_size=8), max_size=4))
def test_a_task_key_is_a_part_of_the_prompt(prompt, patterns):
    found = task_key(prompt, patterns)
    assert found is None or found in prompt
