"""Another program or user of this machine cannot lock the person out of the page, however many connections it opens and whatever it sends.

Real sockets, and an event loop whose clock stands still: what is answered is answered without waiting for any time limit.
"""

import asyncio
import gc
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest

from memorybank.ui import serve
from memorybank.ui.app import FORM_SECONDS, PageApp
from memorybank.ui.gate import Gate
from memorybank.ui.serve import ADDRESS, HEAD_SECONDS, OWN, QUEUE, STRANGERS, PageServer, _listen
from memorybank.ui.site import BankOpener, Site

from .conftest import StillUpdates

GUARD_SECONDS = 30
"""After this time a socket that gets no answer fails the test. No test waits for it."""
FLOOD = 200


class StandingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock moves only when a test moves it."""

    now = 1_000.0

    def time(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        """Move the clock, from any thread."""

        def moved() -> None:
            self.now += seconds

        self.call_soon_threadsafe(moved)


@dataclass
class Door:
    """A served page, seen from its port."""

    gate: Gate
    loop: StandingLoop
    server: PageServer
    thread: threading.Thread
    sockets: ExitStack

    @property
    def host(self) -> str:
        return f"Host: {ADDRESS}:{self.gate.port}\r\n"

    @property
    def cookie(self) -> str:
        return f"Cookie: {self.gate.set_cookie().partition(';')[0]}\r\n"

    def open(self, sent: bytes = b"") -> socket.socket:
        """A connection of anybody, with the first bytes that it sends."""
        made = self.sockets.enter_context(socket.create_connection((ADDRESS, self.gate.port), GUARD_SECONDS))
        if sent:
            with suppress(OSError):  # it may have been closed already
                made.sendall(sent)
        return made

    def look(self, connection: socket.socket | None = None) -> bytes:
        """Return the page as the person's browser gets it."""
        connection = connection or self.open()
        connection.sendall(f"GET {self.gate.folder}/ HTTP/1.1\r\n{self.host}{self.cookie}\r\n".encode())
        return answer(connection)

    def log_in(self) -> bytes:
        """Return the answer to the form with the token, which a browser sends before it has the cookie."""
        body = urlencode({"token": self.gate.token}).encode()
        own = f"Origin: http://{ADDRESS}:{self.gate.port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        head = f"POST /login HTTP/1.1\r\n{self.host}{own}Content-Length: {len(body)}\r\n\r\n"
        return answer(self.open(head.encode() + body))

    def asked(self) -> int:
        """Return the number of open connections, when all that was sent before has been looked at."""
        done: list[int] = []
        ready = threading.Event()

        def count(rounds: int) -> None:
            if rounds:
                self.loop.call_soon(count, rounds - 1)
                return
            done.append(len(self.server.server_state.connections))
            ready.set()

        self.loop.call_soon_threadsafe(count, 20)
        assert ready.wait(GUARD_SECONDS)
        return done[0]


