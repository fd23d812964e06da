"""Renders templates. Everything but this package's own markup is escaped, and a value that a template lacks is an error, not a gap.

Rules, kinds and parts have names in the language of the page, and reasons have sentences. Errors and findings of doctor stay English.
"""

from collections.abc import Callable, Iterable
from functools import partial
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from memorybank.archive.object import ArchiveObject
from memorybank.bank.known_items import KnowledgeItem
from memorybank.bank.trusting import HIDES, INSTRUCTS, READS, WIDENS
from memorybank.clock import local_day_of, minute_of
from memorybank.errors import MemorybankError
from memorybank.reasons import reason as reasons
from memorybank.reasons.japanese import JAPANESE
from memorybank.reasons.reason import ENGLISH, Language, Reason
from memorybank.rotation.rules import reason_of
from memorybank.text.quantities import size
from memorybank.ui import words
from memorybank.ui.gate import Gate
from memorybank.ui.markup import TimeText, neutral
from memorybank.ui.request import PageRequest, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views import TABS, tab_of

_templates = Environment(
    loader=PackageLoader("memorybank.ui"), autoescape=select_autoescape(default=True, default_for_string=True), undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True, finalize=lambda value: neutral(value) if isinstance(value, str) else value,
)  # fmt: skip

_LANGUAGES: dict[str, Language] = {"en": ENGLISH, "ja": JAPANESE}


def render(site: Site, gate: Gate, shown: RenderedPage, request: PageRequest) -> str:
    """Return a page, or the part of it that changes."""
    translated: dict[str, Callable[..., str]] = {name: partial(function, request.language) for name, function in _BY_LANGUAGE.items()}
    told = request.text("told")
    values: dict[str, Any] = {
        **translated,
        "site": site,
        "request": request,
        "at": gate.folder,
        "tabs": TABS,
        "tab": tab_of(request.path),
        "form_key": gate.form_key,
        "told": translated["t"](told, detail=request.text("detail")[:200]) if told in words.MESSAGES else "",
        **shown.values,
    }
    return _templates.get_template(shown.template).render(values)


def moment(instant: int | None) -> str:
    """Return a date and time to the minute; "" for None."""
    return "" if instant is None else f"{minute_of(instant)} UTC"


def shell_quoted(text: str) -> str:
    """Return the text quoted as one word of a shell, to be copied from the page. A note may have any name, even `'; rm -r ~ #.md`."""
    return f"-- {quote(text)}" if text.startswith("-") else quote(text)


_WARNINGS = {INSTRUCTS: "instructs", HIDES: "hides", WIDENS: "widens", READS: "reads"}
"""The warnings of `memorybank trust`, and the ends of their keys in `words`."""
_templates.filters.update(word=shell_quoted, size=size, day=local_day_of, moment=moment, time=TimeText, warning=_WARNINGS.__getitem__)


def said(language: str, reason: Reason | str | None) -> str:
    """Return a reason as a sentence in the language of the page."""
    return reasons.text_of(reason, _LANGUAGES[language])


def all_said(language: str, found: Iterable[Reason | str]) -> str:
    """Return several reasons, or words of a question, as one text in the language of the page."""
    return reasons.joined(found, _LANGUAGES[language])


def archival_said(language: str, stored: ArchiveObject) -> str:
    """Return why a note was archived. The archive keeps an English sentence; another language is made from the numbers next to it."""
    return stored.reason if language == "en" else said(language, reason_of(stored) or stored.reason)


def known_said(language: str, known: KnowledgeItem) -> str:
    """Return the text of something known, in the language of the page if it consists of fixed phrases."""
    return known.japanese if language == "ja" and known.japanese else known.text


def error_said(language: str, error: MemorybankError) -> str:
    """Return what kind of error it is in Japanese; "" in English, which its message is written in."""
    return words.ERRORS.get(error.code, words.ERRORS["general"]) if language == "ja" else ""


def check_said(language: str, check: str) -> str:
    """Return what a quick check of doctor asks for, in Japanese; "" in English, which its findings are written in."""
    return words.CHECKS[check] if language == "ja" else ""


_BY_LANGUAGE: dict[str, Callable[..., str]] = {
    **{"t": words.text_of, "translated_name": words.name_of},
    **{function.__name__: function for function in (said, all_said, archival_said, known_said, error_said, check_said)},
}
"""What templates call without the language, which is the first parameter of these functions."""
