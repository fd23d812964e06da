"""The gist of a session: what it was about and what came of it, in English and Japanese."""

import pytest

from memorybank.clock import HOUR
from memorybank.cycle.know import results
from memorybank.cycle.know.gist import LONGEST_ABOUT, LONGEST_REST, gist, without_kind
from memorybank.summarize import findings
from memorybank.summarize.listed import BETWEEN, MORE, with_one_result

AT = 1_757_894_400_000
CAUSE = "The export skipped the last page, because `has_more` was false there."


def told(asked=(), answers=(), subjects=(), pause=60_000):
    """Return the texts of the gist, one thing said after the other."""
    said, at = ([], [], []), AT
    for kind, texts in zip(said, (asked, answers, subjects), strict=True):
        for text in texts:
            at += pause
            kind.append((at, text))
    return [text for _, text in gist(*said)]


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("Can you please find out why the export loses rows? It is urgent.", "“Find out why the export loses rows?”"),
        ("Implement the following plan:\n\n# Plan: Read the last page of the export\n\n## Context\n\nIt loses rows.", "Read the last page of the export"),
        ("https://example.org/pull/12\nthe export loses rows since the last release", "“the export loses rows since the last release”"),
        ("エクスポートで行が消える原因を調べてください。", "「エクスポートで行が消える原因を調べてください」"),
    ],
)
def test_a_request_is_told_without_what_is_around_it(asked, about):
    assert told([asked], [CAUSE]) == [f"{about} → {CAUSE}"]


VAGUE = [
    "Please analyze the current state of the project first.",
    "前回の続きから実装をお願いします",
    "このコードを説明してください",
    "プロジェクト全体を理解してください",
]


@pytest.mark.parametrize("asked", ["commit", "commit this and push", "yes", "go on", "can you address the PR comments?", "コミットして", "はい", *VAGUE])
def test_a_request_that_names_nothing_is_not_what_a_session_was_about(asked):
    assert told([asked, "Why does the nightly export lose rows?"], [CAUSE]) == [f"“Why does the nightly export lose rows?” → {CAUSE}"]
    assert told([asked], [CAUSE]) == [CAUSE]


def test_subjects_of_commits_come_before_requests_and_those_of_records_last():
    asked = ["Why does the nightly export lose rows?"]
    assert told(asked, [CAUSE], ["fix(export): read the last page", "Update the changelog"]) == [f"read the last page → {CAUSE}"]
    assert told(asked, [CAUSE], ["Update the changelog"]) == [f"“Why does the nightly export lose rows?” → {CAUSE}"], "it only records"
    assert told(asked, [CAUSE], ["init"]) == [f"“Why does the nightly export lose rows?” → {CAUSE}"], "it says nothing"
    assert told(asked, [], [f"Read page {number} of the export in one go" for number in range(5)]) == [
        "Read page 3 of the export in one go; Read page 4 of the export in one go"
    ]
    assert len(told(asked, [], ["word " * 60])[0]) <= LONGEST_ABOUT


@pytest.mark.parametrize(
    "answer",
    [
        f"Done.\n\nAll tests pass.\n\n{CAUSE}\n\nLet me know if you want more.",
        f"Here's a summary of the changes:\n\n- **Step 1**: renamed the flag\n- {CAUSE}",
        f"{CAUSE}\n\n```python\nfor page in pages: read(page)  # never skip, because rows are lost\n```",
        f"Committed as `7238eaa`.\n\n3 files changed, all others are pre-existing changes.\n\n{CAUSE}",
    ],
)
def test_the_result_is_the_sentence_that_tells_most(answer):
    assert told(["Why does the nightly export lose rows?"], [answer]) == [f"“Why does the nightly export lose rows?” → {CAUSE}"]


@pytest.mark.parametrize(
    "answer", ["Done.", "Committed as `7238eaa`.", "All tests pass.", "完了しました。", "Pushed to origin.", "Changed `fmt.Println(a, ... and more"]
)
def test_a_report_that_all_went_well_is_no_result(answer):
    assert told(["Why does the nightly export lose rows?"], [answer]) == ["“Why does the nightly export lose rows?”"]


