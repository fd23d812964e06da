"""`memorybank summary show|render|refresh`."""

from typing import TYPE_CHECKING

import click

from memorybank import clock
from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.errors import NotFound
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.summary import SummaryRefresh

_HOW = "a Markdown page for agents, which begins with the lines '---', 'updated_at: 2025-09-17T09:30:00Z' and '---'"
_DRAFTED = {"drafted": ", drafted by 'memorybank summary refresh'", "edited": ", edited since it was drafted", "": ""}


@click.group(
    epilog=examples(
        "memorybank summary show",
        'claude --append-system-prompt "$(memorybank summary render)"',
        "memorybank summary refresh --dry-run",
    )
)
def command() -> None:
    """Show, print or draft the resident summary (summary.md), with which every session starts."""


@command.command("show", short_help="Show the summary, its size, and why it may not be injected.", epilog=examples("memorybank summary show --format json"))
@output.format_option()
@click.pass_obj
def show(call: CommandCall, form: str) -> None:
    """Show the resident summary as sessions receive it, its size in tokens, and, if it is not injected, why."""
    found = call.open().memory.summary()
    updated = None if found.updated_at is None else clock.isoformat(found.updated_at)
    if form == "json":
        fields = {"path": found.path, "updated_at": updated, "injected": not found.reason, "reason": found.reason or None}
        sizes = {"tokens_estimate": found.tokens, "too_long": found.too_long}
        output.write_json({**fields, **sizes, "drafted": found.drafted or None, "withdrawn": list(found.withdrawn), "text": found.block or None})
        return
    state = f"not injected: {found.reason}" if found.reason else "injected when a session starts"
    page.say(f"{found.path}: {state}")
    if found.reason and not (found.is_switched_off or found.withdrawn):
        page.say(f"'memorybank summary refresh' drafts one; or write {_HOW}.")
    if updated:
        page.say(f"updated {updated}, about {found.tokens:,} tokens{_DRAFTED[found.drafted]}")
    if found.too_long:
        output.notice(f"about {found.tokens:,} tokens are too many (1,000 to 5,000 are recommended): sessions receive the summary cut")
    if found.withdrawn:
        output.notice(f"left out, because their sources changed: {counted(len(found.withdrawn), 'line')}; 'memorybank summary refresh' drafts the page again")
        for line in found.withdrawn:
            page.say(f"  {output.clean(line)}")
    if found.block:
        output.write("\n" + output.clean_text(found.block))


@command.command("render", short_help="Print the block for a system prompt.", epilog=examples('claude --append-system-prompt "$(memorybank summary render)"'))
@click.pass_obj
def render(call: CommandCall) -> None:
    """Print the literal block for a system prompt. If the summary is switched off or not valid, print nothing and exit with code 3 and the reason."""
    found = call.open().memory.summary()
    if found.reason:
        raise NotFound(
            f"there is no resident summary to render: {found.reason}",
            next_step=f"write {output.clean(found.path)}, {_HOW}" if not found.is_switched_off else "'memorybank config show cycle' shows the switches",
        )
    output.write(output.clean_text(found.block))


@command.command(
    "refresh",
    short_help="Draft it from notes, open failures and recent episodes.",
    epilog=examples(
        "memorybank summary refresh --dry-run            what it would contain, and where it would be written",
        "memorybank summary refresh",
        "memorybank summary refresh --force              replaces even a page that a person wrote, after a backup",
    ),
)
@click.option("--force", is_flag=True, help="Replace a page that a person wrote or edited; it is first saved in backups/summary/.")
@click.option("--dry-run", is_flag=True, help="Only print the draft and what would be done with it; nothing in the bank changes.")
@output.format_option()
@click.pass_obj
def refresh(call: CommandCall, force: bool, dry_run: bool, form: str) -> None:
    """Draft the resident summary by fixed rules, each line with its source: the most important notes, what still fails or is open, the latest episodes.

    The draft contains only what everybody may see, and no secrets; a text that asks for something is marked as a quotation. A page that a person wrote
    or edited stays: the draft is then written next to it as summary.draft.md, which no session receives, and the difference is printed.
    """
    from memorybank.drafting import page as drafts

    found = call.open(read_only=dry_run).memory.refresh(force=force, dry_run=dry_run)
    if output.as_json(form, _fields(found)):
        return
    page.say(_outcome(found))
    for source, why in found.draft.left_out:
        output.notice(f"left out: {source}: {why}; check it")
    if found.backup:
        page.say(f"The previous page is saved as {found.backup}; to restore it, copy it over {_PAGE}.")
    if found.decision.action == drafts.BESIDE:
        page.say(f"To use the draft, edit {_PAGE} yourself, or run 'memorybank summary refresh --force'.")
    if found.decision.difference:
        output.write("\n" + output.clean_text("\n".join(found.decision.difference)) + "\n")
    if found.draft.body and (dry_run or form == "markdown") and not found.decision.difference:
        output.write("\n" + output.clean_text(found.draft.body) + "\n")


_PAGE = "summary.md"


def _outcome(found: "SummaryRefresh") -> str:
    """Return where the draft was, or would be, written, and why."""
    from memorybank.drafting import page as drafts

    decision = found.decision
    lines = counted(len(found.draft.lines), "line")
    if decision.action == drafts.NOTHING:
        return f"nothing to draft: {decision.reason}"
    if decision.action == drafts.UNCHANGED:
        return f"nothing to do: {decision.reason}"
    would = "would be " if found.dry_run else ""
    if decision.action == drafts.BESIDE:
        return f"{drafts.DRAFT_NAME} {would}written ({lines}): {decision.reason}, so {_PAGE} stays as it is"
    if decision.action == drafts.FORCED:
        return f"{_PAGE} {would}replaced by the draft ({lines}): {decision.reason}, and --force was given"
    return f"{_PAGE} {would}written ({lines}): {decision.reason}"


def _fields(found: "SummaryRefresh") -> dict[str, object]:
    return {
        "action": found.decision.action,
        "reason": found.decision.reason,
        "dry_run": found.dry_run,
        "path": found.path or None,
        "backup": found.backup or None,
        "text": found.draft.body or None,
        "lines": [{"section": line.section, "text": line.text, "source": line.source, "quoted_request": line.marked} for line in found.draft.lines],
        "left_out": [{"source": source, "reason": why} for source, why in found.draft.left_out],
        "difference": list(found.decision.difference),
    }
