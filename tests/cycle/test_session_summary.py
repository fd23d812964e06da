"""The session summary: somebody who was not there can describe the session. By rules, in English and Japanese."""

import pytest

from memorybank.cycle.finish import sessions, summary_text
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log import events


@pytest.fixture
def summary(base, session):
    """summary(work) → the public summary of a session."""

    def of(work):
        lines = [LogEvent(line) for line in events.read(base.layout, events.name_of(work.session))]
        return sessions.summarise([line for line in lines if line.cell.is_public])

    return of


def told(items):
    return [item.text for item in items]


def english(work):
    work.prompt("Make the search find Japanese words. Start with the tokenizer.", task_id="ABC-7")
    work.read("src/tokens.py")
    work.run("pytest tests/test_tokens.py", error="E   AssertionError: assert [] == ['検索']")
    work.edit("src/tokens.py", "def terms(text):\n    return text.split()", "def terms(text):\n    return pairs(text)")
    work.edit("src/tokens.py", "", "def pairs(text): ...")
    work.run("pytest tests/test_tokens.py")
    work.edit("docs/search.md", tool="Write")
    work.run('git add -A && git commit -m "Search cuts Japanese into pairs"')
    work.turn_end("The search now finds Japanese words.\n\nI chose pairs instead of a dictionary. Still to do: not yet measured on long texts.")
    work.prompt("no, keep the old function as well", lessons=["no, keep the old function as well"], signal=-1)
    work.run("mypy src", error="src/tokens.py:3: error: Missing return statement")
    work.turn_end("I kept it, the type check is still red.", status="failure")
    work.end()


def test_a_session_can_be_retold(session, summary):
    work = session()
    english(work)
    found = summary(work)
    assert told(found.sections["goals"]) == ["Make the search find Japanese words. Start with the tokenizer.", "no, keep the old function as well"]
    assert told(found.sections["changed"]) == [
        "src/tokens.py (edited, 2 changes): `return text.split()` → `return pairs(text)`; added `def pairs(text): ...`",
        "docs/search.md (written)",
    ]
    assert told(found.sections["fixes"]) == [
        "`pytest tests/test_tokens.py` failed: AssertionError: assert [] == ['検索']. It succeeded after src/tokens.py: added `def pairs(text): ...`."
    ]
    assert told(found.sections["commits"]) == ["Search cuts Japanese into pairs"]
    assert "I chose pairs instead of a dictionary." in told(found.sections["decisions"])
    assert "no, keep the old function as well" in told(found.sections["decisions"])
    assert told(found.sections["open_ends"]) == ["`mypy src` failed last: src/tokens.py:3: error: Missing return statement"]
    assert (found.files, found.tasks, found.language) == (["src/tokens.py", "docs/search.md"], ["ABC-7"], "en")


@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ("ファイルは UTF-8 ではなく cp932 でした。読み込みを直しました。", []),
        ("The header was in cp932 instead of UTF-8. I fixed the reader.", []),
        ("pandas ではなく polars を使うことにしました。", ["pandas ではなく polars を使うことにしました。"]),
        ("I added an index instead of a second service.", ["I added an index instead of a second service."]),
        ("It was decided to keep Postgres. I fixed the reader.", ["It was decided to keep Postgres."]),
        ("The index was added instead of a second service.", ["The index was added instead of a second service."]),
    ],
)
def test_what_was_found_out_is_no_decision(session, summary, said, decided):
    work = session()
    work.prompt("Fix the reader, please.")
    work.edit("src/reader.py", "utf-8", "cp932")
    work.turn_end(said)
    assert told(summary(work).sections["decisions"]) == decided


def test_what_a_person_pastes_does_not_change_the_language(session, summary):
    work = session()
    log = "\n".join(f"2025-09-17T03:00:{second:02} ERROR sync: request to the ledger failed with status 401, giving up" for second in range(9))
    work.prompt(f"夜の同期がまた失敗しました。\n{log}\n原因を調べてください")
    work.edit("src/sync.py", "a", "b")
    work.turn_end("The token had expired. 期限を6時間から1日に延ばしました。")
    assert summary(work).language == "ja"