def test_a_japanese_answer():
    answer = "完了しました。\n\n最後のページを読み飛ばしていたのが原因で、`has_more` が false になっていました。\n\nテストはすべて通りました。"
    assert told(["エクスポートで行が消える原因を調べて"], [answer]) == [
        "「エクスポートで行が消える原因を調べて」 → 最後のページを読み飛ばしていたのが原因で、`has_more` が false になっていました。"
    ]


@pytest.mark.parametrize(
    "objection", ["no, the nightly job does not close the connection", "that's not it", "いや、それは違います", "I don't think so, look again"]
)
def test_an_answer_that_the_person_objects_to_is_no_result(objection):
    said = [(AT, "Why does the nightly export lose rows?"), (AT + 2, objection)]
    wrong = "The export loses rows because the connection of the nightly job is closed too early."
    assert gist(said, [(AT + 1, wrong), (AT + 3, CAUSE)], []) == [(AT + 3, f"“Why does the nightly export lose rows?” → {CAUSE}")]
    assert gist(said, [(AT + 1, wrong)], []) == [(AT, "“Why does the nightly export lose rows?”")]


@pytest.mark.parametrize(
    "part",
    [
        "#5: the flag is not read anywhere.",
        "Bug 2 — the flag is never read.",
        "Problem: the flag is never read.",
        "I can see the flag is never read.",
        "It looks good.",
    ],
)
def test_what_means_little_alone_is_no_result(part):
    assert told(["Why does the nightly export lose rows?"], [part]) == ["“Why does the nightly export lose rows?”"]


@pytest.mark.parametrize(
    ("asked", "first", "second", "between"),
    [
        ("Why does the nightly export lose rows?", CAUSE, "The reader now asks `next_page` for the rows that follow.", "Want me to add a test for it?"),
        (
            "エクスポートで行が消える原因を調べて",
            "最後のページを読み飛ばしていたのが原因で、`has_more` が false になっていました。",
            "`reader.py` は次のページを `next_page` で取得するようにしました。",
            "テストを追加しますか？",
        ),
    ],
)
def test_what_the_answer_goes_on_to_say_follows_its_first_result(asked, first, second, between):
    (line,) = told([asked], [f"{first}\n\n{between}\n\n{first}\n\n{second}"])
    assert line.split(MORE) == [with_one_result(line), second] and with_one_result(line).endswith(f" → {first}")


def test_other_answers_follow_as_far_as_the_space_reaches():
    others = [f"Table {name}_rows is read in pages of {size} rows." for name, size in (("account", 10), ("invoice", 20), ("payment", 30), ("refund", 40))]
    (line,) = told(["Why does the nightly export lose rows?"], [*others, CAUSE, "Committed and pushed.", "Let me look at the importer next."])
    first, *further = line.split(MORE)
    assert first == f"“Why does the nightly export lose rows?” → {CAUSE}"
    assert further and set(further) <= set(others) and sum(len(MORE) + len(text) for text in further) <= LONGEST_REST
    (line,) = told(["Why does the nightly export lose rows?"], [*(f"{text} {'It takes longer. ' * 20}" for text in others), CAUSE])
    assert len(line) <= len(first) + LONGEST_REST


def test_each_sitting_has_a_gist_of_its_own():
    first, second = (
        ("Why does the nightly export lose rows?", CAUSE),
        ("Rename the flag of the importer", "The flag is `--since` now, because `--from` was a keyword."),
    )
    asked = [(AT, first[0]), (AT + 14 * HOUR, second[0])]
    answers = [(AT + HOUR, first[1]), (AT + 15 * HOUR, second[1])]
    found = gist(asked, answers, [])
    assert found == [(AT + HOUR, f"“{first[0]}” → {first[1]}"), (AT + 15 * HOUR, f"“{second[0]}” → {second[1]}")]
    assert gist([], [], []) == [] and gist([(AT, "yes")], [(AT, "Done.")], []) == []


