"""The part of a prompt that a person typed, and the prompts that a host wrote."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts.attached import without_attached
from memorybank.text.prompts.typed import asked_by, is_notice, typed

OWN = [
    "can you make the table wider?",
    "commit this",
    "use `make check` and then look at src/app.py:12, please",
    "two things:\n- the footer is gone\n- the header is too large",
    "It should look like this:\n1. a title\n2. a list\n3. a button",
    "I think the cache is wrong, because the second request is slow. Can you look?\n\nAlso fix the header.",
    "question: `rm -rf build` removed more than I wanted, why?",
    "why does <task-notification> appear?",
    "テストを直してください。\nそれから変更履歴も更新して。",
    "一覧は次の順で:\n- 名前\n- 日付",
    "ログイン画面が白い",
    "",
]


@pytest.mark.parametrize("prompt", OWN)
def test_own_words_stay_whole(prompt):
    assert typed(prompt) == prompt


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("Implement the following plan:\n\n# Plan: sort the list\n\n## Context\n\nAlways sort.", ""),
        ("次の計画を実装してください:\n\n# 計画\n\n常に並べる。", ""),
        ("here is the guide\n\n# Guide\n\nUse tabs.\n\n## More\n\nNever push.", "here is the guide"),
        ("why does this fail?\n```\nassert a == b\n```\nit worked yesterday", "why does this fail?\n\nit worked yesterday"),
        ("what is this:\n```\nnever closed", "what is this:"),
        ("[INFO] start\nhttps://example.com/harbour is opened...\n[tide] 12.5 fps\n[tide] 19.2 fps\n", ""),
        ("少し遅い\n\n[INFO] 監視を開始しました\nhttps://example.com/港 の再生を開始します...\n[tide] 実測: 12.5\n[tide] 実測: 19.2\n", "少し遅い"),
        ("[INFO] start\n[tide] 12.5 fps\nwhy does it stop here?\n[tide] 19.2 fps\n", "why does it stop here?"),
        ("❯ make check\nchecking\n✗ 2 problems\nI get this since the upgrade", "checking\n\nI get this since the upgrade"),
        ('it crashes\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\n    go()\nValueError: no', "it crashes"),
        ("the page is blank\nTypeError: x is undefined\n    at render (app.js:10:3)\n    at main (app.js:90:1)", "the page is blank"),
        ("still red:\n--- FAIL: TestSort (0.01s)\n    sort_test.go:12: want 3\nFAIL\n\ncan you fix it?", "still red:\n\ncan you fix it?"),
        ("I see this in the console: " + "[Server] GET /api/items 200 " * 9, "I see this in the console:"),
        ("explain this change\n\n@@ -1,2 +1,2 @@\n-    a = 1\n+    a = 2", "explain this change"),
        ("which row is right?\n| a | b |\n|---|---|\n| 1 | 2 |", "which row is right?"),
        ("> use tabs\n> always\n\nI disagree with him", "I disagree with him"),
        ("/review https://example.org/pull/3", "https://example.org/pull/3"),
        ("/review", ""),
        ("<command-message>fix is running</command-message>\n<command-name>/fix</command-name>\n<command-args>the login page</command-args>", "the login page"),
        ("<system-reminder>Never do this.</system-reminder>\nfix it", "fix it"),
        ("エラーが出ます\n[12:01:02] start\n[12:01:03] stop\nどうしてですか？", "エラーが出ます\n\nどうしてですか？"),
    ],
)
def test_what_was_pasted_is_left_out(prompt, own):
    assert typed(prompt) == own


REPORT = (
    "The exporter writes each row twice when the buffer is flushed during a retry. The second write happens because the offset is not advanced before the call "
    "returns. Consider advancing the offset first, or guard the write with the sequence number of the batch."
)
REPORT_JA = "書き出し処理は、再試行中にバッファが空になると各行を二度書き込む。これは呼び出しが戻る前に位置が進まないためである。" * 3


@pytest.mark.parametrize("report", [REPORT, REPORT_JA])
def test_a_long_paragraph_in_which_nobody_speaks_is_a_quotation(report):
    assert typed(report) == ""
    assert typed(f"I got this feedback: {report}") == "I got this feedback"
    assert typed(f"Rows are doubled\n\nHigh Severity\n\n{report}\n\ncan you check that?") == "can you check that?"


IMPERSONAL = (
    "the retry loop of the importer gives up after the third refusal, so the rows of that hour are missing. The queue keeps them for two days, "
    "the importer has to read them again from there, and the report of the day is written once more."
)


@pytest.mark.parametrize("beginning", ["Very nice. One remark: ", "Ah no, ", "Right, ", "GNT-12: fix ", "Now the importer: ", "Add a second look: ", "No! "])
def test_a_long_paragraph_that_answers_the_agent_or_begins_with_an_order_was_typed(beginning):
    assert typed(beginning + IMPERSONAL) == beginning + IMPERSONAL


@pytest.mark.parametrize("text", [IMPERSONAL, f"Consider a queue. {IMPERSONAL}", f"Addition of rows: {IMPERSONAL}"])
def test_a_long_impersonal_paragraph_with_another_beginning_is_a_quotation(text):
    assert typed(text) == ""


@pytest.mark.parametrize("end", ["You wrote it so.", "Commit on the branch.", "Push it."])
def test_a_long_paragraph_in_which_the_agent_is_addressed_was_typed(end):
    assert typed(f"{IMPERSONAL} {end}") == f"{IMPERSONAL} {end}"


def test_a_long_paragraph_of_a_person_stays():
    own = "I think the exporter is wrong, because each row comes twice since we retry. " * 5
    assert typed(own) == own.strip()
    own = "書き出しがおかしいと思います。再試行のときに各行が二度出るので、直してください。" * 5
    assert typed(own) == own


NOTICES = [
    json.dumps({"task_id": "b1c2", "task_type": "local_bash", "description": "Run tests"}),
    json.dumps({"task_id": "a9", "tool_use_id": "toolu_1", "description": "Look", "task_type": "local_agent"}),
    "<task-notification>\n<task-id>1</task-id>\n</task-notification>",
    "<agent-notification>\n<agent-id>1</agent-id>\n</agent-notification>",
    "Operation stopped by hook: another session is open",
    "[Request interrupted by user]",
    "This session is being continued from a previous conversation that ran out of context.",
    "<local-command-stdout>ok</local-command-stdout>",
    "<command-name>/model</command-name>",
]


@pytest.mark.parametrize("text", NOTICES)
def test_notices_of_hosts_are_nobodys_words(text):
    assert is_notice(text) and is_notice(f"\n {text}\n")
    assert typed(text) == ""


@pytest.mark.parametrize(
    "text", ["", "{", '{"a": 1}', 'what is {"task_id": 1, "task_type": 2}?', "stop", "<b>bold</b> please", "operation stopped, why?", *OWN]
)
def test_peoples_prompts_are_none(text):
    assert not is_notice(text)


@given(st.text(max_size=400))
def test_any_text_is_taken_and_nothing_is_invented(text):
    found = typed(text)
    assert {line.strip() for line in found.split("\n")} - {""} <= set(" ".join(text.split())) | {part for part in _substrings(found, text)}


def _substrings(found: str, text: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if line.strip() in text]


PIECES = [
    "<a>",
    "</a>",
    "<b1>",
    ": ",
    "a@b",
    "@",
    " " * 20,
    "\n",
    "\n\n",
    "# x\n",
    "```\n",
    "[A b] ",
    "at x (",
    "Error: ",
    "/x",
    '"""',
    "。",
    "は",
    "I ",
    "x" * 40,
    "- ",
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
def test_a_hundred_kilobytes_are_read_in_bounded_time(pieces):
    piece = "".join(pieces)
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    typed(text)
    assert time.process_time() - started < 5


