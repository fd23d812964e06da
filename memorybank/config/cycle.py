"""`cycle_config.json`: what hooks record, how the record is organised, when memory is put before an agent, and how much of it."""

from __future__ import annotations

__light__ = True

from memorybank.config.group import Group
from memorybank.config.keys import MAX_DAYS, Fault, choice, number, switch, table, whole, words

MAX_BUDGET = 9_500
"""Maximum number of UTF-16 units that one hook may pass to a host; the strictest host truncates at 10,000."""
WEIGHT_TOLERANCE = 0.001
_MAX_MS = 10_000


class Memory(Group):
    """The switches of the resident summary (Resident summary ticket, section on settings)."""

    enabled: bool = switch(True, "false: the resident summary is off, as it is in a file that has no `memory` at all.")
    inject_summary: bool = switch(True, "false: `summary.md` is kept and shown, and not put before an agent.")


class Phases(Group):
    record: bool = switch(True, "false: hooks write nothing to the event log.")
    organize: bool = switch(True, "false: hooks fold nothing and write no summaries; commands still do when asked.")
    recall: bool = switch(True, "false: hooks put nothing before an agent, the resident summary included.")
    improve: bool = switch(True, "false: nothing is learned at the end of a session; what was learned stays in force (`memorybank policy`).")


class Record(Group):
    tool_before: bool = switch(True, "Intents are recorded too, not only results.")
    tools: tuple[str, ...] = words((), "Canonical tools whose calls are recorded (`Bash`, `Edit`, `mcp__…`); an empty list means all.")
    cut_characters: int = whole(2000, "Longest stored input or output, in characters; a keyed hash of the whole is kept.", minimum=100, maximum=20_000)
    text_days: int = whole(
        0,
        "Days after which `memorybank maintain` blanks whole prompts, closing messages and remarks in the event logs; 0 keeps them for ever.",
        minimum=0,
        maximum=MAX_DAYS,
    )
    durability: str = choice("turn", "When lines are synced to the disk: at the end of a turn and of a session, or at every event.", ("turn", "event"))


class RecallEvents(Group):
    session_start: bool = switch(True, "Memory at the start of a session.")
    prompt: bool = switch(True, "Memory for a prompt.")
    tool_before: bool = switch(True, "Memory for a tool call; hosts that take none there get it with the result.")
    failure: bool = switch(True, "What makes a call work that failed, and what others said after failures like it.")
    subagent_start: bool = switch(True, "Memory for a sub-agent's role.")


class RecallWeights(Group):
    importance: float = number(0.4, "Share of the memory's importance.", minimum=0, maximum=1)
    recency: float = number(0.3, "Share of its age; it halves every seven days.", minimum=0, maximum=1)
    role_fit: float = number(0.2, "Share of the fit between its agent role and the reader's.", minimum=0, maximum=1)
    outcome: float = number(0.1, "Share of what it contributed before. The four weights sum to 1.", minimum=0, maximum=1)


class RecallBoosts(Group):
    same_task: float = number(0.2, "Added when task or agent are the same.", minimum=0, maximum=1)
    recent_failure: float = number(0.3, "Added for a failure of the same tool or file in this session or the last 24 hours.", minimum=0, maximum=1)
    success_pattern: float = number(0.15, "Added when the same command or edit succeeded.", minimum=0, maximum=1)
    context_match: float = number(0.5, "Added in full when every term of the query is in the memory, in part otherwise.", minimum=0, maximum=1)


class Recall(Group):
    enabled: RecallEvents = RecallEvents()
    min_match: float = number(0.25, "Least share of the query's terms (by rarity) that a memory without a shared anchor must hold.", minimum=0, maximum=1)
    min_score: float = number(0.3, "Least score of a memory that is shown.", minimum=0, maximum=1)
    top_k: int = whole(5, "Most memories at one event.", minimum=1, maximum=20)
    weights: RecallWeights = RecallWeights()
    boosts: RecallBoosts = RecallBoosts()


class Budgets(Group):
    session_start: int = whole(9500, "UTF-16 units put before an agent at the start of a session, everything included.", minimum=0, maximum=MAX_BUDGET)
    resident: int = whole(4500, "Share of the resident summary; what it leaves is for the others.", minimum=0, maximum=MAX_BUDGET)
    episodes: int = whole(
        1500, "Most units of episodes at the start of a session; 0 tells none. What is left is for the others.", minimum=0, maximum=MAX_BUDGET
    )
    last_session: int = whole(2000, "Share of what came of the last sessions.", minimum=0, maximum=MAX_BUDGET)
    prompt: int = whole(2000, "Units at a prompt.", minimum=0, maximum=MAX_BUDGET)
    tool: int = whole(1200, "Units at a tool call.", minimum=0, maximum=MAX_BUDGET)
    failure: int = whole(1200, "Units at a failed call.", minimum=0, maximum=MAX_BUDGET)
    subagent: int = whole(2000, "Units at the start of a sub-agent.", minimum=0, maximum=MAX_BUDGET)
    session_tokens: int = whole(
        1500, "Most tokens of memories in one session, the resident summary not counted; 0 sets no limit.", minimum=0, maximum=1_000_000
    )


