"""The work that one large note causes, counted: nothing is computed once for each of its links, words or lines that can be computed once for all."""

import tracemalloc

import pytest

from memorybank.bank import Bank
from memorybank.config.settings import load
from memorybank.index import anchors, links
from memorybank.index.changes import COUNTED_ANEW, TermCounts
from memorybank.index.extract import extract_all
from memorybank.notes.note import Link
from memorybank.notes.parse import parse
from memorybank.text import snippets, word_terms
from memorybank.values import Memo


def test_names_of_many_links_are_looked_up_at_once(bank):
    """Every name is one query only up to a limit; the answers are the same."""
    names = [f"target-{number}" for number in range(links.ASKED_ONE_BY_ONE + 300)]
    scratch = bank({"large.md": "".join(f"[[{name}]]\n" for name in names), f"{names[3]}.md": "# a\n", f"x/{names[-1]}.md": "# b\n"})
    with Bank.open(str(scratch.root)).folded() as index:
        assert links.edges(index.connection) == [("large.md", f"{names[3]}.md"), ("large.md", f"x/{names[-1]}.md")]
        asked = []
        by_name = links.KeysByName(index.connection)
        index.connection.set_trace_callback(asked.append)
        found = {name: by_name.get(name) for name in (*names, *names, "never")}
        index.connection.set_trace_callback(None)
    assert {name: keys for name, keys in found.items() if keys} == {names[3]: (f"{names[3]}.md",), names[-1]: (f"x/{names[-1]}.md",)}
    assert len(asked) == links.ASKED_ONE_BY_ONE + 1


def test_names_of_links_are_asked_for_one_by_one_in_a_large_bank(bank, monkeypatch):
    monkeypatch.setattr(links, "FEW", 1)
    monkeypatch.setattr(links, "ASKED_ONE_BY_ONE", 2)
    scratch = bank({"a.md": "# a\n", "x/b.md": "# b\n"})
    with Bank.open(str(scratch.root)).folded() as index:
        by_name = links.KeysByName(index.connection)
        names = ("a", "never", "b", "nor", "a")
        assert [by_name.get(name) for name in names] == [("a.md",), (), ("x/b.md",), (), ("a.md",)]
        assert set(by_name) == set(names), "no name of another note was read"


def test_links_beyond_the_most_anchors_are_not_resolved(monkeypatch):
    resolved = []
    real = anchors.resolve
    monkeypatch.setattr(anchors, "resolve", lambda *given: resolved.append(given[1]) or real(*given))
    found = anchors.find("", "a.md", [Link("link", f"../../../src/{number}.py") for number in range(anchors.MOST * 10)])
    assert len(found) == len(resolved) == anchors.MOST


def test_a_word_is_stemmed_once_however_it_is_written(bank, monkeypatch):
    stemmed = []
    monkeypatch.setattr(word_terms, "_stems", Memo(lambda word: stemmed.append(word) or word_terms.stem(word), 100_000))
    words = [f"nation{first}{second}" for first in "abcdefgh" for second in "klmnopqr"]
    text = "".join(f"{word} {word.title()} call_{word}({number}) {word}'s\n" for number, word in enumerate(words))
    extract_all((parse("a.md", text.encode()),), load(bank({}).layout))
    assert len(stemmed) == len(set(stemmed)) and set(words) <= set(stemmed)


def test_the_terms_of_a_note_are_counted_without_its_words_as_separate_texts():
    column = "検索 索引 alpha beta \n " * 150_000
    counts = TermCounts(COUNTED_ANEW)
    tracemalloc.start()
    counts.count((column, "gamma"), 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000, "ten times as much without stretches"
    assert dict(counts._changes) == dict.fromkeys(("検索", "索引", "alpha", "beta", "gamma"), 1)


@pytest.mark.parametrize(("filler", "needle"), [("word ", "needle"), ("検索の", "針を探す")])
def test_a_match_far_into_an_endless_line_is_shown_without_reading_all_of_it(bank, monkeypatch, filler, needle):
    monkeypatch.setattr(snippets, "LONGEST_LINE", 2_000)
    lengths = []
    real = snippets.shown
    monkeypatch.setattr(snippets, "shown", lambda text: lengths.append(len(text)) or real(text))
    scratch = bank({"a.md": "# A\n\n" + filler * 20_000 + needle + filler * 20_000})
    opened = Bank.open(str(scratch.root))
    (hit,) = opened.search(needle, type="content").hits
    assert needle in hit.snippet and [hit.snippet[begin:end] for begin, end in hit.marks] == [needle]
    assert opened.search(needle).hits
    assert lengths and max(lengths) <= 2_000
