"""A glance says which notes a fold would read, and nothing else."""

import os

from memorybank.bank import Bank
from memorybank.config.settings import load
from memorybank.index import glance, meta
from memorybank.index.fold import fold
from memorybank.index.glance import suspects
from memorybank.index.working import open_index


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
    scratch = bank({f"f{number % 3}/n{number}.md": f"# {number}\n" for number in range(9)} | {"root.md": "# R\n"})
    Bank.open(str(scratch.root)).index.update()
    monkeypatch.setattr(glance, "SMALL", 5)
    assert suspects(scratch.layout) == []
    scratch.write("f1/new.md", "# New\n")
    os.unlink(scratch.active / "root.md")
    assert sorted(suspects(scratch.layout)) == ["f1/new.md", "root.md"]


def test_in_a_large_bank_an_edit_in_place_shows_when_its_note_is_named(bank, monkeypatch):
    """What is named and has not changed, is outside, or never was a note, is no suspect; what is gone is."""
    scratch = bank({f"f{number % 3}/n{number}.md": f"# {number}\n" for number in range(9)} | {"設計/c.md": "# C\n"})
    Bank.open(str(scratch.root)).index.update()
    monkeypatch.setattr(glance, "SMALL", 5)
    for key in ("設計/c.md", "f1/n1.md"):
        with open(scratch.active / key, "a", encoding="utf-8") as stream:
            stream.write("\nEdited.\n")
    assert suspects(scratch.layout) == []
    named = ["設計/c.md", "f2/n2.md", "never.md", "../../bookmarks.json", "f0", "a\0.md"]
    assert suspects(scratch.layout, named) == ["設計/c.md"]
    scratch.write("f1/new.md", "# New\n", days_old=1)
    os.unlink(scratch.active / "f2" / "n2.md")
    assert suspects(scratch.layout, ["f2/n2.md", "f1/n1.md", "f1/new.md"]) == ["f2/n2.md", "f1/n1.md", "f1/new.md"]


def test_an_index_begins_with_a_portion_and_is_whole_only_after_a_sweep(bank, monkeypatch, fixed_clock):
    """A hook has no time for thousands of notes: it takes in the latest, and the next one goes on."""
    scratch = bank({f"n{number}.md": f"# 覚え書き {number}\n" for number in range(9)})
    monkeypatch.setattr(glance, "SMALL", 5)
    taken = []
    while keys := suspects(scratch.layout):
        with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
            fold(index, only=keys[:4], portion=True)
            taken.append(index.count())
    assert taken == [4, 8, 9]
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        assert fold(index).added == 0, "what was taken in is not read again"


def test_a_fold_of_at_most_so_many_notes_takes_in_the_latest_and_the_next_ones_go_on(bank, fixed_clock):
    scratch = bank({f"n{number}.md": f"# 覚え書き {number}\n" for number in range(9)})
    for number in range(9):
        os.utime(scratch.active / f"n{number}.md", ns=(number * 10**9, number * 10**9))

    def folded(most):
        with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
            report = fold(index, limit=most)
            return report.added, report.removed, report.left, index.keys(), meta.integer(index.connection, "swept_at") is not None

    assert folded(4) == (4, 0, 5, ["n5.md", "n6.md", "n7.md", "n8.md"], False)
    assert folded(4)[:3] == (4, 0, 1)
    assert folded(4) == (1, 0, 0, [f"n{number}.md" for number in range(9)], True), "what is left fits: a fold like any other"
    for number in range(6):
        os.unlink(scratch.active / f"n{number}.md")
    assert folded(4)[:3] == (0, 4, 2) and folded(4)[:4] == (0, 2, 0, ["n6.md", "n7.md", "n8.md"])
    scratch.configure("index", '{"stop_words": ["note"]}')
    assert folded(2)[:3] == (0, 0, 3), "other settings: the rows stay until there is room for all of them"
    assert folded(3)[2] == 0


def test_other_settings_make_no_hook_read_every_note_again(bank, fixed_clock):
    scratch = bank({f"n{number}.md": f"# Note {number}\n" for number in range(4)})
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        fold(index)
    scratch.configure("index", '{"stop_words": ["note"]}')
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        assert fold(index, only=["n1.md"], portion=True).read <= 1
        assert index.count() == 4
        assert fold(index).read == 4, "a command does"


def test_a_glance_and_a_fold_agree_about_what_changed(bank, fixed_clock):
    """A file of the same size and mtime whose bytes changed, and one that was written just before it was read."""
    scratch = bank({"a.md": "# A\n"})
    scratch.write("racy.md", "# R\n", at=fixed_clock.now() - 10)
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        fold(index)
    assert suspects(scratch.layout) == ["racy.md"]
    path = scratch.active / "a.md"
    before = path.stat()
    path.write_text("# B\n")
    os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))
    assert sorted(suspects(scratch.layout)) == ["a.md", "racy.md"]
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        assert fold(index).read == 2
