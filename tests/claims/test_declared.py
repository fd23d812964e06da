"""Manifests are found without the list of all files, and not at all where nothing asks for them."""

import sys

import pytest

from memorybank import git
from memorybank.claims import declarations, declared, locks, manifests
from memorybank.claims.tree import RepositoryFiles
from tests.claims.test_states import states

NOTE = "The build uses React 18.2, and `make deploy` ships it."


@pytest.fixture
def repository(planted):
    made = planted()
    made.commit(0, add=["src/a.py"])
    made.note("a.md", NOTE, 1)
    return made


def test_every_name_has_a_reader():
    assert frozenset(manifests._READERS) == declared.MANIFESTS and frozenset(locks._READERS) == declared.LOCKS


def test_only_manifests_are_listed_and_those_at_any_depth(repository):
    for path in ("package.json", "web/日本語/package.json", "go.mod/not.py", "a.package.json", "web/uv.lock", "Makefile", "[x]/Makefile"):
        repository.write(path, "x\n")
    git.run(str(repository.root), "add", "-A", "-f")
    repository.write("later/package.json", "not tracked\n")
    root = str(repository.root)
    tree = RepositoryFiles(root, lambda: git.run(root, "ls-files", "-z"))
    found = declared.tracked(root, 10)
    assert found == tree.named(declared.NAMES) == ["Makefile", "[x]/Makefile", "package.json", "web/uv.lock", "web/日本語/package.json"]


def test_an_ignored_manifest_that_git_tracks_is_found(repository):
    repository.write(".gitignore", "package.json\n")
    repository.write("package.json", "{}\n")
    git.run(str(repository.root), "add", "-A", "-f")
    assert declared.tracked(str(repository.root), 10) == ["package.json"]


def test_a_claim_about_versions_asks_git_for_no_other_file(repository, monkeypatch):
    asked, run = [], git.run
    monkeypatch.setattr(git, "run", lambda root, *arguments, **options: asked.append(arguments) or run(root, *arguments, **options))
    states(repository)
    repository.note("a.md", NOTE + " Again.", 2)
    asked.clear()
    assert {row[2] for row in states(repository)} == {"unknown"}
    listed = [arguments for arguments in asked if arguments[0] == "ls-files"]
    assert len(listed) == 1 and "--ignored" in listed[0]


def test_where_there_is_no_manifest_nothing_that_reads_one_is_loaded(repository, monkeypatch):
    states(repository)
    repository.note("a.md", NOTE + " Again.", 2)
    monkeypatch.delitem(sys.modules, declarations.__name__)
    states(repository)
    assert declarations.__name__ not in sys.modules


def test_a_manifest_that_is_staged_for_removal_declares_nothing_any_more(repository):
    repository.commit(3, write={"package.json": '{"dependencies": {"react": "18.2.0"}}\n'})
    assert {row[1]: row[2] for row in states(repository)}["React 18.2"] == "holds"
    git.run(str(repository.root), "rm", "-q", "--cached", "package.json")
    repository.note("b.md", "The server uses Vue 3.1.", 4)
    for options in ({}, {"anew": True}):
        assert {row[1]: row[2] for row in states(repository, **options)}["React 18.2"] == "unknown"


def test_where_no_note_names_code_nothing_that_looks_for_it_is_loaded_until_one_does(repository, monkeypatch):
    from memorybank.index import name_states

    states(repository)
    repository.note("a.md", NOTE + " Again.", 2)
    monkeypatch.delitem(sys.modules, name_states.__name__)
    monkeypatch.delattr("memorybank.index.name_states")
    states(repository)
    assert name_states.__name__ not in sys.modules
    repository.commit(3, write={"src/a.py": "def load_config():\n    pass\n"})
    repository.note("b.md", "`load_config()` reads the file.", 4)
    assert {row[1]: row[2] for row in states(repository)}["load_config"] == "holds"
    repository.commit(5, write={"src/a.py": "pass\n"})
    repository.note("b.md", NOTE, 6)
    states(repository)
    repository.note("b.md", "`load_config()` reads the file.", 7)
    assert states(repository) == states(repository, anew=True)
