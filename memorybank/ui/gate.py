"""Decides from the head of a request alone who may use the page, before any of the request is interpreted.

Every other page that the browser shows and every program of the machine can reach a page on 127.0.0.1. So each request must name this
very host and port (DNS rebinding) and carry the cookie that only the person with the token has (other programs, other users). A request
that changes something must also come from a form of this page (cross-site requests, and same-site ones from other ports of this machine).
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

LOGIN = "/login"
FORM_KEY = "form_key"
MAX_BODY = 64 << 10
"""Maximum size of a form in bytes. No form comes near it, except those with the text of a note, which have a limit of their own (`PageView.most`)."""
FORM_SECONDS = 20.0
"""Time limit for receiving a form."""
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
        b"frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""Headers of every response. The referrer policy is `same-origin` because with `no-referrer` a browser sends `Origin: null` with forms."""
_READS = ("GET", "HEAD")
_FORM = "application/x-www-form-urlencoded"


class Refusal(NamedTuple):
    """The refusal of a request.

    status: HTTP status
    why: one sentence for the client
    """

    status: int
    why: str


class RequestHead(NamedTuple):
    """The head of a request.

    headers: (lower-case name, value) in the order received, repeated ones included
    """

    method: str
    path: str
    headers: Sequence[tuple[str, str]]

    def all(self, name: str) -> list[str]:
        return [value for found, value in self.headers if found == name]

    def one(self, name: str) -> str | None:
        """Return the value of a header; None when it is missing. A header that came more than once cannot be trusted and counts as ""."""
        found = self.all(name)
        return None if not found else found[0] if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class Gate:
    """The secrets of one running page.

    token: the secret that the person gets in the link
    session: value of the cookie after logging in
    secret: key from which the keys of forms are derived
    folder: prefix of every address of the page

    Browsers send cookies to all ports of a host, so also to a server that another user of this machine runs. A cookie that is valid
    below a folder whose name nobody can guess is sent there alone.
    """

    port: int
    token: str
    session: str
    secret: bytes
    folder: str

    @classmethod
    def fresh(cls, port: int) -> "Gate":
        """Return a gate with new random secrets that exist only in this process. Token, session and secret have 256 bits each."""
        return cls(port, secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_bytes(32), "/" + secrets.token_urlsafe(16))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The only host names under which the page answers."""
        names = ("127.0.0.1", "localhost")
        return tuple(f"{name}:{self.port}" for name in names) + (names if self.port == 80 else ())

    @property
    def cookie(self) -> str:
        """The name of the cookie. It contains the port, because cookies ignore ports and each page of this machine needs its own."""
        return f"mb_{self.port}"

    def set_cookie(self) -> str:
        """Return the value of `Set-Cookie` for a client that showed the token."""
        return f"{self.cookie}={self.session}; Path={self.folder}/; HttpOnly; SameSite=Strict"

    def inside(self, path: str) -> str | None:
        """Return the path below the folder of the page; None for any other path."""
        rest = path[len(self.folder) :]
        # The folder is a secret, so it is compared in constant time.
        return rest if rest.startswith("/") and hmac.compare_digest(path[: len(self.folder)].encode("utf-8", "replace"), self.folder.encode()) else None

    def is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())

    def form_key(self, path: str) -> str:
        """Return the key that a form sent to a path must contain. Another page can neither read nor guess it."""
        return hmac.new(self.secret, f"form\0{path}".encode(), sha256).hexdigest()

    def is_form_key(self, path: str, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.form_key(path).encode())

    def refuse(self, head: RequestHead, *, is_open: bool, most: int = MAX_BODY) -> Refusal | None:
        """Return why a request is refused; None lets it pass.

        is_open: whether no login is required (style, script, the login itself)
        most: maximum size of its form in bytes
        """
        return self._foreign_host(head) or self._foreign_page(head) or self._malformed(head, most) or (None if is_open or self.knows(head) else LOG_IN)

    def knows(self, head: RequestHead) -> bool:
        """Return whether exactly one cookie of this page's name came, with the right value."""
        parts = [part.strip().partition("=") for value in head.all("cookie") for part in value.split(";")]
        found = [value for name, _, value in parts if name == self.cookie]
        return len(found) == 1 and hmac.compare_digest(found[0].encode("utf-8", "replace"), self.session.encode())

    def _foreign_host(self, head: RequestHead) -> Refusal | None:
        return None if (head.one("host") or "").lower() in self.hosts else Refusal(421, "this page answers only as 127.0.0.1 or localhost, with its port")

    def _foreign_page(self, head: RequestHead) -> Refusal | None:
        """Refuse a request of another page. A read may come from a person who follows a link; a write must be proven to come from this page."""
        site, origin = head.one("sec-fetch-site"), head.one("origin")
        if head.method in _READS:
            followed = head.one("sec-fetch-mode") == "navigate" and head.one("sec-fetch-dest") == "document"
            # Programs and old browsers send no sec-fetch-site. They need the cookie anyway, so only a foreign page is refused here.
            return None if site in (None, "same-origin", "none") or followed else _FOREIGN
        if site not in (None, "same-origin"):
            return _FOREIGN
        own = {f"http://{host}" for host in self.hosts}
        if origin is None:  # a client that sends neither header proves nothing
            return None if site == "same-origin" else _FOREIGN
        return None if origin.lower() in own and origin.lower() == f"http://{(head.one('host') or '').lower()}" else _FOREIGN

    def _malformed(self, head: RequestHead, most: int) -> Refusal | None:
        if head.method in _READS:
            return None
        if head.method != "POST":
            return Refusal(405, "this page accepts only GET and POST")
        if (head.one("content-type") or "").partition(";")[0].strip().lower() != _FORM:
            return Refusal(415, "only forms can be sent to this page")
        length = head.one("content-length")
        if length is not None and not (length.isascii() and length.isdigit() and int(length[:12]) <= most):
            return Refusal(413, "the form is larger than any form of this page")
        return None


_FOREIGN = Refusal(403, "the request came from another page")
LOG_IN = Refusal(401, "log in with the link that 'memorybank ui' printed")
