"""`memorybank archive list|show|restore`."""

import sys
from collections import Counter
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import InstantType, completing, limit_option, quiet_option
from memorybank.cli.page import Card
from memorybank.cli.rotation_report import raise_most_severe, restore_remark
from memorybank.clock import isoformat, local_day_of
from memorybank.errors import NewerFormat
from memorybank.text.quantities import counted, size
from memorybank.text.words.similarity import folded

if TYPE_CHECKING:
    from memorybank.archive.object import ArchiveObject

COLUMNS = (*output.columns("id", "archived", "restored"), *output.columns("importance", "size", right=True), *output.columns("rule", "note", "title"))


@completing
def complete_archived(call: CommandCall, typed: str) -> dict[str, str | None]:
    """Complete the ids of archived notes, and their last 8 digits once something is typed. Reads file names only."""
    from memorybank.archive import store

    ids = [name.rpartition("/")[2].removesuffix(".json") for name in store.names(call.layout()) if name.endswith(".json")]
    digits = Counter(each[-8:] for each in ids)
    return dict.fromkeys([*ids, *(each for each in digits if typed and digits[each] == 1)])


@click.group(
    epilog=examples(
        "memorybank archive list --since -30d",
        "memorybank archive show 1a2b3c4d",
        "memorybank archive restore 1a2b3c4d 5e6f7a8b",
        "memorybank search --archive staging          finds archived notes by words",
    )
)
def command() -> None:
    """Inspect the archive and restore notes.

    Name an archived note by its id, by the last 8 digits of the id, or by its former key if only one archived note had it.
    """


@command.command(
    "list",
    epilog=examples("memorybank archive list", "memorybank archive list --topic release --since 2025-01-01", "memorybank archive list --format json"),
)
@click.option("--topic", metavar="TOPIC", help="Only notes with this topic.")
@click.option("--category", metavar="FOLDER", help="Only notes that were in this folder of active/.")
@click.option("--since", type=InstantType(), metavar="WHEN", help="Only notes archived on or after this day: 2025-09-01, -30d.")
@click.option("--until", type=InstantType(end_of_day=True), metavar="WHEN", help="Only notes archived on or before this day.")
@limit_option("Only the N newest notes.")
@output.format_option()
@click.pass_obj
def show_list(call: CommandCall, topic: str | None, category: str | None, since: int | None, until: int | None, limit: int | None, form: str) -> None:
    """List archived notes, the newest first, also those that were restored since: the archive keeps their copies."""

    def wanted(each: "ArchiveObject") -> bool:
        return (
            (topic is None or folded(topic) in map(folded, each.topics))
            and (category is None or normalize("NFC", each.original_path.partition("/")[0]) == normalize("NFC", category))
            and (since is None or each.archived_at >= since)
            and (until is None or each.archived_at <= until)
        )

    archive = call.open(read_only=True).archive
    objects, problems = archive.listing()
    shown = [each for each in reversed(objects) if wanted(each)][:limit]
    digits = Counter(each.id[-8:] for each in objects)
    returned = archive.returned()

    def cells(each: "ArchiveObject") -> tuple[object, ...]:
        return _cells(each, returned.get(each.object_path))

    def card(each: "ArchiveObject") -> Card:
        return _card(each, returned.get(each.object_path), is_unique=digits[each.id[-8:]] == 1, is_expiring=archive.is_expiring)

    fields = [{**each.to_json(), "restored_at": isoformat(at) if (at := returned.get(each.object_path)) is not None else None} for each in shown]
    page.listing(form, shown, COLUMNS, cells, card, fields, empty="no archived notes")
    newer = sum(problem.code == NewerFormat.code for problem in problems)
    if newer:
        output.notice(f"{counted(newer, 'archived note')} not listed: written by a newer memorybank; upgrade memorybank to see more")
    if len(problems) > newer:
        output.notice(f"{counted(len(problems) - newer, 'sidecar')} cannot be read; 'memorybank verify' shows what is wrong")


@command.command(
    "show",
    short_help="Print an archived note.",
    epilog=examples(
        "memorybank archive show 1a2b3c4d",
        "memorybank archive show planning/old-plan.md > old-plan.md",
        "memorybank archive show 1a2b3c4d --format json",
    ),
)
@click.argument("name", metavar="ID", shell_complete=complete_archived)
@output.text_format_option("The text of the note, or a JSON object.", "markdown")
@click.pass_obj
def show(call: CommandCall, name: str, form: str) -> None:
    """Print an archived note after checking every digest. A pipe or file receives exactly its bytes."""
    described, data = call.open(read_only=True).archive.show(name)
    text = data.decode("utf-8", "replace")
    if form == "json":
        output.write_json({**described.to_json(), "text": text})
    elif sys.stdout.isatty():
        output.write_text(text)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


@command.command(
    "restore",
    short_help="Restore archived notes.",
    epilog=examples("memorybank archive restore 1a2b3c4d", "memorybank archive restore planning/old-plan.md shared/用語集.md"),
)
@click.argument("names", nargs=-1, required=True, metavar="ID...", shell_complete=complete_archived)
@output.text_format_option("One key per line, or a JSON list.")
@quiet_option
@click.pass_obj
def restore(call: CommandCall, names: tuple[str, ...], form: str) -> None:
    """Restore archived notes, byte for byte, with their dates, and print their new keys.

    No note is replaced: if the path is taken, the note is restored as NAME~DIGEST.md. The archive keeps its copy.
    """
    returned, errors = call.open().archive.restore_all(names)
    if not output.as_json(form, [note.to_json() for note in returned]):
        for note in returned:
            output.write(output.clean(note.key) + "\n")
            special = restore_remark(note)
            if special:
                output.notice(f"{note.key}: {special}")
    if len(errors) > 1:
        for name, error in errors:
            output.notice(f"not restored: {name}: {error.message}")
    raise_most_severe(errors)


def _cells(each: "ArchiveObject", returned: int | None) -> tuple[object, ...]:
    back = local_day_of(returned) if returned is not None else None
    return each.id, local_day_of(each.archived_at), back, each.importance, size(each.size), each.rule, each.original_path, each.title


def _card(each: "ArchiveObject", returned: int | None, *, is_unique: bool, is_expiring: bool) -> Card:
    """Return the card of a note, named by the last 8 digits of its id if no other archived note has them."""
    kept = f", may be deleted from {local_day_of(each.delete_after)}" if is_expiring and each.delete_after is not None else ""
    back = f", restored {local_day_of(returned)}" if returned is not None else ""
    about = f"archived {local_day_of(each.archived_at)}{back}, importance {each.importance:.1f}, {size(each.size)}{kept}"
    title = [each.title] if each.title != each.original_path.rpartition("/")[2].removesuffix(".md") else []
    lines = (*title, f"{each.rule}: {each.reason}", about)
    return Card(each.id[-8:], each.original_path, lines) if is_unique else Card("-", each.original_path, (*lines, each.id))
