"""Renders templates. Everything but this package's own markup is escaped, and a value that a template lacks is an error, not a gap."""

from collections.abc import Callable
from functools import partial
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from memorybank.bank.trusting import HIDES, INSTRUCTS, READS, WIDENS
from memorybank.clock import isoformat, local_day_of
from memorybank.text.quantities import size
from memorybank.ui import names, words
from memorybank.ui.gate import Gate
from memorybank.ui.markup import neutral
from memorybank.ui.request import PageRequest, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views import TABS

_templates = Environment(
    loader=PackageLoader("memorybank.ui"), autoescape=select_autoescape(default=True, default_for_string=True), undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True, finalize=lambda value: neutral(value) if isinstance(value, str) else value,
)  # fmt: skip


def render(site: Site, gate: Gate, shown: RenderedPage, request: PageRequest) -> str:
    """Return a page, or the part of it that changes."""
    text_of: Callable[..., str] = partial(words.text_of, request.language)
    told = request.text("told")
    tab = _tab(request.path)
    values: dict[str, Any] = {
        "site": site,
        "request": request,
        "at": gate.folder,
        "tabs": TABS,
        "tab": tab,
        "t": text_of,
        "translated_name": partial(names.translated_name, request.language),
        "said": partial(names.said, request.language),
        "all_said": partial(names.all_said, request.language),
        "archival_said": partial(names.archival_said, request.language),
        "known_said": partial(names.known_said, request.language),
        "form_key": gate.form_key,
        "told": text_of(told, detail=request.text("detail")[:200]) if told in words.MESSAGES else "",
        **shown.values,
    }
    return _templates.get_template(shown.template).render(values)


def _tab(path: str) -> tuple[str, str]:
    """Return the tab that a path belongs to: a note belongs to the search."""
    return next((tab for tab in TABS[1:] if path == tab[0] or path.startswith(tab[0] + "/")), TABS[0])


def moment(instant: int | None) -> str:
    """Return a date and time to the minute; "" for None."""
    return "" if instant is None else isoformat(instant)[:16].replace("T", " ") + " UTC"


def shell_quoted(text: str) -> str:
    """Return the text quoted as one word of a shell, to be copied from the page. A note may have any name, even `'; rm -r ~ #.md`."""
    return f"-- {quote(text)}" if text.startswith("-") else quote(text)


_WARNINGS = {INSTRUCTS: "instructs", HIDES: "hides", WIDENS: "widens", READS: "reads"}
"""The warnings of `memorybank trust`, and the ends of their keys in `words`."""
_templates.filters.update(word=shell_quoted, size=size, day=local_day_of, moment=moment, warning=_WARNINGS.__getitem__)
