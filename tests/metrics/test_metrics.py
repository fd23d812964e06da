"""Every metric follows from what real commands left behind, and from nothing else."""

import json
import os
import shutil

import pytest
from prometheus_client import parser

from memorybank.bank import Bank
from memorybank.clock import DAY, HOUR, isoformat
from memorybank.errors import LockTimeout, NotFound, UsageError, ValidationFailed
from memorybank.index import check, files
from memorybank.log import operations
from memorybank.metrics import analytics, prometheus
from memorybank.metrics.measure import GROUPS

NOW = 1_758_112_496_789
NOTES = {
    "planning/old.md": "old\n" * 200,
    "shared/古いメモ.md": "古い。\n" * 200,
    "shared/kept.md": "---\nrating: 9\n---\n# Kept\n\nThe staging database.\n",
    "shared/copy.md": "# Index\n\n検索の索引は毎晩作り直す。\nIt is rebuilt every night.\n",
    "sync/copy.md": "# Index\n\n検索の索引は毎晩作り直す。\nIt is rebuilt every night.\n",
}


@pytest.fixture
def opened(bank, fixed_clock):
    """(scratch, Bank) of a bank with everything behind it: searches, updates, a rotation, a restore."""
    scratch = bank(NOTES, days_old=90)
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    bank.index.update()
    bank.search("staging")
    bank.search("検索")
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    fixed_clock.instant += HOUR
    return scratch, bank


def stored(scratch) -> dict:
    return json.loads((scratch.root / "metadata/analytics.json").read_text(encoding="utf-8"))


def test_the_thirteen_metrics_under_the_names_of_the_specification(opened):
    _, bank = opened
    told = bank.metrics.read().metrics.to_json()
    assert {group: tuple(names) for group, names in told.items()} == GROUPS
    assert sum(map(len, told.values())) == 13


def test_the_numbers_are_those_of_the_files(opened):
    scratch, bank = opened
    report = bank.metrics.read()
    active = [path for path in scratch.active.rglob("*.md")]
    objects = [path for path in (scratch.root / "archive/by_date").rglob("*") if path.suffix in (".zst", ".md")]
    metrics = report.metrics
    assert (metrics.active_files, metrics.archived_files, metrics.total_files) == (len(active), len(objects), len(NOTES)) and objects
    assert metrics.total_size_mb == round(sum(path.stat().st_size for path in active + objects) / 1_048_576, 6)
    plain = sum(len(text.encode()) for key, text in NOTES.items() if not (scratch.active / key).exists())
    assert metrics.compression_ratio == round(plain / sum(path.stat().st_size for path in objects), 4) > 1
    assert sum(metrics.score_distribution.values()) == metrics.active_files
    assert metrics.rotation_efficiency == 1.0


def test_what_is_not_known_is_null_never_zero(bank, fixed_clock):
    told = Bank.open(str(bank().root), clock=fixed_clock).metrics.read().metrics
    unknown = {name for names in GROUPS.values() for name in names if getattr(told, name) is None}
    assert unknown == {
        *("search_requests_per_hour", "average_search_time_ms", "cache_hit_ratio", "index_update_frequency"),
        *("average_importance_score", "rotation_efficiency", "duplicate_ratio"),
    }
    assert (told.total_files, told.compression_ratio) == (0, 1.0)


def test_duplicates_are_a_share_of_active_notes(bank, fixed_clock):
    scratch = bank(NOTES, days_old=1)
    assert Bank.open(str(scratch.root), clock=fixed_clock).metrics.read().metrics.duplicate_ratio == 0.2


def test_searches_of_the_last_hour(opened, fixed_clock):
    _, bank = opened
    assert bank.metrics.read().metrics.search_requests_per_hour == 0
    bank.search("staging")
    assert bank.metrics.read().metrics.search_requests_per_hour == 1
    fixed_clock.instant += HOUR
    metrics = bank.metrics.read().metrics
    assert metrics.search_requests_per_hour == 0 and metrics.average_search_time_ms is not None


def test_without_everything_derived_a_rebuild_gives_the_same_bytes(opened):
    """Delete metadata/, indexes/ and the cache, rebuild: the document is the same."""
    scratch, bank = opened
    bank.metrics.update()
    before = (scratch.root / "metadata/analytics.json").read_bytes()
    for name in ("metadata", "indexes", "cache"):
        shutil.rmtree(scratch.root / name)
    bank.index.rebuild()
    assert (scratch.root / "metadata/analytics.json").read_bytes() == before
    bank.index.rebuild(as_of=isoformat(NOW))
    assert stored(scratch)["memory_bank_metrics"]["access_metrics"]["search_requests_per_hour"] == 2, "as it was known then"


