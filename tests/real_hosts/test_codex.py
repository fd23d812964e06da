"""Codex CLI: it takes memory at every event, and does not say whether a command failed."""

from .conftest import count, events, shown
from .model_server import Call

HOST = "codex"
KETTLE = "how do I start the copper kettle"


def run(command: str) -> Call:
    return Call("exec_command", {"cmd": command})


def patch(*lines: str) -> Call:
    return Call("apply_patch", "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""]))


def test_memory_arrives_once_and_every_event_is_recorded_once(play):
    steps = [[run("echo hi")], [run("exit 3")], [patch("*** Add File: a.txt", "+one")], [patch("*** Update File: a.txt", "@@", "-two", "+三")], "done"]
    project = play(HOST, {KETTLE: steps})
    assert project.prompt(KETTLE).status == 0
    requests = project.model.asked(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER"), count(request, "NOTE-BURR")) for request in requests] == [(1, 1, 0)] * 5
    log = project.log()
    assert events(log) == [
        "session_start",
        "prompt",
        *("tool_before Bash", "tool_after Bash unknown"),
        *("tool_before Bash", "tool_after Bash unknown"),
        *("tool_before Edit", "tool_after Edit success"),
        "tool_before Edit",  # Codex reports no result of a patch that does not apply
        "turn_end success",
        "session_end",
    ]
    assert [line["files"] for line in log if line["tool"] == "Edit"] == [["a.txt"]] * 3
    assert (project.project / "a.txt").read_text() == "one\n"


def test_a_call_brings_the_note_about_its_file(play):
    project = play(HOST, {"count": [[patch("*** Update File: grinder.toml", "@@", "-burr = 3", "+burr = 4")], "four"]})
    project.prompt("count")
    assert [count(request, "NOTE-BURR") for request in project.model.asked("count")] == [0, 1]


def test_a_resumed_session_is_given_only_what_changed(play):
    project = play(HOST, {KETTLE: ["so"], "and the copper kettle again": ["so"]})
    project.prompt(KETTLE)
    project.summary("RESIDENT-BETA: everything is different now.")
    project.again("and the copper kettle again")
    (request,) = project.model.asked("and the copper kettle again")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "RESIDENT-BETA"), count(request, "NOTE-COPPER")) == (1, 1, 1)
    assert events(project.log()) == ["session_start", "prompt", "turn_end success", "session_end"] * 2
    assert [line["source"] for line in project.log() if line["event"] == "session_start"] == ["startup", "resume"]


def test_the_next_session_is_told_of_the_last_one(play):
    project = play(HOST, {"write the recipe": [[patch("*** Add File: recipe.txt", "+tea")], "written"], "what now": ["drink"]})
    project.prompt("write the recipe")
    project.prompt("what now")
    (request,) = project.model.asked("what now")
    assert "recipe.txt" in shown(request)
