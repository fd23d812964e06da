"""Anchors by which a command finds what a person said about it: `say:pip`, `say:make wheel`.

"Always run make clean before make wheel" and 「テストは必ず make test で」 share no words with the work at hand but the names of programs,
and chance brings those up everywhere. So a sentence is kept under each name and each pair of words in it, and a command asks for its own.
These anchors belong to lessons that people said; no line of the log has them, and nothing is used by them.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text import programs, shell
from memorybank.text.function_words import ENGLISH
from memorybank.text.shell import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SAID = "say:"
_MOST = 16
_MOST_PARTS = 8
_LONGEST = 40
_CHAINED = 3
_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-+/")
_ENDS = ".-/"
_INTERPRETERS = ("python", "node", "ruby", "php", "perl", "bash", "sh", "mix", "npm", "pnpm", "yarn", "bundle", "rails", "uv", "poetry")
_ORDINARY = frozenset(
    str.split("""make go just find sort cut cat test time black mix rake bundle task run which who more less top watch nice date tree file head tail touch
    kill sleep install patch join split paste look expand link code open convert stat env set source wait read export true false echo type history man
    clear sh bash expect ant play nox flask script service host dig last screen serve start stop build""")
)
"""Programs that are words of English too: `make sure`, `go on`. Such a name counts only together with the word behind it."""

_OF_MANY = frozenset(
    str.split("git gh docker podman kubectl helm npm pnpm yarn bun deno cargo poetry terraform brew apt systemctl rails mix dotnet aws gcloud")
)
"""Programs of many commands: who says something about `git push` says nothing about `git status`."""
_NO_SUBCOMMANDS = frozenset(str.split("instead rather everywhere always never ever alone directly please"))


def named_in(sentence: str) -> list[str]:
    """The anchors of what a person said: each word that could name a program, and each two that follow each other."""
    found: dict[str, None] = {}
    for run in _runs(sentence):
        words = [name for word in run if (name := _name(word))]
        for number, name in enumerate(words):
            following = words[number + 1] if number + 1 < len(words) else ""
            of_many = name in _OF_MANY and following and following not in ENGLISH and following not in _NO_SUBCOMMANDS
            if name not in ENGLISH and name not in _ORDINARY and not of_many:
                found[f"{SAID}{name}"] = None
            if number and words[number - 1] not in ENGLISH:
                found[f"{SAID}{words[number - 1]} {name}"] = None
    pairs = [anchor for anchor in found if " " in anchor]
    return [*pairs, *(anchor for anchor in found if " " not in anchor)][:_MOST]


def named_by(command: str) -> list[str]:
    """The anchors under which sentences about a command are kept: its programs, and each with the word behind it."""
    found: dict[str, None] = {}
    for part in shell.parts(command)[:_MOST_PARTS]:
        if part.words[:1] and part.words[0] in programs.PREPARATION:
            continue
        for words in (part.words, programs.unwrapped(part.words)):
            names = [_name(programs.name(word) if number == 0 else word) for number, word in enumerate(_plain(words))]
            found.update((f"{SAID}{one} {other}", None) for one, other in zip(names, names[1:], strict=False) if one and other)  # noqa: RUF007 — itertools is no light import
            if names and names[0] and names[0] not in _ORDINARY and names[0] not in programs.VIEWERS:
                found[f"{SAID}{names[0]}"] = None
    return list(found)


def programs_of(command: str) -> list[str]:
    """The programs of a command and what they run: `python manage.py` of `python manage.py migrate`."""
    found: dict[str, None] = {}
    for part in shell.parts(command)[:_MOST_PARTS]:
        for words in (part.words, programs.unwrapped(part.words)):
            plain = _plain(words)
            found.update(dict.fromkeys(plain[:1]))
            found.update(dict.fromkeys(word for word in plain[1:2] if plain[0].startswith(_INTERPRETERS)))
    return list(found)


def asked_in(prompt: str, known: frozenset[str]) -> list[str]:
    """The anchors of the programs that a prompt names, of those `known` to be programs."""
    names = (name for run in _runs(prompt) for word in run if (name := _name(word)) in known and name not in _ORDINARY)
    return [f"{SAID}{name}" for name in dict.fromkeys(names)]


def _runs(text: str) -> Iterable[list[str]]:
    """The words of a text in ASCII, those together that only blanks part."""
    run: list[str] = []
    word = ""
    for sign in text.lower() + "\n":
        if sign in _SIGNS:
            word += sign
            continue
        if word:
            run.append(word)
        if sign != " " or word.endswith("."):
            yield run
            run = []
        word = ""


def _name(word: str) -> str:
    """A word as a program's or a sub-command's name; "" for a flag, a value or what is too long."""
    name = word.lower().strip(_ENDS) if not word.startswith("-") else ""
    return name if name[:1].isalpha() and 1 < len(name) <= _LONGEST and UNKNOWN not in name and _SIGNS.issuperset(name) else ""


def _plain(words: list[str]) -> list[str]:
    """The first words of a command, flags left out."""
    return [word for word in words if not word.startswith("-") and "=" not in word][:_CHAINED]
