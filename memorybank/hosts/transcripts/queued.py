"""Prompts that a person types while Claude Code works: which of them became ordinary prompts, and which were taken into the running
turn, where they stand in no other line (older versions) or in an attachment beside (since 2.1). Pure."""

from typing import Any, NamedTuple

_NOTICE = "<task-notification>"


class Queued(NamedTuple):
    """One queued text and the line that says so."""

    text: str
    line: dict[str, Any]
    number: int


class Queue:
    def __init__(self) -> None:
        self._waiting: list[Queued] = []
        self._told: dict[str, int] = {}

    def enqueue(self, text: str, line: dict[str, Any], number: int) -> None:
        self._waiting.append(Queued(text, line, number))

    def prompted(self, text: str) -> None:
        """A queued text became an ordinary prompt."""
        found = next((item for item in self._waiting if item.text == text), None)
        if found is not None:
            self._waiting.remove(found)

    def removed(self, text: str) -> Queued | None:
        """What a person said, when a queued text is taken into the turn: the one named, else the oldest that no host wrote."""
        for item in self._waiting:
            if item.text == text if text else not item.text.lstrip().startswith(_NOTICE):
                self._waiting.remove(item)
                said = not item.text.lstrip().startswith((_NOTICE, "/"))
                return item if said and self._is_first(item.text, -1) else None
        return None

    def attached(self, text: str) -> bool:
        """Whether an attachment is the first to tell of a text that was taken into the turn."""
        return self._is_first(text, 1)

    def _is_first(self, text: str, side: int) -> bool:
        balance = self._told.get(text, 0)
        self._told[text] = balance + side
        return balance * side >= 0
