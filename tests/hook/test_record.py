"""RECORD, from the payload of a host through the hook process to the line on disk."""

import json
import subprocess

import pytest

from memorybank.cycle.base import describe
from memorybank.cycle.event import Event
from memorybank.cycle.phases.line import Surroundings, fields_of
from memorybank.cycle.phases.record import read_outcome
from memorybank.text.prose import passages


def only(lines, event):
    found = [line for line in lines() if line["event"] == event]
    assert len(found) == 1
    return found[0]


def test_a_result_keeps_the_whole_schema(host, lines):
    host.fire(host.tool(1, command="pytest -q tests/test_a.py | tail -3", output="3 passed in 0.1s"))
    line = only(lines, "tool_after")
    documented = "timestamp session_id agent_role task_id tool inputs outputs status latency_ms error importance_score signature acl"
    assert set(documented.split()) <= line.keys()
    assert (line["session_id"], line["agent_role"], line["agent_id"], line["tool"], line["status"], line["latency_ms"]) == (
        host.session, "main", "main", "Bash", "success", 11,
    )  # fmt: skip
    assert line["inputs"] == {"command": "pytest -q tests/test_a.py | tail -3"}
    assert line["outputs"] == {"head": "3 passed in 0.1s"}
    assert (line["acl"], line["privacy"], line["origin"], line["host"], line["epoch"]) == ("user", "public", "tool", "claude-code", 1)
    assert 0 < line["importance_score"] < 1


def test_what_a_search_shows_is_no_failure(host, lines):
    host.fire(host.tool(1, command="make", failed="Exit code 2\nmake: *** No rule"))
    host.fire(host.tool(2, command="grep error log.txt", output="error error error"))
    failed, found = (line for line in lines() if line["event"] == "tool_after")
    assert (failed["status"], found["status"]) == ("failure", "success")
    assert failed["error"] == "make: *** No rule"
    assert failed["importance_score"] > found["importance_score"]


def test_a_call_that_a_person_refused_is_worth_less_from_the_start(host, lines):
    """A rejection or an interrupt is -1, in the initial importance too; a call that still runs is nobody's judgement."""
    for number, failed in enumerate(("The user doesn't want to proceed with this tool use.", "Exit code 1\nboom"), 1):
        host.fire(host.tool(number, command="make", failed=failed))
    host.fire({**host.tool(3, command="make"), "tool_response": {"stdout": "", "stderr": "", "interrupted": True}})
    host.fire({**host.tool(4, command="make"), "tool_response": {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}})
    refused, failed, stopped, running = (line for line in lines() if line["event"] == "tool_after")
    assert [line["status"] for line in (refused, stopped, running)] == ["partial"] * 3
    assert refused["importance_score"] == stopped["importance_score"] < running["importance_score"] < failed["importance_score"]


def test_a_correction_is_about_the_turn_before_and_not_itself_worthless(host, lines):
    for number, prompt in enumerate(("add a cart", "no, use the other one", "always use tabs", "いや、タブではなく空白にして"), 1):
        host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id=f"p{number}"))
    plain, correction, wish, japanese = (line for line in lines() if line["event"] == "prompt")
    assert correction["signal"] == japanese["signal"] == -1 and wish["signal"] == 1
    assert plain["importance_score"] == correction["importance_score"] == japanese["importance_score"] < wish["importance_score"]


def test_paths_are_relative_to_the_repository(host, lines):
    host.fire(host.tool(1, "Edit", file_path=str(host.project / "src" / "設定.py"), old_string="a", new_string="b"))
    host.fire(host.tool(2, "Read", file_path="/etc/hosts"))
    edit, read = (line for line in lines() if line["event"] == "tool_after")
    assert edit["files"] == ["src/設定.py"]
    assert "file:src/設定.py" in edit["anchors"]
    assert edit["inputs"]["file_path"] == "src/設定.py"
    assert "/etc/hosts" not in json.dumps(read)
    assert str(host.project) not in json.dumps([edit, read], ensure_ascii=False)


def test_a_sub_agents_events_are_its_roles(host, lines):
    host.fire({**host.tool(1, command="ls"), "agent_id": "a1", "agent_type": "planner"})
    line = only(lines, "tool_after")
    assert (line["agent_id"], line["agent_role"], line["acl"], line["privacy"]) == ("a1", "planner", "user", "agent-only")


