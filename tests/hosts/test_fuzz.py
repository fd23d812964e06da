"""A payload may be anything: no dialect raises, and every field of the resulting event has its type."""

from hypothesis import given
from hypothesis import strategies as st

from memorybank.cycle.event import NAMES
from memorybank.hosts.detect import HOSTS, detect, dialect
from tests.hosts.captured import ALL

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["", "\ud800", "Exit code 3\nx", "<hook_context>", "*** Begin Patch"])
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8)
known = st.sampled_from(sorted({key for hook in ALL for key in hook.payload} | {"conversation_id", "memorybank", "tool_output", "failure_type", "status"}))
event_names = st.sampled_from(sorted({name for host in HOSTS for name in dialect(host).events}))

TEXTS = ("host", "name", "host_event", "session_id", "agent_id", "agent_role", "cwd")
TEXTS_OR_NONE = (
    "transcript_path", "permission_mode", "strong_id", "source", "reason", "prompt", "tool", "tool_use_id", "output", "error", "last_message",
)  # fmt: skip
NUMBERS_OR_NONE = ("at", "exit_code", "latency_ms", "tokens")


def check(event) -> None:
    fields = event.fields()
    assert event.name in NAMES and event.host in HOSTS
    assert all(isinstance(fields[name], str) for name in TEXTS)
    assert all(fields[name] is None or isinstance(fields[name], str) for name in TEXTS_OR_NONE)
    assert all(fields[name] is None or type(fields[name]) is int for name in NUMBERS_OR_NONE)
    assert all(type(fields[name]) is bool for name in ("human", "interrupted", "delivery")) and type(event.open_work) is int
    assert event.status in (None, "success", "failure", "partial", "unknown")
    assert event.agent_id and event.agent_role
    for key, value in event.inputs.items():
        assert isinstance(value, {"other": dict, "paths": list}.get(key, str)), key
    assert all(isinstance(path, str) for path in event.inputs.get("paths", []))


def try_all(payload, hint=None) -> None:
    for host in HOSTS:
        event = dialect(host).to_event(payload, {}, hint)
        if event is not None:
            check(event)
            reply = dialect(host).reply(event, "memory", "note")
            assert reply is None or reply.startswith(b"{")


@given(values)
def test_any_json_value(payload):
    detect(payload, {}, None)
    try_all(payload, "sessionStart")


@given(st.dictionaries(known, values, max_size=8), event_names)
def test_any_object_with_the_keys_of_hosts(payload, name):
    try_all({**payload, "hook_event_name": name})
    try_all(payload, name)


@given(st.sampled_from(ALL), known, values)
def test_a_recorded_payload_with_one_field_of_another_type(hook, key, value):
    payload = {**hook.payload, key: value}
    detect(payload, hook.environ, None)
    try_all(payload, hook.hint)


@given(
    st.sampled_from([hook for hook in ALL if "tool_response" in hook.payload]),
    values,
    st.sampled_from(["tool_response", "tool_input", "error", "background_tasks"]),
)
def test_a_result_of_any_shape(hook, value, key):
    response = hook.payload["tool_response"]
    if isinstance(response, dict) and response:
        try_all({**hook.payload, "tool_response": {**response, next(iter(response)): value}})
    try_all({**hook.payload, key: value})
