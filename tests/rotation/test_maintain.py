"""Unattended maintenance: intervals, the brake, retention, backups, leftovers."""

import os

import pytest
from rotation_rows import NOW, active, plan_for, rows, tree

from memorybank.archive import store
from memorybank.clock import DAY, HOUR, MINUTE, FixedClock
from memorybank.config.group import merge
from memorybank.config.rotation import RotationSettings
from memorybank.config.settings import Settings
from memorybank.errors import ResourceExhausted
from memorybank.log import rotation as log
from memorybank.notes import bookmarks
from memorybank.rotation import backups, maintain, retention
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import prune_backups
from memorybank.rotation.undo import undo
from memorybank.rotation.verify import verify


def settings(**rotation) -> Settings:
    faults: list = []
    made = Settings(rotation=merge(RotationSettings, rotation, faults))
    assert not faults
    return made


BY_RULES = settings(unattended="by_rules")
"""What the specification's triggers do."""


def maintained(layout, at, using=BY_RULES, importance=1.5, **options):
    return maintain.maintain(layout, using, FixedClock(at), lambda: rows(layout, importance, at), **options)


# triggers


def test_each_trigger_runs_not_more_often_than_its_interval(bank):
    layout = bank().layout
    assert maintained(layout, NOW).evaluated == ["size_based", "importance_based", "time_based"]
    assert maintained(layout, NOW + 6 * HOUR - MINUTE).evaluated == []
    assert maintained(layout, NOW + 6 * HOUR).evaluated == ["size_based"]
    assert maintained(layout, NOW + 12 * HOUR).evaluated == ["size_based", "importance_based"]
    report = maintained(layout, NOW + 24 * HOUR)
    assert report.evaluated == ["size_based", "importance_based", "time_based"]
    assert maintained(layout, NOW + 25 * HOUR).not_due == {
        "size_based": NOW + 30 * HOUR,
        "importance_based": NOW + 36 * HOUR,
        "time_based": NOW + 48 * HOUR,
    }


@pytest.mark.parametrize(
    ("trigger", "key"), [("size_based", "check_interval_hours"), ("importance_based", "evaluation_interval_hours"), ("time_based", "cleanup_interval_hours")]
)
def test_intervals_and_switches_are_settings(trigger, key):
    def settings_of(**policy):
        return settings(unattended="by_rules", rotation_policy=policy)

    never = dict.fromkeys(("size_based", "importance_based", "time_based"), NOW)
    assert maintain.due(never, BY_RULES.rotation, NOW + HOUR)[0] == []
    short = settings_of(triggers={trigger: {key: 1}})
    assert maintain.due(never, short.rotation, NOW + HOUR)[0] == [trigger]
    off = settings_of(triggers={trigger: {"enabled": False}})
    assert trigger not in maintain.due({}, off.rotation, NOW)[0]
    assert maintain.due({}, settings_of(enabled=False).rotation, NOW) == ([], {})


def test_unattended_it_stops_at_the_brake_and_reports_the_rest(bank):
    layout = bank({f"{number:02}.md": str(number) for number in range(25)}, days_old=20).layout
    report = maintained(layout, NOW)
    assert sum(len(rotation.rotated) for rotation in report.rotations) == 10
    assert report.remaining == 15
    assert len(active(layout)) == 15
    assert sum(len(rotation.rotated) for rotation in maintained(layout, NOW + 12 * HOUR).rotations) == 10
    assert maintained(layout, NOW + 24 * HOUR).remaining == 0 and active(layout) == {}


