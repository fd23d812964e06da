"""Checks of the connection to a team: what this machine keeps of it, and the server."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memorybank.clock import DAY
from memorybank.config import sources, team_folder
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, UNKNOWN, WARN, Symptom
from memorybank.errors import MemorybankError, MissingExtra, NewerFormat
from memorybank.storage import database
from memorybank.storage.layout import has_notes
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.team.connection import TeamConnection

LONG_DAYS = 14
"""Days after which rows that wait are reported."""
_SECONDS = 2.0


def connected(context: DoctorContext) -> Iterator[Symptom]:
    """Report a connection that cannot be read, a damaged ledger, rows that wait for long, and a local copy that no session is shown. Asks no server."""
    found, symptom = _connection(context)
    if symptom is not None:
        yield symptom
    if found is None:
        return
    from memorybank.team import ledger as ledgers

    folder = team_folder.folder(context.layout, context.environ)
    where = context.shown(folder)
    try:
        ledger = ledgers.load(folder)
    except MemorybankError as error:
        yield Symptom(FAIL, error.message, where, error.next_step)
        return
    since = ledger.queued_at
    if ledger.waiting and context.clock.now() - since > LONG_DAYS * DAY:
        days = (context.clock.now() - since) // DAY
        what = f"{counted(ledger.waiting, 'row waits', 'rows wait')} to be sent to {found.host}, for {days} days"
        yield Symptom(WARN, what, where, "'memorybank team push' sends them; 'memorybank team status' says whether the server answers")
    copy = team_folder.copy_of(context.layout, context.environ)
    from memorybank.index.schema import VERSION  # late: the quick checks load no index

    if copy is not None and has_notes(copy) and not (os.path.exists(copy.database) and database.is_of(copy.database, VERSION)):
        yield Symptom(WARN, "the local copy has no index of this version, so sessions are shown nothing that others shared", where, "memorybank team pull")


def answers(context: DoctorContext) -> Iterator[Symptom]:
    """Ask the server: whether it answers, whether this memorybank understands it, and whether this machine may still share."""
    found, _ = _connection(context)
    if found is None:
        return
    from memorybank.team import ledger as ledgers
    from memorybank.team import passwords
    from memorybank.team.failing import TeamUnreachable
    from memorybank.team.server import TeamServer

    try:
        ledger = ledgers.load(team_folder.folder(context.layout, context.environ))
        password = passwords.load(found.address, context.environ)
        with TeamServer(found.address, password, organisation=found.organisation, seconds=_SECONDS, clock=context.clock) as server:
            status = server.status()
    except TeamUnreachable as error:
        yield Symptom(UNKNOWN, error.message, found.host, error.next_step)
    except (MissingExtra, NewerFormat) as error:
        yield Symptom(FAIL, error.message, found.host, error.next_step)
    except MemorybankError as error:
        yield Symptom(WARN, error.message, found.host, error.next_step)
    else:
        if found.repository not in status.repositories:
            step = "ask the administrator of the server, who needs this name of the repository"
            yield Symptom(WARN, f"your login may neither read nor write the repository {found.repository}", found.host, step)
        if any(one.is_revoked and one.origin == ledger.origin for one in status.origins):
            step = "if this machine may share again: 'memorybank team revoke', which lets it start with a new name, then 'memorybank team push'"
            yield Symptom(WARN, f"what this machine shared was revoked, and the server refuses more of {ledger.origin}", found.host, step)


def _connection(context: DoctorContext) -> "tuple[TeamConnection | None, Symptom | None]":
    if not sources.has_own_settings(context.environ):
        return None, None
    from memorybank.editing import own_settings  # late: most people have no settings of their own, and the status asks each time
    from memorybank.team import connection as connections

    shown = own_settings.shown_path(context.environ)
    try:
        return connections.connection_of(own_settings.load(context.environ), context.layout, context.environ, shown), None
    except MemorybankError as error:
        return None, Symptom(FAIL, error.message, shown, error.next_step)
