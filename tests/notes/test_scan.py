"""Which files are notes, and what reading one says."""

import errno
import os
import socket
from pathlib import Path
from unicodedata import normalize

import pytest

from memorybank.clock import storable
from memorybank.errors import MemorybankError, NotFound, PermissionRefused, Problem, ResourceExhausted
from memorybank.notes import named, scan
from memorybank.notes.named import resolve_key
from memorybank.notes.note import Note
from memorybank.notes.scan import NoteFile, read, sweep
from memorybank.storage.layout import MAX_NOTE_BYTES


def keys(scratch) -> list[str]:
    return [found.key for found in sweep(scratch.layout).found]


def codes(scratch) -> dict[str, str]:
    return {problem.path: problem.code for problem in sweep(scratch.layout).problems}


def test_every_markdown_file_below_active_is_a_note(bank) -> None:
    names = ["top.md", "planning/overview.md", "a/b/c/d.md", ".hidden/.x.md", ".md", "共有/用語集.md", "a b.md", "-x.md", "x.md.md", "quote'\"\n.md"]
    scratch = bank(dict.fromkeys(names, "x"))
    for other in ("x.txt", "README", "x.md~", ".mb-tmp-1-1"):
        scratch.write(other, "x")
    (scratch.active / "folder.md").mkdir()
    scratch.write("folder.md/inner.md")
    assert keys(scratch) == sorted([*names, "folder.md/inner.md"])
    assert codes(scratch) == {}


