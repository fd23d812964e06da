"""GitHub Copilot CLI: flat answers, no ids of calls, sub-agents under ids of their own."""

from .conftest import count, events
from .model_server import Call

HOST = "copilot"
KETTLE = "how do I start the copper kettle"


def run(command: str) -> Call:
    return Call("bash", {"command": command, "description": "a step of the test"})


def test_memory_arrives_once_and_every_event_is_recorded_once(play):
    steps = [
        [run("echo hi")],
        [run("echo oh; exit 3")],
        [Call("create", {"path": "a.txt", "file_text": "一\n"})],
        [Call("view", {"path": "none.txt"})],
        [run("echo mended")],
        "done",
    ]
    project = play(HOST, {KETTLE: steps})
    assert project.prompt(KETTLE).status == 0
    requests = project.model.asked(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER"), count(request, "NOTE-BURR")) for request in requests] == [(1, 1, 0)] * 6
    log = project.log()
    assert events(log) == [
        "session_start",
        "prompt",
        "tool_after Bash success",
        "tool_after Bash failure",
        "tool_after Write success",
        "tool_after Read failure",
        "tool_after Bash success",
        "turn_end success",
        "session_end",
    ]
    assert [line["files"] for line in log if line["tool"] == "Write"] == [["a.txt"]]


def test_a_result_brings_the_note_about_its_file(play):
    project = play(HOST, {"count": [[Call("view", {"path": "grinder.toml"})], "three"]})
    project.prompt("count")
    assert [count(request, "NOTE-BURR") for request in project.model.asked("count")] == [0, 1]


def test_a_sub_agent_belongs_to_the_session_and_never_gets_the_resident_summary(play):
    task = "descale the copper kettle now"
    call = Call("task", {"description": "a part", "prompt": task, "agent_type": "general-purpose", "name": "part"})
    project = play(HOST, {"delegate": [[call], "done"], task: [[run("exit 4")], "descaled"]})
    project.prompt("delegate")
    assert [count(request, "RESIDENT-ALPHA") for request in project.model.asked(task)] == [0, 0]
    log = project.log()
    own = [line for line in log if line["agent_id"] != "main"]
    assert {line["agent_role"] for line in own} == {"general-purpose"}
    assert events(own) == ["prompt", "tool_after Bash failure", "turn_end failure"]
    assert [line.get("human", True) for line in own if line["event"] == "prompt"] == [False]
    main = [line for line in log if line["agent_id"] == "main"]
    assert events(main) == ["session_start", "prompt", "tool_after Agent success", "turn_end success", "session_end"]


def test_a_resumed_session_begins_anew_because_the_host_forgot(play):
    """What the start was given is gone, and given again. What a prompt was given Copilot keeps, so that this memory may be there twice:
    Copilot asks for the prompt's memory while the hook of the start, which tells that the session begins anew, still runs."""
    project = play(HOST, {KETTLE: ["so"], "and the copper kettle again": ["so"]})
    project.prompt(KETTLE)
    project.summary("RESIDENT-BETA: everything is different now.")
    project.again("and the copper kettle again")
    (request,) = project.model.asked("and the copper kettle again")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "RESIDENT-BETA")) == (0, 1)
    assert count(request, "NOTE-COPPER") in (1, 2)
    assert events(project.log()) == ["session_start", "prompt", "turn_end success", "session_end"] * 2


def test_beside_claude_code_s_hooks_every_event_is_recorded_once(play):
    """Copilot also runs the hooks of `.claude/settings.json`: the same event comes twice, in two spellings."""
    project = play(HOST, {KETTLE: [[run("echo hi")], "done"]})
    project.memorybank("hooks", "install", "--host", "claude-code", "--scope", "project")
    project.memorybank("hooks", "install", "--host", "claude-code", "--scope", "local")
    project.prompt(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) for request in project.model.asked(KETTLE)] == [(1, 1)] * 2
    assert events(project.log()) == ["session_start", "prompt", "tool_before Bash", "tool_after Bash success", "turn_end success", "session_end"]
