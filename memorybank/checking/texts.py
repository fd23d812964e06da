"""Checks of one text that is going to be committed: secrets, git conflicts, characters that nobody sees, instructions that bypass people.

`doctor` asks the same questions about the texts of a bank.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from memorybank.errors import Problem
from memorybank.text import redact, requests

SECRET, CONFLICT, HIDDEN, INSTRUCTION, SAME_NAME = "secret", "git_conflict", "hidden_character", "instruction", "same_name"
ALLOWED = "pragma: allowlist secret"
"""Marks a line whose secret is not one. detect-secrets gives the comment the same meaning."""
_BEGIN, _MIDDLE, _END = "<<<<<<<", "=======", ">>>>>>>"
"""The marker lines of one conflict as git writes it (git-merge, "How conflicts are presented")."""
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
"""Fenced code of a note, which may show conflict markers as an example."""


def secrets(path: str, text: str) -> Iterator[Problem]:
    """Yield the passwords, tokens and keys in a text."""
    for found in redact.find(text):
        line_start = text.rfind("\n", 0, found.start) + 1
        if ALLOWED not in text[line_start:].partition("\n")[0]:
            yield Problem(SECRET, path, f"looks like a secret ({found.rule})", text.count("\n", 0, found.start) + 1)


def conflict(path: str, text: str, *, is_merging: bool = False) -> Problem | None:
    """Return the first complete conflict that git left in a text.

    is_merging: whether git is merging. Then markers in fenced code of a note are not an example
    """
    if _BEGIN not in text:
        return None
    line = _conflict(_FENCED.sub(_blank, text) if path.endswith(".md") and not is_merging else text)
    return Problem(CONFLICT, path, "an unresolved git conflict: the file contains both sides and git's markers", line) if line else None


def hidden(path: str, text: str) -> Problem | None:
    """Return the first invisible character of a note."""
    found = requests.HIDDEN.search(text.removeprefix("\ufeff"))
    if found is None or not path.endswith(".md"):
        return None
    what = f"contains an invisible character (U+{ord(found[0]):04X}), which can hide text or reverse its direction"
    return Problem(HIDDEN, path, what, text.count("\n", 0, found.start()) + 1)


def instruction(path: str, text: str) -> Problem | None:
    """Return the first sentence of a memory that tries to instruct an agent, bypassing its users."""
    if not path.endswith((".md", "episodic_memory.json")) or not requests.is_against_people(text):
        return None
    line = next((number for number, each in enumerate(text.split("\n"), 1) if requests.is_against_people(each)), None)
    return Problem(INSTRUCTION, path, "reads like an instruction to an agent that its users should not notice", line)


def same_names(keys: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the keys that differ only in case or Unicode composition. On macOS and Windows they are one file, so a colleague's clone loses one."""
    alike: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        alike[normalize("NFC", key).casefold()].append(key)
    yield from (tuple(keys) for keys in alike.values() if len(keys) > 1)


def _conflict(text: str) -> int:
    """Return the line (from 1) at which a complete conflict begins; 0 without one."""
    begun, wanted = 0, _BEGIN
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line == _BEGIN or line.startswith(f"{_BEGIN} "):
            begun, wanted = number, _MIDDLE
        elif wanted == _MIDDLE and line == _MIDDLE:
            wanted = _END
        elif wanted == _END and (line == _END or line.startswith(f"{_END} ")):
            return begun
    return 0


def _blank(fenced: re.Match[str]) -> str:
    """Return the line feeds of the fenced code alone, so that line numbers stay right."""
    return "\n" * fenced[0].count("\n")
