"""The structure of a body: headings, lists, code, prose and links by CommonMark."""

import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes import structure
from memorybank.notes.note import Link
from memorybank.notes.parse import parse


def links(text: str) -> list[tuple[str, str]]:
    return [(link.kind, link.target) for link in structure.read(text).links]


def test_headings_are_their_text() -> None:
    text = "# One `code` *em* &amp; [link](x)\n\nTwo\n===\n\nthree\nlines\n---\n\n#\n\n## 見出し ##\n\n> # in quote\n\n- # in list\n\n***\n"
    text += "\n    # code\n\n```\n# code\n```\n#no heading\n\\# none\n"
    assert structure.read(text).headings == ("One code em & link", "Two", "three lines", "見出し", "in quote", "in list")


def test_a_heading_is_bounded_and_the_body_keeps_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "LONGEST_HEADING", 10)
    note = parse("a.md", ("# " + "見出し" * 5 + " needle\n").encode())
    assert note.headings == ("見出し見出し見出し見",) and note.title == note.headings[0] and "needle" in note.body


@pytest.mark.parametrize(
    ("text", "expected"),
    [("- a", True), ("* a", True), ("+ a", True), ("1. a", True), ("3) a", True), ("-a", False), ("```\n- a\n```", False), ("a - b", False)],
)
def test_lists(text: str, expected: bool) -> None:
    assert structure.read(text).has_list is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\nx\n```", True),
        ("~~~\nx\n~~~", True),
        ("> ```\n> x", True),
        ("    indented", False),
        ("`inline`", False),
        ("- ```\n  x\n  ```", True),
        ("``` `` ```", False),
    ],
)
def test_only_fenced_code_counts_as_code(text: str, expected: bool) -> None:
    assert structure.read(text).has_code is expected


def test_prose_leaves_all_code_out_and_keeps_the_rest() -> None:
    text = "TODO one `TODO` two\n\n```\nTODO\n```\n\n    TODO\n\n終わり``TODO``TODOを\n\n- ~~~\n  TODO\n  ~~~\n- [TODO](x)\n"
    prose = structure.read(text).prose
    assert prose.count("TODO") == 3
    assert "終わり TODOを" in prose and "one   two" in prose


def test_crlf_changes_nothing() -> None:
    text = "# H\n\n- a\n\n```\ncode.md\n```\n\n[x](y.md) z.md\n\n設計\n---\n"
    unix, windows = structure.read(text), structure.read(text.replace("\n", "\r\n"))
    assert (unix.headings, unix.has_list, unix.has_code, unix.links) == (windows.headings, windows.has_list, windows.has_code, windows.links)


def test_links_in_order_of_first_appearance_each_once() -> None:
    text = "c.md then [a](a.md#x) and [[w|alias]], ![image](i.png) <https://e.org/x.md>, [a2](a.md?q=1) then c.md\n\n"
    text += "[ref][r] [R] [r][]\n\n[r]: https://r.org 'title'\n"
    assert links(text) == [("mention", "c.md"), ("link", "a.md"), ("wiki", "w"), ("external", "https://e.org/x.md"), ("external", "https://r.org")]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[a](b.md)", ("link", "b.md")),
        ("[a](./b.md)", ("link", "./b.md")),
        ("[a](<b c.md>)", ("link", "b c.md")),
        ("[a](b%20c.md)", ("link", "b c.md")),
        ("[a](%E8%A8%AD%E8%A8%88.md)", ("link", "設計.md")),
        ("[a](設計.md#節)", ("link", "設計.md")),
        ("[a](a%23b.md)", ("link", "a#b.md")),
        ("[a](b.md?x=1#y)", ("link", "b.md")),
        ("[a](/docs/x.md)", ("link", "/docs/x.md")),
        ("[a](%FF.md)", ("link", "\ufffd.md")),
        ("[a](b\\_c.md)", ("link", "b_c.md")),
        ("[a](b&amp;c.md)", ("link", "b&c.md")),
        ("[a](https://e.org/?a=b#c)", ("external", "https://e.org/?a=b#c")),
        ("[a](HTTP://e.org)", ("external", "HTTP://e.org")),
        ("[a](//e.org/x)", ("external", "//e.org/x")),
        ("[a](mailto:a@b.c)", ("external", "mailto:a@b.c")),
        ("<a@b.co>", ("external", "mailto:a@b.co")),
        ("<ftp://x.y/z>", ("external", "ftp://x.y/z")),
        ("[![i](i.png)](b.md)", ("link", "b.md")),
        ("[`b.md`](c.md)", ("link", "c.md")),
    ],
)
def test_link_targets(written: str, expected: tuple[str, str]) -> None:
    assert links(f"see {written} here") == [expected]