class EventImportance(Group):
    outcome: float = number(0.25, "Share of the outcome: failures 1, successes 0.8, partial 0.7, unknown 0.5.", minimum=0, maximum=1)
    reuse: float = number(0.2, "Share of how often it was recalled and used.", minimum=0, maximum=1)
    cross_impact: float = number(0.2, "Share of the agents, tasks and files that have it in common.", minimum=0, maximum=1)
    novelty: float = number(0.15, "Share of how unlike the last 200 events of its session it was.", minimum=0, maximum=1)
    user_signal: float = number(0.15, "Share of what the person said about it.", minimum=0, maximum=1)
    cost: float = number(0.05, "Share of its cost against the median of its tool. The six weights sum to 1.", minimum=0, maximum=1)


class Organize(Group):
    bundle_minutes: int = whole(10, "Events of one fingerprint within so many minutes are one group with a count.", minimum=0, maximum=1440)
    hot_days: int = whole(7, "Days of which a session starts with the results of several sessions.", minimum=0, maximum=MAX_DAYS)
    warm_days: int = whole(30, "Days of which it starts with the last one's; at least `hot_days`.", minimum=0, maximum=MAX_DAYS)
    idle_minutes: int = whole(30, "A session without an event for so long is finished without its end.", minimum=1, maximum=10_080)


class Deadlines(Group):
    process: int = whole(3000, "A hook ends by itself so long after its start, with nothing more printed.", minimum=100, maximum=_MAX_MS)
    session_end: int = whole(1200, "At the end of a session no step of organizing begins later than this; the rest waits.", minimum=0, maximum=_MAX_MS)
    outbox_session_start: int = whole(200, "Time for what other sessions left, before the start of a session is answered.", minimum=0, maximum=_MAX_MS)
    outbox_turn_end: int = whole(500, "Time for finished sessions at the end of a turn.", minimum=0, maximum=_MAX_MS)


class Policy(Group):
    pin: tuple[str, ...] = words((), "Keys of `memorybank policy show` that nothing moves: `top_k`, `recall_weights`, `exclusions` and so on.")


class CycleSettings(Group):
    memory: Memory = Memory()
    phases: Phases = Phases()
    record: Record = Record()
    roles: dict[str, str] = table('Other names of agent roles: `{"conductor": "main"}` takes the events of a conductor for those of the main agent.')
    task_patterns: tuple[str, ...] = words((), "Ticket keys in a prompt that name the task, `#` for a number: `ABC-#`. Without one, the branch does.")
    privacy_rules: tuple[str, ...] = words((".env*", "**/secrets/**", "*.pem"), "Paths whose events only their own session and agent may see again.")
    private_tools: tuple[str, ...] = words((), "Tools whose events only their own session and agent may see again.")
    subagent_lessons: str = choice(
        "public", "Who may see what a sub-agent learned from a failure: everybody, its role, itself.", ("public", "agent-only", "private")
    )
    timed_release: bool = switch(True, "What is private by default opens to its role after 7 days and to all after 30; rules above never open.")
    recall: Recall = Recall()
    budgets: Budgets = Budgets()
    event_importance: EventImportance = EventImportance()
    policy: Policy = Policy()
    organize: Organize = Organize()
    session_notes: bool = switch(True, "A finished session writes one note into `active/sync/sessions/`; it is committed like any other.")
    learned_notes: bool = switch(True, "What sessions proved stands as small notes in `active/learned/`; false: no note is written, what is known stays.")
    session_episodes: bool = switch(
        True, "Hooks also tell the finished days of sessions that ended as episodes, by rules alone; they are committed like any other."
    )
    maintain_at_session_end: bool = switch(False, "The end of a session also rotates, at most 10 notes.")
    deadlines_ms: Deadlines = Deadlines()

    @classmethod
    def completed(cls, values: dict[str, object]) -> dict[str, object]:
        """Switch the memory section off in a file without `memory` (Resident summary ticket: only a section that is present counts)."""
        return values if "memory" in values else {**values, "memory": {"enabled": False}}


def contradictions(settings: CycleSettings) -> list[Fault]:
    """Check the rules between keys: weights sum to 1, and the hot days are at most the warm days."""
    found = []
    groups: tuple[tuple[tuple[str, ...], Group], ...] = ((("recall", "weights"), settings.recall.weights), (("event_importance",), settings.event_importance))
    for path, weights in groups:
        total = sum(value for _, value in weights.items())
        if abs(total - 1) > WEIGHT_TOLERANCE + 1e-12:
            found.append(Fault("config_weights", path, f"the weights of {', '.join(weights.keys)} sum to {total:g}, not to 1"))
    organize = settings.organize
    if organize.hot_days > organize.warm_days:
        message = f"hot_days ({organize.hot_days}) must be at most warm_days ({organize.warm_days})"
        found.append(Fault("config_range", ("organize",), message))
    return found
