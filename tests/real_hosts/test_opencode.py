"""opencode: our plugin inside its process; memory in the system prompt and behind results."""

from .conftest import count, events
from .model_server import Call

HOST = "opencode"
KETTLE = "how do I start the copper kettle"


def run(command: str) -> Call:
    return Call("bash", {"command": command, "description": "a step of the test"})


def test_memory_arrives_once_and_every_event_is_recorded_once_also_when_resumed(play):
    """One test, not three: at its first start in a project opencode fetches its plugin package from the registry."""
    task = "descale the copper kettle now"
    delegate = Call("task", {"description": "a part", "prompt": task, "subagent_type": "general"})
    steps = [
        [run("echo hi")],
        [run("echo oh; exit 3")],
        [Call("write", {"filePath": "a.txt", "content": "一\n"})],
        [Call("read", {"filePath": "none.txt"})],
        [Call("read", {"filePath": "grinder.toml"})],
        [delegate],
        "done",
    ]
    project = play(HOST, {KETTLE: steps, task: [[run("echo descaled")], "descaled"], "and the copper kettle again": ["so"]})
    assert project.prompt(KETTLE).status == 0
    requests = project.model.asked(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) for request in requests] == [(1, 1)] * 7
    assert [count(request, "NOTE-BURR") for request in requests] == [0, 0, 0, 0, 0, 1, 1]
    assert [count(request, "RESIDENT-ALPHA") for request in project.model.asked(task)] == [0, 0]
    first = [line for line in project.log() if line["agent_id"] == "main"]
    assert events(first) == [
        "session_start",
        "prompt",
        "tool_after Bash success",
        "tool_after Bash failure",
        "tool_after Write success",
        "tool_after Read failure",
        "tool_after Read success",
        "tool_after Agent success",
        "turn_end success",
        "session_end",
    ]
    assert [line["files"] for line in first if line["tool"] == "Write"] == [["a.txt"]]
    project.summary("RESIDENT-BETA: everything is different now.")
    assert project.again("and the copper kettle again").status == 0
    (request,) = project.model.asked("and the copper kettle again")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "RESIDENT-BETA"), count(request, "NOTE-COPPER")) == (0, 1, 1)
    main = [line for line in project.log() if line["agent_id"] == "main"]
    assert events(main)[len(events(first)) :] == ["session_start", "prompt", "turn_end success", "session_end"]
