"""Answers HTTP requests with the views: first the gate, then the key of a form, then one worker that reads the bank, then the template."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from http.cookies import CookieError, SimpleCookie
from importlib import resources
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from memorybank.errors import MemorybankError
from memorybank.storage import database, disk
from memorybank.ui import pages, words
from memorybank.ui.gate import FORM_KEY, FORM_SECONDS, HEADERS, LOG_IN, LOGIN, MAX_BODY, Gate, Refusal, RequestHead
from memorybank.ui.request import Answer, PageRequest, RawResponse, Redirect, RenderedPage, failed
from memorybank.ui.site import Site
from memorybank.ui.views import READS, VIEWS, PageView

LANGUAGE_COOKIE = "mb_lang"
_MOST_FIELDS = 200
_STATIC = {"page.css": "text/css", "page.js": "text/javascript", "htmx.min.js": "text/javascript", "icon.svg": "image/svg+xml"}
ASSETS = {f"/static/{name}": RawResponse(kind, resources.files("memorybank.ui").joinpath("static", name).read_bytes()) for name, kind in _STATIC.items()}
"""The static files, read once and looked up by name: no path of a request is ever joined to a folder."""

_LARGE_FORMS = {view.path: view.most for view in VIEWS if view.most}
"""{path: maximum size in bytes} of the forms with the text of a note."""
_Endpoint = Callable[[Request], Awaitable[Response]]
_Fields = dict[str, list[str]]


class PageApp:
    """The ASGI application of one page: the gate in front of every request, and the headers on every response."""

    def __init__(self, site: Site, gate: Gate) -> None:
        self._site = site
        self._gate = gate
        # One thread asks the bank: SQLite objects may only be used by the thread that opened them, and two tabs never interfere.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="bank")
        routes = [
            Route(LOGIN, self._log_in, methods=["POST"]),
            Route("/language/{to}", self._set_language, methods=["GET"]),
            *(Route(path, _asset(asset), methods=["GET"]) for path, asset in ASSETS.items()),
            *(Route(view.path, self._endpoint(view), methods=[view.method]) for view in VIEWS),
        ]
        handlers = {404: self._not_found, 405: self._not_found}
        self._routes = Starlette(routes=routes, lifespan=self._lifespan, exception_handlers=handlers)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self._site.updates.stop()
            self._worker.submit(self._site.open.close)
            self._worker.shutdown(wait=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._routes(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        head = RequestHead(scope["method"], scope["path"], headers)
        is_open = head.path == LOGIN or head.path in ASSETS
        inside = head.path if is_open else self._gate.inside(head.path)
        refusal = self._gate.refuse(head, is_open=is_open, most=_LARGE_FORMS.get(inside or "", MAX_BODY)) or (LOG_IN if inside is None else None)
        if refusal is not None:
            await self._refused(refusal, Request(scope))(scope, receive, _with_headers(send))
            return
        await self._routes({**scope, "path": inside}, receive, _with_headers(send))  # routes do not contain the secret folder

    def _refused(self, refusal: Refusal, request: Request) -> Response:
        if refusal.status != 401:
            return PlainTextResponse(refusal.why + "\n", refusal.status)
        answer = self._page(RenderedPage("login.html", {}, 401), PageRequest("/", language=_language_of(request)))
        if request.headers.get("hx-request") == "true":
            answer.headers["hx-refresh"] = "true"  # load the login as a page; htmx would put it into a part
        return answer

    async def _log_in(self, request: Request) -> Response:
        fields = await _form(request)
        if isinstance(fields, Response):
            return fields
        if not self._gate.is_token(fields.get("token", [""])[-1].strip()):
            return PlainTextResponse("that is not the token that 'memorybank ui' printed\n", 403)
        return RedirectResponse(self._gate.folder + "/", 303, headers={"set-cookie": self._gate.set_cookie()})

    async def _set_language(self, request: Request) -> Response:
        """Set the language and return to the page where the person was: the query field `back`, a path with its query."""
        wanted = request.path_params["to"]
        if wanted not in words.LANGUAGES:
            return PlainTextResponse("no such language\n", 404)
        back = _known_address(request.query_params.get("back", ""))
        return RedirectResponse(self._gate.folder + back, 303, headers={"set-cookie": f"{LANGUAGE_COOKIE}={wanted}; Path=/; HttpOnly; SameSite=Strict"})

    def _endpoint(self, view: PageView) -> _Endpoint:
        async def endpoint(request: Request) -> Response:
            fields = _parsed(request.scope["query_string"]) if view.method == "GET" else await _form(request, view.most or MAX_BODY)
            if isinstance(fields, Response):
                return fields
            asked = PageRequest(view.path, fields, _language_of(request), _wants_part(request), self._gate.folder)
            if view.method == "POST":
                if not self._gate.is_form_key(view.path, asked.text(FORM_KEY)):
                    return self._error_page(request, 403, "page.other_run")
                if not self._site.allow_write:
                    return self._error_page(request, 403, "page.only_shows")
            answer = await asyncio.get_running_loop().run_in_executor(self._worker, _answered, self._site, view, asked)
            if isinstance(answer, Redirect) and answer.background is not None:
                await answer.background()
            return self._response(answer, asked)

        return endpoint

    def _response(self, answer: Answer, asked: PageRequest) -> Response:
        if isinstance(answer, Redirect):
            said = {"told": answer.message, "detail": answer.detail} if answer.message else {}
            path = _known_address(answer.path)
            joint = "&" if "?" in path else "?"
            return RedirectResponse(self._gate.folder + path + (joint + urlencode(said) if said else ""), 303)
        if isinstance(answer, RawResponse):
            return Response(answer.data, media_type=answer.media_type)
        pager = answer.values.get("pager")
        if pager is not None and pager.number > pager.last:  # a kept address of a list that has become shorter
            return RedirectResponse(asked.address_with(page=pager.last), 303)
        return self._page(answer, asked)

    def _page(self, shown: RenderedPage, asked: PageRequest) -> Response:
        headers = {"content-language": asked.language, "vary": "HX-Request, HX-History-Restore-Request"}
        return HTMLResponse(pages.render(self._site, self._gate, shown, asked), shown.status, headers)

    async def _not_found(self, request: Request, error: Any) -> Response:
        return self._error_page(request, error.status_code, "page.none")

    def _error_page(self, request: Request, status: int, code: str) -> Response:
        """Return an error of the page itself. code: key in `words`, with the next step below `.next`"""
        language = _language_of(request)
        shown = RenderedPage(
            "failed.html", {"error": None, "said": words.text_of(language, code), "next_said": words.text_of(language, f"{code}.next")}, status
        )
        return self._page(shown, PageRequest("/", language=language, prefix=self._gate.folder))


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *HEADERS, *(() if b"cache-control" in own else [(b"cache-control", b"no-store")])]
        await send(message)

    return send_with_headers


def _known_address(address: str) -> str:
    """Return an address below the folder of the page, if its path is that of a view; otherwise that of the view above it, or the first tab.

    Any other value would make an open redirect. The answer of a form has no address to return to, so the way back leads to its tab.
    """
    path, _, query = address.partition("?")
    if path in READS:
        return f"{path}?{query}" if query else path
    above = path.rpartition("/")[0]
    return above if above in READS else "/"


def _asset(asset: RawResponse) -> _Endpoint:
    async def endpoint(_: Request) -> Response:
        return Response(asset.data, media_type=asset.media_type, headers={"cache-control": "max-age=3600"})

    return endpoint


def _answered(site: Site, view: PageView, asked: PageRequest) -> Answer:
    """Return the answer of the view, or the error in its place.

    A bug ends one request and reveals no text; the command that does the same, typed in a terminal, leaves a report.
    """
    part = view.part if asked.partial else ""
    try:
        return view.show(site, asked)
    except MemorybankError as error:
        return failed(error, part)
    except OSError as error:
        return failed(disk.from_os_error(error, str(error.filename or "file system")), part)
    except sqlite3.Error as error:
        return failed(database.typed(error, "cache"), part)
    except Exception as error:
        bug = MemorybankError(f"a bug in memorybank ({type(error).__name__})", next_step="run the corresponding command in a terminal, which writes a report")
        return failed(bug, part)._replace(status=500)


def _wants_part(request: Request) -> bool:
    """Return whether htmx asks for a part of the page. When a person goes back in the history, it asks for the complete page."""
    return request.headers.get("hx-request") == "true" and "hx-history-restore-request" not in request.headers


async def _form(request: Request, most: int = MAX_BODY) -> _Fields | Response:
    """Return the fields of a form. The size is checked while chunks arrive, because a chunked body has no length.

    most: maximum size in bytes
    """
    body = bytearray()
    try:
        async with asyncio.timeout(FORM_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    return PlainTextResponse("the form is larger than any form of this page\n", 413)
    except TimeoutError:
        return PlainTextResponse("the form took too long to arrive\n", 408)
    except ClientDisconnect:
        return PlainTextResponse("the form was not sent completely\n", 400)
    return _parsed(bytes(body))


def _parsed(encoded: bytes) -> _Fields | Response:
    """Return the fields, or an error: what is not UTF-8, contains a NUL or has hundreds of fields was not typed into this page."""
    try:
        fields = parse_qs(encoded.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError:
        return PlainTextResponse("the request is not a form of this page\n", 400)
    if any("\0" in value for values in fields.values() for value in values):
        return PlainTextResponse("the request contains a NUL character\n", 400)
    return fields


def _language_of(request: Request) -> str:
    """Return the language that the person chose, otherwise the one that the browser prefers."""
    try:
        chosen = SimpleCookie(request.headers.get("cookie", "")).get(LANGUAGE_COOKIE)
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in words.LANGUAGES:
        return chosen.value
    return words.preferred(request.headers.get("accept-language", ""))
