"""Read-only questions to git: HEAD and branch by plain file reads, dates by two commands that change nothing."""

import os
import subprocess
from pathlib import Path

import pytest

from memorybank import git
from memorybank.errors import LockTimeout
from memorybank.notes import git_dates
from memorybank.notes.git_dates import GitDates
from memorybank.storage import program

FIRST, SECOND, THIRD = 1_600_000_000_000, 1_650_000_000_000, 1_700_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> "Repository":
    return Repository(tmp_path / "repository")


class Repository:
    """A scratch repository whose commits have the author dates a test gives."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self.run("init", "-q", "-b", "main")

    def run(self, *arguments: str, **environment: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.path, check=True, capture_output=True, text=True, env={**os.environ, **environment})
        return done.stdout.strip()

    def commit(self, at: int, **files: str | None) -> str:
        """Commit `files` ({path with __ for / and no .md: text, or None to delete}) with the author date `at` (ms)."""
        for name, text in files.items():
            path = self.path / (name.replace("__", "/") + ".md")
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        self.run("add", "-A")
        self.run("commit", "-q", "--allow-empty", "-m", "x", GIT_AUTHOR_DATE=f"{at // 1000} +0900", GIT_COMMITTER_DATE=f"{THIRD // 1000} +0000")
        return self.run("rev-parse", "HEAD")

    def blob(self, path: str) -> str:
        return self.run("rev-parse", f"HEAD:{path}")


def dates(repository: Repository, folder: str = "active") -> git_dates.History:
    history = git_dates.history(str(repository.path), folder)
    assert history is not None
    return history


def test_dates_of_notes(repository: Repository) -> None:
    repository.commit(FIRST, active__a="1", active__sub__設計="1", outside="1")
    repository.commit(THIRD, active__a="2", outside="2")
    repository.commit(SECOND, active__a="3")
    assert dates(repository) == {
        "a.md": GitDates(FIRST, THIRD, 3, repository.blob("active/a.md")),
        "sub/設計.md": GitDates(FIRST, FIRST, 1, repository.blob("active/sub/設計.md")),
    }
    assert set(dates(repository, ".")) == {"active/a.md", "active/sub/設計.md", "outside.md"}
    assert git_dates.history(str(repository.path), str(repository.path / "active")) == dates(repository)


def test_what_head_does_not_hold_is_left_out(repository: Repository) -> None:
    repository.commit(FIRST, active__gone="1", active__kept="1")
    repository.commit(SECOND, active__gone=None)
    (repository.path / "active" / "untracked.md").write_text("x")
    assert set(dates(repository)) == {"kept.md"}


def test_a_note_that_came_back_has_its_whole_history(repository: Repository) -> None:
    repository.commit(FIRST, active__a="1", active__b="1")
    repository.commit(SECOND, active__a=None)
    repository.commit(THIRD, active__a="2")
    assert dates(repository)["a.md"] == GitDates(FIRST, THIRD, 3, repository.blob("active/a.md"))


def test_a_moved_note_keeps_its_dates(repository: Repository) -> None:
    repository.commit(FIRST, active__a="same text\n" * 20, active__old__設計="1")
    repository.commit(SECOND, active__a="other text\n" * 20)
    repository.run("mv", "active/a.md", "active/b.md")
    (repository.path / "active" / "new").mkdir()
    repository.run("mv", "active/old/設計.md", "active/new/設計.md")
    repository.commit(THIRD)
    assert dates(repository) == {
        "b.md": GitDates(FIRST, SECOND, 2, repository.blob("active/b.md")),
        "new/設計.md": GitDates(FIRST, FIRST, 1, repository.blob("active/new/設計.md")),
    }


def test_moved_notes_with_the_same_text_keep_their_own_dates(repository: Repository) -> None:
    repository.commit(FIRST, active__one__a="same\n")
    repository.commit(SECOND, active__one__b="same\n")
    repository.commit(THIRD, active__one__a=None, active__one__b=None, active__two__a="same\n", active__two__b="same\n", active__two__c="same\n")
    found = dates(repository)
    assert (found["two/a.md"].modified, found["two/b.md"].modified, found["two/c.md"].modified) == (FIRST, SECOND, THIRD)


def test_a_note_that_is_moved_and_edited_in_one_commit_is_new(repository: Repository) -> None:
    repository.commit(FIRST, active__old="same text\n" * 20)
    repository.commit(SECOND, active__old=None, active__new="same text\n" * 20 + "and more\n")
    assert dates(repository) == {"new.md": GitDates(SECOND, SECOND, 1, repository.blob("active/new.md"))}


def renamed_folder(repository: Repository, *, edited: bool) -> None:
    """One side renames a folder, the other adds a note to it: git moves the note, in no commit but the merge."""
    repository.commit(FIRST, active__shared__設計="one\n", active__shared__b="two\n", active__shared__c="three\n")
    repository.run("checkout", "-q", "-b", "side")
    repository.commit(SECOND, active__shared__new="new 記録\n" * 9)
    repository.run("checkout", "-q", "main")
    repository.run("mv", "active/shared", "active/planning")
    repository.commit(THIRD)
    repository.run("-c", "merge.directoryRenames=true", "merge", "-q", "--no-commit", "side")
    if edited:
        (repository.path / "active/planning/new.md").write_text("new 記録\n" * 9 + "and more\n")
    repository.commit(THIRD)


def test_a_note_that_a_merge_moved_after_a_renamed_folder_keeps_its_dates(repository: Repository) -> None:
    renamed_folder(repository, edited=False)
    found = dates(repository)
    assert found["planning/new.md"] == GitDates(SECOND, SECOND, 1, repository.blob("active/planning/new.md"))
    assert found["planning/設計.md"].modified == FIRST
    repository.commit(THIRD, active__planning__new="new 記録\n" * 9 + "edited\n")
    assert dates(repository)["planning/new.md"] == GitDates(SECOND, THIRD, 2, repository.blob("active/planning/new.md"))


def test_a_note_that_was_edited_in_the_merge_that_moved_it_has_the_date_of_the_merge(repository: Repository) -> None:
    renamed_folder(repository, edited=True)
    assert dates(repository)["planning/new.md"] == GitDates(THIRD, THIRD, 1, repository.blob("active/planning/new.md"))


def test_merged_branches_count(repository: Repository) -> None:
    repository.commit(FIRST, active__a="1")
    repository.run("checkout", "-q", "-b", "side")
    repository.commit(SECOND, active__a="2")
    repository.run("checkout", "-q", "main")
    repository.commit(THIRD, active__b="1")
    repository.run("merge", "-q", "--no-ff", "-m", "merge", "side")
    found = dates(repository)["a.md"]
    assert (found.created, found.modified, found.commits) == (FIRST, SECOND, 2)


def test_unusual_names(repository: Repository) -> None:
    folder = repository.path / "active"
    folder.mkdir()
    names = ["a b.md", "tab\there.md", "new\nline.md", "\x01abc.md", ":100644 x.md", "quote\"'.md", "-dash.md", "設計.md", "*.md"]
    for name in names:
        (folder / name).write_text(name)
    Path(os.fsdecode(bytes(folder) + b"/caf\xe9.md")).write_text("x")
    repository.run("add", "-A")
    repository.run("commit", "-q", "-m", "x", GIT_AUTHOR_DATE=f"{FIRST // 1000} +0000")
    found = dates(repository)
    assert set(found) == set(names)
    assert {(entry.created, entry.modified, entry.commits) for entry in found.values()} == {(FIRST, FIRST, 1)}


def test_a_folder_with_signs_of_a_pattern_is_taken_literally(repository: Repository) -> None:
    repository.commit(FIRST, **{"a[b]*__x": "1", "ab__y": "1"})
    assert set(dates(repository, "a[b]*")) == {"x.md"}


def test_symlinks_and_submodules_are_no_notes(repository: Repository) -> None:
    (repository.path / "active").mkdir()
    os.symlink("nowhere", repository.path / "active" / "link.md")
    repository.commit(FIRST, active__a="1")
    assert set(dates(repository)) == {"a.md"}


def test_a_shallow_clone_does_not_date_what_its_border_hides(repository: Repository, tmp_path: Path) -> None:
    repository.commit(FIRST, active__old="1", active__both="1")
    repository.commit(SECOND, active__border="1")
    repository.commit(THIRD, active__both="2", active__new="1")
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{repository.path}", str(tmp_path / "clone")], check=True, capture_output=True)
    found = git_dates.history(str(tmp_path / "clone"), "active")
    assert found == {
        "old.md": GitDates(None, None, 0, repository.blob("active/old.md"), THIRD),
        "border.md": GitDates(None, None, 0, repository.blob("active/border.md"), THIRD),
        "both.md": GitDates(None, THIRD, 2, repository.blob("active/both.md")),
        "new.md": GitDates(THIRD, THIRD, 1, repository.blob("active/new.md")),
    }


def test_no_history_is_none_and_no_notes_is_empty(repository: Repository, tmp_path: Path) -> None:
    assert git_dates.history(str(repository.path), "active") is None
    repository.commit(FIRST, outside="1")
    assert dates(repository) == {}
    (tmp_path / "plain").mkdir()
    assert git_dates.history(str(tmp_path / "plain"), "active") is None
    assert git_dates.history(str(repository.path), "..") is None
    assert git_dates.history(str(repository.path), str(tmp_path)) is None
    assert git_dates.history(str(tmp_path / "missing"), "active") is None


@pytest.mark.parametrize("failure", [FileNotFoundError("git"), PermissionError("git"), TimeoutError()])
def test_a_git_that_is_missing_or_slow_is_none(repository: Repository, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    repository.commit(FIRST, active__a="1")

    def fail(command: object, environment: object, seconds: float) -> object:
        assert seconds == git.TIMEOUT_SECONDS
        raise failure

    monkeypatch.setattr(program, "answer", fail)
    assert git_dates.history(str(repository.path), "active") is None


@pytest.mark.parametrize("data", [b"", b"HEAD\n"])
def test_a_real_git_that_is_missing_or_slow_is_none(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """With and without input. A caller that gave a time limit gets the error instead."""
    repository.commit(FIRST, active__a="1")
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    assert git.run(str(repository.path), "cat-file", "--batch-check", data=data) is None
    slow = programs / "git"
    slow.write_text("#!/bin/sh\nexec /bin/sleep 600\n")
    slow.chmod(0o755)
    monkeypatch.setattr(git, "TIMEOUT_SECONDS", 0.05)
    assert git.run(str(repository.path), "cat-file", "--batch-check", data=data) is None
    with pytest.raises(LockTimeout):
        git.run(str(repository.path), "cat-file", "--batch-check", data=data, seconds=0.05)


def test_variables_of_a_surrounding_git_hook_do_not_lead_elsewhere(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(FIRST, active__a="1")
    other = Repository(tmp_path / "other")
    other.commit(SECOND, active__b="1")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    found = git_dates.history(str(repository.path), "active")
    assert found is not None and set(found) == {"a.md"}


def test_nothing_that_a_repository_names_is_run_and_nothing_is_written(repository: Repository, tmp_path: Path) -> None:
    repository.commit(FIRST, active__a="1")
    repository.commit(SECOND, active__a="2")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran-$(basename $0)\ncat\n")
    program.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "pager.log", "diff.external", "diff.evil.textconv", "diff.evil.command", "gpg.program", "core.sshCommand"):
        repository.run("config", name, str(program))
    for name in ("log.showSignature", "core.untrackedCache", "log.follow"):
        repository.run("config", name, "true")
    repository.run("config", "log.diffMerges", "remerge")
    repository.run("config", "core.hooksPath", str(tmp_path))
    (repository.path / ".git" / "info" / "attributes").write_text("*.md diff=evil\n")
    before = _snapshot(repository.path)
    found = dates(repository)["a.md"]
    assert (found.created, found.modified, found.commits) == (FIRST, SECOND, 2)
    assert not list(tmp_path.glob("ran-*"))
    assert _snapshot(repository.path) == before


def _snapshot(path: Path) -> dict[str, tuple[int, int]]:
    return {str(file): (file.lstat().st_mtime_ns, file.lstat().st_size) for file in path.rglob("*")}


def test_head_and_branch_follow_every_kind_of_reference(repository: Repository, tmp_path: Path) -> None:
    path = str(repository.path)
    assert (git.head(path), git.branch(path)) == (None, "main")
    first = repository.commit(FIRST, a="1")
    assert (git.head(path), git.branch(path)) == (first, "main")
    repository.run("checkout", "-q", "-b", "feature/深い")
    second = repository.commit(SECOND, a="2")
    assert (git.head(path), git.branch(path)) == (second, "feature/深い")
    repository.run("pack-refs", "--all", "--prune")
    assert (git.head(path), git.branch(path)) == (second, "feature/深い")
    repository.run("checkout", "-q", "--detach", first)
    assert (git.head(path), git.branch(path)) == (first, None)
    repository.run("checkout", "-q", "main")
    repository.run("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    assert (git.head(str(tmp_path / "linked")), git.branch(str(tmp_path / "linked"))) == (first, "other")


def test_head_outside_git_is_none(tmp_path: Path) -> None:
    assert (git.head(str(tmp_path)), git.branch(str(tmp_path))) == (None, None)
    assert (git.head(str(tmp_path / "missing")), git.branch(str(tmp_path / "missing"))) == (None, None)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"ref:",
        b"ref: refs/heads/../../../etc/passwd",
        b"ref: HEAD",
        b"ref: refs/heads/loop",
        b"\xff\xfe",
        b"a" * 39,
        b"g" * 40,
        b"ref: refs//x",
        b"ref: /etc/passwd",
    ],
)
def test_a_strange_head_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git" / "refs" / "heads").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_bytes(content)
    (tmp_path / ".git" / "refs" / "heads" / "loop").write_text("ref: refs/heads/loop")
    (tmp_path / ".git" / "packed-refs").write_bytes(b"# pack-refs\n\xff garbage\n")
    assert git.head(str(tmp_path)) is None


def test_a_long_object_id_is_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("a" * 64 + "\n")
    assert git.head(str(tmp_path)) == "a" * 64


def test_head_is_what_git_says_through_a_symbolic_branch(repository: Repository) -> None:
    repository.commit(FIRST, a="1")
    repository.run("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repository.run("symbolic-ref", "HEAD", "refs/heads/alias")
    assert git.head(str(repository.path)) == repository.run("rev-parse", "HEAD")
