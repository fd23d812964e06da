"""verify recomputes every digest from log lines, sidecars and object bytes, and catches whatever was changed."""

import json
import os

import pytest

from memorybank.archive import store
from memorybank.archive.object import render
from memorybank.clock import DAY, FixedClock
from memorybank.log import rotation as log
from memorybank.rotation.execute import execute
from memorybank.rotation.recover import repair_sidecars
from memorybank.rotation.verify import verify
from tests.rotation.rotation_rows import NOW, expiring, plan_for

pytestmark = pytest.mark.slow

NOTES = {"planning/計画.md": "# 計画\n\n検索を作る。\n", "empty.md": "", "plain.md": "short"}


@pytest.fixture
def rotated(bank):
    scratch = bank(NOTES, days_old=40)
    execute(plan_for(scratch.layout, settings=expiring(90)), scratch.layout, FixedClock(NOW))
    return scratch


def codes(layout, now=NOW):
    return sorted(finding.code for finding in verify(layout, now).findings)


def test_a_sound_archive_has_no_findings_and_verify_changes_nothing(rotated):
    before = rotated.snapshot()
    report = verify(rotated.layout, NOW)
    assert report.findings == [] and report.is_sound
    assert (report.objects, report.sidecars, report.log_lines) == (3, 3, 8)
    assert rotated.snapshot() == before


def test_every_flipped_byte_is_caught(rotated, request):
    """Every third byte of every object and sidecar (every bit of every byte under --all); once with the log, once, more seldom, as a clone that has none."""
    layout = rotated.layout
    masks = (1, 2, 4, 8, 16, 32, 64, 128, 255) if request.config.getoption("--all") else (16,)
    flips = 0
    hidden = layout.log + ".away"
    for with_log in (True, False):
        if not with_log:
            os.rename(layout.log, hidden)
        for path in list(store.names(layout)):
            absolute = store.absolute(layout, path)
            with open(absolute, "rb") as stream:
                data = stream.read()
            for position in range(0, len(data), 1 if len(masks) > 1 else 3 if with_log else 11):
                for mask in masks:
                    with open(absolute, "wb") as stream:
                        stream.write(data[:position] + bytes([data[position] ^ mask]) + data[position + 1 :])
                    assert not verify(layout, NOW).is_sound, f"{path}, byte {position} ^ {mask}"
                    flips += 1
            with open(absolute, "wb") as stream:
                stream.write(data)
        assert verify(layout, NOW).findings == []
    assert flips > (1_000 if len(masks) > 1 else 500)


def test_every_truncation_and_growth_is_caught(rotated, request):
    """Every length under --all, otherwise every third one."""
    stride = 1 if request.config.getoption("--all") else 3
    layout = rotated.layout
    for path in list(store.names(layout)):
        absolute = store.absolute(layout, path)
        with open(absolute, "rb") as stream:
            data = stream.read()
        for cut in (*(data[:length] for length in range(0, len(data), stride)), data + b"\n", data + b"\0", data + data):
            with open(absolute, "wb") as stream:
                stream.write(cut)
            assert not verify(layout, NOW).is_sound, f"{path} cut to {len(cut)}"
        with open(absolute, "wb") as stream:
            stream.write(data)
    assert verify(layout, NOW).findings == []


@pytest.mark.parametrize("with_log", [True, False])
def test_every_deleted_file_is_caught(rotated, with_log):
    layout = rotated.layout
    if not with_log:
        os.rename(layout.log, layout.log + ".away")
    for path in list(store.names(layout)):
        absolute = store.absolute(layout, path)
        os.rename(absolute, absolute + "~away")
        os.rename(absolute + "~away", os.path.join(layout.root, "away"))
        assert codes(layout)[0] in ("object_missing", "sidecar_missing"), path
        os.rename(os.path.join(layout.root, "away"), absolute)
    assert codes(layout) == []


def test_an_object_and_its_sidecar_deleted_together_are_missed_by_the_log(rotated):
    layout = rotated.layout
    for path in list(store.names(layout)):
        if "-plain-" in path:
            os.remove(store.absolute(layout, path))
    assert codes(layout) == ["object_missing"]


