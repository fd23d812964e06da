"""After a purge everything that a rotation promises goes on: restore, undo, retention, backups; also at the corners."""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import pytest

from memorybank.archive import object as objects
from memorybank.archive import store
from memorybank.clock import DAY, MINUTE, FixedClock
from memorybank.config.settings import Settings
from memorybank.log import rotation as log
from memorybank.rotation import guard, undo
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import maintain
from memorybank.rotation.purge import purge
from memorybank.rotation.verify import verify
from memorybank.storage import disk
from memorybank.text.secrets.needle import PurgeNeedle
from tests.rotation.rotation_rows import NOW, active, expiring, plan_for, tree

LEAK = "ガギグ pass phrase"
EXPIRING = expiring(90)


pytestmark = pytest.mark.usefixtures("free_syncs")


def purged(layout, text=LEAK, at=NOW + MINUTE):
    clock = FixedClock(at)
    with guard.changing(layout, "memorybank purge", clock):
        return purge(layout, [layout], PurgeNeedle(text), clock)


def holds(layout, *folders: str) -> list[str]:
    """Files of the archive, backups and log whose bytes or names hold the text; objects as they are unpacked by the product."""
    found = []
    for top in folders or (layout.archive, layout.backups, layout.log):
        found += [path for path, data in tree(top).items() if PurgeNeedle(LEAK).is_in(data) or PurgeNeedle(LEAK).is_in(path.encode())]
    return found + [each.id for each in store.listing(layout)[0] if PurgeNeedle(LEAK).is_in(store.read_object(layout, each))]


def rotated(bank, notes: dict[str, str]):
    scratch = bank(notes, days_old=60)
    execute(plan_for(scratch.layout, 1.5, settings=EXPIRING), scratch.layout, FixedClock(NOW), yes=True)
    return scratch


def expire(layout) -> None:
    """Maintenance on every day from an announcement to the deletion."""
    for day in range(393, 401):
        maintain(layout, EXPIRING, FixedClock(NOW + day * DAY), lambda: [], yes=True)


def test_retention_removes_the_new_object_when_the_old_one_was_due(bank):
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK}\n", "planning/b.md": "# B\n"})
    due = {each.original_path: each.delete_after for each in store.listing(scratch.layout)[0]}
    purged(scratch.layout)
    assert {each.original_path: each.delete_after for each in store.listing(scratch.layout)[0]} == due and None not in due.values()
    expire(scratch.layout)
    assert store.listing(scratch.layout)[0] == [] and tree(scratch.layout.backups) == {}
    assert verify(scratch.layout, NOW + 400 * DAY).findings == []


def test_a_note_whose_object_has_gone_keeps_only_its_marked_line(bank):
    """Retention removed the object; the gist in the log, and nothing else, still held the text."""
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK}\n"})
    expire(scratch.layout)
    assert holds(scratch.layout)
    purged(scratch.layout, at=NOW + 401 * DAY)
    assert holds(scratch.layout) == []
    state = log.read(scratch.layout)
    assert all(record.archive_path in state.deleted for record in state.archived())
    assert verify(scratch.layout, NOW + 401 * DAY).findings == []


def test_backups_that_would_get_the_same_name_are_both_kept(bank):
    """The text in two Unicode forms in two names: two notes."""
    names = [f"planning/{normalize(form, LEAK)}.md" for form in ("NFC", "NFD")]
    scratch = rotated(bank, {names[0]: "# One\n", names[1]: "# Two\n"})
    for path in Path(scratch.layout.backups).rglob("*.md"):
        path.write_text(path.read_text() + "late edit\n")
    purged(scratch.layout)
    assert holds(scratch.layout) == []
    assert sorted(tree(scratch.layout.backups).values()) == [b"# One\nlate edit\n", b"# Two\nlate edit\n"]
    assert len(store.listing(scratch.layout)[0]) == 2


