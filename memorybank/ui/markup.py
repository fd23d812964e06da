"""Renders a note as harmless HTML: CommonMark, then cleaned with a list of allowed elements that has no script, style or frame."""

import posixpath
import re
import unicodedata
from collections.abc import Collection
from html import escape, unescape
from urllib.parse import quote, unquote, urlsplit

from memorybank.notes import pictures, targets
from memorybank.notes.note import Link

_TAGS = {
    "a", "blockquote", "br", "code", "dd", "del", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "input", "li", "ol", "p", "pre",
    "s", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "input": {"type", "checked", "disabled"}, "img": {"src", "alt", "title"}}
_SCHEMES = {"http", "https", "mailto"}
_BIDI = {code: "�" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
_CONTROLS = {code: "�" for code in (*range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0))}


class RawText:
    """A text that a form gives back: escaped, but with every character that it has, because the person saves what the form contains."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __html__(self) -> str:
        return escape(self.text)


class TimeText:
    """A date or moment as an element, whose characters stay on one line: a browser may break a line after a hyphen."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __html__(self) -> str:
        return f"<time>{escape(self.text)}</time>"


def neutral(text: str) -> str:
    """Return the text without characters that change its direction or control a device. Line ends and tabs stay."""
    return text.translate(_BIDI).translate(_CONTROLS) if not text.isascii() or not text.isprintable() else text


def rendered(body: str, key: str, at: str = "", known: Collection[str] = ()) -> str:
    """Return the HTML of a note's body.

    Links to other notes lead to their pages, and web addresses stay; no other target remains a link. Pictures are shown if they are in
    the bank; of any other only its text remains.

    key: key of the note, which relative links start from
    at: prefix of every address of the page
    known: keys of the notes that this one links to; `[[a name]]` can mean these
    """
    import nh3
    import pyromark

    options = pyromark.Options
    html = pyromark.html(neutral(body), options=options.ENABLE_TABLES | options.ENABLE_STRIKETHROUGH | options.ENABLE_TASKLISTS | options.ENABLE_WIKILINKS)

    def kept(tag: str, attribute: str, value: str) -> str | None:
        if tag == "a" and attribute == "href":
            return _target(value, key, at, known)
        if tag == "img" and attribute == "src":
            return _picture(value, key, at)
        if tag == "input":
            return ("checkbox" if value.lower() == "checkbox" else None) if attribute == "type" else value
        return value

    cleaned: str = nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags={"script", "style", "template", "noscript", "iframe", "object", "svg", "math", "title", "textarea"},
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        url_schemes=_SCHEMES,
        set_tag_attribute_values={"input": {"disabled": "", "type": "checkbox"}, "img": {"loading": "lazy"}},
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )
    return cleaned


def is_titled(html: str, title: str) -> bool:
    """Return whether a rendered text begins with its title, so that the page need not repeat it."""
    first = re.match(r"\s*<h1>(.*?)</h1>", html, re.DOTALL)
    return first is not None and unescape(re.sub(r"<[^<>]*>", "", first[1])).split() == title.split()


def _target(written: str, key: str, at: str, known: Collection[str]) -> str | None:
    """Return where a link leads, or None.

    A web address stays as it is; `../shared/a.md` and the name of a known note lead to the page of that note.
    """
    try:
        parts = urlsplit(written)
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return written if parts.scheme.lower() in _SCHEMES and (parts.netloc or parts.scheme.lower() == "mailto") else None
    path = unquote(parts.path)
    if not path.endswith(".md"):
        named = _named(path, key, known)
        return f"{at}/note?key={quote(named)}" if named else None
    if "\\" in path:
        return None
    meant = posixpath.normpath(posixpath.join(posixpath.dirname(key), path))
    meant = meant.rpartition("memory/active/")[2]  # a link written from the root of the repository
    return None if meant.startswith(("/", "..")) else f"{at}/note?key={quote(unicodedata.normalize('NFC', meant))}"


def _named(name: str, key: str, known: Collection[str]) -> str | None:
    by_name: dict[str, list[str]] = {}
    for each in known:
        by_name.setdefault(targets.name_of(each), []).append(each)
    found = targets.resolve(key, Link("wiki", name), by_name)
    return found if isinstance(found, str) else None


def _picture(written: str, key: str, at: str) -> str | None:
    try:
        parts = urlsplit(written)
    except ValueError:
        return None
    path = None if parts.scheme or parts.netloc else pictures.place(key, unquote(parts.path))
    return f"{at}/note/picture?name={quote(path)}" if path else None


_SIGNS = re.compile(r"(?<!\S)(?:#{1,6}|`{3,}\w*|\|(?:[ :]{0,80}-{3,400}[ :]{0,80}\|){1,60}|\|)(?=\s|$)\s*")
"""Markdown that means nothing within one line: signs of headings, code blocks and tables."""


def pieces(text: str, marks: tuple[tuple[int, int], ...]) -> list[tuple[str, bool]]:
    """Return a snippet as pairs of (text, whether it matched)."""
    found, at = [], 0
    for start, end in marks:
        found += [(_SIGNS.sub("", text[at:start]), False), (text[start:end], True)]
        at = end
    return [(part, marked) for part, marked in [*found, (_SIGNS.sub("", text[at:]), False)] if part]