def test_swapped_objects_are_caught(rotated):
    layout = rotated.layout
    one, other = [store.absolute(layout, path) for path in store.names(layout) if path.endswith(".zst")][:2]
    os.rename(one, one + "x")
    os.rename(other, one)
    os.rename(one + "x", other)
    assert codes(layout) == ["object_damaged", "object_damaged"]


def test_a_sidecar_with_a_correct_checksum_that_lies_is_caught(rotated):
    """Rewritten with care: only the log still knows better."""
    from hashlib import sha256

    layout = rotated.layout
    path = next(store.absolute(layout, path) for path in store.names(layout) if path.endswith(".json"))
    with open(path, "rb") as stream:
        fields = json.loads(stream.read())
    del fields["checksum"]
    fields["importance"] = 9.9
    fields["checksum"] = sha256(render(fields)).hexdigest()
    with open(path, "wb") as stream:
        stream.write(render(fields))
    assert codes(layout) == ["sidecar_differs"]


def test_stray_files_are_named_and_temps_are_not(rotated):
    layout = rotated.layout
    folder = os.path.dirname(store.absolute(layout, next(iter(store.names(layout)))))
    for name in ("notes.txt", ".mb-tmp-1-1", "lone.md.zst"):
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(b"x")
    assert codes(layout) == ["sidecar_missing", "stray_file"]


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_things_that_are_no_files(rotated, kind):
    layout = rotated.layout
    path = next(store.absolute(layout, path) for path in store.names(layout) if path.endswith(".zst"))
    os.rename(path, layout.root + "/away")
    {"link": lambda: os.symlink(layout.root + "/away", path), "folder": lambda: os.mkdir(path), "fifo": lambda: os.mkfifo(path)}[kind]()
    assert not verify(layout, NOW).is_sound


def test_every_flipped_byte_of_the_log_is_caught(rotated, request):
    """As altered (an error), or, where the end of a line itself is hit, as cut short (a warning)."""
    layout = rotated.layout
    with open(log.path(layout), "rb") as stream:
        data = stream.read()
    warnings = 0
    for position in range(0, len(data), 1 if request.config.getoption("--all") else 7):
        with open(log.path(layout), "wb") as stream:
            stream.write(data[:position] + bytes([data[position] ^ 0x10]) + data[position + 1 :])
        report = verify(layout, NOW)
        assert report.findings, f"byte {position}"
        warnings += report.is_sound
    assert warnings < (90 if request.config.getoption("--all") else 15)


def test_torn_lines_are_warnings(rotated):
    layout = rotated.layout
    with open(log.path(layout), "rb") as stream:
        data = stream.read()
    for cut in range(1, len(data.splitlines(True)[-1])):
        with open(log.path(layout), "wb") as stream:
            stream.write(data[:-cut])
        assert verify(layout, NOW).is_sound, cut
    with open(log.path(layout), "wb") as stream:
        stream.write(data[:-5])
    log.append(layout, [log.entry("evaluated", NOW, trigger="size_based", tree=".")], FixedClock(NOW))
    assert codes(layout) == ["log_line_torn"]


def test_an_expired_object_that_a_colleague_deleted_is_only_a_warning(rotated):
    layout = rotated.layout
    for path in list(store.names(layout)):
        os.remove(store.absolute(layout, path))
    assert codes(layout, NOW + 80 * DAY) == ["object_missing"] * 3
    assert codes(layout, NOW + 91 * DAY) == ["object_expired"] * 3
    assert verify(layout, NOW + 91 * DAY).is_sound


def test_lost_sidecars_are_written_again_from_the_log(rotated):
    layout = rotated.layout
    sidecars = [path for path in store.names(layout) if path.endswith(".json")]
    os.remove(store.absolute(layout, sidecars[0]))
    with open(store.absolute(layout, sidecars[1]), "wb") as stream:
        stream.write(b"{}")
    logged = list(log.read(layout).archived())
    assert sorted(repair_sidecars(layout, logged)) == sorted(sidecars[:2])
    assert codes(layout) == []
    assert repair_sidecars(layout, logged) == []


def test_findings_are_values(rotated):
    layout = rotated.layout
    os.remove(next(store.absolute(layout, path) for path in store.names(layout) if path.endswith(".zst")))
    document = verify(layout, NOW).to_json()
    assert document["sound"] is False
    assert set(document["findings"][0]) == {"code", "level", "path", "message", "next_step"}
    json.dumps(document)
