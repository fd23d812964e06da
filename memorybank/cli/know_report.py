"""Prints what `memorybank know extract` returns."""

from typing import TYPE_CHECKING

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.episodes_report import show_tokens
from memorybank.cli.output import Column
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.bank.extracting import SessionToRead
    from memorybank.cycle.finish.extraction import ExtractionReport
    from memorybank.summarize.summarizer import TokenPrice

_NOTHING = "nothing to read: nobody said anything there, or this model has read it; --again reads it again"
_WHY = {
    "form": "have another form",
    "length": "are empty or too long",
    "surplus": "are beyond the limit of one answer",
    "against_people": "address an agent behind its people's backs",
    "quote": "quote what the session does not contain",
    "not_a_person": "are rules that no person stated",
    "unrelated": "have nothing in common with their quote",
    "duplicate": "repeat another one",
}


def show_extraction_plan(waiting: "Sequence[SessionToRead]", to: str, form: str) -> None:
    """Print the sessions that would be read.

    to: host or program that would receive them
    """
    columns = (Column("session"), Column("last"), Column("characters", right=True))
    cells = [(one.session, clock.day_of(one.at), one.characters) for one in waiting]
    output.rows(form, columns, cells, {"to": to, "sessions": [one.to_json() for one in waiting]}, empty=_NOTHING)


def show_extraction_report(report: "ExtractionReport", form: str, price: "TokenPrice") -> None:
    """Print what a run recorded.

    price: price for a million tokens of the model
    """
    if form == "json":
        output.write_json(_as_json(report))
        return
    columns = (Column("session"), Column("kind"), Column("what", flexible=True))
    cells = [
        (session, item.item, output.clean(f"{item.heading}: {item.text}" if item.heading else item.text)) for session, items, _ in report.read for item in items
    ]
    empty = "" if report.failed else "the model named nothing that the sessions bear out" if report.read else _NOTHING
    output.rows(form, columns, cells, None, empty=empty)
    dropped: dict[str, int] = {}
    for _, _, reasons in report.read:
        for reason, count in reasons.items():
            dropped[reason] = dropped.get(reason, 0) + count
    if dropped:
        page.say(f"dropped: {'; '.join(f'{count} that {_WHY[reason]}' for reason, count in dropped.items())}")
    show_tokens(report.tokens, price)
    _show_failures(report)


def _show_failures(report: "ExtractionReport") -> None:
    """Print one notice for each kind of failure."""
    kinds: dict[str, list[str]] = {}
    for _, kind, message in report.failed:
        kinds.setdefault(kind, []).append(message)
    for kind, messages in kinds.items():
        more = f", and {counted(len(messages) - 1, 'other session')}" if len(messages) > 1 else ""
        output.notice(f"nothing was changed ({kind}): {output.clean(messages[0])}{more}")
    if report.left:
        output.notice(f"the model was busy; {counted(report.left, 'session')} not reached")


def _as_json(report: "ExtractionReport") -> dict[str, object]:
    read = [
        {
            "session": session,
            "items": [{"kind": one.item, "text": one.text, "heading": one.heading, "quote": one.quote, "files": list(one.files)} for one in items],
            "dropped": dropped,
        }
        for session, items, dropped in report.read
    ]
    return {
        "read": read,
        "failed": [{"session": session, "kind": kind, "message": message} for session, kind, message in report.failed],
        "left": report.left,
        "tokens": report.tokens and report.tokens.to_json(),
    }
