"""The values that a view receives and returns. So a test can call a view as a function, and HTTP stays in `app`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

from memorybank.errors import MemorybankError


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
        kept = [(name, value) for name, values in self.fields.items() if name not in ("told", "detail", "form_key") for value in values]
        return self.path + ("?" + urlencode(kept) if kept else "")

    def text(self, name: str, default: str = "") -> str:
        """Return the last value of a field, without surrounding blanks."""
        values = self.fields.get(name)
        return values[-1].strip() if values else default

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
    values = {"message": error.message, "next_step": error.next_step, "part": part}
    return RenderedPage("failed_part.html" if part else "failed.html", values, STATUS.get(error.exit_code, 500))