def test_a_partial_rotation_is_as_efficient_as_what_left(opened, fixed_clock):
    """The plan named three notes; one was edited before it could leave."""
    scratch, bank = opened
    texts = {f"planning/{name}.md": f"{name}\n" * 50 for name in "abc"}
    for key, text in texts.items():
        scratch.write(key, text, days_old=80)
    planned = bank.rotation.plan()
    scratch.write("planning/a.md", "another text\n")
    bank.rotation.execute(planned, yes=True)
    named = {decision.key: decision.size for decision in planned.leaving}
    assert bank.metrics.read().metrics.rotation_efficiency == round((sum(named.values()) - named["planning/a.md"]) / sum(named.values()), 4)


def test_a_rotation_that_was_killed_counts_with_what_it_got_done(opened, monkeypatch):
    scratch, bank = opened
    for name in "ab":
        scratch.write(f"planning/{name}.md", f"{name}\n" * 50, days_old=80)
    monkeypatch.setattr("memorybank.rotation.execute._Run._end", lambda self: None)
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    assert bank.metrics.read().metrics.rotation_efficiency == 1.0
    assert all(rotation.end is not None or rotation.moved for rotation in bank.rotation.history())


def test_metrics_index_and_maintain_write_the_document_and_reading_does_not(opened, fixed_clock):
    scratch, bank = opened
    path = scratch.root / "metadata/analytics.json"
    for write in (bank.metrics.update, bank.index.update, bank.rotation.maintain, bank.index.rebuild):
        path.unlink(missing_ok=True)
        write()
        assert stored(scratch)["version"] == "1.0.0", write
    path.unlink()
    for read in (bank.metrics.read, bank.status, bank.scores.score, lambda: bank.search("staging"), bank.rotation.plan, bank.index.check):
        read()
        assert not path.exists(), read


def ended(scratch, clock) -> None:
    """A session that ends, as Claude Code reports it."""
    from memorybank.cycle.base import describe
    from memorybank.cycle.router import HookRouter
    from memorybank.hosts.detect import detect

    common = {"session_id": "tea-1", "cwd": str(scratch.repository), "transcript_path": "/nowhere.jsonl"}
    for more in ({"hook_event_name": "UserPromptSubmit", "prompt": "Brew the tea."}, {"hook_event_name": "SessionEnd", "reason": "other"}):
        clock.instant += 1_000
        dialect = detect({**common, **more}, {"CLAUDECODE": "1"}, None)
        event = dialect.to_event({**common, **more}, {"CLAUDECODE": "1"}, None)
        router = HookRouter(describe(scratch.layout, clock), dialect.delivers)
        router.answer(event)
        router.finish(event)


def test_the_end_of_a_session_is_an_update_and_writes_the_document(opened, fixed_clock):
    scratch, _ = opened
    (scratch.root / "metadata/analytics.json").unlink()
    scratch.write("planning/new.md", "# 新しい\n")
    ended(scratch, fixed_clock)
    assert [line["mode"] for line in lines_of(scratch, "index")] == ["incremental", "session_end"]
    assert stored(scratch)["memory_bank_metrics"]["access_metrics"]["index_update_frequency"] == 2


def test_the_end_of_a_session_writes_the_document_also_where_nothing_is_published(opened, fixed_clock):
    """As `index` does: the switch is about the four documents of the index."""
    scratch, _ = opened
    scratch.configure("index", '{"publish": {"after_update": false}}')
    shutil.rmtree(scratch.root / "indexes")
    (scratch.root / "metadata/analytics.json").unlink()
    scratch.write("planning/new.md", "# 新しい\n")
    ended(scratch, fixed_clock)
    assert stored(scratch)["memory_bank_metrics"]["storage_metrics"]["active_files"] > 0
    assert not (scratch.root / "indexes").exists()


def test_maintenance_at_the_end_of_a_session_is_measured(opened, fixed_clock):
    """What it archived is in the document, and it is an operation like any other."""
    scratch, _ = opened
    scratch.configure("cycle", '{"maintain_at_session_end": true}')
    before = stored(scratch)["memory_bank_metrics"]["storage_metrics"]
    scratch.write("planning/老い.md", "x\n" * 200, days_old=200)
    fixed_clock.instant += 8 * DAY
    ended(scratch, fixed_clock)
    assert [line["ok"] for line in lines_of(scratch, "maintain")] == [True]
    told = stored(scratch)["memory_bank_metrics"]["storage_metrics"]
    objects = [path for path in (scratch.root / "archive/by_date").rglob("*.zst")]
    assert told["archived_files"] == len(objects) > before["archived_files"]


def test_an_end_that_cannot_update_the_index_is_a_failure(opened, fixed_clock, monkeypatch):
    scratch, _ = opened
    monkeypatch.setattr("memorybank.cycle.finish.upkeep.fold", lambda *_, **__: (_ for _ in ()).throw(ValidationFailed("broken")))
    ended(scratch, fixed_clock)
    assert [(line["mode"], line["ok"]) for line in lines_of(scratch, "index")][-1] == ("session_end", False)


