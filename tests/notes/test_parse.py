"""A note as a value: the same bytes give the same Note, and nothing in them can raise."""

import hashlib
import subprocess
import sys
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes.note import FrontMatter, Link, Note
from memorybank.notes.parse import parse


def test_an_empty_file() -> None:
    empty = parse("planning/empty.md", b"")
    assert empty == Note(
        key="planning/empty.md",
        digest=hashlib.sha256(b"").hexdigest(),
        blob="e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        size=0,
        text="",
        body="",
        body_line=1,
        front=FrontMatter(),
        title="empty",
        topics=("planning",),
        headings=(),
        has_list=False,
        has_code=False,
        prose="",
        links=(),
        problems=(),
    )


def test_an_ordinary_note() -> None:
    data = "---\ntitle: 全体像\ntags: [architecture]\n---\n\n# Overview\n\n- [core](../implementation/core.md)\n\n".encode()
    data += "```sh\nmake\n```\n詳細は用語集.mdを参照。\n".encode()
    note = parse("planning/overview.md", data)
    assert (note.title, note.topics, note.headings, note.has_list, note.has_code) == ("全体像", ("architecture",), ("Overview",), True, True)
    assert note.links == (Link("link", "../implementation/core.md"), Link("mention", "詳細は用語集.md"))
    assert (note.size, note.body_line, note.problems) == (len(data), 5, ())
    assert note.text == data.decode() and note.body == note.text[note.text.index("\n# Over") :] and "make" not in note.prose


def test_digest_and_blob_are_of_the_bytes(tmp_path) -> None:
    data = "\ufeff---\r\ntitle: x\r\n---\r\n".encode() + b"\xff"
    path = tmp_path / "x"
    path.write_bytes(data)
    note = parse("x.md", data)
    assert note.blob == subprocess.run(["git", "hash-object", "--no-filters", str(path)], capture_output=True, text=True, check=True).stdout.strip()
    assert note.digest == hashlib.sha256(data).hexdigest() and note.size == len(data)


def test_the_title_falls_back_to_heading_and_stem() -> None:
    assert parse("a/b.md", b"---\ntitle: F\n---\n# H\n").title == "F"
    assert parse("a/b.md", b"text\n\n## H\n# I\n").title == "H"
    assert parse("a/設計.md", b"text").title == "設計"
    assert parse("a/.md", b"").title == ".md"


def test_topics_fall_back_to_tags_and_first_folder() -> None:
    assert parse("a/b/c.md", b"---\ntopics: [t]\ntags: [g]\n---\n").topics == ("t",)
    assert parse("a/b/c.md", b"---\ntags: [g]\n---\n").topics == ("g",)
    assert parse("a/b/c.md", b"").topics == ("a",)
    assert parse("c.md", b"").topics == ()


def test_bytes_that_are_no_utf8_are_shown_and_named() -> None:
    note = parse("x.md", "# 見出し\nline two\n".encode() + b"caf\xe9 \xff\n")
    assert [(problem.code, problem.line) for problem in note.problems] == [("not_utf8", 3)]
    assert note.text.endswith("caf\ufffd \ufffd\n") and note.title == "見出し"


@pytest.mark.parametrize("encoding", ["utf-16", "shift_jis", "euc_jp", "utf-32"])
def test_other_encodings_are_a_problem_and_still_a_note(encoding: str) -> None:
    note = parse("x.md", "# 見出し\n本文です。\n".encode(encoding))
    assert "not_utf8" in [problem.code for problem in note.problems]


def test_both_normal_forms_are_kept_as_written() -> None:
    for form in ("NFC", "NFD"):
        text = normalize(form, "# ガイド\n[x](ガ.md)\n")
        note = parse("x.md", text.encode())
        assert note.text == text and note.title == normalize(form, "ガイド") and note.links[0].target == normalize(form, "ガ.md")


def test_only_line_feeds_end_lines() -> None:
    note = parse("x.md", "---\ntitle: a\n---\n\x0bx\x0cy\u2028z\u0085w\rv\n".encode())
    assert note.body_line == 4 and note.body.count("\n") == 1


@pytest.mark.slow
def test_a_note_of_ten_megabytes() -> None:
    paragraph = "A sentence about rotation. 記憶ノートを保管する。\n\n- item [link](x.md)\n\n"
    data = ("---\ntitle: Large\n---\n# H\n\n" + paragraph * (10 * 2**20 // len(paragraph.encode()) + 1)).encode()
    assert len(data) > 10 * 2**20
    note = parse("large.md", data)
    assert note.title == "Large" and note.links == (Link("link", "x.md"),) and not note.problems


def in_another_process(program: str, data: bytes = b"", **environment: str) -> bytes:
    environment["PYTHONPATH"] = ":".join(sys.path)
    return subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, check=True, env=environment).stdout


def test_a_note_is_the_same_in_another_process_locale_and_hash_seed() -> None:
    program = "import sys; from memorybank.notes.parse import parse; sys.stdout.buffer.write(repr(parse('a/b.md', sys.stdin.buffer.read())).encode())"
    data = "---\ntags: [z, あ, a]\n---\n# 見出し\n[[b]] [a](b.md) c.md 設計.md\n".encode()
    expected = repr(parse("a/b.md", data)).encode()
    for seed, locale, zone in (("0", "C", "UTC"), ("1", "C.UTF-8", "Asia/Tokyo"), ("7", "POSIX", "America/New_York")):
        assert in_another_process(program, data, PYTHONHASHSEED=seed, LC_ALL=locale, TZ=zone) == expected


@pytest.mark.parametrize(
    ("program", "absent"),
    [
        ("from memorybank.notes.parse import parse; parse('a.md', b'---\\ntitle: x\\ntags: [a]\\n---\\n# H\\n')", "yaml frontmatter rich zstandard rapidfuzz"),
        ("from memorybank.notes import scan; from memorybank import git", "subprocess urllib.parse memorybank.notes.parse memorybank.notes.note"),
        ("from memorybank.notes import scan, bookmarks, targets, dates, create, edit; from memorybank import git", "yaml frontmatter pyromark"),
    ],
)
def test_slow_libraries_are_loaded_only_when_needed(program: str, absent: str) -> None:
    assert in_another_process(f"import sys; {program}; print(sorted(set({absent!r}.split()) & set(sys.modules)))") == b"[]\n"


FRAGMENTS = st.sampled_from(
    [
        "---\n",
        "---\r\n",
        "title: x\n",
        "rating: 8\n",
        "a: &x [*x]\n",
        "# H\n",
        "```\n",
        "`",
        "[a](b.md)",
        "[[w]]",
        "設計.md",
        "\ufeff",
        "\0",
        "- ",
        "    ",
        "\n",
        "<!--",
        "{",
        "[" * 50,
        "> " * 30,
    ]
)


@given(st.lists(FRAGMENTS | st.text(max_size=5), max_size=12))
def test_any_mixture_of_markup_is_a_note(parts: list[str]) -> None:
    data = "".join(parts).encode(errors="surrogatepass")
    note = parse("a/b.md", data)
    assert note.text.endswith(note.body) and note == parse("a/b.md", data)


@given(st.binary(max_size=200), st.sampled_from([b"", b"---\n", b"\xef\xbb\xbf---\n", b"---\ntitle: x\n---\n"]))
def test_any_bytes_are_a_note(data: bytes, prefix: bytes) -> None:
    note = parse("a/b.md", prefix + data)
    assert note.size == len(prefix) + len(data) and note.title
    note.text.encode()
