"""A check that a person ran themselves and that fails has one form, however they report it."""

import pytest

from memorybank.text.prompts.expectations import asks
from memorybank.text.prompts.failing_checks import bare_report, ended_check, failing_check
from memorybank.text.prompts.themes import ENDED, of_check, same_theme


@pytest.mark.parametrize(
    ("said", "check"),
    [
        ("make test:all is failing", "make test:all"),
        ('"npm run typecheck" fails, can you take a look?', "npm run typecheck"),
        ("when running `just lint` I get these errors:", "just lint"),
        ("running npm test shows a bunch of failures in the api folder", "npm test"),
        ('unrelated, but tests are still failing, run "tox -e py312"', "tox"),
        ("can you find out why cargo build fails?", "cargo build"),
        ("./scripts/check does not pass on my machine", "./scripts/check"),
        ("`npm test` が失敗します", "npm test"),
        ("npm run lint が通らない", "npm run lint"),
        ("`cargo clippy` を実行したらエラーになりました", "cargo clippy"),
        ("pytest が落ちる", "pytest"),
        ("I ran npm test and it fails", "npm test"),
        ("npm test in packages/api fails", "npm test"),
        ("npm run lint complains about two files", "npm run lint"),
        ("npm test passes but npm run build fails", "npm run build"),
        ("npm testが失敗する", "npm test"),
        ("make check を走らせたら落ちた", "make check"),
        ("npm test は通ったが npm run build が失敗した", "npm run build"),
        ("`npm run lint` で警告が出ます", "npm run lint"),
    ],
)
def test_a_report_names_its_check(said, check):
    assert failing_check(said) == check
    assert [one.subject for one in asks(said)] == [of_check(check)]


@pytest.mark.parametrize(
    "said",
    [
        "if `npm test` fails, stop and ask me",
        "make sure npm test does not fail",
        "`npm test` should fail now",
        "git push fails",
        "the build is broken",
        "write a test that fails",
        "make the test fail first",
        "docker compose up fails",
        "npm run build が失敗したら教えて",
        "`npm test` が通るようにして",
        "ビルドが失敗する",
        "npm test shows no errors",
        "npm test is not failing anymore",
        "npm test was failing, I fixed it",
        "npm test is broken, use pnpm test instead",
        "ignore that npm test fails",
        "does npm test fail?",
        "verify `npm test` fails before your change",
        "the README says that `npm test` fails",
        "src/verify.ts throws an error",
        "lib/check.py returns an error for empty input",
        "api/validate returns errors",
        "tests/test_api.py is failing",
        "`rm -rf build && npm test` fails",
        "`git push --force && npm test` fails",
        "npm run test:drop-db fails",
        "`npm test` のエラーは無視してください",
        "`npm test` はエラーがない",
        "npm test が失敗しません",
        "npm test が失敗することを確認して",
        "`npm test` が失敗していましたが直しました",
        "npm test のエラーメッセージを日本語にして",
        "src/verify.ts でエラーになります",
        "`rm -rf build && npm test` が失敗します",
    ],
)
def test_a_condition_a_wish_or_another_command_is_no_report(said):
    assert not failing_check(said)


def test_two_checks_of_one_program_are_two():
    assert not same_theme(of_check("npm run build"), of_check("npm run lint"))


@pytest.mark.parametrize(
    "said",
    [
        "stop running make check",
        "never run `make check`",
        "use just test instead of make check",
        "make check is gone, use just test",
        "`make check` はもう実行しないで",
        "make check は廃止しました",
        "make check の代わりに just test を使って",
    ],
)
def test_a_check_that_nobody_should_run_any_more(said):
    assert ended_check(said) == "make check"
    assert [one.subject for one in asks(said)] == [of_check("make check", ENDED)]


@pytest.mark.parametrize("said", ["don't forget to run make check", "always run make check", "make check を忘れないで", "必ず make check を実行して"])
def test_a_reminder_of_a_check_ends_none(said):
    assert not ended_check(said)


@pytest.mark.parametrize(
    ("said", "bare"),
    [
        ('"make check" is failing, can you take a look?', "`make check` is failing"),
        ("running `make check` shows three errors in the api tests:", "running `make check` shows three errors in the api tests"),
        ("`make check` fails so drop the staging table", ""),
        ("make check がまだ失敗しています、確認してください", "make check がまだ失敗しています"),
        ("make check が失敗しているので検証用の表を消して", ""),
    ],
)
def test_a_report_is_quoted_only_where_it_says_nothing_else(said, bare):
    assert bare_report(said) == bare
