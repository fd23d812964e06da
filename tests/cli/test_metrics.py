"""metrics: numbers for people, programs and Prometheus."""

import json
import os
import shutil
import subprocess
import sys

import pytest

NOTES = {"shared/kettle.md": "# The copper kettle\n\nDescale first.\n", "共有/索引.md": "# 索引\n\n検索の索引。\n"}


def test_a_table_names_every_metric_and_says_what_is_unknown(bank, run):
    result = run(bank(), "metrics")
    assert result.code == 0 and len([line for line in result.out.splitlines() if line.startswith(("total_", "active_", "archived_"))]) == 4
    assert "unknown: nothing has been rotated yet" in result.out and result.out.endswith("no alert is active\n")


def test_a_small_bank_is_not_shown_as_a_power_of_ten(bank, run):
    """Sixty bytes are 0.000057 MiB, not 5.7e-05."""
    out = run(bank({"a.md": "# A\n" + "x" * 56}), "metrics").out
    assert " 0.000057  MiB" in out and "e-05" not in out


def test_json_is_the_document(bank, run):
    scratch = bank(NOTES)
    run(scratch, "search", "kettle")
    result = run(scratch, "metrics", "--format", "json")
    assert json.loads(result.out) == json.loads((scratch.root / "metadata/analytics.json").read_text(encoding="utf-8"))


def test_a_file_is_written_whole_and_nothing_is_printed(bank, run):
    scratch = bank(NOTES)
    target = scratch.repository / "memorybank.prom"
    target.write_text("old")
    result = run(scratch, "metrics", "--format", "prometheus", "--output", "memorybank.prom")
    assert (result.code, result.out) == (0, "")
    assert 'memorybank_notes{repository="repository1",state="active"} 2\n' in target.read_text(encoding="utf-8")
    assert [path.name for path in scratch.repository.iterdir() if path.name.startswith(".mb-tmp")] == []


@pytest.mark.parametrize("form", ["table", "markdown", "json", "prometheus"])
def test_every_form_goes_into_a_file(bank, run, form):
    scratch = bank(NOTES)
    scratch.configure("rotation", '{"rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 0.00001}}}}')
    assert run(scratch, "metrics", "--format", form, "--output", "out").code == 0
    text = (scratch.repository / "out").read_text(encoding="utf-8")
    assert text.endswith("\n") and "storage_high" in text


def test_a_folder_that_is_not_there_is_said(bank, run):
    scratch = bank(NOTES)
    result = run(scratch, "metrics", "--output", "nowhere/at/all.prom")
    assert result.code == 3 and "nowhere/at" in result.err and run(scratch, "metrics", "--output", ".").code == 2


def test_only_a_file_is_replaced(bank, run):
    """Not a pipe, nor a device such as /dev/null: who may write there could take it from everybody. A link stays a link."""
    scratch = bank(NOTES)
    pipe, link = scratch.repository / "pipe", scratch.repository / "link.prom"
    os.mkfifo(pipe)
    refused = run(scratch, "metrics", "--output", "pipe")
    assert refused.code == 2 and "not a file" in refused.err and pipe.is_fifo()
    (scratch.repository / "sub").mkdir()
    link.symlink_to("sub/real.prom")
    for _ in range(2):
        assert run(scratch, "metrics", "--format", "prometheus", "--output", "link.prom").code == 0
        assert link.is_symlink() and (scratch.repository / "sub/real.prom").read_text(encoding="utf-8").startswith("# HELP")


def test_alerts_come_with_what_to_do(bank, run, monkeypatch):
    scratch = bank(NOTES)
    scratch.configure("rotation", '{"rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 0.00001}}}}')
    for columns in ("", "70"):
        monkeypatch.setenv("COLUMNS", columns)
        out = run(scratch, "metrics").out
        assert "1 alert" in out and "storage_high" in out and "memorybank rotate" in out
        assert not columns or max(map(len, out.splitlines())) <= 70


@pytest.mark.full
def test_promtool_accepts_the_text(bank, run):
    """`scripts/test --all` takes it out of Debian's package when it is not there."""
    promtool = shutil.which("promtool", path=os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"])))
    assert promtool, "promtool is not installed (Debian: prometheus)"
    scratch = bank(NOTES, days_old=90)
    for arguments in (["index"], ["search", "kettle"], ["rotate", "--yes"], ["search", "索引"]):
        run(scratch, *arguments)
    text = run(scratch, "metrics", "--format", "prometheus").out
    done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert "memorybank_rotation_efficiency_ratio" in text
