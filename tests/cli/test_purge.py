"""`memorybank purge`: what it says and what it does not say, exit codes, where the text comes from."""

import errno
import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from memorybank.clock import FixedClock, isoformat
from memorybank.log import events, key
from memorybank.storage import beneath

NOW = 1_758_112_496_789
LEAK = "hunter2-is-the-pass-phrase"
JAPANESE = "合言葉はガギグゲゴです"
SESSION = "3f0c1f6e-0000-4000-8000-000000000001"


def record(scratch, text: str, session: str = SESSION) -> None:
    fields = {
        "id": f"{1:032x}", "schema_version": 1, "event": "prompt", "timestamp": isoformat(NOW), "session_id": session, "host": "codex", "agent_id": "main",
        "agent_role": "main", "task_id": None, "tool": None, "inputs": {"text": text}, "outputs": {}, "status": None, "error": None, "acl": "user",
        "privacy": "public",
    }  # fmt: skip
    events.EventWriter(scratch.layout, key.ensure(scratch.layout), FixedClock(NOW), 2000).append(session, [fields])


@pytest.fixture(params=[LEAK, JAPANESE], ids=["English", "Japanese"])
def leak(request):
    return request.param


@pytest.fixture
def leaked(bank, leak):
    """A text in a session, and in an old note that a rotation would archive."""
    scratch = bank({"planning/old.md": f"# Old\n\n{leak}\n"}, days_old=90)
    record(scratch, f"say {leak}")
    return scratch


def text_of(scratch) -> bytes:
    return b"".join(path.read_bytes() for path in scratch.root.rglob("*") if path.is_file() and "active" not in path.parts)


def test_gone_without_a_trace_is_exit_zero(leaked, leak, run):
    run(leaked, "rotate", "--yes")
    assert leak.encode() in text_of(leaked)
    result = run(leaked, "purge", leak)
    assert (result.code, result.err) == (0, "")
    assert "remaining       nothing" in result.out and "blanked" in result.out and "replaced" in result.out
    assert "must be replaced" in result.out and "memorybank rebuild" in result.out
    assert leak.encode() not in text_of(leaked)
    assert (run(leaked, "log", "verify").code, run(leaked, "verify").code) == (0, 0)
    assert "[PURGED]" in run(leaked, "log", "show", SESSION[:4]).out
    assert "[PURGED]" in run(leaked, "archive", "show", "planning/old.md").out


def test_a_note_that_holds_it_is_listed_with_its_line_and_is_exit_one(leaked, leak, run):
    before = leaked.snapshot("active")
    result = run(leaked, "purge", leak)
    assert result.code == 1 and "1 place" in result.err and "next:" in result.err
    row = next(row for row in result.out.splitlines() if row.startswith("active/planning/old.md"))
    assert row.split() == ["active/planning/old.md", "1", "3", "yours", "to", "edit"]
    assert leaked.snapshot("active") == before
    leaked.write("planning/old.md", "# Old\n")
    assert run(leaked, "purge", leak).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "json", "markdown", "page"])
@pytest.mark.parametrize("dry", [True, False])
def test_the_text_is_never_printed(leaked, leak, run, monkeypatch, form, dry):
    """Not even when it occurs in the name of a file."""
    leaked.write(f"shared/{leak}.md", f"# {leak}\n", days_old=90)
    leaked.write(f"{leak}/note.md", "# Note\n", days_old=90)
    if form == "page":
        monkeypatch.setenv("COLUMNS", "70")
    run(leaked, "rotate", "--yes")
    leaked.write(f"shared/{leak}.md", f"# {leak}\n", days_old=1)
    arguments = ["--dry-run"] if dry else []
    result = run(leaked, "purge", leak, *arguments, *(["--format", form] if form != "page" else []))
    assert result.code == (0 if dry else 1)
    assert leak not in result.out + result.err and "[PURGED]" in result.out


def test_a_dry_run_says_what_would_be_and_changes_no_byte(leaked, leak, run):
    run(leaked, "rotate", "--yes")
    before = leaked.snapshot()
    result = run(leaked, "purge", leak, "--dry-run")
    assert (result.code, leaked.snapshot()) == (0, before)
    assert "would be blanked" in result.out and "would be replaced" in result.out and "would be removed" in result.out


