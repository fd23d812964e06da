"""Extracts the claims of a text. It never looks at a disk: whatever looks like a claim counts as one, and looking it up decides."""

from __future__ import annotations

__light__ = True

from posixpath import join, normpath

from memorybank.claims import names, runs
from memorybank.claims.blocks import sentences
from memorybank.claims.claim import BRANCH, COMMIT, NOTE, PATH, Claim
from memorybank.claims.dates import dates
from memorybank.claims.past import is_example, is_of_the_past
from memorybank.text import anchors
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.claims.blocks import Sentence

MOST = 200
"""Maximum number of claims of one text."""
LONGEST = 256
"""Maximum length of a subject, in characters."""
_LINK = lazy_pattern(r"!?\[[^\[\]\n]{0,500}\]\(\s*<?([^()\s<>]{1,500})>?[^()\n]{0,200}\)")
_WIKI = lazy_pattern(r"!?\[\[([^\[\]\n|#]{1,256})[^\[\]\n]{0,256}\]\]")
_URL = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s`<>]*")
_COMMIT = lazy_pattern(r"(?:\b(?:commits?|sha|rev)|コミット)[\s:：=(（]{0,3}`?([0-9a-f]{7,40})\b|`([0-9a-f]{7,40})`", "i")
_BEFORE_COMMITS = ("`", "ommit", "コミット", "sha", "rev")
_BRANCH = lazy_pattern(
    r"(?:\bbranch(?:es)?|ブランチ)[\s:：]{0,3}[`「『\"]([\w./+-]{1,100})[`」』\"]"
    r"|[`「『\"]([\w./+-]{1,100})[`」』\"]\s?(?:(?:feature |release )?branch\b|ブランチ)",
    "i",
)
_REFUSED = frozenset("*?[]{}<>=,%$|\\\0\"'")
_NOT_BELOW = ("/", "~", "..", "@", "$", "-", "+")


def claims_of(text: str, folder: str | None = None, first_line: int = 1) -> list[Claim]:
    """Return the claims of a text in order, at most `MOST`. A subject that occurs several times is one claim.

    Sentences that speak of the past or give an example claim nothing.

    folder: folder of the file, relative to the repository, from which the destinations of links start; None for a text without a file
    first_line: line of the file at which the text begins
    """
    found: dict[tuple[str, str], Claim] = {}
    for sentence in sentences(text, first_line):
        for claim in _claims_of(sentence, folder):
            found.setdefault((claim.kind, claim.place or claim.subject), claim)
        if len(found) >= MOST:
            break
    return list(found.values())[:MOST]


def _claims_of(sentence: Sentence, folder: str | None) -> list[Claim]:
    if sentence.is_shell:
        return list(runs.commands(sentence.text, sentence.line))
    claims, limits = list(_of_sentence(sentence, folder)), list(dates(sentence.text, sentence.line))
    if (claims or limits) and is_example(sentence.text):
        return []
    # "Will be removed by Friday" names what is expected to be missing, and a day that can pass.
    return limits if claims and is_of_the_past(_without(sentence.text, claims)) else [*claims, *limits]


def _without(text: str, claims: list[Claim]) -> str:
    """Return a text without the subjects of its claims: `src/legacy/a.py` is a name, and says nothing about the past."""
    for claim in claims:
        text = text.replace(claim.subject, " ")
    return text


def _of_sentence(sentence: Sentence, folder: str | None) -> Iterator[Claim]:
    text, line = sentence.text, sentence.line
    if "](" in text:
        for match in _LINK.finditer(text):
            place = _destination(match[1], folder)
            if place:
                yield Claim(PATH, match[1].partition("#")[0], line + text.count("\n", 0, match.start()), place)
        text = _LINK.sub(" ", text)
    if "[[" in text:
        for match in _WIKI.finditer(text):
            if match[1].strip():
                yield Claim(NOTE, match[1].strip(), line + text.count("\n", 0, match.start()))
        text = _WIKI.sub(" ", text)
    if "://" in text:
        text = _URL.sub(" ", text)
    for path in anchors.paths_in(text):
        subject = _path(path)
        if subject:
            yield Claim(PATH, subject, _line_of(path, text, line))
    for match in _COMMIT.finditer(text) if any(sign in text for sign in _BEFORE_COMMITS) else ():
        digits = (match[1] or match[2]).lower()
        if not digits.isdecimal() and not digits.isalpha():
            yield Claim(COMMIT, digits, line + text.count("\n", 0, match.start()))
    if "`" in text:
        for piece in text.split("`")[1::2]:
            yield from runs.commands(piece, line + text.count("\n", 0, text.find(piece)))
    yield from names.names_in(text, line)
    yield from runs.versions(text, line)
    if "ranch" in text or "ブランチ" in text:
        for match in _BRANCH.finditer(text):
            yield Claim(BRANCH, match[1] or match[2], line + text.count("\n", 0, match.start()))


def _path(written: str) -> str:
    """Return a path of prose as a subject; "" when it cannot be one below the repository."""
    if _REFUSED.intersection(written) or written.startswith(_NOT_BELOW) or len(written) > LONGEST or ":" in written or "..." in written:
        return ""
    path = normpath(written)
    return "" if path == "." or path.startswith("..") or not any(map(str.isalpha, path)) else path


def _destination(written: str, folder: str | None) -> str:
    """Return the path, relative to the repository, that the destination of a link means; "" for one that leads elsewhere."""
    target = written.partition("#")[0].partition("?")[0]
    if folder is None or not target or ":" in target or len(target) > LONGEST or "\0" in target:
        return ""
    if "%" in target:
        from urllib.parse import unquote

        target = unquote(target)
    path = normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))
    return "" if path in (".", "..") or path.startswith(("../", "/")) or "\0" in path else path


def _line_of(written: str, text: str, line: int) -> int:
    at = text.find(written)
    return line + text.count("\n", 0, at) if at > 0 else line
