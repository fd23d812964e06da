"""The MCP server with clients that nobody here wrote: the MCP Inspector's command line, and coding agents, whose models call its tools."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.mcp import table
from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN

from .clients import CannotInstall
from .conftest import NOTES, ROOT
from .inspector import Inspector, install
from .model_server import Call

CALLS = {
    "search": {"query": "copper kettle", "limit": 3},
    "read": {"id": "note:implementation/teapot.md"},
    "recall": {"situation": "how do I start the copper kettle"},
    "recent": {"limit": 3},
    "episodes": {},
    "status": {},
    "remember": {"text": "Tea is at four.", "tags": ["tea"]},
    "rate": {"id": "note:implementation/teapot.md", "rating": 7},
    "tick": {"id": "note:implementation/teapot.md", "verdict": "helpful"},
    "bookmark": {"id": "note:implementation/teapot.md", "reason": "急須"},
}


@pytest.fixture
def inspector(installed, tmp_path):
    """inspector(*options) → the Inspector, whose server is `memorybank mcp` with these options in a project with a bank."""
    try:
        program = install(installed)
    except CannotInstall as reason:
        pytest.fail(f"the MCP Inspector cannot be installed: {reason}")
    project, home = tmp_path / "project", tmp_path / "home"
    home.mkdir()
    for key, text in NOTES.items():
        path = project / ".claude/memory/active" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (project / ".claude/memory/summary.md").write_text("---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nRESIDENT-ALPHA brews tea.\n")
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    server = tmp_path / "memorybank"
    server.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m memorybank "$@"\n')
    server.chmod(0o755)
    path = os.pathsep.join([os.path.dirname(str(shutil.which("node"))), "/usr/bin", "/bin"])
    environment = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}
    return lambda *options: Inspector(program, [str(server), "mcp", *options], project, environment)


def test_the_inspector_lists_and_calls_every_tool(inspector):
    asked = inspector("--allow-write")
    assert [tool["name"] for tool in asked.ask("tools/list")["tools"]] == [tool.name for tool in table.TOOLS] == list(CALLS)
    for name, given in CALLS.items():
        answer = asked.call(name, **given)
        assert not answer.get("isError") and answer["structuredContent"]["truncated"] is False, name
        (content,) = answer["content"]
        if "memory" in answer["structuredContent"]:
            assert content["text"].startswith(FENCE_OPEN) and FENCE_CLOSE in content["text"]
    assert "急須の茶渋は重曹で落とす" in asked.call("read", id="note:implementation/teapot.md")["content"][0]["text"]


def test_the_inspector_finds_nothing_to_object_to(inspector):
    """`--strict`: schemas that some clients would not take, a warning each."""
    done = inspector("--allow-write").run("tools/list", "--strict")
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_the_inspector_lists_and_reads_resources(inspector):
    asked = inspector()
    found = asked.ask("resources/list")["resources"]
    assert [each["name"] for each in found] == ["summary", *sorted(f"note:{key}" for key in NOTES)]
    assert len(asked.ask("resources/templates/list")["resourceTemplates"]) == 3
    for each, words in ((found[0], "RESIDENT-ALPHA"), (next(each for each in found if "teapot" in each["uri"]), "NOTE-急須")):
        (content,) = asked.ask("resources/read", "--uri", each["uri"])["contents"]
        assert content["text"].startswith(FENCE_OPEN) and words in content["text"]


def test_the_inspector_gets_no_file_and_no_tool_that_writes(inspector):
    asked = inspector()
    assert not {tool["name"] for tool in asked.ask("tools/list")["tools"]} & {"remember", "rate", "tick", "bookmark"}
    assert asked.run("tools/call", "--tool-name", "remember", "--tool-arg", "text=x").returncode
    refused = asked.run("tools/call", "--tool-name", "read", "--tool-arg", "id=note:../../../../../../etc/passwd")
    assert refused.returncode and "there is no memory" in refused.stdout and "root:" not in refused.stdout
    assert asked.run("resources/read", "--uri", "memorybank://note/..%2f..%2fsummary.md").returncode


HOST = "claude-code"
FIRST, SECOND = "good morning", "look into the memory for the copper kettle"
SEARCH = Call("mcp__memorybank__search", {"query": "copper kettle"})
READ = Call("mcp__memorybank__read", {"id": "note:implementation/copper-kettle.md"})
ALLOW = ("--allowedTools", "mcp__memorybank")


def lines(*prompts: str) -> str:
    return "".join(json.dumps({"type": "user", "message": {"role": "user", "content": prompt}}) + "\n" for prompt in prompts)


LIVE = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


def results(request) -> list[str]:
    """What the model reads of the results of its calls, in order."""
    found = []
    for message in request.body["messages"]:
        content = message["content"] if isinstance(message["content"], list) else []
        for block in content:
            if block.get("type") == "tool_result":
                inner = block["content"]
                found.append(inner if isinstance(inner, str) else "".join(piece.get("text", "") for piece in inner))
    return found


def registered(play, script, host=HOST):
    """A project whose hooks and server are registered as `hooks install --scope project` does it."""
    project = play(host, script, hooks=False)
    project.memorybank("hooks", "install", "--host", host, "--scope", "project")
    return project


QUERY = {"query": "copper kettle"}
PAUSE = "sleep 3"
ELSEWHERE = {
    "codex": ([Call("exec_command", {"cmd": PAUSE})], [Call("search", QUERY, "mcp__memorybank")]),  # starts servers beside its first turn
    "gemini": ([Call("mcp_memorybank_search", QUERY)],),
    "copilot": ([Call("memorybank-search", QUERY)],),
    "opencode": ([Call("memorybank_search", QUERY)],),
}


@pytest.mark.parametrize("host", ELSEWHERE)
def test_every_host_has_the_tools_from_the_file_that_hooks_install_writes(play, host):
    """Its model searches, gets the note once, from the tool and not from a hook too, and the log holds the call under one name and no memory."""
    project = registered(play, {FIRST: [*ELSEWHERE[host], "done"]}, host)
    run = project.prompt(FIRST)
    assert run.status == 0, run.err
    told = project.model.asked(FIRST)[-1].conversation
    assert "note:implementation/copper-kettle.md" in told
    assert told.count("NOTE-COPPER") == {"copilot": 2}.get(host, 1)  # Copilot gives its model the text and the data
    after = [line for line in project.log() if line["event"] == "tool_after"]
    assert (after[-1]["tool"], after[-1]["status"]) == (SEARCH.tool, "success")
    assert "NOTE-COPPER" not in json.dumps(after, ensure_ascii=False)
    status = {(row["host"], row["scope"]): row for row in json.loads(project.memorybank("hooks", "status", "--format", "json"))}
    assert status[host, "project"]["mcp_server"]["state"] == status[host, "project"]["state"] == "installed"
    project.memorybank("hooks", "uninstall", "--host", host, "--scope", "project")
    assert not [each for each in json.loads(project.memorybank("hooks", "status", "--format", "json")) if each["mcp_server"]]


def test_claude_code_searches_and_reads_in_its_second_turn(play):
    """Servers start while the first turn runs; from the second on their tools are there. Claude Code tells its model the names of tools and
    the server's instructions, and loads what `ToolSearch` selects."""
    select = Call("ToolSearch", {"query": f"select:{SEARCH.tool},{READ.tool}"})
    project = registered(play, {FIRST: ["good morning"], SECOND: [[select], [SEARCH], [READ], "--descale"]})
    run = project.play([*LIVE, *ALLOW], lines(FIRST, SECOND))
    assert run.status == 0, run.err
    requests = project.model.asked(SECOND)
    assert [name for tool in table.offered(allow_write=False) if (name := f"mcp__memorybank__{tool.name}") not in requests[0].text] == []
    assert table.INSTRUCTIONS in requests[0].text
    _, found, read = results(requests[-1])
    assert "note:implementation/copper-kettle.md" in found and "NOTE-COPPER" in read
    for text in (found, read):
        assert text.count(FENCE_OPEN) == text.count(FENCE_CLOSE) == 1
    assert run.lines[-1]["result"] == "--descale"
    access = [json.loads(line) for line in (project.bank / "log/access.jsonl").read_text().splitlines()]
    assert [line["path"] for line in access if line["kind"] == "view"] == ["implementation/copper-kettle.md"]


