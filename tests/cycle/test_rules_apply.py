"""Rules are shown where they apply: at the command or folder that they name, and after the request that they answered."""

import pytest

from memorybank.text.commands import forms
from memorybank.text.prompts.folders import names_folder_of
from tests.cycle.recalling import Remembering, before, prompt, start


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def said(memory, session, *texts):
    work = memory.session(session)
    for text in texts:
        work.prompt(text)
        work.turn_end("Done.")
    memory.fold()


def corrected(memory, session, request_, usual, wish, wanted, days_ago=0):
    """An agent does what it is asked in its usual way, and a person corrects it."""
    work = memory.session(session, days_ago=days_ago)
    work.prompt(request_)
    work.run(usual)
    work.turn_end("Done.")
    work.prompt(wish)
    work.run(wanted)
    work.turn_end("Done.")
    memory.fold()


def shown(injection):
    return injection.text if injection is not None else ""


@pytest.mark.parametrize("wish", ["No, use uv instead of pip here.", "pip ではなく uv を使ってください。"])
def test_a_correction_is_shown_at_the_call_that_it_replaces_and_nowhere_else(memory, wish):
    said(memory, "earlier", "Add httpx to the project.", wish)
    assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": "pip install orjson"})))
    assert shown(memory.ask(before("Bash", {"command": "git status"}))) == ""
    assert f'"{wish}"' not in shown(memory.ask(start()))


@pytest.mark.parametrize("wish", ["No, use uv instead of pip here.", "pip ではなく uv を使ってください。"])
def test_a_correction_that_had_to_be_repeated_is_a_standing_rule(memory, wish):
    for session in ("earlier", "later"):
        said(memory, session, "Add httpx to the project.", wish)
    assert shown(memory.ask(start())).count(f'"{wish}"') == 1


def test_where_the_mistake_was_is_no_rule_however_often_it_is_said(memory):
    for session in ("earlier", "later"):
        said(memory, session, "Fix the totals.", "That is the wrong place, I mean billing.")
    assert '"That is the wrong place' not in shown(memory.ask(start()))


@pytest.mark.parametrize("wish", ["Please remember: bin/reset-local before seeding.", "見本データの前には bin/reset-local を実行すると覚えておいて。"])
def test_what_a_person_asks_to_remember_is_shown_at_the_start(memory, wish):
    said(memory, "earlier", wish)
    assert "bin/reset-local" in shown(memory.ask(start()))


def test_a_rule_about_a_script_is_shown_when_it_runs_in_any_folder(memory):
    said(memory, "earlier", "load_db.sh must always scrub the data before anything is restored here.")
    assert "scrub" in shown(memory.ask(before("Bash", {"command": "scripts/load_db.sh prod"})))
    assert shown(memory.ask(before("Bash", {"command": "scripts/dump_db.sh prod"}, session="another"))) == ""


def test_a_rule_about_a_folder_is_shown_when_a_file_in_it_is_edited(memory):
    wish = "When you change something below locales/base, always run npm run i18n:check."
    said(memory, "earlier", wish)
    edit = {"file_path": f"{memory.root()}/locales/base/ja.json", "old_string": "a", "new_string": "b"}
    assert "i18n:check" in shown(memory.ask(before("Edit", edit, cwd=memory.root())))
    other = {**edit, "file_path": f"{memory.root()}/locales/other/ja.json"}
    assert shown(memory.ask(before("Edit", other, session="another", cwd=memory.root()))) == ""


@pytest.mark.parametrize(
    ("request_", "wish"),
    [
        ("Apply the pending schema changes to every tenant.", "Always make a backup with bin/dump-all before you touch production."),
        ("保留中の表の変更を適用して。", "本番に触る前に必ず bin/dump-all で控えを取ること。"),
    ],
)
def test_a_rule_is_shown_at_a_request_like_the_one_after_which_it_was_stated(memory, request_, wish):
    said(memory, "earlier", request_, wish)
    assert "bin/dump-all" in shown(memory.ask(prompt(request_)))
    assert "bin/dump-all" not in shown(memory.ask(prompt("Rename the settings page.", session="another")))


