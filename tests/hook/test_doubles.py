"""One host may start the hook twice for one event (settings and a plugin, or settings that another host reads too)."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from memorybank.bank import Bank


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True])
def test_the_agent_is_told_once_and_the_log_holds_one_line(host, lines, together):
    host.bank.write("shared/quokka.md", "# Quokka deploy\n\nThe quokka deploy needs the amber token.\n")
    (host.bank.root / "summary.md").write_text("---\nupdated_at: 2025-09-01T00:00:00Z\n---\nThis project sells umbrellas.\n")
    Bank.open(str(host.bank.root)).index.update()
    start = host.payload("SessionStart", source="startup")
    prompt = host.payload("UserPromptSubmit", prompt="what does the quokka deploy need?", prompt_id="p1")
    for payload, canary in ((start, "umbrellas"), (prompt, "amber token")):
        if together:
            with ThreadPoolExecutor(4) as pool:
                answers = list(pool.map(host.fire, [payload] * 4))
        else:
            answers = [host.fire(payload) for _ in range(4)]
        assert sum(canary in json.dumps(json.loads(done.stdout or b"{}")) for done in answers) == 1
    assert [line["event"] for line in lines() if line["event"] in ("session_start", "prompt")] == ["session_start", "prompt"]


def test_a_hook_whose_answer_the_host_ignores_leaves_the_answer_to_the_next_one(host, lines):
    """Copilot runs its own hooks and those of `.claude/settings.json`; it takes no memory at `UserPromptSubmit`, only at `userPromptSubmitted`."""
    host.bank.write("shared/quokka.md", "# Quokka deploy\n\nThe quokka deploy needs the amber token.\n")
    Bank.open(str(host.bank.root)).index.update()
    said = {"cwd": str(host.project), "prompt": "what does the quokka deploy need?"}
    ignored = {**said, "hook_event_name": "UserPromptSubmit", "session_id": host.session, "timestamp": "2025-09-17T12:34:56.789Z"}
    heard = {**said, "sessionId": host.session, "timestamp": 1_758_112_496_789}
    copilot = {"COPILOT_CLI": "1", "CLAUDE_CODE_SESSION_ID": "", "CLAUDECODE": ""}
    assert host.fire(ignored, **copilot).stdout == b""
    event = ["--event", "userPromptSubmitted"]
    assert "amber token" in json.loads(host.fire(heard, host="copilot", options=event, **copilot).stdout)["additionalContext"]
    assert host.fire(heard, host="copilot", options=event, **copilot).stdout == b""
    assert [line["event"] for line in lines() if line["event"] == "prompt"] == ["prompt"]


def test_a_cache_that_another_process_makes_is_no_error(host, lines):
    host.fire(host.payload("SessionStart", source="startup"))
    folder = host.bank.root / "cache"
    for path in folder.glob("cycle.sqlite3*"):
        path.unlink()
    with closing(sqlite3.connect(folder / "cycle.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for payload in (host.payload("UserPromptSubmit", prompt="hi"), host.tool(1, command="make"), host.payload("SessionEnd", reason="other")):
            assert host.fire(payload).returncode == 0
    assert [line["event"] for line in lines() if line["event"] != "exposure"] == ["session_start", "prompt", "tool_after", "session_end"]
    assert not (host.bank.root / "log" / "hook_errors.jsonl").exists()
