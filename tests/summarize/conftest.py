"""A chat API on a real socket of 127.0.0.1 with configurable answers, and a clock that counts waits instead of waiting."""

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from memorybank.clock import FixedClock
from memorybank.summarize.summarizer import ChatText, DayText, SessionItem

NOW = 1_758_112_496_789


class CountingClock(FixedClock):
    """A clock that waiting advances; `waits` has the seconds of each wait."""

    def __init__(self) -> None:
        super().__init__(NOW)
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.instant += int(seconds * 1000)


def completion(text: str | None = "The parser was fixed.", finish: str | None = "stop", **message: object) -> dict:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def error(message: str = "no", code: str | None = None, kind: str = "invalid_request_error", param: str | None = None) -> dict:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


class ChatServer:
    """A server with given answers.

    answers: those of the next requests, the last one repeated: (status, headers, body: dict or bytes), "reset" or "silence",
        or a function that returns such an answer for the request
    received: the bytes of all requests
    arrived: counts the requests that were read
    """

    def __init__(self) -> None:
        self.answers: list = [(200, {}, completion())]
        self.requests: list[dict] = []
        self.received = b""
        self.headers: list[dict[str, str]] = []
        self.over = threading.Event()
        self.arrived = threading.Semaphore(0)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                outer.requests.append(json.loads(body))
                outer.received += body
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                outer.arrived.release()
                answer = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                answer = answer(outer.requests[-1]) if callable(answer) else answer
                self.close_connection = True
                if answer == "silence":
                    outer.over.wait(120)
                elif answer == "reset":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()
                else:
                    self.reply(*answer)

            def reply(self, status: int, headers: dict[str, str], body: dict | bytes) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), "Connection": "close", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

            def finish(self) -> None:
                with contextlib.suppress(OSError, ValueError):
                    super().finish()

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass

            def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]  # the base takes any kind of request
                with contextlib.suppress(OSError):
                    super().shutdown_request(request)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/v1/"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.close()


@pytest.fixture
def counting_clock() -> CountingClock:
    return CountingClock()


@pytest.fixture(params=["en", "ja"])
def day(request: pytest.FixtureRequest) -> DayText:
    return DAYS[request.param]


DAYS = {
    "en": DayText(
        date="2025-09-16",
        language="en",
        budget=400,
        parts=(
            SessionItem("goals", "Make the tokenizer accept Japanese dates in search queries."),
            SessionItem("changed", "memorybank/text/words/tokens.py (edited, 3 changes): `_DATE` → `_CALENDAR_DATE`"),
            SessionItem("fixes", "`pytest tests/text` failed: KeyError: 'era'. It succeeded after memorybank/text/eras.py (edited)."),
            SessionItem("decisions", "We will use the proleptic calendar instead of a table of eras."),
            SessionItem("open_ends", "The benchmark of 10,000 queries has not been run again."),
        ),
        said=(ChatText("USER", "Thanks, great work! The release is on Friday, please update the changelog before."),),
    ),
    "ja": DayText(
        date="2025-09-16",
        language="ja",
        budget=400,
        parts=(
            SessionItem("goals", "検索クエリで和暦の日付を受け付けるようにする。"),
            SessionItem("changed", "memorybank/text/words/tokens.py（編集、変更3回）: `_DATE` → `_CALENDAR_DATE`"),
            SessionItem("fixes", "`pytest tests/text` が失敗: KeyError: 'era'。memorybank/text/eras.py の編集後に成功。"),
            SessionItem("decisions", "元号の表ではなく先発グレゴリオ暦を採用することにした。"),
            SessionItem("open_ends", "一万件のクエリの計測はまだやり直していない。"),
        ),
        said=(ChatText("USER", "ありがとう！リリースは金曜日なので、その前に変更履歴を更新してください。"),),
    ),
}
