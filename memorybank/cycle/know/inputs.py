"""The words that a call brings in: those of its command, or those that an edit adds to a file. Rules are compared with them (`text.prompts.objects`)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.text.commands import forms, paths, ports
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memorybank.cycle.event import Event

_READ_CHARACTERS = 2_500
_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc", ".org")
"""Files that talk about things without using them."""
_MESSAGES = frozenset(str.split("-m -am --message -b --body -t --title"))
"""Options of git and gh before a text for people, which mentions more than the call does."""
_WORD = lazy_pattern(r"[A-Za-z][A-Za-z0-9]+")
_HUMP = lazy_pattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_ENDINGS = ("s", "ed", "d", "ing")
_LONGER = {"prod": "production", "env": "environment", "auth": "authentication", "dependency": "dependencies"}
_IMPORTS = ("import ", "from ", "use ", "require", "include", "#include", "using ", "extern crate ", "implementation ")
_USES = ("(", ".", "::", "!", "=", '":', "':")


class Inputs:
    """What one call brings in: its text and its words in lower case, names complete and in their parts, each also without the endings of its other forms.

    is_edit: whether it is code. A word of a command is what the command is about, but code contains many words.
    """

    __slots__ = ("command", "is_edit", "text", "words")

    def __init__(self, words: Collection[str], text: str, *, is_edit: bool, command: str = "") -> None:
        self.words = words
        self.text = text
        self.is_edit = is_edit
        self.command = command

    def may_have(self, alternatives: Iterable[str]) -> bool:
        """Return whether `having` can return any of these: whether the first word of one occurs. There are hundreds, so this must be cheap."""
        words, text = self.words, self.text
        return any(first in words if first.isalnum() else first in text for first in {one.partition(" ")[0] for one in alternatives})

    def having(self, alternatives: Iterable[str], said: str = "") -> list[str]:
        """Return those of the alternatives (`text.prompts.objects`) that the call contains, and does more with than `said`, the sentence that forbids or
        limits them, allows."""
        found = [
            one for one in alternatives if all(map(self._has, one.split(" "))) and (not self.is_edit or " " in one or not one.isalnum() or self._uses(one))
        ]
        if said and self.command and any(map(_is_place, found)):
            from memorybank.text.commands import fingerprint  # late: few commands name a file that a rule is about
            from memorybank.text.prompts import objects

            if not objects.limits_looking(said) and fingerprint.is_read_only("Bash", self.command):
                return [one for one in found if not _is_place(one)]
        return found

    def _has(self, word: str) -> bool:
        if word.isalnum():
            return word in self.words
        at = self.text.find(word)
        while at >= 0:  # `api.py` does not occur in `old_api.py`
            if not (word[0].isalnum() and self.text[:at][-1:].isalnum()) and not self.text[at + len(word) :][:1].isalnum():
                return True
            at = self.text.find(word, at + 1)
        return False

    def _uses(self, word: str) -> bool:
        """Return whether code imports, calls or sets something of this name: any other word of it may as well be a column or a label."""
        for line in self.text.split("\n"):
            at = line.find(word)
            while at >= 0:
                if line.lstrip().startswith(_IMPORTS) or line[at + len(word) :].lstrip("abcdefghijklmnopqrstuvwxyz_").startswith(_USES):
                    return True
                at = line.find(word, at + 1)
        return False


def of_call(event: Event) -> Inputs | None:
    """Return what a command or an edit brings in; None for other calls, and for edits of prose."""
    inputs = event.inputs
    if event.tool == "Bash":
        command = _text(inputs.get("command"))
        named = "".join(f" {ports.as_word(port)}" for port in ports.used(command))
        return Inputs(_with_bases(_words(" ".join(_plain(command)))), f"{command.lower()}{named}", is_edit=False, command=command) if command else None
    path = _text(inputs.get("file_path"))
    if event.tool not in events.EDITS or path.lower().endswith(_PROSE):
        return None
    patch = "\n".join(line[1:] for line in _text(inputs.get("patch")).split("\n") if line.startswith("+"))
    new = _text(inputs.get("new_string")) or _text(inputs.get("content")) or patch
    return Inputs(_with_bases(_words(new) - _words(_text(inputs.get("old_string")))), new.lower(), is_edit=True) if new else None


def _is_place(name: str) -> bool:
    return "/" in name or paths.has_file_name(name)


def _text(value: object) -> str:
    return value[:_READ_CHARACTERS] if isinstance(value, str) else ""


def _words(text: str) -> set[str]:
    """Return the words of a text in lower case: names complete and in their parts."""
    return {*_WORD.findall(text.lower()), *map(str.lower, _HUMP.findall(text))}


def _with_bases(words: set[str]) -> set[str]:
    """Return words, also without the endings of other forms (`mocks`, `mocked`), and the short forms that people say of long ones."""
    bases = {word[: -len(ending)] for ending in _ENDINGS for word in words if word.endswith(ending)}
    return words | bases | {short for short, long in _LONGER.items() if long in words}


def _plain(command: str) -> Iterable[str]:
    """Yield the words of the parts of a command that do something, without messages."""
    for _, words in forms.parts(command):
        before = ""
        for word in words:
            if before not in _MESSAGES or words[0] not in ("git", "gh"):
                yield word
            before = word