def test_roles_have_the_names_of_the_settings(host, lines):
    (host.bank.root / "config").mkdir(exist_ok=True)
    (host.bank.root / "config" / "cycle_config.json").write_text('{"memory": {}, "roles": {"conductor": "main"}}')
    host.fire({**host.tool(1, command="ls"), "agent_type": "conductor"})
    assert only(lines, "tool_after")["agent_role"] == "main"


@pytest.mark.parametrize("path", [".env", "app/.env.local", "deploy/secrets/prod.yaml", "certs/server.pem"])
def test_secret_files_are_private_to_their_session(host, lines, path):
    host.fire(host.tool(1, "Read", file_path=str(host.project / path)))
    line = only(lines, "tool_after")
    assert (line["acl"], line["privacy"], line["hold"]) == ("session", "private", True)


@pytest.mark.parametrize(
    "inputs",
    [{"command": "cat /srv/app/.env"}, {"command": "cd /etc/secrets && cat 鍵"}, {"command": "bash -c 'cat ~/other/site.pem'"}, {"file_path": "/srv/app/.env"}],
)
def test_secret_files_outside_the_repository_are_private_too(host, lines, inputs):
    """Their recorded paths are `~/…` or keyed hashes, which no rule could match."""
    host.fire(host.tool(1, "Bash" if "command" in inputs else "Read", **inputs))
    line = only(lines, "tool_after")
    assert (line["acl"], line["privacy"], line["hold"]) == ("session", "private", True)


def test_private_text_is_never_recorded(host, lines):
    host.fire(host.payload("UserPromptSubmit", prompt="Use <private>my mother's name</private> the blue theme <private>and this", prompt_id="p1"))
    line = only(lines, "prompt")
    assert "mother" not in json.dumps(line) and "and this" not in json.dumps(line) and "blue theme" in line["inputs"]["text"]


def test_a_private_path_is_no_anchor(host, lines):
    prompt = "Fix src/open.py <private>like diary/mother.md, and run `pytest diary/test_mother.py`</private>"
    host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id="p1"))
    assert only(lines, "prompt")["anchors"] == ["file:src/open.py"]


def test_recalled_memory_does_not_record_itself(host, lines):
    from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN, PREFACE

    block = f"{FENCE_OPEN}\n{PREFACE}\nThe canary sings.\n{FENCE_CLOSE}"
    host.fire(host.payload("UserPromptSubmit", prompt=f"{block}\nwhat now?", prompt_id="p1"))
    host.fire(host.tool(1, command="cat out.txt", output=f"before\n{block}\nafter"))
    host.fire(host.payload("Stop", last_assistant_message=f"I was told: {block}", stop_hook_active=False))
    assert "canary" not in json.dumps(lines())
    assert len(lines()) >= 3


@pytest.mark.parametrize(("name", "expected"), [("main", None), ("feature/login", "feature/login")])
def test_the_branch_is_the_task_unless_it_is_the_default_one(host, lines, name, expected):
    subprocess.run(["git", "init", "-q", "-b", name], cwd=host.project, check=True)
    host.fire(host.tool(1, command="ls"))
    assert only(lines, "tool_after")["task_id"] == expected


def test_a_ticket_key_in_a_prompt_is_the_task(host, lines):
    (host.bank.root / "config").mkdir(exist_ok=True)
    (host.bank.root / "config" / "cycle_config.json").write_text('{"memory": {}, "task_patterns": ["ABC-#"]}')
    host.fire(host.payload("UserPromptSubmit", prompt="ABC-42 のログイン画面を直して", prompt_id="p1"))
    host.fire(host.tool(1, command="ls"))
    assert {line["task_id"] for line in lines() if line["event"] != "exposure"} == {"ABC-42"}


def test_the_environment_names_the_task(host, lines):
    host.fire(host.tool(1, command="ls"), MEMORYBANK_TASK="deploy")
    assert only(lines, "tool_after")["task_id"] == "deploy"


def test_a_preference_is_a_lesson(host, lines):
    host.fire(host.payload("UserPromptSubmit", prompt="いつも pip ではなく uv を使ってください。あとはお願いします。", prompt_id="p1"))
    line = only(lines, "prompt")
    assert any("uv" in lesson for lesson in line["lessons"])
    assert line["signal"] in (1, -1)