def answer(connection: socket.socket) -> bytes:
    """Return one complete answer, head and body."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += (part := connection.recv(65_536))
        if not part:
            raise ConnectionResetError(f"closed after {received!r}")
    head, _, body = received.partition(b"\r\n\r\n")
    [length] = [int(line.partition(b":")[2]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    while len(body) < length:
        body += (part := connection.recv(65_536))
        assert part
    return head + b"\r\n\r\n" + body


def status(answered: bytes) -> int:
    return int(answered.split(b" ", 2)[1])


def is_closed(connection: socket.socket) -> bool:
    """Whether the page has ended a connection that it does not answer."""
    connection.settimeout(GUARD_SECONDS)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.fixture
def door(bank, fixed_clock) -> Iterator[Door]:
    scratch = bank({"planning/a.md": "# Alpha\n\nstaging\n"})
    listening = _listen(0)
    gate = Gate.fresh(listening.getsockname()[1])
    site = Site(BankOpener(str(scratch.root), fixed_clock, allow_write=True), "scratch", True, StillUpdates())
    loop, server = StandingLoop(), PageServer(PageApp(site, gate), gate)
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(sockets=[listening]),))
    thread.start()
    with ExitStack() as sockets:
        made = Door(gate, loop, server, thread, sockets)
        assert status(made.look()) == 200
        yield made
    server.should_exit = True
    while thread.is_alive():
        loop.move(1)
        thread.join(0.02)
    loop.close()
    listening.close()


FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
BEGUN = {
    "nothing": "",
    "half a line": "GET / HT",
    "half a head": "GET / HTTP/1.1\r\n{host}X-Slow: a\r\n",
    "a head without its end": "GET / HTTP/1.1\r\n{host}X-Slow: " + "a" * 4_000,
    "a form that never ends": "POST /login HTTP/1.1\r\n{host}Origin: http://{address}\r\n" + FORM + "Content-Length: 60000\r\n\r\ntoken=a",
    "chunks that never end": "POST /login HTTP/1.1\r\n{host}Origin: http://{address}\r\n" + FORM + "Transfer-Encoding: chunked\r\n\r\n5\r\ntoken\r\n",
    "a form without the cookie": "POST /note/rate HTTP/1.1\r\n{host}Origin: http://{address}\r\n" + FORM + "Content-Length: 60000\r\n\r\nkey=a",
    "answers that are never read": "GET /static/htmx.min.js HTTP/1.1\r\n{host}\r\n" * 20,
    "a wrong cookie": "GET / HTTP/1.1\r\n{host}Cookie: mb_{port}=wrong\r\n\r\n",
    "no HTTP": "\x16\x03\x01\x02\x00\x01",
}
"""What a stranger sends, and then nothing more."""


@pytest.mark.slow
@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
def test_strangers_displace_only_each_other(door, begun):
    """200 connections are open, more than the page keeps. The person is answered at once, and can log in."""
    threads = threading.active_count()
    sent = begun.format(host=door.host, address=f"{ADDRESS}:{door.gate.port}", port=door.gate.port).encode()
    strangers = [door.open(sent) for _ in range(FLOOD)]
    assert (status(door.look()), status(door.log_in())) == (200, 303)
    assert door.asked() <= STRANGERS + 3
    assert threading.active_count() <= threads
    assert len(strangers) == FLOOD


def test_who_drips_a_head_gains_nothing(door):
    """One byte at a time, for ever: each byte is too little for a request, and none prolongs the time limit."""
    strangers = [door.open(b"GET / HTTP/1.1\r\n") for _ in range(STRANGERS)]
    for byte in b"X-Slow: abc":
        for one in strangers:
            with suppress(OSError):
                one.sendall(bytes([byte]))
        assert status(door.look()) == 200
    door.loop.move(HEAD_SECONDS - 1)
    for one in strangers[-5:]:
        one.sendall(b"d")
    door.asked()
    door.loop.move(1.5)
    assert [is_closed(one) for one in strangers] == [True] * STRANGERS


@pytest.mark.parametrize(("begun", "seconds", "reply"), [(BEGUN["half a head"], HEAD_SECONDS, b""), (BEGUN["a form that never ends"], FORM_SECONDS, b" 408 ")])
def test_a_connection_that_does_not_go_on_ends(door, begun, seconds, reply):
    """Also after an answered request; what was sent so far is not answered, but for a form, which is answered once with an error."""
    sent = begun.format(host=door.host, address=f"{ADDRESS}:{door.gate.port}").encode()
    known = door.open()
    door.look(known)
    strangers = [door.open(sent) for _ in range(10)]
    known.sendall(b"GET / HTTP/1.1\r\n")
    assert door.asked() >= 11
    door.loop.move(seconds + 0.5)
    if reply:
        assert all(reply in answer(one) for one in strangers)
        door.asked()
        door.loop.move(HEAD_SECONDS + 0.5)  # afterwards they wait for a next request
    assert all(map(is_closed, [*strangers, known]))
    assert door.asked() == 0 or door.look()


def test_what_the_person_has_begun_is_not_displaced(door):
    """A form of which only a part has arrived: a flood of strangers does not end it."""
    body = urlencode({"form_key": door.gate.form_key("/note/rate"), "key": "planning/a.md", "rating": "9"}).encode()
    own = f"Origin: http://{ADDRESS}:{door.gate.port}\r\n{FORM}Content-Length: {len(body)}\r\n"
    form = door.open(f"POST {door.gate.folder}/note/rate HTTP/1.1\r\n{door.host}{door.cookie}{own}\r\n".encode() + body[:20])
    idle = door.open()
    door.look(idle)
    for _ in range(FLOOD):
        door.open()
    assert door.asked() <= STRANGERS + 3
    form.sendall(body[20:])
    assert status(answer(form)) == 303
    assert status(door.look(idle)) == 200


def test_a_request_that_came_with_its_connection_is_read_before_a_flood_displaces_it(door):
    """The page is busy while a visitor and more strangers than it keeps connect. The visitor's request is there when its connection is accepted."""
    busy, ready = threading.Event(), threading.Event()

    def work() -> None:
        ready.set()
        busy.wait(GUARD_SECONDS)

    door.loop.call_soon_threadsafe(work)
    assert ready.wait(GUARD_SECONDS)
    for _ in range(5):
        door.open(b"GET / HT")
    visitor = door.open(f"GET {door.gate.folder}/ HTTP/1.1\r\n{door.host}{door.cookie}\r\n".encode())
    for _ in range(QUEUE - 10):
        door.open(b"GET / HT")
    busy.set()
    assert status(answer(visitor)) == 200


