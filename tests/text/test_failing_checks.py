"""A check that a person ran themselves and that fails has one form, however they report it."""

import pytest

from memorybank.text.prompts.expectations import asks
from memorybank.text.prompts.failing_checks import failing_check
from memorybank.text.prompts.themes import FAILING, same_theme


@pytest.mark.parametrize(
    ("said", "check"),
    [
        ("make test:all is failing", "make_test:all"),
        ('"npm run typecheck" fails, can you take a look?', "npm_run_typecheck"),
        ("when running `just lint` I get these errors:", "just_lint"),
        ("running npm test shows a bunch of failures in the api folder", "npm_test"),
        ('unrelated, but tests are still failing, run "tox -e py312"', "tox"),
        ("can you find out why cargo build fails?", "cargo_build"),
        ("./scripts/check does not pass on my machine", "./scripts/check"),
        ("`npm test` が失敗します", "npm_test"),
        ("npm run lint が通らない", "npm_run_lint"),
        ("`cargo clippy` を実行したらエラーになりました", "cargo_clippy"),
        ("pytest が落ちる", "pytest"),
    ],
)
def test_a_report_names_its_check(said, check):
    assert failing_check(said) == check
    assert [one.subject for one in asks(said)] == [FAILING + check]


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
    ],
)
def test_a_condition_a_wish_or_another_command_is_no_report(said):
    assert not failing_check(said)


def test_two_checks_of_one_program_are_two():
    assert not same_theme(FAILING + "npm_run_build", FAILING + "npm_run_lint")
