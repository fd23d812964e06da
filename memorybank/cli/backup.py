"""`memorybank backup`: the backups of rotated notes, and moving what only this machine has to another machine.

The passphrase comes from a hidden prompt, a file descriptor or the keyring, never from an argument, which other users of the machine can read.
"""

import importlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import NumberType, yes_option
from memorybank.cli.output import Column
from memorybank.cli.page import Fact, fail_on_errors, print_findings
from memorybank.clock import local_day_of, minute_of
from memorybank.errors import MissingExtra, UsageError
from memorybank.installed import extra_command
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.bank.transfer import ExportReport
    from memorybank.transfer.merging import ImportPlan, ImportStep

SERVICE, USER = "memorybank", "backup"
_Command = TypeVar("_Command", bound=Callable[..., Any])
_MOST_BYTES = 1 << 12


def passphrase_options(function: _Command) -> _Command:
    """Add the options `--passphrase-fd` and `--keyring`."""
    function = click.option("--keyring", is_flag=True, help=f"Take the passphrase from the keyring (keyring set {SERVICE} {USER}).")(function)
    return click.option("--passphrase-fd", type=NumberType(0, (1 << 31) - 1), metavar="N", help="Read the passphrase from this file descriptor.")(function)


def read_passphrase(descriptor: int | None, keyring: bool, *, is_new: bool = False) -> str:
    """Return the passphrase. Raises `UsageError` if there is none and nobody can be asked.

    is_new: whether a person has to type it twice
    """
    if descriptor is not None and keyring:
        raise UsageError("--passphrase-fd and --keyring cannot be combined", next_step="choose one of them")
    if descriptor is not None:
        return _from_descriptor(descriptor)
    if keyring:
        return _from_keyring()
    if not sys.stdin.isatty():
        raise UsageError("a passphrase is needed, and nobody can be asked", next_step="use --passphrase-fd N or --keyring, or run the command in a terminal")
    given: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new, err=True)
    return given


def _from_descriptor(descriptor: int) -> str:
    try:
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"file descriptor {descriptor} cannot be read: {error.strerror}", next_step="open it for the command, as in: 3< FILE") from None
    text = data.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if not text or len(data) > _MOST_BYTES:
        raise UsageError(f"file descriptor {descriptor} contains no passphrase", next_step="write it on the first line, at most 4,096 bytes")
    return text


def _from_keyring() -> str:
    try:
        library = importlib.import_module("keyring")
    except ImportError:
        raise MissingExtra("the package 'keyring' is not installed", next_step=f"install it with: {extra_command('backup')}") from None
    try:
        found = str(library.get_password(SERVICE, USER) or "")
    except Exception as error:  # each backend raises errors of its own
        raise UsageError(f"the keyring cannot be opened ({type(error).__name__})", next_step="use --passphrase-fd N, or type the passphrase") from None
    if not found:
        raise UsageError("the keyring has no passphrase", next_step=f"store one with: keyring set {SERVICE} {USER}")
    return found


@click.group(
    "backup",
    epilog=examples(
        "memorybank backup list",
        "memorybank backup prune",
        "memorybank backup export ~/memory.age",
        "memorybank backup import ~/memory.age --dry-run",
    ),
)
def command() -> None:
    """Keep the backups of rotations in order, and move this machine's own files to another machine.

    A rotation moves original files to backups/ on this machine. They expire automatically (backup_policy). The archive, which is committed, also keeps
    every note.

    'export' writes what git does not move (event logs, their key, the learned policy, backups, your decision to trust the bank) to one encrypted file;
    'import' adds it to the bank of another machine and replaces nothing there.
    """


@command.command("list", short_help="List the backups of each rotation.", epilog=examples("memorybank backup list --format json"))
@output.format_option()
@click.pass_obj
def backup_list(call: CommandCall, form: str) -> None:
    """List the backups of each rotation, oldest first, and when they expire.

    'edited' counts files that were edited after the rotation. They are never removed, and 'undo' restores the edited text.
    """
    found = call.open(read_only=True).backups.list()
    columns = (Column("rotation"), Column("expires"), *output.columns("files", "size", "packed", "missing", "edited", right=True))
    cells = [(each.rotation_id, local_day_of(each.expires_at), each.files, size(each.size), each.compressed, each.missing, len(each.edited)) for each in found]
    output.rows(form, columns, cells, [each.to_json() for each in found], empty="no backups")


@command.command(
    "prune",
    short_help="Compress or remove the backups that are due.",
    epilog=examples("memorybank backup prune", "memorybank backup prune --format json"),
)
@yes_option("Run even if the clock disagrees with the logs.")
@output.format_option()
@click.pass_obj
def backup_prune(call: CommandCall, yes: bool, form: str) -> None:
    """Compress backups that are older than a day, and remove those that have expired.

    Only files that the log recorded as they are now are touched: one that was edited since, or whose archived copy is damaged, is reported and kept.
    """
    report = call.open().backups.prune(yes=yes)
    if form == "json":
        fields = {"compressed": report.compressed, "removed": report.removed, "bytes_freed": report.bytes_freed}
        output.write_json({**fields, "findings": [found.to_json() for found in report.findings]})
    else:
        page.say(f"{counted(len(report.compressed), 'backup')} compressed, {len(report.removed):,} removed, {size(report.bytes_freed)} freed")
        print_findings(report.findings, form)
    fail_on_errors(report.findings)


