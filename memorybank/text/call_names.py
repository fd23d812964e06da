"""The names that a call brings in, as it writes them: files, options, identifiers, the form of a command, the pattern of a search.

What earlier sessions said about a thing is found by its name: code has one name for a thing, and a sentence about it has to use that name.
"""

from __future__ import annotations

__light__ = True

from memorybank.text import forms, programs, searches, shell
from memorybank.text.paths import OUTSIDE, relative
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_READ_CHARACTERS = 4_000
_LONGEST = 160
"""Characters of a longer word, which is data: a script in one argument, a token."""
_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc", ".org")
"""Files that talk about things without using them."""
_SEARCHES = ("Grep", "Glob")
_GIT = ("git", "gh", "glab")
"""Programs to which a file is something to record, whatever is in it. What is known of them is known of their commands."""
_DEEP = 2
"""Slashes in the name of a folder that few parts of a project share."""
_SIGNS = ".,:;=/@"
_BETWEEN = lazy_pattern(r"[\s'\"(),;|{}\[\]<>%*^$\x00]+")
_IDENTIFIER = lazy_pattern(r"[A-Za-z_$@][\w$]*(?:(?:\.|::)\w+)*", "a")
_OF_ONE_THING = lazy_pattern(r"(?<![\da-f])[\da-f]{4,}(?:-[\da-f]{4,}){2,}|\d{4}-\d\d-\d\d", "i")
"""Matches the id of a record and a date: names of one occurrence."""
_CODE = lazy_pattern(r"[A-Za-z]\w{0,100}[a-z0-9][A-Z]|\w_\w|\w[./:@=-]\w|[A-Za-z]\d|\d[A-Za-z]|^--?\w", "a")
"""Matches what is written like a name in code: a word of prose is a name only by accident."""


class CallName(Value):
    """A name, or another word, that a call brings in.

    text: as the call writes it, without signs around it.
    terms: its terms.
    is_code: whether it is written like a name in code.
    is_named: whether what was said about it is of interest. Other words only show what it is of interest for: the place of a search.
    is_added: whether an edit adds it. Code has many words, so one of them counts only where it is written in the same way.
    is_form: whether it is the form of a command (`text.forms`).
    file: the path of the file that it names, relative to the repository; "" for none.
    """

    text: str
    terms: Sequence[str]
    is_code: bool
    is_named: bool = True
    is_added: bool = False
    is_form: bool = False
    file: str = ""


def of_call(tool: str | None, inputs: Mapping[str, object], root: str, folder: str) -> list[CallName]:
    """Return the names that a call brings in, each once.

    root: the folder that paths are relative to.
    folder: the folder in which the call is made.
    """
    found: dict[str, CallName] = {}
    for name in _names(tool, inputs, root, folder):
        if name.terms:
            found.setdefault(name.text.lower(), name)
    return list(found.values())


def _names(tool: str | None, inputs: Mapping[str, object], root: str, folder: str) -> Iterator[CallName]:
    path = _text(inputs, "file_path")
    if tool == "Bash":
        yield from _of_command(_text(inputs, "command"), root, folder)
    elif path and tool not in _SEARCHES:
        file = relative(path, root, folder=folder)
        if file and not file.startswith(("~", OUTSIDE)):
            yield from _of_path(file, file)
        if not path.lower().endswith(_PROSE):
            yield from _added(inputs)
    elif (search := searches.of_call(tool, inputs)) is not None:
        yield from (_name(word) for text in search.alternatives for word in text.split())
        yield from (_name(relative(place, root, folder=folder), is_named=False) for place in search.places)


def _text(inputs: Mapping[str, object], key: str) -> str:
    value = inputs.get(key)
    return value[:_READ_CHARACTERS] if isinstance(value, str) else ""


def _name(text: str, *, is_named: bool = True, is_added: bool = False, file: str = "") -> CallName:
    text = text.strip(_SIGNS)
    return CallName(text, content_terms(text), _CODE.search(text) is not None, is_named, is_added, file=file)


def _of_command(command: str, root: str, folder: str) -> Iterator[CallName]:
    every = forms.of_command(command)
    for form in every:
        if " " in form and form.partition(" ")[0] not in programs.VIEWERS:
            named = filter(forms.action, dict.fromkeys((form, forms.head(form))))  # `docker compose` says nothing without the word after it
            yield from (CallName(text, content_terms(text), is_code=True, is_form=True) for text in named)
    known = {*programs.VIEWERS, *programs.PREPARATION, *(word for form in every for word in form.split(" "))}
    for part in shell.parts(command):
        words = programs.without_shell_keywords(part.words)
        first = [programs.name(word) for word in words[:3]]
        if "grep" not in first and any(word in _GIT for word in first[:2]):  # a wrapper may stand in front
            continue
        for word in words:
            if len(word) <= _LONGEST and "://" not in word and word not in known:
                yield from _of_word(word, root, folder)


def _of_word(word: str, root: str, folder: str) -> Iterator[CallName]:
    for text in _BETWEEN.split(word):
        if _OF_ONE_THING.search(text) is not None:
            continue
        if "/" in text:
            file = relative(text, root, folder=folder)
            if not file or file.startswith(("~", OUTSIDE)):
                yield _name(text.rstrip("/").rpartition("/")[2])
            else:
                yield from _of_path(text.removeprefix("./"), file)
        elif not text.startswith("-") or text.startswith("--"):
            yield _name(text)


def _of_path(path: str, file: str) -> Iterator[CallName]:
    """Yield the names of a file: its own, that of its path, and that of its folder if it is deep enough."""
    place = path.rstrip("/").rpartition("/")
    yield _name(place[2], file=file)
    yield _name(path, file=file)
    if place[0].count("/") >= _DEEP:
        yield _name(place[0], file=file)


def _added(inputs: Mapping[str, object]) -> Iterable[CallName]:
    patch = "\n".join(line[1:] for line in _text(inputs, "patch").split("\n") if line.startswith("+"))
    new = _text(inputs, "new_string") or _text(inputs, "content") or patch
    old = set(content_terms(_text(inputs, "old_string")))
    names = (_name(text, is_added=True) for text in dict.fromkeys(_IDENTIFIER.findall(new)) if _CODE.search(text))
    return [name for name in names if not old.issuperset(name.terms)]
