"""What is installed in a repository, that nothing else in these files changes, and that it can be removed to the last byte."""

import os
import subprocess
from hashlib import sha256

import pytest

from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.errors import Conflict, MemorybankError, UsageError, ValidationFailed
from memorybank.index.fold import fold
from memorybank.index.working import open_index
from memorybank.merging import install, kinds
from memorybank.merging.install import GitInstallation, GitProgram
from memorybank.storage.layout import Layout, describe
from tests.conftest import NOW

from .conftest import BANK, ROOT, TeamClone, learned

pytestmark = pytest.mark.slow
CLOCK = FixedClock(NOW)
HOOK = "#!/bin/bash\n# 自分のフック\necho mine\nexit 0\n"


def everything(clone: TeamClone) -> dict[str, bytes]:
    """Every file that an installation may touch."""
    paths = [path for folder in (clone.path / ".git/hooks", clone.path / ".git/info") for path in folder.glob("*")]
    paths += [clone.path / ".git/config", clone.root / ".gitattributes"]
    return {str(path.relative_to(clone.path)): path.read_bytes() for path in paths if path.is_file()}


def states(clone: TeamClone) -> set[str]:
    return {part.state for part in clone.installation.parts()}


def remove(clone: TeamClone) -> None:
    install.carry_out(clone.installation, clone.installation.removal(), CLOCK)


@pytest.fixture
def clone(clones):
    return clones({"bookmarks.json": '{"version": "1.0", "bookmarks": []}\n'}, installed=False)[0]


def hook(clone: TeamClone, name: str, text: str, mode: int = 0o755) -> None:
    path = clone.path / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def test_an_installation_is_complete_runs_twice_and_is_removed_to_the_last_byte(clone):
    hook(clone, "post-merge", HOOK)
    (clone.path / ".git/info/attributes").write_text("*.bin -diff")
    clone.write(".gitattributes", "*.md text\n")
    before = everything(clone)
    assert states(clone) == {install.MISSING}
    clone.install()
    assert states(clone) == {install.CURRENT}
    installed = everything(clone)
    clone.install()
    assert everything(clone) == installed
    assert "*.bin -diff\n" in (clone.path / ".git/info/attributes").read_text() and clone.read(".gitattributes").startswith("*.md text\n")
    remove(clone)
    after = everything(clone)
    assert after.pop(".git/info/attributes") == before.pop(".git/info/attributes") + b"\n", "the missing line end is all that is left"
    assert after == before and clone.installation.removal() == []


def test_git_finds_a_driver_for_every_kind_of_file(clone):
    clone.install()
    paths = {"note": "active/a/設計.md", "learned": "active/learned/x.md", "session": "active/sync/sessions/x.md", "week": "episodes/archives/2025-W38.json"}
    paths |= {"settings": "config/cycle_config.json", "archive": "archive/by_date/2025/09/x.md.zst"}
    paths |= {kind.name: kind.pattern for kind in kinds.KINDS if "*" not in kind.pattern}
    assert set(paths) == {kind.name for kind in kinds.KINDS}
    for name, path in paths.items():
        found = clone.git("check-attr", "merge", "--", f"{BANK}/{path}").stdout.strip().rpartition(": ")[2]
        assert found == f"memorybank-{name}" and clone.git("config", f"merge.{found}.driver").stdout.strip().endswith(f"merge-driver {name} %O %A %B %P")
    assert clone.git("check-attr", "merge", "--", "src/a.md").stdout.strip().endswith("unspecified")


def test_who_has_not_installed_it_still_merges_lines_by_union(clone):
    clone.write("dates.jsonl", "{}\n").install()
    (clone.path / ".git/info/attributes").unlink()
    clone.write(".gitattributes", "dates.jsonl merge=union\n" + clone.read(".gitattributes"))
    assert clone.git("check-attr", "merge", "--", f"{BANK}/dates.jsonl").stdout.strip().endswith("union")