@pytest.mark.parametrize(
    "written",
    [
        "[a](#x)",
        "[a]()",
        "[a](tel:123)",
        "[a](javascript:alert)",
        "[a](data:text/plain,b.md)",
        "![a](b.md)",
        "`[a](b.md)`",
        "`[[b]]` `b.md`",
        "```\n[a](b.md) c.md [[d]]\n```",
        "    b.md",
        "[a] (b)",
        "\\[a](b)",
        "[a](b c)",
        "<b>",
    ],
)
def test_what_is_no_link(written: str) -> None:
    assert links(f"x\n\n{written}\n") == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[[overview]]", "overview"),
        ("[[planning/overview.md#h|the overview]]", "planning/overview.md"),
        ("[[設計#節]]", "設計"),
        ("[[ spaced name ]]", "spaced name"),
        ("[[snake_case_name]]", "snake_case_name"),
        ("[[a*b*c]]", "a*b*c"),
        ("[[v1.2 notes]]", "v1.2 notes"),
        ("![[note]]", "note"),
        ("![[note.md]]", "note.md"),
        ("詳細は[[設計]]を参照", "設計"),
        ("| [[table\\|alias]] |", "table"),
    ],
)
def test_wiki_links(written: str, expected: str) -> None:
    assert links(written) == [("wiki", expected)]


@pytest.mark.parametrize(
    "written", ["[[]]", "[[ ]]", "[[#h]]", "[[|a]]", "[[a\nb]]", "![[picture.png]]", "[[1]](https://e.org)", "[[a](b.png)", "[ [a] ]", "`[[a]]`"]
)
def test_what_is_no_wiki_link(written: str) -> None:
    assert all(kind != "wiki" for kind, _ in links(written))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see overview.md for it", ["overview.md"]),
        ("planning/overview.md", ["planning/overview.md"]),
        ("(overview.md), \"b.md\": 'c.md'; d.md. e.md", ["overview.md", "b.md", "c.md", "d.md", "e.md"]),
        ("**a.md** and _b.md_ *c.md* ~~d.md~~", ["a.md", "_b.md", "c.md", "~~d.md"]),
        ("@planning/a.md", ["planning/a.md"]),
        ("overview.md#section", ["overview.md"]),
        ("詳細は設計.mdを参照。「用語集.md」と、まとめ.md。", ["詳細は設計.md", "用語集.md", "まとめ.md"]),
        ("a\\_b.md", ["a_b.md"]),
        ("| a.md | b.md |", ["a.md", "b.md"]),
        ("<!-- a.md -->", ["a.md"]),
        ("https://e.org/docs/readme.md and http://x.y/設計.md", []),
        ("a.mdx b.md.bak c.md5 d.md/e f.md-g h.md_i j.md~", []),
        ("A.MD", []),
    ],
)
def test_mentions(text: str, expected: list[str]) -> None:
    assert [target for kind, target in links(text) if kind == "mention"] == expected


def test_a_mention_is_bounded_however_long_the_run() -> None:
    found = links("設" * 100_000 + ".md")
    assert len(found) == 1 and len(found[0][1]) <= 1_100


def test_beyond_the_cap_text_counts_as_prose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "MAX_BYTES", 100)
    text = "# H\n\n`code`\n" + "語" * 29 + "\n\n# beyond `TODO` end.md\n"
    read = structure.read(text)
    assert read.headings == ("H",) and not read.complete and "`TODO`" in read.prose and read.links == (Link("mention", "end.md"),)
    one_line = structure.read("設" * 1_000)
    assert one_line.prose == "設" * 1_000 and not one_line.complete
    assert [problem.code for problem in parse("x.md", text.encode()).problems] == ["structure_not_read"]


def test_a_panic_of_the_parser_costs_the_structure_not_the_note(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        """As raised by a Rust extension."""

    def panics(*_: object, **__: object) -> None:
        raise PanicException("index out of bounds")

    monkeypatch.setitem(sys.modules, "pyromark", types.SimpleNamespace(events_with_range=panics))
    parsed = parse("x.md", b"# H\n\nsee a.md\n")
    assert parsed.title == "x" and parsed.prose == parsed.body and parsed.links == (Link("mention", "a.md"),)
    assert [problem.code for problem in parsed.problems] == ["structure_not_read"]


def test_other_exceptions_of_the_interpreter_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "pyromark", types.SimpleNamespace(events_with_range=interrupted))
    with pytest.raises(KeyboardInterrupt):
        structure.read("# H")


MARKDOWN = st.text(st.sampled_from("ab設は #-*_`~[]()<>!|\\\n\r\t.:/md1&@\ufeff\0é"), max_size=120)


@given(MARKDOWN)
def test_any_text_has_a_structure_whose_prose_is_part_of_it(text: str) -> None:
    read = structure.read(text)
    assert read.complete and len(set(read.links)) == len(read.links)
    rest = iter(text.replace("\0", ""))
    assert all(any(character == other for other in rest) for character in read.prose.replace(" ", "").replace("\0", ""))


@given(st.text(max_size=80))
def test_any_unicode_text_is_read(text: str) -> None:
    text = text.encode(errors="replace").decode()
    structure.read(text)
    structure.read(f"`{text}` [{text}]({text}) [[{text}]] {text}.md")
