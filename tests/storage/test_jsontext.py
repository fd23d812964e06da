"""JSON without the package: the same values as the package, one kind of error, and one line out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.storage import jsontext
from memorybank.storage.encoded import utf8
from memorybank.storage.jsontext import encode_bytes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_encoded_is_decoded_by_us_and_by_the_package(value):
    data = jsontext.encode_bytes(value)
    assert b"\n" not in data
    assert jsontext.decode(data) == json.loads(data) == jsontext.decode("\ufeff \t" + jsontext.encode(value) + "\r\n")


@given(st.text(), st.sampled_from(["", "plain", '"', "\\", "\n\r\t", "\x00", "\x1f", "\x7f", "\ud83d", "記憶"]))
def test_a_long_text_is_encoded_as_a_short_one(monkeypatch, text, sign):
    value = {"text": text + sign * 3, "記": [text], sign: sign, "at": 1}
    expected = [jsontext.encode_bytes(value), jsontext.encode_bytes(text + sign)]
    with monkeypatch.context() as patched:
        patched.setattr(jsontext, "_LONG", 0)
        assert [jsontext.encode_bytes(value), jsontext.encode_bytes(text + sign)] == expected


@given(st.text(max_size=40) | st.binary(max_size=40))
def test_what_is_no_json_is_a_value_error_and_nothing_else(source):
    try:
        expected = json.loads(source, parse_constant=pytest.fail)
    except (ValueError, pytest.fail.Exception):
        with pytest.raises(ValueError):
            jsontext.decode(source)
    else:
        if isinstance(source, str):  # the package also guesses at UTF-16 and UTF-32
            assert jsontext.decode(source) == expected


@pytest.mark.parametrize("source", ["", " ", "{", '{"a":}', "[1,]", "nul", "NaN", "-Infinity", '{"a":1} x', "[" * 200_000, b"\xff", '"a\nb"', '"\\u12"'])
def test_odd_sources_are_refused(source):
    with pytest.raises(ValueError):
        jsontext.decode(source)


def test_a_lone_surrogate_reaches_no_file():
    """A payload may hold half of an emoji (`\\ud83d`); no UTF-8 file can."""
    assert jsontext.encode_bytes({"text": jsontext.decode('"\\ud83d 記憶"')}) == '{"text":"? 記憶"}'.encode()


def test_what_json_cannot_say_is_refused():
    with pytest.raises(ValueError):
        jsontext.encode(float("nan"))
    with pytest.raises(TypeError):
        jsontext.encode({"a": b"bytes"})


@pytest.mark.parametrize("text", ["a" * 60_000, "検索" * 30_000, "한" * 60_000, "x\ud800" * 30_000, '"\n\\\x01' * 20_000])
def test_a_long_text_that_was_encoded_before_is_written_like_any_other(text):
    """The bytes of the last long text are kept, with its lone surrogates; JSON has `?` in place of these."""
    assert utf8(text) == text.encode("utf-8", "surrogatepass")
    assert encode_bytes({"text": text}) == json.dumps({"text": text}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    assert utf8(f"{text}.") == utf8(text) + b"."
