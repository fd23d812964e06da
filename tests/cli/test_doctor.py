"""doctor: what a person reads, what a program reads, exit codes, and what --fix may do without a question."""

import json
import os

import pytest

from memorybank.doctor.table import CHECKS


@pytest.fixture
def sick(bank, run):
    """A bank with one failure that --fix cannot repair (a damaged list of episodes) and two warnings that it can (an ignore file, a torn tail)."""
    scratch = bank({"planning/a.md": "# A\n", "shared/決定.md": "# 決定\n"}, git=True)
    assert run(scratch, "init").code == 0
    assert run(scratch, "search", "決定").code == 0
    (scratch.root / ".gitignore").write_text("log/\n", encoding="utf-8")
    log = scratch.root / "log" / "operations.jsonl"
    log.write_bytes(log.read_bytes() + b'{"kind"')
    scratch.episodes()
    (scratch.root / "episodes" / "episodic_memory.json").write_text("[", encoding="utf-8")
    return scratch


def levels(result) -> dict[str, str]:
    return {check["id"]: check["level"] for check in json.loads(result.out)["checks"]}


def test_a_bank_after_init_is_healthy(bank, run, compiled):
    scratch = bank({}, git=True)
    run(scratch, "init")
    result = run(scratch, "doctor", "--format", "json")
    said = json.loads(result.out)
    assert result.code == 0 and said["healthy"] is True and {finding["level"] for finding in said["findings"]} <= {"UNKNOWN", "OK"}
    assert sum(said["counts"].values()) == len(CHECKS)


def test_what_fails_is_exit_9_with_the_next_step(sick, run):
    before = sick.snapshot()
    result = run(sick, "doctor")
    assert result.code == 9 and "episodes.readable" in result.out and "memorybank episodes repair" in result.out and "next:" in result.err
    found = levels(run(sick, "doctor", "--format", "json"))
    assert (found["episodes.readable"], found["safety.ignored"], found["log.tails"], found["bank.layout"]) == ("FAIL", "WARN", "WARN", "OK")
    assert sick.snapshot() == before


def test_warnings_alone_are_exit_0_and_strict_makes_them_9(sick, run):
    (sick.root / "episodes" / "episodic_memory.json").unlink()
    assert run(sick, "doctor").code == 0
    strict = run(sick, "doctor", "--strict")
    assert strict.code == 9 and "problems" in strict.err


def test_fix_mends_what_is_derived_and_says_so(sick, run):
    result = run(sick, "doctor", "--fix", "--format", "json")
    said = json.loads(result.out)
    assert result.code == 9, "what no fix is for still fails"
    assert {each["fix"] for each in said["fixed"]} >= {"ignore-lines", "tails"} and not any(each["refused"] for each in said["fixed"])
    found = levels(result)
    assert (found["safety.ignored"], found["log.tails"], found["episodes.readable"]) == ("OK", "OK", "FAIL")
    assert (sick.root / "episodes" / "episodic_memory.json").read_text(encoding="utf-8") == "["
    assert json.loads(run(sick, "doctor", "--fix", "--format", "json").out)["fixed"] == [], "twice equals once"


def test_what_needs_a_question_is_left_without_a_terminal(sick, run, monkeypatch, tmp_path):
    folder = tmp_path / "own" / "memorybank"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "config.json").chmod(0o666)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    result = run(sick, "doctor", "--fix")
    assert "not fixed: own-settings" in result.out and os.stat(folder / "config.json").st_mode & 0o002
    assert "fixed: removed the write permission of other users" in run(sick, "doctor", "--fix", "--yes").out
    assert not os.stat(folder / "config.json").st_mode & 0o022


def test_broken_settings_stop_no_other_check(sick, run):
    sick.configure("rotation", "{")
    result = run(sick, "doctor", "--format", "json")
    found = levels(result)
    assert result.code == 9 and found["config.valid"] == "FAIL" and found["log.tails"] == "WARN"
    assert {each["fix"] for each in json.loads(run(sick, "doctor", "--fix", "--format", "json").out)["fixed"]} >= {"ignore-lines", "tails"}


