"""A glance says which notes a fold would read, and nothing else."""

import os

from memorybank.bank import Bank
from memorybank.index.glance import suspects


def test_new_changed_and_gone_notes_are_suspects(bank):
    scratch = bank({"a.md": "# A\n", "sub/b.md": "# B\n", "設計/c.md": "# C\n"})
    assert sorted(suspects(scratch.layout)) == ["a.md", "sub/b.md", "設計/c.md"], "nothing was folded yet"
    Bank.open(str(scratch.root)).index.update()
    assert suspects(scratch.layout) == []
    scratch.write("sub/new.md", "# New\n", days_old=1)
    scratch.write("a.md", "# A, changed\n", days_old=0)
    os.unlink(scratch.active / "設計" / "c.md")
    assert suspects(scratch.layout) == ["a.md", "sub/new.md", "設計/c.md"], "the latest first, the gone at the end"


def test_what_never_gets_a_row_is_no_suspect(bank):
    scratch = bank({"a.md": "# A\n"})
    Bank.open(str(scratch.root)).index.update()
    os.symlink("a.md", scratch.active / "link.md")
    os.mkdir(scratch.active / "folder.md")
    (scratch.active / "text.txt").write_text("no note")
    assert suspects(scratch.layout) == []


def test_a_large_bank_is_compared_by_folders(bank, monkeypatch):
    """Created, deleted and renamed notes show; an edit in place waits for a sweep."""
    from memorybank.index import glance

    scratch = bank({f"f{number % 3}/n{number}.md": f"# {number}\n" for number in range(9)} | {"root.md": "# R\n"})
    Bank.open(str(scratch.root)).index.update()
    monkeypatch.setattr(glance, "SMALL", 5)
    assert suspects(scratch.layout) == []
    scratch.write("f1/new.md", "# New\n")
    os.unlink(scratch.active / "root.md")
    assert sorted(suspects(scratch.layout)) == ["f1/new.md", "root.md"]
