"""At 60 columns no command loses a column, and no line is wider than the page."""

import re

import pytest

from memorybank.cli import output
from memorybank.cli.output import Column

NOTES = {
    "implementation/a-note-with-a-long-name-about-認証トークンの更新.md": "---\ntags: [decision, 認証/トークン]\n---\n"
    "# 認証トークンの期限を24時間にした理由\n\n本文。\n",
    "planning/b.md": "# B\n\nWords [[nowhere]].\n",
}


@pytest.fixture
def narrow(bank, run, monkeypatch):
    scratch = bank(NOTES)
    run(scratch, "bookmark", "add", "implementation/*", "--note", "なぜ残すのかを説明する長い文がここに入ります")
    run(scratch, "mv", "planning/b.md", "planning/another-long-name-for-the-note.md")
    monkeypatch.setenv("COLUMNS", "60")
    return scratch


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("score",), ("top 50 %", "rating", "トークンの更新.md")),
        (("metrics",), ("notes, active and archived", "active notes by importance")),
        (("config", "show"), ("0.4", "min_importance_threshold", "under_pressure")),
        (("policy", "show"), ("event_importance_weights.cross_impact", "settings 0.2")),
        (("bookmark", "list"), ("implementation/*", "2025-09-17", "なぜ残すのか")),
        (("undo", "--list"), ("mv: planning/b.md", "2025-09-17")),
        (("list",), ("another-long-name-for-the-note.md",)),
        (("tags",), ("認証/トークン",)),
        (("status",), ("2 active",)),
        (("doctor",), ("checks",)),
        (("rotate", "--dry-run"), ("2 notes",)),
        (("list", "--problems"), ("no problems",)),
    ],
)
def test_nothing_is_lost_and_every_line_fits(narrow, run, arguments, said):
    printed = run(narrow, *arguments)
    assert max(map(output.width, printed.out.splitlines())) <= 60
    joined = re.sub(r"\s+", "", printed.out)
    for text in said:
        assert re.sub(r"\s+", "", text) in joined, text


def test_a_table_that_does_not_fit_becomes_paragraphs(monkeypatch, capsys):
    columns = (Column("key"), Column("in force", right=True), Column("why", flexible=True))
    monkeypatch.setenv("COLUMNS", "30")
    output.rows("table", columns, [("a.key.that.is.as.wide.as.the.page", 0.4, "理由"), ("short", None, "")], None, empty="")
    assert capsys.readouterr().out == "a.key.that.is.as.wide.as.the.p\nage\n  in force 0.4, why 理由\nshort\n"
    monkeypatch.setenv("COLUMNS", "80")
    output.rows("table", columns, [("a.key.that.is.as.wide.as.the.page", 0.4, "理由")], None, empty="")
    assert capsys.readouterr().out.splitlines()[0].split() == ["key", "in", "force", "why"]


@pytest.mark.parametrize("value", ["11", "-1", "nan", "x", "１１"])
def test_a_rating_out_of_range_is_refused_in_words(narrow, run, value):
    refused = run(narrow, "rate", "--", "implementation", value)
    assert refused.code == 2 and f"{value} is not a number from 0 to 10" in refused.err
