"""`ask(scratch, tool, **arguments)`: one tool in this process, through the checks that a client's arguments pass."""

import pytest

from memorybank.bank import Bank
from memorybank.mcp import table
from memorybank.mcp.answers import ToolRequest
from memorybank.text.fence import FENCE_CLOSE, FENCE_OPEN

TOOLS = {tool.name: tool for tool in table.TOOLS}


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
