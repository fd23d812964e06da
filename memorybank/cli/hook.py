"""`memorybank hook`."""

import click

from memorybank.cli.help import examples


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("memorybank hook --host claude-code < payload.json", "MEMORYBANK_INTERNAL=1 memorybank hook                      says and records nothing"),
)
@click.option("--host", metavar="HOST", help="Who calls, when the payload does not tell: claude-code, codex, gemini, copilot, cursor, opencode.")
@click.option("--event", metavar="EVENT", help="The host's event, for hosts that do not name it in the payload.")
def command(host: str | None, event: str | None) -> None:
    """Answer one event of a coding agent's host: its JSON payload on stdin, at most one JSON object on stdout, exit code 0.

    `memorybank hooks install` makes hosts call this; nobody types it. Without a bank it does nothing.
    """
    from memorybank.hook import main

    named = (("--host", host), ("--event", event))
    main([word for option, value in named if value for word in (option, value)])