def test_a_japanese_session_is_told_in_japanese(session, summary):
    work = session()
    work.prompt("検索の順位を直して、テストも追加してください。")
    work.run("pytest tests/順位.py", error="AssertionError: 順位が違います")
    work.edit("src/順位.py", "return 1", "return 2")
    work.run("pytest tests/順位.py")
    work.turn_end("順位を直しました。重みは設定に置くことにしました。次は速度の計測が残っています。")
    found = summary(work)
    text = summary_text.short(found)
    assert text.startswith("結果: 順位を直しました。重みは設定に置くことにしました。") and "\n目的: 検索の順位を直して、テストも追加してください。\n" in text
    assert "失敗と修正: `pytest tests/順位.py` が失敗: AssertionError: 順位が違います。 その後成功（直前の変更: src/順位.py: `return 1` →" in text
    assert told(found.sections["decisions"]) == ["重みは設定に置くことにしました。"]
    assert told(found.sections["open_ends"]) == ["次は速度の計測が残っています。"]
    assert found.language == "ja" and "変更: src/順位.py（" not in text and "変更: src/順位.py (編集)" in text


@pytest.mark.parametrize("case", ["nothing", "greeting", "one look", "only exposures"])
def test_a_session_with_nothing_to_say_has_none(session, summary, case):
    work = session()
    if case == "greeting":
        work.prompt("hello")
        work.turn_end("Hello! What shall we do?")
    elif case == "one look":
        work.prompt("what is in a.py?")
        work.read("src/a.py")
        work.turn_end("A function.")
    elif case == "only exposures":
        work.expose({"memory": "note:a", "shown": True})
    work.end()
    assert summary(work) is None


@pytest.mark.parametrize("edits", [False, True])
def test_a_session_of_a_program_has_a_summary_only_if_it_changed_something(session, summary, edits):
    role = "You are a read-only goal classifier. Do not write files. Return one label and a short reason, and always in one line. "
    work = session()
    work.prompt(role + "Read the rubric, compare the goal with each of its lines, and answer with the label that fits.")
    for name in ("a", "b", "c"):
        work.read(f"src/{name}.py")
    if edits:
        work.edit("src/a.py", "x = 1", "x = 2")
    work.turn_end("The goal is one cohesive change, because it only adds a line to the help output of one command.")
    work.end()
    found = summary(work)
    assert (found is not None) is edits
    assert found is None or (found.sections["goals"] == [] and "You are" not in summary_text.short(found))


def test_words_that_only_say_go_on_are_no_goal(session, summary):
    work = session()
    for text in ("Hi!", "おはようございます。", "continue", "Fix the login.", "yes", "はい", "続けて", "Thanks!"):
        work.prompt(text)
        work.edit("src/a.py", "a", "b")
    assert told(summary(work).sections["goals"]) == ["Fix the login."]
    assert summary_text.title(summary(work)) == "Fix the login"


def test_the_short_form_has_the_first_goal_and_the_latest(session, summary):
    work = session()
    for text in ("Build a shop.", "Add a cart.", "色を青にして。", "Deploy it.", "Write the README."):
        work.prompt(text)
        work.edit("src/a.py", "a", "b")
    assert summary_text.short(summary(work)).split("\n")[:3] == ["Goal: Build a shop.", "- Deploy it.", "- Write the README."]


def test_a_failure_that_was_put_otherwise_and_succeeded_is_not_open(session, summary):
    work = session()
    work.run("git push", error="fatal: The current branch x has no upstream branch.")
    work.run("git push -u origin x", fingerprint="git push -u _")
    assert summary(work) is None or told(summary(work).sections["open_ends"]) == []


def test_a_host_s_notice_is_no_result_beside_real_ones(session, summary):
    work = session()
    work.prompt("build it")
    work.edit("src/a.py", "a", "b")
    work.turn_end("Built.")
    work.prompt("<task-notification>a task ended</task-notification>", human=False)
    work.turn_end("That was a stale task.")
    assert told(summary(work).sections["results"]) == ["Built."]


def test_an_interrupted_or_unfinished_end_is_open(session, summary):
    for fields, expected in (({"reason": "interrupted"}, "the last turn was interrupted"), ({"open_work": 2}, "background work still ran: 2")):
        work = session(f"s-{len(expected)}")
        work.edit("src/a.py", "a", "b")
        work.turn_end("…", status="partial", **fields)
        assert expected in told(summary(work).sections["open_ends"])


def test_files_outside_the_repository_are_counted_not_named(session, summary):
    """Their recorded names are keyed hashes, which mean nothing to a reader."""
    work = session()
    work.edit("outside:bc65aad472193adb", "a", "b")
    work.edit("src/a.py", "a", "b")
    found = summary(work)
    assert told(found.sections["changed"]) == ["src/a.py (edited): `a` → `b`", "files outside the repository: 1"] and found.files == ["src/a.py"]


