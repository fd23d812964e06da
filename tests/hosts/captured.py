"""The payloads that real clients sent (tests/data/hosts), one by one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parents[1] / "data" / "hosts"
HOSTS = {"claude-code": "claude-code", "codex-cli": "codex", "copilot-cli": "copilot", "gemini-cli": "gemini"}


class Captured(NamedTuple):
    """One hook call. host: the client that sent it; hint: the event's name where only the command line contains it."""

    case: str
    number: int
    host: str
    payload: Any
    environ: dict[str, str]
    hint: str | None


def payloads() -> Iterator[Captured]:
    for path in sorted(DATA.glob("*.json")):
        if path.name.startswith("EVENTS-"):
            continue
        recorded = json.loads(path.read_text(encoding="utf-8"))
        for number, hook in enumerate(recorded["hooks"]):
            spelling, _, event = (hook.get("tag") or "").partition("-")
            hint = event if spelling == "camel" else None
            yield Captured(path.stem, number, HOSTS[recorded["host"].split()[0]], hook["stdin"], hook["env"], hint)


ALL = list(payloads())
