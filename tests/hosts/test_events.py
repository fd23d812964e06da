"""The parts of a payload that are not a result: who spoke, what was requested, how a turn or a session ended."""

import pytest

from memorybank.hosts import tools
from memorybank.hosts.detect import HOSTS, dialect

BASE = {"session_id": "s", "cwd": "/p"}


def event(host, name, **fields):
    return dialect(host).to_event({**BASE, "hook_event_name": name, **fields}, {})


@pytest.mark.parametrize("host", HOSTS)
def test_events_that_are_not_ours_are_none(host):
    for name in ("", "Notification", "MessageDisplay", "PostToolBatch", "PreCompress", "beforeReadFile", "errorOccurred", "WorktreeCreate", 7, None):
        assert event(host, name) is None


def test_internal_agents_of_claude_code_are_nobody():
    """Compaction runs agents with an id and an empty type (measured)."""
    assert event("claude-code", "SubagentStop", agent_id="a1", agent_type="", last_assistant_message="<summary>") is None
    assert event("claude-code", "SubagentStop", agent_id="a1", last_assistant_message="x") is None
    assert event("claude-code", "PreToolUse", agent_id="a1", agent_type="", tool_name="Read", tool_input={}) is None
    assert event("claude-code", "SubagentStop", agent_id="a1", agent_type="reviewer").agent_role == "reviewer"


def test_the_main_agent_has_the_name_it_was_started_under():
    found = event("claude-code", "SessionStart", source="startup", agent_type="planner")
    assert (found.agent_id, found.agent_role) == ("main", "planner")


@pytest.mark.parametrize(
    ("host", "prompt", "text", "human"),
    [
        ("claude-code", "直して", "直して", True),
        ("claude-code", "<task-notification>\n<task-id>1</task-id>", "<task-notification>\n<task-id>1</task-id>", False),
        ("claude-code", '{"task_id": "b1", "task_type": "local_bash"}', '{"task_id": "b1", "task_type": "local_bash"}', False),
        ("claude-code", "Operation stopped by hook: another session", "Operation stopped by hook: another session", False),
        ("claude-code", '{"task": 1} is what I get', '{"task": 1} is what I get', True),
        ("codex", "<agent-notification>done</agent-notification>", "<agent-notification>done</agent-notification>", False),
        ("gemini", '{"task_type": "local_agent", "task_id": 3}', '{"task_type": "local_agent", "task_id": 3}', False),
        ("claude-code", "why does <task-notification> appear?", "why does <task-notification> appear?", True),
        ("claude-code", "<ide_opened_file>a.py</ide_opened_file>\nfix it", "fix it", True),
        ("claude-code", "<ide_opened_file>never closed\nfix it", "<ide_opened_file>never closed\nfix it", True),
        ("claude-code", "<system-reminder>\nx\n</system-reminder>\n\n<ide_selection lines='1'>y</ide_selection>go", "go", True),
        ("gemini", "<hook_context>old memory</hook_context>\n\nsay hi", "say hi", True),
        ("gemini", "<hook_context>a</hook_context>\n\n<hook_context>b</hook_context>\n\n指示", "指示", True),
        ("gemini", "what is <hook_context>?", "what is <hook_context>?", True),
    ],
)
def test_the_prompt_is_what_the_person_wrote(host, prompt, text, human):
    found = event(host, {"gemini": "BeforeAgent"}.get(host, "UserPromptSubmit"), prompt=prompt)
    assert (found.prompt, found.human) == (text, human)


def test_a_prompt_that_an_agent_wrote_is_no_humans():
    assert event("codex", "UserPromptSubmit", prompt="x").human
    assert not event("codex", "UserPromptSubmit", prompt="x", agent_id="a", agent_type="worker").human


def test_compaction_without_instructions():
    for instructions in (None, "", "keep the paths", {"odd": 1}):
        found = event("claude-code", "PreCompact", trigger="auto", custom_instructions=instructions)
        assert (found.name, found.reason) == ("compact_before", "auto")


@pytest.mark.parametrize(
    ("host", "name", "fields", "reason", "status", "interrupted"),
    [
        ("claude-code", "Stop", {}, None, None, False),
        ("claude-code", "StopFailure", {"error": "rate_limit", "error_details": "wait"}, "error", "failure", False),
        ("codex", "Interrupt", {}, "interrupted", "partial", True),
        ("cursor", "stop", {"status": "completed"}, None, None, False),
        ("cursor", "stop", {"status": "aborted"}, "interrupted", "partial", True),
        ("cursor", "stop", {"status": "error"}, "error", "failure", False),
        ("opencode", "turn_end", {"error": "ProviderAuthError: no key"}, "error", "failure", False),
        ("opencode", "turn_end", {"error": "MessageAbortedError: "}, "interrupted", "partial", True),
    ],
)
def test_how_a_turn_ended(host, name, fields, reason, status, interrupted):
    found = event(host, name, **fields)
    assert (found.name, found.reason, found.status, found.interrupted) == ("turn_end", reason, status, interrupted)


def test_a_turn_has_no_id_of_its_own():
    """One prompt can end several times: a stop hook makes the agent continue, or a background agent reports back."""
    assert event("claude-code", "Stop", prompt_id="p").strong_id is None
    assert event("codex", "Stop", turn_id="t").strong_id is None


