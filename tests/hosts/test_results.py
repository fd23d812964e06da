"""The outcome of a call: read from the host's own signal (a failure event, an exit code, is_error, interrupted), never from its words."""

import json

import pytest

from memorybank.hosts.detect import dialect

BASE = {"session_id": "s", "cwd": "/p"}


def claude(response, tool="Bash", **fields):
    payload = {**BASE, "hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": {}, "tool_response": response, **fields}
    return dialect("claude-code").to_event(payload, {})


def claude_failure(error, **fields):
    payload = {**BASE, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {}, "error": error, **fields}
    return dialect("claude-code").to_event(payload, {})


def bash(stdout="", stderr="", **fields):
    return {"stdout": stdout, "stderr": stderr, "interrupted": False, "isImage": False, **fields}


@pytest.mark.parametrize(
    ("response", "status", "output"),
    [
        (bash("error: 0 errors, all failures fixed"), "success", "error: 0 errors, all failures fixed"),
        (bash("エラーなし", "警告"), "success", "エラーなし\n警告"),
        (bash("x", returnCodeInterpretation="No matches found"), "success", "x"),
        (bash("half", interrupted=True), "partial", "half"),
        (bash("", backgroundTaskId="b1"), "partial", ""),
        ({"status": "async_launched", "agentId": "a"}, "partial", "async_launched"),
        ({"status": "completed", "content": [{"type": "text", "text": "一つ"}, {"type": "text", "text": "two"}]}, "success", "一つ\ntwo"),
        ([{"type": "text", "text": "stored"}, {"type": "image", "data": "AAAA"}], "success", "stored\n[image]"),
        ({"content": [{"type": "text", "text": "no such key"}], "isError": True}, "failure", "no such key"),
        ({"content": "no", "is_error": True}, "failure", "no"),
        ('{"result":"stored"}', "success", "stored"),
        ('{"result":"stored","more":1}', "success", '{"result":"stored","more":1}'),
        ('{"result":', "success", '{"result":'),
        ("plain", "success", "plain"),
        (None, "success", ""),
        ([], "success", ""),
        ({"type": "text", "file": {"filePath": "/p/a", "content": "one\n"}}, "success", "one\n"),
        ({"type": "image", "file": {"base64": "AAAA", "type": "image/png"}}, "success", "[image]"),
        ({"structuredPatch": [{"lines": [" a", "-b", "+c"]}], "filePath": "/p/a"}, "success", " a\n-b\n+c"),
        ({"structuredPatch": [], "type": "create", "content": "whole file"}, "success", "create"),
        ({"structuredPatch": [{"lines": None}, 7], "type": "update"}, "success", "update"),
        ({"mode": "files_with_matches", "filenames": ["a.py", "b.py"], "numFiles": 2}, "success", "a.py\nb.py"),
        ({"mode": "content", "filenames": ["a.py"], "content": "a.py:1:x"}, "success", "a.py:1:x"),
        ({"bytes": 4, "code": 404, "codeText": "Not Found", "result": "nothing there", "url": "http://x"}, "success", "nothing there"),
        ({"query": "q", "results": ["first", {"content": [{"title": "t", "url": "u"}]}]}, "success", 'first\n{"title":"t","url":"u"}'),
        ({"unknown": {"shape": 1}}, "success", '{"unknown":{"shape":1}}'),
    ],
)
def test_claude_code(response, status, output):
    event = claude(response)
    assert (event.status, event.output) == (status, output)


