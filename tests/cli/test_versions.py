"""Versions as a contract: what a newer memorybank wrote is named, and neither repaired, replaced nor called damage, whatever is next to it."""

import json
import shutil
from hashlib import sha256

import pytest

from memorybank.archive import object as objects
from memorybank.archive import store
from memorybank.clock import FixedClock
from memorybank.config import cycle, settings
from memorybank.config import episodes as episode_settings
from memorybank.episodes.entry import Episode
from memorybank.episodes.store import EpisodeStore
from memorybank.log import events, lines
from memorybank.log import key as log_key
from memorybank.storage import versions

NOTES = {f"planning/old-{number}.md": f"# Old plan {number}\n\nnothing of note\n" for number in range(5)} | {"shared/用語集.md": "# 用語集\n\n検索の索引。\n"}
CLOCK = FixedClock(1_758_112_496_789)


@pytest.fixture(scope="module")
def rotated_once(tmp_path_factory):
    """The folder of the repository that `scratch` makes for the first test and copies for the others."""
    return tmp_path_factory.mktemp("rotated") / "repository"


@pytest.fixture
def scratch(bank, run, rotated_once):
    """Six archived notes, and one that a person protects."""
    if rotated_once.exists():
        made = bank()
        shutil.copytree(rotated_once, made.repository, symlinks=True, dirs_exist_ok=True)
        return made
    made = bank(NOTES, days_old=90)
    made.write("shared/kept.md", "---\nrating: 9\n---\n# Kept\n\nThe importer ships in June.\n", days_old=90)
    assert run(made, "rotate", "--yes").code == 0
    assert len(sidecars(made)) == 6
    shutil.copytree(made.repository, rotated_once, symlinks=True)
    return made


def sidecars(bank):
    return sorted((bank.root / "archive/by_date").rglob("*.json"))


def with_version(path, version, **more):
    """Write the sidecar in the format of another version, as that version would: canonical, with its checksum."""
    fields = {**json.loads(path.read_bytes()), "version": version, **more}
    del fields["checksum"]
    fields["checksum"] = sha256(objects.render(fields)).hexdigest()
    path.write_bytes(objects.render(fields))


def newer_line(path, **fields):
    with path.open("ab") as stream:
        stream.write(lines.encode({"kind": "folded_away", "at": "2025-09-17T13:00:00Z", "schema_version": 2, **fields}))


def findings(result):
    return {(found["code"], found["level"]) for found in json.loads(result.out)["findings"]}


NEWER, DAMAGED = ("newer_format", "warning"), ("sidecar_damaged", "error")
MIXES = {
    "all newer": ("newer",) * 6,
    "one newer": ("newer", "own", "own", "own", "own", "own"),
    "newer and damaged": ("newer", "damaged", "own", "newer", "own", "own"),
    "newer and lost": ("newer", "lost", "own", "own", "own", "own"),
    "own": ("own",) * 6,
}


@pytest.mark.parametrize("mix", MIXES.values(), ids=MIXES)
def test_verify_names_what_is_newer_and_repairs_the_rest(scratch, run, mix):
    for path, kind in zip(sidecars(scratch), mix, strict=True):
        if kind == "newer":
            with_version(path, 2, seal="a field of the future")
        elif kind == "damaged":
            path.write_bytes(path.read_bytes().replace(b'"importance"', b'"importancE"'))
        elif kind == "lost":
            path.unlink()
    newer = [path for path, kind in zip(sidecars(scratch), [kind for kind in mix if kind != "lost"], strict=True) if kind == "newer"]
    before = {path: path.read_bytes() for path in newer}
    result = run(scratch, "verify", "--format", "json")
    told = findings(result)
    assert (NEWER in told) == bool(newer)
    assert (DAMAGED in told) == ("damaged" in mix)
    assert result.code == (9 if {"damaged", "lost"} & set(mix) else 0)
    repaired = run(scratch, "verify", "--repair", "--format", "json")
    assert repaired.code == 0 and findings(repaired) == ({NEWER} if newer else set())
    assert {path: path.read_bytes() for path in newer} == before, "never back"


def test_a_version_that_is_damaged_is_damage(scratch, run):
    path = sidecars(scratch)[0]
    path.write_bytes(path.read_bytes().replace(b'"version": 1', b'"version": 9'))
    result = run(scratch, "verify", "--format", "json")
    assert result.code == 9 and findings(result) == {DAMAGED}


@pytest.mark.parametrize("version", [0, -1, "2", None, 1.5])
def test_what_no_version_ever_wrote_is_damage(scratch, run, version):
    with_version(sidecars(scratch)[0], version)
    result = run(scratch, "verify", "--format", "json")
    assert result.code == 9 and findings(result) == {DAMAGED}


