"""A bank in which hooks were at work: recorded payloads of real clients, and sessions that recall, played through the router as hooks do."""

import json
from pathlib import Path

CAPTURES = Path(__file__).resolve().parents[1] / "data" / "hosts"


def hooked(scratch, clock, *, of_clients: bool = True, **settings: object) -> None:
    """Play everything into a scratch bank, one second per event.

    of_clients: also the recorded payloads
    settings: values of `cycle_config.json` that differ from the defaults
    """
    from memorybank import Bank
    from memorybank.cycle.base import describe
    from memorybank.cycle.router import HookRouter
    from memorybank.hosts.detect import detect

    (scratch.root / "summary.md").write_text("---\nupdated_at: 2025-09-01T00:00:00Z\n---\n\nTea is brewed in `kettle.py`.\n", encoding="utf-8")
    scratch.configure("cycle", json.dumps({"memory": {}, "task_patterns": ["TEA-#"], **settings}))
    Bank.open(str(scratch.root), clock=clock).index.update()

    def play(payload: object, environ: dict[str, str]) -> None:
        clock.instant += 1_000
        dialect = detect(payload, environ, None)
        event = dialect.to_event(payload, environ, None) if dialect else None
        if event is None:
            return
        router = HookRouter(describe(scratch.layout, clock), dialect.delivers)
        router.answer(event)
        router.finish(event)

    for path in sorted(CAPTURES.glob("*.json")) if of_clients else ():
        recorded = json.loads(path.read_text(encoding="utf-8"))
        for hook in recorded.get("hooks", ()):
            play(hook["stdin"], hook["env"])
    for payload in tea_time(str(scratch.repository)):
        play(payload, {"CLAUDECODE": "1"})


def tea_time(folder: str) -> list[dict[str, object]]:
    """Three sessions about one file: a command that fails until another command ran (also in a sub-agent), a correction, a private file, background work."""
    said = ["TEA-7: brew the tea in kettle.py", "No, use the copper kettle instead. Always descale kettle.py first.", "お茶を淹れて。kettle.py を確認して。"]
    call = {"tool_name": "Bash", "tool_input": {"command": "python kettle.py --brew", "description": "brew"}, "duration_ms": 900}
    descale = {"tool_name": "Bash", "tool_input": {"command": "make descale", "description": "descale"}, "duration_ms": 300}
    cold = "Exit code 1\nKettleError: cold"
    edit = {"tool_name": "Edit", "tool_input": {"file_path": f"{folder}/kettle.py", "old_string": "cold", "new_string": "hot"}, "duration_ms": 4}
    hidden = {"tool_name": "Read", "tool_input": {"file_path": f"{folder}/.env"}, "duration_ms": 2}
    made: list[dict[str, object]] = []
    for session in ("tea-1", "tea-2", "tea-3"):
        common = {"session_id": session, "cwd": folder, "transcript_path": "/nowhere.jsonl", "permission_mode": "default"}
        made.append({**common, "hook_event_name": "SessionStart", "source": "startup"})
        for number, prompt in enumerate(said):
            made.append({**common, "hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": f"p{number}"})
            made.append({**common, "hook_event_name": "PreToolUse", **call, "tool_use_id": f"{number}a"})
            made.append({**common, "hook_event_name": "PostToolUseFailure", **call, "tool_use_id": f"{number}a", "error": cold})
            made.append({**common, "hook_event_name": "PostToolUse", **descale, "tool_use_id": f"{number}e", "tool_response": {"stdout": "ok", "stderr": ""}})
            helper = {"agent_id": f"{session}-helper", "agent_type": "Explore"}
            made.append({**common, "hook_event_name": "PostToolUseFailure", **helper, **call, "tool_use_id": f"{number}f", "error": cold})
            made.append({**common, "hook_event_name": "PostToolUse", **edit, "tool_use_id": f"{number}b", "tool_response": {"filePath": "kettle.py"}})
            made.append({**common, "hook_event_name": "PostToolUse", **hidden, "tool_use_id": f"{number}c", "tool_response": {"file": {"content": "x"}}})
            made.append({**common, "hook_event_name": "PostToolUse", **call, "tool_use_id": f"{number}d", "tool_response": {"stdout": "hot", "stderr": ""}})
            work = [{"id": "b1", "type": "shell", "status": "running"}]
            made.append({**common, "hook_event_name": "Stop", "last_assistant_message": "Brewed.", "stop_hook_active": False, "background_tasks": work})
        made.append({**common, "hook_event_name": "SessionEnd", "reason": "other"})
    return made