def test_a_new_visitor_is_answered_in_the_middle_of_a_flood(door):
    """Connections come as fast as threads can open them, and each visit of the person is a new connection.

    A visitor that the system stops between connecting and sending can be displaced; the person then loads the page again, and is answered.
    """
    stop = threading.Event()

    def flood() -> None:
        while not stop.is_set():
            with suppress(OSError), socket.create_connection((ADDRESS, door.gate.port), GUARD_SECONDS) as one:
                one.sendall(b"GET / HT")

    flooding = [threading.Thread(target=flood) for _ in range(4)]
    for one in flooding:
        one.start()
    try:
        assert [status(again_if_displaced(door.look)) for _ in range(20)] == [200] * 20
        assert status(again_if_displaced(door.log_in)) == 303
    finally:
        stop.set()
        for one in flooding:
            one.join()


def again_if_displaced(visit: Callable[[], bytes]) -> bytes:
    """Repeat a visit whose connection was closed before its request was read, as a person reloads a page."""
    for _ in range(9):
        with suppress(ConnectionError):
            return visit()
    return visit()


def test_the_one_that_came_first_makes_place(door):
    strangers = [door.open() for _ in range(STRANGERS)]
    assert door.asked() >= STRANGERS
    door.open()
    assert is_closed(strangers[0])
    strangers[1].sendall(b"GET / HTTP/1.1\r\n" + door.host.encode() + b"\r\n")
    assert status(answer(strangers[1])) == 401


@pytest.mark.slow
def test_the_memory_of_a_flood_is_bounded(door):
    """Whatever strangers send, only a bounded part of it is kept: 200 of them, 256 KB each."""
    gc.collect()
    tracemalloc.start()
    try:
        for begun in (BEGUN["a head without its end"], BEGUN["a form that never ends"], BEGUN["answers that are never read"]):
            sent = begun.format(host=door.host, address=f"{ADDRESS}:{door.gate.port}").encode()
            for _ in range(FLOOD):
                one = door.open(sent)
                one.setblocking(False)
                with suppress(OSError):
                    one.send(b"x" * 256_000)
            assert status(door.look()) == 200
        assert tracemalloc.get_traced_memory()[1] < 48 << 20
    finally:
        tracemalloc.stop()


def test_the_person_s_own_connections_are_bounded_too(door):
    """A page that opens more and more, such as a tab that reloads by itself, loses those that it used least recently."""
    own = []
    for _ in range(OWN):
        own.append(door.open())
        assert status(door.look(own[-1])) == 200
    assert status(door.look(own[0])) == 200
    for _ in range(3):
        assert status(door.look()) == 200
    assert status(door.look(own[0])) == 200
    assert [is_closed(one) for one in own[1:4]] == [True] * 3
    assert door.asked() <= OWN + 3


def test_limits_of_the_page_fit_into_a_small_table_of_files():
    """macOS gives a process 256 files. One burst can be open before the first stranger is closed."""
    assert STRANGERS >= 3 * serve._BURST, "what has sent its request is read before two more bursts have come"
    assert STRANGERS + OWN + serve._BURST <= 192
