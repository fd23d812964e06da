"""Recognises a text of which a context was shown every sentence already, from whichever memory: a turn and an answer in it, a day and its session, a note and
one of its sentences say the same. An exposure line keeps digests of the sentences, never a text.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import hmac_sha256
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_TELLING = (24, 12)
"""Characters of a part that is not in many texts, in English and in Japanese. A text must have one."""
_BYTES = 6
_MOST = 120
"""Parts of one injection whose digests are kept."""
_QUOTES = dict.fromkeys(map(ord, '"“”「」`*'))
_ENDS = lazy_pattern(r"(?<=[.!?:])\s|(?<=[。！？：])|\n")
"""Matches where a sentence ends, or what stands before one where it is shown: "Result: …", 「その後：…」, the title of a note."""
_AROUND = " .。!！?？:：…-()（）"


def digests(key: bytes, text: str) -> list[str]:
    """Return the digests of the sentences of a shown text."""
    return list(dict.fromkeys(_digest(key, sentence) for sentence in _sentences(text)))[:_MOST]


def is_said(key: bytes, text: str, said: Collection[str]) -> bool:
    """Return whether a context that was shown sentences with these digests was shown every sentence of a text."""
    sentences = _sentences(text) if said else []
    return any(map(_is_telling, sentences)) and all(_digest(key, sentence) in said for sentence in sentences)


def _sentences(text: str) -> list[str]:
    parts = (" ".join(part.strip(_AROUND).split()) for part in _ENDS.split(text.translate(_QUOTES)))
    return [part for part in parts if part]


def _is_telling(sentence: str) -> bool:
    return len(sentence) >= _TELLING[not sentence.isascii()]


def _digest(key: bytes, sentence: str) -> str:
    return hmac_sha256(key, sentence.encode("utf-8", "replace"))[:_BYTES].hex()
