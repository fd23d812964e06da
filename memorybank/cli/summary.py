"""`memorybank summary show|render`."""

import click

from memorybank import clock
from memorybank.cli import output
from memorybank.cli.call import Call
from memorybank.cli.help import examples
from memorybank.errors import NotFound

_HOW = "it is a page for agents below the lines '---', 'updated_at: 2025-09-17T09:30:00Z' and '---'"


@click.group(
    epilog=examples(
        "memorybank summary show",
        'claude --append-system-prompt "$(memorybank summary render)"',
    )
)
def command() -> None:
    """The resident summary: summary.md, which every session starts with."""


@command.command("show", short_help="Show it, its size, and why it is not injected if it is not.", epilog=examples("memorybank summary show --format json"))
@output.format_option()
@click.pass_obj
def show(call: Call, form: str) -> None:
    """Show the resident summary as sessions get it, its size in tokens, and why it is not injected if it is not."""
    found = call.open().memory.summary()
    updated = None if found.updated_at is None else clock.isoformat(found.updated_at)
    if form == "json":
        fields = {"path": found.path, "updated_at": updated, "injected": not found.reason, "reason": found.reason or None}
        output.write_json({**fields, "tokens_estimate": found.tokens, "too_long": found.too_long, "text": found.block or None})
        return
    state = f"not injected: {found.reason}" if found.reason else "injected when a session starts"
    output.write(f"{output.clean(found.path)}: {output.clean(state)}\n")
    if _is_of_the_file(found.reason):
        output.write(f"To have it injected, write it: {_HOW}.\n")
    if updated:
        output.write(f"updated {updated}, about {found.tokens:,} tokens\n")
    if found.too_long:
        output.notice(f"about {found.tokens:,} tokens are more than a summary should have (1,000 to 5,000): sessions get it cut")
    if found.block:
        output.write("\n" + output.clean_text(found.block))


@command.command("render", short_help="Print the block for a system prompt.", epilog=examples('claude --append-system-prompt "$(memorybank summary render)"'))
@click.pass_obj
def render(call: Call) -> None:
    """Print the literal block for a system prompt; nothing where it is switched off or not valid (exit code 3 says why)."""
    found = call.open().memory.summary()
    if found.reason:
        raise NotFound(
            f"there is no resident summary to render: {found.reason}",
            next_step=f"write {output.clean(found.path)}: {_HOW}" if _is_of_the_file(found.reason) else "'memorybank config show cycle' shows the switches",
        )
    output.write(output.clean_text(found.block))


def _is_of_the_file(reason: str) -> bool:
    """Whether the page itself is missing or not valid, and not switched off."""
    return bool(reason) and "cycle_config.json" not in reason
