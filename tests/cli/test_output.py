"""Tables, Markdown and plain text: aligned in both scripts, and never a control character of a note."""

import re
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cli import output
from memorybank.cli.output import Column

COLUMNS = (Column("key"), Column("score", right=True), Column("title", flexible=True))


def test_plain_text_aligns_english_and_japanese(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    text = output.plain(COLUMNS, [["a.md", "4.2", "Overview"], ["用語集.md", "10.0", "用語"]])
    assert text == "key        score  title\na.md         4.2  Overview\n用語集.md   10.0  用語\n"


def test_both_unicode_forms_of_a_name_take_the_same_columns():
    """macOS writes ガ as two characters; a terminal shows one."""
    assert output.width(normalize("NFD", "ガイド.md")) == output.width("ガイド.md") == 9


def test_nothing_is_cut_towards_a_pipe(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert "x" * 500 in output.plain(COLUMNS, [["a.md", "1", "x" * 500]])


def test_columns_says_how_wide_the_page_is(monkeypatch, capsys):
    """Only flexible columns give way, by folding; keys stay whole and nothing is lost."""
    monkeypatch.setenv("COLUMNS", "60")
    output.rows("table", COLUMNS, [("planning/a-rather-long-key.md", 1.0, "長い題名" * 20), ("b.md", 2.0, "x" * 90)], [], empty="")
    drawn = capsys.readouterr().out
    assert max(map(output.width, drawn.splitlines())) <= 60
    assert "planning/a-rather-long-key.md" in drawn and drawn.count("題") == 20 and drawn.count("x") == 90 and "\x1b" not in drawn


def test_markdown_escapes_what_would_break_the_table():
    assert output.markdown((Column("a"), Column("n", right=True)), [["x|y", "1"], ["\\", "2"]]) == "| a | n |\n| --- | ---: |\n| x\\|y | 1 |\n| \\\\ | 2 |\n"


@given(st.text())
def test_no_control_character_of_a_note_is_printed(text):
    """Escape sequences, bidirectional overrides and line breaks in a title cannot paint over the terminal."""
    cleaned = output.clean(text)
    assert len(cleaned) == len(text)
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 or character in "\u2028\u2029\u202e\u2066" for character in cleaned)
    assert "\x1b" not in output.clean_text(text)


@pytest.mark.parametrize(("form", "expected"), [("json", "[]\n"), ("table", "nothing\n"), ("markdown", "nothing\n")])
def test_an_empty_result_says_so(capsys, form, expected):
    output.rows(form, COLUMNS, [], [], empty="nothing")
    assert capsys.readouterr().out == expected


def test_a_terminal_gets_a_drawn_table(monkeypatch, capsys):
    """rich folds the flexible column and keeps keys and numbers on one line. Text of notes is not interpreted as markup."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    output.rows("table", COLUMNS, [("a.md", 4.25, "[red]" + "word " * 12)], [], empty="")
    drawn = capsys.readouterr().out
    assert "[red]" in drawn and "\x1b[3" not in drawn
    assert max(output.width(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in drawn.splitlines()) <= 40