def test_a_call_whose_inputs_nobody_knows_is_still_named(session, summary):
    work = session()
    work.line("tool_after", tool="Skill", inputs={"other": {"skill": "commit"}}, status="failure", error="fatal: ambiguous argument", fingerprint="Skill")
    assert told(summary(work).sections["open_ends"]) == ["Skill commit failed last: fatal: ambiguous argument"]


def test_a_turn_that_a_person_stopped_is_open_though_its_end_was_never_reported(session, summary):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.turn_end("done")
    work.run("make all", status="partial", reason="interrupted")
    found = summary(work)
    assert told(found.sections["open_ends"]) == ["the last turn was interrupted"]


def test_the_short_form_fits_and_cuts_whole_lines(session, summary):
    work = session()
    work.prompt("x " * 300)
    for number in range(60):
        work.edit(f"src/{number}.py", f"old {number} " * 20, f"new {number} " * 20)
        work.run(f"git commit -m 'change number {number}'")
    work.turn_end("done " * 300)
    text = summary_text.short(summary(work))
    assert len(text) <= 1_900 and text.splitlines()[-1].startswith(("- ", "Changed: "))
    assert len(summary_text.short(summary(work), 300)) <= 300


@pytest.mark.parametrize(
    ("asked", "error", "call"),
    [
        ("fix it", "the last turn ended in an error: rate_limit: too many requests", "the last thing the last turn did failed: `grep -c x a.log`"),
        ("直してください", "最後のやり取りはエラーで終わった: rate_limit: too many requests", "最後のやり取りの最後の操作が失敗: `grep -c x a.log`"),
    ],
    ids=["English", "Japanese"],
)
def test_a_turn_that_broke_off_and_one_whose_last_command_failed_are_told_apart(session, summary, asked, error, call):
    broken, failed = session("s1"), session("s2")
    for work in (broken, failed):
        work.prompt(asked)
        work.edit("src/a.py", "a", "b")
    broken.turn_end("", status="failure", reason="error", error="rate_limit: too many requests")
    failed.run("grep -c x a.log", error="0")
    failed.turn_end("Done.", status="failure")
    assert told(summary(broken).sections["open_ends"]) == [error]
    assert told(summary(failed).sections["open_ends"]) == [call]


def test_a_failure_at_the_end_of_the_last_turn_is_told_once(session, summary):
    work = session()
    work.run("mypy src", error="src/a.py:3: error: Missing return statement")
    work.turn_end("Still red.", status="failure")
    assert told(summary(work).sections["open_ends"]) == ["`mypy src` failed last: src/a.py:3: error: Missing return statement"]


@pytest.mark.parametrize("left", ["Remaining: none", "Still to do: nothing.", "残り: なし", "残課題：特にありません。", "TODO:"])
def test_nothing_left_is_no_open_end_and_ends_what_was_left_before(session, summary, left):
    work = session()
    work.edit("src/parser.py", "a", "b")
    work.turn_end("残り: 長いノートでの索引の計測。")
    work.turn_end(f"All done.\n\n{left}")
    assert told(summary(work).sections["open_ends"]) == []


def test_prose_of_an_earlier_turn_is_no_list_of_what_is_left(session, summary):
    work = session()
    work.edit("src/parser.py", "a", "b")
    work.turn_end("The remaining tests pass, and the next step of the parser is not yet slow.")
    work.turn_end("Done.")
    assert told(summary(work).sections["open_ends"]) == []


PLAN = "# Plan: split payment\n\n" + "\n\n".join(
    f"## Phase {i}\n\nStep {i}.1: move the gateway client into app/payments/gateway.py, keep the old import for one release, and add a contract test."
    for i in (1, 2)
)
LOG = "\n".join(f"2026-11-10T22:00:0{i}Z INFO  orders.list limit=500 rows=500 client=ios/5.{i}.0 ms=200" for i in range(9))


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        (f"Here is a plan that I wrote with another tool. Start with phase 1.\n\n{PLAN}", "Here is a plan that I wrote with another tool. Start with phase 1."),
        (
            f"That's too much, see the log of last night:\n\n```\n{LOG}\n```\n\nThe warehouse reads 200 a page.",
            "That's too much, see the log of last night: The warehouse reads 200 a page.",
        ),
        (f"昨夜のログを見てください。\n\n```\n{LOG}\n```\n\n上限を下げてください。", "昨夜のログを見てください。 上限を下げてください。"),
        (PLAN, "split payment"),
    ],
)
def test_a_paste_is_no_wish(session, summary, prompt, wanted):
    work = session()
    work.prompt(prompt)
    work.edit("app/orders.py", "MAX_LIMIT = 500", "MAX_LIMIT = 200")
    work.turn_end("`MAX_LIMIT` is 200 now.")
    work.end()
    assert told(summary(work).sections["goals"]) == [wanted]