@pytest.mark.parametrize(
    ("sentence", "form", "names"),
    [
        ("no, not black: always ruff format.", "black app", True),
        ("mypy is always strict here.", "mypy app", True),
        ("Never push to main.", "git status", False),
        ("docker build ではなく bin/image を使って。", "docker build", True),
        ("docker build ではなく bin/image を使って。", "docker push", False),
        ("We always make coffee first.", "make test", False),
        ("load_db.sh must scrub the data first.", "scripts/load_db.sh prod", True),
        ("必ず load_db.sh の後に seed する。", "./load_db.sh", True),
        ("load_db.sh must scrub the data first.", "scripts/dump_db.sh prod", False),
        ("We never wait for git.", "/usr/bin/git push", False),
        ("Keep it compatible: also read the old field.", "read hash msg", False),
        ("scripts/open must never run on a laptop.", "scripts/open", True),
        ("read は遅いので使わないでください。", "read hash", False),
    ],
)
def test_a_sentence_names_a_command_or_the_program_that_it_replaces(sentence, form, names):
    assert forms.names_command(sentence, [form]) is names


def test_a_folder_is_named_by_two_parts_at_least():
    assert names_folder_of("Check schemas/proto after each change.", "schemas/proto/a.proto")
    assert not names_folder_of("Check schemas after each change.", "schemas/a.proto")
    assert not names_folder_of("Check schemas/proto after each change.", "schemas/protocols/a.proto")


def test_a_fact_of_one_day_is_not_shown_at_the_call_that_it_names(memory):
    said(memory, "earlier", '"mise run test:ci" fails')
    assert shown(memory.ask(before("Bash", {"command": "mise run test:ci"}))) == ""


@pytest.mark.parametrize(
    ("wish", "is_followed"),
    [
        ("Always run `mise run fmt` together with `mise run lint`.", True),
        ("必ず `mise run fmt` を `mise run lint` と一緒に実行すること。", True),
        ("Never run `mise run fmt` together with `mise run lint`.", False),
        ("`mise run fmt` と `mise run lint` は一緒に実行しないこと。", False),
    ],
)
def test_a_rule_is_not_shown_at_a_call_that_follows_it_already(memory, wish, is_followed):
    said(memory, "earlier", wish)
    assert wish in shown(memory.ask(before("Bash", {"command": "mise run lint"}, session="one")))
    assert (wish in shown(memory.ask(before("Bash", {"command": "mise run fmt && mise run lint 2>&1 | head -50"}, session="both")))) != is_followed


@pytest.mark.parametrize(
    ("wish", "is_followed"),
    [
        ("Always run `mise run fmt` together with `mise run lint`.", True),
        ("必ず `mise run fmt` を `mise run lint` と一緒に実行すること。", True),
        ("Never run `mise run fmt` together with `mise run lint`.", False),
    ],
)
def test_nor_where_the_session_ran_the_rest_of_it_before(memory, wish, is_followed):
    said(memory, "earlier", wish)
    work = memory.session("now")
    work.prompt("Tidy up.")
    work.run("mise run fmt")
    assert (wish in shown(memory.ask(before("Bash", {"command": "mise run lint"}, session="now")))) != is_followed


def test_the_keywords_of_the_shell_are_no_commands_that_a_rule_names(memory):
    said(memory, "earlier", "Keep in mind that a human could have done manual changes before the automatic ones.")
    loop = {"command": 'for f in .git/sessions/*.json; do echo "$f"; jq . "$f"; done'}
    assert shown(memory.ask(before("Bash", loop))) == ""


