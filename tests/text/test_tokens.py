"""One tokeniser for index and query: both split a word in the same way, however it is written."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.index.schema import FULL_TEXT
from memorybank.text.words import tokens

MIXED = st.text(st.sampled_from("aZ09_-'’. \n\"\\\t検索語のひらカター・ｱﾞＡ５한글éßİжñ月日年/()[]{}*^:;,🙂\u3099\u200b\x00"), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running runners ran", ["run", "runner", "ran"]),
        ("Melanie's don't O'Brien Melanie’s", ["melani", "don", "o", "brien", "melani"]),
        ("parseConfig parse_config HTTPServer", ["parseconfig", "pars", "config", "parse_config", "pars", "config", "httpserver", "http", "server"]),
        ("URLs 8th sqlite3 v2", ["url", "8", "sqlite3", "sqlite", "v2"]),
        ("9f86d081884c7d65 9F86D081884C7D65 deadbeefdeadbeef", ["9f86d081884c7d65"] * 2 + ["deadbeefdeadbeef"]),
        ("commit 3f2a1c9 sha256_9f86d081", ["commit", "3f2a1c9", "sha256_9f86d081", "sha", "256", "86", "081"]),
        ("Café naïve Ærø", ["cafe", "naiv", "ærø"]),
        ("near-duplicate a/b.md", ["near", "duplic", "a", "b", "md"]),
        ("検索語", ["検索", "索語", "語"]),
        ("語", ["語"]),
        ("Pythonで検索", ["python", "で検", "検索", "索"]),
        ("ｱｸｾｽ ＡＢＣ", ["アク", "クセ", "セス", "ス", "abc"]),
        ("검색 엔진", ["검색", "색", "엔진", "진"]),
        ("Привет", ["привет"]),
        ("x" * 100, ["x" * 64]),
        ("", []),
        ("— … 、。", []),
    ],
)
def test_a_text_becomes_these_tokens(text, expected):
    assert tokens.tokens(text) == expected


@given(MIXED)
def test_tokens_survive_the_full_text_index_as_they_are(text):
    """FTS5 separates at the spaces between our tokens and nowhere else, and keeps every character."""
    found = tokens.tokens(text)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE t {FULL_TEXT}")
        connection.execute("INSERT INTO t (rowid, title, headings, tags, body) VALUES (1, '', '', '', ?)", (tokens.read(text).indexed,))
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        assert [row[0] for row in connection.execute("SELECT term FROM v ORDER BY offset")] == found


@given(MIXED, MIXED)
def test_reading_keeps_every_line_end(first, second):
    """Search takes line numbers from the stored tokens."""
    text = f"{first}\n{second}"
    assert tokens.read(text).indexed.split(" ").count("\n") == text.count("\n")


@given(st.text(st.sampled_from("検索語彙日本の"), min_size=2, max_size=12), st.data())
def test_any_two_characters_in_a_row_of_a_japanese_run_are_a_token(run, data):
    at = data.draw(st.integers(0, len(run) - 2))
    assert run[at : at + 2] in tokens.tokens(f"ABC{run}。")


@given(st.from_regex(r"[A-Za-z]{1,12}", fullmatch=True))
def test_the_first_token_of_a_word_does_not_depend_on_its_case(word):
    assert tokens.tokens(word)[0] == tokens.tokens(word.lower())[0]


@pytest.mark.parametrize(
    "text",
    [
        "Parse the parseHTTPConfigs of 2026-01-01, don't retry the Café.\n検索の仕組み 2026年1月2日 -- 01-02\n" * 20,
        "word\u00a0word\u3000語 l'été\r\n" * 30,
        "日本語の長い一行" * 50 + " end",
        "x" * 300,
    ],
)
def test_a_long_text_is_read_in_stretches_as_in_one(monkeypatch, text):
    complete = tokens.read(text)
    for size in (1, 7, 40):
        monkeypatch.setattr(tokens, "_STRETCH", size)
        assert tokens.read(text) == complete


def test_equal_words_of_a_stretch_take_the_memory_of_one(monkeypatch):
    monkeypatch.setattr(tokens, "_STRETCH", 1_500)
    parts = tokens.read("the same words " * 200).parts
    assert len(parts) == 600 and len({id(part) for part in parts}) == 6


@pytest.mark.parametrize("text", ["a b\nc 語。語 " * 50, "x" * 500, "x" * 200 + " " + "y" * 200, "", "語" * 90 + "。" * 90])
def test_stretches_cover_a_text_and_end_between_words(monkeypatch, text):
    monkeypatch.setattr(tokens, "_STRETCH", 30)
    found = list(tokens.stretches(text))
    assert "".join(text[begin:end] for begin, end in found) == text
    assert all(text[end - 1] in "\n 。" or end == len(text) for _, end in found)
