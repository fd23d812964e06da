"""`memorybank watch`."""

import signal
import warnings
from types import FrameType
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.clock import Clock, isoformat
from memorybank.errors import MemorybankError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.watch import CompletedSweep


@click.command(
    epilog=examples(
        "memorybank watch                       until Ctrl-C",
        "memorybank watch --publish             also write indexes/*.json each time",
    )
)
@click.option("--publish", is_flag=True, help="Also write indexes/*.json whenever notes changed, for programs that read them.")
@click.pass_obj
def command(call: CommandCall, publish: bool) -> None:
    """Keep the index up to date while notes are edited, until Ctrl-C.

    No command depends on it, because every search checks for changes itself. It makes the first search after large changes fast, and with --publish it keeps
    the published documents current.
    """
    from memorybank.watch import WatchedFolders, WatchLoop

    bank = call.open()
    layout = bank.layout
    watch = WatchLoop(call.open, WatchedFolders(layout, call.clock), call.clock, lambda swept: _say_swept(swept, call.clock), _say_failed, publish)
    warnings.filterwarnings("ignore", module=r"watchdog\.")  # about folders that move while they are added; every check covers all folders
    signal.signal(signal.SIGTERM, _interrupt)
    _say(f"watching {layout.relative(layout.active)}; press Ctrl-C to stop")
    watch.run()
    _say(f"stopped after {counted(watch.sweeps, 'check')}; the index is up to date")


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Treat SIGTERM like Ctrl-C."""
    raise KeyboardInterrupt


def _say_swept(swept: "CompletedSweep", clock: Clock) -> None:
    report = swept.report
    counts = f"{report.added:,} added, {report.changed:,} changed, {report.removed:,} removed"
    _say(f"{isoformat(clock.now())[11:19]}Z  {counts} ({swept.seconds * 1000:,.0f} ms)")


def _say_failed(error: MemorybankError) -> None:
    output.notice(f"{error.message}{'; ' + error.next_step if error.next_step else ''}; still watching")


def _say(text: str) -> None:
    """Print a line immediately, also into a pipe."""
    click.echo(output.clean(text))
