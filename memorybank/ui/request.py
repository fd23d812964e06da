"""The values that a view receives and returns. So a test can call a view as a function, and HTTP stays in `app`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from memorybank.errors import MemorybankError, UsageError

_ONCE = ("told", "detail", "form_key", "fresh")
"""Fields that belong to one request and to no address."""


class PageNumber(NamedTuple):
    """A page of a list. number: from 1; size: number of entries on a page"""

    number: int
    size: int

    @property
    def first(self) -> int:
        """Number of entries before the page."""
        return (self.number - 1) * self.size

    def part(self, entries: Sequence[Any]) -> Sequence[Any]:
        return entries[self.first : self.first + self.size]

    def of(self, total: int) -> "Pager":
        """Return the page among all pages. total: number of entries of the list"""
        return Pager(self.number, max(1, -(-total // self.size)), total, self.first + 1 if total else 0, min(total, self.first + self.size))


class Pager(NamedTuple):
    """A page among all pages of a list.

    number, last: this page and the last one, from 1
    begin, end: the first and last entry of this page, from 1
    """

    number: int
    last: int
    total: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class PageRequest:
    """One request.

    fields: the fields of a GET's query or of a POST's form
    partial: whether htmx wants only the part that changes
    prefix: folder before every address of the page
    """

    path: str
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    language: str = "en"
    partial: bool = False
    prefix: str = ""

    @property
    def address(self) -> str:
        """The address of this request without one-time messages, for a way back."""
        kept = [(name, value) for name, values in self.fields.items() if name not in _ONCE for value in values]
        return self.path + ("?" + urlencode(kept) if kept else "")

    def address_with(self, **fields: object) -> str:
        """Return the address with other values of some fields; "" leaves a field out."""
        kept = [(name, value) for name, values in self.fields.items() if name not in (*_ONCE, *fields) for value in values if value]
        changed = [(name, str(value)) for name, value in fields.items() if value != ""]
        return self.prefix + self.path + ("?" + urlencode([*kept, *changed]) if kept or changed else "")

    def page_of(self, size: int) -> "PageNumber":
        """Return the page of a list that was asked for. size: number of entries on a page"""
        text = self.text("page")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
        return PageNumber(max(1, number), size)

    def text(self, name: str, default: str = "") -> str:
        """Return the last value of a field, without surrounding blanks."""
        values = self.fields.get(name)
        return values[-1].strip() if values else default

    def required(self, name: str, missing: str, next_step: str) -> str:
        """Return the text of a field. Raises `UsageError` with these sentences when it is empty."""
        value = self.text(name)
        if not value:
            raise UsageError(missing, next_step=next_step)
        return value

    def one_of(self, name: str, known: Sequence[str], what: str) -> str:
        """Return the text of a field that has a few values, "" without one. Raises `UsageError` for any other. what: such as "claims", for the message"""
        value = self.text(name)
        if value and value not in known:
            raise UsageError(f"{value[:40]!r} is not a {name} of {what}", next_step=f"choose one of {', '.join(known)}")
        return value

    def texts(self, name: str) -> list[str]:
        """Return the values of a field that are separated by commas or sent as several fields of one name."""
        return [part.strip() for value in self.fields.get(name, ()) for part in value.split(",") if part.strip()]


class RenderedPage(NamedTuple):
    """A page: its template and the values for it."""

    template: str
    values: Mapping[str, Any]
    status: int = 200


class Redirect(NamedTuple):
    """A redirect (303), so that reloading the page after a form does not send the form again.

    path: where to, below the folder of the page; from a form, so that an unknown one leads to the first tab
    message: key in `words` of the message that the next page shows, with a detail
    background: work that starts next to the answer
    """

    path: str
    message: str = ""
    detail: str = ""
    background: Callable[[], Awaitable[None]] | None = None


class RawResponse(NamedTuple):
    """Bytes that are sent unchanged."""

    media_type: str
    data: bytes


Answer = RenderedPage | Redirect | RawResponse
STATUS = {1: 409, 2: 400, 3: 404, 4: 403, 5: 501, 6: 409, 7: 409, 8: 409, 9: 409}
"""Exit code of an error → HTTP status."""


def failed(error: MemorybankError, part: str = "") -> RenderedPage:
    """Return an error as a page: what is wrong and the next step.

    part: id of the element that gets the error, if only a part of a page was requested
    """
    values = {"error": error, "part": part}
    return RenderedPage("failed_part.html" if part else "failed.html", values, STATUS.get(error.exit_code, 500))