def test_what_is_found_is_what_stat_says(bank) -> None:
    scratch = bank({"共有/用語集.md": "設計"})
    (found,) = sweep(scratch.layout).found
    status = os.stat(scratch.active / "共有" / "用語集.md")
    assert found == NoteFile("共有/用語集.md", str(scratch.active / "共有" / "用語集.md"), 6, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def test_times_that_sqlite_cannot_store_are_found_as_the_nearest_ones(bank) -> None:
    scratch = bank({"old.md": "x", "新.md": "y"})
    os.utime(scratch.active / "old.md", ns=(-5, -5))
    assert {found.key: found.mtime_ns for found in sweep(scratch.layout).found}["old.md"] == storable(os.stat(scratch.active / "old.md").st_mtime_ns)


def test_a_name_that_is_not_utf8_hides_no_other_note_of_its_folder(bank) -> None:
    scratch = bank({"共有/a.md": "x", "共有/用語集.md": "y"})
    try:
        with open(os.fsencode(scratch.active / "共有") + b"/\xff.md", "wb") as stream:
            stream.write(b"z")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert keys(scratch) == ["共有/a.md", "共有/用語集.md"] and list(codes(scratch).values()) == ["name_not_utf8"]


def test_folders_and_their_times(bank) -> None:
    scratch = bank({"a/b/x.md": "", "top.md": ""})
    (scratch.active / "empty").mkdir()
    folders = sweep(scratch.layout).folders
    assert folders == {name: os.stat(scratch.active / name).st_mtime_ns for name in ("", "a", "a/b", "empty")}


def test_a_bank_without_notes(bank) -> None:
    scratch = bank()
    assert keys(scratch) == []
    scratch.active.rmdir()
    assert sweep(scratch.layout) == scan.NoteSweep([], {}, [])


def test_symbolic_links_are_never_followed(bank, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    scratch = bank({"real.md": "x"})
    links = {"file.md": outside / "secret.md", "inside.md": "real.md", "broken.md": "nowhere", "loop.md": "loop.md", "folder": outside, "up": ".."}
    for name, target in links.items():
        os.symlink(target, scratch.active / name)
    os.symlink("real.md", scratch.active / "no-note.txt")
    assert keys(scratch) == ["real.md"]
    assert codes(scratch) == dict.fromkeys(["broken.md", "file.md", "folder", "inside.md", "loop.md", "up"], "symlink")


def test_a_link_to_a_note_is_not_followed_where_nothing_else_is_unusual(bank, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    scratch = bank({"a/real.md": "x", "a/用語.md": "y"})
    os.symlink(tmp_path / "secret.md", scratch.active / "a" / "link.md")
    found = sweep(scratch.layout)
    assert [(each.key, each.size) for each in found.found] == [("a/real.md", 1), ("a/用語.md", 1)] and codes(scratch) == {"a/link.md": "symlink"}


def test_an_active_folder_that_is_a_symbolic_link(bank, tmp_path: Path) -> None:
    scratch = bank()
    scratch.active.rmdir()
    os.symlink(tmp_path, scratch.active)
    (tmp_path / "x.md").write_text("x")
    assert keys(scratch) == [] and codes(scratch) == {"": "symlink"}


def test_pipes_sockets_and_huge_files_are_skipped(bank, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = bank({"real.md": "x"})
    os.mkfifo(scratch.active / "pipe.md")
    monkeypatch.chdir(scratch.active)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.md")
    with open("huge.md", "wb") as stream:
        stream.truncate(MAX_NOTE_BYTES + 1)
    with open("large.md", "wb") as stream:
        stream.truncate(MAX_NOTE_BYTES)
    assert keys(scratch) == ["large.md", "real.md"]
    assert codes(scratch) == {"huge.md": "too_large", "pipe.md": "not_a_file", "socket.md": "not_a_file"}


def test_names_that_are_no_utf8_are_listed_and_never_indexed(bank) -> None:
    scratch = bank({"real.md": "x"})
    for name in (b"caf\xe9.md", b"\xff\xfe.md"):
        Path(os.fsdecode(bytes(scratch.active) + b"/" + name)).write_bytes(b"x")
    folder = os.fsdecode(bytes(scratch.active) + b"/\xe9tudes")
    os.mkdir(folder)
    Path(folder, "x.md").write_bytes(b"x")
    assert keys(scratch) == ["real.md"]
    assert codes(scratch) == {"caf\\xe9.md": "name_not_utf8", "\\xff\\xfe.md": "name_not_utf8", "\\xe9tudes": "name_not_utf8"}


def test_names_of_255_bytes_and_both_normal_forms_are_notes_of_their_own(bank) -> None:
    long = "長" * 84 + ".md"
    assert len(long.encode()) == 255
    twins = [normalize("NFC", "ガ.md"), normalize("NFD", "ガ.md")]
    assert keys(bank(dict.fromkeys([long, *twins], "x"))) == sorted([long, *twins])


def test_a_sweep_reads_nothing_and_changes_nothing(bank, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = bank({f"n{number}.md": "x" for number in range(5)})
    before = scratch.snapshot()
    monkeypatch.setattr(scan.disk, "read", lambda *_: pytest.fail("a sweep reads no file"))
    sweep(scratch.layout)
    assert scratch.snapshot() == before


class _Refusing:
    """`os` as seen by `scan`, where listing one folder fails."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder, self.number = str(folder), number

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def scandir(self, path: str) -> object:
        self._refuse(path)
        return os.scandir(path)

    def listdir(self, path: str | bytes) -> object:
        self._refuse(path)
        return os.listdir(path)

    def _refuse(self, path: str | bytes) -> None:
        if os.fsdecode(path).rstrip("/") == self.folder.rstrip("/"):
            raise OSError(self.number, os.strerror(self.number), path)


def test_a_folder_without_permission_is_a_problem(bank, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = bank({"a/x.md": "x", "b/y.md": "y"})
    monkeypatch.setattr(scan, "os", _Refusing(scratch.active / "a", errno.EACCES))
    assert keys(scratch) == ["b/y.md"] and codes(scratch) == {"a/": "unreadable"}


@pytest.mark.parametrize(
    ("folder", "number", "error"), [("", errno.EACCES, PermissionRefused), ("a", errno.EMFILE, ResourceExhausted), ("a", errno.EIO, MemorybankError)]
)
def test_trouble_of_the_machine_is_an_error_and_no_missing_note(bank, monkeypatch, folder: str, number: int, error: type[Exception]) -> None:
    scratch = bank({"a/x.md": "x"})
    monkeypatch.setattr(scan, "os", _Refusing(scratch.active / folder, number))
    with pytest.raises(error):
        sweep(scratch.layout)


def test_a_folder_that_vanishes_meanwhile_is_simply_gone(bank, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = bank({"a/x.md": "x", "b.md": "y"})
    monkeypatch.setattr(scan, "os", _Refusing(scratch.active / "a", errno.ENOENT))
    assert keys(scratch) == ["b.md"] and codes(scratch) == {}


def test_read_gives_the_note_and_touches_nothing(bank) -> None:
    scratch = bank({"planning/設計.md": "# 設計\r\n本文\r\n"})
    before = scratch.snapshot()
    (found,) = sweep(scratch.layout).found
    note = read(scratch.layout, found)
    assert isinstance(note, Note) and note.key == "planning/設計.md" and note.text == "# 設計\r\n本文\r\n"
    assert scratch.snapshot() == before


def _code(value: Note | Problem) -> str:
    assert isinstance(value, Problem)
    return value.code


def test_what_happens_between_sweep_and_read_is_a_problem(bank, tmp_path: Path) -> None:
    scratch = bank({f"{name}.md": "x" for name in ("gone", "pipe", "link", "folder", "grown")})
    found = {item.key: item for item in sweep(scratch.layout).found}
    (tmp_path / "secret.md").write_text("secret")
    for name in ("gone", "pipe", "link", "folder", "grown"):
        (scratch.active / f"{name}.md").unlink()
    os.mkfifo(scratch.active / "pipe.md")
    os.symlink(tmp_path / "secret.md", scratch.active / "link.md")
    (scratch.active / "folder.md").mkdir()
    with open(scratch.active / "grown.md", "wb") as stream:
        stream.truncate(MAX_NOTE_BYTES + 1)
    assert {key: _code(read(scratch.layout, item)) for key, item in found.items()} == {
        "gone.md": "vanished",
        "pipe.md": "not_a_file",
        "link.md": "symlink",
        "folder.md": "not_a_file",
        "grown.md": "too_large",
    }


def _failing_open(number: int):
    def fail(path: str, limit: int) -> bytes:
        with scan.disk.typed_errors(path):
            raise OSError(number, os.strerror(number), path)

    return fail


@pytest.mark.parametrize(("number", "code"), [(errno.EACCES, "unreadable"), (errno.EIO, "unreadable")])
def test_a_file_that_cannot_be_read_is_a_problem(bank, monkeypatch: pytest.MonkeyPatch, number: int, code: str) -> None:
    scratch = bank({"x.md": "x"})
    (found,) = sweep(scratch.layout).found
    monkeypatch.setattr(scan.disk, "read", _failing_open(number))
    assert _code(read(scratch.layout, found)) == code


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_a_machine_out_of_handles_or_memory_says_nothing_about_the_note(bank, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    scratch = bank({"x.md": "x"})
    (found,) = sweep(scratch.layout).found
    monkeypatch.setattr(scan.disk, "read", _failing_open(number))
    with pytest.raises(ResourceExhausted):
        read(scratch.layout, found)


def test_a_look_at_some_keys_finds_what_a_sweep_finds(bank, tmp_path: Path) -> None:
    scratch = bank({"a/x.md": "x", "共有/用語集.md": "y", "a/x.txt": "no"})
    os.symlink("x.md", scratch.active / "a" / "link.md")
    os.symlink(scratch.active / "a", scratch.active / "linked")
    os.mkfifo(scratch.active / "pipe.md")
    swept = sweep(scratch.layout)
    asked = ["a/x.md", "共有/用語集.md", "a/x.txt", "a/link.md", "pipe.md", "missing.md", "a/x.md/below.md", "n" * 300 + ".md", "\udcff.md"]
    looked = scan.find_keys(scratch.layout, asked)
    assert looked.found == swept.found and looked.folders == {}
    assert {problem.path: problem.code for problem in looked.problems} == {
        "a/link.md": "symlink",
        "pipe.md": "not_a_file",
        "n" * 300 + ".md": "unreadable",
        "\\xff.md": "name_not_utf8",
    }


def test_a_look_never_goes_through_a_linked_folder(bank, tmp_path: Path) -> None:
    scratch = bank()
    (tmp_path / "secret.md").write_text("secret")
    os.symlink(tmp_path, scratch.active / "out")
    looked = scan.find_keys(scratch.layout, ["out/secret.md"])
    assert looked.found == [] and [(problem.code, problem.path) for problem in looked.problems] == [("symlink", "out")]


NFC, NFD = normalize("NFC", "共有/ガイド.md"), normalize("NFD", "共有/ガイド.md")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("planning/a.md", "planning/a.md"),
        ("./planning/a.md", "planning/a.md"),
        ("active/planning/a.md", "planning/a.md"),
        ("./active/planning/a.md", "planning/a.md"),
        (".claude/memory/active/planning/a.md", "planning/a.md"),
        ("/home/u/repo/.claude/memory/active/planning/a.md", "planning/a.md"),
        ("/srv/notes/active/planning/a.md", "planning/a.md"),
        (NFC, NFD),
        (NFD, NFD),
        ("active/" + NFC, NFD),
        ("active/active/x.md", "active/x.md"),
        ("active/x.md", "active/x.md"),
    ],
)
def test_a_key_is_known_by_every_form_of_its_path(text: str, key: str) -> None:
    known = {"planning/a.md", NFD, "active/x.md", "x.md"}
    assert resolve_key(text, known, "/srv/notes/active") == key
    assert resolve_key(text, sorted(known), "/srv/notes/active") == key


def test_a_path_is_read_from_the_working_folder_after_the_keys(bank, monkeypatch) -> None:
    scratch = bank({"planning/a.md": "a", "sync/a.md": "a", "a.md": "a"})
    known, active = {"planning/a.md", "sync/a.md", "a.md"}, str(scratch.active)
    monkeypatch.chdir(scratch.active / "planning")
    assert resolve_key("../sync/a.md", known, active) == "sync/a.md"
    assert resolve_key("./a.md", known - {"a.md"}, active) == "planning/a.md"
    assert resolve_key("a.md", known, active) == "a.md"


def test_a_note_that_is_named_exactly_is_found_without_listing_the_others(bank, monkeypatch) -> None:
    scratch = bank({"planning/a.md": "a", NFD: "b", "active/x.md": "c", "x.md": "d"})
    (scratch.active / "out").symlink_to("planning")
    known = {found.key for found in sweep(scratch.layout).found}
    monkeypatch.chdir(scratch.active / "planning")
    monkeypatch.setattr(scan, "sweep", lambda layout: pytest.fail("every note was examined"))
    for text in (
        *("planning/a.md", "./planning/a.md", "active/planning/a.md", ".claude/memory/active/planning/a.md", str(scratch.active / "planning/a.md"), "a.md"),
        *(
            "active/x.md",
            "active/active/x.md",
            "./x.md",
            "../x.md",
            NFC,
            NFD,
            "PLANNING/a.md",
            "planning/A.md",
            "out/a.md",
            "planning",
            "planning/",
            "missing.md",
        ),
        *("", "/", "..", "../../x", "\0", "a\0.md", "planning/a", "n" * 5_000 + ".md", "\udcff.md"),
    ):
        assert named.exact_key(scratch.layout, text) == next((form for form in named._forms(text, str(scratch.active)) if form in known), None), text


def test_a_name_in_other_letters_is_not_exact_where_the_file_system_ignores_case(bank, monkeypatch) -> None:
    scratch = bank({"Planning/A.md": "a"})
    real = os.lstat
    monkeypatch.setattr(scan.os, "lstat", lambda path, **options: real(str(path).replace("/planning", "/Planning").replace("/a.md", "/A.md"), **options))
    assert scan.find_keys(scratch.layout, ("planning/a.md",)).found
    assert named.exact_key(scratch.layout, "planning/a.md") is None


def test_a_file_of_another_bank_is_no_note_of_this_one(bank, tmp_path) -> None:
    scratch = bank({"planning/a.md": "a"})
    other = tmp_path / "other/.claude/memory/active/planning"
    other.mkdir(parents=True)
    (other / "a.md").write_text("another bank's")
    with pytest.raises(NotFound):
        resolve_key(str(other / "a.md"), {"planning/a.md"}, str(scratch.active))


def test_exact_comes_before_the_twin() -> None:
    assert resolve_key(NFC, {NFC, NFD}) == NFC
    assert resolve_key(NFD, {NFC, NFD}) == NFD


def test_an_unclear_or_unknown_name_lists_candidates() -> None:
    mixed = "ガ" + normalize("NFD", "ガ") + ".md"
    first, second = normalize("NFC", mixed), normalize("NFD", mixed)
    with pytest.raises(NotFound) as unclear:
        resolve_key(mixed, {first, second})
    assert first in unclear.value.next_step and second in unclear.value.next_step and unclear.value.exit_code == 3
    with pytest.raises(NotFound) as unknown:
        resolve_key("OVERVIEW", {"planning/overview.md", "sync/overview.md", "x.md"})
    assert unknown.value.next_step == "did you mean planning/overview.md, sync/overview.md?"
    for text in ("", "/", "nothing", "../x.md", "\0"):
        with pytest.raises(NotFound):
            resolve_key(text, {"planning/overview.md"})


def test_a_note_whose_name_ends_in_capitals_is_reported(bank) -> None:
    scratch = bank({"planning/a.md": "x", "共有/UPPER.MD": "y", "planning/picture.png": "z"})
    assert keys(scratch) == ["planning/a.md"] and codes(scratch) == {"共有/UPPER.MD": "suffix_case"}
