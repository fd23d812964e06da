"""list: newest first, one line per note at any width, 50 notes unless --all, a pager on a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cli import output

from .terminal import on_terminal

LONG = "implementation/a-very-long-name-that-a-person-once-gave-to-a-note-about-everything.md"


@pytest.fixture
def mixed(bank):
    made = bank({})
    for number in range(30):
        title = "長い題名を持つノート" * 6 if number % 2 else "A long title that says what the note is about and more " * 2
        made.write(f"planning/ノート-{number:02}.md" if number % 3 else f"shared/note-{number:02}.md", f"# {title}\n\ntext {number}\n", days_old=10 + number)
    return made


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_each_note_is_one_line_that_fits(mixed, run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run(mixed, "list").out.splitlines()
    assert len(lines) == 31
    assert max(map(output.width, lines)) <= columns
    assert all("…" in line for line in lines[1:]) or columns == 120
    assert [key for line in lines[1:] for key in line.split() if key.endswith(".md")][:2] == ["shared/note-00.md", "planning/ノート-01.md"]


@pytest.mark.parametrize("columns", [20, 40, 60, 80])
def test_a_key_is_never_cut(bank, run, monkeypatch, columns):
    """A long key takes the columns of its title, and then continues on the next line."""
    scratch = bank({LONG: "# Long\n", "共有/" + "長い" * 20 + ".md": "# 長い\n", "a.md": "# Short\n"})
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = "".join(line[19:] for line in run(scratch, "list").out.splitlines())
    if columns >= 30:
        assert LONG in shown and "長い" * 20 + ".md" in shown
    assert run(scratch, "list").code == 0


def test_newest_first_and_equal_dates_by_key(bank, run):
    scratch = bank({"b.md": "# B\n", "a.md": "# A\n"})
    scratch.write("z.md", "# Z\n", days_old=1)
    assert [line.split()[0] for line in run(scratch, "list").out.splitlines()] == ["key", "z.md", "a.md", "b.md"]


def test_fifty_notes_unless_all_are_requested(bank, run, monkeypatch):
    scratch = bank({f"shared/memo-{number:02}.md": f"# Memo {number}\n" for number in range(60)})
    result = run(scratch, "list")
    assert result.out.count("memo-") == 50 and "50 of 60 notes; --all" in result.err
    everything = run(scratch, "list", "--all")
    assert everything.out.count("memo-") == 60 and everything.err == ""
    assert run(scratch, "list", "-n", "3").out.count("memo-") == 3
    assert run(scratch, "list", "--limit", "55").out.count("memo-") == 55
    assert run(scratch, "list", "--format", "markdown").out.count("memo-") == 50
    assert len(json.loads(run(scratch, "list", "--format", "json").out)) == 60
    assert len(json.loads(run(scratch, "list", "--format", "json", "-n", "2").out)) == 2
    monkeypatch.setenv("COLUMNS", "80")
    assert run(scratch, "list").out.endswith("\n50 of 60 notes; --all lists every note\n")


@pytest.mark.parametrize("arguments", [["--all", "-n", "3"], ["-n", "0"], ["-n", "x"], ["--pager"]])
def test_wrong_arguments_are_refused(bank, run, arguments):
    assert run(bank({"a.md": "# A\n"}), "list", *arguments).code == 2


def test_a_tag_or_folder_that_no_note_has_is_named(bank, run):
    scratch = bank({"shared/a.md": "---\ntags: [red]\n---\n# A\n", "planning/b.md": "# B\n"})
    assert run(scratch, "list", "--tag", "nope").err == "memorybank: no note has the tag nope; 'memorybank tags' lists the tags\n"
    assert "no note is in a folder nope of active/; folders with notes: planning, shared" in run(scratch, "list", "--category", "nope").err
    for arguments in (["--tag", "red"], ["--tag", "red", "--category", "planning"], ["--tag", "nope", "--json"]):
        assert run(scratch, "list", *arguments).err == ""


@pytest.mark.parametrize("columns", ["", "80"])
def test_an_empty_bank_says_so(bank, run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    assert run(bank({}), "list").out == "no notes match\n"


@pytest.mark.slow
def test_a_terminal_that_is_too_short_gets_the_pager(mixed):
    pager = "sed s/^/paged:/"
    code, shown = on_terminal(mixed.repository, "list", PAGER=pager)
    assert code == 0 and shown.count("paged:") == 31
    assert "paged:" not in on_terminal(mixed.repository, "list", "--no-pager", PAGER=pager)[1]
    assert "paged:" not in on_terminal(mixed.repository, "list", "-n", "5", PAGER=pager)[1]
    assert "paged:" not in on_terminal(mixed.repository, "list", lines=40, PAGER=pager)[1]
    for named in ("", "dumb"):
        assert "paged:" not in on_terminal(mixed.repository, "list", PAGER=pager, TERM=named)[1]


def test_a_pipe_gets_no_pager(mixed, process):
    assert "paged:" not in process(mixed, "list", PAGER="sed s/^/paged:/").out


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("implementation/why-there-is-no-server-0007.md", ["implementation/why-there-is-no-server-", "0007.md"]),
        ("planning/" + "長い" * 12 + "-終わり.md", ["planning/" + "長い" * 7 + "長", "い" + "長い" * 4 + "-終わり.md"]),
        ("learned/" + "x" * 50 + ".md", ["learned/" + "x" * 32, "x" * 18 + ".md"]),
    ],
)
def test_a_long_key_continues_after_a_separator(bank, run, monkeypatch, key, lines):
    """A name that is broken within a word or a number reads as another one. Nothing of it is cut, because a person copies it."""
    monkeypatch.setenv("COLUMNS", "59")
    scratch = bank({key: "# A title\n"})
    assert [line[19:] for line in run(scratch, "list").out.splitlines()[1:3]] == lines
    run(scratch, "forget", key, "--yes")
    listed = run(scratch, "undo", "--list").out
    assert all(len(line) <= 59 for line in listed.splitlines()) and key in "".join(line.strip() for line in listed.splitlines()[1:])
    monkeypatch.delenv("COLUMNS")
    assert key in run(scratch, "undo", "--list").out


@given(st.text(), st.integers(0, 40))
def test_a_cut_text_fits(text, limit):
    shown = output.cut(output.clean(text), limit)
    assert output.width(shown) <= limit
    first, rest = output.split(text, limit)
    assert first + rest == text and output.width(first) <= limit
    first, rest = output.split_name(text, limit)
    assert first + rest == text and output.width(first) <= limit and (first or output.split(text, limit)[0] == first)


@pytest.mark.parametrize("columns", [60, 80, 99, 120])
def test_a_title_that_has_no_place_beside_its_key_is_on_the_next_line(bank, run, monkeypatch, columns):
    scratch = bank({LONG: "# A long key\n", "learned/rule-これはとても長い名前のノートです-f40d174e.md": "# 題名は切らない\n", "a.md": "# Short\n"})
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(scratch, "list").out
    assert all(title in shown for title in ("A long key", "題名は切らない", "Short")), shown
    assert max(map(output.width, shown.splitlines())) <= columns