def test_the_document_is_what_is_returned(opened):
    scratch, bank = opened
    assert stored(scratch) != analytics.document(bank.metrics.update()) == stored(scratch)


def test_a_bank_that_cannot_be_written_is_measured_all_the_same(opened):
    scratch, _ = opened
    before = scratch.snapshot()
    report = Bank.open(str(scratch.root), read_only=True).metrics.update()
    assert report.metrics.total_files == len(NOTES) and scratch.snapshot() == before


def lines_of(scratch, kind: str) -> list[dict]:
    return [fields for fields in operations.read(scratch.layout) if fields["kind"] == kind]


def test_an_alert_that_rises_and_clears_has_a_line_each(bank, fixed_clock):
    """Also when many commands look at it in between; since is when it rose."""
    scratch = bank({"shared/a.md": "# A\n\n" + "long\n" * 3000})
    config = scratch.configure("rotation", '{"rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 0.01}}}}')
    for _ in range(3):
        Bank.open(str(scratch.root), clock=fixed_clock).metrics.update()
        fixed_clock.instant += HOUR
    [alert] = stored(scratch)["alerts"]
    assert (alert["id"], alert["since"]) == ("storage_high", "2025-09-17T12:34:56.789Z") and alert["value"] > alert["limit"] > 0
    config.unlink()
    for _ in range(2):
        Bank.open(str(scratch.root), clock=fixed_clock).index.update()
    assert [(line["id"], line["raised"]) for line in lines_of(scratch, "alert")] == [("storage_high", True), ("storage_high", False)]
    assert stored(scratch)["alerts"] == []


def test_slow_searches_raise_an_alert_at_the_limit_that_is_set(bank, fixed_clock):
    scratch = bank({"shared/a.md": "# A\n"})
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    for _ in range(10):
        operations.record(scratch.layout, "search", milliseconds=250, ok=True, clock=fixed_clock)
    assert [alert.id for alert in opened.metrics.read().alerts] == ["search_slow"]
    scratch.configure("index", '{"monitoring": {"search_mean_ms": 300}}')
    assert Bank.open(str(scratch.root), clock=fixed_clock).metrics.read().alerts == ()


def test_three_failed_updates_raise_an_alert_and_a_good_one_clears_it(bank, fixed_clock, monkeypatch):
    scratch = bank({"shared/索引.md": "# 索引\n"})
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.index.update()
    with monkeypatch.context() as broken:
        broken.setattr("memorybank.bank.indexes.fold", lambda *_, **__: (_ for _ in ()).throw(ValidationFailed("broken")))
        for _ in range(3):
            with pytest.raises(ValidationFailed):
                opened.index.update()
    assert [alert.id for alert in opened.metrics.update().alerts] == ["index_failing"]
    opened.index.update()
    assert opened.metrics.read().alerts == () and [line["raised"] for line in lines_of(scratch, "alert")] == [True, False]


def test_a_wrong_question_and_a_lock_of_others_are_no_failures(bank, fixed_clock, monkeypatch):
    scratch = bank({"shared/a.md": "# A\n"})
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    for wrong in (("selective", ["nowhere.md"]), ("sideways",)):
        with pytest.raises((NotFound, UsageError)):
            opened.index.update(*wrong)
    monkeypatch.setattr("memorybank.bank.indexes.fold", lambda *_, **__: (_ for _ in ()).throw(LockTimeout("busy")))
    with pytest.raises(LockTimeout):
        opened.index.update()
    assert lines_of(scratch, "index") == []


def test_a_mismatch_that_another_look_does_not_mend_is_an_alert(opened, monkeypatch):
    scratch, bank = opened
    scratch.write("shared/first.md", "# A note that the fold has to add\n")
    real = check.against_disk
    monkeypatch.setattr(check, "against_disk", lambda index: [*real(index), "a difference"])
    assert [alert.id for alert in bank.metrics.read().alerts] == ["index_mismatch"]


def test_a_note_saved_while_it_is_measured_is_no_mismatch(opened, monkeypatch):
    """The first look differs; the fold that follows mends it."""
    scratch, bank = opened
    scratch.write("shared/first.md", "# A note that the fold has to add\n")
    real = check.against_disk
    looks = []

    def meanwhile(index):
        if not looks:
            scratch.write("shared/new.md", "# 新しい\n")
        looks.append(1)
        return real(index)

    monkeypatch.setattr(check, "against_disk", meanwhile)
    assert bank.metrics.read().alerts == () and len(looks) == 2


