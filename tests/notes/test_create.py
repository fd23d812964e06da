"""New notes: named after their title, never replacing, readable by every YAML parser."""

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import LinkRefused, MemorybankError, UsageError
from memorybank.notes import create, simple_yaml
from memorybank.notes.note import FrontMatter
from memorybank.notes.parse import parse


def test_a_note_with_everything(bank, fixed_clock) -> None:
    scratch = bank()
    key = create.add(scratch.layout, "Why SQLite?", body="One file.\n", folder="planning/decisions", tags=("decision", "a, b"), rating=7.5, clock=fixed_clock)
    assert key == "planning/decisions/why-sqlite.md"
    text = (scratch.active / key).read_text()
    assert text == '---\ntitle: "Why SQLite?"\ntags: [decision, "a, b"]\nrating: 7.5\ncreated: 2025-09-17T12:34:56.789Z\n---\n\nOne file.\n'
    note = parse(key, text.encode())
    assert note.front == FrontMatter(title="Why SQLite?", tags=("decision", "a, b"), rating=7.5, created=fixed_clock.now()) and not note.problems


def test_an_empty_note_in_japanese(bank, fixed_clock) -> None:
    scratch = bank()
    assert create.add(scratch.layout, "設計の決定：ロック", clock=fixed_clock) == "shared/設計の決定-ロック.md"
    assert (scratch.active / "shared/設計の決定-ロック.md").read_text() == '---\ntitle: "設計の決定：ロック"\ncreated: 2025-09-17T12:34:56.789Z\n---\n'


def test_a_taken_name_is_never_replaced(bank, fixed_clock) -> None:
    scratch = bank({"shared/x.md": "mine", "shared/x-3.md": "mine too"})
    assert [create.add(scratch.layout, "X", clock=fixed_clock) for _ in range(3)] == ["shared/x-2.md", "shared/x-4.md", "shared/x-5.md"]
    assert (scratch.active / "shared/x.md").read_text() == "mine"
    os.symlink("nowhere", scratch.active / "shared/y.md")
    assert create.add(scratch.layout, "Y", clock=fixed_clock) == "shared/y-2.md"


def test_a_note_keeps_the_umask_of_its_user(bank, fixed_clock) -> None:
    scratch = bank()
    before = os.umask(0o027)
    try:
        key = create.add(scratch.layout, "x", clock=fixed_clock)
    finally:
        os.umask(before)
    assert (scratch.active / key).stat().st_mode & 0o777 == 0o640


def test_remember_takes_the_first_line_as_title(bank, fixed_clock) -> None:
    scratch = bank()
    key = create.remember(scratch.layout, "\n# 認証トークンは24時間で失効する\n詳細は設計.mdを参照\n", clock=fixed_clock)
    note = parse(key, (scratch.active / key).read_bytes())
    assert key == "shared/認証トークンは24時間で失効する.md" and note.title == "認証トークンは24時間で失効する"
    assert note.body == "\n# 認証トークンは24時間で失効する\n詳細は設計.mdを参照\n"
    long = create.remember(scratch.layout, "語" * 500, clock=fixed_clock)
    assert len(os.path.basename(long).encode()) <= create.MAX_SLUG_BYTES + 3
    assert parse(long, (scratch.active / long).read_bytes()).title == "語" * 79 + "…"


@pytest.mark.parametrize("folder", ["..", "a/../b", "/etc", "a//b", "./a", "a\0", "\udcff"])
def test_a_folder_outside_is_refused(bank, fixed_clock, folder: str) -> None:
    with pytest.raises(UsageError):
        create.add(bank().layout, "x", folder=folder, clock=fixed_clock)


def test_a_folder_behind_a_symbolic_link_is_refused(bank, fixed_clock, tmp_path: Path) -> None:
    scratch = bank()
    os.symlink(tmp_path, scratch.active / "out")
    for folder in ("out", "out/deeper"):
        with pytest.raises((UsageError, LinkRefused), match="symbolic link"):
            create.add(scratch.layout, "x", folder=folder, clock=fixed_clock)
    assert not list(tmp_path.rglob("*.md"))


def test_the_top_folder(bank, fixed_clock) -> None:
    assert create.add(bank().layout, "x", folder="", clock=fixed_clock) == "x.md"


def test_what_is_no_note_is_refused(bank, fixed_clock) -> None:
    layout = bank().layout
    for title, tags in (("", ()), (" \n ", ()), ("x" * 20_000, ()), ("x", ("t" * 20_000,))):
        with pytest.raises(UsageError):
            create.add(layout, title, tags=tags, clock=fixed_clock)
    with pytest.raises(MemorybankError):
        create.add(layout, "x", body="y" * (64 << 20), clock=fixed_clock)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Why SQLite?", "why-sqlite"),
        ("設計の決定", "設計の決定"),
        ("ＡＢＣ　ｶﾞｲﾄﾞ", "abc-ガイド"),
        ("a/b\\c:d", "a-b-c-d"),
        ("../../etc/passwd", "etc-passwd"),
        (".hidden", "hidden"),
        ("---", "note"),
        ("😀", "note"),
        ("हिन्दी", "हिन्दी"),
        ("snake_case", "snake-case"),
        ("x" * 200, "x" * 80),
        ("設" * 200, "設" * 26),
    ],
)
def test_slugs(title: str, expected: str) -> None:
    assert create.slug(title) == expected


@given(st.text())
def test_a_slug_is_always_a_safe_file_name(title: str) -> None:
    slug = create.slug(title)
    assert slug and len(slug.encode()) <= create.MAX_SLUG_BYTES and "/" not in slug and not slug.startswith((".", "-")) and "\0" not in slug


@given(st.text())
def test_any_text_is_read_back_by_yaml_and_by_the_fast_reader(text: str) -> None:
    expected = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    line = f"key: {simple_yaml.render_text(text)}\n"
    assert yaml.safe_load(line) == {"key": expected}
    usual = simple_yaml.read(line)
    assert usual is None or usual[0] == {"key": expected}
    assert yaml.safe_load(f"key: {simple_yaml.render([text, text])}") == {"key": [expected, expected]}


@pytest.mark.parametrize(
    "text",
    [
        "true",
        "No",
        "null",
        "on",
        "y",
        "123",
        "1.5",
        "2025-09-17",
        "12:30",
        "0x1",
        "a: b",
        "a #b",
        "- a",
        "[a]",
        "~",
        "",
        " a",
        "a ",
        "*a",
        ".inf",
        "=",
        "<<",
        "é",
        "設計: 決定",
    ],
)
def test_words_with_a_meaning_in_yaml_stay_words(text: str) -> None:
    assert yaml.safe_load(f"key: {simple_yaml.render_text(text)}") == {"key": text}


@given(st.floats(0, 10) | st.integers(0, 10))
def test_every_rating_is_read_back_exactly(rating: float) -> None:
    assert parse("x.md", f"---\nrating: {simple_yaml.render(rating)}\n---\n".encode()).front.rating == rating
