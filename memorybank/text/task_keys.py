"""Ticket keys in a prompt (`ABC-123`)."""

from __future__ import annotations

__light__ = True


def task_key(prompt: str, patterns: tuple[str, ...] | list[str]) -> str | None:
    """Return the first ticket key in the prompt, as written; None without one. No ASCII letter, digit or `_` may touch it.

    patterns: words in which `#` stands for digits (`ABC-#`) and `##` for a `#` and digits. They are never regular expressions,
    because they may come from the bank.
    """
    import re  # here, because most banks have no patterns

    digits = {"#": "[0-9]++", "##": "#[0-9]++"}
    best: re.Match[str] | None = None
    for pattern in patterns[:50]:
        if 2 <= len(pattern) <= 64 and (pattern.strip("#") or pattern == "##"):
            expression = "".join(digits.get(piece) or re.escape(piece) for piece in re.split("(##?)", pattern))
            found = re.search(rf"(?<![A-Za-z0-9_]){expression}(?![A-Za-z0-9_])", prompt)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
    return best[0] if best else None
