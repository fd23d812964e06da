"""`Bank.open` and `Bank.create`: which bank they return, and what they say when they cannot."""

import json
import os
from pathlib import Path

import pytest

from memorybank import Bank
from memorybank.errors import ConfigInvalid, MemorybankError, NotFound, PermissionRefused, UsageError


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "project/.git").mkdir(parents=True)
    (tmp_path / "project/deep").mkdir()
    monkeypatch.chdir(tmp_path / "project/deep")
    return tmp_path / "project"


def test_create_makes_a_bank_in_the_repository_and_open_finds_it(project):
    made = Bank.create()
    assert made.layout.root == str(project / ".claude/memory")
    assert (project / ".claude/memory/active/planning").is_dir()
    key = made.notes.add("Why SQLite", folder="planning")
    assert [note.key for note in Bank.open().notes.list()] == [key]


def test_create_takes_text_and_path_and_keeps_what_exists(project, bank):
    for path in (str(project / "a"), Path(project / "b"), "c"):
        assert os.path.isdir(os.path.join(Bank.create(path).layout.root, "active"))
    scratch = bank({"planning/a.md": "# A\n"})
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo"}\n')
    before = {path: digest for path, (digest, _) in scratch.snapshot().items()}
    again = Bank.create(scratch.root, zone="UTC")
    after = {path: digest for path, (digest, _) in scratch.snapshot().items()}
    assert again.settings.episodes.timezone == "Asia/Tokyo"
    assert before.items() <= after.items()


def test_create_stores_the_zone(project):
    created = Bank.create(zone="Asia/Tokyo")
    assert created.settings.episodes.timezone == "Asia/Tokyo"
    assert json.loads((project / ".claude/memory/config/episodes_config.json").read_text()) == {"timezone": "Asia/Tokyo"}


@pytest.mark.parametrize("zone", ["Tokio", "", 9, "../etc"])
def test_create_refuses_what_is_no_zone(project, zone):
    with pytest.raises(UsageError, match="zone"):
        Bank.create(zone=zone)
    assert not (project / ".claude").exists()


def test_create_refuses_the_home_folder_and_a_file_in_the_way(project, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder\n")
    with pytest.raises(MemorybankError, match="a file stands where a folder belongs"):
        Bank.create(tmp_path / "file")
    monkeypatch.setenv("HOME", str(project))
    with pytest.raises(UsageError, match="home folder"):
        Bank.create()


def test_open_takes_text_and_path(bank):
    scratch = bank({"planning/a.md": "# A\n"})
    assert Bank.open(scratch.root).layout.root == Bank.open(str(scratch.root)).layout.root == str(scratch.root)
    assert Bank.open(start=scratch.repository).layout.root == str(scratch.root)


def test_open_says_what_is_missing_and_how_to_create_it(project):
    with pytest.raises(NotFound, match=r"no memory bank \(\.claude/memory\) in .*project/deep or above it"):
        Bank.open()
    with pytest.raises(NotFound, match=r"^no bank at nowhere$") as missing:
        Bank.open("nowhere")
    assert "Bank.create(DIR)" in missing.value.next_step
    with pytest.raises(NotFound, match="is not a bank: it has neither active/"):
        Bank.open(project)
    Bank.create()
    with pytest.raises(NotFound) as near:
        Bank.open(project)
    assert near.value.next_step == f"did you mean {project}/.claude/memory?"


@pytest.mark.parametrize("path", ["", 7, b"bank", ["bank"]])
@pytest.mark.parametrize("method", [Bank.open, Bank.create])
def test_what_is_not_a_path_is_refused(project, method, path):
    """An empty text does not mean the bank of the working folder: it is more often a variable that was never set."""
    with pytest.raises(UsageError, match=r"path (is empty|must be a str or a pathlib\.Path or None)"):
        method(path)


def test_settings_that_are_wrong_are_named(bank):
    scratch = bank({})
    scratch.configure("rotation", "{")
    for method in (Bank.open, Bank.create):
        with pytest.raises(ConfigInvalid, match=r"rotation_config\.json"):
            method(scratch.root)


def test_a_bank_that_is_read_only_refuses_every_change(bank):
    scratch = bank({"planning/a.md": "# A\n"})
    Bank.open(scratch.root).search("A")
    before = {path: path.read_bytes() for path in scratch.root.rglob("*") if path.is_file()}
    looked = Bank.open(scratch.root, read_only=True)
    changes = (
        lambda: looked.notes.add("B"),
        lambda: looked.notes.remember("B is new"),
        lambda: looked.notes.rate("planning/a.md", 5),
        lambda: looked.notes.rename("planning/a.md", "planning/b.md"),
        lambda: looked.notes.bookmark_add("planning/a.md"),
        lambda: looked.rotation.execute(looked.rotation.plan_forget(["planning/a.md"])),
        lambda: looked.policy.freeze(True, "no reason"),
        lambda: looked.episodes.update(),
    )
    for change in changes:
        with pytest.raises(PermissionRefused, match="read_only=True"):
            change()
        assert {path: path.read_bytes() for path in scratch.root.rglob("*") if path.is_file()} == before
