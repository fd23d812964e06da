"""What was said in one session, as far as everybody may see it, as input for a model: what people typed, and what agents answered and stated.

Pasted text, calls and their output are not part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorybank.clock import day_of
from memorybank.cycle.base import CycleContext
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log import events
from memorybank.log.extracted import QuoteSource
from memorybank.summarize.extraction import collapsed
from memorybank.summarize.model_text import unmarked
from memorybank.text.passages import shortened
from memorybank.text.redact import redact
from memorybank.text.typed import typed
from memorybank.values import Value

PERSON, ANSWER, REMARK = "person", "answer", "remark"
_LONGEST = {PERSON: 1_500, ANSWER: 3_000, REMARK: 800}
_SHARE_OF_PEOPLE = 0.5
"""Share of a record that the words of people may take before the agent's, which get the rest."""
_WHO = {PERSON: "person", ANSWER: "agent", REMARK: "agent"}


class SaidPiece(Value):
    """One text of a session. who: `person`, `answer` (the end of a turn) or `remark` (within a turn)."""

    who: str
    text: str
    source: QuoteSource


class SessionRecord:
    """What was said in one session.

    session: its id
    at: instant (ms) of its last line
    pieces: in the order of the log, redacted and without the paths of this machine
    files: names of the files that its calls touched
    """

    def __init__(self, session: str, at: int, pieces: Sequence[SaidPiece], files: frozenset[str]) -> None:
        self.session = session
        self.at = at
        self.pieces = tuple(pieces)
        self.files = files
        self._collapsed = [(collapsed(piece.text), piece) for piece in pieces]

    @property
    def title(self) -> str:
        """The name of the session in messages."""
        return f"session {self.session[:8]}, {day_of(self.at)}"

    @property
    def language(self) -> str:
        """The language of most of what was said, `en` or `ja`."""
        return language_of(" ".join(piece.text for piece in self.pieces))

    def digest(self, limit: int) -> str:
        """Return the record in at most `limit` characters: what people typed first, then closing messages and remarks, the newest first."""
        lines = {}
        left = limit
        people = int(limit * _SHARE_OF_PEOPLE)
        for speaker in (PERSON, ANSWER, REMARK):
            mine = min(left, people) if speaker == PERSON else left
            numbered = [(number, piece) for number, piece in enumerate(self.pieces) if piece.who == speaker]
            for number, piece in reversed(numbered):
                line = f"{_WHO[speaker]}: {unmarked(shortened(piece.text, _LONGEST[speaker]))}"
                if len(line) + 1 <= mine:
                    lines[number] = line
                    mine -= len(line) + 1
                    left -= len(line) + 1
        return "\n".join(lines[number] for number in sorted(lines))

    def quoted(self, quote: str) -> Iterator[SaidPiece]:
        """Yield the pieces that contain a quote, white space aside."""
        for text, piece in self._collapsed:
            if quote in text:
                yield piece

    def has_file(self, name: str) -> bool:
        """Return whether a file was touched or named in the session."""
        return name in self.files or any(name in piece.text for piece in self.pieces)


def read(base: CycleContext, name: str) -> SessionRecord:
    """Return the record of one session. name: of its log, as `log.events.names` lists it."""
    pieces: list[SaidPiece] = []
    files: set[str] = set()
    session, at = "", 0
    for line in events.read(base.layout, name):
        event = LogEvent(line)
        session, at = event.session or session, max(at, event.at)
        if not event.cell.is_public or events.name_of(event.session) != name:
            continue
        event.leave_out(base.places)
        files.update(event.files)
        pieces += _said(event)
    return SessionRecord(session, at, pieces, frozenset(files))


def _said(event: LogEvent) -> Iterator[SaidPiece]:
    texts: list[tuple[str, str, str]] = []
    if event.is_human_prompt:
        texts = [(PERSON, "inputs", typed(event.text("text")))]
    elif event.event == "turn_end":
        # Head and tail are separate pieces, because a quote must not span the part that was cut out between them.
        texts = [*((REMARK, "remarks", text) for _, text in event.remarks), (ANSWER, "outputs", event.head), (ANSWER, "outputs", event.tail)]
    for speaker, field, text in texts:
        if text.strip():
            yield SaidPiece(speaker, redact(text, None).strip(), QuoteSource(event.id, event.offset, field, event.at))