@pytest.mark.parametrize(
    ("error", "fields", "status", "exit_code", "interrupted"),
    [
        ("Exit code 3\nout\nerr", {}, "failure", 3, False),
        ("Error: Exit code 128\nfatal: no upstream", {}, "failure", 128, False),
        ("File does not exist.", {}, "failure", None, False),
        ("Exit code 137\nCommand timed out after 2m 0.0s", {}, "partial", 137, False),
        ("Command timed out after 2m 0.0s\npartial output", {}, "partial", None, False),
        ("Exit code 1\nthe test says: Command timed out after 5s", {}, "failure", 1, False),
        ("Exit code 130\n", {"is_interrupt": True}, "partial", 130, True),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", {}, "partial", None, True),
        ("[Request interrupted by user for tool use]", {}, "partial", None, True),
        (None, {}, "failure", None, False),
    ],
)
def test_a_failure_event_of_claude_code(error, fields, status, exit_code, interrupted):
    event = claude_failure(error, duration_ms=42, **fields)
    assert (event.status, event.exit_code, event.interrupted, event.latency_ms) == (status, exit_code, interrupted, 42)
    assert event.error == (error or "")


def test_an_agents_result_says_its_tokens_and_its_time():
    event = claude({"status": "completed", "content": [], "totalTokens": 15, "totalDurationMs": 661}, tool="Task")
    assert (event.tool, event.tokens, event.latency_ms) == ("Agent", 15, 661)


@pytest.mark.parametrize(
    ("tool", "response", "status"),
    [
        ("Bash", "bad\n", "unknown"),
        ("shell", "hi", "unknown"),
        ("Bash", {"output": "x", "metadata": {"exit_code": 0, "duration_seconds": 0.25}}, "success"),
        ("Bash", {"output": "x", "metadata": {"exit_code": 2}}, "failure"),
        ("apply_patch", "Success. Updated the following files:\nM a.txt\n", "success"),
        ("apply_patch", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated", "success"),
        ("apply_patch", "Exit code: 1\nWall time: 0 seconds\nOutput:\nno", "failure"),
        ("apply_patch", "no idea", "unknown"),
        ("mcp__s__t", {"content": [{"type": "text", "text": "x"}], "isError": False}, "success"),
        ("mcp__s__t", {"content": [{"type": "text", "text": "x"}], "isError": True}, "failure"),
        ("mcp__s__t", {"content": [{"type": "text", "text": "x"}]}, "unknown"),
    ],
)
def test_codex(tool, response, status):
    payload = {**BASE, "hook_event_name": "PostToolUse", "turn_id": "t", "tool_name": tool, "tool_input": {}, "tool_response": response}
    assert dialect("codex").to_event(payload, {}).status == status


def gemini(llm, tool="run_shell_command", **response):
    payload = {**BASE, "hook_event_name": "AfterTool", "tool_name": tool, "tool_input": {}, "tool_response": {"llmContent": llm, **response}}
    return dialect("gemini").to_event(payload, {})


def command(text):
    return f"<untrusted_context>\n{text}\nProcess Group PGID: 12\n</untrusted_context>"


@pytest.mark.parametrize(
    ("llm", "status", "exit_code", "output"),
    [
        (command("Output: hi"), "success", 0, "hi"),
        (command("Output: error error error"), "success", 0, "error error error"),
        (command("Output: out\nerr\nExit Code: 3"), "failure", 3, "out\nerr"),
        (command("Output: (empty)\nSignal: SIGTERM"), "failure", None, "(empty)"),
        (command("Output: (empty)\nError: spawn ENOENT"), "failure", None, "(empty)"),
        (command("Output: x\nBackground PIDs: 1, 2"), "success", 0, "x"),
        ("Output: 結果\nExit Code: 1", "failure", 1, "結果"),
        ("Command was cancelled by user before it could complete.", "partial", None, "Command was cancelled by user before it could complete."),
        ("Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.", "partial", None, None),
        ("Command moved to background (PID: 7). Output hidden.", "partial", None, None),
        ([{"text": "Output: x"}], "success", 0, "x"),
        (None, "success", None, ""),
    ],
)
def test_a_command_of_gemini(llm, status, exit_code, output):
    event = gemini(llm)
    assert (event.status, event.exit_code) == (status, exit_code)
    assert output is None or event.output == output


def test_an_error_of_gemini_is_a_failure_and_a_cancelled_command_stays_partial():
    failed = gemini("Could not read file", "read_file", error={"message": "File not found: /p/x", "type": "file_not_found"})
    assert (failed.status, failed.error, failed.output) == ("failure", "File not found: /p/x", "Could not read file")
    cancelled = gemini("Command was cancelled by user before it could complete.", error={"message": "aborted"})
    assert (cancelled.status, cancelled.interrupted) == ("partial", True)


def test_a_tool_of_an_mcp_server_has_its_name_in_every_host():
    payload = {**BASE, "hook_event_name": "BeforeTool", "tool_name": "mcp_my_server_do", "tool_input": {}}
    named = {**payload, "mcp_context": {"server_name": "my_server", "tool_name": "do"}}
    assert dialect("gemini").to_event(named, {}).tool == "mcp__my_server__do"
    assert dialect("gemini").to_event(payload, {}).tool == "mcp_my_server_do"
    assert dialect("cursor").to_event({"conversation_id": "c", "hook_event_name": "preToolUse", "tool_name": "MCP:do"}, {}).tool == "mcp__unknown__do"


@pytest.mark.parametrize(
    ("kind", "text", "status", "exit_code"),
    [
        ("success", "hi\n<shellId: 0 completed with exit code 0>", "success", 0),
        ("success", "no\n<shellId: 0 completed with exit code 4>", "failure", 4),
        ("success", "it says <x completed with exit code 4> somewhere\nend", "success", None),
        ("failure", "no", "failure", None),
        ("rejected", "no", "partial", None),
        ("denied", "no", "partial", None),
        ("timeout", "no", "partial", None),
        ("", "", "success", None),
    ],
)
def test_copilot(kind, text, status, exit_code):
    payload = {"sessionId": "s", "timestamp": 1, "toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": kind, "textResultForLlm": text}}
    event = dialect("copilot").to_event(payload, {}, "postToolUse")
    assert (event.status, event.exit_code) == (status, exit_code)
    assert event.interrupted == (kind == "rejected"), "what a person refused, and nobody else"


