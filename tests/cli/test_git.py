"""`memorybank git` and `merge-driver` on the command line: what they print, their exit codes, and that a preview changes nothing."""

import json
import subprocess

import pytest

from memorybank.merging.kinds import KINDS

pytestmark = pytest.mark.slow


@pytest.fixture
def scratch(bank):
    return bank({"planning/plan.md": "# 計画\n"}, git=True)


def parts(run, scratch, *arguments):
    result = run(scratch, "git", *arguments, "--json")
    return result.code, json.loads(result.out)["parts"]


def test_install_status_and_uninstall(run, scratch):
    code, before = parts(run, scratch, "status")
    assert code == 9 and {part["state"] for part in before} == {"missing"} and len(before) == 2 + len(KINDS) + 3
    preview = run(scratch, "git", "install", "--dry-run")
    assert preview.code == 0 and "would be installed" in preview.out and "nothing was changed" in preview.out
    assert parts(run, scratch, "status") == (9, before)
    done = run(scratch, "git", "install")
    assert done.code == 0 and "commit .claude/memory/.gitattributes" in done.out and "memorybank git uninstall" in done.out
    assert "nothing had to be changed" in run(scratch, "git", "install").out
    code, after = parts(run, scratch, "status")
    assert code == 0 and {part["state"] for part in after} == {"installed"}
    assert "would be removed" in run(scratch, "git", "uninstall", "--dry-run").out and parts(run, scratch, "status")[0] == 0
    assert run(scratch, "git", "uninstall").code == 0
    assert parts(run, scratch, "status")[1] == before
    assert "nothing of memorybank is installed" in run(scratch, "git", "uninstall").out


def test_status_says_what_is_missing_and_how_to_install_it(run, scratch):
    result = run(scratch, "git", "status")
    assert result.code == 9 and ".gitattributes" in result.out and "'memorybank git install' writes them" in result.err


def test_outside_a_repository_every_command_says_so(run, bank):
    scratch = bank()
    (scratch.repository / ".git").rmdir()
    for arguments in (["install"], ["uninstall"], ["status"], ["resolve"]):
        result = run(scratch, "--bank", str(scratch.root), "git", *arguments)
        assert result.code == 2 and "not in a git repository" in result.err and "git init" in result.err


def test_resolve_lists_what_it_did_and_what_is_left(run, scratch):
    git = scratch.git
    git("add", "-A")
    git("commit", "-qm", "begin")
    git("checkout", "-qb", "other")
    (scratch.root / "bookmarks.json").write_text('{"bookmarks": ["a.md"]}')
    scratch.write("planning/plan.md", "# 計画\n\ntheirs\n")
    git("add", "-A")
    git("commit", "-qm", "theirs")
    git("checkout", "-q", "main")
    (scratch.root / "bookmarks.json").write_text('{"bookmarks": ["b.md"]}')
    scratch.write("planning/plan.md", "# 計画\n\nours\n")
    git("add", "-A")
    git("commit", "-qm", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "-q", "other")
    preview = run(scratch, "git", "resolve", "--dry-run")
    assert preview.code == 9 and "would be resolved" in preview.out
    assert json.loads(run(scratch, "git", "resolve", "--dry-run", "--format", "json").out)["resolved"] is False
    result = run(scratch, "git", "resolve", "--format", "json")
    assert json.loads(result.out)["resolved"] is False and "git rm" in result.err, "a file is left"
    assert result.code == 9 and "1 file left for a person" in result.err
    assert {each["path"]: each["outcome"] for each in json.loads(result.out)["files"]} == {"active/planning/plan.md": "left", "bookmarks.json": "resolved"}
    assert "a.md" in (scratch.root / "bookmarks.json").read_text() and "b.md" in (scratch.root / "bookmarks.json").read_text()


def test_resolve_says_that_everything_is_resolved_only_then(run, scratch):
    assert json.loads(run(scratch, "git", "resolve", "--format", "json").out)["resolved"] is True


def test_merge_driver_merges_three_files_and_refuses_a_wrong_call(process, scratch, tmp_path):
    for name, text in (("o", "[]"), ("a", '["a.md"]'), ("b", '["b.md"]')):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in "oab"]
    assert process(scratch, "merge-driver", "bookmarks", *files, ".claude/memory/bookmarks.json").code == 0
    assert "b.md" in (tmp_path / "a").read_text()
    wrong = process(scratch, "merge-driver", "bookmarks")
    assert wrong.code == 2 and "expected KIND BASE OURS THEIRS PATH" in wrong.err
