"""The query of a moment: words that say what a text is about, and the anchors of the event."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cycle.recall import query
from memorybank.cycle.recall.query import Past, as_written, of_event, words
from memorybank.text.words.tokens import tokens
from tests.cycle.recalling import before, failure, prompt


def labels(text):
    return [word.label for word in words(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How do uploads retry, please?", ["upload", "retri"]),
        ("I want to fix the parseConfig function", ["parseconfig", "pars", "config", "function"]),
        ("アップロードの再送を修正してください", ["アップロード", "再送"]),
        ("電子基準点の設置間隔は？", ["電子", "基準", "準点", "設置", "間隔"]),
        ("検索 索引", ["検索", "索引"]),
        ("see 12 or 404", ["404"]),
        ("ok, go on", []),
        ("続けてください", []),
        ("", []),
    ],
)
def test_words_say_what_a_text_is_about(text, found):
    assert sorted(labels(text)) == sorted(found)


@given(st.text(alphabet=st.one_of(st.sampled_from("abcXYZ_ 検索認証トークンのをはー。、12'’"), st.characters(codec="utf-8")), max_size=80))
def test_every_term_asked_is_one_that_the_index_stores_for_the_same_text(text):
    """Every query can be answered: the terms of a word are tokens of the text that it comes from."""
    stored = set(tokens(text))
    for word in words(text):
        assert word.terms
        if not any(sign.isdigit() for sign in text):  # dates are read by the index alone
            assert set(word.terms) <= stored
        assert not any('"' in term or " " in term for term in word.terms)


@pytest.mark.parametrize(
    ("label", "text", "shown"),
    [
        ("retri", "How often are uploads retried?", "retried"),
        ("準点", "電子基準点の設置", "電子基準点"),
        ("トークン", "認証トークンの期限", "トークン"),
        ("xyz", "nothing", "xyz"),
    ],
)
def test_a_reason_is_told_in_the_askers_spelling(label, text, shown):
    assert as_written(label, text) == shown


def test_a_prompt_with_two_words_is_asked_alone_and_a_shorter_one_with_what_was_said_before():
    past = Past(["why do uploads fail at night?"])
    assert [word.label for word in of_event(prompt("retry the billing export"), "prompt", past, "/r").words] == ["retri", "bill", "export"]
    assert [word.label for word in of_event(prompt("and retries?"), "prompt", past, "/r").words] == ["retri", "upload", "fail", "night"]
    assert of_event(prompt("ok"), "prompt", Past(["ok"]), "/r").is_empty
    assert of_event(prompt("続けて"), "prompt", Past(["再送の上限を調べて"]), "/r").words


def test_a_question_of_its_own_is_asked_alone_however_few_words_it_has():
    past = Past(["軽減税率の対象外のギフト箱を food から goods に移したいです。"])
    asked = of_event(prompt("返品にはいつもどう返していますか。"), "prompt", past, "/r")
    assert [word.label for word in asked.words] == ["返品"] == [asked.topic]
    assert "軽減" in [word.label for word in of_event(prompt("返品もそれでいいですか"), "prompt", past, "/r").words]


def test_a_call_asks_with_its_files_and_its_words():
    """What was asked before was already answered at the prompt."""
    past = Past(["lower the jitter"])
    asked = of_event(before("Edit", {"file_path": "/r/src/upload.py", "new_string": "unrelated content"}, cwd="/r"), "tool_before", past, "/r")
    assert asked.anchors == asked.given == ["file:src/upload.py"]
    assert {word.label for word in asked.words} == {"src", "upload", "py"}
    assert "unrel" not in {word.label for word in asked.words}, "what is written into a file is no question"
    assert asked.fingerprint == "edit src/upload.py"


def test_a_failure_asks_with_its_error():
    asked = of_event(failure("Bash", {"command": "npm test"}, "Exit code 1\nError: ECONNRESET while uploading"), query.FAILURE, Past(), "/r")
    assert "cmd:npm test" in asked.given
    assert {"econnreset", "upload"} <= {word.label for word in asked.words}
