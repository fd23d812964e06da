"""The page without a network: its application is called as a server calls it, with the head of a request exactly as a test wants it."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest

PORT = 8765
OWN = (("host", f"127.0.0.1:{PORT}"), ("sec-fetch-site", "same-origin"))


@dataclass
class Answered:
    """What came back. headers: lower-case names."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class StillUpdates:
    """Replaces the process of `episodes update`, and counts how often it was started."""

    started: int = 0
    is_running: bool = False
    finished: object = None

    async def start(self) -> None:
        self.started += 1
        self.is_running = True

    async def stop(self) -> None:
        self.is_running = False


@dataclass
class Page:
    """The page of one scratch bank, and a person who is logged in."""

    app: Callable
    gate: object
    updates: StillUpdates
    cookies: str = ""
    languages: str = "en"
    extra: list = field(default_factory=list)

    def ask(self, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b"", *, inside: bool = True, then: object = ...) -> Answered:
        """One request with these headers and no others, below the page's folder but for what is open; in answers that folder is left out.

        then: the body has not ended; this comes next, or nothing ever (None).
        """
        path, _, query = target.partition("?")
        if inside and path != "/login" and not path.startswith("/static/"):
            path = self.gate.folder + path
        sent: list[dict] = []
        received = iter([{"type": "http.request", "body": body, "more_body": then is not ...}])

        async def receive():
            message = next(received, {"type": "http.disconnect"} if then is ... else then)
            return message if message is not None else await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": query.encode("utf-8", "replace"),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", PORT),
        }
        asyncio.run(self.app(scope, receive, send))
        start = next(message for message in sent if message["type"] == "http.response.start")
        received_headers = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
        answer = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
        if inside:
            answer = answer.replace(self.gate.folder.encode(), b"")
            received_headers |= {"location": received_headers.get("location", "").removeprefix(self.gate.folder)}
        return Answered(start["status"], received_headers, answer)

    def login(self) -> "Page":
        answer = self.ask("POST", "/login", [*OWN, FORM], urlencode({"token": self.gate.token}).encode())
        assert answer.status == 303
        self.cookies = answer.headers["set-cookie"].partition(";")[0]
        return self

    def get(self, path: str, *headers: tuple[str, str], **fields: str) -> Answered:
        target = path + ("?" + urlencode(fields) if fields else "")
        return self.ask("GET", target, [*OWN, ("cookie", self.cookies), ("accept-language", self.languages), *headers])

    def post(self, path: str, **fields: str) -> Answered:
        """A form of the page, sent by the page."""
        body = urlencode({"form_key": self.gate.form_key(path), **fields}).encode()
        return self.ask("POST", path, [*OWN, ("cookie", self.cookies), ("accept-language", self.languages), FORM], body)

    def follow(self, answer: Answered) -> Answered:
        assert answer.status == 303, (answer.status, answer.text)
        path, _, query = answer.headers["location"].partition("?")
        return self.ask("GET", f"{path}?{query}", [*OWN, ("cookie", self.cookies), ("accept-language", self.languages)])


FORM = ("content-type", "application/x-www-form-urlencoded")


@pytest.fixture
def serve(fixed_clock):
    """serve(scratch, allow_write=True) → the page of a scratch bank, logged in. Its server ends after the test, as `memorybank ui` does."""
    served = []

    def made(scratch, *, allow_write: bool = True, languages: str = "en") -> Page:
        from memorybank.ui.app import PageApp
        from memorybank.ui.gate import Gate
        from memorybank.ui.site import BankOpener, Site

        gate = Gate.fresh(PORT)
        updates = StillUpdates()
        site = Site(BankOpener(str(scratch.root), fixed_clock, allow_write=allow_write), "scratch", allow_write, updates)
        served.append(PageApp(site, gate))
        return Page(served[-1], gate, updates, languages=languages).login()

    yield made
    for app in served:
        asyncio.run(end(app))


async def end(app) -> None:
    """Tell a page that its server starts and stops."""
    messages = iter(({"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}))

    async def receive():
        return next(messages)

    async def send(message):
        assert message["type"].endswith(".complete"), message

    await app({"type": "lifespan"}, receive, send)


def form_of(text: str, path: str) -> dict[str, str]:
    """The hidden fields of the first form of a page that is sent to a path."""
    [form] = re.findall(rf'(?s)<form method="post" action="{re.escape(path)}".*?</form>', text)[:1]
    return dict(re.findall(r'name="([a-z_]+)" value="([^"]*)"', form))


def visible(text: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())
