"""`check --staged` in real commits of git: what is judged is what the commit would contain, whatever the working tree has."""

import pytest

from .conftest import TOKEN, CheckedProject

SECRET = f"# Key\n\n{TOKEN}\n"
CLEAN = "# Key\n\nThe key is in the vault.\n"


def committed(project: CheckedProject) -> bool:
    return bool(project.git("log", "--oneline", "--all").strip())


@pytest.mark.slow
@pytest.mark.parametrize("path", ["active/shared/key.md", "active/共有/鍵の 置き場.md", "active/shared/two\nlines.md", 'active/shared/a"b\\c\td.md'])
def test_a_secret_is_stopped_in_the_first_commit(project: CheckedProject, path: str) -> None:
    project.install_hook()
    project.stage(path, SECRET)
    printed = project.git("commit", "-qm", "notes", code=1)
    assert ":3: secret: looks like a secret (github)" in printed and TOKEN not in printed
    project.stage(path, CLEAN)
    project.git("commit", "-qm", "notes")


def test_a_broken_note_is_stopped(project: CheckedProject) -> None:
    project.install_hook()
    project.stage("active/shared/a.md", "---\ntitle: [x\n---\n# A\n")
    assert "a.md:3: front_matter_invalid:" in project.git("commit", "-qm", "notes", code=1)


def test_the_staged_content_counts(project: CheckedProject) -> None:
    """A note that was edited after it was staged is judged as it was staged, in both directions."""
    project.stage("active/shared/a.md", SECRET)
    project.write("active/shared/a.md", CLEAN)
    project.stage("active/shared/b.md", CLEAN)
    project.write("active/shared/b.md", SECRET)
    assert project.found() == ["active/shared/a.md:3 secret"]
    assert project.found(staged=False) == ["active/shared/b.md:3 secret"]


def test_the_index_of_a_running_commit_counts(project: CheckedProject) -> None:
    """`git commit -a` and `git commit PATH` make the commit from another index than the repository's."""
    project.stage("active/shared/a.md", CLEAN)
    project.git("commit", "-qm", "notes")
    project.install_hook()
    project.write("active/shared/a.md", SECRET)
    assert "a.md:3: secret" in project.git("commit", "-qam", "all", code=1)
    assert "a.md:3: secret" in project.git("commit", "-qm", "one", "--", ".claude/memory/active/shared/a.md", code=1)
    project.stage("active/shared/a.md", SECRET)
    project.write("active/shared/b.md", CLEAN)
    project.git("add", "-N", ".claude/memory/active/shared/b.md")
    project.git("commit", "-qm", "only b", "--", ".claude/memory/active/shared/b.md")


def test_an_index_of_another_repository_is_ignored(project: CheckedProject, tmp_path, monkeypatch) -> None:
    project.stage("active/shared/a.md", SECRET)
    other = tmp_path / "other"
    other.mkdir()
    CheckedProject(other).git("init", "-q")
    monkeypatch.chdir(other)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert project.found() == ["active/shared/a.md:3 secret"]


def test_in_a_linked_worktree(project: CheckedProject, tmp_path) -> None:
    project.git("add", "-A")
    project.git("commit", "-qm", "bank")
    project.install_hook()
    project.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = CheckedProject(tmp_path / "linked")
    linked.stage("active/shared/a.md", SECRET)
    assert project.found() == []
    assert "a.md:3: secret" in linked.git("commit", "-qm", "notes", code=1)
    linked.write("active/shared/a.md", CLEAN)
    linked.git("commit", "-qam", "notes")


def test_during_a_merge(project: CheckedProject) -> None:
    """A conflict that nobody resolved, then one that was staged with its markers, then the right text."""
    project.git("config", "merge.conflictStyle", "diff3")
    project.stage("active/shared/a.md", "# A\n")
    project.git("commit", "-qm", "base")
    project.git("checkout", "-qb", "side")
    project.stage("active/shared/a.md", "# A of the side\n")
    project.stage("active/shared/theirs.md", SECRET)
    project.git("commit", "-qm", "side")
    project.git("checkout", "-q", "main")
    project.stage("active/shared/a.md", "# A of main\n")
    project.git("commit", "-qm", "main")
    project.git("merge", "-q", "side", code=1)
    assert project.found() == ["active/shared/a.md unmerged", "active/shared/theirs.md:3 secret"]
    project.git("add", "-A")
    assert project.found() == ["active/shared/a.md:1 git_conflict", "active/shared/theirs.md:3 secret"]
    project.install_hook()
    project.stage("active/shared/a.md", "# A\n")
    project.stage("active/shared/theirs.md", CLEAN)
    project.git("commit", "-qm", "merged")


