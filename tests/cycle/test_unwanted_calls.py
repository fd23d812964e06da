"""A call that a person stopped or doubted is shown their words; one that creates again what was removed for a reason, that reason; and others nothing."""

import os

import pytest

from tests.cycle.recalling import Remembering, assert_gives_way_when_rejected, before

STOPPED = {"status": "partial", "reason": "interrupted"}


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank(), fixed_clock)


def ready(remembering, *prompts):
    """Begin the session that asks, with these prompts, and fold everything."""
    now = remembering.session("now", at=None)
    now.line("session_start", source="startup")
    for text in prompts:
        now.prompt(text)
    return remembering.fold()


def at_command(remembering, command):
    injection = remembering.ask(before("Bash", {"command": command}))
    return "" if injection is None else injection.text


def at_write(remembering, path):
    injection = remembering.ask(before("Write", {"file_path": f"{remembering.root()}/{path}", "content": "x"}))
    return "" if injection is None else injection.text


def removing(remembering, asked, answer, command="rm deps.txt", proposal=None):
    session = remembering.session("earlier", days_ago=3)
    if proposal:
        session.prompt(proposal[0])
        session.turn_end(proposal[1])
    session.prompt(asked)
    session.run(command)
    session.turn_end(answer)
    session.end()
    return session


def stopping(remembering, command, said, *, live=False, session="earlier", days_ago=3):
    """A session in which a person stopped a command and typed something. live: as hooks see it, which get no result of a refused call."""
    work = remembering.session(session, days_ago=days_ago)
    work.prompt("clean the branch up")
    if live:
        work.run(command, event="tool_before", status=None)
    else:
        work.run(command, error="The user doesn't want to proceed with this tool use.", **STOPPED)
    work.prompt(said)
    return work


# what was removed


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("remove deps.txt, the lock file has it all", "Done.", "the user said: “remove deps.txt, the lock file has it all”"),
        ("deps.txt を消して。lock ファイルで足ります", "消しました。", "deps.txt"),
        ("tidy the repository up", "I removed deps.txt, because the lock file lists every dependency.", "because the lock file lists every dependency"),
        ("リポジトリを整理して", "deps.txt は重複していたため削除しました。依存関係は lock ファイルにあります。", "重複していたため削除"),
    ],
)
def test_why_a_file_was_removed_comes_before_it_is_written_again(remembering, asked, answer, told):
    removing(remembering, asked, answer)
    ready(remembering)
    text = at_write(remembering, "deps.txt")
    assert told in text
    assert "removed `deps.txt`" in text or "`deps.txt` を削除" in text
    assert at_write(remembering, "deps.txt") == ""  # once in a context


def test_a_reason_of_the_turn_before_counts_and_a_command_creates_a_file_too(remembering):
    proposal = ("is deps.txt still of use?", "No: deps.txt is redundant now that `project.toml` lists everything.")
    removing(remembering, "ok, go ahead", "Done.", proposal=proposal)
    ready(remembering)
    assert "redundant" in at_command(remembering, "touch deps.txt")


def test_a_file_in_a_removed_folder_counts(remembering):
    removing(remembering, "clean the empty folders up", "I removed the unused folder specs/cli, nothing is in it.", command="rm -rf specs/cli")
    ready(remembering)
    assert "unused folder" in at_write(remembering, "specs/cli/list_spec.py")


@pytest.mark.parametrize(
    ("asked", "answer", "command"),
    [
        ("go on", "I removed deps.txt.", "rm deps.txt"),
        ("go on", "I deleted the temporary deps.txt, because the check is done.", "rm deps.txt"),
        ("一時ファイルを片付けて", "検証用の deps.txt は不要なので削除しました。", "rm deps.txt"),
        ("do not remove deps.txt", "Sorry, it is restored.", "rm deps.txt"),
        ("remove build/deps.txt, it is stale", "Done.", "rm build/deps.txt"),
        ("remove deps.txt from git only", "Done.", "git rm --cached deps.txt"),
    ],
)
def test_what_nobody_gave_a_reason_for_or_programs_make_says_nothing(remembering, asked, answer, command):
    removing(remembering, asked, answer, command=command)
    ready(remembering)
    assert at_write(remembering, command.rpartition(" ")[2]) == ""


