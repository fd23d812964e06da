"""The table of tools: what a client reads is complete, portable, and the same as what is answered."""

import pytest
from jsonschema import Draft202012Validator

from memorybank.errors import UsageError
from memorybank.mcp import table
from memorybank.mcp.answers import ANSWERS, check


def test_every_tool_has_an_answer_and_every_answer_a_row():
    assert [tool.name for tool in table.TOOLS] == list(ANSWERS)


def test_without_leave_to_write_only_reading_tools_are_offered():
    assert [tool.name for tool in table.offered(allow_write=False)] == ["search", "read", "recall", "recent", "episodes", "status"]
    assert [tool.name for tool in table.offered(allow_write=True) if tool.writes] == ["remember", "rate", "tick", "bookmark"]


@pytest.mark.parametrize("tool", table.TOOLS, ids=lambda tool: tool.name)
def test_a_description_says_what_it_does_and_when_to_use_it(tool):
    assert 60 < len(tool.description) < 600
    assert set(tool.required) <= set(tool.arguments)
    Draft202012Validator.check_schema(tool.input_schema)


def test_what_agents_carry_in_every_request_is_small():
    """Definitions of tools are paid for in each request to a model."""
    texts = [table.INSTRUCTIONS, *(f"{tool.title}{tool.description}{tool.input_schema}" for tool in table.offered(allow_write=False))]
    assert sum(map(len, texts)) < 8_000


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("read", {}, "'id' is a required property"),
        ("search", {"query": 1}, "query: 1 is not of type 'string'"),
        ("read", {"id": ""}, "id"),
        ("search", {"query": "x", "limit": 0}, "limit: 0 is less than the minimum of 1"),
        ("search", {"query": "x", "limit": 10**9}, "limit"),
        ("search", {"query": "x", "kinds": ["secret"]}, "kinds.0"),
        ("search", {"query": "x", "role": "main"}, "'role' was unexpected"),
        ("read", {"id": "note:a\0.md"}, "NUL"),
        ("read", {"id": "note:\ud800"}, "not valid Unicode"),
        ("read", {"id": ["note:a.md"]}, "is not of type 'string'"),
        ("rate", {"id": "note:a.md", "rating": 11}, "rating"),
        ("remember", {"text": "x", "tags": ["a"] * 11}, "tags"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_words(tool, given, said):
    with pytest.raises(UsageError) as refused:
        check(next(row for row in table.TOOLS if row.name == tool), given)
    assert said in refused.value.message


def test_what_is_unknown_is_absent():
    """A client that knows one type for each property would refuse null."""
    schemas = [table.OUTPUT_SCHEMA, table.ITEM_SCHEMA, *(tool.input_schema for tool in table.TOOLS)]
    assert not [name for schema in schemas for name, each in schema["properties"].items() if isinstance(each.get("type"), list)]
