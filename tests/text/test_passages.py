"""Passages of Markdown answers: paragraphs, items and rows, and what a sentence leads in to."""

import pytest

from memorybank.text.prose.passages import LONGEST, answering, excerpt, lasting, passages, with_items, with_subjects

REASONS = """The session is considered active because:
- its checkpoint count is above zero, and
- the base commit is the same;
- it runs in this worktree
"""


def test_a_sentence_that_leads_in_is_one_passage_with_its_list() -> None:
    said = "The session is considered active because: its checkpoint count is above zero; the base commit is the same; it runs in this worktree"
    assert list(passages(REASONS)) == [("", said)]


def test_what_does_not_fit_has_the_sentence_as_its_heading() -> None:
    items = [f"Reason number {number} for which the export is refused by the ledger service of the shop" for number in range(6)]
    found = list(passages("It is refused because:\n" + "\n".join(f"- {item}" for item in items)))
    assert found[0] == ("", "It is refused because: " + "; ".join(items[:3]))
    assert found[1:] == [("It is refused because", item) for item in items[3:]]
    assert all(len(text) <= LONGEST for _, text in found)


def test_the_sentences_before_a_lead_in_stand_for_themselves() -> None:
    found = list(passages("The ledger is locked by the vacuum. Two settings help:\n\n1. vacuum.batch = 100\n2. export.retry = 1\n\nBoth are needed at once."))
    assert found == [
        ("", "The ledger is locked by the vacuum."),
        ("", "Two settings help: vacuum.batch = 100; export.retry = 1"),
        ("", "Both are needed at once."),
    ]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("rm -rf tmp/clones", "Remove the leftovers first: `rm -rf tmp/clones`"),
        ("cd app\nbun run lint:fix", "Remove the leftovers first: `cd app` `bun run lint:fix`"),
        ("\n".join(f"line {number}" for number in range(9)), "Remove the leftovers first:"),
    ],
)
def test_a_short_code_block_belongs_to_the_sentence_before_it(code: str, said: str) -> None:
    assert list(passages(f"Remove the leftovers first:\n\n```sh\n{code}\n```\n")) == [("", said)]


def test_a_code_block_alone_says_nothing() -> None:
    assert list(passages("The export waits for the ledger.\n\n```\n[main d513d5a] Update\n2 files changed\n```\n")) == [
        ("", "The export waits for the ledger.")
    ]


@pytest.mark.parametrize(
    ("remark", "kept"),
    [
        ("The linter found duplicate code and a repeated string constant.", ""),
        ("Two integration tests failing.", ""),
        ("One test failed because the total was never rounded.", "One test failed because the total was never rounded."),
        ("The hook fails. It picks up tests of a leftover clone in tmp/clones.", "It picks up tests of a leftover clone in tmp/clones."),
        ("テストが失敗しました。", ""),
        ("テストが失敗したのは台帳がロックされていたためです。", "テストが失敗したのは台帳がロックされていたためです。"),
    ],
)
def test_a_report_of_a_check_is_kept_only_with_its_cause(remark: str, kept: str) -> None:
    assert lasting(remark) == kept


@pytest.mark.parametrize(
    "remark",
    [
        "`Card` requires an explicit `body`.",
        "The forms need their own `_imports` file.",
        "The parser no longer accepts tabs.",
        "testdata がパッケージとしてコンパイルされています。",
        "この版は TOML に対応していません。",
        "The API now requires a token.",
    ],
)
def test_what_explains_a_failure_is_kept_only_after_one(remark: str) -> None:
    assert lasting(remark, follows_failure=True) == remark
    assert lasting(remark) == ""


@pytest.mark.parametrize(
    "remark",
    [
        "Let me see whether that path exists.",
        "Let me try another way.",
        "もう一度試します。",
        "The linter reports errors.",
        "I cannot reproduce it.",
        "There are no changes to commit.",
        "The build returns no output.",
        "Hmm, that can't be it.",
        "The tests can't be run here.",
        "再現できません。",
        "まだ動かせません。",
        "エラーが出力されています。",
        "変更がコミットされていません。",
        "対応していきます。",
    ],
)
def test_a_step_explains_no_failure(remark: str) -> None:
    assert lasting(remark, follows_failure=True) == ""


def test_a_lead_in_without_anything_after_it_answers_nothing() -> None:
    assert answering("The export waits for the ledger.\n\nHere is what you can do:\n\n## Next") == [("", "The export waits for the ledger.")]


def test_a_heading_ends_what_a_sentence_leads_in_to() -> None:
    assert list(passages("These are the two causes:\n\n## Cause\n\nThe ledger is locked by the vacuum.")) == [
        ("", "These are the two causes:"),
        ("Cause", "The ledger is locked by the vacuum."),
    ]


