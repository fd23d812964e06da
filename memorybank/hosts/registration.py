"""The table of registrations for each host: which events, in which file, with what time limit, and what a person must know.

Installing, the Claude Code plugin, `hooks status` and docs/hosts.md all use this table. Sources: measurements of the real clients and
their own documentation (docs/hosts.md names both).
"""

from __future__ import annotations

from memorybank.cycle import event as events
from memorybank.hosts import detect
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.hosts.codex import Codex
from memorybank.hosts.copilot import Copilot
from memorybank.hosts.cursor import Cursor
from memorybank.hosts.dialect import Dialect
from memorybank.hosts.gemini import Gemini
from memorybank.hosts.opencode import OpenCode
from memorybank.values import NamedTuple

LOCAL, PROJECT, USER = SCOPES = ("local", "project", "user")

_ACTIONS = "^(Bash|Write|Edit|MultiEdit|NotebookEdit|Agent|Task|WebFetch|WebSearch|mcp__.+)$"
"""Claude Code's tools before which memory is recalled: those that act. For reading and searching, no process is started."""
_SECONDS = 10
_CODEX_ACTIONS = "^(Bash|apply_patch|Edit|Write|mcp__.+)$"


class RegisteredEvent(NamedTuple):
    """One registered event.

    event: the host's name
    canonical: memorybank's name
    seconds: its time limit
    matcher: pattern of tool names
    notifies: whether the host shows the message of a hook to the person
    """

    event: str
    canonical: str
    seconds: int
    matcher: str | None
    notifies: bool


class SettingsFile(NamedTuple):
    """The settings file of a scope.

    path: relative to the project, or to the home folder below
    variable: environment variable that names the folder to use instead of `home_folder`
    home_folder: folder below the person's home; "" for a file of the project
    own: whether the file contains only memorybank's registration
    """

    path: str
    variable: str = ""
    home_folder: str = ""
    own: bool = False

    @property
    def in_home(self) -> bool:
        return bool(self.home_folder)


class Registration(NamedTuple):
    """The registration with one host.

    files: {scope: its file}
    asks: the steps that a person must still take after installing
    lacks: {event: why memory is not delivered there}
    nested: whether entries are in groups `{matcher, hooks: […]}`; otherwise the list is flat
    time_key, time_unit: name of the time limit, and how many of its units are one second
    command_key: name of the command
    entry, head: constant fields of an entry, and of the file
    names_event: whether the command must name the event, because the payload does not
    """

    host: str
    title: str
    files: dict[str, SettingsFile]
    events: tuple[RegisteredEvent, ...]
    asks: tuple[str, ...]
    lacks: dict[str, str]
    nested: bool = True
    time_key: str = "timeout"
    time_unit: int = 1
    command_key: str = "command"
    entry: tuple[tuple[str, str], ...] = (("type", "command"),)
    head: tuple[tuple[str, int], ...] = ()
    names_event: bool = False


def _registered(dialect: type[Dialect], names: str, *, seconds: dict[str, int], matchers: dict[str, str] | None = None) -> tuple[RegisteredEvent, ...]:
    """Return the registered events of a host.

    names: the host's own names of its events, separated by spaces, in the order of the file
    seconds: {event: time limit}, where it is not the usual one
    matchers: {event: pattern of tool names}
    """
    limits, patterns = seconds, matchers or {}
    return tuple(
        RegisteredEvent(name, dialect.events[name], limits.get(name, _SECONDS), patterns.get(name), name in dialect.notifies) for name in names.split()
    )


_CLAUDE_CODE = Registration(
    host=detect.CLAUDE_CODE,
    title="Claude Code",
    files={
        LOCAL: SettingsFile(".claude/settings.local.json"),
        PROJECT: SettingsFile(".claude/settings.json"),
        USER: SettingsFile("settings.json", variable="CLAUDE_CONFIG_DIR", home_folder=".claude"),
    },
    events=_registered(
        ClaudeCode,
        "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop Stop StopFailure PreCompact SessionEnd",
        seconds={"SessionEnd": 5},
        matchers={"PreToolUse": _ACTIONS},
    ),
    asks=("Interactive sessions run hooks only in a folder that you trust; Claude Code asks once when it starts. 'claude -p' runs them without asking.",),
    lacks={},
)

_CODEX = Registration(
    host=detect.CODEX,
    title="Codex CLI",
    files={PROJECT: SettingsFile(".codex/hooks.json"), USER: SettingsFile("hooks.json", variable="CODEX_HOME", home_folder=".codex")},
    events=_registered(
        Codex,
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart SubagentStop Stop Interrupt PreCompact SessionEnd",
        seconds={"Interrupt": 3, "SessionEnd": 3},
        matchers={"PreToolUse": _CODEX_ACTIONS},
    ),
    asks=("Codex silently skips new and changed hooks until you trust them. Type /hooks in Codex once, and again after every 'hooks install'.",),
    lacks={"failure": "Codex does not report whether a command failed, so results are recorded as unknown"},
)