def test_a_task_notification_is_no_human(host, lines):
    host.fire(host.payload("UserPromptSubmit", prompt="<task-notification>done. Always use tabs.</task-notification>", prompt_id="p1"))
    line = only(lines, "prompt")
    assert line["human"] is False and "lessons" not in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("calls", "stop", "expected"),
    [
        ([], {}, "success"),
        ([("make", "Exit code 2")], {}, "failure"),
        ([("make", "Exit code 2"), ("make", "")], {}, "success"),
        ([("make", ""), ("cat missing", "Exit code 1")], {}, "success"),
        ([("make", "")], {"background_tasks": [{"id": "1", "status": "running"}]}, "partial"),
    ],
)
def test_the_outcome_of_a_turn(host, lines, calls, stop, expected):
    host.fire(host.payload("UserPromptSubmit", prompt="please build it", prompt_id="p1"))
    for number, (command, failed) in enumerate(calls):
        host.fire(host.tool(number, command=command, failed=failed))
    host.fire(host.payload("Stop", last_assistant_message="done", stop_hook_active=False, **stop))
    assert only(lines, "turn_end")["status"] == expected


def test_long_texts_keep_their_first_and_last_lines(host, lines):
    output = "\n".join(f"line {number} 行" for number in range(5_000))
    host.fire(host.tool(1, "Write", file_path=str(host.project / "a.txt"), content=output, output=output))
    line = only(lines, "tool_after")
    assert line["outputs"]["head"].startswith("line 0 行") and line["outputs"]["tail"].endswith("line 4999 行")
    assert len(line["outputs"]["head"]) + len(line["outputs"]["tail"]) <= 2_000
    assert sum(map(len, line["inputs"].values())) <= 2_000
    assert line["whole"]["outputs"] != line["digests"]["outputs"]


def test_recording_can_be_switched_off(host, lines):
    (host.bank.root / "config").mkdir(exist_ok=True)
    config = host.bank.root / "config" / "cycle_config.json"
    config.write_text('{"memory": {}, "record": {"tool_before": false, "tools": ["Edit"]}}')
    host.fire(host.payload("PreToolUse", tool_name="Edit", tool_input={"file_path": "/x"}, tool_use_id="t0"))
    host.fire(host.tool(1, command="ls"))
    host.fire(host.tool(2, "Edit", file_path="/x", old_string="a", new_string="b"))
    assert [line["tool"] for line in lines()] == ["Edit"]
    config.write_text('{"memory": {}, "phases": {"record": false}}')
    host.fire(host.tool(3, "Edit", file_path="/x", old_string="a", new_string="b"))
    assert len(lines()) == 1


PIPED = "bun test v1.3.0\n[Cart] Warning: no price\nerror: expect(received).toBe(expected)\nExpected: 3\nReceived: 4\n(fail) cart > adds\n 30 pass\n 1 fail"


def test_a_piped_failure_is_one(host, lines):
    """Its error is what says what is wrong, the whole stays in the output, and what the host said beside it."""
    host.fire(host.tool(1, command="bun test 2>&1 | tail -30", output=PIPED))
    line = only(lines, "tool_after")
    assert (line["status"], line["host_status"]) == ("failure", "success")
    assert line["error"] == "(fail) cart > adds\nerror: expect(received).toBe(expected)\nExpected: 3\nReceived: 4\n1 fail"
    assert line["anchors"] == ["cmd:bun test", "err:Bash: (fail) cart > adds"]
    assert line["outputs"] == {"head": PIPED}


def test_a_turn_ends_as_its_last_known_outcome(host, lines):
    """What nobody knows neither makes a turn fail nor succeed; a line says what the host said only where that differs."""
    host.fire(host.tool(1, command="make", failed="Exit code 2\nmake: *** No rule"))
    host.fire(host.tool(2, command="./boil.sh | tail -3", output="water"))
    host.fire(host.payload("Stop", last_assistant_message="done", stop_hook_active=False))
    failed, unknown = (line for line in lines() if line["event"] == "tool_after")
    assert (unknown["status"], unknown["host_status"], unknown.get("error")) == ("unknown", "success", None)
    assert "host_status" not in failed
    assert only(lines, "turn_end")["status"] == "failure"


def test_a_search_that_found_nothing_has_no_error(host, lines):
    host.fire(host.tool(1, command="grep kettle a.py", failed="Exit code 1"))
    line = only(lines, "tool_after")
    assert (line["status"], line["host_status"]) == ("unknown", "failure")
    assert not [anchor for anchor in line["anchors"] if anchor.startswith("err:")]


