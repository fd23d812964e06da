"""Turns the answer of a model or program into a summary: without thoughts, wrappers, control characters and secrets, and never longer than the budget."""

from __future__ import annotations

import re

from memorybank.summarize import sentences
from memorybank.text.redact import redact

_THOUGHT = re.compile(r"(?is)<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)")
# Thoughts whose opening mark is missing.
_ORPHAN = re.compile(r"(?is)\A.*?</(?:think|thinking)>")
_WRAPPER = re.compile(r"(?s)\A```[a-z]*\n(.*?)\n?```\Z")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_LINES = re.compile(r"\n\s*\n+")


def summary_of(text: str, budget: int) -> tuple[str, bool]:
    """Return (the summary, whether it was cut). budget: maximum number of characters."""
    text = _LINES.sub("\n", _CONTROL.sub("", unwrapped(text))).strip()
    text = redact(text, None)
    return (text, False) if len(text) <= budget else (_cut(text, budget), True)


def unwrapped(text: str) -> str:
    """Return an answer without thoughts and without the code fence around it."""
    text = _ORPHAN.sub("", _THOUGHT.sub("", text)).replace("\r\n", "\n").strip()
    wrapped = _WRAPPER.match(text)
    return wrapped[1] if wrapped else text


def whole_sentences(text: str) -> str:
    """Return a text that broke off, up to its last complete sentence; the full text when it has none."""
    at = max(text.rfind(sign) for sign in ("。", "！", "？", ". ", "! ", "? ", ".\n"))
    return text if at < 0 or text.endswith((".", "。", "!", "?", "！", "？")) else text[: at + 1]


def _cut(text: str, budget: int) -> str:
    """Return the lines that fit, then the complete sentences that fit of the next line."""
    kept: list[str] = []
    for line in text.split("\n"):
        room = budget - sum(map(len, kept)) - len(kept)
        if len(line) > room:
            part = sentences.shortened(line, room) if room > 0 else ""
            if part and (not part.endswith("…") or not kept):
                kept.append(part)
            break
        kept.append(line)
    return "\n".join(kept)
