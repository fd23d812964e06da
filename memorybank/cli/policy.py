"""`memorybank policy show|history|diff|set|rollback|freeze`."""

from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import NumberType, limit_option
from memorybank.cli.output import Column
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.policy import PolicyChange
    from memorybank.cycle.policy import PolicyRecord
    from memorybank.log.policy import RefusedRecord

_REASON = click.option("--reason", default="", metavar="TEXT", help="Reason in your own words; it is kept in the history.")


@click.group(
    epilog=examples(
        "memorybank policy show",
        "memorybank policy history",
        "memorybank policy diff 3 5",
        'memorybank policy set top_k 3 --reason "less is more here"',
        "memorybank policy rollback 3",
        "memorybank policy freeze",
    )
)
def command() -> None:
    """Show how recall weighs and chooses memories and what it learned, and roll that back.

    At the end of a session recall learns from what was used, in small steps. Each step is a record in log/policy.jsonl with its evidence. Values that the
    settings pin (policy.pin) never change, and a changed setting takes precedence over what was learned.
    """


@command.command("show", short_help="Show the policy in force.", epilog=examples("memorybank policy show --format json"))
@output.format_option()
@click.pass_obj
def show(call: CommandCall, form: str) -> None:
    """Show each value in force, its value in the settings, and what is excluded."""
    state = call.open(read_only=True).policy.state()
    columns = (Column("key"), Column("in force", right=True), Column("settings", right=True), Column("from"))
    cells = [(one.key, _number(one.value), _number(one.configured), one.source) for one in state.settings]
    fields = state.to_json()
    output.rows(form, columns, cells, {"policy_version": fields.pop("version"), **fields}, empty="")
    if form != "json":
        record, nothing = state.record, "nothing has been learned yet; the settings apply"
        in_force = f"version {record.version}, {clock.minute_of(record.at)}" if record.version else nothing
        page.say("", f"{in_force}; learning is {'on' if state.learning else 'off'}")
        for occasion in state.exclusions:
            page.say(f"excluded: {occasion} (shown again when it would have been used)")
        for pattern in state.ignored_exclusions:
            page.say(f"ignored: {pattern} (from an earlier version; the next change of the policy removes it)")
    _print_refused(state.refused)


@command.command("history", short_help="List every change, newest last.", epilog=examples("memorybank policy history --format json"))
@limit_option("Maximum number of changes, the newest ones.", default=20)
@output.format_option()
@click.pass_obj
def history(call: CommandCall, limit: int, form: str) -> None:
    """List the records of log/policy.jsonl: when, who, which session, and why."""
    from memorybank.bank.policy import to_json

    records, refused = call.open(read_only=True).policy.history()
    columns = (Column("version", right=True), Column("when"), Column("by"), Column("session"), Column("why", flexible=True))
    newest = records[-limit:]
    cells = [(one.version, clock.minute_of(one.at), one.by, one.session[:8], output.clean(one.reason)) for one in newest]
    output.rows(form, columns, cells, [to_json(one) for one in newest], empty="nothing has been learned or set yet")
    _print_refused(refused)


@command.command("diff", short_help="Show what differs between two versions.", epilog=examples("memorybank policy diff 0 4"))
@click.argument("before", type=NumberType(min=0))
@click.argument("after", type=NumberType(min=0))
@output.format_option()
@click.pass_obj
def diff(call: CommandCall, before: int, after: int, form: str) -> None:
    """Show the values that differ between the versions BEFORE and AFTER; version 0 is the settings."""
    _print_changes(call.open(read_only=True).policy.diff(before, after), form, empty=f"versions {before} and {after} are the same")


@command.command(
    "set",
    short_help="Set a value yourself.",
    epilog=examples('memorybank policy set min_match 0.3 --reason "too chatty"', 'memorybank policy set exclusions topic@prompt --reason "we know our topics"'),
)
@click.argument("key")
@click.argument("value")
@_REASON
@click.pass_obj
def set_(call: CommandCall, key: str, value: str, reason: str) -> None:
    """Set one KEY of 'policy show', or 'exclusions'.

    Exclusions are occasions on which a kind of memory is not shown, such as finding@prompt, separated by commas; 'none' removes all of them.
    Kinds: finding, session, topic. Problems, rules and notes are always shown.

    The other weights of the same group are adjusted, so that they sum to 1. Learning continues from there; policy.pin in the settings keeps a
    value unchanged.
    """
    policies = call.open().policy
    before = policies.state().record
    _print_new(policies.set(key, value, reason or f"{key} set by hand"), before)


@command.command("rollback", short_help="Restore an earlier version.", epilog=examples("memorybank policy rollback 3", "memorybank policy rollback 0"))
@click.argument("version", type=NumberType(min=0))
@_REASON
@click.pass_obj
def rollback(call: CommandCall, version: int, reason: str) -> None:
    """Restore VERSION as a new record; 0 is the settings. The history stays complete.

    Learning continues from there; 'memorybank policy freeze' stops it.
    """
    policies = call.open().policy
    before = policies.state().record
    record = policies.rollback(version, reason)
    if record.version == before.version:
        page.say(f"nothing to roll back: version {version} has the values that are in force; nothing was changed")
        return
    _print_new(record, before)


@command.command("freeze", short_help="Stop or resume learning.", epilog=examples("memorybank policy freeze", "memorybank policy freeze --off"))
@click.option("--off", is_flag=True, help="Resume learning.")
@_REASON
@click.pass_obj
def freeze(call: CommandCall, off: bool, reason: str) -> None:
    """Stop learning from sessions; the policy in force stays. The switch phases.improve in the settings does the same for everybody."""
    policies = call.open().policy
    record = policies.freeze(not off, reason)
    output.write(f"version {record.version}: {'learning is off' if record.frozen else 'learning is on'}\n")
    if record.frozen:
        output.notice("'memorybank policy freeze --off' resumes learning")


def _print_new(record: "PolicyRecord", before: "PolicyRecord") -> None:
    from memorybank.bank.policy import changes

    page.say(f"version {record.version}: {record.reason}")
    _print_changes(changes(before, record), "table", empty="no value changed")
    output.notice(f"'memorybank policy rollback {before.version}' undoes this")


def _print_changes(changes: "list[PolicyChange]", form: str, *, empty: str) -> None:
    columns = (Column("key"), Column("before", right=True), Column("after", right=True))
    cells = [(output.clean(one.key), _number(one.before), _number(one.after)) for one in changes]
    output.rows(form, columns, cells, [one.to_json() for one in changes], empty=empty)


def _print_refused(refused: "tuple[RefusedRecord, ...]") -> None:
    """Print the lines of the log that are invalid, so that nobody assumes that they are in force."""
    for line in refused:
        output.notice(f"log/policy.jsonl line {line.line} is refused: {line.why}")
    if refused:
        output.notice(f"{counted(len(refused), 'line')} ignored; what was in force before still applies")


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}" if value == int(value) else f"{value:.3f}".rstrip("0")