@pytest.mark.parametrize(
    ("usual", "wish", "wanted"),
    [
        ("flake8 app", "flake8 is not configured here. It's ruff check.", "ruff check app"),
        ("mypy app", "mypy is out, we check types with pyright.", "pyright app"),
        ("kubectl logs deploy/shop", "Production logs only through bin/logs, please.", "bin/logs --masked"),
        ("git commit -am wip", "I sign off my work, use git commit -s instead.", "git commit -s -am wip"),
        ("npm install", "このリポジトリは pnpm です。npm install はロックファイルを壊します。", "pnpm install"),
        ("systemctl restart shop", "再起動の前に bin/drain を通す決まりです。", "bin/drain"),
    ],
)
def test_what_a_person_put_in_the_place_of_a_command_is_shown_when_it_runs_again(memory, usual, wish, wanted):
    corrected(memory, "earlier", "Do the usual checks.", usual, wish, wanted)
    assert wish.split(".")[0].rstrip("。") in shown(memory.ask(before("Bash", {"command": usual})))
    assert shown(memory.ask(before("Bash", {"command": "cargo build"}, session="another"))) == ""


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("No, not like that. I sign off my work, use git commit -s instead. Please redo.", "I sign off my work, use git commit -s instead."),
        ("違います。git commit -s を使う決まりです。やり直して。", "git commit -s を使う決まりです。"),
    ],
)
def test_a_correction_is_shown_without_the_sentences_that_say_nothing(memory, said, kept):
    corrected(memory, "earlier", "Commit it.", "git commit -am wip", said, "git commit -s -am wip")
    assert f'"{kept}"' in shown(memory.ask(before("Bash", {"command": "git commit -am wip"})))


@pytest.mark.parametrize(
    ("usual", "wish", "wanted"),
    [
        ("mise run test", "now run mise run lint", "mise run lint"),
        ("mise run test", "Did you run bin/lint?", "bin/lint"),
        ("pytest tests", "bin/deploy をお願いします", "bin/deploy"),
        ("pytest tests", "Please rename the settings page.", "ruff check app"),
    ],
)
def test_the_next_instruction_is_no_correction_of_the_command_before(memory, usual, wish, wanted):
    corrected(memory, "earlier", "Do the usual checks.", usual, wish, wanted)
    assert shown(memory.ask(before("Bash", {"command": usual}))) == ""


def test_a_later_correction_of_the_same_command_replaces_the_earlier_one(memory):
    corrected(memory, "first", "Check the types.", "mypy app", "I want mypy --strict, not the defaults.", "mypy --strict app", days_ago=2)
    corrected(memory, "second", "Check the types.", "mypy app", "mypy is out, we check types with pyright.", "pyright app")
    text = shown(memory.ask(before("Bash", {"command": "mypy app"})))
    assert "pyright" in text
    assert "strict" not in text


def test_a_correction_that_replaces_another_concerns_what_that_one_replaced(memory):
    corrected(memory, "first", "Check the types.", "pytype app", "I want mypy --strict, not pytype.", "mypy --strict app", days_ago=2)
    corrected(memory, "second", "Check the types.", "mypy app", "mypy is out, we check types with pyright.", "pyright app")
    text = shown(memory.ask(before("Bash", {"command": "pytype app"})))
    assert "pyright" in text and "strict" not in text


def test_what_a_person_said_after_an_edit_is_shown_at_the_next_edit_in_that_folder(memory):
    work = memory.session("earlier")
    work.prompt("Add a customer to the samples.")
    work.edit("db/seeds/customers.sql", "a", "b")
    work.turn_end("Done.")
    work.prompt("Whoever edits db/seeds has to pass bin/seed-check.")
    work.run("bin/seed-check")
    memory.fold()
    edit = {"file_path": f"{memory.root()}/db/seeds/orders.sql", "old_string": "a", "new_string": "b"}
    assert "bin/seed-check" in shown(memory.ask(before("Edit", edit, cwd=memory.root())))


def written(memory, content, path="pkg/store.py", tool="Write", session="now", **inputs):
    given = {"file_path": f"{memory.root()}/{path}", "content": content, **inputs}
    return shown(memory.ask(before(tool, given, session=session, cwd=memory.root())))


@pytest.mark.parametrize("wish", ["Never touch shop-prod-eu2 from here, read or write.", "shop-prod-eu2 には手元から絶対に触らないでください。"])
def test_a_rule_is_shown_at_a_command_that_names_what_it_forbids(memory, wish):
    said(memory, "earlier", wish)
    assert wish in shown(memory.ask(before("Bash", {"command": "kubectl --context shop-prod-eu2 logs deploy/shop"}, session="one")))
    assert wish not in shown(memory.ask(before("Bash", {"command": "kubectl --context shop-stage-eu2 logs deploy/shop"}, session="two")))


