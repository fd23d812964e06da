"""Where a bank lies, and what is no path inside it."""

import os
import shutil
import subprocess

import pytest

from memorybank.errors import NotFound, UsageError
from memorybank.storage.layout import Layout, describe, find_bank, safe_parts, siblings


def make(path):
    path.mkdir(parents=True)
    return path


def test_a_bank_is_found_from_any_folder_of_its_repository(tmp_path):
    root = make(tmp_path / "repo/.claude/memory")
    make(tmp_path / "repo/.git")
    deep = make(tmp_path / "repo/src/深い")
    assert find_bank(str(deep)).root == str(root)
    assert find_bank(str(deep)).repository == str(tmp_path / "repo")


def test_the_search_ends_at_the_repository_root(tmp_path):
    make(tmp_path / ".claude/memory")
    make(tmp_path / "repo/.git")
    with pytest.raises(NotFound):
        find_bank(str(tmp_path / "repo"))


def test_home_and_what_is_above_is_never_a_bank(tmp_path):
    make(tmp_path / "home/.claude/memory")
    inner = make(tmp_path / "home/project")
    for start in (inner, tmp_path / "home"):
        with pytest.raises(NotFound):
            find_bank(str(start), home=str(tmp_path / "home"))


def test_a_named_bank_comes_before_the_environment_before_the_folder(tmp_path):
    here, other, third = (make(tmp_path / name / ".claude/memory/active").parent for name in ("here", "other", "third"))
    start = str(tmp_path / "here")
    assert find_bank(start).root == str(here)
    assert find_bank(start, environment=str(other)).root == str(other)
    assert find_bank(start, explicit="../third/.claude/memory", environment=str(other)).root == str(third)
    with pytest.raises(NotFound, match="MEMORYBANK_DIR"):
        find_bank(start, environment=str(tmp_path / "nowhere"))


def test_a_named_folder_that_is_no_bank_is_refused(tmp_path):
    """`--bank PROJECT` must not fill PROJECT with a cache and logs; the bank inside it is named."""
    make(tmp_path / "project/.claude/memory/archive")
    make(tmp_path / "elsewhere")
    with pytest.raises(NotFound, match="is not a bank") as refused:
        find_bank(str(tmp_path), explicit="project")
    assert "project/.claude/memory" in refused.value.next_step
    with pytest.raises(NotFound, match="MEMORYBANK_DIR"):
        find_bank(str(tmp_path), environment=str(tmp_path / "elsewhere"))
    assert find_bank(str(tmp_path), explicit="project/.claude/memory").root == str(tmp_path / "project/.claude/memory")


def test_linked_worktrees_share_log_and_backups_and_nothing_else(tmp_path):
    main = make(tmp_path / "main")

    def git(*arguments, cwd=main):
        subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    make(main / ".claude/memory/active")
    (main / ".claude/memory/active/a.md").write_text("a\n")
    git("add", ".")
    git("commit", "-q", "-m", "a")
    git("worktree", "add", "-q", str(tmp_path / "linked"))
    layout = find_bank(str(tmp_path / "linked"))
    own, shared = str(tmp_path / "linked/.claude/memory"), str(main / ".claude/memory")
    assert (layout.root, layout.local_root) == (own, shared)
    assert (layout.log, layout.backups) == (f"{shared}/log", f"{shared}/backups")
    assert all(folder.startswith(own) for folder in (layout.active, layout.cache, layout.indexes, layout.metadata, layout.archive))
    assert [sibling.root for sibling in siblings(layout)] == [own, shared]
    assert [sibling.root for sibling in siblings(describe(shared))] == [shared, own]
    shutil.rmtree(tmp_path / "linked")
    assert [sibling.root for sibling in siblings(describe(shared))] == [shared]


def test_a_bank_outside_git_has_no_siblings(tmp_path):
    layout = Layout(str(tmp_path))
    assert siblings(layout) == [layout]


@pytest.mark.parametrize("key", ["", "/etc/passwd", "../x.md", "a/../../x.md", "a//b.md", "./a.md", "a/.", "a\0b.md"])
def test_no_path_leads_out_of_the_bank(key):
    with pytest.raises(UsageError):
        safe_parts(key)
    with pytest.raises(UsageError):
        Layout("/bank").note_path(key)


def test_paths_are_shown_relative_to_the_repository_or_the_home(tmp_path, monkeypatch):
    make(tmp_path / "repo/.git")
    layout = describe(str(make(tmp_path / "repo/.claude/memory")))
    assert layout.relative(os.path.join(layout.active, "a.md")) == ".claude/memory/active/a.md"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert layout.relative(str(tmp_path / "elsewhere/x")) == "~/elsewhere/x"
    assert layout.relative("/etc/hosts") == "/etc/hosts"
