"""`memorybank ui`."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import NumberType
from memorybank.errors import MissingExtra
from memorybank.installed import extra_command

_PACKAGES = ("jinja2", "nh3", "starlette", "uvicorn")


@click.command(
    epilog=examples(
        "memorybank ui                    opens the page in your browser",
        "memorybank ui --allow-write      with buttons that rotate, restore, rate, update",
        "memorybank ui --no-open          only prints the link",
        "memorybank ui --port 8765",
    )
)
@click.option("--port", type=NumberType(0, 65535), default=0, metavar="N", help="Port on 127.0.0.1. Default: any free port.")
@click.option("--allow-write", is_flag=True, help="Let the page change the bank; without it the page is read-only.")
@click.option("--no-open", is_flag=True, help="Only print the link. Without a terminal or a display, no browser is opened either.")
@click.pass_obj
def command(call: CommandCall, port: int, allow_write: bool, no_open: bool) -> None:
    """Serve a local web page for this bank until Ctrl-C, and open it in your browser.

    It shows what agents were reminded of and whether it helped, notes, sessions, knowledge, archive and settings. The page
    is served on 127.0.0.1 only, and only to browsers that open the printed link. Each run prints a new link.
    """
    serve = _server()
    from memorybank.ui.opening import has_display, opened

    is_there = False

    def say(link: str) -> None:
        nonlocal is_there
        is_there = True
        output.write(f"{link}\n")
        sys.stdout.flush()
        output.notice("open this link in a browser; press Ctrl-C to stop")
        if not no_open and has_display(os.environ, is_terminal=sys.stdout.isatty()):
            until_the_end.enter_context(opened(link))

    with ExitStack() as until_the_end:
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
