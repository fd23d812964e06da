"""At a failure an agent is shown what the closing message of an earlier session taught about such an error, in English and Japanese."""

import pytest

from memorybank.cycle.know import rejected
from memorybank.cycle.recall import query
from tests.cycle.recalling import Remembering, failure

DATABASE = (
    "Add the import of the tide tables.",
    "The import runs every night.\n\nThe only obstacle was the port: a Postgres of the machine listens on 5432, so the database of this project is published"
    ' on 5433. If you ever see `role "harbour" does not exist`, you are talking to the other server, not to the container.',
    "psql -h localhost -U harbour harbour -c '\\d tides'",
    'Exit code 2\npsql: error: connection to server at "localhost", port 5432 failed: FATAL:  role "harbour" does not exist',
    "you are talking to the other server",
)
境界 = (
    "検索結果に合計金額を出してください。",
    "合計金額を出しました。`useSearchParams` を使う部品は `<Suspense>` で囲まないとビルドが落ちるので、囲んであります。",
    "pnpm --filter @shop/web build",
    'Exit code 1\n⨯ useSearchParams() should be wrapped in a suspense boundary at page "/plans/compare".',
    "`<Suspense>` で囲まないとビルドが落ちる",
)
LESSONS = pytest.mark.parametrize("lesson", [DATABASE, 境界], ids=["english", "japanese"])


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


def taught(remembering, lesson, **fields):
    session = remembering.session("before", days_ago=3)
    session.prompt(lesson[0], **fields)
    session.turn_end(lesson[1], **fields)
    session.end()
    for number, other in enumerate(("The tone guide begins with an example.", "請求書の一覧は日付の順に並びます。")):
        work = remembering.session(f"other{number}", days_ago=2)
        work.prompt("Please continue with the next point.")
        work.turn_end(other)
        work.end()
    return remembering.fold()


def shown(remembering, command, error):
    found = remembering.ask(failure("Bash", {"command": command}, error), query.FAILURE)
    return found.text if found is not None else ""


@LESSONS
def test_an_earlier_answer_about_such_an_error_is_shown(remembering, lesson):
    *_, command, error, said = lesson
    assert said in shown(taught(remembering, lesson), command, error)


@LESSONS
def test_another_error_brings_nothing(remembering, lesson):
    taught(remembering, lesson)
    assert shown(remembering, lesson[2], "Exit code 1\nError: the licence of the tool has expired") == ""


@LESSONS
def test_what_only_says_what_was_done_is_no_lesson(remembering, lesson):
    in_english = 'I connected psql to the server at localhost, port 5432, with the role "harbour" of the harbour database.'
    in_japanese = "`useSearchParams` の部品を suspense boundary の page に移しました。"
    done = (lesson[0], in_english if lesson is DATABASE else in_japanese, *lesson[2:])
    assert shown(taught(remembering, done), lesson[2], lesson[3]) == ""


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("pytest tests/test_tides.py", DATABASE[3]),
        ("ruff check harbour", DATABASE[3]),
        ("git push", DATABASE[3]),
        ("psql -f harbour.sql", f"harbour.sql:3:4: error: syntax\n{DATABASE[3]}"),
        ("make up", f"FAILED tests/test_tides.py::test_role\n{DATABASE[3]}"),
    ],
    ids=["tests", "linter", "git", "diagnostic", "failed test"],
)
def test_errors_in_the_code_at_hand_say_themselves_what_is_wrong(remembering, command, error):
    assert shown(taught(remembering, DATABASE), command, error) == ""


@LESSONS
def test_a_rejected_lesson_stays_out(remembering, lesson):
    taught(remembering, lesson)
    call = failure("Bash", {"command": lesson[2]}, lesson[3])
    (memory,) = remembering.preview(call, query.FAILURE).shown
    rejected.add(remembering.scratch.layout, memory.memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    assert shown(remembering, lesson[2], lesson[3]) == ""


@LESSONS
def test_a_private_lesson_is_shown_to_nobody_else(remembering, lesson):
    taught(remembering, lesson, acl="session", privacy="private", hold=True)
    assert shown(remembering, lesson[2], lesson[3]) == ""


SEPARATOR = ("cd web && pnpm build", "The token '&&' is not a valid statement separator in this version.")
区切り = ("cd web && pnpm build", "トークン '&&' は、このバージョンでは有効なステートメント区切りではありません。")
MISSING = ("tidectl pull", "tidectl : The term 'tidectl' is not recognized as the name of a cmdlet, function, script file, or operable program.")
用語 = ("tidectl pull", "tidectl : 用語 'tidectl' は、コマンドレット、関数、スクリプト ファイル、または操作可能なプログラムの名前として認識されません。")
KEY = ("npx tide-cli sync", "Error: the environment variable TIDE_TOKEN is not set for the harbour account")
鍵 = ("npx tide-cli sync", "エラーが発生しました: 環境変数 TIDE_TOKEN が設定されていません")


@pytest.mark.parametrize(
    ("failed", "answer", "said"),
    [
        (MISSING, "`tidectl` is not recognized as a cmdlet or operable program unless `tools/bin` is added to the PATH.", "`tools/bin`"),
        (用語, "`tidectl` は `tools/bin` にだけあるので、コマンドレットのセッションごとに PATH に足す必要があります。", "`tools/bin`"),
        (KEY, "`tide-cli` reads TIDE_TOKEN from the environment of the harbour account only, so it must be exported before each sync.", "must be exported"),
        (鍵, "`tide-cli` は環境変数 TIDE_TOKEN だけを読むので、同期の前に設定が必要です。", "同期の前に"),
        (鍵, "`tide-cli` は環境変数 TIDE_TOKEN だけを読むから、同期の前に設定せなあかんで！", "同期の前に"),
    ],
)
def test_what_causes_or_mends_the_very_error_is_a_lesson(remembering, failed, answer, said):
    taught(remembering, ("Install the tool.", answer))
    assert said in shown(remembering, *failed)


@pytest.mark.parametrize(
    ("failed", "answer"),
    [
        (
            SEPARATOR,
            "Verification:\n\n- **Build**: every statement of this version is valid, only the separator changed\n- **Version**: `web --version` prints 0.6.0",
        ),
        (
            区切り,
            "## 検証結果\n\n- **ビルド成功**: 全パッケージ\n- **バージョン**: `web --version` → 0.6.0\n- **コミット成功**: 必要なメッセージだけで完了",
        ),
        (区切り, "## 利用可能なツール\n\n- **analyze_documents**: ドキュメントの分析が必要なときのコマンド"),
        (区切り, "ドキュメントはすべてのコンポーネントのために必要なだけ更新しました。"),
        (MISSING, "The script file of each function has the name of its cmdlet, so that the operable ones must be recognized by the loader."),
        (用語, "コマンドレット、関数、スクリプト ファイルの名前として認識されるので、操作可能なプログラムの一覧には必要なものだけがあります。"),
        (KEY, "## Next steps\n\n- **Token**: the environment variable TIDE_TOKEN needs to be set for the harbour account"),
        (鍵, "## 次のステップ\n\n- **トークン**: 環境変数 TIDE_TOKEN の設定が必要"),
        (鍵, "## 📝 次のステップ\n\n- **トークン**: 必要に応じて環境変数 TIDE_TOKEN を設定"),
    ],
)
def test_reports_and_next_steps_answer_no_failure(remembering, failed, answer):
    taught(remembering, ("Install the tool.", answer))
    assert shown(remembering, *failed) == ""