def test_an_archived_note_of_a_newer_version_is_named_as_such(scratch, run):
    for path in sidecars(scratch):
        with_version(path, 2)
    for command in (("archive", "show", "planning/old-1.md"), ("archive", "restore", "planning/old-1.md")):
        result = run(scratch, *command)
        assert result.code == 1 and "6 archived notes were written by a newer memorybank" in result.err and "upgrade" in result.err, result.err
    listed = run(scratch, "archive", "list")
    assert listed.code == 0 and "newer memorybank" in listed.err
    found = run(scratch, "doctor")
    assert found.code == 0 and "bank.formats" in found.out and "archive.whole" not in found.out


@pytest.mark.parametrize("command", [("search", "--archive", "plan"), ("list",), ("status",), ("metrics",), ("archive", "list"), ("undo", "--list")])
def test_whoever_reads_is_answered_next_to_newer_files(scratch, run, command):
    with_version(sidecars(scratch)[0], 2)
    newer_line(scratch.root / "log/rotation.jsonl")
    newer_line(scratch.root / "log/access.jsonl")
    result = run(scratch, *command)
    assert result.code == 0, result.err


CHANGES = (
    *(("rotate", "--yes"), ("maintain", "--yes"), ("undo",), ("verify", "--repair")),
    *(("forget", "shared/kept.md", "--yes"), ("archive", "restore", "planning/old-1.md")),
)


def kept(bank):
    """{path: (digest, mtime)} of the notes, the archive and the rotation log."""
    mine = ("active/", "archive/by_date/", "log/rotation.jsonl")
    return {name: state for name, state in bank.snapshot().items() if state[0] and name.startswith(mine)}


@pytest.mark.parametrize("command", CHANGES, ids=lambda command: command[0])
def test_whoever_changes_the_archive_does_not_decide_by_half_a_log(scratch, run, command):
    scratch.write("planning/another.md", "# Another\n\nnothing of note\n", days_old=90)
    newer_line(scratch.root / "log/rotation.jsonl")
    before = kept(scratch)
    result = run(scratch, *command)
    assert result.code == 1 and "newer memorybank" in result.err and "upgrade" in result.err, result.err
    assert kept(scratch) == before


def test_a_leaked_text_is_removed_next_to_newer_lines_only_after_an_upgrade(scratch, run):
    newer_line(scratch.root / "log/rotation.jsonl")
    before = kept(scratch)
    result = run(scratch, "purge", "nothing of note")
    assert result.code == 1 and "newer memorybank" in result.err, result.err
    assert kept(scratch) == before


def test_verify_names_newer_lines_once_for_each_log(scratch, run):
    for _ in range(20):
        newer_line(scratch.root / "log/rotation.jsonl")
    result = run(scratch, "verify", "--format", "json")
    told = json.loads(result.out)["findings"]
    assert result.code == 0 and [found["code"] for found in told] == ["newer_format"]
    assert "19 more" in told[0]["message"] and "upgrade" in told[0]["next_step"]


def test_an_event_log_with_newer_lines_is_whole(scratch, run):
    layout = scratch.layout
    writer = events.EventWriter(layout, log_key.ensure(layout), CLOCK, 4_000)
    line = {
        "id": "e1",
        "schema_version": 1,
        "event": "prompt",
        "timestamp": "2025-09-17T12:00:00Z",
        "session_id": "s1",
        "host": "claude-code",
        "content": "one",
    }
    writer.append("s1", [line])
    path = scratch.root / "log/events/s1.jsonl"
    last = next(iter(events.peek(layout, "s1")))
    with path.open("ab") as stream:
        stream.write(lines.encode({**last, "id": "e2", "schema_version": 2, "signature": "f" * 64, "vector": [1, 2]}))
    writer.append("s1", [{**line, "id": "e3", "content": "three"}])
    assert [line.fields["id"] for line in events.read(layout, "s1.jsonl")] == ["e1", "e3"]
    result = run(scratch, "log", "verify")
    assert result.code == 0 and "newer" in result.out
    doctor = run(scratch, "doctor")
    assert "bank.formats" in doctor.out and "log.events" not in doctor.out


