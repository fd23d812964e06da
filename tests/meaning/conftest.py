"""An embeddings API on 127.0.0.1 whose vectors follow from concepts, and a person who chose it as embedder."""

import json
import os
import re
import zlib
from collections.abc import Callable, Iterator

import pytest

from memorybank.bank.bank import Bank
from tests.summarize.conftest import ChatServer, CountingClock

CONCEPTS = (
    ("sign", "login", "logged", "log in", "session", "サインイン", "ログイン"),
    ("ship", "deploy", "roll out", "release", "出荷", "リリース"),
    ("database", "postgres", "connection", "データベース", "接続"),
    ("wage", "salary", "pay", "給料"),
    ("car", "automobile", "vehicle", "社用車"),
)
"""Words that mean the same. One dimension each, and three more that make all texts a little different."""


def vector_of(text: str, dimension: int = 8) -> list[float]:
    low = text.lower()
    found = [float(sum(len(re.findall(re.escape(word), low)) for word in words)) for words in CONCEPTS]
    noise = zlib.crc32(text.encode())
    return [*found, *(((noise >> 8 * at) % 256) / 2_000 + 0.01 for at in range(dimension - len(found)))]


def embeddings(request: dict, dimension: int = 8) -> tuple[int, dict, dict]:
    data = [{"object": "embedding", "index": at, "embedding": vector_of(text, dimension)} for at, text in enumerate(request["input"])]
    return 200, {}, {"object": "list", "model": request["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


class EmbeddingServer(ChatServer):
    """The server. It answers every request with vectors until a test gives it other `answers`."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = [embeddings]

    @property
    def texts(self) -> list[str]:
        """All texts that were received."""
        return [text for request in self.requests for text in request["input"]]

    def got(self, part: str) -> bool:
        """Return whether any byte sequence of any request contains this text, as JSON writes it or as it is."""
        return part.encode() in self.received or json.dumps(part)[1:-1].encode() in self.received


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    running = EmbeddingServer()
    yield running
    running.close()


@pytest.fixture
def choose_embedder(tmp_path, monkeypatch) -> Callable[..., None]:
    """choose_embedder(url=…, model=…) writes the person's own settings; without arguments there is no embedder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    path = tmp_path / "own" / "memorybank" / "config.json"
    path.parent.mkdir(parents=True)

    def choose(**settings: object) -> None:
        path.write_text(json.dumps({"embedder": settings} if settings else {}), encoding="utf-8")

    return choose


@pytest.fixture
def counting_clock() -> CountingClock:
    return CountingClock()


@pytest.fixture
def embedded(bank, server, choose_embedder, counting_clock) -> Callable[..., Bank]:
    """embedded({key: text}) → a bank whose vectors the server made, with consent."""

    def make(notes, **options) -> Bank:
        choose_embedder(use="endpoint", url=server.url, model="concepts", **options)
        opened = Bank.open(str(bank(notes).root), clock=counting_clock)
        opened.meaning.give_consent()
        opened.meaning.update()
        return opened

    return make


def write(bank: Bank, key: str, text: str) -> None:
    path = bank.layout.note_path(key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


NOTES = {
    "planning/auth.md": "# Token lifetime\n\nUsers had to sign in again every five minutes. The access token lives 1800 s now.\n",
    "planning/window.md": "# Windows\n\nNever ship on Fridays.\n",
    "planning/pool.md": "# Pool\n\nFATAL: too many clients already. Postgres got pool_size 20.\n",
    "planning/pay.md": "# 給料日\n\n給料は25日に振り込まれます。\n",
    "planning/car.md": "# Parking\n\nBook the automobile in the shared calendar.\n",
    "planning/tea.md": "# Kitchen\n\nGreen leaves are in the left drawer.\n",
    "planning/plants.md": "# Plants\n\nWater the fern on Mondays.\n",
    "planning/lamp.md": "# Lamp\n\nThe lamp in room 4 flickers.\n",
}