@pytest.mark.parametrize(
    "rule",
    ["Thanks. And never push to main directly, open a pull request, even for one-line changes.", "ありがとう。main へ直接プッシュするのは今後も禁止です。"],
)
def test_a_rule_is_decided_and_not_wanted(session, summary, rule):
    work = session()
    work.prompt("Deploy the current main to staging.")
    work.edit("deploy.sh", "a", "b")
    work.turn_end("Deployed to staging.")
    stated = rule.removeprefix("Thanks. ").removeprefix("ありがとう。")
    work.prompt(rule, lessons=[stated], signal=1)
    work.turn_end("Will do.")
    work.end()
    found = summary(work)
    assert told(found.sections["goals"]) == ["Deploy the current main to staging."] and stated in told(found.sections["decisions"])


@pytest.mark.parametrize(
    ("correction", "reply"),
    [("No, that is wrong. The TTL is 300 seconds.", "You are right: it is 300."), ("違います。TTLは300秒です。", "失礼しました。300秒です。")],
)
def test_a_refuted_answer_is_no_result(session, summary, correction, reply):
    work = session()
    work.prompt("How long are prices cached in Redis?")
    work.edit("app/cache.py", "a", "b")
    work.turn_end("Prices are cached for 60 seconds instead of forever, so the new price appears within a minute.")
    work.prompt(correction)
    work.turn_end(reply)
    work.end()
    found = summary(work)
    assert len(found.sections["results"]) == 1 and told(found.sections["results"])[0] in reply and not told(found.sections["decisions"])


@pytest.mark.parametrize(
    ("failed", "then", "is_open"),
    [
        ("git merge feature/zones", "git commit -qam zones", False),
        ("git add -A; git checkout -q main && git merge zones", "git merge --abort", False),
        ("git merge feature/zones", "git status", True),
        ("TZ=Asia/Tokyo faketime 23:00 make test", "make test", False),
        ("faketime 23:00 make test", "make lint", True),
        ("pytest tests/test_rates.py", "pytest", False),
        ("make lint", "make", True),
    ],
)
def test_what_a_later_command_settled_is_not_open(session, summary, failed, then, is_open):
    work = session()
    work.line("tool_after", tool="Bash", inputs={"command": failed}, status="failure", error="error: CONFLICT (content)", fingerprint=f"Bash:{failed}")
    work.line("tool_after", tool="Bash", inputs={"command": then}, status="success", fingerprint=f"Bash:{then}")
    assert bool(told(summary(work).sections["open_ends"])) == is_open


@pytest.mark.parametrize(
    ("error", "then", "said", "is_open"),
    [
        ("FAILED tests/test_due_today.py", "git commit -qam 'test_due_today: frozen clock'", "It fails only after midnight.", False),
        ("ModuleNotFoundError: billing", "ls", "Plain `pytest` fails because only the Makefile sets PYTHONPATH.", False),
        ("ModuleNotFoundError: billing", "ls", "`pytest` を直接実行すると失敗するのは、PYTHONPATH を Makefile だけが設定しているためです。", False),
        ("FAILED tests/test_due_today.py", "git commit -qam 'Rename the rates'", "The rates are renamed.", True),
        ("FAILED tests/test_due_today.py", "ls", "`test_due_today` still fails, and nobody knows why.", True),
    ],
)
def test_what_the_session_explained_is_not_open(session, summary, error, then, said, is_open):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.run("pytest tests", error=error)
    work.run(then)
    work.turn_end(said)
    assert any("failed last" in one or "最後まで失敗" in one for one in told(summary(work).sections["open_ends"])) == is_open


def test_a_script_that_contains_a_failed_command_settles_it(session, summary):
    work = session()
    work.run("psql -f seed.sql", error="psql: role app does not exist")
    work.edit("scripts/seed.sh", "", "export PGUSER=postgres\npsql -f seed.sql\n", tool="Write")
    assert told(summary(work).sections["open_ends"])
    work.run("bash scripts/seed.sh", output="ok")
    assert not told(summary(work).sections["open_ends"])


