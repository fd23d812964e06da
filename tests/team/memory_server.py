"""A server of a team in memory, with the protocol of `team.server.TeamServer`. What PostgreSQL itself promises is tested in `real_server`."""

import json

from memorybank.team.failing import TeamConflict, TeamRefused, TeamUnreachable
from memorybank.team.row import WITHDRAWN, OriginStatus, SharedRow, TeamHit, TeamStatus


class MemoryServers:
    """What `TeamServer` is replaced with: every connection sees the same rows.

    breaks: {number of a call: "before" or "after"} at which the network breaks, before or after the server did it
    refuses: whether the login is refused
    access: {repository: what logins may do there}; a repository that is missing here may be read and written
    """

    def __init__(self) -> None:
        self.rows: list[SharedRow] = []
        self.revoked: set[str] = set()
        self.breaks: dict[int, str] = {}
        self.calls = 0
        self.is_down = False
        self.refuses = False
        self.version = 1
        self.access: dict[str, str] = {}
        self.asked: list[object] = []
        self.opened: list[dict[str, object]] = []

    def __call__(self, address: str, password: str = "", **options: object) -> "MemoryConnection":
        self.opened.append({"address": address, "password": password, **options})
        return MemoryConnection(self, address.partition("//")[2].partition("@")[0])

    def current(self, repository: str = "") -> list[SharedRow]:
        """Return the memories that are shared now."""
        latest: dict[tuple[str, str, str], SharedRow] = {}
        for row in self.rows:
            place = (row.repository, row.origin, row.key)
            if place not in latest or latest[place].sequence <= row.sequence:
                latest[place] = row
        return [row for row in latest.values() if row.kind != WITHDRAWN and row.repository.startswith(repository)]

    def texts(self) -> str:
        """Return every text that the server has ever received."""
        return "\n".join("\n".join((row.path, row.title, *row.tags, row.text)) for row in self.rows)


class MemoryConnection:
    """One connection of a login."""

    def __init__(self, servers: MemoryServers, login: str) -> None:
        self.servers = servers
        self.login = login

    def __enter__(self) -> "MemoryConnection":
        return self

    def __exit__(self, *error: object) -> None:
        return

    def push(self, rows: list[SharedRow]) -> int:
        with _Network(self.servers):
            known = {(row.repository, row.origin, row.sequence): row for row in self.servers.rows}
            for row in rows:
                assert row.origin.partition(".")[0] == self.login
                if row.origin in self.servers.revoked:
                    raise TeamRefused("the server refused: this login may not do that")
                before = known.get((row.repository, row.origin, row.sequence))
                if before is not None and before != row:
                    raise TeamConflict("the server has a row of this machine with the same number and another content")
                if before is None:
                    self.servers.rows.append(row)
            return len(rows)

    def rows_after(self, repositories: list[str], cursor: str = "", *, limit: int = 2, without: str = "") -> tuple[list[SharedRow], str]:
        with _Network(self.servers):
            since = json.loads(cursor)["at"] if cursor else 0
            found = []
            for at, row in enumerate(self.servers.rows[since:], since + 1):
                since = at
                if row.repository in repositories and (row.origin != without or row.kind == WITHDRAWN):
                    found.append(row)
                if len(found) == limit:
                    break
            return found, json.dumps({"at": since})

    def search(self, query: object) -> list[TeamHit]:
        with _Network(self.servers):
            self.servers.asked.append(query)
            words = str(getattr(query, "text", "")).lower().split()
            places = getattr(query, "repositories", ())
            found = [row for row in self.servers.current() if any(word in f"{row.title} {row.text}".lower() for word in words)]
            return [TeamHit(row, 1.0, (0, 0), "words", False, (row.origin,)) for row in found if not places or row.repository in places]

    def revoke(self, origin: str) -> int:
        with _Network(self.servers):
            shared = [row for row in self.servers.current() if row.origin == origin]
            self.servers.revoked.add(origin)
            for row in shared:
                self.servers.rows.append(SharedRow(row.organisation, row.repository, row.origin, row.sequence, WITHDRAWN, row.key))
            return len(shared)

    def status(self) -> TeamStatus:
        with _Network(self.servers):
            current = self.servers.current()
            machines = sorted({(row.origin, row.repository) for row in self.servers.rows})
            origins = [
                OriginStatus(
                    origin,
                    place,
                    sum((row.origin, row.repository) == (origin, place) for row in current),
                    max(row.sequence for row in self.servers.rows if (row.origin, row.repository) == (origin, place)),
                    origin in self.servers.revoked,
                )
                for origin, place in machines
            ]
            return TeamStatus(self.servers.version, self.login, _Access(self.servers.access), len(current), tuple(origins))


class _Access(dict[str, str]):
    """What a login may do: a repository that is not listed may be read and written, one with "none" may not."""

    def __contains__(self, name: object) -> bool:
        return super().get(str(name)) != "none"

    def get(self, name: str, default: str | None = None) -> str | None:
        return super().get(name, "write") if name in self else default


class _Network:
    """One call through a network that may break before or after the server does what it was asked."""

    def __init__(self, servers: MemoryServers) -> None:
        self.servers = servers

    def __enter__(self) -> None:
        self.servers.calls += 1
        if self.servers.refuses:
            raise TeamRefused("the server refused the login")
        if self.servers.is_down or self.servers.breaks.get(self.servers.calls) == "before":
            raise TeamUnreachable("the server does not answer")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None and self.servers.breaks.get(self.servers.calls) == "after":
            raise TeamUnreachable("the connection to the server broke")
