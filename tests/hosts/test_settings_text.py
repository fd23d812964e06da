"""Somebody else's JSON, edited as text: every byte outside memorybank's entries stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.hosts import settings_text
from memorybank.hosts.settings_text import MalformedSettings
from tests.hosts.odd_json import documents


@given(documents())
def test_parsing_agrees_with_json(text):
    assert settings_text.parse(text).plain() == json.loads(text)


@given(documents())
def test_every_value_stands_where_its_node_says(text):
    def look(node):
        assert json.loads(text[node.start : node.end]) == node.plain()
        for child in node.children:
            assert (text[child.start] == '"') if child.key is not None else (child.start == child.node.start)
            look(child.node)

    look(settings_text.parse(text))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@given(documents(), values)
def test_a_member_is_added_at_the_end_and_removing_it_gives_back_every_byte(text, value):
    root = settings_text.parse(text)
    added = settings_text.append(text, root, value, "new key")
    assert json.loads(added) == {**json.loads(text), "new key": value}
    assert list(json.loads(added))[-1] == "new key"
    after = settings_text.parse(added)
    removed = settings_text.remove(added, after, len(after.children) - 1)
    assert removed == text or (not root.children and json.loads(removed) == {})


@given(documents(), st.data())
def test_removing_any_member_leaves_the_others_byte_for_byte(text, data):
    root = settings_text.parse(text)
    if not root.children:
        return
    index = data.draw(st.integers(0, len(root.children) - 1))
    removed = settings_text.remove(text, root, index)
    kept = [child for place, child in enumerate(root.children) if place != index]
    assert [text[child.start : child.node.end] for child in kept] == [removed[child.start : child.node.end] for child in settings_text.parse(removed).children]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": [\n    1\n  ]\n}\n'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}'),
        ('{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "k": [\r\n        1\r\n    ]\r\n}\r\n'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("{ }\n", '{\n  "k": [\n    1\n  ]\n}\n'),
        ('\ufeff{"a":1}', '\ufeff{"a":1,"k":[1]}'),
        ('{ "a": 1\n}', '{ "a": 1, "k": [1]\n}'),
    ],
)
def test_what_is_added_is_written_as_the_file_is(text, expected):
    assert settings_text.append(text, settings_text.parse(text), [1], "k") == expected


def test_an_item_of_a_nested_list_has_the_lists_own_indentation():
    text = '{\n  "hooks": {\n    "Stop": [\n      {"x": 1}\n    ]\n  }\n}\n'
    stop = settings_text.parse(text).get("hooks").get("Stop")
    assert settings_text.append(text, stop, {"y": 2}) == text.replace('{"x": 1}', '{"x": 1},\n      {\n        "y": 2\n      }')


def test_of_a_repeated_key_the_last_one_counts():
    assert settings_text.parse('{"a": 1, "a": 2}').get("a").plain() == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("[]", 1),
        ("7", 1),
        ('{\n  // comment\n  "a": 1}', 2),
        ('{"a": 1,}', 1),
        ('{\n"a": 1\n"b": 2}', 3),
        ('{"a" 1}', 1),
        ("{'a': 1}", 1),
        ('{"a": NaN}', 1),
        ('{"a": 1} x', 1),
        ('{"a": 1', 1),
        ('{"a": [1}', 1),
        ('{"a": "\n"}', 1),
        ('{"a":' + "[" * 5000 + "]" * 5000 + "}", 1),
    ],
)
def test_what_is_no_json_object_is_refused_with_its_line(text, line):
    with pytest.raises(MalformedSettings) as refused:
        settings_text.parse(text)
    assert refused.value.line == line