@command.command(
    "export",
    short_help="Write this machine's own files to one encrypted file.",
    epilog=examples(
        "memorybank backup export ~/memory.age",
        "memorybank backup export ~/memory.age --dry-run          lists what it would contain",
        "memorybank backup export ~/memory.age --passphrase-fd 3 3< ~/passphrase",
    ),
)
@click.argument("file", type=click.Path())
@click.option("-n", "--dry-run", is_flag=True, help="List what the export would contain, and write nothing.")
@passphrase_options
@output.format_option()
@click.pass_obj
def export(call: CommandCall, file: str, dry_run: bool, passphrase_fd: int | None, keyring: bool, form: str) -> None:
    """Write what only this machine has of the bank to FILE, encrypted with a passphrase.

    \b
    - event logs with their key, what sessions taught, the learned policy
    - the logs of changes, rotations and reading, and the backups that they name
    - your decision to trust the bank
    - outside git, and where git ignores the bank: also notes, archive, episodes and settings

    FILE must be new and outside the bank. It is a standard file of 'age', so it can also be opened without memorybank: 'age -d FILE | zstd -d | tar -t'.
    Texts in it are redacted as in the logs. A later 'purge' does not reach it: delete exports that you no longer need.
    """
    bank = call.open(read_only=True)
    passphrase = "" if dry_run else read_passphrase(passphrase_fd, keyring, is_new=True)
    report = bank.transfer.export(file, passphrase, dry_run=dry_run)
    if not output.as_json(form, report):
        page.facts(form, _export_facts(report))


@command.command(
    "import",
    short_help="Add another machine's files to this bank.",
    epilog=examples(
        "memorybank backup import ~/memory.age --dry-run          verifies the file and shows the plan",
        "memorybank backup import ~/memory.age",
        "memorybank backup import ~/memory.age --format json",
    ),
)
@click.argument("file", type=click.Path())
@click.option("-n", "--dry-run", is_flag=True, help="Verify the file and show the plan, and change nothing.")
@passphrase_options
@output.format_option()
@click.pass_obj
def import_(call: CommandCall, file: str, dry_run: bool, passphrase_fd: int | None, keyring: bool, form: str) -> None:
    """Add what 'memorybank backup export' wrote on another machine to this bank. Nothing that this machine has is replaced.

    Every digest is verified before anything is written. Lines of logs are merged by their ids. If this machine has a key of its own, the lines are verified
    with the key of the export and signed again with its own. Logs that cannot be merged (policy, rotations, changes) are taken only if this machine has none.

    Run it after 'git pull' has brought the notes and the archive. Repeating an interrupted import completes it.
    """
    bank = call.open(read_only=dry_run)
    plan = bank.transfer.plan(file, read_passphrase(passphrase_fd, keyring))
    if not dry_run:
        bank.transfer.carry_out(plan)
    if output.as_json(form, {"dry_run": dry_run, **plan.to_json()}):
        return
    page.facts(form, _import_facts(plan, dry_run))
    left = _left(plan.steps)
    if left:
        page.say("")
        output.rows(form, output.columns("not taken", "files", "reason"), left, [], empty="")


def _export_facts(report: "ExportReport") -> list[Fact]:
    what = ["event logs", "key", "logs"] if report.sessions else ["logs"]
    what += [name for name, is_there in (("notes", report.has_notes), ("decision to trust the bank", report.has_trust)) if is_there]
    return [
        ("file", f"{report.path} ({size(report.size)}, encrypted)" if report.path else "nothing was written (--dry-run)"),
        ("sessions", f"{report.sessions:,}"),
        ("files", f"{len(report.files):,}, {size(report.plain)} before compression"),
        ("contains", ", ".join(what)),
    ]


_KEYS = {
    "new": "taken from the export",
    "same": "the same on both machines",
    "other": "this machine keeps its own; lines are signed again with it",
    "none": "the export has none",
}


def _import_facts(plan: "ImportPlan", dry_run: bool) -> list[Fact]:
    would = "would be " if dry_run else ""
    sessions = [step for step in plan.steps if step.path.startswith("log/events/")]
    others = [step for step in plan.steps if step not in sessions and step.path != "log/.key"]
    return [
        ("export of", f"{plan.export.project}, {minute_of(plan.export.at)} UTC, memorybank {plan.export.made_by}; every digest matches"),
        ("key", _KEYS[plan.key]),
        ("sessions", _counts(sessions, would)),
        ("other files", _counts(others, would)),
        (
            "trust",
            f"the decision of the export {'would be' if dry_run else 'is'} taken over" if plan.trust is not None else "this machine's own decision stays",
        ),
        *([("changed", "nothing (--dry-run)")] if dry_run else []),
    ]


def _counts(steps: "list[ImportStep]", would: str) -> str:
    words = (("create", f"{would}new"), ("add", f"{would}continued"), ("same", "already here"), ("left", "not taken"))
    found = [f"{sum(step.action == action for step in steps):,} {word}" for action, word in words if any(step.action == action for step in steps)]
    lines = sum(step.lines for step in steps)
    return ", ".join(found) + (f"; {counted(lines, 'line')}" if lines else "") if found else "none"


def _left(steps: "tuple[ImportStep, ...]") -> list[tuple[str, int, str]]:
    """Return (the first path as an example, number of files, reason) for each reason why files are left."""
    grouped: dict[str, list[str]] = {}
    for step in steps:
        if step.action == "left" and step.path != "log/.key":
            grouped.setdefault(step.reason, []).append(step.path)
    return [(paths[0], len(paths), reason) for reason, paths in grouped.items()]
