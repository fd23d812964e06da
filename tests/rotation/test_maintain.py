"""Unattended maintenance: intervals, the brake, retention, backups, leftovers."""

import os

import pytest

from memorybank.archive import store
from memorybank.clock import DAY, HOUR, MINUTE, FixedClock
from memorybank.config.settings import Settings
from memorybank.editing import bookmarking
from memorybank.errors import ResourceExhausted
from memorybank.log import rotation as log
from memorybank.notes import bookmarks
from memorybank.rotation import backups, maintain, retention
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import prune_backups
from memorybank.rotation.undo import undo
from memorybank.rotation.verify import verify
from tests.rotation.rotation_rows import NOW, active, expiring, plan_for, rows, settings, tree

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


EXPIRING = expiring(90)


def low_archive(bank, notes=None, using=EXPIRING):
    layout = bank(notes or {"a.md": "a", "b.md": "b"}, days_old=40).layout
    execute(plan_for(layout, settings=using), layout, FixedClock(NOW))
    return layout


def deleted_on(layout, days, using=EXPIRING):
    """Maintenance on these days after the rotation: {day: number of objects that it deleted}."""
    return {day: len(found) for day in days if (found := maintained(layout, NOW + day * DAY, using).deleted)}


def archived(layout):
    return [each.original_path for each in store.listing(layout)[0]]


def test_nothing_is_ever_deleted_by_default(bank):
    layout = low_archive(bank, using=Settings())
    assert {each.delete_after for each in store.listing(layout)[0]} == {None}
    assert deleted_on(layout, range(0, 2000, 60), Settings()) == {}
    assert sorted(archived(layout)) == ["a.md", "b.md"] and log.read(layout).tombstones == {}


def test_low_objects_are_announced_and_go_after_seven_later_days_with_maintenance(bank):
    layout = low_archive(bank)
    assert maintained(layout, NOW + 90 * DAY - HOUR, EXPIRING).announced == []
    report = maintained(layout, NOW + 90 * DAY, EXPIRING)
    assert len(report.announced) == 2 and report.deleted == []
    assert {line["delete_after"][:10] for line in lines_of(layout) if line["kind"] == "tombstone"} == {"2025-12-23"}
    assert deleted_on(layout, range(91, 99)) == {97: 2}
    assert list(store.names(layout)) == [] and log.read(layout).tombstones == {}
    kinds = [line["kind"] for line in lines_of(layout) if line["kind"] in ("tombstone", "observed") or ("archive_path" in line and line["kind"] == "deleted")]
    assert kinds == ["tombstone"] * 2 + ["observed"] * 7 + ["deleted"] * 2
    assert verify(layout, NOW + 98 * DAY).findings == []


def test_only_days_on_which_maintenance_ran_count(bank):
    layout = low_archive(bank)
    assert deleted_on(layout, range(100, 400, 30)) == {310: 2}, "announced on day 100, seen on 130, 160 … 310"


def test_several_runs_on_one_day_count_once(bank):
    layout = low_archive(bank)
    for hours in range(48):
        assert maintained(layout, NOW + 90 * DAY + hours * HOUR, EXPIRING).deleted == []
    assert {len(tombstone.days) for tombstone in log.read(layout).tombstones.values()} == {2}


@pytest.mark.parametrize("using", [Settings(), EXPIRING], ids=["off", "on"])
def test_a_clock_that_is_ahead_deletes_nothing(bank, using):
    """Not on the first wrong day, not on another one; when it is right again the announcement is taken back."""
    layout = low_archive(bank, using=using)
    for days in (91, 365):
        assert maintained(layout, NOW + days * DAY, using).deleted == []
    assert sorted(archived(layout)) == ["a.md", "b.md"]
    assert maintained(layout, NOW + DAY, using, yes=True).deleted == []
    assert log.read(layout).tombstones == {}
    for days in range(2, 30):
        maintained(layout, NOW + days * DAY, using, yes=True)
    assert sorted(archived(layout)) == ["a.md", "b.md"] and verify(layout, NOW + 30 * DAY).findings == []


def test_no_run_deletes_an_object_and_its_backup(bank):
    """Both are due on the same day: the object goes first, the backup with a later run."""
    using = expiring(1, backup_policy={"backup_retention_days": 8})
    layout = low_archive(bank, using=using)
    assert deleted_on(layout, range(1, 8), using) == {}
    report = maintained(layout, NOW + 8 * DAY, using)
    assert len(report.deleted) == 2 and report.backups.removed == [] and report.backups.findings == []
    assert len(tree(layout.backups)) == 2
    report = maintained(layout, NOW + 8 * DAY + HOUR, using)
    assert len(report.backups.removed) == 2 and report.backups.findings == []


