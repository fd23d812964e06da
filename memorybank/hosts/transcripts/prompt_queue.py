"""Tracks the prompts that a person types while Claude Code works. A transcript reports each of them in up to three kinds of lines."""

from typing import NamedTuple

from memorybank.hosts.transcripts.reading import TranscriptLine
from memorybank.text.prompts.typed import is_notice


class QueuedPrompt(NamedTuple):
    """A text that was typed while Claude Code worked, and the line that contains it."""

    text: str
    line: TranscriptLine


class PromptQueue:
    """Prompts typed while Claude Code works: which of them became ordinary prompts, and which were taken into the running turn.

    The latter are in no other line (older versions), or also in an attachment (since 2.1).
    """

    def __init__(self) -> None:
        self._waiting: list[QueuedPrompt] = []
        self._balances: dict[str, int] = {}

    def enqueue(self, text: str, line: TranscriptLine) -> None:
        self._waiting.append(QueuedPrompt(text, line))

    def prompted(self, text: str) -> None:
        """Forget a queued text that became an ordinary prompt."""
        found = next((item for item in self._waiting if item.text == text), None)
        if found is not None:
            self._waiting.remove(found)

    def removed(self, text: str) -> QueuedPrompt | None:
        """Return the queued text that was taken into the turn, if a person typed it and no attachment reported it.

        text: the text if the line names it; otherwise it is the oldest one that the host did not write.
        """
        for item in self._waiting:
            if item.text == text if text else not is_notice(item.text):
                self._waiting.remove(item)
                said = not is_notice(item.text) and not item.text.lstrip().startswith("/")
                return item if said and self._is_first(item.text, -1) else None
        return None

    def attached(self, text: str) -> bool:
        """Return whether an attachment is the first to report a text that was taken into the turn."""
        return self._is_first(text, 1)

    def _is_first(self, text: str, side: int) -> bool:
        # The two kinds of lines report the same text once each, in either order; the balance says which of them is ahead.
        balance = self._balances.get(text, 0)
        self._balances[text] = balance + side
        return balance * side >= 0
