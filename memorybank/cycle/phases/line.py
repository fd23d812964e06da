"""The line of an event: its fields before the log redacts, cuts and signs them.

Fields of the Complete cycle design, "Event Schema"; scores and scopes of the Self-improving memory cycle, phase 1.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank import git
from memorybank.cycle import event as events
from memorybank.cycle import importance
from memorybank.log import events as log
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.digest import hmac_sha256
from memorybank.text.commands import anchors
from memorybank.text.commands.paths import relative
from memorybank.text.prompts import no_memory
from memorybank.text.secrets.redact import strip_private
from memorybank.text.untrusted import fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event

    Fields = dict[str, Any]


_DEFAULT_BRANCHES = ("main", "master", "trunk", "develop")
_CALLS = (events.TOOL_BEFORE, events.TOOL_AFTER)
_CHARACTERS_A_TOKEN = 4
_LONGEST_TASK = 100
_REMARKS_CHARACTERS, _REMARK_CHARACTERS = 8_000, 700
"""Maximum characters of all remarks of a turn, and of one."""


class Surroundings:
    """The parts of a line that the event does not contain. This class finds them in the environment of the hook's process.

    origin: replaces the origin derived from the event
    """

    __slots__ = ("base", "event")
    origin: str | None = None

    def __init__(self, base: CycleContext, event: Event) -> None:
        self.base = base
        self.event = event

    def earlier(self) -> Iterable[Fields]:
        """Return the earlier lines of the session, newest first."""
        return log.peek(self.base.layout, self.event.session_id)

    def task(self) -> str | None:
        """Return the task in the environment."""
        return os.environ.get("MEMORYBANK_TASK")

    def branch(self) -> str | None:
        """Return the event's git branch, else the repository's current one."""
        if self.event.branch is not None:
            return self.event.branch
        repository = self.base.layout.repository
        return git.branch(repository) if repository else None


def fields_of(base: CycleContext, event: Event, around: Surroundings) -> Fields:
    """Return the line before the log redacts, cuts and signs it."""
    at = base.clock.now() if event.at is None else event.at
    root = base.root
    paths = _paths(base, event) if event.name in _CALLS else {}
    inputs, outputs = _texts(event, paths)
    calls = event.name in _CALLS and event.tool is not None
    files = list(dict.fromkeys(path for named in paths.values() for path in ([named] if isinstance(named, str) else named))) if calls else []
    lessons, signal = _stated(inputs["text"]) if event.name == events.PROMPT and event.human and inputs else ([], None)
    status = _turn_outcome(event, around) if event.name == events.TURN_END else event.status
    tokens = event.tokens if event.tokens is not None else _estimated_tokens(event) if calls else None
    task, task_from = _task(base, around, inputs.get("text") if event.name == events.PROMPT else None)
    touched = _anchors(event, inputs, root) if calls or event.name == events.PROMPT else []
    acl, privacy, hold = _scope(base, event, files, touched)
    line: Fields = {
        "id": "",
        "schema_version": log.SCHEMA_VERSION,
        "event": event.name,
        "timestamp": time_of.isoformat(at),
        "session_id": event.session_id,
        "host": event.host,
        "agent_id": event.agent_id,
        "agent_role": base.role(event.agent_role),
        "task_id": task,
        "tool": event.tool,
        "inputs": inputs,
        "outputs": outputs,
        "status": status,
        "latency_ms": event.latency_ms,
        "error": event.error,
        "importance_score": importance.initial(status, _own_signal(event, signal), event.latency_ms, tokens, base.settings.event_importance),
        "acl": acl,
        "privacy": privacy,
        "origin": around.origin or _origin(event),
    }
    optional: Fields = {
        "task_from": task_from,
        "tool_use_id": event.tool_use_id,
        "reason": event.reason,
        "source": event.source,
        "cost": {"tokens": tokens} if tokens else None,
        "fingerprint": _fingerprint(event, root) if calls and event.tool else None,
        "anchors": touched,
        "files": files,
        "lessons": lessons,
        "remarks": _remarks(event),
        "signal": signal,
        "hold": hold,
        "open_work": event.open_work,
        "host_status": event.host_status if event.host_status != event.status else None,
        "asked": event.asked,
        "mute": event.name == events.PROMPT and not event.delivery,
        "recall": log.OFF if event.name == events.PROMPT and event.human and no_memory.is_asked(inputs.get("text", "")) else None,
    }
    line.update({name: value for name, value in optional.items() if value})
    if event.name == events.PROMPT and not event.human:
        line["human"] = False
    return _identified(base, event, line, at)


def _identified(base: CycleContext, event: Event, line: Fields, at: int) -> Fields:
    """Return the line with its id, a keyed hash.

    It is made from the most specific id of the host, so that a transcript of the session gives the same one. Without such an id it is made from the
    content, the outcome as the host reported it (how outputs are read may change) and the host's time. Without a time either, the line is marked
    `anonymous`, and the log compares it with the last one.
    """
    content = () if event.strong_id else (jsontext.encode([line["inputs"], line["outputs"], event.host_status or line["status"], line.get("source")]), str(at))
    if content and event.at is None:
        line["anonymous"] = True
    line["id"] = identifier(base, event, *content)
    return line


def identifier(base: CycleContext, event: Event, *content: str) -> str:
    """Return the id of an event, 32 hexadecimal digits. content: distinguishes events without a strong id."""
    return keyed(base, event.session_id, event.agent_id, event.name, event.tool or "", *([event.strong_id] if event.strong_id else content))


def keyed(base: CycleContext, *parts: str) -> str:
    """Return a hash of some texts under the bank's key, 32 hexadecimal digits."""
    return hmac_sha256(base.key(), jsontext.encode_bytes(parts)).hex()[:32]