def test_a_line_of_a_terminal_with_its_time_and_folder_was_pasted():
    pasted = "[02/20/26 17:41 dev ~/source/ledger/cli] golangci-lint run\npkg/tools.go:96:4: QF1012: Use fmt.Fprintf (staticcheck)\n3 issues:"
    assert "golangci-lint" not in typed(f"please fix these\n\n{pasted}")
    assert typed("[WIP] please look at the ledger") == "[WIP] please look at the ledger"


def test_the_line_in_which_an_editor_says_what_is_selected_is_nobodys():
    assert typed("fix it\n⧉ Selected 71 lines from docs/plan.txt in Cursor") == "fix it"
    assert typed("⧉ Selected 71 lines from docs/plan.txt in Cursor\n\n直して") == "直して"


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("it is too slow\n```\n[INFO] server started\n[INFO] listening on 8080\n```", "it is too slow"),
        ("進みが怪しいです\n```\n[INFO] 監視を開始しました\n[tide] 再生時間: 43.6秒\n```", "進みが怪しいです"),
        ("it stops\n```\n[INFO] server started\nupdate error: can't pack the frame\n```", "it stops update error: can't pack the frame"),
        ("止まる\n```\n[INFO] 開始しました\n更新エラー: 枠を置けない\n```", "止まる 更新エラー: 枠を置けない"),
    ],
)
def test_a_log_asks_nothing_but_the_error_in_it(prompt, asked):
    assert asked_by(prompt) == asked


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("the server stops, see @zsh (12-40)", "the server stops, see"),
        ("サーバーが止まります @Terminal (npm run dev) (3-18)", "サーバーが止まります"),
        ("look at @src/app.ts (10-20)", "look at @src/app.ts (10-20)"),
        (
            "Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nTo-do's from the plan have already"
            " been created. Do not create them again. Don't stop until you have completed all the to-dos.",
            "",
        ),
        ('For the code present, we get this error:\n```\n"Tide" is lost\n```\nHow can I resolve this? If you propose a fix, please make it concise.', ""),
        ("For the code present in `tide.py` write a test.", "For the code present in `tide.py` write a test."),
    ],
)
def test_what_an_editor_attaches_is_not_typed(prompt, own):
    assert typed(prompt) == own


@pytest.mark.parametrize("text", ["For the code present, we get this error:\n```x```\n" * 4000, "For the code" + " " * 40_000, "Implement" + " " * 40_000])
def test_what_an_editor_attaches_is_looked_for_at_the_beginning_only(text):
    started = time.process_time()
    without_attached(text)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        ("@zsh (1-20) why does it stop?", "why does it stop?"),
        ("@zsh (1-20) なぜ止まりますか？", "なぜ止まりますか？"),
        ("@Dockerfile (3-9) use another base", "@Dockerfile (3-9) use another base"),
        ("@Makefile (3-9) を直して", "@Makefile (3-9) を直して"),
        ("ask bob@corp (9-17) first", "ask bob@corp (9-17) first"),
    ],
)
def test_lines_of_a_file_keep_its_name(prompt, own):
    assert typed(prompt).strip() == own
