"""What a view is given and what it hands back: values, so that a view is a function that any test can call, and HTTP stays in `app`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from memorybank.errors import MemorybankError

if TYPE_CHECKING:
    from memorybank.ui.opening import Opening
    from memorybank.ui.updating import Updates


@dataclass(frozen=True, slots=True)
class Site:
    """One page of one bank. open: the bank, anew for each request; without allow_write it is read-only.

    name: how the person knows the bank; updates: the run of `episodes update` that this page started.
    """

    open: "Opening"
    name: str
    allow_write: bool
    updates: "Updates"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. fields: of the query of a GET, of the form of a POST; partial: only the part that changes is wanted (htmx).

    at: what every address of the page begins with.
    """

    path: str
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    language: str = "en"
    partial: bool = False
    at: str = ""

    @property
    def address(self) -> str:
        """Where this was asked, without what was said once: for a way back."""
        kept = [(name, value) for name, values in self.fields.items() if name not in ("told", "detail", "form_key") for value in values]
        return self.path + ("?" + urlencode(kept) if kept else "")

    def text(self, name: str, default: str = "") -> str:
        """The last value of a field, without blanks around it."""
        values = self.fields.get(name)
        return values[-1].strip() if values else default

    def texts(self, name: str) -> list[str]:
        """What is written between commas, or as several fields of one name."""
        return [part.strip() for value in self.fields.get(name, ()) for part in value.split(",") if part.strip()]


class Shown(NamedTuple):
    """A page: its template and the values it tells."""

    template: str
    values: Mapping[str, Any]
    status: int = 200


class Moved(NamedTuple):
    """Go on there (303): after a form a reload must not send it again.

    told: a key of `words` said on that page, with a detail; begins: what goes on beside the answer.
    """

    path: str
    told: str = ""
    detail: str = ""
    begins: Callable[[], Awaitable[None]] | None = None


class Sent(NamedTuple):
    """Bytes as they are."""

    media_type: str
    data: bytes


Answer = Shown | Moved | Sent
STATUS = {1: 409, 2: 400, 3: 404, 4: 403, 5: 501, 6: 409, 7: 409, 8: 409, 9: 409}
"""HTTP status of an error by its exit code."""


def failed(error: MemorybankError, part: str = "") -> Shown:
    """An error as a page, or as the part of one with that id: what is wrong and the next step."""
    values = {"message": error.message, "next_step": error.next_step, "part": part}
    return Shown("failed_part.html" if part else "failed.html", values, STATUS.get(error.exit_code, 500))
