"""What people order is shown before the call that it means, and not before one that only looks like it."""

import pytest

from tests.cycle.recalling import Remembering, before, start


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def said(memory, *prompts, session="earlier", days_ago=0):
    work = memory.session(session, days_ago=days_ago)
    for text in prompts:
        work.prompt(text)
        work.turn_end("Done.")
    memory.fold()


def shown_at(memory, call):
    tool = "Bash"
    if call.startswith(("Edit ", "Read ")):
        tool, _, path = call.partition(" ")
    inputs = {"command": call} if tool == "Bash" else {"file_path": f"{memory.root()}/{path}", "old_string": "a", "new_string": "b"}
    injection = memory.ask(before(tool, inputs, cwd=memory.root()))
    return injection.text if injection is not None else ""


def known(memory, session="now"):
    injection = memory.ask(start(session=session))
    return injection.text.partition("## Known here")[2] if injection is not None else ""


@pytest.mark.parametrize(
    ("order", "meant", "other"),
    [
        ("never run migrations without a dump first", "docker compose exec web rails db:migrate", "docker compose exec web rails routes"),
        ("don't connect to prod from here, ever", "psql -h prod-db.example.org -c 'select 1'", "psql -h localhost shop"),
        ("helm upgrades are mine, don't run them", "helm upgrade web ./chart", "brew upgrade jq"),
        ("nver push to main, open a PR", "git -C service push origin main", "git -C service pull"),
        ("terraform apply is for CI only", "cd infra && terraform apply", "cd infra && terraform plan"),
        ("dont ever deploy on a Friday", "make -C infra deploy", "make -C infra lint"),
        ("the third_party folder is not ours, don't change it", "Edit third_party/zlib/a.c", "Read third_party/zlib/a.c"),
        ("the assets folder belongs to the design team, please don't put anything there", "cp logo.png assets", "cp assets/logo.png /tmp/logo.png"),
        ("keep out of vendor, it gets overwritten", "tar -C vendor -xzf lib.tgz", "tar -C build -xzf lib.tgz"),
        ("サーバーの再起動は勝手にしないでください", "sudo systemctl restart web", "sudo systemctl status web"),
        ("シードは共有DBに流さないでください", "docker compose exec web rails db:seed", "docker compose exec web rails console"),
        ("force pushは絶対ダメ", "git push --force", "git status"),
        ("distは手で編集しないこと", "Edit dist/main.js", "Edit src/main.js"),
        ("assetsフォルダにはファイルを追加しないで", "cp logo.png assets", "cp assets/logo.png /tmp/logo.png"),
        ("legacyフォルダは凍結しています。変更しないでください", "mv legacy/a.php legacy/b.php", "cat legacy/a.php"),
    ],
)
def test_an_order_is_shown_at_the_call_that_it_means(memory, order, meant, other):
    said(memory, order)
    assert shown_at(memory, other) == ""
    assert f'"{order}"' in shown_at(memory, meant)


@pytest.mark.parametrize("order", ["Use `pnpm install` instead of `npm install` for the icons.", "アイコンは `npm install` ではなく `pnpm install` を使う。"])
def test_an_order_that_waits_for_a_second_session_is_shown_at_its_call(memory, order):
    said(memory, order)
    assert order not in known(memory)
    assert order in shown_at(memory, "npm install icons")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("fyi the fixtures are shared with the mobile team, don't edit them", "the fixtures are shared with the mobile team, don't edit them"),
        ("btw we never squash", "we never squash"),
        ("一応、本番には直接つながないでください", "本番には直接つながないでください"),
    ],
)
def test_an_opening_makes_no_second_rule(memory, first, again):
    said(memory, first, session="earlier", days_ago=2)
    said(memory, again, session="later", days_ago=1)
    assert known(memory).count('- "') == 1


def test_a_language_ends_the_one_before_it(memory):
    orders = ("コミットメッセージは日本語で書いてください", "これからは英語で書いてください", "コミットメッセージは日本語で")
    for number, order in enumerate(orders):
        said(memory, order, session=f"session-{number}", days_ago=9 - number)
        assert [line for line in known(memory, f"now-{number}").splitlines() if line.startswith("- ")] == [f'- "{order}"']


def test_a_rule_that_takes_another_back_is_shown_whole(memory):
    order = "コミットメッセージはもう日本語で書かなくていいです。これからは英語で書いてください"
    said(memory, "コミットメッセージは日本語で書いてください", session="earlier", days_ago=2)
    said(memory, order, session="later", days_ago=1)
    assert f'- "{order}"' in known(memory)


def test_a_detail_in_the_next_prompt_is_no_rule(memory):
    said(memory, "請求書の出力を作って", "あと、金額は税抜で")
    assert known(memory) == ""
    said(memory, "請求書の出力を作って", "今後、金額は必ず税抜で", session="later")
    assert "金額は必ず税抜で" in known(memory, "then")


def test_an_answer_to_a_failure_is_shown_before_the_call_that_failed(memory):
    work = memory.session("earlier")
    work.prompt("push")
    work.run("git push origin main", error="fatal: 'origin' does not appear to be a git repository")
    work.turn_end("This clone has no remote named origin. Which one should I use?")
    work.prompt("upstream, always. there is no origin here")
    work.run("git push upstream main")
    work.turn_end("Pushed.")
    memory.fold()
    assert known(memory, "then").strip().splitlines()[0] == '- "upstream, always. there is no origin here"'
    assert shown_at(memory, "git status") == ""
    assert "upstream, always" in shown_at(memory, "git push origin main")