def test_json_is_for_programs(leaked, leak, run):
    run(leaked, "rotate", "--yes")
    found = json.loads(run(leaked, "purge", leak, "--format", "json").out)
    assert (found["dry_run"], found["remaining"], found["problems"]) == (False, [], [])
    assert (found["lines_rewritten"], found["archived_notes_replaced"], found["backups_replaced"], found["sessions_signed_again"]) == (2, 1, 1, 0)
    assert {place["kind"] for place in found["found"]} == {"log", "archive", "backup", "derived"}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--stdin"], ["-"], ["--stdin", "-"]])
def test_the_text_can_come_from_standard_input(leaked, leak, process, arguments):
    result = process(leaked, "purge", *arguments, stdin=leak + "\n")
    assert result.code == 1 and "active/planning/old.md" in result.out
    assert leak.encode() not in Path(events.path_of(leaked.layout, SESSION)).read_bytes()


def test_a_text_of_several_lines(bank, process):
    """For example a private key: in the log it is on one line, escaped."""
    text = "-----BEGIN KEY-----\nMIIBVgIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----"
    scratch = bank({})
    record(scratch, "say " + "x".join(text.split("-")) + text)
    result = process(scratch, "purge", "--stdin", stdin=text + "\n")
    assert result.code == 0, result.err
    assert "1 time in 1 file" in result.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [LEAK, "second-secret"],
        [LEAK, "--no-such-option"],
        [LEAK, "--stdin"],
        ["abc"],
        ["--", "秘密鍵"],
        ["[PURGED]"],
    ],
)
def test_what_cannot_be_purged_is_exit_two_and_is_not_repeated(leaked, run, arguments):
    before = leaked.snapshot()
    result = run(leaked, "purge", *arguments)
    assert (result.code, result.out, leaked.snapshot()) == (2, "", before)
    assert "next:" in result.err
    assert not [word for word in arguments if word not in ("--", "--stdin") and word in result.err]


def test_a_text_that_looks_like_an_option_is_a_text(bank, run):
    scratch = bank({})
    record(scratch, "say --token-of-m1ne twice")
    assert run(scratch, "purge", "--token-of-m1ne").code == 0
    assert b"--token-of-m1ne" not in text_of(scratch)


def test_standard_input_that_is_no_text(leaked, process):
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "memorybank", "purge", "--stdin"],
        cwd=leaked.repository,
        input=b"secret-\xff\xfe-secret",
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        timeout=60,
    )
    assert done.returncode == 2 and b"not UTF-8" in done.stderr and b"secret" not in done.stderr


def test_a_bank_that_cannot_be_written_is_a_typed_error(leaked, leak, run, monkeypatch):
    """A read-only file system: exit 4, nothing changed, and a dry run still works."""
    before = leaked.snapshot()
    opened = beneath.open

    def read_only(path, flags, *rest, **options):
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return opened(path, flags, *rest, **options)

    monkeypatch.setattr(beneath, "open", read_only)
    result = run(leaked, "purge", leak)
    assert result.code == 4 and "Read-only file system" in result.err and leak not in result.err
    assert run(leaked, "purge", leak, "--dry-run").code == 0
    assert leaked.snapshot() == before


def test_an_error_about_a_file_whose_name_holds_it_does_not_tell_it(leaked, leak, run, monkeypatch):
    path = leaked.root / "cache" / f"{leak}.sqlite3"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x")
    unlink = os.unlink

    def refused(name, *rest, **options):
        if os.fspath(name) == str(path):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), name)
        unlink(name, *rest, **options)

    monkeypatch.setattr(beneath, "unlink", refused)
    result = run(leaked, "purge", leak)
    assert result.code == 4 and "[PURGED].sqlite3" in result.err and leak not in result.err + result.out


def test_a_file_that_cannot_be_looked_into_is_exit_nine(leaked, leak, run):
    run(leaked, "rotate", "--yes")
    (leaked.root / "archive/by_date/stray.md.zst").write_bytes(b"no frame at all")
    result = run(leaked, "purge", leak)
    assert result.code == 9 and "not examined: archive/by_date/stray.md.zst" in result.out


def test_where_it_never_was(leaked, run):
    result = run(leaked, "purge", "nobody ever wrote this")
    assert result.code == 0 and "does not occur in this bank" in result.out


def bash(command: str, home: Path, text: str) -> str:
    """Run a printed command as a person does after typing the text."""
    done = subprocess.run(["bash", "-c", command], env={**os.environ, "HOME": str(home), "TEXT": text}, capture_output=True, text=True, check=False)
    assert not done.stderr, (command, done.stderr)
    return done.stdout


def commands(found: dict, place: str) -> list[str]:
    return next(each["commands"] for each in found["out_of_reach"]["places"] if each["id"] == place)