def test_a_hook_runs_memorybanks_line_first_and_then_the_persons(clone):
    hook(clone, "post-merge", HOOK)
    clone.install()
    lines = (clone.path / ".git/hooks/post-merge").read_text().split("\n")
    assert lines[0] == "#!/bin/bash" and "begin" in lines[1] and lines[4:] == HOOK.split("\n")[1:]
    assert os.stat(clone.path / ".git/hooks/post-merge").st_mode & 0o777 == 0o755 and os.access(clone.path / ".git/hooks/post-checkout", os.X_OK)
    done = subprocess.run([str(clone.path / ".git/hooks/post-merge")], cwd=clone.path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "mine\n")


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [("#!/usr/bin/env python3\nprint(1)\n", 0o755, "not a script of the shell"), ("\x7fELF", 0o755, "not a script"), (HOOK, 0o644, "not executable")],
)
def test_a_hook_that_cannot_be_extended_stays_and_the_line_is_shown(clone, text, mode, why):
    hook(clone, "post-merge", text, mode)
    clone.install()
    assert (clone.path / ".git/hooks/post-merge").read_text() == text
    (part,) = (part for part in clone.installation.parts() if part.state == install.REFUSED)
    assert why in part.why and "refresh" in part.why and part.path.endswith("post-merge")


def test_a_hook_that_is_a_link_stays(clone, tmp_path):
    (tmp_path / "shared-hook").write_text(HOOK)
    (clone.path / ".git/hooks").mkdir(exist_ok=True)
    (clone.path / ".git/hooks/post-merge").symlink_to(tmp_path / "shared-hook")
    clone.install()
    assert (tmp_path / "shared-hook").read_text() == HOOK


def test_the_folder_that_core_hooksPath_names_is_used_inside_the_repository_and_left_alone_outside(clone, tmp_path):
    clone.git("config", "core.hooksPath", ".githooks")
    clone.install()
    assert (clone.path / ".githooks/post-merge").exists() and not (clone.path / ".git/hooks/post-merge").exists()
    remove(clone)
    assert not list((clone.path / ".githooks").iterdir())
    clone.git("config", "core.hooksPath", str(tmp_path / "everywhere"))
    clone.install()
    refused = [part for part in clone.installation.parts() if part.state == install.REFUSED]
    assert len(refused) == 3 and all("other repositories" in part.why for part in refused) and not (tmp_path / "everywhere").exists()


def test_a_linked_worktree_shares_what_is_installed(clone, tmp_path):
    clone.install().commit()
    clone.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "beside")
    linked = TeamClone(tmp_path / "linked")
    assert states(linked) == {install.CURRENT}
    assert linked.git("check-attr", "merge", "--", f"{BANK}/dates.jsonl").stdout.strip().endswith("memorybank-dates")


def test_two_banks_of_one_repository_are_installed_and_removed_one_by_one(clone):
    other = clone.path / "packages/web ui[1]/.claude/memory"
    (other / "active").mkdir(parents=True)
    second = GitInstallation(describe(str(other.resolve())), clone.installation.program)
    before = everything(clone)
    clone.install()
    install.carry_out(second, second.parts(), CLOCK)
    found = clone.git("check-attr", "merge", "--", "packages/web ui[1]/.claude/memory/dates.jsonl", f"{BANK}/dates.jsonl").stdout
    assert found.count("memorybank-dates") == 2
    remove(clone)
    assert "memorybank-note" in clone.git("config", "--list").stdout, "the other bank still uses the drivers"
    install.carry_out(second, second.removal(), CLOCK)
    after = everything(clone)
    assert after == before


def test_a_bank_that_is_the_repository(tmp_path):
    clone = TeamClone(tmp_path / "bank")
    (clone.path / "active").mkdir(parents=True)
    clone.git("init", "-q")
    installation = GitInstallation(describe(str(clone.path.resolve())), GitProgram("/usr/bin/python3", "/x/for_git.py"))
    install.carry_out(installation, installation.parts(), CLOCK)
    assert clone.git("check-attr", "merge", "--", "dates.jsonl").stdout.strip().endswith("memorybank-dates")


