"""Bookmarks: what they match, and that a file which cannot be understood protects everything."""

import json
import os
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.editing import bookmarking
from memorybank.errors import LockTimeout, UsageError, ValidationFailed
from memorybank.notes import bookmarks
from memorybank.notes.bookmarks import Bookmark, Bookmarks
from memorybank.storage.lock import Lock


def document(*entries: object) -> str:
    return json.dumps({"version": "1.0", "bookmarks": list(entries)}, ensure_ascii=False)


def loaded(scratch, text: str | bytes) -> Bookmarks:
    (scratch.root / "bookmarks.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return bookmarks.load(scratch.layout)


def test_a_missing_file_has_no_bookmarks(bank) -> None:
    assert bookmarks.load(bank().layout) == Bookmarks()
    assert not Bookmarks().matches("x.md")


def test_the_documented_form(bank) -> None:
    marks = loaded(bank(), document({"path": "planning/a.md", "added_at": "2025-09-17T00:00:00.000Z", "note": "読む"}, {"path": "b.md"}))
    assert marks.entries == (Bookmark("planning/a.md", "2025-09-17T00:00:00.000Z", "読む"), Bookmark("b.md"))
    assert marks.malformed is None and marks.matches("planning/a.md") and marks.matches("b.md") and not marks.matches("a.md")


@pytest.mark.parametrize(
    "text",
    [
        '["planning/a.md"]',
        '[{"path": "planning/a.md"}]',
        '{"bookmarks": ["planning/a.md"]}',
        '\ufeff["planning/a.md"]',
        '{"version": "1.7", "bookmarks": ["planning/a.md"], "more": 1}',
    ],
)
def test_other_accepted_forms(bank, text: str) -> None:
    marks = loaded(bank(), text)
    assert marks.malformed is None and marks.matches("planning/a.md") and not marks.matches("planning/b.md")


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("planning/a.md", ["planning/a.md"], ["planning/a.md.md", "x/planning/a.md", "a.md"]),
        ("./planning/a.md", ["planning/a.md"], []),
        ("active/planning/a.md", ["planning/a.md"], []),
        (".claude/memory/active/planning/a.md", ["planning/a.md"], []),
        ("/home/u/r/.claude/memory/active/planning/a.md", ["planning/a.md"], []),
        ("planning/*.md", ["planning/a.md", "planning/deep/b.md"], ["sync/a.md"]),
        ("**/a.md", ["planning/a.md", "x/y/a.md"], ["b.md"]),
        ("*", ["a.md", "x/y.md"], []),
        ("planning/", ["planning/a.md", "planning/x/y.md"], ["planning2/a.md"]),
        ("planning", ["planning/a.md"], ["planning.md"]),
        ("a[12].md", ["a1.md", "a2.md", "a[12].md"], ["a3.md"]),
        ("a?.md", ["ab.md", "a設.md"], ["a.md"]),
        ("共有/*.md", ["共有/用語集.md"], ["共/有.md"]),
        (normalize("NFC", "ガ.md"), [normalize("NFD", "ガ.md"), normalize("NFC", "ガ.md")], []),
        (normalize("NFD", "ガ*"), [normalize("NFC", "ガイド.md")], []),
        ("A.md", ["A.md"], ["a.md"]),
        ("a.md\n", ["a.md"], []),
    ],
)
def test_patterns(bank, pattern: str, matching: list[str], other: list[str]) -> None:
    marks = loaded(bank(), document({"path": pattern}))
    assert marks.malformed is None
    assert all(marks.matches(key) for key in matching)
    assert not any(marks.matches(key) for key in other)


MALFORMED = [
    b"",
    b"{",
    b"[",
    b"null",
    b"7",
    b'"x"',
    b"{}",
    b'{"bookmarks": {}}',
    b'{"bookmarks": null}',
    b"[1]",
    b"[null]",
    b"[[]]",
    b"[{}]",
    b'[{"path": 1}]',
    b'[""]',
    b'["../x.md"]',
    b'["/etc/passwd"]',
    b'["a\\u0000"]',
    b'{"version": "0.9", "bookmarks": []}',
    b'{"version": 1, "bookmarks": []}',
    b'{"bookmarks": [], "bookmarks": ["a.md"]}',
    b'[{"path": "a", "path": "b"}]',
    b"\xff\xfe[]",
    b'["a.md"] trailing',
    b"[" * 100_000,
    b'["a.md",]',
    b"['a.md']",
    b'["\xe9.md"]',
    b"\0",
    b'["a.md"' + b" " * bookmarks.MAX_BYTES + b"]",
]


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: repr(text[:30]))
def test_a_malformed_file_protects_every_note(bank, text: bytes) -> None:
    scratch = bank()
    marks = loaded(scratch, text)
    assert marks.malformed is not None and marks.malformed.code == "bookmarks_malformed" and marks.malformed.path == ".claude/memory/bookmarks.json"
    assert marks.matches("any/note.md")


