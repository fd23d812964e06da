"""`memorybank hook`."""

import click

from memorybank.cli.call import examples


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("memorybank hook --host claude-code < payload.json", "MEMORYBANK_INTERNAL=1 memorybank hook                    prints and records nothing"),
)
@click.option("--host", metavar="HOST", help="Host that runs the hook, if the payload does not say:  claude-code, codex, gemini, copilot, cursor, opencode.")
@click.option("--event", metavar="EVENT", help="Event of the host, if the payload does not say.")
def command(host: str | None, event: str | None) -> None:
    """Handle one event of a coding agent: JSON payload on stdin, at most one JSON object on stdout, exit code 0.

    After `memorybank hooks install` the agent calls this command; nobody needs to type it. Without a bank it does nothing.
    """
    from memorybank.hook import main

    named = (("--host", host), ("--event", event))
    main([word for option, value in named if value for word in (option, value)])
