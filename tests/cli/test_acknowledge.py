"""Archived notes that a removed worktree or a stash took with it: findings of verify for ever, unless a person acknowledges them."""

import json
import shutil

import pytest

from tests.conftest import ScratchBank

NOTES = {"planning/old.md": "# Old plan\n\nnothing of note\n", "shared/議事録.md": "# 議事録\n\n九月の定例。\n"}
IGNORED = ".claude/memory/log/\n.claude/memory/backups/\n.claude/memory/cache/\n.claude/memory/indexes/\n.claude/memory/metadata/\n"


@pytest.fixture(autouse=True)
def _commits_are_old(monkeypatch):
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2025-06-01T00:00:00Z")


def rotated(bank, run):
    """A committed bank whose two notes were rotated; the rotation is not committed."""
    scratch = bank(NOTES, git=True, days_old=90)
    (scratch.repository / ".gitignore").write_text(IGNORED)
    scratch.git("add", "-A")
    scratch.git("commit", "-q", "-m", "notes")
    for key, text in NOTES.items():
        scratch.write(key, text, days_old=90)
    return scratch


def verified(run, scratch, *options):
    result = run(scratch, "verify", *options, "--format", "json")
    return result.code, {(found["code"], found["level"]) for found in json.loads(result.out)["findings"]}, result


@pytest.fixture
def removed(bank, run):
    """A main worktree after another one, in which two notes were rotated, was removed."""
    scratch = rotated(bank, run)
    scratch.git("worktree", "add", "-q", "-b", "side", "../other")
    other = ScratchBank.__new__(ScratchBank)
    other.repository = scratch.repository.parent / "other"
    other.root = other.repository / ".claude" / "memory"
    other.active = other.root / "active"
    for key, text in NOTES.items():
        other.write(key, text + "edited there\n", days_old=90)
    assert run(other, "rotate", "--yes").code == 0
    return scratch, other


def test_what_a_removed_worktree_took_can_be_acknowledged_and_taken_back(removed, run):
    scratch, other = removed
    assert verified(run, scratch)[:2] == (0, set())
    scratch.git("worktree", "remove", "--force", str(other.repository))
    code, found, result = verified(run, scratch)
    assert code == 9 and found == {("object_missing", "error")}
    assert "is complete in backups/" in result.out and "verify --acknowledge" in result.out
    code, found, result = verified(run, scratch, "--acknowledge")
    assert code == 0 and found == {("object_elsewhere", "warning")} and "2 missing archived notes acknowledged" in result.err
    assert verified(run, scratch)[:2] == (0, {("object_elsewhere", "warning")}), "and it stays so"
    assert run(scratch, "doctor").code == 0
    assert "0 missing" in run(scratch, "verify", "--acknowledge").err, "twice is once"
    code, found, result = verified(run, scratch, "--unacknowledge")
    assert code == 9 and found == {("object_missing", "error")} and "2 acknowledgements taken back" in result.err


def test_an_acknowledgement_never_hides_a_lost_note(removed, run):
    scratch, other = removed
    scratch.git("worktree", "remove", "--force", str(other.repository))
    assert verified(run, scratch, "--acknowledge")[0] == 0
    shutil.rmtree(scratch.root / "backups")
    code, found, result = verified(run, scratch)
    assert code == 9 and found == {("object_missing", "error")} and "no longer exists" in result.out
    assert verified(run, scratch, "--acknowledge")[0] == 9, "what is lost cannot be acknowledged"


def test_a_commit_of_another_branch_holds_it(removed, run):
    scratch, other = removed
    other.git("add", "-A")
    other.git("commit", "-q", "-m", "rotation")
    scratch.git("worktree", "remove", "--force", str(other.repository))
    shutil.rmtree(scratch.root / "backups")
    code, _, result = verified(run, scratch)
    assert code == 9 and "is complete in commit " in result.out
    assert verified(run, scratch, "--acknowledge")[:2] == (0, {("object_elsewhere", "warning")})


@pytest.mark.parametrize("staged", [True, False])
@pytest.mark.parametrize("backed_up", [True, False])
def test_what_a_stash_took_can_be_acknowledged(bank, run, staged, backed_up):
    scratch = rotated(bank, run)
    assert run(scratch, "rotate", "--yes").code == 0
    if staged:
        scratch.git("add", "-A")
    scratch.git("stash", "push", "-q", *(() if staged else ("--include-untracked",)))
    if not backed_up:
        shutil.rmtree(scratch.root / "backups")
        shutil.rmtree(scratch.root / "active")  # the stash alone holds the notes
    code, found, result = verified(run, scratch)
    assert code == 9 and found == {("object_missing", "error")} and ("active/" in result.out if backed_up else "commit " in result.out)
    assert verified(run, scratch, "--acknowledge")[:2] == (0, {("object_elsewhere", "warning")})
    if not backed_up:
        scratch.git("checkout", "-q", "--", ".")
    scratch.git("stash", "pop", "-q")
    assert verified(run, scratch)[:2] == (0, set()), "what came back is no finding"


def test_damage_cannot_be_acknowledged(bank, run):
    scratch = rotated(bank, run)
    assert run(scratch, "rotate", "--yes").code == 0
    for path in (scratch.root / "archive/by_date").rglob("*.zst"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert verified(run, scratch, "--acknowledge")[:2] == (9, {("object_damaged", "error")})


def test_both_options_at_once_and_an_empty_bank(bank, run):
    scratch = bank()
    assert run(scratch, "verify", "--acknowledge", "--unacknowledge").code == 2
    for option in ("--acknowledge", "--unacknowledge"):
        result = run(scratch, "verify", option)
        assert result.code == 0 and "0 " in result.err
