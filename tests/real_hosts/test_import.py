"""Transcripts as the real clients write them: what hooks recorded is not recorded again, and without hooks the import records the same."""

import json

from .conftest import events
from .model_server import Call


def imported(project, host: str) -> dict:
    return json.loads(project.memorybank("import", host, "--format", "json"))


def bash(command: str) -> Call:
    return Call("Bash", {"command": command, "description": "a step of the test"})


def claude_code_steps(project) -> dict:
    path = str(project.project / "a.txt")
    return {
        "work": [
            [Call("Write", {"file_path": path, "content": "one\ntwo\n"})],
            [Call("Edit", {"file_path": path, "old_string": "two", "new_string": "三"}), bash("echo beside")],
            [bash("echo out; exit 3")],
            [Call("Read", {"file_path": path})],
            [Call("Edit", {"file_path": path, "old_string": "not there", "new_string": "x"})],
            [Call("Agent", {"description": "a part", "prompt": "look into the teapot", "subagent_type": "general-purpose"})],
            "done",
        ],
        "look into the teapot": [[bash("echo teapot; exit 2")], "looked"],
        "go on": [[bash("grep -c 三 a.txt")], "it is there"],
    }


def test_claude_code_after_hooks_nothing_is_added(play):
    project = play("claude-code", {})
    project.model.script = claude_code_steps(project)
    project.prompt("work")
    project.again("go on")
    before = project.log()
    report = imported(project, "claude-code")
    assert report["added"] == {} and report["known"] >= 15 and report["problems"] == []
    assert project.log() == before


def test_claude_code_without_hooks_the_same_is_recorded(play):
    """But for what hooks are not told: calls that Claude Code refused to run."""
    hooked, alone = play("claude-code", {}), play("claude-code", {}, hooks=False)
    for project in (hooked, alone):
        project.model.script = claude_code_steps(project)
        project.prompt("work")
    assert imported(alone, "claude-code")["added"]["prompt"] >= 1

    def told(project):
        return [
            (line["agent_role"], *events([line]))
            for line in project.log()
            if line["event"] in ("prompt", "tool_before", "tool_after") and "not there" not in str(line["inputs"])
        ]

    assert sorted(told(alone)) == sorted(told(hooked))
    fields = ("tool", "status", "inputs", "files", "fingerprint", "exit_code", "outputs", "human")
    by_call = [
        {line["tool_use_id"]: [line.get(name) for name in fields[:5]] for line in project.log() if line["event"] == "tool_after"} for project in (hooked, alone)
    ]
    assert len(by_call[0]) >= 5
    assert sorted(map(str, by_call[0].values())) == sorted(str(value) for value in by_call[1].values() if "not there" not in str(value))


def test_codex_outcomes_are_corrected(play):
    steps = [[Call("exec_command", {"cmd": "echo hi"})], [Call("exec_command", {"cmd": "echo bad >&2; exit 3"})], "done"]
    project = play("codex", {"work": steps})
    project.prompt("work")
    assert [line["status"] for line in project.log() if line["event"] == "tool_after"] == ["unknown", "unknown"]
    report = imported(project, "codex")
    assert (report["added"], report["corrected"]) == ({}, 2)
    corrections = [line for line in project.log() if line["event"] == "correction"]
    assert [(line["status"], line["inputs"]["command"]) for line in corrections] == [("success", "echo hi"), ("failure", "echo bad >&2; exit 3")]
    before = project.log()
    assert imported(project, "codex")["corrected"] == 0
    assert project.log() == before


def test_gemini_after_hooks_nothing_is_added(play):
    steps = [[Call("run_shell_command", {"command": "exit 3", "description": "a step"})], [Call("read_file", {"file_path": "none.txt"})], "done"]
    project = play("gemini", {"work": steps, "go on": ["so"]})
    project.prompt("work")
    project.again("go on")
    before = project.log()
    report = imported(project, "gemini")
    assert report["added"] == {} and report["found"]["tool_after"] == 2 and report["problems"] == []
    assert project.log() == before


def test_gemini_without_hooks_failures_are_seen(play):
    steps = [
        [Call("run_shell_command", {"command": "exit 3", "description": "a step"})],
        [Call("write_file", {"file_path": "a.txt", "content": "一\n"})],
        "done",
    ]
    project = play("gemini", {"work": steps}, hooks=False)
    project.prompt("work")
    imported(project, "gemini")
    assert events(project.log()) == ["session_start", "prompt", "tool_after Bash failure", "tool_after Write success", "turn_end success"]
    assert [line["files"] for line in project.log() if line["tool"] == "Write"] == [["a.txt"]]
