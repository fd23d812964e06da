"""A session without memory: one variable or one sentence away. Its log is kept, nothing is made of it, and it is nobody else's session."""

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
@pytest.mark.parametrize(
    "sentence",
    ["No memory in this session.", "memorybank: off", "このセッションでは記憶なし。", "Please don't remember this session.", "今回は覚えないでください。"],
)
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


SECRET_PLANS = {
    "English": ("Never mention the merger with Heron Foods in the changelog.", "heron", "What do we know about the merger with Heron Foods?"),
    "Japanese": ("鷺宮食品との合併については変更履歴に絶対に書かないでください。", "鷺宮", "鷺宮食品との合併について何か決まっている？"),
}


def work(host, number, prompt, **environment):
    """A session with an edit, a failure that is repaired, and an answer, about what the prompt says; it ends."""
    host.session = f"{number:08d}-1111-4222-8333-444455556666"
    host.fire(host.payload("SessionStart", source="startup"), **environment)
    host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}"), **environment)
    named = prompt.partition("\n")[2] or prompt
    host.fire(host.tool(1, "Write", file_path=str(host.project / "CHANGELOG.md"), content="# Changes\n\nNothing to tell yet.\n"), **environment)
    host.fire(host.tool(2, command="heron-cli build", failed=f"error: {named}"), **environment)
    host.fire(host.tool(3, command="heron-cli login"), **environment)
    host.fire(host.tool(4, command="heron-cli build"), **environment)
    said = f"The changelog stays as it is, because of this: {named}"
    host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message=said, background_tasks=[]), **environment)
    host.fire(host.payload("SessionEnd", reason="other"), **environment)


def left_behind(host, word):
    """The files of the bank, besides the event log and the cache that is made from it, that contain a word."""
    kept = ("log/events/", "cache/")
    files = (path for path in host.bank.root.rglob("*") if path.is_file() and not str(path.relative_to(host.bank.root)).startswith(kept))
    return [str(path) for path in files if word in path.read_bytes().decode("utf-8", "replace").lower()]


@pytest.mark.cases(2)
@pytest.mark.parametrize("language", SECRET_PLANS)
@pytest.mark.parametrize("how", ["sentence", "variable"])
def test_nothing_is_made_of_it(knowing, language, how):
    said, word, asked_later = SECRET_PLANS[language]
    sentence = {"English": "No memory in this session.", "Japanese": "このセッションでは記憶なし。"}[language]
    for number in range(1, 4):
        work(knowing, number, f"{sentence}\n{said}" if how == "sentence" else said, **({"MEMORYBANK_RECALL": "off"} if how == "variable" else {}))
    assert left_behind(knowing, word) == []
    assert word not in knowing.command("know", "list", "--all").lower()
    assert not (knowing.bank.active / "sync" / "sessions").exists() and not (knowing.bank.active / "learned").exists()
    knowing.session = OTHER
    told = knowing.said("SessionStart", source="startup") + knowing.said("UserPromptSubmit", prompt=asked_later, prompt_id="p9")
    call = {"tool_name": "Bash", "tool_input": {"command": "heron-cli build"}, "tool_use_id": "t9"}
    told += knowing.said("PreToolUse", **call)
    assert word not in told.lower().replace("heron-cli", "").replace(asked_later.lower(), "")
    knowing.command("episodes", "update")
    assert left_behind(knowing, word) == []


def test_the_same_with_memory_leaves_all_of_that(knowing):
    said, word, _ = SECRET_PLANS["English"]
    work(knowing, 1, said)
    assert word in knowing.command("know", "list", "--all").lower() and left_behind(knowing, word)


def test_what_was_said_before_the_sentence_stays_and_what_follows_leaves_nothing(knowing):
    knowing.fire(knowing.payload("UserPromptSubmit", prompt="Never edit the generated schema by hand.", prompt_id="p1"))
    work_after = SECRET_PLANS["English"][0]
    knowing.fire(knowing.payload("UserPromptSubmit", prompt=f"memorybank: off\n{work_after}", prompt_id="p2"))
    knowing.fire(knowing.payload("SessionEnd", reason="other"))
    listed = knowing.command("know", "list", "--all")
    assert "generated schema" in listed and "Heron" not in listed


def test_its_log_is_kept_for_who_looks_after_it(knowing, lines):
    asked(knowing, f"memorybank: off\n{SECRET_PLANS['English'][0]}")
    (line,) = lines()
    assert "Heron" in line["inputs"]["text"] and (line["acl"], line["privacy"], line["hold"]) == ("session", "private", True)
    knowing.command("log", "verify")