@pytest.mark.parametrize(("version", "is_newer"), [("1.0", False), ("1.9", False), ("2.0", True), ("10.3", True)])
def test_bookmarks_of_a_newer_version_preserve_every_note_and_stay(scratch, run, version, is_newer):
    path = scratch.root / "bookmarks.json"
    path.write_text(json.dumps({"version": version, "bookmarks": [{"path": "shared/kept.md"}], "sets": []}), encoding="utf-8")
    before = path.read_bytes()
    result = run(scratch, "bookmark", "add", "planning/")
    if is_newer:
        assert result.code == 1 and "newer memorybank" in result.err and path.read_bytes() == before
        assert run(scratch, "rotate", "--dry-run").code == 0
        assert "bank.formats" in run(scratch, "doctor").out
    else:
        assert result.code == 0 and json.loads(path.read_bytes())["version"] == version


def test_topics_of_a_newer_version_are_not_set_aside(scratch, run):
    scratch.episodes({"date": "2025-09-10", "summary": "The importer was written."})
    path = scratch.root / "episodes/topic_clusters.json"
    path.write_text(json.dumps({"version": "2.0", "groups": []}), encoding="utf-8")
    before = path.read_bytes()
    result = run(scratch, "episodes", "topics", "update")
    assert result.code == 1 and "newer memorybank" in result.err and "upgrade" in result.err
    assert path.read_bytes() == before and list(path.parent.glob("*.broken-*")) == []


def test_a_policy_of_a_newer_version_is_neither_in_force_nor_overtaken(scratch, run):
    newer_line(scratch.root / "log/policy.jsonl", version=7, prev="", signature="f" * 64)
    assert run(scratch, "policy", "show").code == 0
    result = run(scratch, "policy", "set", "top_k", "3")
    assert result.code == 1 and "newer memorybank" in result.err, result.err


def test_the_object_of_a_newer_sidecar_is_never_removed(scratch, run):
    path = sidecars(scratch)[0]
    with_version(path, 2)
    described = path.with_suffix(".md.zst")
    assert run(scratch, "maintain", "--yes").code == 0
    assert path.exists() and described.exists()
    assert store.listing(scratch.layout)[1][0].code == "newer_format"


DAYS = [{"date": "2025-09-10", "summary": "The importer was written."}, {"date": "2025-09-11", "summary": "索引を作り直した。"}]
LIST = "episodes/episodic_memory.json"


def listed(bank, version, **more):
    """Write the list of episodes inside an object that carries a version."""
    path = bank.root / LIST
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"version": version, **more, "episodes": DAYS}, ensure_ascii=False), encoding="utf-8")
    return path


READS_EPISODES = (("episodes", "list"), ("episodes", "show", "2025-09-10"), ("search", "importer", "--kind", "episode"), ("status",), ("doctor",))


@pytest.mark.parametrize("command", READS_EPISODES, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("version", ["1.0", "1.7", "2.0", 3])
def test_episodes_of_any_version_are_read(scratch, run, version, command):
    path = listed(scratch, version, layers=["by the future"])
    before = path.read_bytes()
    result = run(scratch, *command)
    assert result.code == 0, result.err
    assert command[0] in ("status", "doctor") or "2025-09-10" in result.out
    assert path.read_bytes() == before


WRITES_EPISODES = (("update",), ("repair",), ("compact",), ("topics", "update"))


@pytest.mark.parametrize("command", WRITES_EPISODES, ids=" ".join)
def test_a_newer_list_of_episodes_is_never_changed(scratch, run, command):
    path = listed(scratch, "2.0", layers=["by the future"])
    before = path.read_bytes()
    result = run(scratch, "episodes", *command)
    assert result.code == 1 and "newer memorybank (version 2.0)" in result.err and "upgrade" in result.err, result.err
    assert path.read_bytes() == before and sorted(each.name for each in path.parent.iterdir()) == [path.name]
    found = run(scratch, "doctor")
    assert "bank.formats" in found.out and "the list of episodes was written by a newer memorybank" in found.out and "episodes.readable" not in found.out


def test_a_leaked_text_in_newer_episodes_is_removed_only_after_an_upgrade(scratch, run):
    path = listed(scratch, "2.0")
    before = path.read_bytes(), kept(scratch)
    result = run(scratch, "purge", "The importer was written")
    assert result.code == 1 and "newer memorybank" in result.err and (path.read_bytes(), kept(scratch)) == before
    assert run(scratch, "purge", "nothing of note").code != 1, "a text elsewhere does not concern the list"


@pytest.mark.parametrize("version", [None, "1.0", "1.7"])
def test_a_list_of_this_version_keeps_its_form_and_what_is_unknown(scratch, run, version):
    path = listed(scratch, version, layers=["of another release"]) if version else scratch.root / LIST
    if not version:
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(DAYS), encoding="utf-8")
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: [*known, Episode({"date": "2025-09-12", "summary": "new"})])
    found = json.loads(path.read_bytes())
    entries = found["episodes"] if version else found
    assert [entry["date"] for entry in entries] == ["2025-09-10", "2025-09-11", "2025-09-12"]
    assert not version or (found["version"], found["layers"]) == (version, ["of another release"])


