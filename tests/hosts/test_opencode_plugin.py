"""opencode's plugin: what it sends to the hook, where it puts the reply, and that nothing in the hook can break a turn.

It runs in Node here (opencode's own runtime has the same modules); tests/real_hosts runs it in opencode itself.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memorybank.hosts.program import Program, is_plugin, plugin_needs, plugin_text

pytestmark = pytest.mark.slow

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")

SESSION = """
const hooks = await Memorybank({ directory: process.env.FOLDER })
const say = async (text, id) => {
  const output = { message: { id, agent: "build" }, parts: [{ type: "text", text }, { type: "text", text: "made by a tool", synthetic: true }] }
  await hooks["chat.message"]({ sessionID: "ses" }, output)
}
const system = async (id) => {
  const output = { system: ["base"] }
  await hooks["experimental.chat.system.transform"]({ sessionID: id }, output)
  return output.system
}
const seen = []
await hooks.event({ event: { type: "session.created", properties: { info: { id: "ses" } } } })
await say("直して", "msg1")
seen.push(await system("ses"))
await hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses", callID: "c1" }, { args: {} })
const result = { title: "", output: "out", metadata: { exit: 3 } }
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "ses", callID: "c1", args: { command: "false" } }, result)
seen.push(result.output)
const state = { status: "error", input: { filePath: "x" }, error: "File not found", time: { start: 1, end: 5 } }
const part = { type: "tool", tool: "read", sessionID: "ses", callID: "c2", state }
await hooks.event({ event: { type: "message.part.updated", properties: { part } } })
await hooks.event({ event: { type: "message.part.updated", properties: { part } } })
seen.push(await system("ses"))
await hooks.event({ event: { type: "session.created", properties: { info: { id: "sub", parentID: "ses" } } } })
await hooks["chat.message"]({ sessionID: "sub" }, { message: { id: "m", agent: "explore" }, parts: [{ type: "text", text: "look" }] })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "sub" } } })
await hooks.event({ event: { type: "message.updated", properties: { info: { id: "a1", role: "assistant" } } } })
await hooks.event({ event: { type: "message.part.updated", properties: { part: { type: "text", messageID: "a1", sessionID: "ses", text: "done" } } } })
await hooks["experimental.session.compacting"]({ sessionID: "ses" }, { context: [] })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses" } } })
seen.push(await system("ses"))
await hooks.event({ event: { type: "session.unheard", properties: {} } })
await hooks.event({ event: { type: "session.created", properties: {} } })
await hooks["chat.message"]({}, {})
await hooks["tool.execute.after"]({ sessionID: "ses" }, {})
await hooks.dispose()
console.log(JSON.stringify(seen))
"""


HANGS = "sleep 3"


def play(tmp_path: Path, hook: str | None, script: str = SESSION) -> subprocess.CompletedProcess[str]:
    """Run a session against the plugin, which waits for an answer as long as it takes, and not long for a hook that hangs.

    hook: the shell script that replaces the hook; None: the hook does not exist
    """
    python, module = tmp_path / "it's python", tmp_path / "hook.py"
    module.write_text("")
    if hook is not None:
        python.write_text(f"#!/bin/sh\n{hook}\n")
        python.chmod(0o755)
    plugin = plugin_text(Program(str(python), str(module))).replace("MILLISECONDS = 5000", f"MILLISECONDS = {300 if hook == HANGS else 50_000}")
    (tmp_path / "session.mjs").write_text(plugin + script)
    environ = {**os.environ, "FOLDER": str(tmp_path), "CALLS": str(tmp_path / "calls")}
    return subprocess.run(["node", str(tmp_path / "session.mjs")], capture_output=True, text=True, env=environ, timeout=60)


@needs_node
def test_every_event_is_sent_and_every_answer_put_before_the_model(tmp_path):
    hook = """payload=$(cat); printf '%s\\n' "$payload" >> "$CALLS"; name=$(printf '%s' "$payload" | sed 's/.*"hook_event_name":"\\([a-z_]*\\)".*/\\1/')
printf '{"text":"memory of %s"}' "$name" """
    done = play(tmp_path, hook)
    assert (done.returncode, done.stderr) == (0, "")
    first, output, again, after = json.loads(done.stdout)
    assert first == ["base", "memory of session_start", "memory of prompt"]
    assert output == "out\n\nmemory of tool_after"
    assert again == ["base", "memory of session_start", "memory of prompt", "memory of tool_after"]
    assert after == again, "nothing is given twice, so what was given stays"
    sent = [json.loads(line) for line in (tmp_path / "calls").read_text(encoding="utf-8").splitlines()]
    assert [(each["hook_event_name"], each.get("agent_type", "main")) for each in sent] == [
        ("session_start", "main"),
        ("prompt", "main"),
        ("tool_after", "main"),
        ("tool_after", "main"),
        ("subagent_start", "explore"),
        ("turn_end", "explore"),
        ("compact_before", "main"),
        ("turn_end", "main"),
        ("tool_after", "main"),
        ("session_end", "main"),
    ]
    assert all(each["memorybank"] == 1 and each["session_id"] == "ses" and each["cwd"] == str(tmp_path) for each in sent)
    assert sent[1]["prompt"] == "直して" and sent[1]["prompt_id"] == "msg1"
    assert sent[2]["exit_code"] == 3 and sent[2]["tool_input"] == {"command": "false"}
    assert sent[3]["error"] == "File not found" and sent[3]["duration_ms"] == 4
    assert sent[7]["last_assistant_message"] == "done"


@needs_node
@pytest.mark.parametrize(
    "hook",
    [
        None,
        "exit 2",
        "cat > /dev/null; echo no json",
        "cat > /dev/null; echo '[1]'",
        "cat > /dev/null; echo '{\"text\":7}'",
        "cat > /dev/null; echo null",
        "exec 0<&-; exit 0",
        "kill -9 $$",
        HANGS,
    ],
)
def test_whatever_the_hook_does_the_turn_goes_on_without_memory(tmp_path, hook):
    done = play(tmp_path, hook)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [["base"], "out", ["base"], ["base"]]


def test_the_portable_plugin_names_no_path_and_is_known_as_ours():
    portable = plugin_text(None)
    assert 'const COMMAND = ["memorybank", "hook"]' in portable and plugin_needs(portable) == []
    runs = Program('/a "b"/python', "/c/hook.py")
    text = plugin_text(runs)
    assert plugin_needs(text) == list(runs) and is_plugin(text) and is_plugin(portable)
    assert '["/a \\"b\\"/python", "-I", "-S", "/c/hook.py"]' in text
