"""Adds, finds and removes memorybank's hooks in the text of a host's settings. `settings_text` edits the text itself."""

from typing import Any

from memorybank.errors import ValidationFailed
from memorybank.hosts import settings_text
from memorybank.hosts.program import Program, command, is_ours
from memorybank.hosts.registration import RegisteredEvent, Registration
from memorybank.hosts.settings_text import JsonNode

HOOKS = "hooks"
_EMPTY = "{}\n"


def put(text: str, registration: Registration, program: Program | None) -> str:
    """Return `text` with every event of `registration` registered once. "" stands for a file that does not exist.

    Where the entries are already correct, the text is returned unchanged, byte for byte.
    """
    wanted = {registered.event: entry(registration, registered, program) for registered in registration.events}
    if text.strip() and _present(text, registration) == wanted:
        return text
    text = take_out(text, registration) if text.strip() else _EMPTY
    for key, constant in registration.head:
        root = settings_text.parse(text)
        if root.get(key) is None:
            text = settings_text.append(text, root, constant, key)
    for event, value in wanted.items():
        text = _append_entry(text, registration, event, value)
    return text


def take_out(text: str, registration: Registration) -> str:
    """Return `text` without memorybank's entries. A list that contained nothing else is removed too, and then an empty `hooks`."""
    while (found := _first(text, registration)) is not None:
        event, container, index = found
        text = settings_text.remove(text, container, index)
        hooks = settings_text.parse(text).get(HOOKS)
        entries = hooks.get(event) if hooks is not None else None
        if hooks is not None and entries is not None and entries.kind == "array" and not entries.children:
            text = settings_text.remove_member(text, hooks, event)
            if len(hooks.children) == 1:
                text = settings_text.remove_member(text, settings_text.parse(text), HOOKS)
    return text


def is_only_ours(text: str, registration: Registration) -> bool:
    """Return whether `text` contains nothing except what `put` itself adds to an empty file."""
    rest = settings_text.parse(take_out(text, registration)).plain()
    return all(rest.get(key) == value for key, value in registration.head) and not set(rest) - {key for key, _ in registration.head}


def commands(text: str, registration: Registration) -> list[str]:
    """Return memorybank's command lines in `text`, each once."""
    found: list[str] = []
    for _, entries in _lists(settings_text.parse(text)):
        for node in entries.children:
            found.extend(line for line in _lines(node.node.plain(), registration) if is_ours(line) and line not in found)
    return found


def registered(text: str, registration: Registration) -> list[str]:
    """Return the host's events that have a command of memorybank in `text`."""
    return [event for event, entries in _lists(settings_text.parse(text)) if any(_is_ours(child.node, registration) for child in entries.children)]


def entry(registration: Registration, registered: RegisteredEvent, program: Program | None) -> dict[str, Any]:
    """Return the entry in the list of one event: a group with a matcher, or the hook itself."""
    line = command(program, registration.host, registered.event if registration.names_event else None, notifies=registered.notifies)
    limit = {registration.time_key: registered.seconds * registration.time_unit}
    hook = {**dict(registration.entry), registration.command_key: line, **limit}
    matcher = {"matcher": registered.matcher} if registered.matcher is not None else {}
    return {**matcher, HOOKS: [hook]} if registration.nested else {**hook, **matcher}


def _present(text: str, registration: Registration) -> dict[str, Any]:
    """Return {event: memorybank's entry}. An event with several of them gets the list, which equals no wanted entry."""
    found: dict[str, Any] = {}
    for event, entries in _lists(settings_text.parse(text)):
        ours = [child.node.plain() for child in entries.children if _is_ours(child.node, registration)]
        if ours:
            found[event] = ours[0] if len(ours) == 1 else ours
    return found


def _append_entry(text: str, registration: Registration, event: str, value: dict[str, Any]) -> str:
    root = settings_text.parse(text)
    hooks = root.get(HOOKS)
    if hooks is None:
        return settings_text.append(text, root, {event: [value]}, HOOKS)
    _expect(hooks, "object", HOOKS)
    entries = hooks.get(event)
    if entries is None:
        return settings_text.append(text, hooks, [value], event)
    _expect(entries, "array", f"{HOOKS}.{event}")
    return settings_text.append(text, entries, value)


def _first(text: str, registration: Registration) -> tuple[str, JsonNode, int] | None:
    """Return memorybank's first entry as (event, container, index).

    The index is that of the entire entry, or of one hook in a group that also contains hooks of others.
    """
    for event, entries in _lists(settings_text.parse(text)):
        for index, child in enumerate(entries.children):
            if not _is_ours(child.node, registration):
                continue
            inner = child.node.get(HOOKS) if registration.nested else None
            own = [place for place, each in enumerate(inner.children) if is_ours(_line(each.node.plain(), registration))] if inner is not None else []
            if inner is None or len(own) == len(inner.children):
                return event, entries, index
            return event, inner, own[0]
    return None


def _lists(root: JsonNode) -> list[tuple[str, JsonNode]]:
    """Return (event, list of entries) for the events in the settings. Values that are not lists are left out."""
    hooks = root.get(HOOKS)
    if hooks is None or hooks.kind != "object":
        return []
    return [(child.key or "", child.node) for child in hooks.children if child.node.kind == "array"]


def _is_ours(node: JsonNode, registration: Registration) -> bool:
    return any(is_ours(line) for line in _lines(node.plain(), registration))


def _lines(value: Any, registration: Registration) -> list[Any]:
    """Return the command lines of one entry."""
    if not registration.nested:
        return [_line(value, registration)]
    inner = value.get(HOOKS) if isinstance(value, dict) else None
    return [_line(each, registration) for each in inner] if isinstance(inner, list) else []


def _line(hook: Any, registration: Registration) -> Any:
    return hook.get(registration.command_key) if isinstance(hook, dict) else None


def _expect(node: JsonNode, kind: str, name: str) -> None:
    if node.kind != kind:
        raise ValidationFailed(f"{name} must be a JSON {kind}", next_step=settings_text.BY_HAND)