def _texts(event: Event, paths: Fields) -> tuple[Fields, Fields]:
    """Return (inputs, outputs) without memorybank's own injections and without what a person marked as private. paths: the inputs that are paths."""
    if event.name == events.PROMPT:
        text = fence.strip(event.prompt or "")
        text = (strip_private(text) if event.human else text).strip()
        return ({"text": text} if text else {}), {}
    if event.name == events.TURN_END:
        text = fence.strip(event.last_message or "").strip()
        return {}, ({"text": text} if text else {})
    if event.name in _CALLS:
        output = fence.strip(event.output or "").strip() if event.name == events.TOOL_AFTER else ""
        inputs = {name: fence.strip(value) if isinstance(value, str) else value for name, value in event.inputs.items() if value}
        return {**inputs, **paths}, ({"text": output} if output else {})
    return {}, {}


def _remarks(event: Event) -> list[Fields]:
    """Return what the agent stated within the turn (causes, decisions, what something requires), each with the call before it.

    When there are too many, the last ones.
    """
    if not event.remarks:
        return []
    from memorybank.text.prose import passages

    kept: list[Fields] = []
    room = _REMARKS_CHARACTERS
    for call, text in reversed(event.remarks):
        pieces = [piece for _, piece in passages.passages(fence.strip(text)) if passages.may_tell(piece)]
        why = " ".join(filter(passages.tells_why, pieces))
        explaining = " ".join(piece for piece in pieces if not passages.tells_why(piece))  # by itself: only after a failure it is worth something
        told = "\n\n".join(filter(None, (why, explaining)))[:_REMARK_CHARACTERS]
        if told and room >= len(told):
            room -= len(told)
            kept.append({"after": call, "text": told})
    return kept[::-1]


def _stated(prompt: str) -> tuple[list[str], int]:
    """Return (lasting statements of a person, signal: -1 when they correct the turn before, 1 when they state something, else 0). Loaded only for prompts."""
    from memorybank.text.prompts.corrections import corrections
    from memorybank.text.prompts.statements import statements

    lessons = [statement.text for statement in statements(prompt)]
    return lessons, -1 if corrections(prompt) else 1 if lessons else 0


def _own_signal(event: Event, signal: int | None) -> float:
    """Return the user signal of this very event: a stopped or refused call is unwanted.

    A person's own prompt counts at least as SAID, even a correction, because what it corrects is the turn before.
    """
    if event.tool and (event.interrupted or event.reason == "interrupted"):
        return importance.CORRECTED
    return importance.NEUTRAL_SIGNAL if signal is None else max(signal, importance.SAID)


def _paths(base: CycleContext, event: Event) -> Fields:
    """Return the inputs of a call that are paths, as they are recorded: relative to the repository."""
    home = os.path.expanduser("~")
    found: Fields = {}
    for name in ("file_path", "paths", "path") if event.tool in ("Grep", "Glob", "LS") else ("file_path", "paths"):
        named = event.inputs.get(name)
        listed = named if isinstance(named, list) else [named]
        told = [relative(os.path.join(event.cwd, path), base.root, home, base.key()) for path in listed if isinstance(path, str) and path]
        if told:
            found[name] = told if isinstance(named, list) else told[0]
    return found


def _anchors(event: Event, inputs: Fields, root: str) -> list[str]:
    """Return the anchors of a prompt (as recorded, without private parts), or of a call and, if it failed, of its error."""
    if event.name == events.PROMPT:
        return anchors.of_text(inputs.get("text", ""), root, event.cwd)
    found = anchors.of_call(event.tool or "", event.inputs, root, event.cwd)
    return [*found, *anchors.of_error(event.tool or "", event.error, root)] if event.status == events.FAILURE else found