@pytest.mark.parametrize(
    ("asked", "answer", "nothing"),
    [
        ("Make the parser faster with a table of ranges", "The parser uses a table of ranges.", "It is faster."),
        ("日本語の単語も見つかるようにしてください。", "日本語の単語も見つかるようになりました。", "見つかります。"),
    ],
)
def test_that_it_is_done_is_a_result_if_the_answer_names_what(asked, answer, nothing):
    done = [(AT + 2, "a.py (edited)")]
    for said, result in ((answer, answer), (nothing, done[0][1])):
        (text,) = (text for _, text in gist([(AT, asked)], [(AT + 3, said)], [], done))
        assert text.endswith(f" → {result}")


def test_what_was_done_stands_for_a_result_that_nobody_put_into_words():
    asked, done = [(AT, "Why does the nightly export lose rows?")], [(AT + 1, "`make export` failed. It succeeded after a.py."), (AT + 2, "a.py (edited)")]
    assert [text for _, text in gist(asked, [(AT + 3, "Done.")], [], done)] == [f"“{asked[0][1]}” → {done[0][1]}"]
    assert [text for _, text in gist(asked, [(AT + 3, CAUSE)], [], done)] == [f"“{asked[0][1]}” → {CAUSE}"]
    assert gist([], [], [], done) == []


def on(task, asked, answer=CAUSE, subjects=()):
    said = [(AT, text) for text in asked]
    return [text for _, text in gist(said, [(AT + 1, answer)], [(AT, text) for text in subjects], tasks=[(AT, "main-line"), (AT, task)])]


def test_the_task_says_what_a_request_was_about():
    """A branch or a ticket names the subject of "review the changes in this branch"."""
    asked = "Review how the nightly job opens its input."
    assert on("sofia/export-of-last-pages", [asked]) == [f"export-of-last-pages: “{asked[:-1]}” → {CAUSE}"]
    assert on("sofia/export-of-last-pages", ["Review the changes in this branch, please."]) == [f"export-of-last-pages → {CAUSE}"]
    assert on("PAY-17", ["エクスポートの変更をレビューしてください。"]) == [f"PAY-17: 「エクスポートの変更をレビューしてください」 → {CAUSE}"]
    assert on("fix/export-of-last-pages", ["commit"]) == [f"export-of-last-pages → {CAUSE}"], "a request that names nothing"
    assert on("wip", ["commit"]) == [CAUSE], "neither names anything"
    question = "Why does the nightly export lose rows?"
    assert on("fix/export-rows", [question]) == [f"export-rows: “{question}” → {CAUSE}"], "by it, the branch knows its own sessions"
    assert on("fix/lost-rows", [asked], subjects=["Read the last page"]) == [f"lost-rows: Read the last page → {CAUSE}"]
    (long,) = on("fix/lost-rows", [f"Find out why {'the nightly export of the accounts ' * 5}loses rows?"])
    assert len(long.partition(" → ")[0]) <= len("lost-rows: “”") + LONGEST_ABOUT and gist([], [], tasks=[(AT, "fix/lost-rows")]) == []


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        (
            f"Could you go through {'every table of the export and ' * 4}find the lost rows? Can you then rename the flag of the importer?",
            "“Then rename the flag of the importer?”",
        ),
        (
            f"The nightly export of the accounts loses its last rows because {'one of the pages is empty and ' * 4}so on",
            "“The nightly export of the accounts loses its last rows”",
        ),
        (f"夜間の書き出しで最後の行が消えるので、{'空のページの扱いと区切りの位置を' * 8}見直してほしい", "「夜間の書き出しで最後の行が消える」"),
    ],
)
def test_a_request_is_told_whole_or_up_to_the_end_of_a_clause(asked, about):
    assert told([asked], [CAUSE]) == [f"{about} → {CAUSE}"]


def test_a_pasted_error_is_what_a_session_was_about_by_its_first_line():
    pasted = "--- FAIL: TestExport (0.04s)\n    export_test.go:12: lost rows\n--- FAIL: TestImport (0.02s)\nFAIL"
    assert told([pasted], [CAUSE]) == [f"“FAIL: TestExport (0.04s)” → {CAUSE}"]
    assert told([f"The nightly export fails since yesterday, can you check?\n\n{pasted}"], [CAUSE]) == [
        f"“The nightly export fails since yesterday, can you check?” → {CAUSE}"
    ]


