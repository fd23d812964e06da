"""The exact command behind a form (`forms`): its words as they ran, and what several commands of one form have in common.

It is kept as lines, a word each, of which the last is `OPEN` where the commands differ from there on. "" is a command of which nothing is known.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms
from memorybank.text.pattern import lazy_pattern
from memorybank.text.secrets.mark import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OPEN = "…"
_LONGEST = 90
"""Characters of a command that is shown entirely."""
_MACHINE = lazy_pattern(r"(?:^|[\s'\"=(:])(?:~|/\w+|[A-Za-z]:\\)")
"""Matches a path of this machine, which nothing that is derived from the log contains."""
_FOLDER = lazy_pattern(r"cd (?![.]+(?:/| &&))(?=\w|\.)[\w@%+=:,./-]+ && (?!cd )")
"""Matches the change to a folder of the repository at the beginning of a command."""
_TO_FOLDER = "cd "
"""Beginning of the line of a folder: no word of a command contains a space there."""
_PLAIN = lazy_pattern(r"[\w@%+=:,./-]+", "a")


def by_form(command: str) -> dict[str, str]:
    """Return {form of a part of a command: its words, after the folder in which the command runs}, in order; of parts with one form what they have in
    common."""
    found: dict[str, str] = {}
    moved = _FOLDER.match(command)
    for form, words in forms.parts(command):
        ran = f"{moved[0].rstrip()}\n{of_words(words)}" if moved else of_words(words)
        found[form] = common((found.get(form, ran), ran))
    return found


def of_words(words: Sequence[str]) -> str:
    """Return the words of a command, as far as they say the same in every shell (no variable, which is a control character here) and on every machine."""
    kept: list[str] = []
    for word in words:
        if not word or any(sign < " " for sign in word) or MARK in word or _MACHINE.search(word):
            return "\n".join([*kept, OPEN])
        kept.append(word)
    return "\n".join(kept)


def common(commands: Iterable[str]) -> str:
    """Return what commands begin with, each as `of_words` returns it. The order does not matter."""
    distinct = sorted(set(commands))
    if len(distinct) <= 1:
        return "".join(distinct)
    first, last = distinct[0].split("\n"), distinct[-1].split("\n")
    kept = []
    for one, other in zip(first, last, strict=False):  # what the first and the last in their order have in common, all have
        if one != other or one == OPEN:
            break
        kept.append(one)
    return "\n".join([*kept, OPEN])


def shown(command: str, form: str, longest: int = _LONGEST) -> str:
    """Return a command as an agent can run it, with `…` where its words differed; its form if that says as much, or the command is too long."""
    words = command.split("\n")
    is_open = words[-1] == OPEN
    words = words[:-1] if is_open else words
    folder = f"{words.pop(0)} " if words and words[0].startswith(_TO_FOLDER) else ""
    if len(words) <= len(form.split(" ")):
        return f"{folder}{form}"
    written = " ".join(map(_quoted, words)) + f" {OPEN}" * is_open
    return folder + (written if len(written) <= longest and "`" not in written else form)


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return f"'{word}'" if "'" not in word else '"' + "".join(f"\\{sign}" if sign in '"\\$`' else sign for sign in word) + '"'
