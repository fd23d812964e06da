"""What a call searches for: the pattern of a search tool, or of `grep`, `rg`, `find` and the like in a shell command."""

from __future__ import annotations

__light__ = True

from itertools import pairwise

from memorybank.text.commands import programs, shell
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_FINDS = ("find", "fd")
_NAMES = frozenset(str.split("-name -iname -path -ipath -wholename -regex -iregex"))
"""Options of `find` whose value is a pattern."""
_PATTERNS = ("-e", "--regexp")
_WITH_VALUE = frozenset(str.split("-A -B -C -m -f -g -t -T -d --after-context --before-context --context --max-count --glob --type --include --exclude"))
"""Options of `grep`, `rg` and `fd` whose value is the next word."""
_SYNTAX = lazy_pattern(r"\\[bBdDsSwWAzZ<>]?|[\^$*+?()\[\]{}\"']+")
"""What is syntax in a regular expression or a file pattern, and separates the words of it."""
_LONGEST = 1_000
_MOST_PLACES = 4


class Search(Value):
    """What one call searches for.

    alternatives: the texts that it searches for, without syntax; one of them is enough (`a|b`).
    places: the files and folders that it searches, as the call names them.
    """

    alternatives: Sequence[str]
    places: Sequence[str]


def of_call(tool: str | None, inputs: Mapping[str, object]) -> Search | None:
    """Return what a call searches for; None when it does not search."""
    if tool == "Bash":
        return _of_command(_text(inputs.get("command")))
    names = (inputs.get("path"), inputs.get("glob"))
    return _search(_text(inputs.get("pattern")), [name for name in names if isinstance(name, str)])  # only a tool that searches has a pattern


def _text(value: object) -> str:
    return value[:_LONGEST] if isinstance(value, str) else ""


def _of_command(command: str) -> Search | None:
    """Return what the first command searches that reads files; one behind a pipe only filters what another prints."""
    for part in shell.parts(command):
        words = programs.without_shell_keywords(part.words)
        if not words or part.before == "|":
            continue
        name, arguments = programs.name(words[0]), words[1:]
        if name == "git" and arguments[:1] == ["grep"]:
            name, arguments = "grep", arguments[1:]
        if name in programs.GREPS or name == "fd":
            plain = list(_plain(arguments))
            return _search(plain[0], plain[1:]) if plain else None
        if name in _FINDS:
            wanted = [value for option, value in pairwise(arguments) if option in _NAMES]
            return _search("|".join(wanted), [word for word in arguments[:1] if not word.startswith("-")])
    return None


def _plain(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the pattern of a `grep`, then the places."""
    pattern = next((value for option, value in pairwise(arguments) if option in _PATTERNS), None)
    if pattern is not None:
        yield pattern
    before = ""
    for word in arguments:
        if not word.startswith("-") and before not in _WITH_VALUE and before not in _PATTERNS:
            yield word
        before = word


def _search(pattern: str, places: Sequence[str]) -> Search | None:
    alternatives = [" ".join(_SYNTAX.sub(" ", one).split()) for one in pattern.replace("\\|", "|").split("|")]
    named = [text for text in alternatives if any(map(str.isalnum, text))]
    return Search(named, places[:_MOST_PLACES]) if named else None
