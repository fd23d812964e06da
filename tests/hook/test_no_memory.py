"""A session without memory: one variable or one sentence away, recorded all the same, and nobody else's session."""

import pytest

from memorybank import Bank
from memorybank.clock import FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.router import HookRouter
from memorybank.hosts.claude_code import ClaudeCode

NOW = 1_758_112_496_789
QUESTION = "When is the staging database reset?"
OTHER = "0aa9f6a5-1111-4222-8333-444455556667"


@pytest.fixture
def knowing(host):
    Bank.open(str(host.bank.root)).index.update()
    return host


def asked(host, prompt, number=1, **environment):
    done = host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}"), **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_variable_keeps_memory_from_every_moment(knowing, lines):
    assert "09:00 JST" in asked(knowing, QUESTION)
    for number, value in enumerate(("off", "OFF"), 2):
        assert asked(knowing, QUESTION, number, MEMORYBANK_RECALL=value) == ""
    assert knowing.fire(knowing.payload("SessionStart", source="startup"), MEMORYBANK_RECALL="off").stdout == b""
    assert [line["event"] for line in lines()] == ["prompt", "exposure", "prompt", "prompt", "session_start"]
    assert all("recall" not in line for line in lines())


def test_another_value_changes_nothing(knowing):
    assert "09:00 JST" in asked(knowing, QUESTION, MEMORYBANK_RECALL="on")


@pytest.mark.slow
@pytest.mark.parametrize("sentence", ["No memory in this session.", "memorybank: off", "このセッションでは記憶なし。"])
def test_a_sentence_keeps_it_from_the_rest_of_the_session(knowing, lines, sentence):
    assert asked(knowing, f"{sentence}\n{QUESTION}", 1) == ""
    knowing.fire(knowing.tool(1, command="ls"))
    assert asked(knowing, QUESTION, 2) == ""
    for source in ("compact", "resume"):
        assert knowing.fire(knowing.payload("SessionStart", source=source)).stdout == b""
    assert asked(knowing, QUESTION, 3) == ""
    assert [(line["event"], line["recall"]) for line in lines()] == [
        (name, "off") for name in ("prompt", "tool_after", "prompt", "session_start", "session_start", "prompt")
    ]
    knowing.session = OTHER
    assert "09:00 JST" in asked(knowing, QUESTION)


def test_before_the_sentence_there_was_memory(knowing, lines):
    assert "09:00 JST" in asked(knowing, QUESTION)
    asked(knowing, "memorybank: off", 2)
    assert [line.get("recall") for line in lines()] == [None, None, "off"]


def test_sub_agents_of_the_session_get_none_either(knowing):
    task = {"description": "ask", "prompt": QUESTION, "subagent_type": "reviewer"}
    call = knowing.payload("PreToolUse", tool_name="Task", tool_input=task, tool_use_id="t1")
    start = knowing.payload("SubagentStart", agent_id="a1", agent_type="reviewer")
    knowing.fire({**call, "session_id": OTHER})
    assert b"09:00 JST" in knowing.fire({**start, "session_id": OTHER}).stdout
    asked(knowing, "memorybank: off")
    knowing.fire(call)
    assert knowing.fire(start).stdout == b""


def test_it_survives_a_log_longer_than_what_a_hook_reads(knowing, lines):
    asked(knowing, "memorybank: off")
    dialect = ClaudeCode()
    for number in range(60):
        payload = knowing.tool(number, command=f"cat part_{number}.txt", output="words of a file\n" * 200)
        HookRouter(describe(knowing.bank.layout, FixedClock(NOW + number * 1000)), dialect.delivers).answer(dialect.to_event(payload, {}))
    assert sum(len(str(line)) for line in lines()) > 1 << 16
    assert asked(knowing, QUESTION, 2) == ""


def test_it_is_no_rule_and_no_correction(knowing, lines):
    asked(knowing, "No memory in this session. このセッションでは記憶なし。")
    (line,) = lines()
    assert "lessons" not in line and "signal" not in line


def test_without_recording_the_prompt_itself_still_gets_none(knowing):
    knowing.bank.configure("cycle", '{"memory": {}, "phases": {"record": false}}')
    assert asked(knowing, f"memorybank: off\n{QUESTION}") == ""


def test_recall_says_what_switched_it_off(knowing, monkeypatch):
    bank = Bank.open(str(knowing.bank.root))
    asked(knowing, "memorybank: off")
    assert str(bank.memory.recall(QUESTION, session=knowing.session).reason) == "a prompt asked for no memory in this session"
    assert str(bank.memory.recall(f"memorybank: off\n{QUESTION}").reason) == "a prompt asked for no memory in this session"
    assert bank.memory.recall(QUESTION).injection is not None
    monkeypatch.setenv("MEMORYBANK_RECALL", "off")
    off = bank.memory.recall(QUESTION)
    assert off.injection is None and "MEMORYBANK_RECALL=off" in str(off.reason)
