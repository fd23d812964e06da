"""verify: a reassuring report when everything is intact, exit code 9 with every finding when it is not, and never a change."""

import json

import pytest

NOTES = {"planning/old.md": "# Old\n", "shared/古いメモ.md": "古いメモ。\n"}


def test_a_whole_archive_is_told_in_counts(rotated, run):
    before = rotated.snapshot()
    result = run(rotated, "verify")
    words = " ".join(result.out.split())
    assert result.code == 0 and "2 intact" in words and "findings none" in words and result.err == ""
    assert json.loads(run(rotated, "verify", "--format", "json").out)["sound"] is True
    assert rotated.snapshot() == before


def test_an_empty_bank_is_sound(bank, run):
    scratch = bank({})
    before = scratch.snapshot()
    assert run(scratch, "verify").code == 0
    assert scratch.snapshot() == before


def test_every_finding_is_listed_with_the_next_step(rotated, run):
    """One object is damaged, another deleted."""
    first, second = sorted(rotated.root.glob("archive/by_date/**/*.zst"))
    first.write_bytes(first.read_bytes()[:-1] + b"\x00")
    second.unlink()
    before = rotated.snapshot()
    result = run(rotated, "verify")
    assert result.code == 9 and first.name.removesuffix(".md.zst") in result.out and second.name in result.out and "next:" in result.err
    found = json.loads(run(rotated, "verify", "--format", "json").out)
    assert found["sound"] is False and {"object_damaged", "object_missing"} <= {each["code"] for each in found["findings"]}
    assert all(each["next_step"] for each in found["findings"])
    assert rotated.snapshot() == before


def test_warnings_alone_are_exit_0(rotated, run):
    (rotated.root / "archive" / "by_date" / "memo.txt").write_text("stray", encoding="utf-8")
    result = run(rotated, "verify")
    assert result.code == 0 and "stray_file" in result.out


@pytest.mark.parametrize("harm", ["missing", "damaged"])
def test_a_lost_sidecar_comes_back_from_the_log(rotated, run, harm):
    sidecar = next(rotated.root.glob("archive/by_date/**/*.json"))
    whole = sidecar.read_bytes()
    if harm == "missing":
        sidecar.unlink()
    else:
        sidecar.write_bytes(whole[:-2])
    refused = run(rotated, "verify")
    assert refused.code == 9 and "memorybank verify --repair" in refused.out
    repaired = run(rotated, "verify", "--repair")
    assert repaired.code == 0 and "1 sidecar recreated" in repaired.err
    assert sidecar.read_bytes() == whole


def test_every_error_says_what_to_do(rotated, run):
    log = rotated.root / "log/rotation.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"kind":"archived"', b'"kind":"archivee"', 1))
    result = run(rotated, "verify", "--format", "json")
    findings = json.loads(result.out)["findings"]
    assert result.code == 9 and "log_line_altered" in {each["code"] for each in findings}
    assert all(each["next_step"] for each in findings if each["level"] == "error")


def test_a_clone_that_has_only_the_archive_verifies(rotated, bank, run):
    import shutil

    clone = bank({})
    shutil.copytree(rotated.root / "archive", clone.root / "archive")
    result = run(clone, "verify")
    assert result.code == 0 and "2 intact" in result.out
    for note in json.loads(run(clone, "archive", "list", "--format", "json").out):
        assert run(clone, "archive", "restore", note["id"]).code == 0
    assert {path.relative_to(clone.active).as_posix(): path.read_bytes() for path in clone.active.rglob("*.md")} == {
        key: text.encode() for key, text in NOTES.items()
    }
