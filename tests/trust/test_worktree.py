"""What others committed waits, however it gets into the working tree: without a commit, or in a commit that was made here."""

import os

import pytest

from memorybank.clock import FixedClock
from memorybank.storage.layout import describe
from memorybank.trust import gate

from .machines import CHANGED, JAPANESE, NEW, NOTE, NOW, QUAIL, Machine, admitted, commit, indexed, opened, publish_branch, waiting, write

PLOVER = QUAIL.replace("quail", "plover").replace("Quail", "Plover")
OLD = "active/shared/staging.md"
BANK = ".claude/memory/"


WAYS = {
    "restore": [("restore", "--source", "origin/attack", "--", BANK)],
    "checkout of paths": [("checkout", "-q", "origin/attack", "--", BANK)],
    "merge that is not committed": [("merge", "-q", "--no-commit", "--no-ff", "origin/attack")],
    "squash": [("merge", "-q", "--squash", "origin/attack")],
    "cherry-pick that is not committed": [("cherry-pick", "-n", "origin/attack")],
    "stash": [("checkout", "-q", "origin/attack", "--", BANK), ("stash", "-q"), ("stash", "pop", "-q")],
    "stash of a squash": [("merge", "-q", "--squash", "origin/attack"), ("stash", "-q"), ("stash", "apply", "-q")],
}


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("when", ["before a commit", "after a commit"])
def test_what_others_committed_waits_without_a_commit_of_theirs(mine, clone, how, when):
    for command in WAYS[how]:
        mine.git(clone, *command)
    assert "quail" in (clone / BANK / "summary.md").read_text()
    if when == "after a commit":
        commit(mine, clone, "brought here")
    assert admitted(clone, NEW, CHANGED, OLD) == [False, False, True]
    assert waiting(clone) == [NEW, CHANGED]
    if when == "before a commit":  # which then changes nothing
        commit(mine, clone, "made here")
        assert admitted(clone, NEW, CHANGED, OLD) == [False, False, True]
        assert waiting(clone) == [NEW, CHANGED]
    survey = opened(clone).trust.survey()
    diffs = {one.path: one.diff for one in survey.speaks}
    assert "+# Quail" in diffs[NEW] and "-The summary: deploys go through heron." in diffs[CHANGED]
    assert opened(clone).trust.accept().state == "trusted"
    assert admitted(clone, NEW, CHANGED, OLD) == [True, True, True]


@pytest.mark.slow
def test_a_session_is_shown_nothing_of_it(mine, clone):
    """The same with the real hook: the summary, notes at a prompt and at a call."""
    mine.git(clone, "restore", "--source", "origin/attack", "--", BANK)
    indexed(mine, clone)
    text = mine.shown(clone, "brought")
    assert "quail" not in text and "wombat" in text
    shown = mine.memorybank(clone, "trust", "--show")
    assert "2 files that others changed wait for you" in shown.stdout
    assert "2 files of this bank came from others and wait" in mine.memorybank(clone, "doctor").stdout
    assert mine.memorybank(clone, "trust", "--yes").returncode == 0
    accepted = mine.shown(clone, "accepted")
    assert "quail and more" in accepted and "quail job" in accepted


def test_what_is_accepted_before_a_commit_stays_accepted(mine, clone):
    mine.git(clone, "restore", "--source", "origin/attack", "--", BANK)
    assert opened(clone).trust.accept().state == "trusted"
    assert admitted(clone, NEW, CHANGED) == [True, True]
    commit(mine, clone, "made here")
    assert admitted(clone, NEW, CHANGED) == [True, True] and waiting(clone) == []


def test_accepting_a_bank_includes_what_is_in_its_working_tree(mine, clone):
    """Nobody accepted the bank yet, so everything was shown; afterwards nothing of it waits."""
    opened(clone).trust.revoke()
    mine.git(clone, "restore", "--source", "origin/attack", "--", BANK)
    assert opened(clone).trust.accept().state == "trusted"
    assert admitted(clone, NEW, CHANGED) == [True, True]


def test_other_branches_alone_hold_nothing(mine, clone):
    assert admitted(clone, OLD, CHANGED) == [True, True] and waiting(clone) == []


def test_a_copy_of_what_waits_waits_too(mine, clone):
    """Another name and a move do not release it, nor does a commit."""
    mine.git(clone, "merge", "-q", "--no-edit", "origin/attack")
    assert waiting(clone) == [NEW, CHANGED]
    (clone / BANK / NEW).rename(clone / BANK / "active/shared/renamed.md")
    assert admitted(clone, "active/shared/renamed.md") == [False]
    commit(mine, clone, "renamed")
    assert admitted(clone, "active/shared/renamed.md") == [False]


def test_an_older_state_of_ones_own_may_come_back(mine, clone):
    write(clone, **{OLD: NOTE.replace("Monday", "Friday")})
    commit(mine, clone, "Friday")
    assert admitted(clone, OLD) == [True]
    mine.git(clone, "checkout", "-q", "HEAD~1", "--", BANK + OLD)
    assert admitted(clone, OLD) == [True] and waiting(clone) == []


