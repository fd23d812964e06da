"""archive list, show, restore: by id, by its last digits, by the key a note had."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTES = {
    "planning/old-plan.md": "---\ntitle: The old plan\ntopics: [Release]\n---\n# The old plan\r\n\r\ntext without a last line end",
    "shared/古いメモ.md": "---\ntopics: [認証]\n---\n古いメモ。\n",
    "sync/2024.md": "met\n",
}


def listed(rotated, run, *arguments):
    return json.loads(run(rotated, "archive", "list", "--format", "json", *arguments).out)


def id_of(rotated, run, key):
    return next(each["id"] for each in listed(rotated, run) if each["original_path"] == key)


def test_the_list_has_every_archived_note(rotated, run):
    assert {each["original_path"] for each in listed(rotated, run)} == set(NOTES)
    table = run(rotated, "archive", "list").out
    assert all(each["id"] in table and each["original_path"] in table for each in listed(rotated, run))
    assert run(rotated, "archive", "list", "--format", "markdown").out.startswith("| id | archived |")


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        (["--topic", "release"], {"planning/old-plan.md"}),
        (["--topic", "認証"], {"shared/古いメモ.md"}),
        (["--category", "sync"], {"sync/2024.md"}),
        (["--since", "-1d"], set(NOTES)),
        (["--since", "+1d"], set()),
        (["--until", "2025-09-17"], set(NOTES)),
        (["--until", "2025-09-16"], set()),
    ],
)
def test_filters(rotated, run, filters, keys):
    assert {each["original_path"] for each in listed(rotated, run, *filters)} == keys


def test_filters_take_either_unicode_form(bank, run):
    """macOS writes NFD, keyboards NFC."""
    names = {form: normalize(form, "ガイド") for form in ("NFC", "NFD")}
    scratch = bank({f"{names['NFD']}/a.md": f"---\ntopics: [{names['NFD']}]\n---\na\n", "b.md": "b\n"}, days_old=90)
    run(scratch, "rotate")
    for name in names.values():
        assert len(listed(scratch, run, "--category", name)) == len(listed(scratch, run, "--topic", name)) == 1


def test_newest_first_and_limited(rotated, run, fixed_clock):
    fixed_clock.instant += 86_400_000
    rotated.write("shared/later.md", "later\n", days_old=80)
    run(rotated, "rotate")
    assert [each["original_path"] for each in listed(rotated, run, "--limit", "1")] == ["shared/later.md"]


def test_a_page_names_notes_by_their_digits(rotated, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    digits = id_of(rotated, run, "shared/古いメモ.md")[-8:]
    assert f"{digits}  shared/古いメモ.md" in run(rotated, "archive", "list").out
    assert run(rotated, "archive", "show", digits).out == NOTES["shared/古いメモ.md"]


def test_digits_that_two_archived_notes_share_are_not_offered(rotated, run, monkeypatch, fixed_clock):
    """The same bytes archived twice have the same digits: the page shows whole ids, and `show` asks for one."""
    run(rotated, "undo")
    fixed_clock.instant += 40 * 86_400_000
    run(rotated, "rotate")
    ids = [each["id"] for each in listed(rotated, run) if each["original_path"] == "sync/2024.md"]
    assert len(ids) == 2 and len({each[-8:] for each in ids}) == 1
    monkeypatch.setenv("COLUMNS", "80")
    assert all(each in run(rotated, "archive", "list").out for each in ids)
    ambiguous = run(rotated, "archive", "show", ids[0][-8:])
    assert ambiguous.code == 3 and all(each in ambiguous.err for each in ids)
    assert run(rotated, "archive", "show", ids[0]).out == NOTES["sync/2024.md"]


@pytest.mark.slow
def test_show_gives_a_pipe_exactly_the_bytes(bank, run):
    notes = {**{key: text.encode() for key, text in NOTES.items()}, "shared/odd.md": b"caf\xe9\r\n\x00"}
    scratch = bank(notes, days_old=90)
    run(scratch, "rotate")
    for key, data in notes.items():
        command = [sys.executable, "-m", "memorybank", "archive", "show", key]
        assert subprocess.run(command, cwd=scratch.repository, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True).stdout == data


def test_show_in_json_has_the_text_and_what_is_known_about_it(rotated, run):
    shown = json.loads(run(rotated, "archive", "show", "planning/old-plan.md", "--format", "json").out)
    assert shown["text"] == NOTES["planning/old-plan.md"] and shown["title"] == "The old plan" and shown["rule"] == "medium"


def test_a_terminal_gets_no_control_characters(bank, run, monkeypatch):
    scratch = bank({"shared/odd.md": "\x1b[2Jtext\n"}, days_old=90)
    run(scratch, "rotate")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "\x1b" not in run(scratch, "archive", "show", "shared/odd.md").out


def test_looking_changes_nothing(rotated, run):
    before = rotated.snapshot()
    run(rotated, "archive", "list")
    run(rotated, "archive", "show", "sync/2024.md")
    assert rotated.snapshot() == before


def test_restore_prints_the_keys_notes_have_now(rotated, run):
    rotated.write("sync/2024.md", "another text\n")
    digits = id_of(rotated, run, "shared/古いメモ.md")[-8:]
    result = run(rotated, "archive", "restore", digits, "sync/2024.md")
    first, second = result.out.splitlines()
    assert result.code == 0 and first == "shared/古いメモ.md" and second.startswith("sync/2024~")
    assert "so the note was restored next to it" in result.err
    assert (rotated.active / second).read_bytes() == b"met\n" and (rotated.active / "sync/2024.md").read_bytes() == b"another text\n"
    assert {note["key"] for note in json.loads(run(rotated, "list", "--format", "json").out)} == {first, second, "sync/2024.md"}


def test_several_are_restored_as_far_as_possible(rotated, run):
    result = run(rotated, "archive", "restore", "nonsense", "sync/2024.md", "なし", "--format", "json")
    assert result.code == 3
    assert [note["key"] for note in json.loads(result.out)] == ["sync/2024.md"]
    assert "not restored: nonsense" in result.err and "not restored: なし" in result.err


def test_damage_is_refused(bank, run):
    """The object is damaged and its backup is deleted: exit code 9, and no part of it is printed or restored."""
    scratch = bank({"shared/a.md": "a\n"}, days_old=90)
    run(scratch, "rotate")
    [stored] = scratch.root.glob("archive/by_date/**/*.zst")
    stored.write_bytes(stored.read_bytes()[:-1] + b"\x00")
    [backup] = scratch.root.glob("backups/**/a.md")
    backup.unlink()
    for command in ("show", "restore"):
        result = run(scratch, "archive", command, "shared/a.md")
        assert result.code == 9 and result.out == ""
    assert not list(scratch.active.rglob("*.md"))


def test_a_sidecar_that_cannot_be_read_is_named_by_verify(rotated, run):
    next(rotated.root.glob("archive/by_date/**/*.json")).write_text("{", encoding="utf-8")
    result = run(rotated, "archive", "list")
    assert result.code == 0 and "1 sidecar cannot be read; 'memorybank verify'" in result.err


def test_an_empty_archive(bank, run):
    assert run(bank({}), "archive", "list").out == "no archived notes\n"
    assert run(bank({}), "archive", "show", "x").code == 3


def test_ids_and_their_digits_complete_in_the_shell(rotated, run, process):
    def complete(typed: str) -> set[str]:
        result = process(rotated, COMP_WORDS=f"memorybank archive show {typed}", COMP_CWORD="3", _MEMORYBANK_COMPLETE="bash_complete")
        return {line.split(",", 1)[1] for line in result.out.splitlines() if line}

    ids = {each["id"] for each in listed(rotated, run)}
    assert complete("") == complete("2025") == ids
    one = id_of(rotated, run, "shared/古いメモ.md")[-8:]
    assert one in complete(one[:4])