def test_open_work_is_what_still_runs_beside_the_agent_that_ended():
    tasks = [{"id": "a1", "status": "running"}, {"id": "a2", "status": "running"}, {"id": "a3", "status": "completed"}, "odd", {"status": "pending"}]
    assert event("claude-code", "Stop", background_tasks=tasks).open_work == 3
    assert event("claude-code", "SubagentStop", agent_id="a1", agent_type="x", background_tasks=tasks).open_work == 2
    assert event("claude-code", "Stop", background_tasks=None).open_work == 0


def test_a_sub_agents_end_names_its_own_transcript():
    found = event("claude-code", "SubagentStop", agent_id="a", agent_type="x", transcript_path="/t/s.jsonl", agent_transcript_path="/t/s/a.jsonl")
    assert found.transcript_path == "/t/s/a.jsonl"


def test_cursors_e_mail_address_is_nowhere():
    found = dialect("cursor").to_event(
        {"conversation_id": "c", "user_email": "person@example.org", "hook_event_name": "beforeSubmitPrompt", "prompt": "x", "workspace_roots": ["/w"]}, {}
    )
    assert "person@example.org" not in repr(found)
    assert (found.session_id, found.cwd) == ("c", "/w")


def test_host_time_is_milliseconds_in_both_spellings():
    assert event("gemini", "SessionStart", timestamp="2026-11-21T20:43:54.087Z").at == 1795293834087
    assert dialect("copilot").to_event({"sessionId": "s", "timestamp": 1795294379043}, {}, "sessionStart").at == 1795294379043
    assert event("gemini", "SessionStart", timestamp="yesterday").at is None
    assert event("claude-code", "SessionStart").at is None


PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: 新規.md\n+text\n*** Delete File: old.py\n*** Move to: src/b.py\n*** End Patch\n"


@pytest.mark.parametrize(
    ("tool", "raw", "canonical", "inputs"),
    [
        ("Bash", {"command": "ls", "description": "list", "timeout": 5}, "Bash", {"command": "ls", "description": "list", "other": {"timeout": 5}}),
        ("shell", {"command": ["bash", "-lc", "echo a b"]}, "Bash", {"command": "echo a b"}),
        ("shell", {"command": ["git", "log", "-1"]}, "Bash", {"command": "git log -1"}),
        ("run_shell_command", {"command": "ls", "dir_path": "src"}, "Bash", {"command": "ls", "path": "src"}),
        ("bash", '{"command":"ls"}', "Bash", {"command": "ls"}),
        ("bash", "ls", "Bash", {"command": "ls"}),
        ("bash", "{ls", "Bash", {"command": "{ls"}),
        ("view", {"path": "a.py"}, "Read", {"file_path": "a.py"}),
        ("read", {"filePath": "a.py", "offset": 3}, "Read", {"file_path": "a.py", "other": {"offset": 3}}),
        ("read_many_files", {"include": ["a.py", "b/*.md", 7]}, "Read", {"paths": ["a.py", "b/*.md"]}),
        ("create", {"path": "a.py", "file_text": "x"}, "Write", {"file_path": "a.py", "content": "x"}),
        ("replace", {"file_path": "a", "old_string": "x", "new_string": ""}, "Edit", {"file_path": "a", "old_string": "x"}),
        ("str_replace_editor", {"path": "a", "old_str": "x", "new_str": "y"}, "Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}),
        ("grep", {"pattern": "x", "path": "src", "glob": "*.py"}, "Grep", {"pattern": "x", "path": "src", "other": {"glob": "*.py"}}),
        ("task", {"prompt": "p", "subagent_type": "explore", "description": "d"}, "Agent", {"prompt": "p", "subagent_type": "explore", "description": "d"}),
        ("webfetch", {"url": "http://x"}, "WebFetch", {"url": "http://x"}),
        ("google_web_search", {"query": "検索"}, "WebSearch", {"query": "検索"}),
        ("todowrite", {"todos": []}, "Todo", {"other": {"todos": []}}),
        ("mcp__s__Read", {"path": "a"}, "mcp__s__Read", {"path": "a"}),
        ("mcp__memorybank__search", {"query": "a"}, "mcp__memorybank__search", {"query": "a"}),
        ("memorybank-search", {"query": "a"}, "mcp__memorybank__search", {"query": "a"}),
        ("memorybank_recall", {}, "mcp__memorybank__recall", {}),
        ("memorybanker", {}, "memorybanker", {}),
        ("Unheard", None, "Unheard", {}),
        ("", 7, "", {}),
    ],
)
def test_one_name_for_a_tool_and_its_inputs(tool, raw, canonical, inputs):
    assert tools.name(tool) == canonical
    assert tools.inputs(canonical, raw) == inputs


@pytest.mark.parametrize("raw", [{"command": PATCH}, {"input": PATCH}, {"patchText": PATCH}, PATCH])
def test_a_patch_is_an_edit_of_the_files_it_names(raw):
    inputs = tools.inputs(tools.name("apply_patch"), raw)
    assert inputs == {"content": PATCH, "file_path": "src/a.py", "paths": ["src/a.py", "新規.md", "old.py", "src/b.py"]}


def test_a_command_that_holds_a_patch_stays_a_command():
    line = f"apply_patch <<'EOF'\n{PATCH}EOF"
    assert tools.inputs("Bash", {"command": line}) == {"command": line}