def _fingerprint(event: Event, root: str) -> str | None:
    from memorybank.text.commands import fingerprint

    return fingerprint.action(event.tool or "", event.inputs, root, event.cwd)


def _scope(base: CycleContext, event: Event, files: list[str], touched: list[str]) -> tuple[str, str, bool]:
    """Return (acl, privacy, whether a rule lowered them). By default the main agent's events are visible to all, a sub-agent's only to its role, and those
    of a process without memory only to their session."""
    is_without_memory = os.environ.get(log.SWITCH, "").lower() == log.OFF
    if is_without_memory or (event.tool and _is_private(base, event, files, touched)):
        return "session", "private", True
    return "user", "public" if event.agent_id == events.MAIN else "agent-only", False


def _is_private(base: CycleContext, event: Event, files: list[str], touched: list[str]) -> bool:
    """Return whether the settings make a call private: its tool, a path that it touched, or one that its inputs name."""
    from memorybank.text.commands.private_paths import has_private_path, matches  # late: prompts and ends of turns touch no path

    rules = base.settings.privacy_rules
    paths = [*files, *(anchor.removeprefix("file:") for anchor in touched if anchor.startswith("file:"))]
    ruled = event.tool in base.settings.private_tools or any(matches(path, rule) for path in paths for rule in rules)
    return ruled or has_private_path(event.inputs, rules, base.root, os.path.expanduser("~"), event.cwd)


def _origin(event: Event) -> str:
    if event.name == events.PROMPT:
        return "human" if event.human else "tool"
    return "tool" if event.name == events.TOOL_AFTER else "agent"


def _task(base: CycleContext, around: Surroundings, prompt: str | None) -> tuple[str | None, str | None]:
    """Return (task, its source): `$MEMORYBANK_TASK`, a ticket key in the prompt, or the branch unless it is the default one.

    A ticket key stays valid until a prompt names another one: the log carries it on (`log.events`).
    """
    named = around.task()
    if named:
        return named[:_LONGEST_TASK], "environment"
    if prompt and base.settings.task_patterns:
        key = task_key(prompt, base.settings.task_patterns)
        if key:
            return key, "prompt"
    branch = around.branch()
    repository = base.layout.repository
    if not branch or branch in _DEFAULT_BRANCHES or (repository is not None and branch == git.default_branch(repository)):
        return None, None
    return branch[:_LONGEST_TASK], "branch"


def _estimated_tokens(event: Event) -> int:
    """Estimate the tokens of a call when the host does not report them: one for four characters of input and output."""
    return (
        sum(len(value) for value in event.inputs.values() if isinstance(value, str)) + len(event.output or "") + len(event.error or "")
    ) // _CHARACTERS_A_TOKEN


def _turn_outcome(event: Event, around: Surroundings) -> str:
    """Return the outcome of a turn.

    failure: it ended in an error, or the last call that changed something failed (calls of unknown outcome are skipped)
    partial: it was interrupted, a call was refused, or work is still open
    success: anything else
    """
    if event.reason == "error":
        return events.FAILURE
    if event.interrupted or event.reason == "interrupted" or event.open_work:
        return events.PARTIAL
    # Reading commands say nothing about whether the work succeeded, and an unknown outcome is skipped in favour of an earlier known one.
    for line in around.earlier():
        if line.get("agent_id") != event.agent_id:
            continue
        if line["event"] in (events.PROMPT, events.TURN_END, events.SESSION_START):
            break
        from memorybank.text.commands import fingerprint  # late, as the other imports here: most turns end with an answer

        if line["event"] == events.TOOL_AFTER and not fingerprint.is_read_only(line.get("tool") or "", (line.get("inputs") or {}).get("command", "")):
            status = line.get("status")
            if status != events.UNKNOWN:
                return status if status in (events.FAILURE, events.PARTIAL) else events.SUCCESS
    return events.SUCCESS


def task_key(prompt: str, patterns: tuple[str, ...] | list[str]) -> str | None:
    """Return the first ticket key in the prompt, as written; None without one. No ASCII letter, digit or `_` may touch it.

    patterns: words in which `#` stands for digits (`ABC-#`) and `##` for a `#` and digits. They are never regular expressions,
    because they may come from the bank.
    """
    import re  # here, because most banks have no patterns

    digits = {"#": "[0-9]++", "##": "#[0-9]++"}
    best: re.Match[str] | None = None
    for pattern in patterns[:50]:
        if 2 <= len(pattern) <= 64 and (pattern.strip("#") or pattern == "##"):
            expression = "".join(digits.get(piece) or re.escape(piece) for piece in re.split("(##?)", pattern))
            found = re.search(rf"(?<![A-Za-z0-9_]){expression}(?![A-Za-z0-9_])", prompt)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
    return best[0] if best else None