def test_a_removal_breaks_the_links_of_others(project: CheckedProject) -> None:
    project.stage("active/shared/設計 図.md", "# 設計\n")
    project.stage("active/shared/b.md", "# B\n\n- [図](<設計 図.md>)\n- [図](%E8%A8%AD%E8%A8%88%20%E5%9B%B3.md)\n- [[設計 図]]\n\n設計 図 in plain words\n")
    project.stage("active/shared/c.md", "[x](broken-before.md)\n")
    project.git("commit", "-qm", "notes")
    project.git("rm", "-q", str(project.bank / "active/shared/設計 図.md"))
    assert project.found() == [f"active/shared/b.md:{line} broken_link" for line in (3, 4, 5)]
    project.git("mv", str(project.bank / "active/shared/b.md"), str(project.bank / "active/shared/c2.md"))
    project.stage("active/shared/c2.md", "# B\n")
    assert project.found() == []


def test_a_link_to_a_note_that_is_not_staged(project: CheckedProject) -> None:
    project.write("active/shared/b.md", "# B\n")
    project.stage("active/shared/a.md", "[b](b.md)\n")
    (found,) = project.check().findings
    assert found.message == "links to shared/b.md, which does not exist in the commit, because git does not have the file yet"
    project.git("add", "-A")
    assert project.found() == []


def test_only_what_is_staged_is_read(project: CheckedProject, monkeypatch) -> None:
    """The contents of the other notes are not asked for, however many there are."""
    from memorybank import git

    for number in range(300):
        project.write(f"active/shared/n{number}.md", f"# N{number}\n\n[next](n{(number + 1) % 300}.md)\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "notes")
    project.stage("active/shared/n7.md", "# Seven\n\n[8](n8.md)\n")
    asked: list[tuple[tuple[str, ...], bytes]] = []
    run = git.run

    def counted(repository, *arguments, **options):
        asked.append((arguments, options.get("data", b"")))
        return run(repository, *arguments, **options)

    monkeypatch.setattr(git, "run", counted)
    assert project.found() == []
    assert sum(given.count(b"\n") for arguments, given in asked if arguments[1].startswith("--batch=")) == 1
    assert not any(arguments[0] == "grep" for arguments, _ in asked)


def test_paths_choose_files_as_they_are_in_the_index(project: CheckedProject) -> None:
    project.stage("active/shared/a.md", SECRET)
    project.git("commit", "-qm", "a secret is in HEAD")
    project.stage("active/shared/b.md", SECRET)
    assert project.found() == ["active/shared/b.md:3 secret"]
    assert project.found("shared/a.md") == ["active/shared/a.md:3 secret"]
    assert project.found(".claude/memory/active") == ["active/shared/a.md:3 secret", "active/shared/b.md:3 secret"]


def test_git_that_fails_is_an_error_and_not_a_clean_check(project: CheckedProject) -> None:
    from memorybank.errors import MemorybankError

    project.stage("active/shared/a.md", CLEAN)
    (project.root / ".git" / "index").write_bytes(b"torn")
    with pytest.raises(MemorybankError, match="git ls-files failed"):
        project.check()


def test_conflict_marks_in_a_code_block_are_an_example_unless_git_is_merging(project):
    block = "# Conflicts\n\n```text\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n```\n"
    project.stage("active/shared/example.md", block)
    assert project.found() == []
    project.stage("active/shared/build.md", "# Build\n\n```sh\nmake one\n```\n")
    project.git("commit", "-q", "-m", "base")
    project.git("checkout", "-q", "-b", "side")
    project.stage("active/shared/build.md", "# Build\n\n```sh\nmake two\n```\n")
    project.git("commit", "-q", "-m", "side")
    project.git("checkout", "-q", "-")
    project.stage("active/shared/build.md", "# Build\n\n```sh\nmake three\n```\n")
    project.git("commit", "-q", "-m", "main")
    project.git("merge", "-q", "side", code=1)
    project.git("add", "-A")
    assert project.found() == ["active/shared/build.md:4 git_conflict"]
