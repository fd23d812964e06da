"""Gemini CLI: memory at the start, at prompts and behind results; failures are results like others, with a word in them."""

from .conftest import count, events
from .model_server import Call

HOST = "gemini"
KETTLE = "how do I start the copper kettle"


def run(command: str) -> Call:
    return Call("run_shell_command", {"command": command, "description": "a step of the test"})


def test_memory_arrives_once_and_every_event_is_recorded_once(play):
    steps = [
        [run("echo hi")],
        [run("exit 3")],
        [Call("write_file", {"file_path": "a.txt", "content": "一\n"})],
        [Call("read_file", {"file_path": "none.txt"})],
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
    assert [line["inputs"]["text"] for line in log if line["event"] == "prompt"] == [KETTLE]


def test_a_result_brings_the_note_about_its_file(play):
    project = play(HOST, {"count": [[Call("read_file", {"file_path": "grinder.toml"})], "three"]})
    project.prompt("count")
    assert [count(request, "NOTE-BURR") for request in project.model.asked("count")] == [0, 1]


def test_a_resumed_session_begins_anew_because_the_host_forgot(play):
    project = play(HOST, {KETTLE: ["so"], "and the copper kettle again": ["so"]})
    project.prompt(KETTLE)
    project.summary("RESIDENT-BETA: everything is different now.")
    project.again("and the copper kettle again")
    (request,) = project.model.asked("and the copper kettle again")
    assert (count(request, "RESIDENT-ALPHA"), count(request, "RESIDENT-BETA"), count(request, "NOTE-COPPER")) == (0, 1, 1)
    assert events(project.log()) == ["session_start", "prompt", "turn_end success", "session_end"] * 2


def test_the_extension_installed_from_its_folder_does_what_installed_hooks_do(play, tmp_path):
    project = play(HOST, {KETTLE: [[run("echo hi")], "done"]}, hooks=False)
    folder = tmp_path / "an extension"
    project.memorybank("hooks", "plugin", str(folder), "--host", "gemini")
    installed = project.play(["extensions", "install", str(folder), "--consent"])
    assert installed.status == 0, installed.out + installed.err
    assert project.prompt(KETTLE).status == 0
    requests = project.model.asked(KETTLE)
    assert [(count(request, "RESIDENT-ALPHA"), count(request, "NOTE-COPPER")) for request in requests] == [(1, 1)] * 2
    assert events(project.log()) == ["session_start", "prompt", "tool_after Bash success", "turn_end success", "session_end"]
