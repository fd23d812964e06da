"""One memory with a team: connecting a bank to the server of an organisation, sharing with it, fetching what others shared, and searching everything there.

Only `push`, `pull`, `search`, `revoke`, `check` and `exchange` use the network.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memorybank.bank import shareable, team_vectors
from memorybank.bank.arguments import BankFacade
from memorybank.config import personal_bank, team_folder
from memorybank.config.personal_bank import RULE_TAGS
from memorybank.cycle.know.learned import memory_of
from memorybank.cycle.know.rejected import rejections
from memorybank.editing import own_settings
from memorybank.errors import MemorybankError, NotFound, UsageError
from memorybank.reasons.reason import Reason
from memorybank.search.query import KEYWORD
from memorybank.storage import disk
from memorybank.team import connection as connections
from memorybank.team import ledger as ledgers
from memorybank.team import passwords, repository
from memorybank.team.connection import BY_MAINTAIN, CONNECTIONS, TeamConnection
from memorybank.team.exchange import PullReport, PushReport, TeamExchange
from memorybank.team.ledger import PushPlan, TeamLedger
from memorybank.team.local_copy import OwnContents, path_digest
from memorybank.text.secrets.redact import redact

if TYPE_CHECKING:
    from memorybank.team.row import TeamHit, TeamStatus
    from memorybank.team.server import TeamServer

SECONDS = 10.0
"""Time to connect."""
_QUICK_SECONDS = 2.0
"""The same for a question about the server that nobody asked for."""


class TeamState(NamedTuple):
    """The connection of a bank as this machine knows it, without asking the server.

    shared: memories that the server has from here
    waiting: rows that wait to be sent
    notes: notes of others in the local copy
    """

    connection: TeamConnection
    ledger: TeamLedger
    notes: int

    def to_json(self) -> dict[str, Any]:
        from memorybank.clock import isoformat

        last = {"sent_at": self.ledger.sent_at, "pulled_at": self.ledger.pulled_at}
        return {
            **self.connection.to_json(),
            "origin": self.ledger.origin or None,
            "shared": self.ledger.shared,
            "waiting": self.ledger.waiting,
            "notes_of_others": self.notes,
            **{name: isoformat(at) if at else None for name, at in last.items()},
        }


class TeamExchangeReport(NamedTuple):
    """What an unattended exchange did. pushed: None where the person pushes by command only and nothing waited. error: why it broke off"""

    pushed: PushReport | None
    pulled: PullReport | None
    error: MemorybankError | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "pushed": self.pushed.to_json() if self.pushed else None,
            "pulled": self.pulled.to_json() if self.pulled else None,
            "error": None if self.error is None else {"code": self.error.code, "message": self.error.message, "next_step": self.error.next_step},
        }


class TeamFacade(BankFacade):
    """The connection of a bank to the server of a team."""

    def connection(self) -> TeamConnection | None:
        """Return the connection of this bank; None without one. Raises `ConfigInvalid` for own settings that cannot be read."""
        return connections.connection_of(own_settings.load(os.environ), self._bank.layout, os.environ, own_settings.shown_path(os.environ))

    def required(self) -> TeamConnection:
        """Return the connection of this bank. Raises `NotFound` without one."""
        found = self.connection()
        if found is None:
            raise NotFound("this bank is not connected to a team", next_step="memorybank team connect ADDRESS --organisation NAME")
        return found

    def proposed(self, address: str, organisation: str, **chosen: Any) -> TeamConnection:
        """Return the connection that `connect` would store. chosen: other fields of `TeamConnection`; those that are missing keep their values or defaults.

        Raises `UsageError` for an address or a name that cannot be used, and where the repository has no id and none is given.
        """
        layout = self._bank.layout
        connections.checked_address(address)
        connections.checked_name(organisation, "the organisation")
        before = self.connection()
        kept: dict[str, Any] = before.to_json() if before is not None and before.organisation == organisation else {}
        name = chosen.get("repository") or kept.get("repository") or repository.repository_id(layout, organisation)
        known = {**kept, **{field: value for field, value in chosen.items() if value is not None}}
        known |= {
            "bank": personal_bank.as_written(layout.local_root, os.environ),
            "address": address,
            "organisation": organisation,
            "repository": connections.checked_name(name, "the repository"),
        }
        known.setdefault("name", os.path.basename(layout.work_tree))
        return TeamConnection(**known)

    def connect(self, proposed: TeamConnection, *, password: str = "") -> None:
        """Store a connection in the person's own settings, and the password in the keyring. Nothing is sent.

        Raises `ConfigInvalid` for own settings that cannot be read, `MissingExtra` or `PermissionRefused` for a password that cannot be stored.
        """
        if password:
            passwords.store(proposed.address, password)
        entry = connections.entry_of(proposed)
        CONNECTIONS.change(os.environ, lambda entries: [*(each for each in entries if not self._is_own(each)), entry])
        disk.make_directories(team_folder.folder(self._bank.layout, os.environ))

    def disconnect(self) -> TeamConnection:
        """Forget the connection, the password and what others shared. What this machine shared stays on the server; `revoke` withdraws it.

        Raises `NotFound` without a connection.
        """
        found = self.required()
        others = [other for other in CONNECTIONS.read(os.environ) if not self._is_own(other)]
        CONNECTIONS.change(os.environ, lambda _: others)
        if all(other.get("address") != found.address for other in others):
            passwords.forget(found.address)
        with self._exchange(found).locked("memorybank team disconnect"):
            self._remove_copy()
        return found

    def state(self) -> TeamState | None:
        """Return what this machine knows about the connection; None without one. Uses no network."""
        found = self.connection()
        if found is None:
            return None
        copy = team_folder.copy_of(self._bank.layout, os.environ)
        notes = sum(len(names) for _, _, names in os.walk(copy.active)) if copy is not None else 0
        return TeamState(found, self._exchange(found).ledger(), notes)

    def check(self, *, proposed: TeamConnection | None = None, password: str = "", quick: bool = False) -> "TeamStatus":
        """Ask the server what it knows about this login. Raises the errors of the server.

        proposed: a connection that is not stored yet, with its password
        quick: whether to give up after two seconds
        """
        with self._server(proposed or self.required(), password, _QUICK_SECONDS if quick else SECONDS) as server:
            return server.status()

    def plan(self) -> PushPlan:
        """Return what a push would send, and what stays here with the reasons. Uses no network."""
        found = self.required()
        self._refuse_linked_worktree()
        return ledgers.plan(shareable.offer_of(self._bank, found), self._exchange(found).ledger(), team_vectors.ShareableVectors(self._bank))

    def push(self, planned: PushPlan | None = None) -> PushReport:
        """Send what a plan contains. Memories that changed since the plan was made are left for the next one, and what may not be shared any more is
        withdrawn.

        planned: what the person saw; None for everything that `plan` would return now
        Raises the errors of the server; what was not confirmed waits for the next push.
        """
        agreed = None if planned is None else {each.memory: each.digest for each in (*planned.new, *planned.changed)}
        return self._push(self.required(), agreed)

    def pull(self) -> PullReport:
        """Fetch what others shared into the local copy. Raises the errors of the server."""
        found = self.required()
        with self._exchange(found).locked("memorybank team pull"), self._server(found) as server:
            return self._pull(found, server)

    def exchange(self) -> TeamExchangeReport | None:
        """Do what may be done unattended: send what waits and withdraw what may not be shared any more; share what is new only if the person chose so; then
        pull. None without a connection. Errors of the server are part of the report.
        """
        found = self.connection()
        if found is None:
            return None
        pushed = None
        try:
            ledger = self._exchange(found).ledger()
            is_main = self._bank.layout.root == self._bank.layout.local_root
            if is_main and (found.push == BY_MAINTAIN or ledger.origin):
                pushed = self._push(found, None if found.push == BY_MAINTAIN else {})
            return TeamExchangeReport(pushed, self.pull())
        except MemorybankError as error:
            return TeamExchangeReport(pushed, None, error)

    def search(
        self,
        text: str,
        type: str = KEYWORD,
        limit: int = 10,
        *,
        everywhere: bool = True,
        kinds: Sequence[str] = (),
        since: int | None = None,
        until: int | None = None,
    ) -> "tuple[list[TeamHit], Reason | None]":
        """Return (the best memories on the server that this login may read, why a search by meaning was one by words).

        everywhere: whether to search all repositories, not only this one and those of the entire organisation
        since, until: instants (ms); `since` ≤ modified < `until`
        Raises the errors of the server and, for the type `semantic`, those of the embedder.
        """
        from memorybank.team.row import ORGANISATION_WIDE
        from memorybank.team.searching import TeamQuery

        found = self.required()
        vector, model, why = team_vectors.of_query(self._bank, text, type)
        places = () if everywhere else (found.repository, ORGANISATION_WIDE)
        how = KEYWORD if why is not None else type
        query = TeamQuery(redact(text, None), vector, model, how, places, "", tuple(kinds), since, until, limit)
        with self._server(found) as server:
            return server.search(query), why

    def revoke(self, origin: str = "") -> tuple[str, int]:
        """Withdraw everything that a machine shared, and refuse what it sends later. Return (its origin, the number of memories).

        origin: of another machine; "" for this one, which starts again with a new origin if it ever pushes
        Raises `NotFound` where this machine never pushed, and the errors of the server.
        """
        found = self.required()
        exchange = self._exchange(found)
        with exchange.locked("memorybank team revoke"):
            ledger = exchange.ledger()
            named = origin or ledger.origin
            if not named:
                raise NotFound("this machine has shared nothing", next_step="'memorybank team status' lists the machines that did")
            with self._server(found) as server:
                count = server.revoke(named)
            if named == ledger.origin:
                ledgers.save(exchange.folder, ledgers.started_again(ledger, ""))
        return named, count

    def names(self) -> Mapping[str, str]:
        """Return {repository on the server: what people of this machine call it}."""
        return {str(each.get("repository")): str(each.get("name") or each.get("repository")) for each in CONNECTIONS.read(os.environ)}

    def _push(self, found: TeamConnection, agreed: Mapping[str, str] | None) -> PushReport:
        self._refuse_linked_worktree()
        exchange = self._exchange(found)
        with exchange.locked("memorybank team push"), self._server(found) as server:
            return exchange.send(server, shareable.offer_of(self._bank, found), agreed, team_vectors.ShareableVectors(self._bank))

    def _refuse_linked_worktree(self) -> None:
        """Raise `UsageError` in a linked worktree: all worktrees share one ledger, and the notes of one branch would withdraw those of another."""
        layout = self._bank.layout
        if layout.root != layout.local_root:
            main = personal_bank.as_written(layout.local_root, os.environ)
            raise UsageError("this is a linked worktree, and its repository shares the bank of the main one", next_step=f"memorybank --bank {main} team push")

    def _pull(self, found: TeamConnection, server: "TeamServer") -> PullReport:
        rejected = rejections(self._bank.layout)

        def own(ledger: TeamLedger) -> OwnContents:
            offer = shareable.offer_of(self._bank, found)
            digests = {each.digest for each in offer.shared} | set(ledger.dropped)
            return OwnContents(ledger.origin, digests, {path_digest(each.path): each.modified for each in offer.shared}, ledger.refused)

        return self._exchange(found).fetch(server, own, RULE_TAGS, lambda path: memory_of(path) in rejected)

    def _exchange(self, found: TeamConnection) -> TeamExchange:
        return TeamExchange(team_folder.folder(self._bank.layout, os.environ), found, self._bank.clock)

    def _server(self, found: TeamConnection, password: str = "", seconds: float = SECONDS) -> "TeamServer":
        from memorybank.team.server import TeamServer

        return TeamServer(
            found.address, password or passwords.load(found.address, os.environ), organisation=found.organisation, seconds=seconds, clock=self._bank.clock
        )

    def _is_own(self, entry: Mapping[str, Any]) -> bool:
        return personal_bank.place_of(entry["bank"], os.environ) == self._bank.layout.local_root

    def _remove_copy(self) -> None:
        """Delete the local copy. The ledger stays, so that connecting again goes on where this machine stopped."""
        top = team_folder.copy_root(self._bank.layout, os.environ)
        for folder, _, names in os.walk(top, topdown=False):
            for name in names:
                disk.remove(os.path.join(folder, name))
            disk.remove_directory(folder)
