"""Each kind of problem is found, at its line, in the index and in the working tree alike; and what is no problem is not reported."""

import os

import pytest

from memorybank.archive.store import pack
from memorybank.bank import Bank
from memorybank.checking.tree import LOCAL_FOLDERS
from memorybank.storage.create_bank import create_bank
from memorybank.storage.layout import IGNORED

from .conftest import TOKEN, CheckedProject

CONFLICT = "# Plan\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"
PLANTED = {
    "unclosed": ("active/shared/a.md", "---\ntitle: x\n\n# A\n", ["active/shared/a.md:1 front_matter_unclosed"]),
    "yaml": ("active/shared/a.md", "---\ntags: [x\n---\n# A\n", ["active/shared/a.md:3 front_matter_invalid"]),
    "value": ("active/shared/設計.md", "---\ntitle: 設計\nrating: 高い\n---\n# 設計\n", ["active/shared/設計.md:3 front_matter_value"]),
    "twice": ("active/shared/a.md", "---\nacl: user\nacl: agent\n---\n# A\n", ["active/shared/a.md:2 front_matter_duplicate_key"]),
    "latin": ("active/shared/a.md", b"# A\n\ncaf\xe9\n", ["active/shared/a.md:3 not_utf8"]),
    "utf-16": ("active/shared/a.md", "# 設計\n".encode("utf-16"), ["active/shared/a.md:1 not_utf8"]),
    "secret in utf-16": ("active/shared/a.md", f"# A\n\n{TOKEN}\n".encode("utf-16"), ["active/shared/a.md:1 not_utf8", "active/shared/a.md:3 secret"]),
    "secret": ("active/shared/秘密.md", f"# 鍵\n\n使う鍵: {TOKEN}\n", ["active/shared/秘密.md:3 secret"]),
    "crlf": ("active/shared/a.md", f"# A\r\n\r\n{TOKEN}\r\n", ["active/shared/a.md:3 secret"]),
    "summary": ("summary.md", f"---\nupdated_at: 2025-09-17T09:30:00Z\n---\nUse {TOKEN}.\n", ["summary.md:4 secret"]),
    "rejected": ("rejected.jsonl", f'{{"memory": "rule:1", "what": "{TOKEN}"}}\n', ["rejected.jsonl:1 secret"]),
    "conflict": ("active/planning/plan.md", CONFLICT, ["active/planning/plan.md:3 git_conflict"]),
    "conflicted bookmarks": ("bookmarks.json", CONFLICT, ["bookmarks.json bookmarks_malformed", "bookmarks.json:3 git_conflict"]),
    "link": ("active/planning/a.md", "---\ntitle: A\n---\n\nSee [b](b.md).\n", ["active/planning/a.md:5 broken_link"]),
    "reference": ("active/planning/a.md", "See [b][1].\n\n[1]: ../shared/%E8%A8%AD.md#top\n", ["active/planning/a.md:3 broken_link"]),
    "picture": ("active/planning/a.md", "# A\n\n![shot](shot.png)\n", ["active/planning/a.md:3 broken_link"]),
    "wiki": ("active/planning/a.md", "# A\n\n詳細は [[未定の設計]] を参照。\n", ["active/planning/a.md:3 unknown_wiki_link"]),
    "hidden": ("active/planning/a.md", "# A\n\nplain\u200btext\n", ["active/planning/a.md:3 hidden_character"]),
    "settings": ("config/cycle_config.json", '{"memory": {}, "recal": {}}\n', ["config/cycle_config.json:1 config_unknown_key"]),
    "json": ("config/rotation_config.json", "{\n  x\n}\n", ["config/rotation_config.json:2 config_json"]),
    "outside": (
        "config/sources_config.json",
        '{"sources": [{"name": "x", "kind": "docs", "path": "../../etc"}]}',
        ["config/sources_config.json source_outside"],
    ),
    "bookmarks": ("bookmarks.json", "[}", ["bookmarks.json bookmarks_malformed"]),
    "episodes": ("episodes/episodic_memory.json", "[{", ["episodes/episodic_memory.json episodes_unreadable"]),
    "no summary": ("summary.md", "# Summary\n", ["summary.md summary_invalid"]),
    "log": ("log/sessions.jsonl", "{}\n", ["log/sessions.jsonl local_file"]),
    "archived": (
        "archive/by_date/2025/09/20250917T000000Z-a-01234567.md.zst",
        pack(f"# A\n\n{TOKEN}\n".encode(), True),
        ["archive/by_date/2025/09/20250917T000000Z-a-01234567.md.zst secret"],
    ),
}
WARNINGS = {"wiki", "hidden", "settings", "no summary"}