def test_it_finishes_what_was_interrupted(bank, monkeypatch):
    from memorybank.rotation import move

    layout = bank({"a.md": "a"}, days_old=40).layout
    monkeypatch.setattr(move, "move_out", lambda layout, record: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        execute(plan_for(layout), layout, FixedClock(NOW))
    monkeypatch.undo()
    assert list(active(layout)) == ["a.md"]
    report = maintained(layout, NOW + HOUR)
    assert report.recovery.moved == ["a.md"] and active(layout) == {} and len(store.listing(layout)[0]) == 1


def test_a_strange_clock_refuses(bank):
    layout = bank().layout
    maintained(layout, NOW)
    with pytest.raises(ResourceExhausted):
        maintained(layout, NOW - DAY)
    assert maintained(layout, NOW - DAY, yes=True).evaluated == []


def test_old_temps_are_swept(bank):
    scratch = bank({"planning/a.md": "a"}, days_old=1)
    for folder in ("active/planning", "archive/by_date/2025/09", "backups/x"):
        (scratch.root / folder).mkdir(parents=True, exist_ok=True)
        for name, age in ((".mb-tmp-1-1", 2 * HOUR), (".mb-tmp-1-2", 0)):
            path = scratch.root / folder / name
            path.write_bytes(b"x")
            os.utime(path, ns=((NOW - age) * 1_000_000,) * 2)
    assert maintained(scratch.layout, NOW).removed_temps == 3


# retention


def low_archive(bank, notes=None):
    layout = bank(notes or {"a.md": "a", "b.md": "b"}, days_old=40).layout
    execute(plan_for(layout), layout, FixedClock(NOW))
    return layout


def test_low_objects_go_after_their_time_with_a_tombstone(bank):
    layout = low_archive(bank)
    assert maintained(layout, NOW + 90 * DAY - HOUR).deleted == []
    report = maintained(layout, NOW + 90 * DAY)
    assert len(report.deleted) == 2 and list(store.names(layout)) == []
    kinds = [line["kind"] for line in lines_of(layout) if line["kind"] in ("tombstone", "deleted") and "archive_path" in line]
    assert kinds == ["tombstone", "tombstone", "deleted", "deleted"]
    assert verify(layout, NOW + 90 * DAY).findings == []


def test_only_low_objects_go(bank):
    layout = bank({"medium.md": "m"}, days_old=40).layout
    execute(plan_for(layout, 3.0), layout, FixedClock(NOW))
    for years in range(1, 9):
        assert maintained(layout, NOW + years * 360 * DAY).deleted == []
    assert len(store.listing(layout)[0]) == 1


def test_bookmarking_an_archived_note_cancels_its_deletion(bank):
    layout = low_archive(bank)
    bookmarks.add(layout, "a.md", "", FixedClock(NOW))
    maintained(layout, NOW + 100 * DAY)
    assert [each.original_path for each in store.listing(layout)[0]] == ["a.md"]


def test_malformed_bookmarks_cancel_every_deletion(bank):
    layout = low_archive(bank)
    with open(layout.bookmarks, "w") as stream:
        stream.write("[")
    assert maintained(layout, NOW + 100 * DAY).deleted == []


def test_a_longer_setting_counts_for_old_objects_and_a_shorter_does_not(bank):
    layout = low_archive(bank)
    objects, _ = store.listing(layout)
    after = {"rotation_strategy": {"archival_rules": {"low_importance": {"delete_after_archive_days": 200}}}}
    assert retention.due(objects, bookmarks.load(layout), settings(**after), NOW + 100 * DAY) == []
    after["rotation_strategy"]["archival_rules"]["low_importance"]["delete_after_archive_days"] = 1
    assert retention.due(objects, bookmarks.load(layout), settings(**after), NOW + 80 * DAY) == []
    assert len(retention.due(objects, bookmarks.load(layout), settings(**after), NOW + 90 * DAY)) == 2


def test_a_bookmark_between_tombstone_and_deletion_cancels_it(bank):
    layout = low_archive(bank)
    objects, _ = store.listing(layout)
    log.append(layout, [log.entry("tombstone", NOW, archive_path=each.object_path, path=each.original_path) for each in objects], FixedClock(NOW))
    bookmarks.add(layout, "a.md", "", FixedClock(NOW))
    maintained(layout, NOW + HOUR)
    assert [each.original_path for each in store.listing(layout)[0]] == ["a.md"]
    maintained(layout, NOW + 2 * HOUR)
    assert log.read(layout).tombstones == {}


# backups


def test_backups_are_compressed_after_a_day_and_removed_after_thirty(bank):
    layout = low_archive(bank)
    assert prune_backups(layout, Settings(), FixedClock(NOW + DAY - HOUR)).compressed == []
    assert len(prune_backups(layout, Settings(), FixedClock(NOW + DAY)).compressed) == 2
    assert all(path.endswith(".md.zst") for path in tree(layout.backups))
    assert prune_backups(layout, Settings(), FixedClock(NOW + 30 * DAY - HOUR)).removed == []
    assert len(prune_backups(layout, Settings(), FixedClock(NOW + 30 * DAY)).removed) == 2
    assert os.listdir(layout.backups) == []
    assert prune_backups(layout, Settings(), FixedClock(NOW + 31 * DAY)).removed == []


@pytest.mark.parametrize(
    ("policy", "after", "left"),
    [
        ({"backup_compression": False}, 2 * DAY, {"a.md", "b.md"}),
        ({"backup_retention_days": 3}, 3 * DAY, set()),
        ({"backup_before_rotation": False}, DAY, set()),
        ({"backup_before_rotation": False}, DAY - HOUR, {"a.md", "b.md"}),
    ],
)
def test_the_backup_policy_is_a_setting(bank, policy, after, left):
    layout = low_archive(bank)
    prune_backups(layout, settings(backup_policy=policy), FixedClock(NOW + after))
    assert {path.partition("/")[2] for path in tree(layout.backups)} == left


@pytest.mark.parametrize("touch", ["bytes", "mtime", "size"])
def test_a_backup_that_differs_is_a_finding_and_never_removed(bank, touch):
    layout = low_archive(bank)
    path = next(os.path.join(layout.backups, name) for name in tree(layout.backups) if name.endswith("a.md"))
    status = os.lstat(path)
    if touch == "bytes":
        with open(path, "wb") as stream:
            stream.write(b"A")
        os.utime(path, ns=(status.st_mtime_ns, status.st_mtime_ns))
    elif touch == "mtime":
        os.utime(path, ns=(status.st_mtime_ns + 1, status.st_mtime_ns + 1))
    else:
        with open(path, "ab") as stream:
            stream.write(b"more")
    for days in (2, 40, 400):
        report = prune_backups(layout, Settings(), FixedClock(NOW + days * DAY), yes=True)
        assert [finding.code for finding in report.findings] == ["late_edit"]
        assert os.path.exists(path) and not os.path.exists(path + ".zst")


def test_a_late_edit_comes_back_with_undo(bank):
    layout = low_archive(bank)
    path = next(os.path.join(layout.backups, name) for name in tree(layout.backups) if name.endswith("a.md"))
    with open(path, "ab") as stream:
        stream.write(" 続き".encode())
    report = undo(layout, FixedClock(NOW + HOUR))
    assert active(layout) == {"a.md": "a 続き".encode(), "b.md": b"b"}
    assert [each.from_backup for each in sorted(report.returned, key=lambda each: each.key)] == [True, False]
    assert prune_backups(layout, Settings(), FixedClock(NOW + 2 * DAY)).findings == [], "what came back is no longer worth a finding"
    assert os.path.exists(path)


def test_the_only_copy_is_never_removed(bank):
    layout = low_archive(bank)
    for path in list(store.names(layout)):
        if "-a-" in path and path.endswith(".zst"):
            os.remove(store.absolute(layout, path))
    report = prune_backups(layout, Settings(), FixedClock(NOW + 40 * DAY))
    assert [finding.code for finding in report.findings] == ["backup_only_copy"]
    assert [path.partition("/")[2] for path in tree(layout.backups)] == ["a.md"]


def test_a_damaged_compressed_backup_is_a_finding(bank):
    layout = low_archive(bank)
    prune_backups(layout, Settings(), FixedClock(NOW + 2 * DAY))
    path = next(os.path.join(layout.backups, name) for name in tree(layout.backups) if name.endswith("a.md.zst"))
    with open(path, "r+b") as stream:
        stream.seek(5)
        stream.write(b"\xff\xff\xff")
    report = prune_backups(layout, Settings(), FixedClock(NOW + 40 * DAY))
    assert [finding.code for finding in report.findings] == ["backup_damaged"] and os.path.exists(path)


def test_the_list_of_backups(bank):
    layout = low_archive(bank)
    (found,) = backups.listing(layout, log.read(layout), Settings().rotation.backup_policy)
    assert (found.files, found.size, found.compressed, found.missing, found.edited) == (2, 2, 0, 0, ())
    assert found.expires_at == NOW + 30 * DAY
    with open(os.path.join(layout.backups, found.rotation_id, "a.md"), "ab") as stream:
        stream.write(b"x")
    os.remove(os.path.join(layout.backups, found.rotation_id, "b.md"))
    (found,) = backups.listing(layout, log.read(layout), Settings().rotation.backup_policy)
    assert (found.files, found.missing, found.edited) == (1, 1, ("a.md",))


def lines_of(layout) -> list[dict]:
    from memorybank.log import lines

    return [line.fields for line in lines.read(log.path(layout))]
