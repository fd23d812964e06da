"""Serves the page in the foreground: a socket on 127.0.0.1, the link that opens it, and uvicorn until Ctrl-C."""

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from memorybank.bank import Bank, cycle_cache
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.ui.app import PageApp
from memorybank.ui.gate import Gate
from memorybank.ui.site import BankOpener, Site, UpdateRunner

ADDRESS = "127.0.0.1"
_CONNECTIONS = 64
HEAD_SECONDS = 10.0
"""Time limit for the head of a request. Between two requests uvicorn's own limit applies, for forms `gate.FORM_SECONDS`."""


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
        server(PageApp(site, gate)).run(sockets=[listening])
    finally:
        listening.close()


def server(application: ASGIApp) -> uvicorn.Server:
    """Return the server, with limits on the requests of any program on this machine."""
    return uvicorn.Server(
        uvicorn.Config(
            application, http=HeadTimeoutProtocol, ws="none", log_level="error", access_log=False, server_header=False, proxy_headers=False,
            limit_concurrency=_CONNECTIONS, timeout_graceful_shutdown=2,
        )
    )  # fmt: skip


class HeadTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for the head of each request.

    Without it any program of the machine could open as many connections as the page accepts, send nothing, and lock the person out.
    """

    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type, too
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start the timer when the head of a request is awaited, beginning with its first byte; stop it while a request is answered."""
        is_answering = not getattr(self.cycle, "response_complete", True)  # before the first request there is no cycle
        if is_answering:
            self._rest()
        elif self._ends is None:
            self._ends = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _rest(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None


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
        listening.listen(_CONNECTIONS)  # a browser that follows the link at once waits instead of being refused
    except OSError as error:
        listening.close()
        raise disk.from_os_error(error, f"port {port}") from error
    return listening


def _name(bank: Bank) -> str:
    """Return the name of the repository's folder, which serves as the name of the project."""
    return os.path.basename(bank.layout.work_tree) or "memorybank"