@pytest.mark.parametrize(
    "said", ["Returns need a rule for that, and there is no test yet.", "That is still missing.", "それは未対応です。", "上記の2件が残っています。"]
)
def test_an_open_point_that_needs_the_sentence_before_it_is_not_told(session, summary, said):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.turn_end(f"The label is cut after 35 characters. {said}")
    assert told(summary(work).sections["open_ends"]) == []


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Open: the rule for long references.", "the rule for long references."),
        ("未解決：全角の店名。", "全角の店名。"),
        ("Open: the limit cuts a reference; returns need a rule for that.", "the limit cuts a reference; returns need a rule for that."),
    ],
)
def test_an_open_point_is_told_without_its_own_heading(session, summary, said, left):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.turn_end(said)
    assert told(summary(work).sections["open_ends"]) == [left]


GLOBS = (
    (
        "Make `*` stop at a slash.",
        "**Done**: `*` no longer crosses a slash, for that there is `**` now. The test failed until I decided to write `2019/**.tmp`."
        " We decided to pass **kwargs on, and 2**10 rows stay.\n\n```sh\nls logs/**.gz\n```",
        ("there is `**` now", "`2019/**.tmp`", "pass **kwargs on", "2**10 rows"),
    ),
    (
        "`*` が / を越えないようにして。",
        "**完了**：`*` は / を越えません。そのために `**` を使うことにしました。`2019/**.tmp` と書くことに決めました。**kwargs のまま渡すことにしました。",
        ("`**` を使う", "`2019/**.tmp`", "**kwargs のまま"),
    ),
)


@pytest.mark.parametrize(("request_", "answer", "kept"), GLOBS)
def test_emphasis_is_left_out_and_code_stays_as_the_agent_wrote_it(session, summary, request_, answer, kept):
    work = session()
    work.prompt(request_)
    work.edit("src/globs.py", "a", "b")
    work.turn_end(answer)
    work.end()
    text = summary_text.body(summary(work))
    assert all(part in text for part in kept)
    assert "**Done" not in text and "**完了" not in text


def test_a_session_without_words_is_named_by_what_was_done(session, summary):
    work = session()
    work.edit("src/a.py", "x", "y")
    assert summary_text.title(summary(work)).startswith("Changed: src/a.py (edited)")


@pytest.mark.parametrize(
    ("failed", "then", "said", "is_open"),
    [
        ("git push origin main", "git commit -qm next", "Committed.", True),
        ("git merge feature", "git commit -qm 'Merge feature'", "Merged.", False),
        ("npm run deploy", "npm run lint", "The linter is quiet.", True),
        ("npm run deploy", "npm run deploy", "It is deployed.", False),
        ("docker compose up -d", "docker compose ps", "Nothing runs.", True),
        ("act", "ls", "The character table is fixed, because it had no index.", True),
        ("terraform apply", "ls", "I could not run terraform apply because the state lock is held.", True),
    ],
)
def test_another_command_or_another_word_settles_nothing(session, summary, failed, then, said, is_open):
    work = session()
    work.edit("src/a.py", "a", "b")
    work.run(failed, error="fatal: refused")
    work.run(then)
    work.turn_end(said)
    assert any("failed last" in one for one in told(summary(work).sections["open_ends"])) == is_open


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("""git -c commit.gpgsign=false commit -q -m "$(printf 'docs: align the windows\\n\\nSame frames.')" && git push""", "docs: align the windows"),
        ("""git commit -m "$(echo "fix: read the last page")\"""", "fix: read the last page"),
        ("""git commit -m "$(printf '%s\\n' '集計の端数を直す' '' '理由')\"""", "集計の端数を直す"),
        ("git commit -m \"$(cat <<'EOF'\nfeat: days\n\nMore.\nEOF\n)\"", "feat: days"),
        ("git commit -qm next", "next"),
        ("""git commit -m "$(printf '%s\\n\\n%s' 'Fix the pool' 'Body')\"""", "Fix the pool"),
        ("""git commit -m "$(printf '%s\\n\\n%s\\n' '端数を直す' '理由')\"""", "端数を直す"),
        ("""git commit -m "$(echo "$MSG")\"""", ""),
        ("""git commit -m "$MSG\"""", ""),
        ("git commit -m '$ref in schemas resolves'", "$ref in schemas resolves"),
        ("git commit -m '$ref の解決を直す'", "$ref の解決を直す"),
        ("""git commit -m "$(printf '%s: %s\\n' fix pool)\"""", ""),
        ("""git commit -m "$(printf '修正: %s' "$TITLE")\"""", ""),
        ("printf 'x' | git commit -F -", ""),
    ],
)
def test_the_message_of_a_commit_may_be_printed_by_another_command(command, message):
    assert wording.commit_message(command) == message
