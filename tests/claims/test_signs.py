"""A block without the signs of claims contains none, so its sentences need not be read. Whatever a rule can match has one of its signs."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.claims import dates, extract, names
from memorybank.claims.blocks import Sentence
from memorybank.claims.extract import _may_claim, claims_of, claims_of_blocks
from memorybank.text.commands.paths import EXTENSIONS, FILE_NAMES

DATA = Path(__file__).resolve().parents[1] / "data" / "claims"
LABELLED = [note["text"] for note in json.loads((DATA / "cases.json").read_text(encoding="utf-8"))["notes"]]
LABELLED += [line.rpartition("\t")[2] for line in (DATA / "dates.tsv").read_text(encoding="utf-8").splitlines()]
PATTERNS = {
    "until": dates._UNTIL,
    "until, Japanese": dates._UNTIL_JAPANESE,
    "open": dates._OPEN,
    "link": extract._LINK,
    "wiki link": extract._WIKI,
    "commit": extract._COMMIT,
    "branch": extract._BRANCH,
    "version": extract._VERSION,
    "variable": names._VARIABLE,
}


@pytest.mark.parametrize("name", PATTERNS)
@given(data=st.data())
def test_what_a_rule_matches_has_one_of_the_signs(name, data):
    text = data.draw(st.from_regex(PATTERNS[name].pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF)))
    if PATTERNS[name] in (dates._UNTIL, dates._UNTIL_JAPANESE, dates._OPEN):
        assert dates.may_say(text) or not any(sign in text for sign in dates._SIGNS), ascii(text)
    if list(extract._of_sentence(Sentence(text, 1), "notes")):
        assert _may_claim(text), ascii(text)


@pytest.mark.parametrize("word", [f"a.{ending}" for ending in sorted(EXTENSIONS)] + sorted(FILE_NAMES) + ["src/a", "./a", "設計.md", "docs/設計.md"])
def test_what_looks_like_a_path_has_one_of_the_signs(word):
    for text in (word, f"See {word}.", f"{word}を読む。"):
        if list(extract._of_sentence(Sentence(text, 1), None)):
            assert _may_claim(text), ascii(text)


def test_blocks_without_a_sign_are_only_skipped(monkeypatch):
    found = [claims_of(text, "notes") for text in LABELLED]
    monkeypatch.setattr(extract, "_may_claim", lambda block: True)
    monkeypatch.setattr(dates, "may_say", lambda text: any(sign in text for sign in dates._SIGNS))
    assert [claims_of(text, "notes") for text in LABELLED] == found


def test_a_quotation_between_a_word_and_its_date_is_left_out():
    assert [claim.place for claim in claims_of('Keep it until "really" Friday.')] == ["until friday"]


def test_a_block_of_plain_prose_is_not_read(monkeypatch):
    monkeypatch.setattr(extract, "_claims_of", None)
    plain = "Nothing here names a thing, and nothing by itself holds as of a day. ここまで書いた。"
    assert claims_of_blocks([(plain, 1, 0)]) == []
