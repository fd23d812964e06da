"""Detects the host that sent a payload: by the payload itself, then by the environment, then by the command line.

Hosts run each other's hooks (Copilot and Cursor run those of `.claude/settings.json`) and inherit each other's environment (a Codex
started in Claude Code's shell), so neither the registration nor a variable is as reliable as the payload. A wrong guess is harmless: the
dialects read the fields that they share, and a host ignores a reply in another host's form.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memorybank.hosts.dialect import Dialect

CLAUDE_CODE, CODEX, GEMINI, COPILOT, CURSOR, OPENCODE = HOSTS = ("claude-code", "codex", "gemini", "copilot", "cursor", "opencode")

_GEMINI_EVENTS = ("BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress")


def detect(payload: object, environ: Mapping[str, str], hint: str | None = None) -> Dialect | None:
    """Return the dialect of the host that sent `payload`, or None when it is not a JSON object. hint: `--host` of the command line."""
    if not isinstance(payload, dict):
        return None
    return dialect(_by_payload(payload) or _by_environment(payload, environ) or (hint if hint in HOSTS else None) or CLAUDE_CODE)


def dialect(host: str) -> Dialect:
    """Return the dialect of a host by its name."""
    if host == CODEX:
        from memorybank.hosts.codex import Codex

        return Codex()
    if host == GEMINI:
        from memorybank.hosts.gemini import Gemini

        return Gemini()
    if host == COPILOT:
        from memorybank.hosts.copilot import Copilot

        return Copilot()
    if host == CURSOR:
        from memorybank.hosts.cursor import Cursor

        return Cursor()
    if host == OPENCODE:
        from memorybank.hosts.opencode import OpenCode

        return OpenCode()
    from memorybank.hosts.claude_code import ClaudeCode

    return ClaudeCode()


def _by_payload(payload: dict[str, object]) -> str | None:
    """Return the host whose mark the payload has, or None. The order matters: a later mark is unique only after the earlier tests failed."""
    if "memorybank" in payload:
        return OPENCODE
    if "cursor_version" in payload or "conversation_id" in payload:
        return CURSOR
    if "sessionId" in payload:
        return COPILOT
    event = payload.get("hook_event_name")
    path = payload.get("transcript_path")
    transcript = path if isinstance(path, str) else ""
    if event in _GEMINI_EVENTS:
        return GEMINI
    if "timestamp" in payload:  # Claude Code and Codex do not send one; Copilot's transcript path is missing or below session-state
        return COPILOT if not transcript or "/session-state/" in transcript else GEMINI
    if "tool_result" in payload:
        return COPILOT
    if "prompt_id" in payload or "/projects/" in transcript:
        return CLAUDE_CODE
    if "turn_id" in payload and event != "MessageDisplay":
        return CODEX
    if "/sessions/" in transcript and "/rollout-" in transcript:
        return CODEX
    if "transcript_path" in payload and path is None:
        return CODEX
    return None


def _by_environment(payload: dict[str, object], environ: Mapping[str, str]) -> str | None:
    """Return the host that the environment suggests. A variable with this session's id proves it; a variable that is merely set does not,
    but is better than nothing.

    CLAUDECODE and CLAUDE_PROJECT_DIR are ignored, because other hosts set them too.
    """
    session = payload.get("session_id")
    if isinstance(session, str) and session:
        if environ.get("CLAUDE_CODE_SESSION_ID") == session:
            return CLAUDE_CODE
        if environ.get("GEMINI_SESSION_ID") == session:
            return GEMINI
    if environ.get("COPILOT_CLI") == "1" and "CLAUDE_CODE_SESSION_ID" not in environ:
        return COPILOT
    return None
