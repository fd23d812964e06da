"""`ask(scratch, tool, **arguments)`: one tool in this process, through the checks that a client's arguments pass."""

import pytest

from memorybank.bank import Bank
from memorybank.mcp import table
from memorybank.mcp.answers import ToolRequest
from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN

TOOLS = {tool.name: tool for tool in table.TOOLS}
ITEM = {
    "id": {"type": "string", "pattern": "^[a-z]+:."},
    "kind": {"type": "string"},
    "origin": {"enum": ["human", "agent", "tool", "import"]},
    "date": {"type": "string"},
    "age_days": {"type": "integer", "minimum": 0},
    "stale": {"type": "string"},
    "importance": {"type": "number", "minimum": 0, "maximum": 10},
    "top_percent": {"type": "integer"},
    "weak": {"const": True},
    "lines": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
}
FIELDS = {
    "memory": {"type": "string"},
    "items": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": ITEM,
            "required": ["id", "kind", "origin", "date", "age_days", "stale"],
            "additionalProperties": False,
        },
    },
    "truncated": {"type": "boolean"},
    "notice": {"type": "string"},
    "next_line": {"type": "integer"},
    "total_lines": {"type": "integer"},
}
ANSWER = {"type": "object", "properties": FIELDS, "required": ["items", "truncated"], "additionalProperties": False}
"""The fields of every answer as docs/mcp.md describes them. The list of tools does not repeat this for each tool (ADR 0066)."""


@pytest.fixture
def asked(fixed_clock):
    """asked(scratch, role) → who asks of that bank."""
    return lambda scratch, role=None: ToolRequest(Bank.open(str(scratch.root), clock=fixed_clock), role)


@pytest.fixture
def ask(asked):
    """ask(scratch, tool, role=None, **arguments) → the Result; raises what the server turns into an error."""

    def call(scratch, tool: str, role: str | None = None, **given):
        return asked(scratch, role).call(TOOLS[tool], given)

    return call


def inside(text: str) -> str:
    """Return the text inside the one fence of an answer."""
    assert text.count(FENCE_OPEN) == text.count(FENCE_CLOSE) == 1
    return text.split(FENCE_OPEN)[1].split(FENCE_CLOSE)[0]