def git(scratch, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(scratch.repository), *arguments], capture_output=True, text=True, check=True).stdout


def test_what_is_out_of_reach_is_found_by_the_printed_commands(leaked, leak, run, monkeypatch, tmp_path):
    """Git history, stash, transcripts, swap files, shell history: each command is run as it is printed."""
    home = tmp_path / "person"
    files = {
        ".claude/projects/-p/s.jsonl": leak,
        ".codex/sessions/2025/rollout-1.jsonl.gz": f"{leak}\n" * 50,
        ".bash_history": f"ls\ncurl {leak}\n",
        ".vim/undo/x": leak,
    }
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    git(leaked, "init", "-q")
    git(leaked, "add", "-A", "--force")
    git(leaked, "commit", "-q", "-m", "leak")
    commit = git(leaked, "rev-parse", "--short", "HEAD").strip()
    leaked.write("planning/old.md", f"# Old\n\n{leak} {leak}\n")
    git(leaked, "stash", "-q")
    (leaked.repository / ".notes.txt.swp").write_text(leak)
    result = run(leaked, "purge", leak, "--dry-run", "--json")
    found = json.loads(result.out)
    assert found["out_of_reach"]["ask"].startswith("read -rs TEXT")
    log, grep, rewrite, expire = commands(found, "git_history")
    assert commit in bash(log, home, leak)
    assert f"{commit[:7]}" in bash(grep, home, leak) and "planning/old.md" in bash(grep, home, leak)
    assert rewrite.startswith("git -C ") and " filter-repo " in rewrite
    search, drop = commands(found, "git_stash")
    assert bash(search, home, leak).split() == ["stash@{0}"]
    plain, packed, _ = commands(found, "transcripts")
    assert bash(plain, home, leak).split() == [str(home / ".claude/projects/-p/s.jsonl")]
    assert bash(packed, home, leak).split() == [str(home / ".codex/sessions/2025/rollout-1.jsonl.gz")]
    swap, histories, _ = commands(found, "editors")
    assert bash(swap, home, leak).split() == [str(leaked.repository / ".notes.txt.swp")]
    assert bash(histories, home, leak).split() == [str(home / ".vim/undo/x")]
    (typed,) = commands(found, "shell_history")
    assert bash(typed, home, leak).startswith("2:curl")
    # A history without the text, as after filter-repo, and what git still keeps of the old one.
    bash(drop.replace("{N}", "{0}"), home, leak)
    git(leaked, "checkout", "-q", "--orphan", "clean")
    git(leaked, "rm", "-rq", "--cached", ".")
    git(leaked, "commit", "-q", "--allow-empty", "-m", "clean")
    git(leaked, "for-each-ref", "--format=%(refname)", "refs/heads")
    git(leaked, "branch", "-D", *[name for name in git(leaked, "branch", "--format=%(refname:short)").split() if name != "clean"])
    assert commit in bash(log, home, leak), "the reflog still has it"
    bash(expire, home, leak)
    assert commit not in bash(log, home, leak)


def test_only_what_exists_is_named_and_the_text_never(bank, run, leak, monkeypatch, tmp_path):
    """Without git, transcripts and histories there are editors and other machines; a text in the path of the bank is masked."""
    home = tmp_path / leak
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    scratch = bank({"a.md": "# A\n"})
    (home / ".bash_history").write_text("ls\n")
    for form in ("table", "json"):
        result = run(scratch, "purge", leak, "--format", form)
        assert result.code == 0 and leak not in result.out
        assert "Out of reach" in result.out or "out_of_reach" in result.out
    found = json.loads(run(scratch, "purge", leak, "--json").out)
    assert {place["id"] for place in found["out_of_reach"]["places"]} - {"git_history"} == {"editors", "shell_history", "other_machines"}


@pytest.mark.parametrize("arguments", [["--yes"], ["-y"], ["the text", "--force"], ["--stdin", "--yes"], ["--sdtin"], ["--dry-rnu"], ["-n"]])
def test_an_option_that_purge_does_not_have_is_no_text(leaked, run, arguments):
    before = text_of(leaked)
    result = run(leaked, "purge", *arguments)
    assert result.code == 2 and "no such option" in result.err and "--stdin" in result.err and "--force" not in result.err
    assert text_of(leaked) == before


def test_a_secret_may_begin_with_a_dash(leaked, run):
    assert run(leaked, "purge", "-a1B2c3-D4", "--dry-run").code == 0