def test_what_the_fold_has_just_compared_is_not_compared_again(opened, monkeypatch):
    _, bank = opened
    bank.metrics.read()
    real, sweeps = files.sweep, []
    monkeypatch.setattr(files, "sweep", lambda index: sweeps.append(1) or real(index))
    assert bank.metrics.read().alerts == () and sweeps == [1]


def test_tables_that_disagree_are_an_alert_although_no_file_changed(opened):
    _, bank = opened
    with bank.opened() as index:
        index.connection.execute("DELETE FROM tokens WHERE id = (SELECT min(id) FROM notes)")
    assert [alert.id for alert in bank.metrics.read().alerts] == ["index_mismatch"]


def test_linked_worktrees_have_alerts_of_their_own_in_one_log(bank, fixed_clock):
    scratch = bank({"shared/a.md": "# A\n"}, git=True)
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "a")
    other = scratch.repository.parent / "linked"
    scratch.git("worktree", "add", "-q", str(other))
    linked = Bank.open(str(other / ".claude/memory"), clock=fixed_clock)
    for _ in range(3):
        operations.record(linked.layout, "index", milliseconds=1, ok=False, clock=fixed_clock)
    assert [alert.id for alert in linked.metrics.update().alerts] == ["index_failing"]
    assert Bank.open(str(scratch.root), clock=fixed_clock).metrics.update().alerts == ()
    assert [line["tree"] for line in lines_of(scratch, "alert")] == [os.path.relpath(linked.layout.root, scratch.layout.root)]


def families(text: str) -> dict:
    """The text as the library of Prometheus reads it: {family: what it says}."""
    return {family.name: family for family in parser.text_string_to_metric_families(text)}


def samples(text: str) -> dict[tuple[str, frozenset], float]:
    return {(sample.name, frozenset(sample.labels.items())): sample.value for family in families(text).values() for sample in family.samples}


def test_the_text_for_prometheus_says_the_same_numbers(opened):
    _, bank = opened
    report = bank.metrics.read()
    found = samples(prometheus.render(report, "倉庫"))
    metrics = report.metrics

    def value(name: str, **labels: str) -> float:
        return found[name, frozenset({"repository": "倉庫", **labels}.items())]

    assert value("memorybank_notes", state="active") == metrics.active_files
    assert value("memorybank_archive_compression_ratio") == metrics.compression_ratio
    assert value("memorybank_search_requests_total") == 2
    assert value("memorybank_search_time_seconds_bucket", le="+Inf") == value("memorybank_search_time_seconds_count") == 2
    assert value("memorybank_alert", id="storage_high", level="warn") == 0


def test_the_histogram_never_falls_and_every_family_has_help_and_type(opened):
    _, bank = opened
    text = prometheus.render(bank.metrics.read(), "r")
    buckets = [value for (name, _), value in samples(text).items() if name.endswith("_bucket")]
    assert buckets == sorted(buckets) and buckets[-1] == 2
    kinds = {name: family.type for name, family in families(text).items()}
    assert kinds["memorybank_search_requests"] == kinds["memorybank_index_updates"] == "counter"
    assert kinds["memorybank_search_time_seconds"] == "histogram" and "unknown" not in kinds.values()
    assert all(family.documentation for family in families(text).values()) and len(kinds) == text.count("# TYPE") == text.count("# HELP")


def test_what_is_unknown_has_no_sample(bank, fixed_clock):
    text = prometheus.render(Bank.open(str(bank().root), clock=fixed_clock).metrics.read(), "r")
    for name in ("search_requests", "search_time", "cache_hit", "index_updates", "importance_score", "rotation_efficiency", "duplicate"):
        assert f"memorybank_{name}" not in text


def test_labels_are_escaped_as_the_format_wants_them(bank, fixed_clock):
    text = prometheus.render(Bank.open(str(bank().root), clock=fixed_clock).metrics.read(), 'a"b\\c\nd\udcff')
    assert {dict(labels)["repository"] for _, labels in samples(text)} == {'a"b\\c\nd?'}


def test_a_long_log_is_read_once_and_kept_in_little_memory(opened):
    scratch, bank = opened
    with open(operations.path(scratch.layout), "rb") as stream:
        line = next(raw for raw in stream if b'"search"' in raw)
    with open(operations.path(scratch.layout), "ab") as stream:
        stream.write(line * 2_000)
    usage = bank.metrics.read().usage
    assert usage.searches == 2_002 and len(usage.recent_searches) == len(usage.looks) == 100


def test_a_year_later_nothing_stands_still(opened, fixed_clock):
    """Windows move with the clock, totals do not."""
    _, bank = opened
    before = bank.metrics.read()
    fixed_clock.instant += 300 * DAY
    after = bank.metrics.read()
    assert after.usage.searches == before.usage.searches and after.metrics.index_update_frequency == 0 < before.metrics.index_update_frequency
