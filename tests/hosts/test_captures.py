"""Every payload that a real client sent becomes the event listed in `tests/data/hosts/events.tsv`, field by field.

A person checked the table line by line. After an intended change, `pytest tests/hosts/test_captures.py --rewrite` writes it again; read
the difference.
"""

import pytest

from memorybank.cycle.event import MAIN
from memorybank.hosts.detect import detect
from tests.hosts.captured import ALL, DATA, Captured

TABLE = DATA / "events.tsv"
HEADINGS = ("case", "number", "host", "host event", "event", "agent", "role", "tool", "status", "file", "exit", "moment", "by", "open", "memory")


def event_of(hook: Captured):
    return detect(hook.payload, hook.environ).to_event(hook.payload, hook.environ, hook.hint)


def row(hook: Captured) -> tuple[str, ...]:
    event = event_of(hook)
    if event is None:
        return (hook.case, str(hook.number), hook.host, hook.hint or hook.payload["hook_event_name"], "-", *[""] * 10)
    return (
        hook.case,
        str(hook.number),
        event.host,
        event.host_event,
        event.name,
        "main" if event.agent_id == MAIN else "sub-agent",
        event.agent_role,
        event.tool or "",
        event.status or "",
        event.inputs.get("file_path", ""),
        "" if event.exit_code is None else str(event.exit_code),
        event.source or event.reason or "",
        "human" if event.human else "host",
        str(event.open_work),
        "takes" if event.delivery else "",
    )


def test_every_recorded_payload_is_the_event_of_the_table(request):
    rows = [HEADINGS, *map(row, ALL)]
    text = "".join("\t".join(cells) + "\n" for cells in rows)
    if request.config.getoption("--rewrite"):
        TABLE.write_text(text, encoding="utf-8")
    assert text.splitlines() == TABLE.read_text(encoding="utf-8").splitlines()


def test_the_table_holds_every_status_and_every_event():
    events = [event for event in map(event_of, ALL) if event]
    assert {event.status for event in events} >= {None, "success", "failure", "partial", "unknown"}
    assert len({event.name for event in events}) == 8


@pytest.mark.parametrize("hook", [hook for hook in ALL if hook.case != "copilot-subagent"], ids=lambda hook: f"{hook.case}-{hook.number}")
def test_the_session_is_the_one_that_the_host_names(hook):
    event = event_of(hook)
    if event is not None:
        assert event.session_id == (hook.payload.get("session_id") or hook.payload.get("sessionId"))
        assert event.cwd == hook.payload["cwd"]


def test_a_tool_call_and_its_result_share_their_id_and_no_other_call_has_it():
    calls: dict[tuple[str, str], set[tuple[str | None, str]]] = {}
    for hook in ALL:
        event = event_of(hook)
        if event is not None and event.host in ("claude-code", "codex") and event.tool:
            assert event.strong_id == event.tool_use_id == hook.payload["tool_use_id"]
            calls.setdefault((event.session_id, event.strong_id), set()).add((event.tool, str(event.inputs)))
    assert calls and all(len(what) == 1 for what in calls.values())


def test_a_prompt_has_the_id_that_the_transcript_has():
    prompts = [(hook, event_of(hook)) for hook in ALL]
    strong = {event.host: event.strong_id for hook, event in prompts if event is not None and event.name == "prompt" and event.strong_id}
    assert set(strong) == {"claude-code", "codex"}
    assert all(
        event.strong_id == (hook.payload.get("prompt_id") or hook.payload.get("turn_id"))
        for hook, event in prompts
        if event is not None and event.name == "prompt" and event.host in strong
    )


def test_both_spellings_of_one_event_of_copilot_are_one_event():
    """A repository may register both. Text, time and session must be the same, or the prompt would be recorded twice."""
    seen: dict[tuple[str, int | None, str], list[dict]] = {}
    for hook in ALL:
        event = event_of(hook)
        if event is not None and hook.case == "copilot":
            fields = {name: value for name, value in event.fields().items() if name not in ("host_event", "delivery")}
            seen.setdefault((event.name, event.at, event.tool or ""), []).append(fields)
    assert all(each == many[0] for many in seen.values() for each in many)
    assert max(len(many) for many in seen.values()) >= 2
