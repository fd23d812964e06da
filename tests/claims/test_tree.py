"""The paths of a repository give the same answers whether git's list is searched as it is, for few questions, or made into tables, for many."""

import pytest

from memorybank.claims import tree
from memorybank.claims.tree import RepositoryFiles

LISTED = [
    b"README.md", b"a/b/a/x.py", b"a/x.py", b"ax.py", b"docs/x.py.md", "設計/検索.md".encode(), b"odd/\xff.py", b"odd/\xed\xa0\x80.py", b"x.py/inside", b"z",
]  # fmt: skip
ASKED = [
    "README.md", "readme.md", "a", "b", "b/a", "a/b", "a/b/a", "x.py", "a/x.py", "b/a/x.py", "ax.py", "x", "py", "docs", "docs/", "/docs", "x.py.md", "設計",
    "検索.md", "設計/検索.md", "索.md", "odd", "odd/\ufffd.py", "\ufffd.py", "odd/\ud800.py", "x.py/inside", "inside", "z", "", "z\0", "a/b/a/x.py\0a",
]  # fmt: skip


def answers(files: RepositoryFiles, path: str):
    return files.has(path), files.is_tracked(path), files.ending_with(path)


@pytest.mark.parametrize("path", ASKED, ids=ascii)
def test_a_list_and_its_tables_answer_alike(tmp_path, monkeypatch, path):
    listed = b"".join(name + b"\0" for name in LISTED)
    searched = answers(RepositoryFiles(str(tmp_path), lambda: listed), path)
    monkeypatch.setattr(tree, "_FEW", 0)
    assert answers(RepositoryFiles(str(tmp_path), lambda: listed), path) == searched


def test_a_few_questions_about_missing_paths_make_nothing_of_the_list(tmp_path):
    files = RepositoryFiles(str(tmp_path), lambda: b"".join(b"notes/%d.md\0" % number for number in range(100)))
    assert files.has("notes/7.md") and files.has("notes") and not files.has("notes/7") and files.ending_with("8") == []
    assert not {"_paths", "_files", "_by_name"} & vars(files).keys()


def test_many_questions_are_answered_from_tables(tmp_path):
    files = RepositoryFiles(str(tmp_path), lambda: b"notes/1.md\0")
    assert [files.is_tracked(f"notes/{number}.md") for number in range(50)].count(True) == 1
    assert "_files" in vars(files)


def test_files_with_a_name_are_found_in_the_order_of_git(tmp_path):
    listed = ["a/package.json", "a/package.json/package.json", "a/xpackage.json", "b/Makefile", "package.json", "package.json.lock", "設計/Makefile"]
    files = RepositoryFiles(str(tmp_path), lambda: "".join(f"{path}\0" for path in listed).encode())
    assert files.named(["Makefile", "package.json"]) == [listed[at] for at in (0, 1, 3, 4, 6)]
    assert files.named(["x"]) == [] == RepositoryFiles(str(tmp_path), lambda: None).named(["Makefile"])


def test_git_is_asked_once_and_not_for_what_is_on_the_disk(tmp_path):
    (tmp_path / "here.md").touch()
    calls = []
    files = RepositoryFiles(str(tmp_path), lambda: calls.append(1) or b"there.md\0")
    assert files.has("here.md") and calls == []
    assert files.has("there.md") and not files.has("nowhere.md") and files.is_complete and calls == [1]


def test_without_a_list_only_the_disk_answers(tmp_path):
    (tmp_path / "here.md").touch()
    files = RepositoryFiles(str(tmp_path), lambda: None)
    assert (files.is_complete, files.has("here.md"), files.has("there.md"), files.ending_with("here.md")) == (False, True, False, [])