def test_the_kind_of_a_commit_is_left_out():
    assert without_kind("feat(ui): show the page") == "show the page"
    assert without_kind("Fix this: the page") == "Fix this: the page" and without_kind("feat: ") == "feat: "


@pytest.mark.parametrize(
    ("request_", "said", "left"),
    [
        (
            "Webhooks that fail with 5xx should be retried with exponential backoff.",
            "Backoff is in `retry_delay` (2^attempts seconds, at most an hour, 8 attempts).",
            "Still open: `Retry-After` of a 429 is not honoured yet, and the delay has no jitter.",
        ),
        ("Move the importer to the new queue.", "The importer reads from `jobs_v2` now.", "The dead letters are not moved yet."),
        ("キャンセル API を追加してください。", "`cancel_order` を追加し、発送済みの注文は 409 になります。", "在庫を戻す処理はまだ実装していません。"),
    ],
)
@pytest.mark.parametrize("committed", [[], [(AT + 2, "WIP: work of today")]])
def test_what_is_left_to_do_at_the_end_is_part_of_the_gist(request_, said, left, committed):
    asked = [(AT, request_), (AT + 2, "Let's stop here for today.")]
    answers = [(AT + 1, f"{said} {left}"), (AT + 3, "Committed as work in progress.")]
    assert gist(asked, answers, committed)[0][1].endswith(left)
    done = [*answers[:1], (AT + 3, "Both are done: `tests/test_all.py` covers them with 12 cases.")]
    assert left not in gist(asked, done, [(AT + 2, "Add the rest of the work")])[0][1]


@pytest.mark.parametrize(
    ("asked", "first", "then"),
    [
        (
            "Some invoice dates of March look shifted, why is that?",
            "There are 412 stored invoices of March with a shifted date; we never repaired them.",
            "All 412 stored invoices of March are repaired, each date moved back by one hour.",
        ),
        (
            "3月の請求書の日付がずれている理由を調べてください。",
            "保存済みの3月の請求書412件は日付がずれたままで、修正していません。",
            "保存済みの3月の請求書412件の日付を修正し、1時間ずつ戻しました。",
        ),
    ],
)
def test_what_a_later_answer_contradicts_is_no_longer_a_result(asked, first, then):
    (said,) = told([asked], [first, then])
    assert then in said and first not in said


@pytest.mark.parametrize(
    ("asked", "answers", "about", "result"),
    [
        (
            ["The nightly upload stopped with a 401, any idea?", "And which file holds the monthly report?"],
            ["Probably the token again, I will look at it.", "`monthly.mjs` holds it, because the daily one was split in two."],
            "monthly report",
            "`monthly.mjs`",
        ),
        (
            ["The nightly upload stopped with a 401, any idea?", "ok, do that then"],
            ["Probably the token again, I will look at it.", "The token of the upload expires after 6 hours, so the job fetches a new one at each 401."],
            "nightly upload",
            "6 hours",
        ),
        (
            ["Clean up the cache folders of the bot?", "The weather tool prints raw JSON instead of an answer"],
            ["They are gone.", "The weather tool now answers in clean sentences, because its schema lists every field."],
            "raw JSON",
            "schema",
        ),
        (
            ["キャッシュのフォルダーを整理して", "天気ツールが生のJSONを返すのを直して"],
            ["整理しました。", "天気ツールは `schema` の全項目を読むので、JSONではなく文で答えます。"],
            "天気ツール",
            "schema",
        ),
    ],
)
def test_a_result_stands_beside_the_request_that_it_answers(asked, answers, about, result):
    ((_, said),) = gist([(AT, asked[0]), (AT + 2, asked[1])], [(AT + 1, answers[0]), (AT + 3, answers[1])])
    before, _, after = said.partition(" → ")
    assert about in before and result in after