def test_a_list_within_a_list_belongs_to_its_item() -> None:
    assert list(passages("Two things are wrong here:\n\n1. The lock is never released\n2. The retry waits too long:\n   - 30 s at first\n   - 60 s later")) == [
        ("", "Two things are wrong here: The lock is never released"),
        ("", "The retry waits too long: 30 s at first; 60 s later"),
    ]


def test_japanese_lists_are_joined_too() -> None:
    assert list(passages("書き出しは二つの理由で止まる：\n- 台帳がロックされている\n- 再試行がない\n")) == [
        ("", "書き出しは二つの理由で止まる： 台帳がロックされている; 再試行がない")
    ]


@pytest.mark.parametrize("opener", ["Here is a summary of the changes:", "変更点は以下のとおりです："])
def test_an_opener_does_not_join_what_follows(opener: str) -> None:
    assert list(passages(f"{opener}\n- The export releases its lock\n- The retry waits one minute")) == [
        ("", "The export releases its lock"),
        ("", "The retry waits one minute"),
    ]


def test_rows_of_a_table_keep_their_heading_and_lose_the_ruler() -> None:
    assert list(passages("## Limits\n\n| name | value |\n| --- | --- |\n| export timeout | 30 seconds |\n")) == [("Limits", "export timeout — 30 seconds")]


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("The lock is kept. The retry waits a minute because the ledger is slow", 24, "The lock is kept."),
        (
            "The check handles three cases, missing the fourth one: when the target is unknown it falls through",
            70,
            "The check handles three cases, missing the fourth one …",
        ),
        ("The export needs one option; the import of the ledger needs two", 44, "The export needs one option …"),
        ("The lock of the ledger is kept until midnight by the export", 40, "The lock of the ledger is kept until …"),
        ("The lock of the ledger is kept by `export ledger --until midnight`", 52, "The lock of the ledger is kept by …"),
        (
            "料率は二か所に書かれているので、片方だけ変えると請求額が合わなくなり、テストも通らなくなります",
            40,
            "料率は二か所に書かれているので、片方だけ変えると請求額が合わなくなり …",
        ),
        ("短い文。", 40, "短い文。"),
    ],
)
def test_an_excerpt_ends_where_a_thought_ends(text: str, limit: int, shown: str) -> None:
    assert excerpt(text, limit) == shown


def test_a_list_says_at_its_end_that_items_are_missing() -> None:
    items = ["the lock", "the retry", "the log"]
    assert with_items("Needed", items, {0, 2}) == "Needed: the lock; the log; …"
    assert with_items("Needed", items, {0, 1, 2}) == "Needed: the lock; the retry; the log"


def test_a_sentence_is_told_with_the_one_that_names_its_subject():
    said = ["Use `--cloud-url`:", "This flag is on `login`.", "It calls `setBase()`.", "Nothing else reads the base."]
    assert with_subjects(said, 180) == ["Use `--cloud-url`: This flag is on `login`.", *said[2:]]
    assert with_subjects(["Moved.", "It lives in `docs`."], 180) == ["Moved: It lives in `docs`."]
    assert with_subjects(["設定を移しました。", "それは `docs` にあります。"], 180) == ["設定を移しました: それは `docs` にあります。"]
    assert with_subjects(said[:2], 20) == said[:2], "too long together"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "1. **Berths are lost**\n   - **Problem**: the list had no lock\n   - **Fix**: lock it in `berths.py`\n2. Slow list\n   - Cause: one query a row",
            ["**Berths are lost**: **Problem**: the list had no lock; **Fix**: lock it in `berths.py`", "Slow list: Cause: one query a row"],
        ),
        (
            "✅ 1. 係留の欠落\n\n- 原因: 一覧に鍵がない\n- 修正: `berths.py` で鍵をかける",
            ["✅ 1. 係留の欠落: 原因: 一覧に鍵がない; 修正: `berths.py` で鍵をかける"],
        ),
        ("The list has a lock now.\n\n- Fix: lock it in `berths.py`", ["The list has a lock now.", "Fix: lock it in `berths.py`"]),
        ("Two things about the list\n\nThe server restarts at night.", ["Two things about the list", "The server restarts at night."]),
    ],
)
def test_a_title_and_its_labelled_lines_are_one_passage(text: str, found: list[str]) -> None:
    assert [piece for _, piece in passages(text)] == found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Berths are lost: Issue: the list of the harbour had no lock; Fix: lock it in `berths.py`", "Berths are lost: Fix: lock it in `berths.py`"),
        ("係留の欠落: 原因: 港の一覧には鍵がどこにもなかった; 修正: `berths.py` で鍵をかける", "係留の欠落: 修正: `berths.py` で鍵をかける"),
    ],
)
def test_what_was_done_about_it_is_kept_rather_than_the_issue(text: str, shown: str) -> None:
    assert excerpt(text, len(shown) + 2) == shown and excerpt(text, 200) == text
