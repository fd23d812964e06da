"""What a context (session × agent × epoch) has said and been shown so far, and how many tokens its session may still be shown.

The last 64 kB of a session's log are nearly always enough. For everything earlier, the rest is read from the cycle's cache.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.cycle.event import MAIN, SESSION_START
from memorybank.cycle.recall.query import Past
from memorybank.injection import UNITS, size_of, tokens_of
from memorybank.log import lines
from memorybank.storage.answering import answer
from memorybank.text.untrusted.fence import strip
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

    from memorybank.cycle.event import Event
    from memorybank.injection import InjectedMemory

_PROMPTS_KEPT = 2
_UNLIMITED = 1 << 40
_LEAST_TOKENS = 12
"""Every memory takes at least this many tokens: its source and its date alone take more."""
_OPENING = ("startup", "clear", "compact", "fork")
_NEW_LINES = (b'"event":"prompt"', b'"event":"session_start"', b'"tool":"Agent"')
_EXPOSURES = b'"event":"exposure"'
_RESIDENT = b'"event":"resident_exposure"'
_TURN_END = b'"event":"turn_end"'


class Context(Value, frozen=False):
    """The state of one context.

    shown: ids of the memories that it was shown in this epoch.
    epoch: of the last line in its log. began: when that epoch began (ms); 0 when that line is further back than what was read.
    resident: digest of the resident summary that it was shown last.
    """

    session: str
    agent: str
    role: str
    shown: set[str]
    past: Past = Past()
    epoch: int = 0
    began: int = 0
    resident: str | None = None


def read(data: bytes, event: Event, role: str, connection: Connection | None) -> Context:
    """Return the context of an event. data: the end of the session's log; connection: the cycle's cache, for what is further back"""
    context = Context(event.session_id, event.agent_id, role, set())
    prompts: list[str] = []
    task, delegated = None, ""
    first = True
    for raw in _newest_first(data):
        # Decoding JSON is what costs time here, so lines that cannot matter are recognised by their bytes.
        if not first and not any(part in raw for part in _NEW_LINES) and _EXPOSURES not in raw and _RESIDENT not in raw:
            continue
        fields = lines.decode(raw)
        if fields is None:
            continue
        if first:
            context.epoch = _integer(fields.get("epoch"))
            task = fields.get("task_id")
            first = False
        elif context.began and fields.get("epoch") != context.epoch:
            break  # the line belongs to the epoch before: everything of this one was read
        own = fields.get("agent_id") == event.agent_id
        if fields.get("epoch") == context.epoch and own:
            _collect(context, fields)
        name = fields.get("event")
        if name == "prompt" and own and fields.get("human") is not False and len(prompts) < _PROMPTS_KEPT:
            prompts.append(_text(fields, "text"))
        elif name == "tool_before" and fields.get("tool") == "Agent" and not delegated:
            delegated = _text(fields, "prompt") or _text(fields, "description")
        elif name == "session_start" and fields.get("source") in _OPENING and fields.get("epoch") == context.epoch:
            context.began = time_of.parse(str(fields.get("timestamp"))) or 0
    if not context.began and connection is not None and context.epoch:
        # The cache was folded up to some line; the end of the log has the rest.
        mine = (context.session, context.agent, context.epoch)
        rows = connection.execute("SELECT memory FROM exposures WHERE session = ? AND agent = ? AND epoch = ? AND shown = 1", mine)
        context.shown.update(row[0] for row in rows)
        if not prompts:
            prompts = [row[0] for row in connection.execute("SELECT prompt FROM contexts WHERE session = ? AND agent = ? AND epoch = ?", mine)]
    if event.agent_id != MAIN and delegated and not prompts:
        prompts.append(delegated)  # for a sub-agent, the task that the main agent gave it takes the place of a human prompt
    context.past = Past([prompt for prompt in map(strip, prompts) if prompt], task)
    return context


def last_message(data: bytes, agent: str) -> str:
    """Return the last message of an agent, according to these log lines; "" for none."""
    for raw in _newest_first(data):
        if _TURN_END in raw and (fields := lines.decode(raw)) is not None and fields.get("agent_id") == agent:
            outputs = fields.get("outputs")
            said = (outputs.get("head"), outputs.get("tail")) if isinstance(outputs, dict) else ()
            return "\n".join(one for one in said if isinstance(one, str))
    return ""


def shown_in(data: bytes, agent: str, epoch: int) -> set[str]:
    """Return the ids of the memories that an agent was shown in an epoch, according to these log lines.

    The caller reads the lines again under the lock, because another process may have added exposures since the context was read.
    """
    return {exposure["memory"] for fields in _of_context(data, agent, epoch) for exposure in _shown(fields)}


def versions_in(data: bytes, agent: str, epoch: int, memory: str) -> list[str]:
    """Return the versions of a note that an agent was shown in an epoch, the last one first, according to these log lines; "" when they do not say."""
    exposed = (exposure for fields in _of_context(data, agent, epoch) for exposure in _shown(fields) if exposure["memory"] == memory)
    return [str(exposure.get("version") or "") for exposure in exposed]


def sentences_in(data: bytes, agent: str, epoch: int, *, at_start: bool) -> set[str]:
    """Return the digests (`repeated`) of the sentences that an agent was shown in an epoch, according to these log lines. at_start: also at its start."""
    shown = (fields for fields in _of_context(data, agent, epoch) if at_start or (fields.get("trigger") or {}).get("event") != SESSION_START)
    return {str(one) for fields in shown for one in fields.get("sentences") or ()}


def _of_context(data: bytes, agent: str, epoch: int) -> Iterator[dict[str, Any]]:
    return (fields for fields in _exposure_lines(data) if fields.get("agent_id") == agent and fields.get("epoch") == epoch)


def _tokens_in(data: bytes) -> dict[tuple[str, int, str], int]:
    """Return {(agent, epoch, memory): tokens} for everything that all agents of a session were shown, according to these log lines."""
    return {
        (str(fields.get("agent_id")), _integer(fields.get("epoch")), exposure["memory"]): _integer(exposure.get("tokens"))
        for fields in _exposure_lines(data)
        for exposure in _shown(fields)
    }


def _collect(context: Context, fields: dict[str, Any]) -> None:
    """Add what one line says about the memories that its context was shown."""
    if fields.get("event") == "exposure":
        context.shown.update(exposure["memory"] for exposure in _shown(fields))
    elif fields.get("event") == "resident_exposure" and context.resident is None:
        context.resident = str(fields.get("digest") or "")


def _exposure_lines(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the exposure lines among these log lines, the last one first."""
    for raw in _newest_first(data):
        if _EXPOSURES in raw and (fields := lines.decode(raw)) is not None:
            yield fields


