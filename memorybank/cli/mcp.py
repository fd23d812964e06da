"""`memorybank mcp`."""

import gc
import os
import sys
from typing import TYPE_CHECKING

import click

from memorybank.cli.call import CommandCall, examples
from memorybank.errors import MemorybankError, MissingExtra
from memorybank.installed import extra_command

if TYPE_CHECKING:
    from memorybank.bank import Bank


@click.command(
    epilog=examples(
        "claude mcp add memorybank -- memorybank mcp",
        "memorybank --bank ~/project/.claude/memory mcp --as reviewer",
        "memorybank mcp --allow-write",
    )
)
@click.option("--as", "role", metavar="ROLE", help="Role of the agent: it also sees what only this role may see. Default: only what everybody may see.")
@click.option("--allow-write", is_flag=True, help="Also offer the tools that write: remember, rate, tick and bookmark.")
@click.pass_obj
def command(call: CommandCall, role: str | None, allow_write: bool) -> None:
    """Serve the bank to agents through the Model Context Protocol, over standard input and output.

    Coding agents start this command themselves; 'memorybank hooks install' and the plugin register it. It needs the extra memorybank[mcp].
    Session-scoped and private memories are never shown. The bank is that of $CLAUDE_PROJECT_DIR if it is set, otherwise that of the working folder.
    """
    # The objects that the SDK's import creates stay for the life of the process. Searching them for garbage takes a tenth of the
    # time to start, and a third of a short run.
    gc.disable()
    try:
        from memorybank.mcp import server
    except ImportError as error:
        if (error.name or "").startswith("memorybank"):
            raise
        raise MissingExtra("the package 'mcp', version 2 or later, is not installed", next_step=f"install it with: {extra_command('mcp')}") from None
    gc.freeze()
    gc.enable()
    if sys.stdin.isatty():
        sys.stderr.write("memorybank mcp is waiting for a coding agent to connect through standard input; press Ctrl-C to stop.\n")
    server.serve(server.ServerSetting(lambda: _open(call), role, allow_write, _typed))


def _typed(error: BaseException) -> MemorybankError:
    from memorybank.cli import failure

    return failure.typed(error)


def _open(call: CommandCall) -> "Bank":
    """Open the named bank, otherwise the bank of the project that the host names, otherwise that of the working folder."""
    from memorybank.bank import Bank

    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return Bank.open(call.named or None, clock=call.clock, start=project if os.path.isabs(project) and os.path.isdir(project) else None)