def test_the_error_from_an_output_holds_no_secret(host, lines):
    token = "ghp_" + "wJ4kQ9zR2mX7vB1nC5tY8pL3dF6hG0sA4eU2"
    host.fire(host.tool(1, command="make | tail", output=f"error: {token} was refused\nmake: *** [all] Error 1"))
    line = only(lines, "tool_after")
    assert line["status"] == "failure"
    assert token not in json.dumps(line) and "REDACTED" in line["error"]
    assert any(anchor.startswith("err:Bash: error: _ was refused") for anchor in line["anchors"])


def test_the_id_of_an_event_does_not_depend_on_how_its_output_is_read(bank, fixed_clock):
    """Also without an id of the host, where the content tells events apart; and a second reading changes nothing."""
    base = describe(bank().layout, fixed_clock)

    def event():
        return Event(
            host="claude-code",
            name="tool_after",
            session_id="s",
            tool="Bash",
            at=1,
            inputs={"command": "make | tail"},
            output="1 failed in 0.1s",
            status="success",
        )

    plain, read, twice = event(), event(), event()
    read_outcome(read, None)
    read_outcome(twice, None)
    read_outcome(twice, None)
    assert (read.status, read.host_status) == ("failure", "success") and twice == read
    lines = [fields_of(base, each, Surroundings(base, each)) for each in (plain, read)]
    assert lines[0]["id"] == lines[1]["id"] and lines[0]["status"] != lines[1]["status"]


def test_the_end_of_a_turn_keeps_why_things_were_done(host, lines, tmp_path):
    """What the agent said of causes and decisions between its calls, from the transcript that the host names."""
    from tests.imports.written import Transcript

    day = Transcript(host.session, str(host.project)).prompt("mend the kettle")
    day.say("I look at the kettle.").bash("cat kettle.py").say("The kettle is cold because `heat` is 0 in kettle.py.").bash("make").say("Mended.")
    host.fire({**host.payload("Stop", last_assistant_message="Mended."), "transcript_path": str(day.write(tmp_path))})
    told = only(lines, "turn_end")["remarks"]
    assert told == [{"after": f"toolu_{host.session[-4:]}_main_1", "text": "The kettle is cold because `heat` is 0 in kettle.py."}]


def test_remarks_do_not_change_an_id(bank, fixed_clock):
    base = describe(bank({}).layout, fixed_clock)

    def identifier(remarks):
        event = Event(host="claude-code", name="turn_end", session_id="s", at=1, last_message="Done.", remarks=remarks)
        return fields_of(base, event, Surroundings(base, event))["id"]

    assert identifier([("t1", "It must be hot.")]) == identifier([])


@pytest.mark.parametrize(
    "said",
    [
        "The tag `Card` requires a body.\n\nIt is empty because the loader strips it.",
        "`Card` は本文を省略できません。\n\n空なのは、読み込み時に本文が消えるためです。",
    ],
    ids=["english", "japanese"],
)
def test_what_only_explains_a_failure_is_no_part_of_a_cause(bank, fixed_clock, said):
    base = describe(bank({}).layout, fixed_clock)
    event = Event(host="claude-code", name="turn_end", session_id="s", at=1, last_message="Done.", remarks=[("t1", said)])
    (remark,) = fields_of(base, event, Surroundings(base, event))["remarks"]
    explains, cause = said.split("\n\n")
    assert list(passages.passages(remark["text"])) == [("", cause), ("", explains)]
    assert (passages.lasting(cause), passages.lasting(explains)) == (cause, "")


def test_a_sub_agents_remarks_come_from_its_own_transcript(host, lines, tmp_path):
    from tests.imports.written import Transcript

    main = Transcript(host.session).prompt("go").say("It must be done by another.").bash("ls").write(tmp_path, "main.jsonl")
    own = Transcript(host.session, agent="a1").user("search").say("The port is wrong in settings.py.").bash("ls").say("Found.").write(tmp_path, "agent.jsonl")
    host.fire(
        {
            **host.payload("SubagentStop", agent_id="a1", agent_type="Explore", last_assistant_message="Found."),
            "transcript_path": str(main),
            "agent_transcript_path": str(own),
        }
    )
    assert [remark["text"] for remark in only(lines, "turn_end")["remarks"]] == ["The port is wrong in settings.py."]