@pytest.mark.parametrize("asked", ["remove config.py, nobody uses it", "config.py を消して。lock ファイルで足ります"])
def test_a_file_in_the_folder_of_the_shell_is_no_other_of_its_name(remembering, asked):
    session = remembering.session("earlier", days_ago=3)
    session.prompt(asked)
    session.run("cd services/api")
    session.run("rm config.py", fingerprint="rm services/api/config.py")
    session.turn_end("Done.")
    session.end()
    ready(remembering)
    assert at_write(remembering, "config.py") == ""
    assert "config.py" in at_write(remembering, "services/api/config.py")


@pytest.mark.parametrize(
    ("asked", "command", "fingerprint"),
    [
        ("config.py is unused, isn't it?", "rm config.py && pytest; git checkout config.py", "git checkout config.py"),
        ("config.py の未使用の行を削除して", "rm config.py && sort new.txt > config.py", "write config.py"),
    ],
)
def test_what_a_command_brought_back_is_not_removed(remembering, asked, command, fingerprint):
    session = remembering.session("earlier", days_ago=3)
    session.prompt(asked)
    session.run(command, fingerprint=fingerprint)
    session.turn_end("Done.")
    session.end()
    ready(remembering)
    assert at_write(remembering, "config.py") == ""


def test_a_folder_that_is_there_again_came_back(remembering):
    removing(remembering, "rebuild the pages", "The unused folder docs/api is gone, because it is made anew.", command="rm -rf docs/api")
    ready(remembering)
    os.makedirs(f"{remembering.root()}/docs/api")
    assert at_write(remembering, "docs/api/new.md") == ""


def test_who_asks_for_the_file_gets_it(remembering):
    removing(remembering, "remove deps.txt, the lock file has it all", "Done.")
    ready(remembering, "write deps.txt again, the scanner needs it")
    assert at_write(remembering, "deps.txt") == ""


def test_a_file_that_came_back_is_wanted(remembering):
    removing(remembering, "remove deps.txt, the lock file has it all", "Done.")
    again = remembering.session("again", days_ago=1)
    again.prompt("the scanner wants its list")
    again.edit("deps.txt", tool="Write")
    again.turn_end("The list is back.")
    again.end()
    ready(remembering)
    assert at_write(remembering, "deps.txt") == ""


def test_a_file_that_is_there_is_only_changed(remembering, bank):
    removing(remembering, "remove deps.txt, the lock file has it all", "Done.")
    ready(remembering)
    with open(f"{remembering.root()}/deps.txt", "w", encoding="utf-8") as file:
        file.write("x")
    assert at_write(remembering, "deps.txt") == ""


# what was stopped


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("git push origin main", "why are you pushing? I do that myself"),
        ("git push origin main", "プッシュは自分でやります"),
        ("npm start", "サーバーはこちらで起動します"),
        ("SKIP=lint git commit -m 'a b'", "I'd rather leave the drafts out of the checks"),
    ],
)
def test_a_stopped_call_is_shown_the_words_of_the_person_who_stopped_it(remembering, command, said, live):
    stopping(remembering, command, said, live=live).end()
    ready(remembering)
    text = at_command(remembering, command)
    assert said in text
    assert "stopped `" in text or "を止めた" in text


