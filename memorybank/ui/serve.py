"""Serves the page in the foreground: a socket on 127.0.0.1, the link that opens it, and uvicorn until Ctrl-C."""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from memorybank.bank import Bank, cycle_cache
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.ui.app import PageApp
from memorybank.ui.gate import Gate, RequestHead
from memorybank.ui.site import BankOpener, Site, UpdateRunner

ADDRESS = "127.0.0.1"

HEAD_SECONDS = 10.0
"""Time limit for the head of a request. Between two requests uvicorn's own limit applies, for forms `gate.FORM_SECONDS`."""
_BURST = 32
"""Maximum number of connections that the event loop accepts at once."""
STRANGERS = 3 * _BURST
"""Maximum number of connections that have not shown the cookie. A connection's first bytes are read one round of the event loop after it was accepted; in
the meantime two more bursts can come."""
OWN = 32
"""Maximum number of connections that have shown the cookie. A browser opens six."""
QUEUE = 128
"""Number of connections that the system keeps until they are accepted."""


def serve(bank: Bank, port: int, *, allow_write: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted. Raises a typed error when the port cannot be used.

    bank: must be writable, for its cache
    port: 0 uses any free port
    say: receives the link when the page can answer
    """
    _bring_up_to_date(bank)
    listening = _listen(port)
    gate = Gate.fresh(listening.getsockname()[1])

    name = os.path.basename(bank.layout.work_tree) or "memorybank"
    site = Site(BankOpener(bank.layout.root, bank.clock, allow_write=allow_write), name, allow_write, UpdateRunner.of(bank.layout.root))
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
    with suppress(MemorybankError):
        bank.catalogue.archived(limit=0)


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


class PageServer(uvicorn.Server):
    """uvicorn's server with limits on the requests of any program on this machine."""

    def __init__(self, application: ASGIApp, gate: Gate) -> None:
        strangers, own = ConnectionPlaces(STRANGERS), ConnectionPlaces(OWN)

        def protocol(**given: Any) -> asyncio.Protocol:
            return PlacedProtocol(gate, strangers, own, **given)

        # uvicorn declares a class for `http`, and calls it with named arguments only. Its own limit, `limit_concurrency`, would refuse the person too.
        super().__init__(
            uvicorn.Config(
                application, http=protocol, ws="none", log_level="error", access_log=False, server_header=False, proxy_headers=False,  # type: ignore[arg-type]
                backlog=_BURST, timeout_graceful_shutdown=2,
            )
        )  # fmt: skip

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept. uvicorn has one number for the queue and the burst; a short queue would make browsers try again after a second."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(QUEUE)


class ConnectionPlaces:
    """The places for connections of one kind, the one that took its place first at the front.

    Every program and user of a machine can connect to 127.0.0.1, and none of them may lock the person out. A connection that has shown the cookie of
    the page belongs to the person. All others are strangers: they wait for a request, send one slowly, or are being refused. Whoever comes when all
    places of strangers are taken gets the place of the one that came first. So strangers displace only each other, however many they are, and a request
    that is complete is read before its connection can be displaced.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._taken: dict[PlacedProtocol, None] = {}

    def take(self, connection: "PlacedProtocol") -> None:
        """Give a connection the place at the end. If there is none left, close the connection at the front."""
        self._taken.pop(connection, None)
        if len(self._taken) >= self._size:
            first = next(iter(self._taken))
            del self._taken[first]
            first.transport.abort()  # at once: it may never read what is still to be sent
        self._taken[connection] = None

    def leave(self, connection: "PlacedProtocol") -> None:
        self._taken.pop(connection, None)


class PlacedProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for the head of each request, and a place among the strangers until a request shows the cookie."""

    _ends: asyncio.TimerHandle | None = None

    def __init__(self, gate: Gate, strangers: ConnectionPlaces, own: ConnectionPlaces, **given: Any) -> None:
        super().__init__(**given)
        self._gate = gate
        self._strangers = strangers
        self._own = own
        self._is_known = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type, too
        super().connection_made(transport)
        self._strangers.take(self)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_known and self._shows_cookie(self.headers or ()):
            self._is_known = True
            self._strangers.leave(self)
        if self._is_known and not self.transport.is_closing():
            self._own.take(self)  # again at the end, because it is in use
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._strangers.leave(self)
        self._own.leave(self)
        self._rest()
        super().connection_lost(exc)

    def _shows_cookie(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        cookies = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers if name == b"cookie"]
        return self._gate.knows(RequestHead("", "", cookies))

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