@pytest.mark.parametrize("name", PLANTED)
def test_every_kind_is_found(project: CheckedProject, name: str) -> None:
    path, text, expected = PLANTED[name]
    file = project.write(path, text)
    project.git("add", "-f", "--", str(file))
    assert project.found(path and str(file)) == expected
    assert [each for each in project.found(staged=False) if each.startswith(path)] == expected
    findings = project.check(str(file)).findings
    assert {each.is_warning for each in findings} == {name in WARNINGS}
    assert all(each.next_step for each in findings)
    assert TOKEN not in str(findings)


HARMLESS = {
    "fenced conflict": ("active/a.md", f"# Git\n\n```\n{CONFLICT}```\n"),
    "links": (
        "active/planning/a.md",
        "[b](../shared/b.md#part) [設計](../shared/%E8%A8%AD%E8%A8%88.md) [[b]] [[設計|図]] [me](a.md) [self](#top) [[a]] "
        "[shot](../shared/shot.png) ![[shot.png]] [folder](../shared/) [code](../../../../src/missing.py) [web](https://example.com/x.md) other.md\n",
    ),
    "code": ("active/planning/a.md", "`[x](nothing.md)`\n\n    [[nothing]]\n"),
    "allowed": ("active/planning/a.md", f"# A\n\nThe example {TOKEN} <!-- pragma: allowlist secret -->\n"),
    "hash": ("active/planning/a.md", "Fixed in 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.\n"),
    "empty": ("active/planning/a.md", ""),
    "bom": ("active/planning/a.md", "\ufeff# A\n"),
    "binary": ("active/planning/a.bin", b"\0" + TOKEN.encode()),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_right_is_not_reported(project: CheckedProject, name: str) -> None:
    project.stage("active/shared/b.md", "# B\n")
    project.stage("active/shared/設計.md", "# 設計\n")
    project.stage("active/shared/shot.png", b"\x89PNG")
    project.stage(*HARMLESS[name])
    assert project.found() == []
    assert project.found(staged=False) == []


def test_links_to_archived_notes_are_not_broken(bank, fixed_clock) -> None:
    """A rotation takes a note out of active/, and the notes that link to it stay as they are."""
    scratch = bank({"shared/old 設計.md": "# Old\n", "shared/new.md": "[old](<old 設計.md>) [[old 設計]]\n"}, git=True)
    create_bank(str(scratch.root), "UTC")
    project = CheckedProject(scratch.repository)
    rotation = Bank.open(str(scratch.root), clock=fixed_clock).rotation
    rotation.execute(rotation.plan_forget(["shared/old 設計.md"]))
    assert project.found(staged=False) == []
    project.git("add", "-A")
    assert project.found() == []


def test_an_object_too_large_is_not_read(project: CheckedProject, monkeypatch) -> None:
    for module in ("tree", "run"):
        monkeypatch.setattr(f"memorybank.checking.{module}.MAX_NOTE_BYTES", 2_000)
    project.stage("active/shared/long.md", f"{TOKEN}\n" * 100)
    project.stage("active/shared/short.md", f"{TOKEN}\n")
    assert project.found() == ["active/shared/long.md too_large", "active/shared/short.md:1 secret"]
    assert project.found(staged=False) == project.found()


def test_names_that_another_system_takes_for_one(project: CheckedProject) -> None:
    project.stage("active/shared/Readme.md", "# 1\n")
    project.stage("active/shared/README.md", "# 2\n")
    assert project.found() == ["active/shared/README.md same_name"]


def test_links_and_special_files(project: CheckedProject) -> None:
    (project.bank / "active/shared/link.md").symlink_to("/etc/hosts")
    (project.bank / "active/outside").symlink_to("/etc")
    os.mkfifo(project.bank / "active/shared/pipe.md")
    project.git("add", "-A")
    assert project.found() == ["active/outside symlink", "active/shared/link.md symlink"]
    assert project.found(staged=False) == project.found()


def test_outside_git_the_files_on_disk_are_checked(tmp_path) -> None:
    project = CheckedProject(tmp_path)
    create_bank(str(project.bank), "UTC")
    project.write("active/shared/a.md", TOKEN)
    project.write("log/sessions.jsonl", TOKEN)
    assert project.found(staged=False) == ["active/shared/a.md:1 secret"]


def test_the_local_folders_are_those_that_git_ignores() -> None:
    assert {f"{folder}/" for folder in LOCAL_FOLDERS} == {line for line in IGNORED if line.endswith("/")}


def test_a_note_that_is_not_text_is_found(project: CheckedProject) -> None:
    project.stage("active/shared/a.md", b"\x89PNG\r\n\0\0\xff" * 9)
    assert "active/shared/a.md:1 not_utf8" in project.found()
