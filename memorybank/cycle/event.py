"""Event: what the host of a coding agent reported, in the terms of this project. A dialect creates it; the router and the phases read it.

Texts are raw: nothing is redacted or cut before RECORD.
"""

from __future__ import annotations

__light__ = True

from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

SESSION_START = "session_start"
PROMPT = "prompt"
TOOL_BEFORE = "tool_before"
TOOL_AFTER = "tool_after"
SUBAGENT_START = "subagent_start"
TURN_END = "turn_end"
COMPACT_BEFORE = "compact_before"
SESSION_END = "session_end"
NAMES = (SESSION_START, PROMPT, TOOL_BEFORE, TOOL_AFTER, SUBAGENT_START, TURN_END, COMPACT_BEFORE, SESSION_END)

CORRECTION = "correction"
"""The name of a log line that is not an event of a host: it gives the outcome of an event whose hook could not know it."""

SUCCESS = "success"
FAILURE = "failure"
PARTIAL = "partial"
UNKNOWN = "unknown"

READ = "Read"
"""The canonical name of the tool that reads a file."""
SEARCHES = ("Grep", "Glob")
"""The canonical names of the tools that search."""
WRITE = "Write"
"""The canonical name of the tool that writes an entire file."""
EDITS = ("Edit", WRITE, "MultiEdit", "NotebookEdit")
"""Those of the tools that change a file."""

MCP = "mcp__"
OWN_SERVER = "memorybank"
"""The name under which `hooks install` registers the MCP server; its tools are called `mcp__memorybank__search` and so on."""

MAIN = "main"
"""agent_id and agent_role of the agent that a person talks to."""


class Event(Value, frozen=False):
    """One canonical event. What the host did not report is None, or "" or an empty dict for attributes that are always texts or dicts.

    host: `claude-code` `codex` `gemini` `copilot` `cursor` `opencode`
    name: one of `NAMES`
    host_event: the host's own name of the event, needed for the reply
    session_id: the host's id, "" when it sent none
    agent_id, agent_role: `main`, or the sub-agent's id and type (`--agent` name)
    at: the host's own time in ms
    cwd, transcript_path: absolute paths as sent
    permission_mode: the host's term
    strong_id: the most specific id of this very event (tool call, prompt, turn); a transcript of the session holds the same one
    branch: the git branch in a transcript or history; None means that the repository must be asked
    source: beginning of a session (session_start): startup resume clear compact fork
    reason: of a session_end, why it ended; of a turn_end, `error` or `interrupted`; of a tool_after, `interrupted` when a person stopped or refused the
        call; of a compact_before, `manual` or `auto`
    prompt: the person's text without the hosts' wrappers
    human: False for prompts that a host writes itself
    tool: canonical name (Bash Write Edit NotebookEdit Read Grep Glob LS WebFetch WebSearch Agent Todo) or `mcp__server__tool`
    inputs: by canonical keys: command description file_path paths path pattern query url prompt content old_string new_string subagent_type, all texts
        except `paths` (list of texts); everything else is in `other` (dict)
    output: the complete output of the tool
    error: the tool's message when it failed
    status: success failure partial unknown, for tool_after and turn_end; None for others
    host_status: the status that the host reported for a shell command whose outcome was then read from its output (RECORD)
    last_message: the agent's last words (turn_end)
    open_work: number of background tasks still running
    remarks: (tool_use_id of the call before, or "", text) of what the agent wrote within the turn before its last words, from the host's transcript
    delivery: whether the host accepts memory in its answer to this very event
    asked: whether memory is asked for at this result of a call, because the host starts no process before such a call
    """

    host: str
    name: str
    session_id: str
    host_event: str = ""
    agent_id: str = MAIN
    agent_role: str = MAIN
    at: int | None = None
    cwd: str = ""
    transcript_path: str | None = None
    permission_mode: str | None = None
    strong_id: str | None = None
    source: str | None = None
    reason: str | None = None
    prompt: str | None = None
    human: bool = True
    tool: str | None = None
    tool_use_id: str | None = None
    inputs: Mapping[str, Any] = {}
    output: str | None = None
    error: str | None = None
    status: str | None = None
    exit_code: int | None = None
    interrupted: bool = False
    latency_ms: int | None = None
    tokens: int | None = None
    last_message: str | None = None
    open_work: int = 0
    delivery: bool = False
    branch: str | None = None
    remarks: Sequence[tuple[str, str]] = ()
    host_status: str | None = None
    asked: bool = False

    def fields(self) -> dict[str, Any]:
        """Return every attribute by name."""
        return {name: getattr(self, name) for name in self._fields}

    def __repr__(self) -> str:
        given = {name: value for name, value in self.fields().items() if value not in (None, "", False, {}, (), [], 0)}
        return f"Event({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    @property
    def asks_memory(self) -> bool:
        """Whether the tool belongs to memorybank's own MCP server, registered by itself or by its plugin. Such a call already gets its answer from memory."""
        server = self.tool[len(MCP) :].partition("__")[0] if self.tool is not None and self.tool.startswith(MCP) else ""
        return server == OWN_SERVER or server.endswith(f"_{OWN_SERVER}")
