"""A statement that is kept reads alone and is one rule: without the label before it, and with the sentence that says what it is about, or not at all."""

import pytest

from memorybank.text.prompts.faults import goes_wrong
from memorybank.text.prompts.statements import statements


def texts(prompt):
    return [one.text for one in statements(prompt)]


@pytest.mark.parametrize(
    "prompt",
    [
        "The import hangs every tenth time: no answer from the broker. on my laptop never. please look for the reason.",
        "No, never by hand.",
        "The export is slow again. Only on Windows.",
        "夜間バッチが時々落ちる。手元では一度もなし。原因を調べて",
        "検証環境では適用しないでください",
        "これからは表で書いてください",
        "本番では絶対に触らないで",
    ],
)
def test_a_sentence_without_a_verb_or_a_thing_is_no_rule_alone(prompt):
    assert texts(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Release only from the tag pipeline. Never on Mondays.",
        "Never restart the broker during the day. Only at night.",
        "マイグレーションは当番だけ。検証環境では適用しないで",
        "デプロイは火曜だけ。金曜日はダメです。",
        "リリースノートはもう英語で書かなくていいです。これからは日本語で書いてください",
    ],
)
def test_it_is_kept_with_the_order_that_it_limits(prompt):
    assert texts(prompt) == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "Never rebase.",
        "Tabs only.",
        "Always reply in English.",
        "モックは使わないで",
        "リリースノートは必ず英語で書いてください",
        "金曜日のデプロイは禁止です。",
    ],
)
def test_a_short_sentence_that_says_what_it_is_about_is_a_rule(prompt):
    assert texts(prompt) == [prompt]


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        (
            "three things for good: never touch anything in schema/, it comes from the ERP. and always spell colour with a u. no TODO comments.",
            ["never touch anything in schema/, it comes from the ERP.", "always spell colour with a u.", "no TODO comments."],
        ),
        ("one more rule: branch names are in English. fix the header of the login page", ["branch names are in English."]),
        (
            "house rules: squash before merging; no lodash, moment or jquery in the packages",
            ["squash before merging", "no lodash, moment or jquery in the packages"],
        ),
        (
            "two rules from now on: 1. never log the card number 2. always validate in the handler",
            ["never log the card number", "always validate in the handler"],
        ),
        (
            "from now on:\n- never log the card number\n- migrations get their own commit\n\nadd a footer",
            ["never log the card number", "migrations get their own commit"],
        ),
        ("今後のお願い：依存を追加する前に相談してください", ["依存を追加する前に相談してください"]),
        ("ルールを二つ追加：① 生成ファイルは編集しないでください ② PRは小さくしてください", ["生成ファイルは編集しないでください", "PRは小さくしてください"]),
        ("チームの決まりです。テストは必ず書く、絵文字は使わない、コミットは小さく分ける", ["テストは必ず書く、絵文字は使わない", "コミットは小さく分ける"]),
        ("one thing: fix the login page", []),
        ("お願い：ログイン画面を直してください", []),
    ],
)
def test_a_label_announces_statements_and_is_no_part_of_them(prompt, kept):
    assert texts(prompt) == kept


@pytest.mark.parametrize("prompt", ["The rules in .eslintrc: no unused imports in tests, never.", "commits: always in English"])
def test_a_label_that_names_something_stays(prompt):
    assert all(said.startswith(prompt[:7]) for said in texts(prompt))


@pytest.mark.parametrize(
    "report",
    [
        "imports: when a file has two headers we lose the last row.",
        "If the broker is down for a minute, the worker silently fails.",
        "通知サーバが落ちると、メールが消えます。",
    ],
)
def test_what_goes_wrong_is_no_rule(report):
    assert goes_wrong(report) and texts(f"{report} add retries") == []


@pytest.mark.parametrize(
    "habit", ["When a token expires we rotate it by hand.", "Whenever the build fails, the one who broke it must revert.", "リリースしたら、必ずタグを付ける。"]
)
def test_what_people_do_about_it_is(habit):
    assert not goes_wrong(habit)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("can you update CLAUDE.md that we should always run `make fmt` with `make lint`", "we should always run `make fmt` with `make lint`"),
        ("please add to AGENTS.md that commits are in English", "commits are in English"),
        ("note in the CLAUDE.md: never edit generated files", "never edit generated files"),
        ("update CLAUDE.md that the worker must be restarted after a config change", "the worker must be restarted after a config change"),
        ("and put into `docs/GEMINI.md` that we deploy from the tag only", "we deploy from the tag only"),
        ("CLAUDE.mdに、テストはmake testで流すって書いといて", "テストはmake testで流す"),
        ("AGENTS.md に「コミットは英語」と追記してください。", "コミットは英語"),
        ("マイグレーションは必ず手で確認する、とCLAUDE.mdに書いて", "マイグレーションは必ず手で確認する"),
    ],
)
def test_what_a_person_wants_written_into_the_instructions_of_agents_is_a_rule_without_the_order_to_write_it(prompt, wanted):
    assert texts(prompt) == [wanted]


@pytest.mark.parametrize(
    "prompt",
    [
        "update CLAUDE.md to mention the new env var",
        "please put it in CLAUDE.md",
        "add a section to CLAUDE.md about the tests",
        "CLAUDE.mdを更新してください",
        "CLAUDE.md に使い方を追加して",
        "CLAUDE.mdにテストの実行方法を書いて",
        "AGENTS.mdにlintとテストを追加して",
    ],
)
def test_an_order_to_write_about_something_states_no_rule(prompt):
    assert texts(prompt) == []
