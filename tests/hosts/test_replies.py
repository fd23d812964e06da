"""The reply to a host: one JSON object in the host's form, only at events where it accepts memory, never longer than it passes on."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.hosts.detect import HOSTS, dialect
from tests.hosts.captured import ALL

CAP = 10_000
CODEX_ANSWERS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart")
"""Events whose reply may contain `hookSpecificOutput` (schemas in the client); all of them refuse any other key of ours."""
CLAUDE_ANSWERS = (*CODEX_ANSWERS, "PostToolUseFailure")


def answers(text, note=""):
    """(recorded payload, its event, the reply as an object or None) of every recorded payload."""
    for hook in ALL:
        speaks = dialect(hook.host)
        event = speaks.to_event(hook.payload, hook.environ, hook.hint)
        if event is not None:
            reply = speaks.reply(event, text, note)
            yield hook, event, None if reply is None else json.loads(reply.decode("utf-8"))


def check(hook, event, answer, text):
    """The rules of each host, taken from its measurements and schemas, not from memorybank's code."""
    name = hook.payload.get("hook_event_name")
    if hook.host in ("claude-code", "codex", "gemini"):
        assert answer == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
        allowed = {"claude-code": CLAUDE_ANSWERS, "codex": CODEX_ANSWERS, "gemini": ("SessionStart", "BeforeAgent", "AfterTool")}
        assert name in allowed[hook.host]
    elif hook.host == "copilot":
        assert answer == {"additionalContext": text}
        assert (name or hook.hint) in ("sessionStart", "SessionStart", "postToolUse", "PostToolUse", "userPromptSubmitted", "subagentStart", "SubagentStart")
    assert event.delivery


@pytest.mark.parametrize("text", ["Memory: src/a.py", "記憶 🧠", '"quotes" \\ and\nlines\u2028'])
def test_every_recorded_payload_is_answered_by_the_rules_of_its_host(text):
    answered = 0
    for hook, event, answer in answers(text):
        if answer is None:
            assert not event.delivery
        else:
            check(hook, event, answer, text)
            answered += 1
    assert answered > 150


def test_nothing_to_say_is_nothing_printed():
    assert all(answer is None for _, _, answer in answers(""))


@pytest.mark.parametrize("letter", ["x", "あ", "🧠"])
def test_the_cap_counts_utf_16_units(letter):
    units = len(letter.encode("utf-16-le")) // 2
    fits, over = letter * (CAP // units), letter * (CAP // units) + "x"
    assert any(answer for _, _, answer in answers(fits))
    assert not any(answer for _, _, answer in answers(over)), "a host would mangle it"


@given(st.text(st.characters(), max_size=50))
def test_every_text_becomes_valid_json_in_utf_8(text):
    """Lone surrogates, which UTF-8 cannot encode, are replaced."""
    for host, name in (("claude-code", "SessionStart"), ("gemini", "SessionStart"), ("copilot", "SessionStart"), ("cursor", "sessionStart")):
        speaks = dialect(host)
        reply = speaks.reply(speaks.to_event({"hook_event_name": name}, {}), text)
        if text:
            json.loads(reply.decode("utf-8"))
            assert b"\n" not in reply


def test_a_note_for_the_person_only_where_the_host_has_a_place_for_it():
    places = {hook.host: answer for hook, _, answer in answers("", "a word to the person")}
    assert places["claude-code"] == places["gemini"] == {"systemMessage": "a word to the person"}
    assert places["codex"] is None and places["copilot"] is None


def test_cursor_and_opencode_in_their_own_form():
    for host, payload, answer in (
        ("cursor", {"conversation_id": "c", "hook_event_name": "sessionStart"}, {"additional_context": "m"}),
        ("cursor", {"conversation_id": "c", "hook_event_name": "postToolUse", "tool_name": "Shell"}, {"additional_context": "m"}),
        ("cursor", {"conversation_id": "c", "hook_event_name": "beforeSubmitPrompt", "prompt": "x"}, None),
        ("cursor", {"conversation_id": "c", "hook_event_name": "postToolUseFailure", "tool_name": "Shell"}, None),
        ("cursor", {"conversation_id": "c", "hook_event_name": "SessionStart"}, None),
        ("opencode", {"memorybank": 1, "hook_event_name": "prompt", "prompt": "x"}, {"text": "m"}),
        ("opencode", {"memorybank": 1, "hook_event_name": "tool_before", "tool_name": "bash"}, None),
    ):
        speaks = dialect(host)
        reply = speaks.reply(speaks.to_event(payload, {}), "m")
        assert (None if reply is None else json.loads(reply)) == answer


def test_no_host_gets_memory_at_the_end_of_a_turn_or_session():
    """After a reply, Claude Code's Stop would start another turn, and SessionEnd would be a schema error."""
    for host in HOSTS:
        assert not dialect(host).delivers & {"turn_end", "session_end", "compact_before"}
