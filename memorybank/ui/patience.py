"""A connection that begins and does not go on is closed: else sixty of them, opened by any program of the machine, would lock the person out."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Until the head of a request must be there. Between two requests uvicorn's own limit holds, for forms `gate.FORM_SECONDS`."""


class Patient(H11Protocol):
    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows it so, too
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Time runs while the head of a request is awaited, from its first byte on."""
        is_answering = not getattr(self.cycle, "response_complete", True)  # before the first request there is no cycle
        if is_answering:
            self._rest()
        elif self._ends is None:
            self._ends = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _rest(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
