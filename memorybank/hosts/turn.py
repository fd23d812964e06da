"""Collects what an agent said within a turn before its last message, while a transcript is read, or from the end of one that is still
being written (Claude Code's lines, measured: 2.0 to 2.1.330). Both ways give the same result.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import MAIN
from memorybank.hosts.claude_code_text import INTERRUPTED, SYNTHETIC, is_local
from memorybank.hosts.dialect import content as text_of
from memorybank.hosts.dialect import mapping, string
from memorybank.storage import system as os
from memorybank.storage.jsontext import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_BYTES = 16 << 20
"""How far back from the end of a transcript the beginning of a turn is searched. Reading that much takes a twentieth of a second."""
BLOCK = 1 << 20
"""Bytes that are read at once. Nearly every turn is shorter."""


class TurnText:
    """The last text of one agent, until its turn ends. remarks: (id of the call whose result came before it, text) for each earlier text."""

    __slots__ = ("call", "message", "remarks", "said")

    def __init__(self) -> None:
        self.said = ""
        self.call = ""
        self.remarks: list[tuple[str, str]] = []
        self.message: object = None

    def add_text(self, text: str, message: object) -> None:
        """Add a text. message: id of the message that contains it; the parts of one message are joined into one text."""
        self.said = f"{self.said}\n{text}" if self.said and self.message == message else text
        self.message = message

    def continue_turn(self, call: str = "") -> None:
        """Record that work follows, so the last text was a remark, not the turn's end. call: id of a call whose result has arrived."""
        if self.said:
            self.remarks.append((self.call, self.said))
        self.said = ""
        self.call = call or self.call


def remarks(path: str, session: str, agent: str = MAIN) -> list[tuple[str, str]]:
    """Return the remarks of an agent's latest turn, read from the end of its transcript.

    path: the transcript; may be missing, and may be written to at the same time.
    Never raises; unreadable lines are skipped.
    """
    turn = TurnText()
    for line in _latest(path, session, agent):
        message = mapping(line.get("message"))
        for block in _blocks(message.get("content")):
            kind = block.get("type")
            if line["type"] == "user":
                if kind == "tool_result":
                    turn.continue_turn(string(block, "tool_use_id"))
            elif line.get("isApiErrorMessage") is True:
                turn.said = ""
            elif message.get("model") == SYNTHETIC:
                continue
            elif kind == "tool_use" and string(block, "id") and string(block, "name"):
                turn.continue_turn()
            elif kind == "text":
                turn.add_text(string(block, "text"), message.get("id"))
    return turn.remarks


def _latest(path: str, session: str, agent: str) -> list[dict[str, Any]]:
    """Return the agent's messages since its turn began, in order."""
    found = []
    for line in _newest_first(path):
        if line.get("sessionId") != session or not string(line, "timestamp"):
            continue
        if line.get("type") == "system":
            if agent == MAIN and line.get("subtype") == "compact_boundary":
                break
        elif line.get("type") in ("user", "assistant") and _is_of(line, agent):
            if line["type"] == "user":
                if line.get("isMeta") is True or line.get("isCompactSummary") is True:
                    continue
                if _begins_turn(line, agent):
                    break
            found.append(line)
    return found[::-1]


def _newest_first(path: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects among the last lines of a file, newest first."""
    if not os.path.isfile(path):  # reading from a pipe could block
        return
    for raw in _lines_newest_first(path):
        try:
            line = decode(raw)
        except ValueError:  # a line cut at its beginning, or not JSON
            continue
        if isinstance(line, dict):
            yield line


def _lines_newest_first(path: str) -> Iterator[bytes]:
    """Yield the last lines of a file, newest first. Nothing is read beyond the block with the last line that is asked for."""
    try:
        with open(path, "rb") as stream:
            begin = os.fstat(stream.fileno()).st_size
            first = max(0, begin - MOST_BYTES)
            line = b""
            while begin > first:
                end, begin = begin, max(first, begin - BLOCK)
                stream.seek(begin)
                line, _, lines = (stream.read(end - begin) + line).partition(b"\n")
                if lines:
                    yield from reversed(lines.split(b"\n"))
            yield line
    except OSError:
        return


def _is_of(line: dict[str, Any], agent: str) -> bool:
    if line.get("isSidechain") is not True:
        return agent == MAIN
    return agent != MAIN and string(line, "agentId") in ("", agent)


def _begins_turn(line: dict[str, Any], agent: str) -> bool:
    """Return whether a line is a person's prompt or interruption. Any other line with the role of the user belongs to the running turn."""
    blocks = list(_blocks(mapping(line.get("message")).get("content")))
    text = "\n".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text" and block.get("text"))
    if not text or any(block.get("type") == "tool_result" for block in blocks):
        return False
    return text.startswith(INTERRUPTED) or (agent == MAIN and not is_local(text))


def _blocks(content: object) -> Iterator[dict[str, Any]]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))