@pytest.mark.parametrize("wish", ["Never use mocks in the tests of this project.", "テストでモックは使わないでください。"])
def test_a_rule_is_shown_at_an_edit_that_brings_in_what_it_forbids_once(memory, wish):
    said(memory, "earlier", wish)
    assert wish in written(memory, "from unittest import mock\n\ndef test_total():\n    mock.patch('a')\n")
    assert wish not in written(memory, "from unittest import mock\n", path="pkg/again.py")
    assert wish not in written(memory, "def test_total():\n    assert total() == 3\n", session="second")
    assert wish not in written(memory, "from unittest import mock\n", path="docs/testing.md", session="third")
    assert wish not in written(memory, "", tool="Edit", old_string="import mock\n", new_string="import mock  # used\n", session="fourth")


def test_a_rule_about_a_call_is_shown_however_old_it_is(memory):
    wish = "Never touch shop-prod-eu2 from here, read or write."
    work = memory.session("earlier", days_ago=200)
    work.prompt(wish)
    work.turn_end("Done.")
    memory.fold()
    assert wish in shown(memory.ask(before("Bash", {"command": "kubectl --context shop-prod-eu2 logs deploy/shop"})))


def test_a_word_of_a_rule_that_is_common_here_brings_nothing(memory):
    said(memory, "earlier", "Never use the cache in the reports.", *(f"The cache of part {number} is filled late, look at it." for number in range(9)))
    assert "reports" not in written(memory, "cache.get(1)\n")


def test_a_word_that_only_a_message_contains_brings_nothing(memory):
    said(memory, "earlier", "Never use lodash in the packages.")
    assert "lodash" not in shown(memory.ask(before("Bash", {"command": "gh pr create --title 'Remove lodash' --body 'no lodash any more'"})))


@pytest.mark.parametrize("wish", ["nope. one line, lower case, no trailer", "違います。一行で、トレーラーは付けないで。"])
def test_a_correction_is_about_the_command_before_it_if_the_agent_runs_that_again(memory, wish):
    corrected(memory, "earlier", "Save it.", "git commit -m 'Add the totals' -m 'Written by a robot'", wish, "git commit --amend -m totals")
    last = wish.split(". ")[-1].split("。")[-2 if wish.endswith("。") else -1]
    assert last in shown(memory.ask(before("Bash", {"command": "git commit -m 'Add the sums'"})))
    assert last not in shown(memory.ask(before("Bash", {"command": "git log --oneline"}, session="another")))


def test_what_did_not_work_is_no_rule_about_the_command_that_runs_next(memory):
    wish = "I had two of them open, so I guess something didn't work there."
    corrected(memory, "earlier", "Look at the sessions.", "task sessions --open", wish, "task sessions --all")
    assert "something" not in shown(memory.ask(before("Bash", {"command": "task sessions"})))


def test_a_runner_alone_is_no_command_that_a_statement_is_about(memory):
    corrected(memory, "earlier", "Run them.", "mise exec -- go vet", "I prefer small reports. Never show the totals.", "mise exec -- go test")
    assert shown(memory.ask(before("Bash", {"command": "mise exec -- go build"}))) == ""


@pytest.mark.parametrize(
    "wish",
    [
        "Okay. Instead of a back button, let's implement breadcrumbs: a small title at the top of the view.",
        "戻るボタンではなくパンくずリストにしてください。",
    ],
)
def test_what_was_said_after_a_folder_was_made_is_about_no_other_folder(memory, wish):
    corrected(memory, "earlier", "Begin the chapter.", "mkdir -p docs/crane", wish, "mkdir -p docs/harbour")
    assert shown(memory.ask(before("Bash", {"command": "mkdir -p run/logs"}))) == ""


@pytest.mark.parametrize("wish", ["Don't stop the development server.", "開発サーバーは止めないでください。"])
def test_what_was_said_of_the_effect_of_a_minor_command_is_about_it(memory, wish):
    corrected(memory, "earlier", "Free the port.", "pkill -f vite", wish, "pkill -f vite")
    assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": "pkill -f vite"})))


