"""What the message of an error is about: the names in it, by which another text is about the same error.

Two errors of one kind differ in these names (`Property 'total' does not exist on type 'Line'`), and a text that shares only the other words, the file at
hand, or the program that failed, is about another error.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import contains, names_in
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PLACE = lazy_pattern(r"^\W{0,3}(?:[A-Za-z]:[\\/][^:(]{1,240}|[\w./\\@~+()\[\]-]{1,200})(?:\.\w{1,10}:\d+(?::\d+)?|\(\d+(?:,\d+)?\)):?(?: - |\s|$)")
"""Matches the place of a diagnostic, which says where the error is and not which."""
_QUOTED = lazy_pattern(r"(?<!\w)'([^'\n]{1,160})'(?!\w)|\"([^\"\n]{1,160})\"|`([^`\n]{1,160})`|「([^」\n]{1,160})」")
_UNQUOTED = lazy_pattern(
    r"(?:command not found|No module named|unknown (?:option|flag|command)|Missing script|Could not resolve host|(?:Cannot find|Missing) (?:module|package)"
    r"|no such (?:column|table|module|function|option)):? ([\w@./-]{2,80})|(?<![\w@./-])(?!(?:ba|z|c|k)?sh:)([\w@./-]{2,80}): (?:command )?not found\b"
    r"|(?<!\S)(\S{1,160}[/\\]\S{1,80}\.\w{1,8})\b|(?::|\bport )(\d{4,5})\b",
    "i",
)
_FOLDERS = lazy_pattern(r"(?:\b[A-Za-z]:)?[^\s'\"`(]{0,200}[\\/](?=[^\s\\/]{1,80}\.\w)")
_PACKAGE = lazy_pattern(r"(?:node_modules|(?:site|dist)-packages)[/\\]+((?:@[\w.-]+[/\\]+)?[\w.-]+)")
_CODE = lazy_pattern(r"[A-Z]{1,6}-?\d{2,6}$")
_CHAIN = lazy_pattern(r"^(?:.{0,80}?\b)??(?:[\w.]*(?:Error|Exception)|error|Type error)(?: [\[(]\w+[\])])?:\s+(?=\S)")
_NUMBERS = lazy_pattern(
    r"(?:\bstatus(?: code)?|\bHTTP(?:/[\d.]+)?(?: error| status)?|\berror|ステータス(?:コード)?)[:：]? ?(?=([1-5]\d\d)(?!\d))"
    r"|(?:ECONNREFUSED|ETIMEDOUT|ECONNRESET|connection refused)[^\n]{0,80}?:(?=(\d{2,5})\b)|:(?=(\d{2,5}) ?(?:に|へ)(?:の)?接続)",
    "i",
)
"""Matches what a number follows that distinguishes two errors: the status of an answer, the port of a service that does not answer."""
_LIBRARIES = ("node_modules", "site-packages", "dist-packages")
_TYPES = frozenset(str.split("string number boolean undefined null any never unknown void object true false int str float bool none nil function error"))
_LONGEST = 600
_TWO = 2


def message_of(line: str) -> str:
    """Return the message of an error line without its place and what failed before the cause: `Error printing labels: Error: ENOENT: …` → `ENOENT: …`."""
    said = line[:_LONGEST]
    if (place := _PLACE.match(said)) is not None:
        said = said[place.end() :]
    while (chain := _CHAIN.match(said)) is not None:
        said = said[chain.end() :]
    return said.strip() or line


def without_folders(message: str) -> str:
    """Return a message with the names of its files alone, because their folders are those of another machine."""
    return _FOLDERS.sub("", message)


def names_of(line: str) -> list[str]:
    """Return the names in the message of an error line in lower case, in their order, its code last. A
    word that is ordinary in texts about software counts where there is nothing else."""
    found = _names_of(line)
    return [name for name in found if not _is_ordinary(name)] or [name for name in found if name not in _TYPES]


@lru_cache(maxsize=64)
def _names_of(line: str) -> list[str]:
    said = message_of(line)
    found: dict[str, int] = {}
    """{name: where it is}"""
    blank = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), said)
    for text, pattern in ((said, _QUOTED), (blank, _UNQUOTED)):
        for match in pattern.finditer(text):
            for name in _of_quoted(next(filter(None, match.groups()), "")):
                found.setdefault(name, match.start())
    for name in names_in(said):
        found.setdefault(name, said.find(name))
    names = sorted(found, key=lambda name: (_CODE.match(name) is not None, found[name]))
    return [name for name in dict.fromkeys(map(str.lower, names)) if name not in _LIBRARIES]


def _of_quoted(quoted: str) -> Iterator[str]:
    """Yield the names in one quotation: of a path the file and the package, of a type its identifiers, any other single word."""
    word = quoted.strip()
    if " " not in word and ("/" in word or "\\" in word):
        if file := word.replace("\\", "/").rpartition("/")[2]:
            yield file
        yield from _PACKAGE.findall(word)
    elif word.strip("$.").replace("-", "").replace("_", "").replace(".", "").isalnum():
        yield word
    else:
        yield from names_in(word)


def _is_ordinary(name: str) -> bool:
    return name.isalpha() and all(map(share_of, content_terms(name)))


def is_about(text: str, names: Sequence[str]) -> bool:
    """Return whether a text is about an error with these names: it has the most telling one, or two others."""
    lowered = text.lower()
    return bool(names) and (contains(lowered, names[0]) or sum(contains(lowered, name) for name in names[1:]) >= _TWO)


def are_of_one_error(line: str, other: str) -> bool:
    """Return whether two lines of errors have the same names in their messages, as far as both have any."""
    numbers, theirs = _numbers_of(line), _numbers_of(other)
    if numbers and theirs and numbers.isdisjoint(theirs):
        return False
    ones, others = ({name for name in _names_of(one) if not name.isdigit()} for one in (line, other))  # the port of an own server differs each time
    return ones == others if not ones or not others else len(ones & others) >= (min(len(ones), len(others)) * 2 + 2) // 3


@lru_cache(maxsize=64)
def _numbers_of(line: str) -> frozenset[str]:
    """Return the numbers that distinguish a line of an error from others."""
    return frozenset(next(filter(None, found)) for found in _NUMBERS.findall(line))