_GEMINI = Registration(
    host=detect.GEMINI,
    title="Gemini CLI",
    files={PROJECT: SettingsFile(".gemini/settings.json"), USER: SettingsFile("settings.json", home_folder=".gemini")},
    events=_registered(
        Gemini,
        "SessionStart BeforeAgent AfterTool AfterAgent SessionEnd",
        seconds={"SessionEnd": 5},
        matchers={"AfterTool": "*"},
    ),
    asks=("Gemini CLI warns once about a project's new or changed hooks, which it recognises by a fingerprint: read and accept them.",),
    lacks={
        events.TOOL_BEFORE: "Gemini CLI accepts no memory before a tool call; memory comes with the tool's result",
        events.SUBAGENT_START: "Gemini CLI has no event for sub-agents",
    },
    time_unit=1000,
    entry=(("type", "command"), ("name", "memorybank")),
)

_COPILOT = Registration(
    host=detect.COPILOT,
    title="Copilot CLI",
    files={
        LOCAL: SettingsFile(".github/copilot/settings.local.json"),
        PROJECT: SettingsFile(".github/hooks/memorybank.json", own=True),
        USER: SettingsFile("hooks/memorybank.json", variable="COPILOT_HOME", home_folder=".copilot", own=True),
    },
    events=_registered(
        Copilot,
        "sessionStart userPromptSubmitted postToolUse postToolUseFailure subagentStart subagentStop agentStop preCompact sessionEnd",
        seconds={"sessionEnd": 5},
    ),
    asks=(
        "Copilot CLI runs a repository's hooks only in a folder that you trust. It asks when it starts; without a terminal, pass --trust-folder.",
        "Copilot CLI also runs the hooks of .claude/settings.json and .claude/settings.local.json. An event registered twice is recorded once.",
    ),
    lacks={
        events.TOOL_BEFORE: "preToolUse is not registered, because a hook that fails there denies the tool; memory comes with the tool's result",
        "failure": "Copilot CLI accepts no memory with the result of a failed tool",
    },
    nested=False,
    time_key="timeoutSec",
    command_key="bash",
    head=(("version", 1),),
    names_event=True,
)

_CURSOR = Registration(
    host=detect.CURSOR,
    title="Cursor",
    files={PROJECT: SettingsFile(".cursor/hooks.json"), USER: SettingsFile("hooks.json", home_folder=".cursor")},
    events=_registered(
        Cursor,
        "sessionStart beforeSubmitPrompt postToolUse postToolUseFailure subagentStop stop preCompact sessionEnd",
        seconds={"sessionEnd": 5},
    ),
    asks=("Restart Cursor, and check Settings, Hooks. This integration follows Cursor's documentation and has not been tested with Cursor.",),
    lacks={
        events.PROMPT: "Cursor documents no way to add memory to a prompt",
        events.TOOL_BEFORE: "Cursor accepts no memory before a tool call; memory comes with the tool's result",
        events.SUBAGENT_START: "Cursor accepts no memory for a sub-agent",
        "failure": "Cursor accepts no memory with the result of a failed tool",
    },
    nested=False,
    entry=(),
    head=(("version", 1),),
)

_OPENCODE = Registration(
    host=detect.OPENCODE,
    title="opencode",
    files={
        PROJECT: SettingsFile(".opencode/plugins/memorybank.js", own=True),
        USER: SettingsFile("opencode/plugins/memorybank.js", variable="XDG_CONFIG_HOME", home_folder=".config", own=True),
    },
    events=_registered(
        OpenCode,
        "session_start prompt tool_after subagent_start turn_end compact_before session_end",
        seconds={"session_end": 5},
    ),
    asks=("opencode downloads @opencode-ai/plugin from npm when it first starts with a plugin folder. The plugin is for opencode 1.x; 2.x does not run it.",),
    lacks={events.TOOL_BEFORE: "opencode accepts no memory before a tool call; memory comes with the tool's result"},
)

TABLE = {each.host: each for each in (_CLAUDE_CODE, _CODEX, _GEMINI, _COPILOT, _CURSOR, _OPENCODE)}

SESSION_NOTES = (
    "When a session ends, memorybank writes a short note about it to active/sync/sessions/, and lessons that several sessions confirmed to active/learned/. "
    "Like all notes, they are meant to be committed. To switch this off, set 'session_notes' and 'learned_notes' to false in config/cycle_config.json."
)


def default_scope(host: str) -> str:
    """Return the scope for a host when none is given: one that stays on this machine, otherwise the project's."""
    return LOCAL if LOCAL in TABLE[host].files else PROJECT
