"""Finds what a person said about a call that they stopped or refused, and keeps it for the same call (ADR 0206).

A host tells its hooks nothing about a call that the person refused: a prompt follows an intent without a result. An import has the result, sometimes with what
the person typed instead of allowing it. What the person let run later in the same session was not refused for good.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import MAIN, PARTIAL, TOOL_AFTER, TOOL_BEFORE
from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.text.prompts import refusing
from memorybank.text.prompts.sentences import joined, sentences
from memorybank.text.prompts.typed import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

_TYPED = "the user said:"
"""What Claude Code writes before the words with which a person refused a call."""
_MOST_SENTENCES = 4
_SHORT = 60
"""Characters of a sentence with which the next ones are shown: "why are you pushing? I do that myself"."""
_SAID = f"SELECT id FROM passages WHERE session IS ? AND kind = '{SAID}' AND offset = ? AND file = ? AND text = ? LIMIT 1"
_OWN = """SELECT form, passage FROM advice JOIN passages p ON p.id = passage WHERE (form BETWEEN 'stopped:' AND 'stopped;' OR form BETWEEN 'doubted:'
    AND 'doubted;') AND p.file = ?"""
_LAST = """SELECT offset, event, status FROM events WHERE file = ?1 AND offset < ?2 AND offset > ifnull((SELECT max(offset) FROM turns WHERE file = ?1
    AND offset < ?2), 0) AND agent = ?3 ORDER BY offset DESC LIMIT 3"""


def by_prompt(connection: Connection, file: int, path: str, line: LogEvent) -> None:
    """Keep what a prompt says about a call that was stopped before it, and about commands that it doubts. path: the log"""
    said = sentences(typed(line.text("text")))[:_MOST_SENTENCES]
    for sentence in said:
        _keep(connection, file, line, sentence, refusing.DOUBTED, refusing.doubted(sentence))
    if any(map(refusing.objects, said)):
        last = connection.execute(_LAST, (file, line.offset, MAIN)).fetchall()
        was_stopped = bool(last) and (last[0][1] == TOOL_BEFORE or last[0][2] == PARTIAL)
        call = next((offset for offset, event, _ in last if event in (TOOL_BEFORE, TOOL_AFTER)), None)
        if was_stopped and call is not None:
            from memorybank.log import lines  # late: few prompts object to a call that was stopped

            stopped = next((LogEvent(one) for one in lines.read(path, call)), None)
            if stopped is not None and stopped.offset == call:
                _note(connection, file, line, stopped, said)


def by_result(connection: Connection, file: int, line: LogEvent) -> None:
    """Keep what a person typed instead of allowing a call."""
    _, has_words, words = line.error.partition(_TYPED)
    if has_words and line.agent == MAIN:
        _note(connection, file, line, line, sentences(words)[:_MOST_SENTENCES])


def allowed(connection: Connection, file: int, line: LogEvent) -> None:
    """Forget what was said in this session against a call that worked now."""
    kept = connection.execute(_OWN, (file,)).fetchall()
    if kept:
        keys = set(_keys(line))
        connection.executemany("DELETE FROM advice WHERE form = ? AND passage = ?", [row for row in kept if row[0].partition(":")[2] in keys])


def _note(connection: Connection, file: int, line: LogEvent, stopped: LogEvent, said: Sequence[str]) -> None:
    place, keys = _against(stopped, said)
    if keys:
        _keep(connection, file, line, joined(said[place:]) if len(said[place]) < _SHORT else said[place], refusing.STOPPED, keys)


def _against(stopped: LogEvent, said: Sequence[str]) -> tuple[int, list[str]]:
    """Return (the place of the sentence that says that a call was not wanted, what identifies the call). What a person refuses of an edit is its text."""
    if stopped.tool == "Bash":
        return refusing.against(said, stopped.text("command"))
    place = next((place for place, sentence in enumerate(said) if refusing.objects(sentence)), None)
    return (place or 0, _keys(stopped) if place is not None else [])


def _keys(line: LogEvent) -> list[str]:
    if line.tool == "Bash":
        return refusing.keys(line.text("command"))
    return [refusing.written(line.files[0])] if line.tool == "Write" and line.files else []


def _keep(connection: Connection, file: int, line: LogEvent, said: str, prefix: str, keys: Sequence[str]) -> None:
    """Keep that a sentence is about calls. It is a passage already, or becomes one that only such a call finds."""
    if not keys:
        return
    from memorybank.cycle.fold import passages

    known = connection.execute(_SAID, (line.row(file)["session"], line.offset, file, said)).fetchone()
    passage = known[0] if known is not None else passages.write_refusal(connection, file, line, said, keys)
    if passage is not None:
        connection.executemany("INSERT OR IGNORE INTO advice VALUES (?, ?, '', '')", ((f"{prefix}{key}", passage) for key in keys))
