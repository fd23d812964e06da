"""`cycle_config.json`: what hooks record, how the record is organised, when memories are shown to an agent, and how much of them.

`load` reads it as a hook does: one small file, at every event.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.group import MAX_FILE_BYTES, SettingsGroup, merge, replaced, reset
from memorybank.config.keys import SettingFault, choice, days, share, switch, table, weights_fault, whole, words
from memorybank.errors import MemorybankError, NewerFormat
from memorybank.storage import disk, jsontext, versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memorybank.storage.layout import Layout

FILE = "config/cycle_config.json"
"""Path of the file relative to the bank."""
MAX_BUDGET = 9_500
"""Maximum number of UTF-16 units that one hook may pass to a host; the strictest host truncates at 10,000."""
_MAX_MS = 10_000


def _units(default: int, meaning: str) -> Any:
    return whole(default, meaning, minimum=0, maximum=MAX_BUDGET)


def _milliseconds(default: int, meaning: str) -> Any:
    return whole(default, meaning, minimum=0, maximum=_MAX_MS)


class ResidentSummarySettings(SettingsGroup):
    """The switches of the resident summary (Resident summary ticket, section on settings)."""

    enabled: bool = switch(True, "false: the resident summary is off, as it is if the file has no `memory` section.")
    inject_summary: bool = switch(True, "false: `summary.md` is kept and can be displayed, but is not shown to agents.")


class PhaseSwitches(SettingsGroup):
    record: bool = switch(True, "false: hooks write nothing to the event log.")
    organize: bool = switch(True, "false: hooks neither fold events nor write summaries; commands still do.")
    recall: bool = switch(True, "false: hooks show nothing to an agent, not even the resident summary.")
    improve: bool = switch(True, "false: nothing is learned at the end of a session; earlier learning stays in force (`memorybank policy`).")


class RecordSettings(SettingsGroup):
    tool_before: bool = switch(True, "Record intents of tool calls, not only results.")
    tools: tuple[str, ...] = words((), "Canonical names of the tools whose calls are recorded (`Bash`, `Edit`, `mcp__…`); an empty list means all.")
    cut_characters: int = whole(
        2000, "Maximum length of a stored input or output in characters; a keyed hash of the complete text is kept.", minimum=100, maximum=20_000
    )
    text_days: int = days(
        0, "Days after which `memorybank maintain` blanks complete prompts, closing messages and remarks in the event logs; 0 keeps them forever."
    )
    compress_days: int = days(
        31, "Days without a new event after which `memorybank maintain` compresses the event log of a session, without loss; 0 compresses none."
    )
    durability: str = choice("turn", "When log lines are synced to the disk: at the end of each turn and session, or at every event.", ("turn", "event"))


class RecallEvents(SettingsGroup):
    session_start: bool = switch(True, "Show memory at the start of a session.")
    prompt: bool = switch(True, "Show memory for a prompt.")
    tool_before: bool = switch(True, "Show memory for a tool call; hosts that do not support this receive it with the result.")
    failure: bool = switch(True, "After a failed call, show what made such a call work, and what was said after similar failures.")
    subagent_start: bool = switch(True, "Show memory for a sub-agent's role.")


class RecallWeights(SettingsGroup):
    importance: float = share(0.4, "Share of the memory's importance.")
    recency: float = share(0.3, "Share of the memory's age; it halves every seven days.")
    role_fit: float = share(0.2, "Share of the fit between the memory's agent role and the reader's.")
    outcome: float = share(0.1, "Share of the memory's earlier contribution. The four weights sum to 1.")


class RecallBoosts(SettingsGroup):
    same_task: float = share(0.2, "Added when the task or the agent is the same.")
    recent_failure: float = share(0.3, "Added for a failure of the same tool or file in this session or the last 24 hours.")
    success_pattern: float = share(0.15, "Added when the same command or edit succeeded.")
    context_match: float = share(0.5, "Added in full when the memory contains every term of the query, in part otherwise.")


class RecallSettings(SettingsGroup):
    enabled: RecallEvents = RecallEvents()
    min_match: float = share(0.25, "Minimum share of the query's terms (weighted by rarity) that a memory without a shared anchor must contain.")
    min_score: float = share(0.3, "Minimum score of a memory that is shown.")
    top_k: int = whole(5, "Maximum number of memories at one event.", minimum=1, maximum=20)
    weights: RecallWeights = RecallWeights()
    boosts: RecallBoosts = RecallBoosts()


class Budgets(SettingsGroup):
    session_start: int = _units(9500, "Maximum UTF-16 units shown to an agent at the start of a session, in total.")
    resident: int = _units(4500, "Maximum units of the resident summary; what it does not use is available to the others.")
    episodes: int = _units(1500, "Maximum units of episodes at the start of a session, 0 for none; what they do not use is available to the others.")
    personal: int = _units(800, "Maximum units of the rules of a [personal bank](personal.md) at the start of a session; 0: nothing of it is ever shown here.")
    team: int = _units(
        800,
        "Maximum units of the [rules of an organisation](teams.md#a-server-for-the-team) at the start of a session; 0: nothing that others shared is shown.",
    )
    last_session: int = _units(2000, "Maximum units for the result of earlier work that a prompt continues, 0 for none.")
    prompt: int = _units(2000, "Maximum units at a prompt.")
    tool: int = _units(1200, "Maximum units at a tool call.")
    failure: int = _units(1200, "Maximum units at a failed call.")
    subagent: int = _units(2000, "Maximum units at the start of a sub-agent.")
    session_tokens: int = whole(1500, "Maximum tokens of memories in one session, without the resident summary; 0 sets no limit.", minimum=0, maximum=1_000_000)


class EventImportance(SettingsGroup):
    outcome: float = share(0.25, "Share of the outcome: failures 1, successes 0.8, partial 0.7, unknown 0.5.")
    reuse: float = share(0.2, "Share of how often the event was recalled and used.")
    cross_impact: float = share(0.2, "Share of how many agents, tasks and files have the event in common.")
    novelty: float = share(0.15, "Share of how different the event was from the last 200 of its session.")
    user_signal: float = share(0.15, "Share of what the person said about the event.")
    cost: float = share(0.05, "Share of the event's cost relative to an ordinary call. The six weights sum to 1.")


class OrganizeSettings(SettingsGroup):
    warm_days: int = days(30, "Age in days up to which a prompt can continue the work of the last session.")
    idle_minutes: int = whole(30, "Minutes without an event after which a session is finished although its end was not reported.", minimum=1, maximum=10_080)


class Deadlines(SettingsGroup):
    process: int = whole(3000, "Time after which a hook ends itself without printing anything more.", minimum=100, maximum=_MAX_MS)
    session_end: int = _milliseconds(1200, "Time after which, at the end of a session, no further organizing step starts; the rest waits.")
    outbox_session_start: int = _milliseconds(200, "Time for the unfinished work of other sessions before the start of a session is answered.")
    outbox_turn_end: int = _milliseconds(500, "Time for finished sessions at the end of a turn.")


class PolicySettings(SettingsGroup):
    pin: tuple[str, ...] = words((), "Keys of `memorybank policy show` that learning must not change: `top_k`, `recall_weights`, `exclusions` and so on.")


class CycleSettings(SettingsGroup):
    """All settings of the memory cycle."""

    memory: ResidentSummarySettings = ResidentSummarySettings()
    phases: PhaseSwitches = PhaseSwitches()
    record: RecordSettings = RecordSettings()
    roles: dict[str, str] = table('Other names of agent roles: `{"conductor": "main"}` treats the events of a conductor as those of the main agent.')
    task_patterns: tuple[str, ...] = words(
        (), "Ticket keys in a prompt that identify the task, with `#` for a number: `ABC-#`. Without one, the branch identifies it."
    )
    privacy_rules: tuple[str, ...] = words(
        (".env*", "**/secrets/**", "*.pem"), "Paths whose events are shown only to the session and agent that they come from."
    )
    private_tools: tuple[str, ...] = words((), "Tools whose events are shown only to the session and agent that they come from.")
    subagent_lessons: str = choice(
        "public", "Who may see what a sub-agent learned from a failure: everybody, its role, or itself.", ("public", "agent-only", "private")
    )
    timed_release: bool = switch(
        True, "Memories that are private by default become visible to their role after 7 days and to all after 30; those private by the rules above never do."
    )
    recall: RecallSettings = RecallSettings()
    budgets: Budgets = Budgets()
    event_importance: EventImportance = EventImportance()
    policy: PolicySettings = PolicySettings()
    organize: OrganizeSettings = OrganizeSettings()
    session_notes: bool = switch(True, "Write a note about each finished session to `active/sync/sessions/`; it is committed like any other note.")
    learned_notes: bool = switch(
        True, "Write what sessions proved as small notes to `active/learned/`; false: no notes are written, and what is known remains available."
    )
    session_episodes: bool = switch(
        True, "Let hooks write episodes about the finished days of ended sessions, by rules alone; they are committed like any other."
    )
    maintain_at_session_end: bool = switch(False, "Also run maintenance at the end of a session; it archives at most 10 notes, by `rotation.unattended`.")
    deadlines_ms: Deadlines = Deadlines()

    @classmethod
    def completed(cls, values: dict[str, object]) -> dict[str, object]:
        """Switch the memory section off in a file without `memory` (Resident summary ticket: only a section that is present counts)."""
        return values if "memory" in values else {**values, "memory": {"enabled": False}}


DEFAULTS = CycleSettings()
OFF = CycleSettings(phases=PhaseSwitches(record=False, organize=False, recall=False, improve=False))
"""The settings for a file that cannot be parsed: everything is off, because the file may have switched recording off."""


def contradictions(settings: CycleSettings) -> list[SettingFault]:
    """Check the rule between keys: weights sum to 1."""
    weights = (
        weights_fault(("recall", "weights"), settings.recall.weights.to_json()),
        weights_fault(("event_importance",), settings.event_importance.to_json()),
    )
    return [fault for fault in weights if fault is not None]


def cautious(settings: CycleSettings) -> CycleSettings:
    """Return the defaults, restricted where these settings show agents less: phases and moments switched off, more private paths and tools.

    For settings that came with a repository and that no person has accepted yet.
    """
    moments = {name: value and getattr(DEFAULTS.recall.enabled, name) for name, value in settings.recall.enabled.items()}
    return replaced(
        DEFAULTS,
        phases=settings.phases,
        memory=settings.memory,
        privacy_rules=tuple(dict.fromkeys((*DEFAULTS.privacy_rules, *settings.privacy_rules))),
        private_tools=settings.private_tools,
        timed_release=settings.timed_release and DEFAULTS.timed_release,
        recall=replaced(DEFAULTS.recall, enabled=replaced(DEFAULTS.recall.enabled, **moments)),
        budgets=replaced(
            DEFAULTS.budgets,
            personal=min(settings.budgets.personal, DEFAULTS.budgets.personal),
            team=min(settings.budgets.team, DEFAULTS.budgets.team),
        ),
        learned_notes=settings.learned_notes,
        session_notes=settings.session_notes,
    )


def load(layout: Layout) -> tuple[CycleSettings, list[SettingFault]]:
    """Return (the effective settings, the faults of the file). Never raises: a hook continues with what it could read.

    Without a file the defaults apply. A faulty key, and weights that do not sum to 1, get their defaults. If the file is not a JSON
    object, or a newer memorybank wrote it, all phases are off until somebody fixes it or upgrades; `memorybank config validate` reports the line.
    """
    try:
        values = jsontext.decode(disk.read(f"{layout.root}/{FILE}", MAX_FILE_BYTES))
    except FileNotFoundError:
        return DEFAULTS, []
    except MemorybankError as error:
        return OFF, [SettingFault("config_unreadable", (), f"cannot be read: {error.message}")]
    except ValueError as error:
        return OFF, [SettingFault("config_json", (), f"is not JSON: {error}")]
    if not isinstance(values, dict):
        return OFF, [SettingFault("config_json", (), "is not a JSON object")]
    faults: list[SettingFault] = []
    newer = versions.newer(values.get("version"))
    if newer:
        # It may restrict what is recorded or shown in a way that is unknown here.
        return OFF, [SettingFault(NewerFormat.code, (), newer)]
    settings = merge(CycleSettings, values, faults)
    for fault in contradictions(settings):
        settings = reset(settings, fault.path)
        faults.append(fault)
    return settings, faults


def lacks_memory(layout: Layout) -> bool:
    """Return whether there is a readable file without a `memory` section, which switches resident memory off."""
    try:
        values = jsontext.decode(disk.read(f"{layout.root}/{FILE}", MAX_FILE_BYTES))
    except (OSError, MemorybankError, ValueError):
        return False
    return isinstance(values, dict) and "memory" not in values