@pytest.mark.parametrize(
    ("event", "fields", "status"),
    [
        ("postToolUse", {"tool_output": json.dumps({"output": "x", "exitCode": 0})}, "success"),
        ("postToolUse", {"tool_output": json.dumps({"output": "x", "exitCode": 1})}, "failure"),
        ("postToolUse", {"tool_output": "{not json"}, "success"),
        ("postToolUse", {"tool_output": json.dumps({"isError": True, "content": [{"type": "text", "text": "no"}]})}, "failure"),
        ("postToolUseFailure", {"error_message": "no", "failure_type": "error"}, "failure"),
        ("postToolUseFailure", {"error_message": "no", "failure_type": "timeout"}, "partial"),
        ("postToolUseFailure", {"error_message": "no", "failure_type": "permission_denied"}, "partial"),
        ("postToolUseFailure", {"error_message": "no", "is_interrupt": True}, "partial"),
    ],
)
def test_cursor(event, fields, status):
    payload = {"conversation_id": "c", "hook_event_name": event, "tool_name": "Shell", "tool_input": {"command": "x"}, "duration": 12.6, **fields}
    found = dialect("cursor").to_event(payload, {})
    assert (found.status, found.tool, found.inputs, found.latency_ms) == (status, "Bash", {"command": "x"}, 12)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"tool_output": "x", "exit_code": 0}, "success"),
        ({"tool_output": "x", "exit_code": 3}, "failure"),
        ({"tool_output": "errors: none"}, "success"),
        ({"error": "File not found"}, "failure"),
        ({"error": "Tool execution aborted"}, "partial"),
        ({"error": "The user rejected permission to use this specific tool call."}, "partial"),
    ],
)
def test_opencode(fields, status):
    payload = {"memorybank": 1, "hook_event_name": "tool_after", "session_id": "s", "tool_name": "bash", "tool_input": {"command": "x"}, **fields}
    assert dialect("opencode").to_event(payload, {}).status == status