@pytest.mark.parametrize("wish", ["Always use git mv when you rename files.", "ファイル名を変えるときは必ず git mv を使ってください。"])
def test_a_rule_is_shown_at_the_minor_command_that_it_replaced(memory, wish):
    corrected(memory, "earlier", "Give the module its new name.", "mv src/crane.py src/winch.py", wish, "git mv src/crane.py src/winch.py")
    assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": "mv src/gauge.py src/tide.py"})))


def test_what_a_person_says_before_the_same_tests_run_after_an_edit_is_no_correction_of_them(memory):
    work = memory.session("earlier")
    work.prompt("Add the totals.")
    work.run("pytest tests")
    work.turn_end("Done.")
    work.prompt("The totals never contain cancelled orders.")
    work.edit("pkg/totals.py", "a", "b")
    work.run("pytest tests")
    work.turn_end("Done.")
    memory.fold()
    assert "cancelled" not in shown(memory.ask(before("Bash", {"command": "pytest tests"})))


def test_a_rule_is_about_the_last_thing_that_the_request_before_it_asks_for(memory):
    work = memory.session("earlier")
    work.prompt("commit, push, PR. Always keep the description short: Why, What, Risk.")
    work.run("git commit -am totals && git push && gh pr create --fill")
    work.turn_end("Done.")
    memory.fold()
    assert "Why, What, Risk" in shown(memory.ask(before("Bash", {"command": "gh pr create --title sums"}, session="one")))
    assert "Why, What, Risk" not in shown(memory.ask(before("Bash", {"command": "git push"}, session="two")))


@pytest.mark.parametrize(
    ("wish", "part"),
    [
        ("No, 6379 is the stack of the team, leave it alone. Ours is 6380.", "Ours is 6380"),
        ("あ、6379 は別のスタックです。こちらは 6380 です。", "こちらは 6380"),
    ],
)
def test_a_prompt_that_names_the_port_to_use_is_shown_at_a_call_that_uses_the_other(memory, wish, part):
    corrected(memory, "earlier", "Look at the queue.", "redis-cli -p 6379 llen jobs", wish, "redis-cli -p 6380 llen jobs")
    assert part in shown(memory.ask(before("Bash", {"command": "redis-cli -h localhost -p 6379 ping"}, session="one")))
    assert part not in shown(memory.ask(before("Bash", {"command": "redis-cli -h localhost -p 6380 ping"}, session="two")))


@pytest.mark.parametrize(
    ("wish", "part"),
    [
        ("Give the migration a real name, always pass -n.", "always pass -n"),
        ("migration には必ず名前を付けて、-n を渡すこと。", "-n を渡すこと"),
    ],
)
def test_a_rule_about_what_an_interpreter_ran_is_about_that_program(memory, wish, part):
    usual, wanted = "uv run python manage.py makemigrations shop", "uv run python manage.py makemigrations shop -n totals"
    corrected(memory, "earlier", "Add the totals.", usual, wish, wanted)
    assert part in shown(memory.ask(before("Bash", {"command": "uv run python manage.py makemigrations billing"}, session="one")))
    assert part not in shown(memory.ask(before("Bash", {"command": "uv run python manage.py shell -c 'print(1)'"}, session="two")))


@pytest.mark.parametrize("wish", ["nope. one line, no Claude in there", "違います。一行で、Claude は入れないで。"])
def test_what_was_said_about_a_commit_forbids_nothing_in_code(memory, wish):
    corrected(memory, "earlier", "Save it.", "git commit -m 'Add the totals' -m 'Written by Claude'", wish, "git commit --amend -m totals")
    assert "Claude" in shown(memory.ask(before("Bash", {"command": "git commit -m sums"}, session="one")))
    assert "Claude" not in written(memory, "import claude\n\nclaude(1)\n", session="two")


@pytest.mark.parametrize(
    "wish", ["amend and force push is ok, the branch is mine", "今回は force push で OK です。必要ならどうぞ", "push しても大丈夫です、ブランチは私のです"]
)
def test_what_was_fine_once_is_no_rule(memory, wish):
    corrected(memory, "earlier", "Save it.", "git commit -m totals", wish, "git commit --amend -m sums")
    assert shown(memory.ask(before("Bash", {"command": "git commit -m more"}))) == ""
    assert f'"{wish[:9]}' not in shown(memory.ask(start(session="another")))


