"""The commands that keep archive and backups in order: `memorybank maintain` and `verify`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import quiet_option, yes_option
from memorybank.cli.page import Fact, fail_on_errors, print_findings
from memorybank.cli.rotation_report import needed_text, raise_most_severe, recovery_facts, show_report
from memorybank.clock import minute_of
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.bank.team import TeamExchangeReport
    from memorybank.rotation.maintain import MaintainReport
    from memorybank.rotation.verify import VerifyReport


@click.command(
    epilog=examples(
        "memorybank maintain                    runs what is due, without questions",
        "0 6 * * * cd ~/project && memorybank maintain --format json        a line for cron",
    )
)
@yes_option("Run even if the clock disagrees with the logs. The brake still applies.")
@output.format_option()
@quiet_option
@click.pass_obj
def command(call: CommandCall, yes: bool, form: str) -> None:
    """Run all due maintenance: rotation, expired archive objects and backups, leftovers of killed commands.

    Notes leave only when active/ is over rotation.pressure (300 notes, 5 MB, 100 session notes): the least important ones of those that the rules allow to
    leave, and no more than necessary. With 'unattended: by_rules' in rotation_config.json, all rules whose interval has passed are applied instead.

    In a bank that is connected to a team, what waits is sent, what may not be shared any more is withdrawn, and what others shared is fetched ('team').

    Full texts in the event logs that are older than `record.text_days` are blanked, and logs without an event for `record.compress_days` are compressed. The
    command is made to run unattended: of a large rotation only the first 10 notes or 50 MB are archived; 'memorybank rotate' shows the rest and asks.
    """
    bank = call.open()
    report = bank.rotation.maintain(yes=yes)
    exchanged = bank.team.exchange()
    if not output.as_json(form, {**report.to_json(), "team": exchanged.to_json() if exchanged is not None else None}):
        _show_maintained(report, exchanged, form)
    fail_on_errors(report.backups.findings)
    errors = [*report.recovery.errors, *(error for rotation in report.rotations for error in rotation.errors)]
    raise_most_severe(errors)


def _show_maintained(report: "MaintainReport", exchanged: "TeamExchangeReport | None", form: str) -> None:
    page.facts(form, [*_maintain_facts(report), *_team_facts(exchanged)])
    for rotation in report.rotations:
        page.say("", f"Rotation, type {rotation.rotation_type}", "")
        show_report(rotation, form, every=False)
    print_findings(report.backups.findings, form)


def _needed(report: "MaintainReport") -> int:
    """Return how many notes had to leave: those that left, those that stayed because of an error or a change, and those that the brake left."""
    return sum(len(rotation.rotated) + len(rotation.stayed) + rotation.remaining for rotation in report.rotations)


def _announced(count: int) -> str:
    from memorybank.log.rotation_state import OBSERVED_DAYS

    return f"{counted(count, 'archive object')} will be deleted after {OBSERVED_DAYS} later days with maintenance; bookmark a note to keep its object"


def _maintain_facts(report: "MaintainReport") -> list[Fact]:
    backups = report.backups
    removed = f"{counted(len(backups.compressed), 'file')} compressed, {len(backups.removed):,} removed, {size(backups.bytes_freed)} freed"
    return [
        ("rules run", ", ".join(report.evaluated) or "none"),
        *([("active notes", needed_text(_needed(report), report.occupancy, waits=report.grace is not None))] if report.occupancy else []),
        *([("grace", f"nothing leaves by its age {report.grace.text}")] if report.grace else []),
        *(("not due", f"{trigger}, until {minute_of(at)} UTC") for trigger, at in report.not_due.items()),
        *recovery_facts(report.recovery),
        ("archived", counted(sum(len(rotation.rotated) for rotation in report.rotations), "note")),
        *([("announced", _announced(len(report.announced)))] if report.announced else []),
        ("expired", f"{counted(len(report.deleted), 'archive object')} removed"),
        ("backups", removed),
        ("leftovers", f"{counted(report.removed_temps, 'temporary file')} removed"),
        *([("old texts", f"{counted(report.blanked_texts, 'text')} blanked in the event logs")] if report.blanked_texts else []),
        *([("old logs", _compressed_text(report))] if report.compressed_logs.logs else []),
        *(("warning", str(warning)) for warning in report.warnings),
    ]


def _compressed_text(report: "MaintainReport") -> str:
    logs = report.compressed_logs
    return f"{counted(logs.logs, 'event log')} compressed, {size(logs.before)} to {size(logs.after)}"


def _team_facts(exchanged: "TeamExchangeReport | None") -> list[Fact]:
    """Return a fact about the exchange with a team. The command succeeds even if the server does not answer: what waits is sent later."""
    if exchanged is None:
        return []
    if exchanged.error is not None:
        return [("team", f"{exchanged.error.message}; everything else was done, and the next 'maintain' tries again")]
    pushed = f"sent {exchanged.pushed.sent:,}, withdrew {exchanged.pushed.withdrawn:,}, " if exchanged.pushed is not None else ""
    received = f"received {exchanged.pulled.received:,}" if exchanged.pulled is not None else ""
    return [("team", f"{pushed}{received}")]


@click.command(
    epilog=examples(
        "memorybank verify                       exit code 0 if every byte is intact, otherwise 9",
        "memorybank verify --format json",
        "memorybank verify --repair              recreates lost sidecars from the rotation log",
        "memorybank verify --acknowledge         accepts what a removed worktree or a stash took with it, if it is complete elsewhere",
        "memorybank verify --unacknowledge       takes that back",
    )
)
@click.option("--repair", is_flag=True, help="First recreate missing or damaged sidecars from the rotation log; nothing else is changed.")
@click.option("--acknowledge", is_flag=True, help="Accept missing archived notes that are complete elsewhere: from now on they are warnings.")
@click.option("--unacknowledge", is_flag=True, help="Take all acknowledgements back.")
@output.format_option()
@click.pass_obj
def verify(call: CommandCall, repair: bool, acknowledge: bool, unacknowledge: bool, form: str) -> None:
    """Verify that the archive is intact: read every log line, sidecar and archived note, and compute every digest again.

    Nothing is changed and no derived file is used, so the command also works in a clone that has only the archive. The exit code is 9 if something is lost or
    damaged, and 0 if there are only warnings.

    A removed worktree or a stash takes archived notes with it that the rotation log lists. If such a note is complete elsewhere (as a note, in a backup,
    another worktree, a commit or a stash), --acknowledge accepts that. Every run looks it up again: if that copy is lost too, it is an error again.
    """
    if acknowledge and unacknowledge:
        raise click.UsageError("--acknowledge and --unacknowledge cannot be combined")
    if acknowledge:
        output.notice(f"{counted(len(call.open().archive.acknowledge()), 'missing archived note')} acknowledged")
    if unacknowledge:
        output.notice(f"{counted(len(call.open().archive.unacknowledge()), 'acknowledgement')} taken back")
    if repair:
        written = call.open().archive.repair()
        output.notice(f"{counted(len(written), 'sidecar')} recreated")
    report = call.open(read_only=True).archive.verify()
    if not output.as_json(form, report):
        _show_verified(report, form)
    fail_on_errors(report.findings)


def _show_verified(report: "VerifyReport", form: str) -> None:
    page.facts(
        form,
        [
            ("archived notes", f"{report.objects:,} intact, {size(report.bytes_read)}, from {counted(report.sidecars, 'sidecar')}"),
            ("log lines", f"{report.log_lines:,} read"),
            ("findings", f"{len(report.findings):,}" if report.findings else "none; every digest matches"),
        ],
    )
    print_findings(report.findings, form)