def test_newer_and_older_sides_of_a_conflict_are_read_and_not_joined(scratch, run):
    path = listed(scratch, "2.0")
    path.write_text(f"<<<<<<< ours\n{json.dumps(DAYS)}\n=======\n{path.read_text(encoding='utf-8')}\n>>>>>>> theirs\n", encoding="utf-8")
    before = path.read_bytes()
    assert run(scratch, "episodes", "list").code == 0
    result = run(scratch, "episodes", "repair")
    assert result.code == 1 and "newer memorybank" in result.err and path.read_bytes() == before


def configured(bank, name, version, **values):
    path = bank.root / f"config/{name}_config.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"version": version, **values}), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["scoring", "rotation", "index", "cycle", "episodes"])
@pytest.mark.parametrize("values", [{"of_the_future": {"a": 1}}, {"timezone": 7, "rotation_strategy": [], "budgets": "all", "scoring_algorithm": None}])
def test_newer_settings_are_named_and_stop_no_reader(scratch, run, name, values):
    path = configured(scratch, name, "2.0", **values)
    before = path.read_bytes()
    for command in (("search", "plan"), ("list",), ("status",), ("config", "show"), ("doctor",)):
        result = run(scratch, *command)
        assert result.code == 0, (command, result.err)
    assert "bank.formats" in result.out and "config.valid" not in result.out and "config.effective" not in result.out
    told = json.loads(run(scratch, "config", "validate", "--format", "json").out)
    assert [problem["code"] for problem in told] == ["newer_format"] and "version 2.0" in told[0]["message"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", ["1.0", "1.7", 1, None])
def test_settings_of_this_version_are_in_force(scratch, run, version):
    configured(scratch, "episodes", version, lookback="2w")
    assert json.loads(run(scratch, "config", "validate", "--format", "json").out) == []
    assert settings.load(scratch.layout).episodes.lookback == "2w"


def test_newer_settings_are_not_written(scratch, run):
    path = configured(scratch, "episodes", "2.0", lookback="2w")
    before = path.read_bytes()
    result = run(scratch, "episodes", "lookback", "3")
    assert result.code == 1 and "newer memorybank (version 2.0)" in result.err and "upgrade" in result.err and path.read_bytes() == before
    older = configured(scratch, "episodes", "1.3", lookback="2w", of_another_release=1)
    assert run(scratch, "episodes", "lookback", "3").code == 0
    assert json.loads(older.read_bytes()) == {"version": "1.3", "lookback": "3", "of_another_release": 1}


@pytest.mark.parametrize("command", CHANGES[:2], ids=lambda command: command[0])
def test_nobody_archives_by_rules_that_only_a_newer_version_knows(scratch, run, command):
    scratch.write("planning/another.md", "# Another\n\nnothing of note\n", days_old=90)
    configured(scratch, "rotation", "2.0")
    before = kept(scratch)
    result = run(scratch, *command)
    assert result.code == 1 and "newer memorybank" in result.err, result.err
    assert kept(scratch) == before


def test_newer_settings_of_the_hooks_are_off(scratch):
    """They may restrict what is recorded or shown in a way that this release does not know."""
    configured(scratch, "cycle", "2.0")
    found, faults = cycle.load(scratch.layout)
    assert found == cycle.OFF and [fault.code for fault in faults] == ["newer_format"]
    configured(scratch, "episodes", "2.0")
    assert episode_settings.load(scratch.layout) is None


def test_sources_of_a_newer_version_are_read_and_not_written(scratch, run):
    (scratch.root.parent.parent / "docs").mkdir()
    (scratch.root.parent.parent / "docs/guide.md").write_text("# Guide\n", encoding="utf-8")
    path = configured(scratch, "sources", "2.0", sources=[], layers=1)
    before = path.read_bytes()
    result = run(scratch, "adopt", "--from", str(scratch.root.parent.parent / "docs"), "--yes")
    assert result.code == 1 and "newer memorybank" in result.err, (result.out, result.err)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("version", "is_newer"), [(None, 0), (1, 0), ("1.9", 0), ("2", 1), ("2.0", 1), (2, 1), ("10.0", 1), (True, 0), ("newest", 0), ([2], 0), ("", 0)]
)
def test_what_counts_as_newer(version, is_newer):
    assert bool(versions.newer(version)) == bool(is_newer)