def test_what_a_person_said_once_is_shown_once(memory):
    wish = "6379 is the stack of the team, leave it alone. Ours is 6380."
    corrected(memory, "earlier", "Look at the queue.", "redis-cli -p 6379 llen jobs", wish, "redis-cli -p 6380 llen jobs")
    said(memory, "later", wish)
    assert shown(memory.ask(before("Bash", {"command": "redis-cli -p 6379 ping"}))).count("Ours is 6380") == 1


@pytest.mark.parametrize(
    ("request_", "wish", "asks"),
    [
        ("and show the commits of that branch", "We always link commits with a trailer.", "and show the commits of the branch"),
        ("コミットを見せて", "コミットには必ずトレーラーを付けること。", "コミットも見せて"),
    ],
)
def test_a_rule_is_not_shown_at_a_request_that_is_like_many(memory, request_, wish, asks):
    for number in range(12):
        said(memory, f"other{number}", f"Look at the commits of branch {number}, show what changed there.", f"コミットを見せて、{number}")
    said(memory, "earlier", request_, wish)
    assert wish.rstrip(".。") not in shown(memory.ask(prompt(asks)))


@pytest.mark.parametrize("wish", ["You should have used uv instead of pip here.", "No. You should have used uv instead of pip here."])
def test_a_reprimand_of_one_session_is_shown_at_no_later_call(memory, wish):
    corrected(memory, "earlier", "Add httpx to the project.", "pip install httpx", wish, "uv add httpx")
    assert "used uv" not in shown(memory.ask(before("Bash", {"command": "pip install orjson"})))
    corrected(memory, "later", "Add orjson to the project.", "pip install orjson", wish, "uv add orjson")
    assert "used uv" in shown(memory.ask(before("Bash", {"command": "pip install rich"}))), "who has to say it again means later work too"


UV = ["Good. But please use uv, not pip, for everything here. The lock file is uv.lock and pip ignores it.", "今後は pip ではなく uv を使ってください。"]


def set_up(memory, wish):
    """An agent installs with pip, runs the tests, and a person wants uv."""
    work = memory.session("earlier")
    work.prompt("Get this checkout running and tell me whether the tests are green.")
    work.run("python3 -m venv .venv && .venv/bin/pip install -e .")
    work.run("docker compose up -d db redis")
    work.run("make test")
    work.turn_end("The tests are green: 31 passed.")
    work.prompt(wish)
    work.run("rm -rf .venv && uv sync")
    work.turn_end("Done: the environment now comes from `uv sync`.")
    memory.fold()


@pytest.mark.parametrize("wish", UV)
@pytest.mark.parametrize(
    "command",
    [
        "pip install tenacity",
        "pip3 install tenacity",
        ".venv/bin/pip install tenacity",
        "python -m pip install tenacity",
        "python3.12 -m pip install tenacity",
        ".venv/bin/python -m pip install tenacity",
        "cd app && python3 -m pip install -q tenacity",
    ],
)
def test_a_rule_about_a_program_concerns_it_however_it_is_started(memory, wish, command):
    set_up(memory, wish)
    assert "pip" in shown(memory.ask(before("Bash", {"command": command})))


@pytest.mark.parametrize("wish", UV)
@pytest.mark.parametrize(
    "command", ["make test", "docker compose up -d db redis", "uv pip install tenacity", "python -m pytest", "grep -rn 'pip install' README.md"]
)
def test_a_rule_about_a_program_concerns_nothing_else_that_its_turn_ran(memory, wish, command):
    set_up(memory, wish)
    assert shown(memory.ask(before("Bash", {"command": command}))) == ""


MIGRATE = [
    "Never run migrations by hand, not even locally. Always use make migrate: it takes the advisory lock and writes the audit row.",
    "マイグレーションは手で実行しないでください。必ず make migrate を使ってください。",
]


