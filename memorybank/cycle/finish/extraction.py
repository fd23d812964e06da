"""Extraction: a model of the person's choice names rules, findings and reasons of sessions, and what it can quote is recorded.

Every item must quote the session: its quote occurs in one recorded text, that of a rule in what a person typed, and item and text have words in common.
Everything else is dropped and counted. A session whose answer failed stays as it was.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import session_record
from memorybank.cycle.finish.session_record import PERSON, SaidPiece, SessionRecord
from memorybank.log import events, extracted
from memorybank.log.extracted import ExtractedLine, ExtractionLine
from memorybank.storage.lock import Lock
from memorybank.summarize import extraction
from memorybank.summarize.extraction import RULE, ExtractedItem
from memorybank.summarize.summarizer import LanguageModel, ModelRequest, SummarizerBusy, SummaryRefused, Tokens
from memorybank.text.terms import content_terms

COMMAND = "memorybank know extract"
ANSWER_CHARACTERS = 8_000
"""Characters that the model may answer with."""
MOST_BUSY = 3
"""Number of consecutive sessions with a busy model that end the run."""
QUOTE, NOT_A_PERSON, UNRELATED, DUPLICATE = "quote", "not_a_person", "unrelated", "duplicate"
"""Why an item is dropped: its quote is not in the log; the quote of a rule is not from a person; it has no word of the text that it quotes; it repeats
another item."""
BUSY = "busy"


@dataclass(slots=True)
class ExtractionReport:
    """The result of a run.

    read: (session, items of it, {reason: number of dropped items})
    failed: (session, kind, message)
    left: number of sessions that were not reached
    """

    read: list[tuple[str, list[ExtractedLine], dict[str, int]]] = field(default_factory=list)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    tokens: Tokens | None = None
    left: int = 0


def due(base: CycleContext, names: Sequence[str], by: str, *, again: bool) -> list[SessionRecord]:
    """Return the sessions in which something was said and that this model has not read.

    names: names of the logs
    by: name of the model
    again: whether to include sessions that it has read before
    """
    key = base.existing_key()
    known = extracted.sessions(base.layout, key, by) if key is not None and not again else frozenset()
    done = {events.name_of(session) for session in known}
    return [record for name in names if name not in done and (record := session_record.read(base, name)).pieces]


def run(
    base: CycleContext, names: Sequence[str], model: LanguageModel, *, again: bool = False, step: Callable[[int, int], None] = lambda done, total: None
) -> ExtractionReport:
    """Ask the model about the sessions that are due. The items of each are recorded as soon as its answer arrives.

    names, again: as for `due`
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
    """Return the items that the session bears out, each with the place of its quote.

    dropped: the others are counted here
    """
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