def test_ones_own_work_comes_from_a_stash_and_from_other_branches(mine, clone):
    """Uncommitted work that was stashed here; a commit of another branch of this machine; a squash of it; a rebase of it."""
    own, 検証 = "active/shared/plover.md", "active/shared/検証.md"
    write(clone, **{own: PLOVER, 検証: JAPANESE + "\nplover\n"})
    mine.git(clone, "stash", "-q", "-u")
    mine.git(clone, "stash", "apply", "-q")
    assert admitted(clone, own, 検証) == [True, True] and waiting(clone) == []
    mine.git(clone, "checkout", "-q", "-b", "feature")
    commit(mine, clone, "on a branch")
    mine.git(clone, "checkout", "-q", "main")
    mine.git(clone, "restore", "--source", "feature", "--", BANK)
    assert admitted(clone, own, 検証) == [True, True] and waiting(clone) == []
    mine.git(clone, "checkout", "-q", "--", BANK)
    mine.git(clone, "clean", "-q", "-f", "--", BANK + "active")
    mine.git(clone, "merge", "-q", "--squash", "feature")
    commit(mine, clone, "squashed")
    assert admitted(clone, own, 検証) == [True, True] and waiting(clone) == []
    mine.git(clone, "checkout", "-q", "-b", "other", "HEAD~1")
    mine.git(clone, "commit", "-q", "--allow-empty", "-m", "base")
    mine.git(clone, "rebase", "-q", "other", "main")
    assert admitted(clone, own, 検証) == [True, True] and waiting(clone) == []


def test_a_commit_of_another_worktree_of_this_machine_is_ones_own(mine, clone):
    mine.git(clone, "worktree", "add", "-q", "../linked", "-b", "linked")
    write(mine.home / "linked", **{"active/shared/plover.md": PLOVER})
    commit(mine, mine.home / "linked", "in the other worktree")
    mine.git(clone, "merge", "-q", "linked")
    assert admitted(clone, "active/shared/plover.md") == [True] and waiting(clone) == []


def test_what_others_copied_from_here_is_ones_own(mine, clone, stranger, tmp_path):
    """Somebody squashes a pushed branch on the server: the same content comes back in a commit of somebody else."""
    write(clone, **{"active/shared/plover.md": PLOVER})
    commit(mine, clone, "mine")
    assert admitted(clone, "active/shared/plover.md") == [True]
    write(stranger, **{"active/shared/plover.md": PLOVER})
    commit(Machine(tmp_path / "server"), stranger, "squashed on the server")
    mine.git(clone, "fetch", "-q")
    assert admitted(clone, "active/shared/plover.md") == [True] and waiting(clone) == []


def test_a_fetch_without_a_branch_counts(mine, clone, stranger, tmp_path):
    """`git fetch URL` leaves a commit that no branch contains."""
    publish_branch(Machine(tmp_path / "third"), stranger, "hidden", **{"active/shared/ibis.md": QUAIL + "ibis\n"})
    mine.git(clone, "fetch", "-q", str(stranger), "hidden")
    mine.git(clone, "checkout", "-q", "FETCH_HEAD", "--", BANK + "active/shared/ibis.md")
    assert admitted(clone, "active/shared/ibis.md") == [False]


def test_a_name_with_a_line_break_hides_no_content(mine, clone, stranger, tmp_path):
    """Git's list of changes is read field by field: a path cannot pretend to be a commit that was made here."""
    mine.git(clone, "commit", "-q", "--allow-empty", "-m", "own")
    own = mine.git(clone, "rev-parse", "HEAD").strip()
    tricky = f"active/a\n\x01{own}\n:100644 100644 {'a' * 40} {'b' * 40} M"
    publish_branch(Machine(tmp_path / "third"), stranger, "tricky", **{f"{tricky}/x.md": "# X\n", "active/shared/ibis.md": QUAIL + "ibis\n"})
    mine.git(clone, "fetch", "-q")
    mine.git(clone, "restore", "--source", "origin/tricky", "--", BANK + "active/shared/ibis.md")
    assert admitted(clone, "active/shared/ibis.md") == [False]
    found = gate.gate_of(describe(str(clone / ".claude/memory")), os.environ, FixedClock(NOW))
    assert "b" * 40 not in found.others.marks


def test_line_ends_of_this_machine_change_nothing(mine, clone):
    mine.git(clone, "restore", "--source", "origin/attack", "--", BANK)
    path = clone / BANK / NEW
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert admitted(clone, NEW) == [False]


def test_a_patch_cannot_be_told_from_an_edit(mine, clone):
    """Git keeps no record of where a patch came from, so its content is this person's own: docs/security.md says so."""
    patch = mine.home / "attack.patch"
    patch.write_text(mine.git(clone, "diff", "main", "origin/attack").replace("quail job", "quail task"))
    mine.git(clone, "apply", str(patch))
    assert admitted(clone, NEW) == [True]


def test_what_is_followed_does_not_wait(mine, clone):
    opened(clone).trust.accept(follow=True)
    mine.git(clone, "restore", "--source", "origin/attack", "--", BANK)
    assert admitted(clone, NEW, CHANGED) == [True, True] and waiting(clone) == []


def test_git_is_asked_again_only_after_a_fetch_or_a_commit(mine, clone, monkeypatch):
    asked = []
    from memorybank import git

    run = git.run
    monkeypatch.setattr(git, "run", lambda *given, **more: (asked.append(given[1]), run(*given, **more))[1])
    admitted(clone, OLD)
    asked.clear()
    for _ in range(3):
        admitted(clone, OLD, CHANGED)
    assert asked == []
    mine.git(clone, "fetch", "-q")
    admitted(clone, OLD)
    assert asked


def test_a_git_that_is_too_slow_holds_nothing_more(mine, clone, monkeypatch):
    """What a pull brought is withheld in any case; only the contents of other branches are not known then."""
    from memorybank import git

    run = git.run
    monkeypatch.setattr(git, "run", lambda *given, **more: None if "--all" in given else run(*given, **more))
    mine.git(clone, "commit", "-q", "--allow-empty", "-m", "own")
    assert admitted(clone, OLD, CHANGED) == [True, True]
