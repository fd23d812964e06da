"""The table of tools: what a client reads is complete, portable, and the same as what is answered."""

import asyncio
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from memorybank.errors import UsageError
from memorybank.mcp import server, table
from memorybank.mcp.answers import ANSWERS, check

from .conftest import FIELDS, ITEM

DOCUMENTED = (Path(__file__).resolve().parents[2] / "docs/mcp.md").read_text(encoding="utf-8")


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


READING_TOKENS, ALL_TOKENS = 1_300, 2_000
"""Budgets for `tools/list`. The specification's is 1,500 tokens for the tools that read."""


@pytest.mark.parametrize(("allow_write", "budget"), [(False, READING_TOKENS), (True, ALL_TOKENS)])
def test_the_list_of_tools_costs_few_tokens(allow_write, budget):
    """Definitions of tools are paid for in each request to a model. Counted as the bytes of the answer divided by four, which is on the high side for
    English and JSON; `scripts/bench/mcp` prints the same number."""
    handlers = server._Handlers(server.ServerSetting(open_bank=None, role=None, allow_write=allow_write, typed=None))
    answer = asyncio.run(handlers.list_tools(None, None)).model_dump_json(by_alias=True, exclude_none=True)
    assert len(answer.encode()) / 4 <= budget
    assert len(table.INSTRUCTIONS) / 4 <= 150


def test_the_list_repeats_no_schema_of_answers():
    """Answers have one form for all tools. Clients hand no output schema to a model, and none of them resolves a reference from one tool to another."""
    handlers = server._Handlers(server.ServerSetting(open_bank=None, role=None, allow_write=True, typed=None))
    tools = asyncio.run(handlers.list_tools(None, None)).tools
    assert [tool.name for tool in tools if tool.output_schema] == []
    assert {name for name in (*FIELDS, *ITEM) if f"`{name}`" not in DOCUMENTED} == set()


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
    properties = [FIELDS, ITEM, *(tool.arguments for tool in table.TOOLS)]
    assert not [name for each in properties for name, schema in each.items() if isinstance(schema.get("type"), list)]