@pytest.mark.parametrize(
    ("asked", "answer", "first"),
    [
        (
            "the buffer of 256k is too big for users with little memory, 2 of them swap. make it 128",
            "BUF is 128 KiB now. On a NAS that costs about 2 % compared with 256 KiB, and users with little memory no longer swap.",
            "BUF is 128 KiB now.",
        ),
        (
            "Build the option for patterns with the new version of the matcher",
            "The matcher is at 0.3.0. One thing changed its meaning: `*` no longer crosses a slash. Nobody is affected, because the option is new.",
            "One thing changed its meaning: `*` no longer crosses a slash.",
        ),
        (
            "should retries be counted per host or per tenant?",
            "Nice question, retries of a tenant share one pool of 8. We decided to count retries per host, because one tenant can own many hosts.",
            "We decided to count retries per host, because one tenant can own many hosts.",
        ),
        (
            "検索結果の上限を決めて",
            "上限は50件にしました。なお検索結果の画面は `empty.html` にあるので、上限を変えても検索結果の表示は変わりません。",
            "上限は50件にしました。",
        ),
        (
            "料金の端数をどうするか",
            "端数は切り捨てに統一しました。ちなみに料金の端数は `rate.py` だけで出るため、合計は最大2円変わります。",
            "端数は切り捨てに統一しました。",
        ),
        ("Why does the nightly export lose rows?", f"{CAUSE} It asks `next_page` now.", CAUSE),
        (
            "Which columns does the nightly report contain?",
            "The report has 12 columns, from `report.csv`. It now and then misses refunds.",
            "The report has 12 columns, from `report.csv`.",
        ),
        ("テストが遅い", "テストが遅いのは毎回DBを作り直していたためです。今は1回だけ作るようにしました。", "テストが遅いのは毎回DBを作り直していたためです。"),
    ],
)
def test_what_holds_from_then_on_comes_before_a_remark(asked, answer, first):
    (line,) = told([asked], [answer])
    assert with_one_result(line).partition(" → ")[2] == first


@pytest.mark.parametrize("committed", [[], ["Write the header and trailer of lists"]])
def test_an_open_point_is_kept_beside_what_only_sounds_open(committed):
    done = "Phase 1 is in: parse refuses a list whose trailer is missing."
    left = "Still open in this phase: the warning on stderr for old lists."
    remark = "Note that a path starting with # cannot be confused with a header, because entries begin with a digit."
    (line,) = told(["Read the plan and start with phase 1"], [f"{done} {left} {remark}"], committed)
    assert with_one_result(line).endswith(f"{done} • {left}")


@pytest.mark.parametrize(
    ("answer", "cheer"),
    [
        ("All fixes applied, and it is a wonderful day!\n\nThe upload keeps its token for 6 hours.", "wonderful"),
        ("✅ Testing results - all systems working!\n\nThe upload keeps its token for 6 hours.", "Testing"),
        ("The project is ready for development with local or container workflows!\n\nThe upload keeps its token for 6 hours.", "ready"),
        ('"total_sessions": 26, // all closed\n\nThe upload keeps its token for 6 hours.', "total"),
        ("🎉 整理整頓が全部終わったで！\n\nアップロードのトークンは 6 時間有効です。", "整理整頓"),
        ("めっちゃスムーズに動くようになったわ！\n\nアップロードのトークンは 6 時間有効です。", "スムーズ"),
    ],
)
def test_a_cheer_is_no_result(answer, cheer):
    asked = "アップロードを見て" if "時間" in answer else "Look at the upload"
    assert cheer not in told([asked], [answer])[0] and "6" in told([asked], [answer])[0]
    assert BETWEEN not in told([asked], [answer.partition("\n")[0]])[0]


def test_further_results_in_japanese_take_half_the_characters():
    further = "設定{0}番の項目{1}を別の画面に移したので、一覧から直接開けるようにしました。"
    answer = "原因はトークンの期限です。" + "".join(further.format(number, number * 7) for number in range(12))
    assert LONGEST_REST / 4 < len(told(["アップロードが止まる原因を調べて"], [answer])[0]) < 250