def _shown(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the exposures of a line that were shown, not kept as a shadow."""
    exposures = fields.get("exposures")
    for exposure in exposures if isinstance(exposures, list) else ():
        if isinstance(exposure, dict) and exposure.get("shown") is True and isinstance(exposure.get("memory"), str):
            yield exposure


def _newest_first(data: bytes) -> Iterator[bytes]:
    """Return complete lines without their line ends, the last one first. If the first line was cut, it decodes to None."""
    return reversed(data.split(b"\n")[:-1])


def _text(fields: dict[str, Any], name: str) -> str:
    inputs = fields.get("inputs")
    value = inputs.get(name) if isinstance(inputs, dict) else None
    return value if isinstance(value, str) else ""


def _integer(value: object) -> int:
    return value if isinstance(value, int) else 0


class Allowance(Value, frozen=False):
    """The tokens that a session may still be shown, over all its agents and epochs, of its limit (`budgets.session_tokens`); 0 is none."""

    left: int = _UNLIMITED
    limit: int = 0

    @property
    def is_spent(self) -> bool:
        """Whether so little is left that no memory fits."""
        return self.left < _LEAST_TOKENS <= self.limit

    def units(self, most: int) -> int:
        """Return how many of `most` UTF-16 units still fit."""
        return min(most, self.left * UNITS)

    def spend(self, units: int) -> None:
        """Subtract the tokens that this many UTF-16 units cost."""
        self.left = max(0, self.left - tokens_of(units))

    def spend_on(self, item: InjectedMemory) -> bool:
        """Return whether the item still fits, and subtract its cost if it does."""
        tokens = tokens_of(size_of(item))
        fits = tokens <= self.left
        self.left -= tokens * fits
        return fits


def allowance_of(limit: int, session: str, data: bytes, connection: Connection | None) -> Allowance:
    """Return the allowance of a session, from the end of its log and the cycle's cache. Without a limit (0), nothing is read."""
    if not limit:
        return Allowance()
    given = _tokens_in(data)
    asked = "SELECT agent, epoch, memory, tokens FROM exposures WHERE session = ? AND shown = 1"
    rows: list[tuple[str, int, str, int]] = answer(connection, [], lambda cycle: cycle.execute(asked, (session,)).fetchall())
    for agent, epoch, memory, tokens in rows:
        given[agent, epoch, memory] = int(tokens)
    return Allowance(max(0, limit - sum(given.values())), limit)
