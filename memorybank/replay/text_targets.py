"""Decides whether a text that an agent was shown contains what was wanted: the measure for everything without an anchor, the same for every arm.

Words are compared as stems, and identifiers as wholes, without their parts. Function words and words of asking ("fix", "please") are
ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from memorybank.text.words.terms import content_terms
from memorybank.text.words.tokens import PART, is_cjk, word_terms
from memorybank.text.words.word_terms import ASKING, ENGLISH

ENOUGH = 3
"""This many of the wanted words are enough, or the share `SHARE` of them where fewer are wanted."""
SHARE = 0.6
_SHORTEST = 3
_QUOTES = dict.fromkeys(map(ord, "'\"`"), "")
_NAME_SIGNS = "_-"

Context = tuple[str, str]
"""(session, agent)"""


class ShownText(NamedTuple):
    """One text that a context was shown.

    position: index of the event that it answered, among the played ones
    memory: id of the memory that it is from, "" when it is not from a single one
    """

    session: str
    agent: str
    position: int
    text: str
    memory: str = ""


class TextMatch(NamedTuple):
    """One way in which a text can contain what is wanted: it contains the phrase, and enough of the words.

    phrase: a command or a file's name, "" for none
    inside: a longer phrase in which the phrase does not count (`bun test` in `rtk bun test`, which failed)
    """

    words: frozenset[str] = frozenset()
    phrase: str = ""
    inside: str = ""


class TextTarget(NamedTuple):
    """Something that a context could use and that other sessions knew.

    position: index of the event before which it must be shown
    ways: a text that contains it in any of these ways is enough
    """

    kind: str
    session: str
    agent: str
    position: int
    ways: tuple[TextMatch, ...]


class ShownTextIndex:
    """The texts that one arm showed, by context and moment."""

    def __init__(self, texts: Iterable[ShownText]) -> None:
        self._moments: dict[Context, dict[int, list[ShownText]]] = {}
        for text in texts:
            self._moments.setdefault((text.session, text.agent), {}).setdefault(text.position, []).append(text)

    def meets(self, wanted: TextTarget) -> bool:
        """Return whether the texts of a single earlier moment contain it. Words scattered over several moments do not count."""
        return any(holds([each.text for each in texts], way) for texts in self._before(wanted) for way in wanted.ways)

    def first(self, wanted: TextTarget) -> str:
        """Return the id of the first memory whose text alone contains it, "" when none does."""
        alone = (each.memory for texts in self._before(wanted) for each in texts if any(holds([each.text], way) for way in wanted.ways))
        return next(alone, "")

    def _before(self, wanted: TextTarget) -> list[list[ShownText]]:
        """Return the texts of each earlier moment of the context."""
        moments = self._moments.get((wanted.session, wanted.agent), {})
        return [moments[position] for position in sorted(moments) if position < wanted.position]


def holds(texts: Iterable[str], way: TextMatch) -> bool:
    """Return whether the texts of one moment contain what is wanted in this way."""
    texts = list(texts)
    if way.phrase and not any(_has_phrase(text, way) for text in texts):
        return False
    shared = sum(any(word in words_of(text) for text in texts) for word in way.words)
    return shared >= ENOUGH or shared >= SHARE * len(way.words)


@lru_cache(1 << 16)
def words_of(text: str) -> frozenset[str]:
    """Return the different words of a text that say what it is about."""
    found: set[str] = set()
    for part in PART.findall(text if text.isascii() else normalize("NFKC", text)):
        if is_cjk(part):
            found.update(content_terms(part))
        elif len(part) >= _SHORTEST and part.lower() not in ENGLISH:
            found.update(word_terms(part)[:1])
    return frozenset(found - ASKING)


@lru_cache(1 << 16)
def plain(text: str) -> str:
    """Return a text in the form in which phrases are compared: without quotation marks, with one blank for any white space."""
    return " ".join(text.translate(_QUOTES).split())


def stands_in(name: str, text: str) -> bool:
    """Return whether a text contains a name, but not as the beginning or the end of a longer name."""
    at = text.find(name)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        # Japanese is written without blanks: a name ends where a Japanese word begins.
        if not (_continues(before) or before in (*_NAME_SIGNS, ".")) and not (_continues(behind) or behind in (*_NAME_SIGNS, "/")):
            return True
        at = text.find(name, at + 1)
    return False


def _continues(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


def _has_phrase(text: str, way: TextMatch) -> bool:
    read = plain(text)
    return stands_in(way.phrase, read.replace(way.inside, " ") if way.inside and way.phrase in way.inside else read)
