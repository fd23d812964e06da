"""Extraction: a model of the person's choice names rules, findings and reasons of sessions, and what it can quote is recorded.

Every item must quote the session: its quote occurs in one recorded text, that of a rule in what a person typed, and item and text have words in common.
Everything else is dropped and counted. A session whose answer failed stays as it was.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from memorybank.clock import day_of
from memorybank.cycle.base import CycleContext
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log import events, extracted
from memorybank.log.extracted import ExtractedLine, ExtractionLine, QuoteSource
from memorybank.storage.lock import Lock
from memorybank.summarize import extraction
from memorybank.summarize.extraction import RULE, ExtractedItem, collapsed
from memorybank.summarize.model_text import unmarked
from memorybank.summarize.summarizer import LanguageModel, ModelRequest, SummarizerBusy, SummaryRefused, Tokens
from memorybank.text.prompts.typed import typed
from memorybank.text.prose.passages import excerpt
from memorybank.text.secrets.redact import redact
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

COMMAND = "memorybank know extract"
ANSWER_CHARACTERS = 8_000
"""Characters that the model may answer with."""
MOST_BUSY = 3
"""Number of consecutive sessions with a busy model that end the run."""
QUOTE, NOT_A_PERSON, UNRELATED, DUPLICATE = "quote", "not_a_person", "unrelated", "duplicate"
"""Why an item is dropped: its quote is not in the log; the quote of a rule is not from a person; it has no word of the text that it quotes; it repeats
another item."""
BUSY = "busy"

PERSON, ANSWER, REMARK = "person", "answer", "remark"
_LONGEST = {PERSON: 1_500, ANSWER: 3_000, REMARK: 800}
_SHARE_OF_PEOPLE = 0.5
"""Share of a record that the words of people may take before the agent's, which get the rest."""
_WHO = {PERSON: "person", ANSWER: "agent", REMARK: "agent"}


@dataclass(slots=True)
class ExtractionReport:
    """A run: (session, items of it, {reason: number of dropped items}) each, (session, kind, message) of those that failed, and how many were not reached."""

    read: list[tuple[str, list[ExtractedLine], dict[str, int]]] = field(default_factory=list)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    tokens: Tokens | None = None
    left: int = 0


def due(base: CycleContext, names: Sequence[str], by: str, *, again: bool) -> list[SessionRecord]:
    """Return the sessions with logs of these names in which something was said, without those that the model `by` has read unless it is to read them again."""
    key = base.existing_key()
    known = extracted.sessions(base.layout, key, by) if key is not None and not again else frozenset()
    done = {events.name_of(session) for session in known}
    return [record for name in names if name not in done and (record := recorded_session(base, name)).pieces]


def run(
    base: CycleContext, names: Sequence[str], model: LanguageModel, *, again: bool = False, step: Callable[[int, int], None] = lambda done, total: None
) -> ExtractionReport:
    """Ask the model about the sessions that are due. The items of each are recorded as soon as its answer arrives.

    step: called with (sessions done, total)
    Raises LockTimeout while another run is in progress, and SummarizerUnusable; what was recorded before stays.
    """
    report = ExtractionReport()
    in_a_row = 0
    with Lock(os.path.join(base.layout.log, "extract.lock"), COMMAND, base.clock):
        records = due(base, names, model.name, again=again)
        for number, record in enumerate(records):
            step(number, len(records))
            try:
                _extract(base, record, model, report)
                in_a_row = 0
            except SummaryRefused as error:
                in_a_row = 0
                report.failed.append((record.session, error.kind, error.message))
            except SummarizerBusy as error:
                in_a_row += 1
                report.failed.append((record.session, BUSY, error.message))
                if in_a_row == MOST_BUSY:
                    report.left = len(records) - number - 1
                    break
        step(len(records), len(records))
    return report


def _extract(base: CycleContext, record: SessionRecord, model: LanguageModel, report: ExtractionReport) -> None:
    language = record.language
    reply = model.complete(ModelRequest(record.title, lambda budget: extraction.instructions(language, budget), record.digest, ANSWER_CHARACTERS))
    report.tokens = reply.tokens if report.tokens is None else report.tokens + reply.tokens
    items, dropped = extraction.read(reply.text, record.title)
    kept = grounded(record, items, model.name, dropped)
    head = ExtractionLine(record.session, model.name, base.clock.now(), len(kept), dict(sorted(dropped.items())))
    extracted.append(base.layout, base.key(), head, kept, base.clock)
    report.read.append((record.session, kept, head.dropped))


def grounded(record: SessionRecord, items: Sequence[ExtractedItem], by: str, dropped: Counter[str]) -> list[ExtractedLine]:
    """Return the items that the session bears out, each with the place of its quote. The others are counted in `dropped`."""
    kept: dict[tuple[str, str], ExtractedLine] = {}
    for item in items:
        piece = _source(record, item)
        if isinstance(piece, str):
            dropped[piece] += 1
        elif (item.kind, item.text) in kept:
            dropped[DUPLICATE] += 1
        else:
            files = tuple(name for name in item.files if record.has_file(name))
            kept[item.kind, item.text] = ExtractedLine(record.session, by, item.kind, item.text, item.heading, item.quote, files, piece.source)
    return list(kept.values())


def _source(record: SessionRecord, item: ExtractedItem) -> SaidPiece | str:
    """Return the text that an item quotes, or why it is dropped."""
    pieces = list(record.quoted(item.quote))
    if not pieces:
        return QUOTE
    if item.kind == RULE:
        pieces = [piece for piece in pieces if piece.who == PERSON]
        if not pieces:
            return NOT_A_PERSON
    words = set(content_terms(f"{item.heading} {item.text}"))
    return next((piece for piece in pieces if not words.isdisjoint(content_terms(piece.text))), UNRELATED)


class SaidPiece(Value):
    """One text of a session. who: `person`, `answer` (the end of a turn) or `remark` (within a turn)."""

    who: str
    text: str
    source: QuoteSource


class SessionRecord:
    """What was said in one session, in the order of the log, redacted and without the paths of this machine; and the files that its calls touched.

    at: instant (ms) of its last line
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
                line = f"{_WHO[speaker]}: {unmarked(excerpt(piece.text, _LONGEST[speaker]))}"
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


def recorded_session(base: CycleContext, name: str) -> SessionRecord:
    """Return what was said in one session, as far as everybody may see it. Pasted text, calls and their output are not part of it.

    name: of its log, as `log.events.names` lists it
    """
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
    for speaker, part, text in texts:
        if text.strip():
            yield SaidPiece(speaker, redact(text, None).strip(), QuoteSource(event.id, event.offset, part, event.at))
