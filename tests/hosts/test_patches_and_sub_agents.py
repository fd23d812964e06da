"""Recorded payloads of real clients with a form of their own: patches of Codex, sub-agents of Copilot, failures of Gemini."""

import json
from pathlib import Path

import pytest

from memorybank.hosts.detect import detect

DATA = Path(__file__).parents[1] / "data" / "hosts"


def told(case: str) -> list[str]:
    """One line per event: name, tool, status, and `sub` for a sub-agent's. Ignored payloads are left out."""
    found = []
    for hook in json.loads((DATA / f"{case}.json").read_text(encoding="utf-8"))["hooks"]:
        dialect = detect(hook["stdin"], hook["env"])
        event = dialect and dialect.to_event(hook["stdin"], hook["env"], hook["tag"].removeprefix("camel-"))
        if event:
            found.append(" ".join(filter(None, (event.name, event.tool, event.status, "" if event.agent_id == "main" else "sub"))))
    return found


EXPECTED = {
    # the second patch does not apply and the last command holds one: Codex reports neither result
    "codex-patch": """
        session_start, prompt, tool_before Bash, tool_before Bash, tool_after Bash unknown, tool_after Bash unknown,
        tool_before Bash, tool_after Bash unknown, tool_before Edit, tool_after Edit success, tool_before Edit, tool_before Bash, turn_end, session_end
    """,
    "copilot-subagent": """
        session_start, prompt, tool_before Agent, subagent_start sub, prompt sub, tool_before Bash sub, tool_after Bash failure sub, turn_end sub,
        tool_after Agent success, turn_end, session_end, session_start, prompt, turn_end, session_end
    """,
    "gemini-failures": """
        session_start, prompt, tool_before Bash, tool_after Bash failure, tool_before Write, tool_after Write success,
        tool_before Bash, tool_after Bash success, tool_before Edit, tool_after Edit failure, turn_end, session_end,
        session_start, prompt, turn_end, session_end
    """,
}


@pytest.mark.parametrize("case", EXPECTED)
def test_every_event_has_its_name_tool_and_status(case):
    assert told(case) == [event.strip() for event in EXPECTED[case].split(",")]


def test_a_sub_agent_of_copilot_belongs_to_the_session_of_its_parent():
    hooks = json.loads((DATA / "copilot-subagent.json").read_text(encoding="utf-8"))["hooks"]
    events = [detect(hook["stdin"], hook["env"]).to_event(hook["stdin"], hook["env"], hook["tag"].removeprefix("camel-")) for hook in hooks]
    assert len({event.session_id for event in events if event}) == 1
    assert {event.prompt: event.human for event in events if event and event.name == "prompt"} == {"say hi": True, "SUB now": False, "second prompt": True}
