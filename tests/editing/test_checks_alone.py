"""Two checks keep one promise, so a test of the promise passes without either. Here each holds alone, with the other one taken down."""

from hashlib import sha256

import pytest

from memorybank.editing import settle
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict
from memorybank.storage import disk
from tests.rotation.editors import by_rename, in_place

KEY = "planning/設計のメモ.md"
OLD, NEW = "# 設計\r\n".encode(), b"# New\n"
DIGEST = sha256(OLD).hexdigest()


def blind_to(monkeypatch, ending):
    """Let the comparison of files with this ending always say that nobody changed them."""
    real = settle.digest_of
    monkeypatch.setattr(settle, "digest_of", lambda path: DIGEST if path.endswith(ending) else real(path))


def saving_before(monkeypatch, name, save, path):
    """Let an editor save just before a primitive of the disk is called for the first time."""
    real = getattr(disk, name)
    saved = []

    def called(*arguments, **options):
        if not saved:
            saved.append(save(str(path)))
        return real(*arguments, **options)

    monkeypatch.setattr(disk, name, called)
    return saved


def changed(scratch, clock, kind):
    with NoteWriter(scratch.layout, "memorybank edit", clock) as change:
        change.replace(f"active/{KEY}", NEW, {DIGEST}) if kind == "replace" else change.remove(f"active/{KEY}", {DIGEST})


@pytest.mark.parametrize("kind", ["replace", "remove"])
def test_the_look_at_the_kept_version_finds_a_save_before_it_was_kept(bank, fixed_clock, monkeypatch, kind):
    scratch = bank({KEY: OLD})
    blind_to(monkeypatch, "~displaced")
    saved = saving_before(monkeypatch, "keep_copy", in_place, scratch.active / KEY)
    with pytest.raises(Conflict):
        changed(scratch, fixed_clock, kind)
    assert (scratch.active / KEY).read_bytes() == saved[0]


@pytest.mark.parametrize("kind", ["replace", "remove"])
@pytest.mark.parametrize(("save", "before"), [(in_place, "keep_copy"), (by_rename, "move")])
def test_the_look_at_the_displaced_version_finds_a_save_before_it_was_displaced(bank, fixed_clock, monkeypatch, kind, save, before):
    scratch = bank({KEY: OLD})
    blind_to(monkeypatch, KEY)  # the kept version has the name of its note
    saved = saving_before(monkeypatch, before, save, scratch.active / KEY)
    with pytest.raises(Conflict):
        changed(scratch, fixed_clock, kind)
    assert (scratch.active / KEY).read_bytes() == saved[0]


def test_a_name_that_is_taken_at_the_last_moment_is_not_replaced(bank, fixed_clock, monkeypatch):
    """The first look at the new name comes before the change is logged; somebody can save there afterwards."""
    scratch = bank({KEY: OLD})
    saved = saving_before(monkeypatch, "keep_copy", in_place, scratch.active / "new.md")
    with NoteWriter(scratch.layout, "memorybank mv", fixed_clock) as change, pytest.raises(Conflict):
        change.rename(f"active/{KEY}", "active/new.md")
    assert ((scratch.active / KEY).read_bytes(), (scratch.active / "new.md").read_bytes()) == (OLD, saved[0])