def test_what_the_tools_said_is_not_recorded_as_news(play):
    """The hooks see the results of our own tools: the log names the calls, and repeats no memory."""
    project = registered(play, {FIRST: ["good morning"], SECOND: [[SEARCH], [READ], "--descale"]})
    project.play([*LIVE, *ALLOW], lines(FIRST, SECOND))
    log = project.log()
    after = [line for line in log if line["event"] == "tool_after"]
    assert [line["tool"] for line in after] == [SEARCH.tool, READ.tool] and {line["status"] for line in after} == {"success"}
    assert "NOTE-COPPER" not in json.dumps(after, ensure_ascii=False)


def test_the_plugin_brings_the_tools_too(play, tmp_path):
    call = Call("mcp__plugin_memorybank_memorybank__search", {"query": "copper kettle"})
    project = play(HOST, {FIRST: ["good morning"], SECOND: [[call], "done"]}, hooks=False)
    folder = tmp_path / "plug in"
    project.memorybank("hooks", "plugin", str(folder))
    run = project.play([*LIVE, "--plugin-dir", str(folder), "--allowedTools", call.tool], lines(FIRST, SECOND))
    assert run.status == 0, run.err
    (found,) = results(project.model.asked(SECOND)[-1])
    assert "note:implementation/copper-kettle.md" in found


