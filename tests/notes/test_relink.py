"""`mv --links`: targets follow the note, and no other byte changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes import targets
from memorybank.notes.note import Link
from memorybank.notes.parse import parse
from memorybank.notes.relink import key_change, relinked

OLD = "planning/設計.md"
KEYS = {OLD, "planning/x.md", "shared/a.md", "shared/b.md", "deep/er/c.md", "top.md"}


def moved(text: str, new: str, source: str = "shared/a.md", keys=KEYS, old: str = OLD):
    found = relinked(text.encode("utf-8", "surrogateescape"), source, key_change(old, new, keys, targets.ACTIVE))
    return found.data.decode("utf-8", "surrogateescape"), found.rewritten, found.left


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[A](../planning/設計.md)", "[A](b/新.md)"),
        ("[A](../planning/設計.md#節 'title')", "[A](b/新.md#節 'title')"),
        ("[A](../planning/設計.md?raw#x)", "[A](b/新.md?raw#x)"),
        ("[A](<../planning/設計.md>)", "[A](<b/新.md>)"),
        ("[A](./../planning/設計.md)", "[A](./b/新.md)"),
        ("[A]( ../planning/設計.md )", "[A]( b/新.md )"),
        ("[A](\n../planning/設計.md)", "[A](\nb/新.md)"),
        ("[A](../planning/%E8%A8%AD%E8%A8%88.md)", "[A](b/%E6%96%B0.md)"),
        ("[A](/.claude/memory/active/planning/設計.md)", "[A](/.claude/memory/active/shared/b/新.md)"),
        ("[`c` *d* [e]](../planning/設計.md)", "[`c` *d* [e]](b/新.md)"),
        ("[![p](p.png)](../planning/設計.md)", "[![p](p.png)](b/新.md)"),
        ("[](../planning/設計.md)", "[](b/新.md)"),
        ("[r][R] [R] [R][]\n\n[r]: ../planning/設計.md 'T'\n", "[r][R] [R] [R][]\n\n[r]: b/新.md 'T'\n"),
        ("[r]\n\n[r]:\n  <../planning/設計.md>\n", "[r]\n\n[r]:\n  <b/新.md>\n"),
        ("> - [A](../planning/設計.md)\r\n", "> - [A](b/新.md)\r\n"),
        ("| a |\n| - |\n| [[設計\\|名]] |\n", "| a |\n| - |\n| [[新\\|名]] |\n"),
        ("[[設計]] [[ 設計 ]] [[設計#h|名]] ![[設計]]", "[[新]] [[ 新 ]] [[新#h|名]] ![[新]]"),
        ("[[planning/設計]] [[planning/設計.md|名]] [[/planning/設計]]", "[[shared/b/新]] [[shared/b/新.md|名]] [[/shared/b/新]]"),
        ("\ufeff---\r\ntitle: 設計.md [[設計]]\r\n---\r\n[[設計]]\udcff\r\n", "\ufeff---\r\ntitle: 設計.md [[設計]]\r\n---\r\n[[新]]\udcff\r\n"),
    ],
)
def test_links_of_other_notes_follow(before, after):
    assert moved(before, "shared/b/新.md")[0] == after


@pytest.mark.parametrize(
    "text",
    [
        "`[A](../planning/設計.md)` and\n\n```\n[[設計]]\n```\n\n    [A](../planning/設計.md)\n",
        "[A](../planning/x.md) [A](設計.md) [[x]] [E](https://example.org/planning/設計.md) ![p](../planning/設計.md.png)",
        "<!-- [A](../planning/設計.md) -->\n",
        "",
    ],
)
def test_what_is_no_link_to_the_note_stays(text):
    assert moved(text, "shared/b/新.md") == (text, 0, ())


def test_mentions_are_somebodys_words_and_are_reported_only_if_they_no_longer_lead_there():
    text = "設計.mdを参照。See planning/設計.md."
    assert moved(text, "shared/新.md") == (text, 0, ("設計.md", "planning/設計.md"))
    assert moved(text, "shared/設計.md") == (text, 0, ("planning/設計.md",))


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("shared/a b (c).md", "[A](a%20b%20%28c%29.md) [A](<a b (c).md>) [[a b (c)]]"),
        ("shared/50%#?.md", "[A](50%25%23%3F.md) [A](<50%25%23%3F.md>) [[設計]]"),
        ("shared/x: y.md", "[A](./x:%20y.md) [A](<./x: y.md>) [[x: y]]"),
        ("shared/a&amp;<b>.md", "[A](a%26amp;%3Cb%3E.md) [A](<a%26amp;%3Cb%3E.md>) [[設計]]"),
    ],
)
def test_odd_names_are_written_so_that_they_are_read_back(new, expected):
    """A wiki link has no way to contain some of them: it stays and is reported."""
    text, _, left = moved("[A](../planning/設計.md) [A](<../planning/設計.md>) [[設計]]", new)
    assert text == expected and bool(left) == ("[[設計]]" in expected)


def test_a_name_that_another_note_has_too_is_written_as_a_key():
    assert moved("[[設計]]", "shared/x.md")[0] == "[[shared/x]]"


def test_the_moved_note_keeps_meaning_what_it_meant():
    text = "[s](設計.md#a) [x](x.md) ![p](img/p.png) [a](../shared/a.md) [[x]] [[設計]] [e](https://x) [d](gone.md) [r](../../../../src/a.py) [#](#h)"
    expected = (
        "[s](新.md#a) [x](../../planning/x.md) ![p](../../planning/img/p.png) [a](../../shared/a.md) [[x]] [[新]] [e](https://x) "
        "[d](../../planning/gone.md) [r](../../../../../src/a.py) [#](#h)"
    )
    assert moved(text, "deep/er/新.md", OLD)[0] == expected
    assert moved("[x](x.md) [a](../shared/a.md)", "planning/新.md", OLD) == ("[x](x.md) [a](../shared/a.md)", 0, ())


PIECES = st.sampled_from(
    (
        *("[A](../planning/設計.md)", "[[設計]]", "[[planning/設計|x]]", "<../planning/設計.md>", "[r]", "\n[r]: ../planning/設計.md\n", "`", "\n```\n"),
        *("[", "]", "(", ")", "\\", "<", "!", "\n> ", "\n- ", "設計.md ", "[b](b.md)", "<b>", "\r\n", "\n\n", "|", "#", "&amp;", "é", "[[", "]]", "*", "\0"),
    )
)


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from(("shared/新 (1).md", "top/設計.md", "planning/b.md", "shared/[x].md")))
def test_any_text_keeps_its_other_links_and_its_length_apart_from_targets(text, new):
    """Whatever the Markdown, a rewritten note links to the new place where it linked to the old one, and to the same notes otherwise."""
    change = key_change(OLD, new, KEYS, targets.ACTIVE)
    found = relinked(text.encode(), "shared/a.md", change)
    before, after = parse("shared/a.md", text.encode()), parse("shared/a.md", found.data)
    was = {targets.resolve("shared/a.md", link, change.before) for link in before.links}
    now = {targets.resolve("shared/a.md", link, change.after) for link in after.links}
    assert now - {None, new} <= was
    if found.data == text.encode():
        assert found.rewritten == 0
    elif "!" not in text:  # a picture follows too, and is no link
        assert new in now and OLD in was
    if OLD in was and not found.left:
        assert new in now


@given(st.text(max_size=60))
def test_no_text_is_a_failure(text):
    assert relinked(text.encode("utf-8", "surrogatepass"), "shared/a.md", key_change(OLD, "n.md", KEYS, targets.ACTIVE)).data is not None


def test_a_bank_elsewhere_in_the_repository():
    found = relinked(b"[A](/notes/planning/x.md)", "a.md", key_change("planning/x.md", "y.md", {"planning/x.md", "a.md"}, "notes"))
    assert found.data == b"[A](/notes/y.md)"
    assert targets.resolve("a.md", Link("link", "/notes/y.md"), {"y": ["y.md"]}, "notes") == "y.md"