def test_a_compressed_backup_is_replaced_and_stays_compressed(bank):
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK}\n" * 50})
    maintain(scratch.layout, Settings(), FixedClock(NOW + 2 * DAY), lambda: [], yes=True)
    (before,) = tree(scratch.layout.backups)
    assert before.endswith(".md.zst")
    assert purged(scratch.layout, at=NOW + 3 * DAY).backups == 1
    assert list(tree(scratch.layout.backups)) == [before]
    shutil.rmtree(scratch.layout.archive)
    assert undo.undo(scratch.layout, FixedClock(NOW + 4 * DAY)).errors == []
    assert active(scratch.layout) == {"planning/a.md": b"# A\n\n[PURGED]\n" * 50}


def test_an_object_that_is_not_compressed_is_replaced(bank):
    scratch = bank({"planning/a.md": f"# A\n\n{LEAK}\n"}, days_old=60)
    scratch.configure("rotation", '{"rotation_strategy": {"archival_rules": {"low_importance": {"compress": false}}}}')
    from memorybank.config import settings as configuration

    execute(plan_for(scratch.layout, 1.5, settings=configuration.load(scratch.layout)), scratch.layout, FixedClock(NOW), yes=True)
    assert [each.object_name[-3:] for each in store.listing(scratch.layout)[0]] == [".md"]
    purged(scratch.layout)
    assert holds(scratch.layout) == [] and verify(scratch.layout, NOW).findings == []


def test_an_interrupted_rotation_is_finished_first(bank, monkeypatch):
    """A note that was archived and not moved yet: it moves, and its object and backup are purged like the others."""
    scratch = bank({"planning/a.md": f"# A\n\n{LEAK}\n"}, days_old=60)
    with monkeypatch.context() as patched:
        patched.setattr(disk, "move", lambda source, target: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            execute(plan_for(scratch.layout, 1.5, settings=EXPIRING), scratch.layout, FixedClock(NOW), yes=True)
    assert len(log.read(scratch.layout).pending(".")) == 1
    purged(scratch.layout)
    assert active(scratch.layout) == {} and holds(scratch.layout) == []
    assert undo.undo(scratch.layout, FixedClock(NOW + DAY)).errors == []
    assert active(scratch.layout) == {"planning/a.md": b"# A\n\n[PURGED]\n"}


def test_an_object_without_its_sidecar_is_left_alone_and_said(bank):
    """The log would name an object that does not exist: nothing about this note changes, until its sidecar is back."""
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK}\n", "planning/b.md": f"# B\n\n{LEAK}\n"})
    maintain(scratch.layout, Settings(), FixedClock(NOW + DAY // 2), lambda: [], yes=True)
    described = next(each for each in store.listing(scratch.layout)[0] if each.original_path == "planning/a.md")
    sidecar = Path(store.absolute(scratch.layout, described.sidecar_path))
    kept = sidecar.read_bytes()
    sidecar.unlink()
    done = purged(scratch.layout, at=NOW + DAY)
    assert (done.objects, [path for path, _ in done.errors]) == (1, [described.object_path])
    sidecar.write_bytes(kept)
    assert verify(scratch.layout, NOW).findings == []
    done = purged(scratch.layout, at=NOW + DAY)
    assert (done.objects, done.backups, done.errors) == (1, 1, [])
    assert holds(scratch.layout) == []
    assert verify(scratch.layout, NOW).findings == []


def test_a_backup_that_somebody_edits_at_this_moment_is_left_to_the_next_run(bank, monkeypatch):
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK}\n"})
    (path,) = Path(scratch.layout.backups).rglob("*.md")
    read = disk.read

    def edited(name, limit):
        data = read(name, limit)
        if name == str(path):
            path.write_bytes(data + b"an edit\n")
        return data

    with monkeypatch.context() as patched:
        patched.setattr(disk, "read", edited)
        done = purged(scratch.layout)
    assert done.backups == 0 and "editing" in done.errors[0][1].message
    assert path.read_bytes().endswith(b"an edit\n")
    purged(scratch.layout)
    assert path.read_bytes() == b"# A\n\n[PURGED]\nan edit\n"


@pytest.mark.parametrize("text", ["archived", "planning", "2025", "sidecar", "rotation"])
def test_words_of_the_format_stay_what_they_are(bank, text):
    """A text that also is a word of the log's own: only what people wrote is marked, and the log still folds."""
    scratch = rotated(bank, {"planning/2025-archived.md": "# 2025 archived sidecar rotation planning\n"})
    purged(scratch.layout, text)
    assert verify(scratch.layout, NOW).findings == []
    (record,) = log.read(scratch.layout).archived()
    assert not PurgeNeedle(text).is_in(store.read_object(scratch.layout, store.listing(scratch.layout)[0][0]))
    assert (text in record.key) is False
    assert undo.undo(scratch.layout, FixedClock(NOW + DAY)).errors == []


def test_purging_twice_with_two_texts_follows_the_note(bank):
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK} and more\n"})
    old = store.listing(scratch.layout)[0][0]
    kept = {path: Path(store.absolute(scratch.layout, path)).read_bytes() for path in (old.object_path, old.sidecar_path)}
    purged(scratch.layout)
    purged(scratch.layout, "and more")
    for path, data in kept.items():
        Path(store.absolute(scratch.layout, path)).write_bytes(data)
    assert undo.undo(scratch.layout, FixedClock(NOW + DAY)).errors == []
    assert active(scratch.layout) == {"planning/a.md": b"# A\n\n[PURGED] [PURGED]\n"}
    assert [each.purged_at is not None for each in store.listing(scratch.layout)[0]] == [True], "the oldest object came back and was removed again"


