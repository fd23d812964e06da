"""Names of code in a text, as people and agents write them: identifiers, options, hosts, and the codes of errors and tickets.

Files are left out: an agent opens the file that a prompt names, and is shown then what was said about it.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME = lazy_pattern(
    r"(?:[\w.@~-]{0,100}/)+[\w.-]*"
    r"|[\w.-]{1,100}\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|cc?|hh?|cpp|cs|php|swift|exs?|vue|sql|md|json|ya?ml|toml|sh|css|html?|txt|lock|tf|proto)(?!\w)"
    r"|([A-Za-z]\w{0,100}[a-z0-9][A-Z]\w*|[A-Za-z][A-Za-z0-9]{0,100}_\w*[A-Za-z0-9]"
    r"|(?<![A-Za-z0-9_-])[A-Z]{1,6}-?\d{2,6}(?![A-Za-z0-9_-])|(?<![\w-])--[a-z][a-z0-9]+(?:-[a-z0-9]+)*|(?<![\w-])[A-Za-z]\w*(?:-[A-Za-z0-9]\w*){2,}(?![\w-]))"
)
"""A path or a file; or, as the group, a name."""
_OF_MANY = lazy_pattern(
    r"[\da-f]{4,}(?:-[\da-f]{4,})+$|Git[HL][ua]b$|ChatGPT$|Open(?:AI|API)$|(?:Java|Type)Script$|Postgre(?:SQL|s)$|(?:My|No)SQL$|SQLite$|MongoDB$|GraphQL$"
    r"|YouTube$|LinkedIn$|(?:i|iPad|mac|tv|watch)OS$|VS ?Code$|WebSockets?$|DevTools$|PowerShell$|DevOps$"
)
"""What names nothing of the project: the id of a record, the place where it is kept, a product or a language that everybody knows."""
_LETTER = lazy_pattern("[A-Za-z]")
"""Every name contains one. A run of Japanese takes time by the square of its length, because a path may begin at each of its characters."""
_LIST = lazy_pattern(r"[(（][^\s()（）,、]+(?:[,、]\s*[^\s()（）,、]+){2,}[)）]")
"""Matches a list of at least three names and of nothing else."""
_LEAST = 4
_LONGEST = 1_000
"""Maximum characters of a word in which names are looked for. A longer one is pasted data, and takes time by the square of its length."""
_AROUND = ".,:;?!()'\"`"


def names_in(text: str) -> list[str]:
    """Return the names of code in a text, in order and without repeats."""
    if ("_" not in text and "-" not in text and text.islower()) or _LETTER.search(text) is None:
        return []
    return [name for name in dict.fromkeys(_NAME.findall(_words(text))) if len(name) >= _LEAST and _OF_MANY.match(name) is None]


def names_and_files_in(text: str) -> set[str]:
    """Return the names of code in a text and the names of the files, without their folders, in lower case."""
    if _LETTER.search(text) is None:
        return set()
    found = (match[1] or match[0].rstrip(".").rpartition("/")[2] for match in _NAME.finditer(_words(text)))
    return {name.lower() for name in found if len(name) >= _LEAST and _OF_MANY.match(name) is None}


def _words(text: str) -> str:
    """Return the words of a text that may contain a name, which no white space interrupts. The pattern takes long for each that begins like a path."""
    return " ".join([word for word in text.split() if len(word) <= _LONGEST and not _is_plain(word.strip(_AROUND))])


def _is_plain(word: str) -> bool:
    """Return whether a word is written like prose, not like a name of code: only letters, and no capital after the first."""
    return not word or (word.isalpha() and (word.islower() or word[1:].islower()))


def contains(text: str, name: str) -> bool:
    """Return whether a text contains a name that is not a part of a longer one: `state.go` does not occur in `old_state.go`."""
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (is_word(before) and is_word(name[0])) and not (is_word(after) and is_word(name[-1])):
            return True
        at = text.find(name, at + 1)
    return False


def only_lists(text: str, names: Sequence[str]) -> bool:
    """Return whether a text contains some of these names, but only in lists in brackets, where each is mentioned in passing."""
    if not names or ("(" not in text and "（" not in text):
        return False
    rest = _LIST.sub("", text)
    return rest != text and not any(contains(rest, name) for name in names)


def is_word(sign: str) -> bool:
    """Return whether an ASCII character belongs to a name."""
    return sign == "_" or (sign.isascii() and sign.isalnum())
