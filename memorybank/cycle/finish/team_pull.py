"""Fetches what a team shared at the end of a session, if the person allowed it and the server answers at once. No other hook uses the network.

Only what a pull by command began is continued: the copy exists, and what the bank itself has is known from the last pull.
"""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from memorybank.clock import MINUTE
from memorybank.config import team_folder
from memorybank.config.personal_bank import RULE_TAGS
from memorybank.cycle.know import learned, rejected
from memorybank.editing import own_settings
from memorybank.errors import MemorybankError
from memorybank.storage import system as os
from memorybank.team import passwords
from memorybank.team.connection import connection_of, host_of_address
from memorybank.team.exchange import TeamExchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext

LEAST_MS = 600
"""Milliseconds below which no pull begins: loading the driver and connecting take about half of it."""
_ANSWER_MS = 150
"""A server that takes longer to accept a connection is left to commands."""
_AGAIN = 10 * MINUTE
"""A pull is not repeated within this time."""
_PORT = 5432


def pull(base: CycleContext, left: Callable[[], float]) -> None:
    """Update the local copy, if the settings and the time (`left` returns the milliseconds) allow it. An error is left to the next pull."""
    try:
        found = connection_of(own_settings.load(os.environ), base.layout, os.environ, own_settings.shown_path(os.environ))
        if found is None or not found.pull_at_session_end or left() < LEAST_MS or not _answers(found.address):
            return
        exchange = TeamExchange(team_folder.folder(base.layout, os.environ), found, base.clock)
        ledger = exchange.ledger()
        if base.clock.now() - ledger.pulled_at < _AGAIN:
            return
        own = exchange.own_at_last_pull(ledger)
        if own is None:
            return
        rejections = rejected.rejections(base.layout)
        from memorybank.team.server import TeamServer

        seconds = left() / 1000
        with (
            exchange.locked("memorybank hook"),
            TeamServer(
                found.address,
                passwords.load(found.address, os.environ),
                organisation=found.organisation,
                seconds=seconds,
                statement_seconds=seconds,
                clock=base.clock,
            ) as server,
        ):
            exchange.fetch(server, lambda _: own, RULE_TAGS, lambda path: learned.memory_of(path) in rejections)
    except (MemorybankError, OSError):
        return


def _answers(address: str) -> bool:
    """Return whether the server accepts connections at once. The driver itself waits for at least two seconds."""
    host = host_of_address(address)[0]
    if host.startswith("/"):
        return os.path.exists(host)
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or host, parts.port or _PORT), timeout=_ANSWER_MS / 1000):
        return True