def test_every_check_is_listed(bank, run):
    scratch = bank({})
    listed = run(scratch, "doctor", "--list")
    assert listed.code == 0 and all(check.id in listed.out for check in CHECKS)
    data = json.loads(run(scratch, "doctor", "--list", "--format", "json").out)
    assert [each["id"] for each in data] == [check.id for check in CHECKS] and all(each["title"] for each in data)


def test_a_page_is_as_wide_as_the_terminal(sick, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (("doctor",), ("doctor", "--list")):
        assert max(map(len, run(sick, *arguments).out.splitlines())) <= 80


def test_of_many_findings_of_one_kind_a_page_shows_the_first(sick, run, monkeypatch):
    """Nobody reads ten thousand cards; JSON for programs lists every finding."""
    for number in range(40):
        (sick.active / "shared" / f"隠れ{number}.md").write_text("# 隠\n\na\u200bb\n", encoding="utf-8")
    every = [finding for finding in json.loads(run(sick, "doctor", "--format", "json").out)["findings"] if finding["id"] == "safety.hidden"]
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("memorybank.cli.output.is_page", lambda: True)
    shown = run(sick, "doctor").out
    assert len(every) == 40 and shown.count(".md:3") == 5 and "35 more of safety.hidden" in shown


def test_a_missing_library_is_told_and_stops_no_other_check(sick, run, monkeypatch):
    """A half installed package is what doctor is asked about."""
    from memorybank.doctor import context as context_of
    from memorybank.doctor import installation

    def missing(name):
        raise ModuleNotFoundError("No module named 'orjson'", name="orjson")

    monkeypatch.setattr(context_of.DoctorContext, "bank", property(missing))
    monkeypatch.setattr(installation.metadata, "requires", lambda name: ["no-such-library>=1"])
    result = run(sick, "doctor", "--format", "json")
    found = levels(result)
    assert result.code == 9 and found["install.libraries"] == "FAIL" and found["log.unaltered"] == "UNKNOWN" and found["log.tails"] == "WARN"
    assert "orjson" in result.out


def test_every_place_of_the_bank_is_told_relative_to_it(sick, run):
    sick.configure("rotation", '{"rotation_polcy": {}}')
    findings = json.loads(run(sick, "doctor", "--format", "json").out)["findings"]
    assert "config/rotation_config.json:1" in [finding["where"] for finding in findings]
    assert not any(finding["where"].startswith(".claude/memory/") for finding in findings)


def test_markdown_is_one_table(sick, run):
    lines = run(sick, "doctor", "--format", "markdown").out.splitlines()
    assert lines[0].startswith("| level | check |") and any("`memorybank" in line or "episodes.readable" in line for line in lines)


@pytest.mark.parametrize("arguments", [("--yes",), ("--list", "--fix"), ("--list", "--strict"), ("--fix", "extra")])
def test_options_that_do_not_belong_together_are_refused(bank, run, arguments):
    assert run(bank({}), "doctor", *arguments).code == 2


def test_without_a_bank_it_says_how_to_make_one(bank, run, tmp_path):
    scratch = bank({})
    scratch.active.rmdir()
    scratch.root.rmdir()
    result = run(scratch, "doctor")
    assert result.code == 3 and "memorybank init" in result.err


def test_a_check_that_cannot_look_says_so_and_stops_no_other(sick, run, monkeypatch):
    from memorybank.doctor import notes
    from memorybank.errors import PermissionRefused

    def refused(context):
        raise PermissionRefused("active/: permission denied")
        yield

    monkeypatch.setattr(notes, "readable", refused)
    result = run(sick, "doctor", "--format", "json")
    found = levels(result)
    assert found["notes.readable"] == "UNKNOWN" and found["log.tails"] == "WARN"
