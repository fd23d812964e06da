"""`memorybank ui`."""

import sys
from collections.abc import Callable

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.errors import MissingExtra
from memorybank.installed import extra_command

_PACKAGES = ("jinja2", "nh3", "starlette", "uvicorn")


@click.command(
    epilog=examples(
        "memorybank ui                    prints a link to open in a browser",
        "memorybank ui --allow-write      with buttons that rotate, restore, rate, update",
        "memorybank ui --port 8765",
    )
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port on 127.0.0.1. Default: any free port.")
@click.option("--allow-write", is_flag=True, help="Let the page change the bank; without it the page is read-only.")
@click.pass_obj
def command(call: CommandCall, port: int, allow_write: bool) -> None:
    """Serve a local web page for this bank until Ctrl-C: search, notes, rotation, archive, episodes, policy, recall.

    The page is served on 127.0.0.1 only, and only to browsers that open the printed link. Each run prints a new link.
    """
    serve = _server()

    is_there = False

    def say(link: str) -> None:
        nonlocal is_there
        is_there = True
        output.write(f"{link}\n")
        sys.stdout.flush()
        output.notice("open this link in a browser; press Ctrl-C to stop")

    try:
        serve(call.open(), port, allow_write=allow_write, say=say)
    except KeyboardInterrupt:
        if not is_there:
            raise
        output.notice("the page has stopped")


def _server() -> Callable[..., None]:
    try:
        from memorybank.ui.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise MissingExtra(f"the package '{error.name}' is not installed", next_step=f"install it with: {extra_command('ui')}") from None
    return serve