@pytest.mark.parametrize(
    ("talk", "result"),
    [
        ("My recommendation: Option 3 (a lock for each berth) because it keeps the list short.", "The list reads `berths.toml` once."),
        ("You weren't wrong about the cleanup of `berths.toml`!", "The list reads `berths.toml` once."),
        ("I was showing you the first change of `berths.toml`, because you had asked for it.", "The list reads `berths.toml` once."),
        ("We've been deep in the `lint` rules, rather than building berths!", "The list reads `berths.toml` once."),
        ("案Bをおすすめします。`berths.toml` が短くなるためです。", "一覧は `berths.toml` を一度だけ読みます。"),
    ],
)
def test_what_is_about_the_conversation_gives_way_to_a_result(talk, result):
    (found,) = gist([(1, "make the list of berths short")], [(2, talk), (4, result)])
    assert result in found[1] and talk not in found[1]


@pytest.mark.parametrize(
    "sentence",
    [
        "You asked for 30 s, so the timeout is now 30 s.",
        "You made port 8080 the default.",
        "The recommendation engine returns 10 items instead of 5.",
        "I was able to reproduce the crash: `parse()` reads past the end.",
        "Option parsing accepts `--json`.",
        "Tier 1 customers get 100 requests each minute.",
        "I analyzed the crash: `parse()` reads past the end.",
        "The user is redirected to `/home` after the login.",
        "ユーザーは希望する日付を3つまで選べます。",
        "ご指摘のとおり、タイムアウトを30秒に変更しました。",
        "見落としていた `os` のインポートを追加しました。",
        "案1を採用し、キャッシュを5分にしました。",
    ],
)
def test_what_changed_is_a_result_whoever_asked_for_it(sentence):
    assert not results._talks(sentence) and results._stands_alone(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "My recommendation: Option 3, since it is now faster.",
        "I recommend `pnpm`.",
        "You made a good point about the cache.",
        "誤解していました。",
        "案Bをおすすめします。",
    ],
)
def test_a_sentence_about_the_conversation_is_none(sentence):
    assert results._talks(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["Your diagnosis is right: `parse()` reads past the end.", "ご推察のとおり、原因は期限切れでした。"],
)
def test_praise_with_the_cause_is_a_result(sentence):
    assert not results._talks(sentence)


@pytest.mark.parametrize("sentence", ["Your hunch was exactly right.", "あなたの分析は的確です。", "ご推測のとおりです。"])
def test_praise_alone_is_none(sentence):
    assert results._talks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I've completed a comprehensive exploration of your backend.",
        "After analyzing the codebase, I've identified the root cause of the issue and can provide a plan.",
        "I can now provide you with a complete understanding of the data flow.",
        "User is asking why the list stays empty.",
        "The user's request is to fill the list.",
        "ユーザーの依頼は、一覧の修正です。",
        "コードベースを詳しく分析しました。",
        "問題の原因が分かりました！",
        "The user is reporting that the list stays empty.",
        "ユーザーは再生が始まらないと報告しています。",
        "エラーを確認しました。",
    ],
)
def test_an_announcement_is_no_result_even_if_nothing_else_is_said(sentence):
    assert findings.passes(sentence)
    assert BETWEEN not in told(["Why does the upload of berths stop?"], [sentence])[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "I completed the switch to `pnpm` with a workspace of 4 packages.",
        "I performed the rollback to v2.3.1 after the health check failed.",
        "I've provided a fallback for Safari, which lacks `requestIdleCallback`.",
        "I reviewed the schema and found no foreign key on `orders.user_id`.",
        "I've investigated the flaky job, and it depends on the order of the rows.",
        "I can now explain the pause: the lock is held for 3 s.",
        "The user asked for 30 s, so the timeout is 30 s now.",
        "The user reports page shows at most 50 rows.",
        "The upload works offline and syncs when the connection comes back!",
        '"Save draft": the button keeps the text for 7 days.',
        "取り込みは3件ずつに分けて分析しました。",
        "一覧を詳しく確認し、上限を50件にしました。",
    ],
)
def test_what_was_done_or_found_is_a_result_however_it_begins(sentence):
    assert not findings.passes(sentence)
    assert told(["Why does the import of berths stop?"], [sentence])[0].endswith(sentence)


def test_how_the_branches_stood_is_no_result():
    (found,) = told(
        ["why can I not sync?"],
        ["Your local `main` and `origin/main` have diverged, so Git blocks the push.", "The lock file is written once, because two writers met."],
    )
    assert "diverged" not in found
