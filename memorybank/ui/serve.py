"""Serves the page in the foreground: a socket on 127.0.0.1, the link that opens it, and uvicorn until Ctrl-C."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress

from memorybank.bank import Bank, cycle_cache
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.ui.app import PageApp
from memorybank.ui.connections import QUEUE, PageServer
from memorybank.ui.gate import Gate
from memorybank.ui.site import BankOpener, Site, UpdateRunner

ADDRESS = "127.0.0.1"


def serve(bank: Bank, port: int, *, allow_write: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted. Raises a typed error when the port cannot be used.

    bank: must be writable, for its cache
    port: 0 uses any free port
    say: receives the link when the page can answer
    """
    _bring_up_to_date(bank)
    listening = _listen(port)
    gate = Gate.fresh(listening.getsockname()[1])

    site = Site(BankOpener(bank.layout.root, bank.clock, allow_write=allow_write), _name(bank), allow_write, UpdateRunner.of(bank.layout.root))
    say(f"http://{ADDRESS}:{gate.port}/#{gate.token}")
    try:
        PageServer(PageApp(site, gate), gate).run(sockets=[listening])
    finally:
        listening.close()


def _bring_up_to_date(bank: Bank) -> None:
    """Update the caches once, as any search and `know list` do. Otherwise a read-only page would repeat the work of a search in memory for each
    request, and would not show what the last session taught.

    A bank that cannot be written is shown nevertheless.
    """
    with suppress(MemorybankError), bank.folded():
        pass
    with suppress(MemorybankError):
        cycle_cache.fold(bank, cycle_cache.base_of(bank))


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen(QUEUE)  # a browser that follows the link at once waits instead of being refused
    except OSError as error:
        listening.close()
        raise disk.from_os_error(error, f"port {port}") from error
    return listening


def _name(bank: Bank) -> str:
    """Return the name of the repository's folder, which serves as the name of the project."""
    return os.path.basename(bank.layout.work_tree) or "memorybank"
