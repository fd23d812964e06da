"""The words by which rows of evidence are sifted: a row that is left out because of them would not have matched."""

import re
import sys
from marshal import loads
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank import bytecode
from memorybank.hosts import bytecode_file
from memorybank.hosts.literals import literals
from memorybank.text import pattern
from memorybank.text.prompts import evidence
from memorybank.text.prompts.evidence_english import ENGLISH
from memorybank.text.prompts.evidence_japanese import JAPANESE
from memorybank.text.prompts.statements import table_for

LINES = (Path(__file__).parents[1] / "data" / "stated_in_own_words.tsv").read_text(encoding="utf-8").splitlines()
SAID = [line.split("\t")[2] for line in LINES if not line.startswith("#")]
WORDS = {text: literals(text) for text in evidence.sifted}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"(?i)\bFOO bar\b", ("foo bar",)),
        (r"\b(?:every|each) \w+", ("each", "every")),
        (r"we (?:use|pin)", ("we pin", "we use")),
        (r"(?:may not|may|must)", ("may", "must")),
        (r"(?:never|always)? use", (" use",)),
        (r"(?:never )+use", ("never ",)),
        (r"(?:always )?use", ("use",)),
        (r"(?:always)*", ()),
        (r"colou?r of", ("colo",)),
        (r"(?=.*\bthis\b)x", ("this",)),
        (r"(?!this)that", ("that",)),
        (r"(?:案|候補|例)\W?[:：]", ("例", "候補", "案")),
        (r"(?:案|候補|例)\W?[;:]", ("例", "候補", "案")),
        (r"(?<=the )wrong", ("wrong",)),
        (r"(?:valid|right) that", ("right", "valid")),
        (r"[?？]$", ("?", "？")),
        (r"[a-z]+", ()),
        (r"this|\w", ()),
        (r"必ず|(?:て|で)から", ("から", "必ず")),
        ("|".join(f"{number:02}abc" for number in range(99)), ()),
    ],
)
def test_every_text_with_a_match_contains_one_of_the_words(pattern, words):
    assert literals(pattern) == words


@pytest.mark.parametrize("text", evidence.sifted)
def test_a_row_that_matches_a_sentence_has_its_words_in_it(text):
    compiled = re.compile(text)
    for said in SAID:
        if compiled.search(said):
            assert not WORDS[text] or any(word in said.lower() for word in WORDS[text]), said


def sifted(monkeypatch, table, sentence):
    monkeypatch.setattr(bytecode, "program", lambda text: WORDS if text == evidence.LITERALS else None)
    monkeypatch.setattr(table, "_literals", None)
    return [one.what for one in table.find(sentence)]


def test_the_evidence_is_the_same_with_the_words_and_without(monkeypatch):
    for said in SAID:
        with monkeypatch.context() as patched:
            patched.setattr(table_for(said), "_literals", {})
            complete = [one.what for one in table_for(said).find(said)]
        with monkeypatch.context() as patched:
            assert sifted(patched, table_for(said), said) == complete, said


@pytest.mark.parametrize("program", [None, (20171005, 0, b"", 0, {}, (None,))], ids=["no file", "file of the commands"])
def test_without_the_words_every_row_is_matched(monkeypatch, program):
    """A command keeps what it missed in its own file, compiled as a pattern, and finds that at its next start."""
    monkeypatch.setattr(bytecode, "program", lambda text: program if text == evidence.LITERALS else None)
    monkeypatch.setattr(ENGLISH, "_literals", None)
    assert "order that begins with never or always" in [one.what for one in ENGLISH.find("Never push to main.")]


@pytest.mark.parametrize(("table", "sentence"), [(ENGLISH, "Never puſh to main, aſk first."), (JAPANESE, "KEYは必ずgit経由で取る。")])
def test_signs_that_match_letters_without_being_their_upper_case_are_matched(monkeypatch, table, sentence):
    monkeypatch.setattr(table, "_literals", {})
    complete = [one.what for one in table.find(sentence)]
    assert sifted(monkeypatch, table, sentence) == complete


@given(st.lists(st.sampled_from([word for said in SAID for word in said.split()]), max_size=12).map(" ".join))
def test_no_mixture_of_words_is_judged_in_another_way(sentence):
    table = table_for(sentence)
    results = []
    before = table._literals
    for words in ({}, WORDS):
        table._literals = words
        results.append([one.what for one in table.find(sentence)])
    table._literals = before
    assert results[0] == results[1]


def test_the_file_of_the_hooks_contains_the_words():
    compiled = bytecode_file.compiled_patterns()
    assert set(compiled) > set(evidence.sifted)
    assert loads(compiled[evidence.LITERALS]) == WORDS


def test_the_words_of_every_pattern_are_in_what_it_finds():
    """A hook does not search a text without them."""
    for text in pattern.declared:
        words, compiled = literals(text), re.compile(text)
        for said in SAID if words else ():
            if compiled.search(said):
                assert any(word in said.lower() for word in words), (text, said)


def test_the_file_of_the_hooks_gives_the_words_of_a_pattern(tmp_path):
    chunks = bytecode_file.layout({}, bytecode_file.compiled_patterns(), (0, 0), {text: literals(text) for text in pattern.declared})
    path = tmp_path / "segments"
    path.write_bytes(b"".join(chunks))
    finder = bytecode.serve(str(path))
    sys.meta_path.remove(finder)
    text = ENGLISH._reason.pattern
    assert finder.words(text) == list(literals(text)) != []
    assert finder.words("not in the file") == []
    assert finder.program(text) is not None
