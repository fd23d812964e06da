"""In which script a sign or a sentence is written."""

from __future__ import annotations

__light__ = True


def has_kana(text: str) -> bool:
    """Return whether a text contains hiragana or katakana, as every Japanese sentence does. A name may contain kanji in any language."""
    return not text.isascii() and any("ぁ" <= sign <= "ヿ" for sign in text)


def is_kanji(sign: str) -> bool:
    """Return whether a sign is a Chinese character; "" is none."""
    return "\u4e00" <= sign <= "\u9fff"