@pytest.mark.parametrize("kind", ["folder", "symlink", "pipe"])
def test_what_is_no_regular_file_protects_every_note(bank, tmp_path: Path, kind: str) -> None:
    scratch = bank()
    path = scratch.root / "bookmarks.json"
    (tmp_path / "elsewhere.json").write_text("[]")
    {"folder": path.mkdir, "symlink": lambda: path.symlink_to(tmp_path / "elsewhere.json"), "pipe": lambda: os.mkfifo(path)}[kind]()
    assert bookmarks.load(scratch.layout).matches("x.md")


def test_add_and_remove(bank, fixed_clock) -> None:
    scratch = bank()
    assert bookmarking.add(scratch.layout, "planning/a.md", "なぜ", fixed_clock)
    assert not bookmarking.add(scratch.layout, "active/planning/a.md", "again", fixed_clock)
    assert json.loads((scratch.root / "bookmarks.json").read_text()) == {
        "version": "1.0",
        "bookmarks": [{"path": "planning/a.md", "added_at": "2025-09-17T12:34:56.789Z", "note": "なぜ"}],
    }
    assert bookmarks.load(scratch.layout).matches("planning/a.md")
    assert bookmarking.remove(scratch.layout, "planning/a.md", fixed_clock)
    assert not bookmarking.remove(scratch.layout, "planning/a.md", fixed_clock)
    assert bookmarks.load(scratch.layout) == Bookmarks()


def test_changes_keep_what_they_do_not_understand(bank, fixed_clock) -> None:
    scratch = bank()
    loaded(scratch, '{"version": "1.3", "owner": "x", "bookmarks": ["a.md", {"path": "b.md", "colour": "red"}]}')
    bookmarking.add(scratch.layout, "c.md", "", fixed_clock)
    bookmarking.remove(scratch.layout, "a.md", fixed_clock)
    kept = json.loads((scratch.root / "bookmarks.json").read_text())
    assert kept["version"] == "1.3" and kept["owner"] == "x" and kept["bookmarks"][0] == {"path": "b.md", "colour": "red"} and len(kept["bookmarks"]) == 2


def test_a_bare_list_becomes_the_full_form(bank, fixed_clock) -> None:
    scratch = bank()
    loaded(scratch, '["a.md"]')
    bookmarking.add(scratch.layout, "b.md", "", fixed_clock)
    assert [entry.path for entry in bookmarks.load(scratch.layout).entries] == ["a.md", "b.md"]


def test_a_malformed_file_is_never_rewritten(bank, fixed_clock) -> None:
    scratch = bank()
    loaded(scratch, "{ not json")
    for change in (lambda: bookmarking.add(scratch.layout, "a.md", "", fixed_clock), lambda: bookmarking.remove(scratch.layout, "a.md", fixed_clock)):
        with pytest.raises(ValidationFailed):
            change()
    assert (scratch.root / "bookmarks.json").read_text() == "{ not json"


@pytest.mark.parametrize("pattern", ["", " ", "/etc/passwd", "../x.md", "a/../../x", "active/", "a\0"])
def test_a_path_that_cannot_be_a_note_is_refused(bank, fixed_clock, pattern: str) -> None:
    with pytest.raises(UsageError):
        bookmarking.add(bank().layout, pattern, "", fixed_clock)


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["path", "a.md", "[", "*", "[!", "[z-a]"])
MEMBERS = st.sampled_from(["path", "bookmarks", "version", "note"])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=3), max_leaves=8)


@given(value=JSON, key=st.text(max_size=8))
def test_any_json_is_either_understood_or_protects_everything(tmp_path_factory, value: object, key: str) -> None:
    from memorybank.storage.layout import Layout

    root = tmp_path_factory.mktemp("bank")
    (root / "bookmarks.json").write_text(json.dumps(value))
    marks = bookmarks.load(Layout(str(root)))
    assert marks.matches(key) or marks.malformed is None


def test_a_change_waits_for_another_one(bank, impatient_clock, fixed_clock) -> None:
    """Two commands that read the same file and write it one after the other would lose what the first one added."""
    layout = bank().layout
    bookmarks.add(layout, "a.md", "", fixed_clock)
    with Lock(os.path.join(layout.log, "bookmarks.lock"), "another", fixed_clock):
        for change in (lambda: bookmarks.add(layout, "b.md", "", impatient_clock), lambda: bookmarks.remove(layout, "a.md", impatient_clock)):
            with pytest.raises(LockTimeout):
                change()
    assert [entry.path for entry in bookmarks.load(layout).entries] == ["a.md"]
