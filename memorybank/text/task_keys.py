"""Ticket keys in a prompt (`ABC-123`)."""

from __future__ import annotations

__light__ = True


def task_key(prompt: str, patterns: tuple[str, ...] | list[str]) -> str | None:
    """Return the first ticket key in the prompt, as written; None without one. No ASCII letter, digit or `_` may touch it.

    patterns: words in which `#` stands for digits (`ABC-#`) and `##` for a `#` and digits. They are never regular expressions,
    because they may come from the bank.
    """
    best: tuple[int, str] | None = None
    for pattern in patterns[:50]:
        if 2 <= len(pattern) <= 64 and (pattern.strip("#") or pattern == "##"):
            found = _first_match(prompt, pattern)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
    return best[1] if best else None


def _first_match(prompt: str, pattern: str) -> tuple[int, str] | None:
    head = pattern.partition("#")[0] or ("#" if pattern.startswith("##") else "")
    at = prompt.find(head)
    while 0 <= at < len(prompt):
        end = _match(prompt, at, pattern)
        if end > at and not _touches(prompt, at - 1) and not _touches(prompt, end):
            return at, prompt[at:end]
        at = prompt.find(head, at + 1)
    return None


def _match(prompt: str, at: int, pattern: str) -> int:
    """Return the end of a match that begins at `at`, or -1."""
    index = 0
    while index < len(pattern):
        literal = pattern[index] != "#" or pattern[index : index + 2] == "##"
        if literal and prompt[at : at + 1] != pattern[index]:
            return -1
        if literal:
            at += 1
        if pattern[index] == "#":
            start = at
            while at < len(prompt) and "0" <= prompt[at] <= "9":
                at += 1
            if at == start:
                return -1
            index += literal
        index += 1
    return at


def _touches(prompt: str, at: int) -> bool:
    return 0 <= at < len(prompt) and prompt[at].isascii() and (prompt[at].isalnum() or prompt[at] == "_")
