"""Event: what a coding agent's host reported, in this project's own words. A dialect makes it, the router and the phases read it.

Texts are raw: nothing is redacted or cut before RECORD does it.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
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
"""No event of a host: a line of the log that says how an event ended whose hook could not know."""

SUCCESS = "success"
FAILURE = "failure"
PARTIAL = "partial"
UNKNOWN = "unknown"

MCP = "mcp__"
OWN_SERVER = "memorybank"
"""Under this name `hooks install` registers the MCP server; a tool of it is `mcp__memorybank__search`."""

MAIN = "main"
"""agent_id and agent_role of the agent that a person talks to."""


class Event:
    """One canonical event. What the host did not say is None ("" or an empty dict where a text or dict is always there).

    host: `claude-code` `codex` `gemini` `copilot` `cursor` `opencode`; name: one of `NAMES`; host_event: the host's own name of it,
    for the reply alone.
    session_id: the host's, "" when it sent none; agent_id, agent_role: `main`, or the sub-agent's id and type (`--agent` name).
    at: the host's own time in ms; cwd, transcript_path: absolute paths as sent; permission_mode: the host's word.
    strong_id: the strongest id of this very event (tool call, prompt, turn), the one that a transcript of the session holds too.
    branch: the git branch that a transcript or history names; None: ask the repository.
    source: of a session_start (startup resume clear compact fork); reason: of a session_end why, of a turn_end `error` or
    `interrupted`, of a tool_after `interrupted` when a person stopped or refused it, of a compact_before `manual` or `auto`.
    prompt: the person's text without the hosts' wrappers; human: False for prompts that a host writes itself.
    tool: canonical name (Bash Write Edit NotebookEdit Read Grep Glob LS WebFetch WebSearch Agent Todo) or `mcp__server__tool`.
    inputs: canonical keys command description file_path paths path pattern query url prompt content old_string new_string
    subagent_type, all texts but `paths` (list of texts); what fits none is in `other` (dict).
    output: what the tool said, whole; error: its message when it failed; status: success failure partial unknown (tool_after and
    turn_end; None elsewhere); host_status: what the host said of a shell command whose outcome was read from its output (RECORD);
    exit_code; interrupted; latency_ms; tokens.
    last_message: the agent's last words (turn_end); open_work: background tasks still open.
    remarks: what the agent wrote within the turn before its last words: (tool_use_id of the call before it, "" for none; text), from
    the host's transcript.
    delivery: whether the host takes memory in its answer to this very event.
    """

    __slots__ = (
        "agent_id",
        "agent_role",
        "at",
        "branch",
        "cwd",
        "delivery",
        "error",
        "exit_code",
        "host",
        "host_event",
        "host_status",
        "human",
        "inputs",
        "interrupted",
        "last_message",
        "latency_ms",
        "name",
        "open_work",
        "output",
        "permission_mode",
        "prompt",
        "reason",
        "remarks",
        "session_id",
        "source",
        "status",
        "strong_id",
        "tokens",
        "tool",
        "tool_use_id",
        "transcript_path",
    )

    def __init__(
        self,
        *,
        host: str,
        name: str,
        session_id: str,
        host_event: str = "",
        agent_id: str = MAIN,
        agent_role: str = MAIN,
        at: int | None = None,
        cwd: str = "",
        transcript_path: str | None = None,
        permission_mode: str | None = None,
        strong_id: str | None = None,
        source: str | None = None,
        reason: str | None = None,
        prompt: str | None = None,
        human: bool = True,
        tool: str | None = None,
        tool_use_id: str | None = None,
        inputs: dict[str, Any] | None = None,
        output: str | None = None,
        error: str | None = None,
        status: str | None = None,
        exit_code: int | None = None,
        interrupted: bool = False,
        latency_ms: int | None = None,
        tokens: int | None = None,
        last_message: str | None = None,
        open_work: int = 0,
        delivery: bool = False,
        branch: str | None = None,
        remarks: list[tuple[str, str]] | None = None,
        host_status: str | None = None,
    ) -> None:
        self.host = host
        self.host_event = host_event
        self.name = name
        self.session_id = session_id
        self.agent_id = agent_id
        self.agent_role = agent_role
        self.at = at
        self.cwd = cwd
        self.transcript_path = transcript_path
        self.permission_mode = permission_mode
        self.strong_id = strong_id
        self.source = source
        self.reason = reason
        self.prompt = prompt
        self.human = human
        self.tool = tool
        self.tool_use_id = tool_use_id
        self.inputs: dict[str, Any] = {} if inputs is None else inputs
        self.output = output
        self.error = error
        self.status = status
        self.exit_code = exit_code
        self.interrupted = interrupted
        self.latency_ms = latency_ms
        self.tokens = tokens
        self.last_message = last_message
        self.open_work = open_work
        self.delivery = delivery
        self.branch = branch
        self.remarks: list[tuple[str, str]] = [] if remarks is None else remarks
        self.host_status = host_status

    def fields(self) -> dict[str, Any]:
        """Every field by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.fields() == other.fields()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = {name: value for name, value in self.fields().items() if value not in (None, "", False, {}, [], 0)}
        return f"Event({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    @property
    def asks_memory(self) -> bool:
        """Whether the tool is one of memorybank's own MCP server, registered by itself or by its plugin: what it is asked, it answers itself."""
        server = self.tool[len(MCP) :].partition("__")[0] if self.tool is not None and self.tool.startswith(MCP) else ""
        return server == OWN_SERVER or server.endswith(f"_{OWN_SERVER}")