def orphaned(scratch, sidecar: bytes | None) -> Path:
    """An object that the log does not know, with an unreadable sidecar or none. Returns its path."""
    (described,) = store.listing(scratch.layout)[0]
    Path(log.path(scratch.layout)).unlink()
    shutil.rmtree(scratch.layout.backups)
    path = Path(store.absolute(scratch.layout, described.sidecar_path))
    if sidecar is None:
        path.unlink()
    else:
        path.write_bytes(sidecar)
    return Path(store.absolute(scratch.layout, described.object_path))


@pytest.mark.parametrize("sidecar", [None, b"", b"\0" * 300, f'{{"title": "{LEAK}"'.encode()])
def test_an_object_that_nothing_describes_is_removed_if_its_note_is_still_there(bank, sidecar):
    """A rotation lost power before it logged the object, so it never moved the note."""
    text = f"# A\n\n{LEAK}\n"
    scratch = rotated(bank, {"planning/a.md": text})
    path = orphaned(scratch, sidecar)
    scratch.write("planning/a.md", text)
    assert purged(scratch.layout).errors == []
    assert list(store.names(scratch.layout)) == [] and not path.exists()
    assert (scratch.active / "planning/a.md").read_text() == text


@pytest.mark.parametrize("leaked", [True, False])
def test_an_object_that_nothing_describes_stays_if_its_note_is_nowhere_else(bank, leaked):
    """It may be the only copy. It is named if it contains the text."""
    scratch = rotated(bank, {"planning/a.md": f"# A\n\n{LEAK if leaked else 'nothing'}\n"})
    path = orphaned(scratch, b"")
    scratch.write("planning/a.md", "# A\n\nedited since\n")
    before = path.read_bytes()
    errors = purged(scratch.layout).errors
    assert [name for name, _ in errors] == ([path.relative_to(scratch.root).as_posix()] if leaked else [])
    assert path.read_bytes() == before


def test_an_object_that_a_newer_memorybank_archived_is_named_and_stays(bank):
    text = f"# A\n\n{LEAK}\n"
    scratch = rotated(bank, {"planning/a.md": text})
    sidecar = Path(store.absolute(scratch.layout, store.listing(scratch.layout)[0][0].sidecar_path))
    fields = {**json.loads(sidecar.read_bytes()), "version": objects.VERSION + 1}
    fields["checksum"] = sha256(objects.render({name: value for name, value in fields.items() if name != "checksum"})).hexdigest()
    newer = objects.render(fields)
    path = orphaned(scratch, newer)
    scratch.write("planning/a.md", text)
    assert [(name, error.code) for name, error in purged(scratch.layout).errors] == [(sidecar.relative_to(scratch.root).as_posix(), "newer_format")]
    assert path.exists() and sidecar.read_bytes() == newer
