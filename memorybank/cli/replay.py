"""`memorybank replay`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import NumberType
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.errors import NotFound, UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.cycle.improve.interval import Interval
    from memorybank.replay.arena import Arm
    from memorybank.replay.report import ArmPair, ArmRow, ReplayReport, Share
    from memorybank.replay.sources import ReplaySource

ARMS = ("none", "random", "recent", "frequent", "keyword", "memorybank")
POLICIES = ("frozen", "learning")
KINDS = {
    **{"file": "files", "cmd": "commands", "note": "notes"},
    **{"fix": "fixes", "rule": "rules", "finding": "findings", "reason": "reasons"},
}
"""Kind of a target → heading of its column."""


@click.command(
    epilog=examples(
        "memorybank replay                                what this bank recorded, with its settings",
        "memorybank replay histories/seed-1 --budget 1000",
        "memorybank replay ~/.claude/projects/-home-me-app",
        "memorybank replay histories/seed-1 --policy frozen --policy learning --recall memorybank",
        "memorybank replay --format json > report.json",
        "memorybank replay ~/.claude/projects/-home-me-app --shown shown.jsonl --episodes",
    )
)
@click.argument("paths", nargs=-1, type=click.Path(exists=True), metavar="[TRANSCRIPTS|LOG|HISTORY]...")
@click.option(
    "--policy", "policies", multiple=True, type=click.Choice(POLICIES), help="Whether memorybank learns during the replay; give both to compare them."
)
@click.option("--recall", "arms", multiple=True, type=click.Choice(ARMS), help="Only these arms; random is always included. Default: all.")
@click.option("--budget", "budgets", multiple=True, type=NumberType(min=1), metavar="TOKENS", help="Tokens per session. Default: 250 to 4000.")
@click.option(
    "--shown",
    "shown",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write every text that agents would be shown to FILE (JSONL) instead of printing a report.",
)
@click.option("--episodes", is_flag=True, help="With --shown: also write and show the episodes, which the report leaves out.")
@output.format_option()
@click.pass_obj
def command(
    call: CommandCall,
    paths: tuple[str, ...],
    policies: tuple[str, ...],
    arms: tuple[str, ...],
    budgets: tuple[int, ...],
    shown: str | None,
    episodes: bool,
    form: str,
) -> None:
    """Replay recorded sessions and measure whether recall brings up what is used next.

    The replay runs in a temporary bank; nothing of yours is changed. docs/replay.md explains the table.
    """
    from memorybank.replay import arena, sources
    from memorybank.replay.report import report, to_json

    if episodes and shown is None:
        raise UsageError("--episodes needs --shown", next_step="add --shown FILE; the report compares arms that show no episodes")
    source = sources.of_paths(paths) if paths else sources.of_log(call.layout())
    if not source.events:
        raise NotFound(f"{source.name} contains no recorded session", next_step="record sessions with 'memorybank hooks install', or name transcripts")
    for what in source.skipped:
        output.notice(f"left out of the replay: {what}")
    if shown is not None:
        _write_shown(call, source, shown, policies, budgets, episodes)
        return
    plan = arena.ReplayPlan(arms or arena.ARMS, policies or (arena.FROZEN,), sorted(set(budgets)) or arena.BUDGETS)
    with progress("replaying", call.clock) as step:
        found = report(arena.run(source, plan, source.settings, step))
    if not output.as_json(form, to_json(found)):
        write(found, form)


def _write_shown(call: CommandCall, source: "ReplaySource", path: str, policies: tuple[str, ...], budgets: tuple[int, ...], episodes: bool) -> None:
    """Play the source once and write the texts that agents would be shown.

    Uses the policy and the budget of the settings, unless the options name one of each.
    """
    from memorybank.replay import arena, play

    if len(policies) > 1 or len(budgets) > 1:
        raise UsageError("--shown replays only once", next_step="give at most one --policy and one --budget")
    budget = budgets[0] if budgets else source.settings.budgets.session_tokens
    settings = arena.live(source.settings, policies[0] if policies else arena.LEARNING, budget, episodes=episodes)
    with progress("replaying", call.clock) as step:
        lines = play.shown_texts(source, settings, step)
    play.write(path, lines)
    output.write(f"{path}: {counted(sum(bool(line['text']) for line in lines), 'text')} in {counted(source.sessions, 'session')}\n")


def write(found: "ReplayReport", form: str) -> None:
    outcomes = found.played.outcomes
    targets = ", ".join(f"{count:,} {KINDS[kind]}" for kind, count in found.targets.items())
    output.write(f"{found.played.source}: {counted(found.sessions, 'session')}, {counted(found.played.events, 'event')}; targets: {targets or 'none'}\n\n")
    columns = (
        Column("arm"),
        *output.columns("budget", "hits", right=True),
        *output.columns("hit rate", "of novel", "lift over random", flexible=True),
        Column("shown", right=True),
        *output.columns("precision", "of naming", flexible=True),
        *output.columns("mrr", "price", "silent", right=True),
    )
    output.rows(form, columns, map(_cells, found.rows), None, empty="nothing was replayed")
    output.write("\nby kind, hits of targets and hit rate:\n\n")
    kind_columns = (Column("arm"), Column("budget", right=True), *output.columns(*KINDS.values(), flexible=True))
    output.rows(form, kind_columns, map(_kind_cells, found.rows), None, empty="nothing was replayed")
    if found.pairs:
        output.write("\nsession by session:\n\n")
        pair_columns = (Column("budget", right=True), *output.columns("arm", "against", "hit rate", "is", "precision", "is", "of naming", "is", flexible=True))
        output.rows(form, pair_columns, map(_pair_cells, found.pairs), None, empty="")
        output.write("".join(line for pair in found.pairs for line in _in_kinds(pair)))
    output.write("\n")
    if outcomes.turns:
        output.write(f"turns that ended in success: {outcomes.successes:,} of {outcomes.turns:,} ({outcomes.successes / outcomes.turns:.0%})\n")
    if outcomes.actions:
        output.write(f"attempts to the first success: {outcomes.attempts / outcomes.actions:.2f} on average over {counted(outcomes.actions, 'action')}\n")
    output.write("No number shows what an agent would have done instead, because a replay cannot change what happened.\n")


def _cells(row: "ArmRow") -> tuple[object, ...]:
    counts = row.counts
    return (
        *(_name(row.arm), f"{row.arm.budget:,}" if row.arm.budget else None, f"{counts.hits:,.0f}/{counts.targets:,.0f}"),
        *(_rate(row.hit_rate), _rate(row.novel_rate), _signed(row.lift), f"{counts.shown:,.0f}"),
        *(_rate(row.precision), _rate(row.naming_precision), _short(row.reciprocal)),
        *(None if row.price is None else f"{row.price:,.0f}", _short(row.silent)),
    )


def _kind_cells(row: "ArmRow") -> tuple[object, ...]:
    return _name(row.arm), f"{row.arm.budget:,}" if row.arm.budget else None, *(_kind_cell(row.kinds.get(kind)) for kind in KINDS)


def _kind_cell(share: "Share | None") -> str | None:
    return None if share is None or share.rate is None else f"{share.tally.hits:,.0f}/{share.tally.targets:,.0f} {_short(share.rate.value)}"


def _pair_cells(pair: "ArmPair") -> tuple[object, ...]:
    compared = [
        cell for found in (pair.hits, pair.precision, pair.naming) for cell in (_signed(found.difference), found.verdict + (", apart" if found.apart else ""))
    ]
    return f"{pair.one.budget:,}", _name(pair.one), _name(pair.other), *compared


def _in_kinds(pair: "ArmPair") -> "Iterator[str]":
    """Yield a line for each kind in which the arms differ significantly."""
    for kind, found in pair.kinds.items():
        if found.verdict != "inconclusive":
            yield f"{KINDS[kind]} at {pair.one.budget:,}: {_name(pair.one)} is {found.verdict} than {_name(pair.other)}, {_signed(found.difference)}\n"


def _name(arm: "Arm") -> str:
    return f"{arm.name} ({arm.policy})" if arm.policy else arm.name


def _rate(found: "Interval | None") -> str | None:
    return None if found is None else f"{_short(found.value)} [{_short(found.low)} {_short(found.high)}]"


def _signed(found: "Interval | None") -> str | None:
    if found is None:
        return None
    low, high = (f"{end:+.2f}" if abs(end) != float("inf") else "?" for end in (found.low, found.high))
    return f"{found.value:+.2f} [{low} {high}]"


def _short(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"
