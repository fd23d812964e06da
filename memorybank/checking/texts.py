"""Checks of one text that is going to be committed: secrets, git conflicts, characters that nobody sees, instructions that bypass people.

`doctor` asks the same questions about the texts of a bank.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from memorybank.errors import CONFLICT, Problem
from memorybank.text import merge_marks
from memorybank.text.secrets import redact
from memorybank.text.untrusted import requests

SECRET, HIDDEN, INSTRUCTION, SAME_NAME = "secret", "hidden_character", "instruction", "same_name"
ALLOWED = "pragma: allowlist secret"
"""Marks a line whose secret is not one. detect-secrets gives the comment the same meaning."""


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
    line = merge_marks.line_of(text, is_note=path.endswith(".md") and not is_merging)
    return Problem(CONFLICT, path, merge_marks.MESSAGE, line) if line else None


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