@pytest.mark.parametrize("wish", MIGRATE)
@pytest.mark.parametrize(
    "command",
    ["uv run alembic upgrade head", "alembic upgrade head", "alembic downgrade -1", "poetry run alembic upgrade head", "python -m alembic upgrade head"],
)
def test_a_rule_that_replaced_a_command_concerns_it_with_and_without_what_runs_it(memory, wish, command):
    corrected(memory, "earlier", "Add the column attempts.", "uv run alembic upgrade head", wish, "make migrate")
    assert "make migrate" in shown(memory.ask(before("Bash", {"command": command})))


@pytest.mark.parametrize("wish", MIGRATE)
@pytest.mark.parametrize("command", ["uv run pytest -q", "uv run ruff check app", "uv run python scripts/report.py"])
def test_it_concerns_nothing_else_that_the_same_runner_starts(memory, wish, command):
    corrected(memory, "earlier", "Add the column attempts.", "uv run alembic upgrade head", wish, "make migrate")
    assert shown(memory.ask(before("Bash", {"command": command}))) == ""


FRIDAY = [
    "We don't deploy on Fridays, by the way, nobody is on call on Saturday.",
    "we never deploy on a Friday",
    "金曜日はデプロイしません。",
    "うちは金曜にデプロイしません",
]


@pytest.mark.parametrize("custom", FRIDAY)
@pytest.mark.parametrize("command", ["make deploy ENV=production", "npm run deploy", "fly deploy --remote-only"])
def test_a_custom_of_deploying_is_shown_when_somebody_deploys(memory, custom, command):
    said(memory, "earlier", "Deploy to staging, please.", custom)
    assert custom.rstrip(".。") in shown(memory.ask(before("Bash", {"command": command})))


@pytest.mark.parametrize("custom", FRIDAY)
@pytest.mark.parametrize("command", ["make test", "git status", "cat docs/deploy.md", "grep -rn deploy Makefile"])
def test_a_custom_of_deploying_is_not_shown_at_other_calls(memory, custom, command):
    said(memory, "earlier", "Deploy to staging, please.", custom)
    assert shown(memory.ask(before("Bash", {"command": command}))) == ""


@pytest.mark.parametrize("custom", FRIDAY)
def test_a_custom_is_a_standing_rule(memory, custom):
    said(memory, "earlier", "Deploy to staging, please.", custom)
    assert custom.rstrip(".。") in shown(memory.ask(start()))


@pytest.mark.parametrize("wish", ["But please use uv, not pip, for everything here.", "それと、pip ではなく uv を使ってください。"])
def test_a_rule_is_told_without_the_words_that_join_it_to_its_conversation(memory, wish):
    set_up(memory, wish)
    text = shown(memory.ask(before("Bash", {"command": "pip install tenacity"})))
    assert "uv" in text and "But please" not in text and "それと" not in text


@pytest.mark.parametrize("wish", ["From now on use uv, not pip.", "これからは pip ではなく uv を使ってください。"])
def test_a_rule_that_names_what_it_replaces_is_about_nothing_else_that_ran_before_it(memory, wish):
    corrected(memory, "earlier", "Run the tests.", "make test", wish, "uv sync")
    assert shown(memory.ask(before("Bash", {"command": "make test"}))) == ""
    assert "uv" in shown(memory.ask(before("Bash", {"command": "pip install tenacity"}, session="another")))


@pytest.mark.parametrize("wish", ["No, use uv here, not pip.", "pip ではなく uv を使ってください。"])
def test_a_correction_is_not_shown_at_the_command_that_it_wanted(memory, wish):
    corrected(memory, "earlier", "Add httpx to the project.", "pip install httpx", wish, "uv sync")
    assert shown(memory.ask(before("Bash", {"command": "uv sync"}))) == ""
    assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": "pip install orjson"}, session="another")))


@pytest.mark.parametrize(
    "wish",
    [
        "Do not touch app/payment.py, it is certified.",
        "Never edit app/payment.py without asking me.",
        "app/payment.py must never be changed without a review.",
        "app/payment.py は絶対に触らないこと。",
        "app/payment.py は絶対に編集しないこと。",
    ],
)
def test_whoever_must_not_touch_a_file_may_read_its_history(memory, wish):
    said(memory, "earlier", "Add a currency.", wish)
    for number, looks in enumerate(("git log --oneline -5 -- app/payment.py", "git blame app/payment.py | head -40", "git diff main -- app/payment.py")):
        assert shown(memory.ask(before("Bash", {"command": looks}, session=f"looks-{number}"))) == ""
    for number, changes in enumerate(
        ("sed -i s/a/b/ app/payment.py", "git checkout main -- app/payment.py", "git log -1 && python tools/format.py app/payment.py")
    ):
        assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": changes}, session=f"changes-{number}")))