@pytest.mark.parametrize("command", ["maintain", "backup prune"])
def test_a_run_that_finishes_a_deletion_leaves_the_backup(bank, command, monkeypatch):
    """The run before was killed between the object and its sidecar."""
    from memorybank.storage import disk

    using = expiring(1, backup_policy={"backup_retention_days": 8})
    layout = low_archive(bank, {"メモ.md": "メモ"}, using)
    deleted_on(layout, range(1, 8), using)
    honest = disk.remove

    def killed(path):
        if path.endswith(".json"):
            raise KeyboardInterrupt
        honest(path)

    monkeypatch.setattr(disk, "remove", killed)
    with pytest.raises(KeyboardInterrupt):
        maintained(layout, NOW + 8 * DAY, using)
    monkeypatch.undo()
    if command == "maintain":
        assert len(maintained(layout, NOW + 8 * DAY + HOUR, using).recovery.deleted) == 1
    else:
        prune_backups(layout, using, FixedClock(NOW + 8 * DAY + HOUR))
    assert list(store.names(layout)) == [] and len(tree(layout.backups)) == 1
    report = prune_backups(layout, using, FixedClock(NOW + 8 * DAY + 2 * HOUR))
    assert len(report.removed) == 1 and report.findings == []


def test_only_low_objects_go(bank):
    layout = bank({"medium.md": "m"}, days_old=40).layout
    execute(plan_for(layout, 3.0, settings=EXPIRING), layout, FixedClock(NOW))
    assert deleted_on(layout, range(90, 3000, 90)) == {}
    assert len(store.listing(layout)[0]) == 1


def test_bookmarking_an_archived_note_cancels_its_deletion(bank):
    layout = low_archive(bank)
    bookmarking.add(layout, "a.md", "", FixedClock(NOW))
    assert deleted_on(layout, range(100, 120)) == {107: 1}
    assert archived(layout) == ["a.md"]


def test_malformed_bookmarks_cancel_every_deletion(bank):
    layout = low_archive(bank)
    with open(layout.bookmarks, "w") as stream:
        stream.write("[")
    assert deleted_on(layout, range(100, 120)) == {}


def test_switching_it_off_cancels_what_is_announced(bank):
    layout = low_archive(bank)
    assert deleted_on(layout, range(90, 97)) == {}
    assert deleted_on(layout, [97], Settings()) == {} and log.read(layout).tombstones == {}
    assert deleted_on(layout, range(98, 110)) == {105: 2}, "announced again on day 98"


def test_no_other_command_deletes_an_object_that_is_still_there(bank):
    """It was due yesterday and its sidecar is lost; meanwhile a person switched expiry off and rotates."""
    layout = low_archive(bank, {"メモ.md": "メモ"})
    assert deleted_on(layout, range(90, 97)) == {}
    log.append(layout, [log.entry("observed", NOW + 97 * DAY, tombstones=1)], FixedClock(NOW))
    described = store.listing(layout)[0][0]
    os.remove(store.absolute(layout, described.sidecar_path))
    execute(plan_for(layout, now=NOW + 97 * DAY), layout, FixedClock(NOW + 97 * DAY))
    assert archived(layout) == ["メモ.md"] and verify(layout, NOW + 97 * DAY).findings == []
    assert deleted_on(layout, [97], Settings()) == {} and log.read(layout).tombstones == {}


def test_an_object_that_was_archived_while_it_was_off_is_never_deleted(bank):
    """Its sidecar says so, and a sidecar is a promise."""
    layout = low_archive(bank, using=Settings())
    assert deleted_on(layout, range(90, 120)) == {}


def test_a_longer_setting_counts_for_old_objects_and_a_shorter_does_not(bank):
    layout = low_archive(bank)
    objects, _ = store.listing(layout)
    marked = bookmarks.load(layout)
    assert retention.due(objects, marked, expiring(200), NOW + 100 * DAY) == []
    assert retention.due(objects, marked, Settings(), NOW + 3000 * DAY) == []
    assert retention.due(objects, marked, expiring(1), NOW + 80 * DAY) == []
    assert len(retention.due(objects, marked, expiring(1), NOW + 90 * DAY)) == 2


def test_a_bookmark_after_the_announcement_cancels_it(bank):
    layout = low_archive(bank)
    assert deleted_on(layout, range(90, 97)) == {}
    bookmarking.add(layout, "a.md", "", FixedClock(NOW))
    assert deleted_on(layout, range(97, 110)) == {97: 1}
    assert archived(layout) == ["a.md"] and log.read(layout).tombstones == {}


def test_a_tombstone_of_an_earlier_version_waits_too(bank):
    """Without the days in the log it is an announcement like any other, for every command."""
    layout = low_archive(bank)
    objects, _ = store.listing(layout)
    log.append(layout, [log.entry("tombstone", NOW, archive_path=each.object_path, path=each.original_path) for each in objects], FixedClock(NOW))
    execute(plan_for(layout, now=NOW + 95 * DAY), layout, FixedClock(NOW + 95 * DAY))
    prune_backups(layout, EXPIRING, FixedClock(NOW + 95 * DAY))
    assert len(archived(layout)) == 2
    assert deleted_on(layout, range(96, 110)) == {102: 2}


def test_a_missing_object_with_a_young_tombstone_is_reported(bank):
    """Somebody else deleted it: that is not what retention announced."""
    layout = low_archive(bank, {"メモ.md": "メモ"}, expiring(300))
    later = expiring(1)
    path = store.listing(layout)[0][0].object_path
    log.append(layout, [log.entry("tombstone", NOW, archive_path=path, path="メモ.md")], FixedClock(NOW))
    os.remove(store.absolute(layout, path))
    assert "object_missing" in [finding.code for finding in verify(layout, NOW + DAY).findings]
    assert maintained(layout, NOW + DAY, later).recovery.deleted == []


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
