"""A call that failed when it was last run, for what the machine or the account lacks, is known before the next one."""

import pytest

from memorybank.cycle.fold import logs
from memorybank.cycle.know import last_run
from memorybank.text.commands import fingerprint, forms, lacking

from .conftest import MINUTE, NOW

IDENTITY = "Exit code 128\nAuthor identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config --global user.name"
LOGIN = "error: You are not logged in. Run `shipyard login` first."
認証 = "エラー: サインインが必要です"


@pytest.fixture
def told_at(base, cache):
    """told_at("git commit -m x") → the text that a session gets before this call, "" for none."""

    def find(command, now=NOW, own="now"):
        logs.fold(base, cache, wait=True)
        cache.create_function("sees", 8, lambda *_row: False)
        called = forms.of_command(command)
        found = last_run.find(cache, called, command, own, now)
        return found.shown_at_call("en") if found is not None else ""

    return find


@pytest.fixture
def earlier(session):
    return session("earlier", at=NOW - 90 * MINUTE)


@pytest.fixture
def later(session):
    return session("later", at=NOW - 30 * MINUTE)


@pytest.mark.parametrize(
    ("failed", "error", "command", "line"),
    [
        ("git commit -m one", IDENTITY, "git add -u && git commit -m two", "`git commit` failed when it was last run here (error: Author identity unknown)"),
        ("shipyard push -f", LOGIN, "shipyard push --all", "`shipyard push` failed when it was last run here (error: You are not logged in."),
        ("shipyard push -f", 認証, "shipyard push", "`shipyard push` failed when it was last run here (error: エラー: サインインが必要です)"),
        ("python scripts/tides.py", "ModuleNotFoundError: No module named 'lunar'", "python scripts/tides.py", "`python scripts/tides.py` failed"),
        ("lathe flash", "lathe: unsupported platform linux/arm64", "lathe flash", "`lathe flash` failed"),
    ],
)
def test_what_the_machine_lacked_at_the_last_run_is_told(told_at, earlier, failed, error, command, line):
    earlier.run(failed, error=error)
    assert told_at(command).startswith(line)
    assert told_at(command, own="earlier") == "", "its own session knows"
    assert told_at(command, now=NOW + 70 * 24 * 60 * MINUTE) == "", "accounts are set up"


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("git commit -m x", "error: pathspec 'tide.py' did not match any file(s) known to git"),
        ("pytest tests/tides", "E   PermissionError: [Errno 13] Permission denied: 'x'"),
        ("npm run build", "src/tide.ts(3,7): error TS2322: Type 'string' is not assignable"),
        ("git pull origin main", "CONFLICT (content): Merge conflict in tide.py"),
        ("bin/deploy", "(eval):1: permission denied: "),
    ],
)
def test_errors_of_the_code_and_of_the_moment_are_not(told_at, earlier, command, error):
    earlier.run(command, error=error)
    assert told_at(command) == ""


def test_a_success_ends_it(told_at, earlier, later):
    earlier.run("git commit -m one", error=IDENTITY)
    later.run("git commit -m two")
    assert told_at("git commit -m three") == ""


def test_a_program_of_a_script_that_was_installed_since_is_there(told_at, earlier, later):
    earlier.run("npm run ship", error="sh: 1: sledge: not found")
    assert told_at("npm run ship")
    later.run("npm install")
    assert told_at("npm run ship") == ""


@pytest.mark.parametrize(
    ("failed", "error", "same", "other"),
    [
        ("ssh mio@alpha uptime", "mio@alpha: Permission denied (publickey).", "ssh mio@alpha ls", "ssh mio@beta uptime"),
        ("curl -f https://tides.example.com/a", 認証, "curl https://tides.example.com/b", "curl -f https://harbour.example.com/a"),
        ("lathe -v parts/a.nc", "Operation not permitted", "lathe parts/a.nc", "lathe parts/b.nc"),
    ],
)
def test_of_a_program_without_subcommands_only_what_it_works_on_fails_again(told_at, earlier, failed, error, same, other):
    earlier.run(failed, error=error)
    assert told_at(same) and not told_at(other)


def test_a_module_of_the_project_and_other_code_are_not_missing(told_at, earlier):
    earlier.run("python scripts/tides.py", error="ModuleNotFoundError: No module named 'harbour'")
    earlier.run("python -c 'import lunar'", error="ModuleNotFoundError: No module named 'lunar'")
    assert told_at("python -c 'import lunar; print(1)'") and not told_at("python -c 'print(2)'")
    assert told_at("python scripts/tides.py")
    earlier.prompt("split the module")
    earlier.edit("src/harbour.py", "a", "b")
    assert not told_at("python scripts/tides.py")


def test_of_several_parts_the_one_that_lacks_something_is_meant(told_at, earlier, later):
    earlier.run("git add -A && git commit -m x && git push", error=IDENTITY)
    assert told_at("git push") == "", "nothing shows which of them failed"
    later.run("git add tide.py")
    assert told_at("git push") == ""


@pytest.mark.parametrize("said", ["I committed that one by hand, carry on with the jetty", "そのコミットは手元で済ませました。桟橋に進んで"])
def test_what_the_person_said_after_a_look_at_the_settings_is_about_the_failure(base, cache, earlier, said):
    earlier.prompt("commit the tides")
    earlier.run("git commit -m tides", error=IDENTITY)
    earlier.run("git config --global user.name && git config user.email")
    earlier.prompt(said)
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT count(*) FROM passages WHERE kind = 'said' AND failure IS NOT NULL").fetchone()[0]


@pytest.mark.parametrize(
    ("command", "looks"),
    [
        ("git config --global user.name", True),
        ("git config --list", True),
        ("git config --get-all remote.origin.fetch", True),
        ("git config user.name Mio", False),
        ("git config --unset user.name", False),
        ("git config --remove-section user", False),
        ("git config -e", False),
    ],
)
def test_git_config_with_a_name_alone_only_looks(command, looks):
    assert fingerprint.is_read_only("Bash", command) is looks


@pytest.mark.parametrize("line", ["/bin/sh: line 3: yaku: コマンドが見つかりません", "zsh: command not found: yaku", "env: 'yaku': No such file or directory"])
def test_a_shell_names_the_missing_program_in_its_own_way(line):
    assert lacking.program_in(line) == "yaku" and lacking.program_in("yaku: file not found: a.txt") == ""
