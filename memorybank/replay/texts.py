"""Every text that a replay put before an agent, as one JSON line each: the input for a scorer that reads what agents read.

A line with an empty text means that nothing was shown. There is one such line per session, and one per prompt without an injection.
"""

from __future__ import annotations

import json

from memorybank.config.cycle import CycleSettings
from memorybank.cycle import event as events
from memorybank.cycle.event import Event
from memorybank.cycle.recall.query import FAILURE
from memorybank.injection import Injection, tokens_of
from memorybank.replay.play import Progress, play
from memorybank.replay.scratch import scratch
from memorybank.replay.sources import ReplaySource
from memorybank.storage import disk

_NAMES = {events.SESSION_START: "start", events.SUBAGENT_START: "start", events.PROMPT: "prompt", FAILURE: "failure"}


class ShownTexts:
    """Collects the lines of one run.

    Fields of a line: session, at (ms), moment (start, prompt, call or failure), agent, text, tokens (estimated), memories (ids).
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, object]] = []
        self._sessions: set[str] = set()

    def answered(self, event: Event, moment: str | None, injection: Injection | None) -> None:
        if event.session_id not in self._sessions:
            self._sessions.add(event.session_id)
            self._add(event, "start", None)
        if injection is not None:
            self._add(event, _NAMES.get(moment or "", "call"), injection)
        elif event.name == events.PROMPT and event.human:
            self._add(event, "prompt", None)

    def _add(self, event: Event, moment: str, injection: Injection | None) -> None:
        self.lines.append(
            {
                "session": event.session_id,
                "at": event.at,
                "moment": moment,
                "agent": event.agent_id,
                "text": injection.text if injection is not None else "",
                "tokens": tokens_of(injection.utf16) if injection is not None else 0,
                "memories": list(injection.sources) if injection is not None else [],
            }
        )


def shown_texts(source: ReplaySource, settings: CycleSettings, progress: Progress) -> list[dict[str, object]]:
    """Play a source once and return one line for each text put before an agent."""
    texts = ShownTexts()
    with scratch(source, settings) as base:
        play(base, source, progress, answered=texts.answered)
    return texts.lines


def write(path: str, lines: list[dict[str, object]]) -> None:
    """Write the lines as JSONL and replace an existing file."""
    disk.replace(path, [json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n" for line in lines], mode=disk.USER_FILE, durable=False)
