"""`memorybank index` and `memorybank rebuild`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.asking import require_consent_to_send
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import InstantTextType, complete_key, quiet_option, yes_option
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.errors import MemorybankError, NotFound, ValidationFailed
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.embedded import EmbeddingReport
    from memorybank.index.working import FoldReport


@click.command(
    epilog=examples(
        "memorybank index                                       what changed since the last run",
        "memorybank index --mode full",
        "memorybank index --mode selective planning/overview.md",
        "memorybank index --check                               exit code 9 if index and notes differ",
        "memorybank index --meaning                             make the vectors for search --type hybrid; asks before texts leave",
        "memorybank index --no-meaning                          delete these vectors",
    )
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", shell_complete=complete_key)
@click.option(
    "--mode",
    type=click.Choice(["full", "incremental", "selective"]),
    default="incremental",
    show_default=True,
    help="full: all notes; incremental: the changed notes; selective: only the named notes.",
)
@click.option("--publish", is_flag=True, help="Also write indexes/*.json after --mode selective, which otherwise leaves them unchanged.")
@click.option("--check", is_flag=True, help="Only compare the index with the notes; writes nothing, and exits with code 9 if they differ.")
@click.option("--optimize", is_flag=True, help="Compact the index file afterwards.")
@click.option(
    "--meaning/--no-meaning",
    default=None,
    help="Afterwards make the missing vectors with the embedder of your own settings, or delete all vectors. Default: neither.",
)
@yes_option("With --meaning: agree to send texts to the embedder; needed once for each bank and host.", name="agreed")
@output.format_option()
@quiet_option
@click.pass_obj
def command(
    call: CommandCall, paths: tuple[str, ...], mode: str, publish: bool, check: bool, optimize: bool, meaning: bool | None, agreed: bool, form: str
) -> None:
    """Update the working index and publish indexes/*.json.

    A search updates the index by itself. Run this command for the published files, or before the first search of a large bank.
    """
    if paths and mode != "selective":
        raise click.UsageError("PATH requires --mode selective")
    if mode == "selective" and not paths and not check:
        raise click.UsageError("--mode selective needs at least one PATH")
    if check and meaning is not None:
        raise click.UsageError("--check changes nothing, so it excludes --meaning and --no-meaning")
    if agreed and not meaning:
        raise click.UsageError("--yes requires --meaning")
    if check:
        _check(call.open(read_only=True), form)
        return
    bank = call.open()
    if meaning:
        bank.meaning.choice()  # a missing embedder is reported before anything is done
    with progress("indexing", call.clock) as step:
        report = bank.index.update(mode, paths, publish=True if publish else None, progress=step)
    if optimize:
        bank.index.optimize()
    if meaning is not None:
        made = _make_vectors(call, bank, agreed=agreed) if meaning else bank.meaning.delete()
    _print_report(report, form, {} if meaning is None else {"meaning": made if isinstance(made, bool) else made.to_json()})
    if form != "json" and meaning is not None:
        output.write(f"{made.text if not isinstance(made, bool) else 'the vectors are deleted' if made else 'there were no vectors'}\n")


@click.command(
    epilog=examples(
        "memorybank rebuild",
        "memorybank rebuild --as-of 2025-12-31T00:00:00Z --format json",
    )
)
@click.option("--as-of", type=InstantTextType(), metavar="WHEN", help="Calculate scores as of this day, and write it to last_updated.")
@output.format_option()
@quiet_option
@click.pass_obj
def rebuild(call: CommandCall, as_of: str | None, form: str) -> None:
    """Regenerate all derived files: cache, indexes, metadata, archive catalogues.

    Notes, archive and logs are only read. The same files and the same --as-of give the same result, byte for byte.
    """
    bank = call.open()
    with progress("rebuilding", call.clock) as step:
        report = bank.index.rebuild(as_of=as_of, progress=step)
    _print_report(report, form)


def take_in(call: CommandCall) -> int:
    """Index the notes that the index lacks, for a command after which hooks should recall. Return how many were new or changed.

    An error becomes a notice, because the command itself has done its work.
    """
    from memorybank.storage.layout import has_notes

    try:
        layout = call.layout()
        if not has_notes(layout):
            return 0
        report = call.open().index.sweep()
    except NotFound:  # hooks for all projects of a person, installed outside a bank
        return 0
    except MemorybankError as error:
        output.notice(f"the notes are not indexed: {error.message}; run 'memorybank index' when that is repaired")
        return 0
    finally:
        call.close()
    return report.altered


def _make_vectors(call: CommandCall, bank: "Bank", *, agreed: bool) -> "EmbeddingReport":
    """Make the missing vectors, after asking once for each bank and host."""
    meaning = bank.meaning
    if not meaning.has_consent():
        choice, pending, kept_at = meaning.choice(), meaning.pending(), meaning.store().leaves_by
        require_consent_to_send(
            f"{choice.name}: {counted(pending.passages, 'passage')}, about {pending.characters:,} characters of notes and episodes that everybody may see, "
            f"and the text of later searches by meaning would be sent to {choice.leaves_by}"
            f"{f'; {kept_at} would keep these passages and their vectors' if kept_at else ''}",
            agreed=agreed,
        )
        meaning.give_consent()
    with progress("embedding", call.clock) as step:
        return meaning.update(progress=step)


def _check(bank: "Bank", form: str) -> None:
    problems = bank.index.check()
    cells = [(problem.path, problem.code, problem.message) for problem in problems]
    data = [problem.to_json() for problem in problems]
    output.rows(form, (Column("path"), Column("code"), Column("problem", flexible=True)), cells, data, empty="index and notes agree")
    if problems:
        raise ValidationFailed(f"the index differs from the notes in {counted(len(problems), 'place')}", next_step="'memorybank index' updates it")


def _print_report(report: "FoldReport", form: str, more: "dict[str, object] | None" = None) -> None:
    """Print the counts of an update, and a notice with the number of problems. more: further members of the JSON object"""
    fields = {name: getattr(report, name) for name in ("found", "read", "added", "changed", "removed", "rescored")}
    data = {**fields, "problems": [problem.to_json() for problem in report.problems], **(more or {})}
    if output.as_json(form, data):
        return
    did = ", ".join(f"{count:,} {name}" for name, count in fields.items() if name != "found" and count)
    output.write(f"{counted(report.found, 'note')}: {did or 'nothing changed'}\n")
    if report.problems:
        output.notice(f"{counted(len(report.problems), 'problem')}; 'memorybank list --problems' shows them")
