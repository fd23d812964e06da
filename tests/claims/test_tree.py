"""The paths of a repository give the same answers whether git's list is searched as it is, for few questions, or made into tables, for many."""

import pytest

from memorybank.claims import tree
from memorybank.claims.tree import RepositoryFiles

LISTED = [b"README.md", b"a/b/a/x.py", b"a/x.py", b"ax.py", b"docs/x.py.md", "設計/検索.md".encode(), b"odd/\xff.py", b"odd/\xed\xa0\x80.py", b"x.py/inside", b"z"]
ASKED = [
    "README.md", "readme.md", "a", "b", "b/a", "a/b", "a/b/a", "x.py", "a/x.py", "b/a/x.py", "ax.py", "x", "py", "docs", "docs/", "/docs", "x.py.md", "設計",
    "検索.md", "設計/検索.md", "索.md", "odd", "odd/\ufffd.py", "\ufffd.py", "odd/\ud800.py", "x.py/inside", "inside", "z", "", "z\0", "a/b/a/x.py\0a",
]  # fmt: skip


def answers(files: RepositoryFiles, path: str):
    return files.has(path), files.is_tracked(path), files.ending_with(path)


@pytest.mark.parametrize("path", ASKED, ids=ascii)
def test_a_list_and_its_tables_answer_alike(tmp_path, monkeypatch, path):
    listed = b"".join(name + b"\0" for name in LISTED)
    searched = answers(RepositoryFiles(str(tmp_path), listed), path)
    monkeypatch.setattr(tree, "_FEW", 0)
    assert answers(RepositoryFiles(str(tmp_path), listed), path) == searched


def test_a_few_questions_about_missing_paths_make_nothing_of_the_list(tmp_path):
    files = RepositoryFiles(str(tmp_path), b"".join(b"notes/%d.md\0" % number for number in range(100)))
    assert files.has("notes/7.md") and files.has("notes") and not files.has("notes/7") and files.ending_with("8") == []
    assert not {"paths", "_files", "_by_name"} & vars(files).keys()


def test_many_questions_are_answered_from_tables(tmp_path):
    files = RepositoryFiles(str(tmp_path), b"notes/1.md\0")
    assert [files.is_tracked(f"notes/{number}.md") for number in range(50)].count(True) == 1
    assert "_files" in vars(files)


def test_without_a_list_only_the_disk_answers(tmp_path):
    (tmp_path / "here.md").touch()
    files = RepositoryFiles(str(tmp_path), None)
    assert (files.is_complete, files.has("here.md"), files.has("there.md"), files.ending_with("here.md")) == (False, True, False, [])