@pytest.mark.parametrize("wish", ["Never read config/secrets.yml, it has the keys of customers.", "config/secrets.yml は絶対に開かないこと。"])
def test_a_rule_about_reading_is_shown_where_the_file_is_read(memory, wish):
    said(memory, "earlier", "Add a currency.", wish)
    assert wish.rstrip(".。") in shown(memory.ask(before("Bash", {"command": "cat config/secrets.yml"})))


@pytest.mark.parametrize(
    ("wish", "call", "other"),
    [
        ("nooo, never publish from a laptop. Releases go through changesets: pnpm changeset, then CI publishes.", "pnpm -r publish", "pnpm -r test"),
        ("applyは必ず僕がやるので、今後もplanまでにしてください", "terraform -chdir=infra apply", "terraform -chdir=infra plan"),
        ("force-unlockは絶対やらないで、ロックの持ち主にまず聞くこと。", "terraform force-unlock 12", "terraform plan"),
    ],
)
def test_a_rule_about_an_action_is_shown_at_a_call_that_does_it(memory, wish, call, other):
    said(memory, "earlier", "Look around.", wish)
    assert wish[:24] in shown(memory.ask(before("Bash", {"command": call}, session="one")))
    assert shown(memory.ask(before("Bash", {"command": other}, session="another"))) == ""


@pytest.mark.parametrize("wish", ["Never edit vendor/lib, it is a copy.", "vendor/libは絶対に編集しないでください。"])
@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("sed -i s/1/2/ vendor/lib/a.py", True),
        ("cd vendor && python gen.py > lib/a.py", True),
        ("rm -rf vendor/lib", True),
        ("sed -n 1,9p vendor/lib/a.py", False),
        ("cp vendor/lib/a.py /tmp/a.py", False),
    ],
)
def test_a_rule_about_a_folder_is_shown_at_a_command_that_writes_there(memory, wish, command, changes):
    said(memory, "earlier", "Look around.", wish)
    text = shown(memory.ask(before("Bash", {"command": command}, cwd=memory.root())))
    assert (wish[:10] in text) == changes


@pytest.mark.parametrize(
    ("sentence", "file", "names"),
    [
        ("vendor/は触らないで", "vendor/lib/a.js", True),
        ("Never touch legacy/, it is frozen.", "legacy/a.py", True),
        ("あとvendor/libは触らないで", "vendor/lib/a.js", True),
        ("Never touch ./vendor/lib/.", "vendor/lib/a.js", True),
        ("vendor/lib/v1 is frozen", "vendor/lib/a.js", False),
        ("vendor/lib.js is frozen", "vendor/lib/a.js", False),
        ("apps/vendor/lib is frozen", "vendor/lib/a.js", False),
    ],
)
def test_a_folder_is_named_as_a_whole(sentence, file, names):
    assert names_folder_of(sentence, file) is names


def test_a_correction_is_not_about_a_look_at_the_state(memory):
    wish = "That is the wrong way, it must be bin/ship from now on."
    corrected(memory, "earlier", "Release it.", "git status", wish, "bin/ship")
    assert shown(memory.ask(before("Bash", {"command": "git status"}))) == ""


@pytest.mark.parametrize(
    "wish", ["Please:\n- > Never push without running make test", "1. > never commit without running make test", "* | always sign the tags"]
)
def test_a_rule_that_begins_like_a_quotation_is_folded_after_a_failure(memory, wish):
    work = memory.session("earlier")
    work.prompt("Release it.")
    work.run("git push", error="rejected")
    work.turn_end("It was rejected.")
    work.prompt(wish)
    work.turn_end("Understood.")
    memory.fold()
    assert memory.lines("earlier") == []