def test_what_was_typed_instead_of_allowing_a_call_is_kept(remembering):
    work = remembering.session("earlier", days_ago=3)
    work.prompt("fix the flaky test")
    said = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno, I did not ask you to push anything"
    work.run("git push origin main", error=said, **STOPPED)
    work.turn_end("Understood.")
    work.end()
    ready(remembering)
    assert "I did not ask you to push anything" in at_command(remembering, "git push origin main")
    assert_gives_way_when_rejected(remembering, before("Bash", {"command": "git push origin main"}, session="other"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("git push origin main", "don't push yet, I still read it"),
        ("git push origin main", "まだプッシュしないで"),
        ("git push origin main", "is the description permanent?"),
        ("git push origin main", "continue"),
        ("pnpm check", "the labels should not be grey"),
        ("git push origin main", "Why did you stop pushing? Go ahead"),
        ("git push origin main", "なぜプッシュを止めたの？続けて"),
        ("git push origin main", "stopped by mistake, I did not mean to stop the push"),
        ("git push origin main", "間違って止めました。プッシュは不要ではないです"),
        ("git push origin main", "I already pushed it"),
        ("git push origin main", "don't push until CI is green"),
        ("git push origin main", "CI が通るまでプッシュしないで"),
        ("git push origin main", "don't push today"),
        ("git push origin main", "今日はプッシュしないで"),
        ("git commit -m 'a b'", "use a shorter commit message instead"),
        ("git commit -m 'a b'", "コミットメッセージは日本語ではなく英語で"),
        ("npm run dev", "why do you think the server is down?"),
        ("npm run dev", "サーバーのエラーはなぜ出るの？"),
        ("rm -rf public/old", "なぜエラーが消えないの？"),
    ],
)
def test_who_stops_a_call_for_another_reason_refuses_nothing(remembering, command, said):
    stopping(remembering, command, said).end()
    ready(remembering)
    text = at_command(remembering, command)  # it may be a rule
    assert "stopped `" not in text
    assert "を止めた" not in text


def test_only_the_part_that_was_meant_is_refused(remembering):
    stopping(remembering, "git add src && git push origin main", "never push, that is my job").end()
    ready(remembering)
    assert "never push" not in at_command(remembering, "git add src")


def test_what_a_person_lets_run_in_the_same_session_is_allowed(remembering):
    work = stopping(remembering, "npm start", "why do you start the server again?")
    work.run("npm start")
    work.turn_end("It runs.")
    work.end()
    ready(remembering)
    assert at_command(remembering, "npm start") == ""


def test_what_a_person_lets_run_in_a_later_session_is_allowed(remembering):
    stopping(remembering, "npm start", "why do you start the server again?").end()
    later = remembering.session("later", days_ago=1)
    later.prompt("show me the page")
    later.run("npm start")
    later.turn_end("It runs.")
    later.end()
    ready(remembering)
    assert at_command(remembering, "npm start") == ""


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("why are you pushing? I do that", "from now on you can push yourself"),
        ("why are you pushing? I do that", "今後はプッシュして構いません"),
        ("why are you pushing? I do that", "これからはプッシュもあなたがやってください"),
    ],
)
def test_what_a_person_allows_or_asks_for_later_is_not_refused(remembering, said, later):
    stopping(remembering, "git push origin main", said).end()
    allowing = remembering.session("later", days_ago=1)
    allowing.prompt(later)
    allowing.turn_end("OK.")
    allowing.end()
    ready(remembering)
    assert at_command(remembering, "git push origin main") == ""


@pytest.mark.parametrize(
    "asked", ["looks good, commit it", "では、コミットしてください", "commit it. The tests are not needed", "コミットして。テストは不要です"]
)
def test_who_asks_for_a_commit_gets_one(remembering, asked):
    stopping(remembering, "git commit -m 'a b'", "no, I did not ask you to commit").end()
    ready(remembering, asked)
    assert at_command(remembering, "git commit -m 'c d'") == ""


# what was doubted


@pytest.mark.parametrize("said", ["I'm not sure about `git add .` here, it takes my drafts along", "`git add .` はちょっと不安です。下書きまで入ります"])
def test_a_doubt_about_a_quoted_command_comes_before_it(remembering, said):
    work = remembering.session("earlier", days_ago=2)
    work.prompt(said)
    work.turn_end("Agreed.")
    work.end()
    ready(remembering)
    assert "git add ." in at_command(remembering, "git add -A")
    assert at_command(remembering, "git add src/app.py") == ""


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("I don't like that `npm run lint` reports so much, repair the code", "npm run lint"),
        ("`make build` で失敗するのが怖いので直して", "make build"),
        ("`make check` は心配いりません", "make check"),
    ],
)
def test_a_worry_about_a_result_is_no_doubt_about_the_command(remembering, said, command):
    work = remembering.session("earlier", days_ago=2)
    work.prompt(said)
    work.turn_end("Agreed.")
    work.end()
    ready(remembering)
    assert "doubts" not in at_command(remembering, command)
    assert "疑問" not in at_command(remembering, command)
