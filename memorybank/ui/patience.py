"""Closes connections that begin and do not go on. Otherwise any program of the machine could open sixty of them and lock the person out."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Time limit for the head of a request. Between two requests uvicorn's own limit applies, for forms `gate.FORM_SECONDS`."""


class HeadTimeoutProtocol(H11Protocol):
    """uvicorn's HTTP protocol with a time limit for the head of each request."""

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
