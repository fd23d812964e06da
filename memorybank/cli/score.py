"""`memorybank score`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import as_of_option, key_argument, limit_option
from memorybank.cli.output import Column
from memorybank.cli.page import Card

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.scores import Explanation
    from memorybank.index.row import IndexedNote
    from memorybank.scoring.rank import ImportanceRank


_PARTS = ("text", "time", "access", "links", "rating")
_BEFORE_KEY = 50
"""Columns of a page that the table takes before the key."""


@click.command(
    epilog=examples(
        "memorybank score                          all notes, the most important first",
        "memorybank score planning/overview.md --explain",
        "memorybank score --as-of +60d --limit 10 --format json",
    )
)
@key_argument("keys", many=True, required=False)
@click.option("--explain", is_flag=True, help="Show each part with its weight and reason; the parts add up to the importance.")
@limit_option("Only the N most important notes.")
@as_of_option
@output.format_option()
@click.pass_obj
def command(call: CommandCall, keys: tuple[str, ...], explain: bool, limit: int | None, as_of: str | None, form: str) -> None:
    """Show how important notes are, from 0.0 to 10.0, with their rank among all active notes ("top 20 %").

    The importance is the weighted sum of five parts, each from 0 to 10: 0.4 text + 0.2 time + 0.2 access + 0.15 links + 0.05 rating
    (config/scoring_config.json; in JSON the parts are named content, temporal, access, relationship, user).
    """
    bank = call.open()
    notes = sorted(bank.scores.score(tuple(map(bank.notes.find, keys)), as_of=as_of), key=lambda note: (-note.importance, note.key))[:limit]
    ranks = bank.scores.ranks(as_of=as_of)
    if explain:
        _explain(bank, notes, ranks, as_of, form)
        return
    data = [{**output.note_fields(note, ranks), "parts": _part_fields(note), "reasons": list(note.breakdown.reasons)} for note in notes]

    def cells(note: "IndexedNote") -> tuple[object, ...]:
        return note.importance, ranks[note.importance].text, *_parts(note), note.key

    def card(note: "IndexedNote") -> Card:
        parts = ", ".join(f"{name} {value:.1f}" for name, value in zip(_PARTS, _parts(note), strict=True))
        return Card(f"{note.importance:.1f}", note.key, (f"{ranks[note.importance].text}: {parts}",))

    columns = (*output.columns("score", "rank", *_PARTS, right=True), Column("key"))
    is_narrow = output.is_page() and max((output.width(output.clean(note.key)) for note in notes), default=0) + _BEFORE_KEY > output.page_width()
    if is_narrow:
        page.listing(form, notes, columns, cells, card, data, empty="no notes", right=True)
    else:
        output.rows(form, columns, map(cells, notes), data, empty="no notes")


def _parts(note: "IndexedNote") -> tuple[float, ...]:
    parts = note.breakdown
    return parts.content, parts.temporal, parts.access, parts.relationship, parts.user


def _part_fields(note: "IndexedNote") -> dict[str, float]:
    return dict(zip(("content", "temporal", "access", "relationship", "user"), _parts(note), strict=True))


def _explain(bank: "Bank", notes: list["IndexedNote"], ranks: "dict[float, ImportanceRank]", as_of: str | None, form: str) -> None:
    explanations = [bank.scores.explain(note.key, as_of=as_of) for note in notes]
    if output.as_json(form, [_fields(explanation, ranks) for explanation in explanations]):
        return
    for position, explanation in enumerate(explanations):
        output.write(
            ("\n" if position else "")
            + f"{output.clean(explanation.note.key)}: {explanation.note.importance:.1f}, {ranks[explanation.note.importance].text}\n\n"
        )
        _table(explanation, form)


def _table(explanation: "Explanation", form: str) -> None:
    cells = [(part.name, f"{part.value:.4f}", f"{part.weight:g}", f"{part.contribution:.4f}", str(part.reason)) for part in explanation.contributions]
    columns = (Column("part"), *output.columns("value", "weight", "adds", right=True), Column("because", flexible=True))
    output.rows(form, columns, cells, None, empty="no parts")
    total = sum(part.contribution for part in explanation.contributions)
    output.write(f"\nsum {total:.4f}, rounded {explanation.note.importance:.1f}\n")


def _fields(explanation: "Explanation", ranks: "dict[float, ImportanceRank]") -> dict[str, object]:
    parts = [
        {
            "name": part.name,
            "value": round(part.value, 4),
            "weight": part.weight,
            "contribution": round(part.contribution, 4),
            "reason": str(part.reason),
            "code": part.reason.code,
        }
        for part in explanation.contributions
    ]
    return {**output.note_fields(explanation.note, ranks), "contributions": parts, "reasons": list(explanation.note.breakdown.reasons)}
