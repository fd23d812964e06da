"""Describes one line of the event log in a few words: when, who, what, and how it ended."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memorybank.cli.output import Column
from memorybank.cli.page import Card

if TYPE_CHECKING:
    from memorybank.log.chain import SessionCheck
    from memorybank.rotation.report import ArchiveFinding

PURGED = "[PURGED]"
_CHARACTERS = 200
_SHOWN = ("text", "command", "file_path", "path", "pattern", "query", "url", "description", "prompt", "content")
"""Inputs of a call in the order of preference: the first one present says best what the call is about."""
_FAULTLESS = ("line_torn", "tail_open")
"""Codes that are not faults: a line that a kill cut short, and a line that is still being written."""

Fields = dict[str, Any]


def columns(sessions: bool) -> tuple[Column, ...]:
    session = (Column("session"),) if sessions else ()
    return (Column("time"), *session, *(Column(name) for name in ("agent", "event", "tool", "status")), Column("what", flexible=True))


def cells(fields: Fields, *, sessions: bool) -> tuple[object, ...]:
    session = (_short(fields),) if sessions else ()
    return (_time(fields), *session, _agent(fields), fields.get("event"), fields.get("tool"), fields.get("status"), said(fields) or None)


def card(fields: Fields, *, sessions: bool) -> Card:
    """Return a card for a terminal: the event, and below it the text."""
    agent = _agent(fields)
    title = " ".join(str(part) for part in (fields.get("event"), fields.get("tool"), fields.get("status")) if part)
    about = [f"session {_short(fields)}"] if sessions else []
    about += [f"agent {agent}"] if agent != "main" else []
    text = said(fields)
    return Card(_time(fields), ", ".join([title, *about]), (text,) if text else ())


def said(fields: Fields) -> str:
    """Return in one short line what an event is about. Texts that were purged show as [PURGED]."""
    parts = [_exposed(fields) if fields.get("event") == "exposure" else "", _input(fields), _outcome(fields)]
    text = " ".join(" → ".join(part for part in parts if part).split())
    return text if len(text) <= _CHARACTERS else text[: _CHARACTERS - 1] + "…"


def findings(checks: Iterable["SessionCheck"]) -> "list[ArchiveFinding]":
    """Return the faults of all sessions as findings."""
    from memorybank.rotation.report import ERROR, WARNING, ArchiveFinding

    found = []
    for check in checks:
        for fault in check.faults:
            where = f"log/events/{check.name}" + (f":{fault.line}" if fault.line else "")
            found.append(ArchiveFinding(where, fault.code, WARNING if fault.code in _FAULTLESS else ERROR, fault.message))
    return found


def _input(fields: Fields) -> str:
    if _is_purged(fields, "inputs"):
        return PURGED
    inputs = fields.get("inputs") or {}
    named = next((str(inputs[name]) for name in _SHOWN if inputs.get(name)), "")
    return named or ", ".join(f"{name}: {value}" for name, value in inputs.items()) or str(fields.get("source") or fields.get("reason") or "")


def _outcome(fields: Fields) -> str:
    """Return the error, or the first lines of the output."""
    for name in ("error", "outputs"):
        if _is_purged(fields, name):
            return PURGED
        value = fields.get(name)
        if value:
            return str(value.get("head", "")) if isinstance(value, dict) else str(value)
    return ""


def _exposed(fields: Fields) -> str:
    if _is_purged(fields, "exposures"):
        return PURGED
    shown: Sequence[Fields] = fields.get("exposures") or ()
    names = ", ".join(str(each.get("memory")) for each in shown if each.get("shown"))
    return f"shown: {names}" if names else f"not shown: {len(shown):,}"


def _is_purged(fields: Fields, name: str) -> bool:
    return name in (fields.get("digests") or ()) and not fields.get(name)


def _agent(fields: Fields) -> str:
    return str(fields.get("agent_role") or fields.get("agent_id") or "main")


def _short(fields: Fields) -> str:
    return str(fields.get("session_id", ""))[:8]


def _time(fields: Fields) -> str:
    return str(fields.get("timestamp", ""))[:19].replace("T", " ")
