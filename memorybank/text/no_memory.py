"""Recognises a request for a session without memory, in a sentence of its own: "No memory in this session", `memorybank: off`,
このセッションでは記憶なし. docs/memory.md lists the forms.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_HINTS = ("memory", "記憶")
_ASKED = lazy_pattern(
    r"(?:please,? )?(?:no memory (?:in|for) this session|memorybank: ?off)(?:,? please)?[.!]?"
    r"|このセッション(?:では|は)、?記憶なし(?:で(?:お願いします)?|にして(?:ください)?)?[。！]?",
    "i",
)


def is_asked(prompt: str) -> bool:
    """Return whether a sentence that the person typed requests a session without memory. Pasted text and questions do not count."""
    if not any(hint in prompt.lower() for hint in _HINTS):
        return False
    from memorybank.text.sentences import sentences
    from memorybank.text.typed import typed

    return any(_ASKED.fullmatch(sentence.strip("\"'`*_ ")) for sentence in sentences(typed(prompt)))