@pytest.mark.parametrize(("host", "scope", "name"), [("claude-code", "local", "claude"), ("codex", "user", "codex"), ("copilot", "user", "copilot")])
def test_the_command_that_hooks_install_tells_registers_the_server(play, host, scope, name):
    """Where the client's own file is meant: its command, typed as it is told. It is not asked for again, and `hooks status` finds what it wrote."""
    project = play(host, {}, hooks=False)
    told = next(line for line in project.memorybank("hooks", "install", "--host", host, "--scope", scope).splitlines() if f"{name} mcp add" in line)
    (project.programs / name).symlink_to(project.client.program()[0])
    line = told.partition("run: ")[2]
    done = subprocess.run(line, shell=True, cwd=project.project, env=project.environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "memorybank" in project.play(["mcp", "list"]).out
    assert "mcp add" not in project.memorybank("hooks", "install", "--host", host, "--scope", scope)
    assert "MCP server  installed" in project.memorybank("hooks", "status")
    out = next(line for line in project.memorybank("hooks", "uninstall", "--host", host, "--scope", scope).splitlines() if f"{name} mcp remove" in line)
    subprocess.run(out.partition("run: ")[2], shell=True, cwd=project.project, env=project.environment(), capture_output=True, check=True, timeout=60)
    assert "MCP server" not in project.memorybank("hooks", "status")
    assert "mcp remove" not in project.memorybank("hooks", "uninstall", "--host", host, "--scope", scope)


@pytest.mark.parametrize("host", ["gemini", "opencode"])
def test_a_persons_settings_bring_the_tools_to_every_project(play, host):
    """Where `hooks install --scope user` writes the server beside the hooks."""
    project = play(host, {}, hooks=False)
    project.memorybank("hooks", "install", "--host", host, "--scope", "user")
    listed = project.play(["mcp", "list"])
    assert "memorybank" in listed.out + listed.err and "onnected" in listed.out + listed.err


def test_a_project_without_the_program_works_on(play, tmp_path):
    """A clone on a machine without memorybank: Claude Code says that the server failed, and nothing else changes."""
    project = registered(play, {FIRST: ["good morning"]})
    (project.programs / "memorybank").rename(tmp_path / "gone")
    run = project.prompt(FIRST)
    assert run.status == 0 and run.lines[-1]["result"] == "good morning"
    (tmp_path / "gone").rename(project.programs / "memorybank")


def test_the_server_stays_no_longer_than_its_client(play):
    project = registered(play, {FIRST: ["good morning"]})
    project.prompt(FIRST)
    assert project.settled() == {}


def test_the_folder_of_the_project_is_found_from_below(play):
    """Claude Code started in a sub-folder looks for .mcp.json above, and the server for its bank."""
    project = registered(play, {FIRST: ["good morning"], SECOND: [[SEARCH], "done"]})
    below = project.project / "src" / "deep"
    below.mkdir(parents=True)
    at = Path(project.project)
    project.project = below
    try:
        run = project.play([*LIVE, *ALLOW], lines(FIRST, SECOND))
    finally:
        project.project = at
    assert run.status == 0
    (found,) = results(project.model.asked(SECOND)[-1])
    assert "note:implementation/copper-kettle.md" in found