def test_paths_with_spaces_quotes_and_percent_signs_are_one_word(clone, tmp_path):
    folder = tmp_path / "it's 100% 日本"
    folder.mkdir()
    started = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom memorybank.for_git import main\nraise SystemExit(main(sys.argv[1:]))\n"
    (folder / "for_git.py").write_text(started)
    (folder / "python").symlink_to(clone.installation.program.python)
    program = GitProgram(str(folder / "python"), str(folder / "for_git.py"))
    installation = GitInstallation(clone.layout, program)
    install.carry_out(installation, installation.parts(), CLOCK)
    command = clone.git("config", "merge.memorybank-bookmarks.driver").stdout.strip().replace("%%", "%")
    for name in "OAB":
        (clone.path / name).write_text('{"bookmarks": []}')
    (clone.path / "B").write_text('{"bookmarks": ["a.md"]}')
    line = command.replace("%O", "O").replace("%A", "A").replace("%B", "B").replace("%P", "bookmarks.json")
    assert subprocess.run(["sh", "-c", line], cwd=clone.path).returncode == 0 and "a.md" in (clone.path / "A").read_text()


def test_half_of_a_block_is_reported_and_left(clone):
    clone.install()
    path = clone.path / ".git/hooks/post-merge"
    path.write_bytes(path.read_bytes().replace(install.end(BANK), b""))
    clone.install()
    (part,) = (part for part in clone.installation.parts() if part.state == install.REFUSED)
    assert "missing" in part.why


def test_half_of_the_attributes_stops_the_removal_and_names_the_file(clone):
    clone.install()
    clone.write(".gitattributes", clone.read(".gitattributes").replace(install.begin(BANK).decode(), ""))
    with pytest.raises(ValidationFailed, match="gitattributes"):
        clone.installation.removal()


def test_a_configuration_that_cannot_be_written_leaves_everything_as_it_was(clone):
    before = everything(clone)
    (clone.path / ".git/config.lock").touch()
    with pytest.raises(MemorybankError, match="could not change"):
        clone.install()
    (clone.path / ".git/config.lock").unlink()
    assert everything(clone) == before


def test_what_somebody_saved_after_the_plan_stays(clone):
    hook(clone, "post-merge", HOOK)
    parts = clone.installation.parts()
    hook(clone, "post-merge", HOOK + "echo saved\n")
    with pytest.raises(Conflict):
        install.carry_out(clone.installation, parts, CLOCK)
    assert (clone.path / ".git/hooks/post-merge").read_text() == HOOK + "echo saved\n"


@pytest.mark.parametrize("again", [TeamClone.install, remove])
def test_a_command_that_was_killed_leaves_no_second_name(clone, again):
    """Killed when the new hook had its name and the old one was still kept."""
    hook(clone, "post-merge", HOOK)
    clone.install()
    if again is remove:
        before = (clone.path / ".git/hooks/post-merge").read_bytes()
        remove(clone)
    else:
        before = HOOK.encode()
    kept = clone.path / f".git/hooks/.post-merge.memorybank-{sha256(before).hexdigest()}"
    kept.write_bytes(before)
    done = everything(clone)
    again(clone)
    assert everything(clone) == {name: data for name, data in done.items() if name != f".git/hooks/{kept.name}"}


def test_outside_a_repository_there_is_nothing_to_install(tmp_path):
    with pytest.raises(UsageError, match="not in a git repository"):
        GitInstallation(Layout(str(tmp_path)), GitProgram("/usr/bin/python3", "/x"))


def indexed(clone: TeamClone) -> list[str]:
    """The keys in the index as it is now."""
    with open_index(clone.layout, load(clone.layout), CLOCK, frozen=True) as index:
        return sorted(index.keys())


def test_the_index_follows_a_merge_and_a_checkout(clones):
    one, two = clones({"active/a.md": "# A\n"}, installed=True)
    with open_index(one.layout, load(one.layout), CLOCK) as index:
        fold(index)
    two.write("active/検索.md", "# 検索\n").commit()
    one.merge(two)
    assert indexed(one) == ["a.md", "検索.md"]
    one.git("checkout", "-q", "HEAD^1")
    assert indexed(one) == ["a.md"]
    one.git("checkout", "-q", "main")
    assert indexed(one) == ["a.md", "検索.md"]


def test_a_clone_without_an_index_gets_none_from_a_checkout(clones):
    one, _ = clones({"active/learned/problem-uv-00000001.md": learned()}, installed=True)
    one.git("checkout", "-q", "-b", "other")
    assert not (one.root / "cache").exists()
