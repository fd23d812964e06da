"""Decides when a rule applies: at a call or an edit below a folder that it names, and at a request like the one after which a person stated it."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know.search import IS_SEEN
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.know.search import Passage

_SPACED = lazy_pattern(r"[^\w./:=@+-]+|[.:](?=\s|$)|[^\x00-\x7f]+")
"""Matches what separates the words of a command in a sentence: quotes, commas, the full stop at its end, Japanese."""
_REPLACED = lazy_pattern(
    r"(?:instead of|rather than|not|never|no) [`\"']?([\w.-]+)"
    r"|([\w.-]+)[`」]? ?(?:ではなく|じゃなく|をやめ|は使わな|は使えません|はやめ)",
    "i",
)
"""Matches what a person wants replaced: "uv instead of pip", "pip ではなく uv"."""
_QUOTED = lazy_pattern(r"[`「]([^`」\n]{2,80})[`」]")
_FORBIDS = lazy_pattern(r"\b(?:not|never|no|without|instead|rather than)\b|n['’]t\b|ない|禁止|代わり", "i")
_FOLDER = lazy_pattern(r"(?<![\w./:@-])[\w.@-]+(?:/[\w.@-]+)+")
_SEVERAL_PURPOSES = frozenset(
    str.split("""git gh npm npx pnpm yarn bun bunx deno node python python3 uv uvx poetry hatch pip cargo go make just rake task mise docker podman kubectl helm
    terraform gradle mvn dotnet bundle rails php composer sh bash zsh ssh sudo rm cp mv mkdir touch chmod curl wget brew apt systemctl""")
)
"""Programs whose name says nothing about what they do: a rule is about one of their commands only if it names the sub-command too."""
_LEAST_NAME = 4
_SAME_REQUEST = 0.6
"""Least share of a prompt that an earlier request has in common with it, so that what a person said after the one holds for the other."""
_MOST_REQUESTS = 8


def names_command(sentence: str, forms: Iterable[str]) -> bool:
    """Return whether a sentence names a command of one of these forms, perhaps without the wrapper in front of it."""
    said = f" {' '.join(_SPACED.sub(' ', sentence.lower()).split())} "
    replaced = {name.lower() for names in _REPLACED.findall(sentence) for name in names if name}
    return any(_names(said, form) or _names_program(said, form) or form.partition(" ")[0] in replaced for form in map(str.lower, forms))


def is_done_by(sentence: str, forms: Iterable[str]) -> bool:
    """Return whether a call already runs all that a sentence wants to be run together ("`fmt` together with `lint`")."""
    named = [f" {' '.join(command.lower().split())} " for command in _QUOTED.findall(sentence)]
    run = [f" {form.lower()} " for form in forms]
    return len(named) > 1 and _FORBIDS.search(sentence) is None and all(any(command in form for form in run) for command in named)


def names_folder_of(sentence: str, file: str) -> bool:
    """Return whether a sentence names a folder, by at least two parts, that contains the file (relative to the repository)."""
    return any(file.startswith(f"{named.strip('.').rstrip('/')}/") for named in _FOLDER.findall(sentence))


def said_after(connection: Connection, requests: Sequence[Passage], own: str, now: int) -> list[str]:
    """Return the statements that people made right after earlier requests which ask the same, the most similar first.

    requests: earlier requests, with the share of the prompt that each has in common.
    """
    found: dict[str, None] = {}
    for request in [request for request in requests if request.share >= _SAME_REQUEST][:_MOST_REQUESTS]:
        rows = connection.execute(
            f"SELECT text FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN} AND (file, offset) ="
            " (SELECT n.file, min(n.offset) FROM turns t JOIN turns n ON n.file = t.file AND n.offset > t.offset WHERE t.id = ?)",
            (own, now, request.turn),
        )
        found.update(dict.fromkeys(row[0] for row in rows))
    return list(found)


def _names(said: str, form: str) -> bool:
    """Return whether a sentence names a command, perhaps without the wrapper in front of it, or one that begins with its name (`mise run test:ci`)."""
    words = form.split(" ")
    names = [" ".join(words[begin:]) for begin in range(max(1, len(words) - 1))]
    return any(f" {name}{after}" in said for name in names for after in " :./-")


def _names_program(said: str, form: str) -> bool:
    """Return whether a sentence names the program of a command that has one purpose (`black`, `mypy`)."""
    program = form.partition(" ")[0]
    return len(program) >= _LEAST_NAME and program not in _SEVERAL_PURPOSES and (f" {program} " in said or f"/{program} " in said)
