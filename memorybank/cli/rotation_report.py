"""Prints a RotationReport (what left, what stayed, how to undo it), and turns the errors of an incomplete run into an exit code."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memorybank.cli import page
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.cli.quantities import counted, size
from memorybank.errors import MemorybankError

if TYPE_CHECKING:
    from memorybank.rotation.recover import Recovery
    from memorybank.rotation.report import RotatedNote, RotationReport

COLUMNS = (Column("note"), Column("rule"), Column("reason"), Column("importance", right=True), Column("size", right=True), Column("archive id"))
_FINISHED = {
    "moved": "archived",
    "put_back": "put back because they had changed",
    "abandoned": "left where they are",
    "sidecars": "sidecars recreated",
    "deleted": "expired archive objects removed",
    "purged": "archived notes removed because their text was purged",
}


def show(report: "RotationReport", form: str, *, every: bool) -> None:
    """Print what a rotation did. JSON is up to the caller."""
    page.facts(form, _facts(report))
    page.first_rows(form, report.rotated, COLUMNS, _cells, _card, every=every, rest="'memorybank archive list' shows them")
    if report.rotation_id is not None and report.rotated:
        page.say("")
        page.facts(form, [("to undo it", f"memorybank undo {report.rotation_id}"), ("for one note", "memorybank archive restore ID")])


def _facts(report: "RotationReport") -> list[Fact]:
    if report.rotation_id is not None:
        done = f"{counted(len(report.rotated), 'note')}, {size(report.bytes_moved)}, in rotation {report.rotation_id}"
    elif report.remaining:
        done = "nothing"
    else:
        done = f"nothing of {counted(report.files_processed, 'note')}; 'memorybank rotate --dry-run' shows why each stays"
    later = f"{counted(report.remaining, 'note')} above the limit of the brake; 'memorybank rotate --dry-run' shows them"
    return [
        ("archived", done),
        *([("left for later", later)] if report.remaining else []),
        *(("stayed", f"{note.key} ({note.reason}): {note.message}") for note in report.stayed),
        *finished(report.recovery),
        *(("warning", warning) for warning in report.warnings),
    ]


def finished(recovery: "Recovery") -> list[Fact]:
    """Return what was left undone by an interrupted command and is finished now."""
    return [("finished from an earlier run", f"{len(found):,} {what}") for name, what in _FINISHED.items() if (found := getattr(recovery, name))]


def _cells(note: "RotatedNote") -> tuple[object, ...]:
    return note.key, note.rule, note.reason, note.importance, size(note.size), _archive_id(note)


def _card(note: "RotatedNote") -> Card:
    return Card(f"{note.importance:.1f}", note.key, (f"{note.rule}: {note.reason}", f"{size(note.size)}; archive id {_archive_id(note)[-8:]}"))


def _archive_id(note: "RotatedNote") -> str:
    return note.archive_path.rpartition("/")[2].removesuffix(".zst").removesuffix(".md")


def raise_gravest(errors: Iterable[tuple[str, MemorybankError]]) -> None:
    """Raise the error with the highest exit code, after a run that did what it could. Does nothing without errors.

    errors: pairs of (subject, error)
    """
    found = list(errors)
    if not found:
        return
    about, gravest = max(found, key=lambda pair: pair[1].exit_code)
    said = gravest.message if about in gravest.message else f"{about}: {gravest.message}"
    others = f"; and {counted(len(found) - 1, 'other error')}" if len(found) > 1 else ""
    raise type(gravest)(said + others, next_step=gravest.next_step)
