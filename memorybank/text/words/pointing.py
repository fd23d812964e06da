"""Words that point outside of their sentence: "it", "that one", "the former", 「それは」, 「この設定」. Nobody understands it without what was said before.

"This repository" and 「このリポジトリ」 point at nothing that a reader does not know, and neither do これから and それぞれ.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_KNOWN = r"(?! (?:repo|repository|project|code ?base|package|branch|bank|team|company)\b)"
_KNOWN_JA = "(?!リポジトリ|プロジェクト|コードベース|ブランチ|チーム)"
_THING_JA = "(?:[こそあ]れ(?!から|まで|ぞれ|でも|ば)|[こそあ]ちら|[こそ]こ(?!から|まで))"
_OPENING = lazy_pattern(
    rf"^\W*(?:(?:(?:it(?! (?:was|is|has been) (?:decided|agreed)\b)|they|both(?! \w+s\b)|the (?:former|latter|same|other)s?)\b"
    rf"|(?:this|that|these|those)\b{_KNOWN})(?!['’]s? (?:why|how))|(?:{_THING_JA}|[こそあ]の{_KNOWN_JA}|同様|上記|前述|両方|いずれも))",
    "i",
)
_DEMONSTRATIVE = lazy_pattern(
    rf"\b(?:this|these|those)\b{_KNOWN}|\b(?:the|an?) (?:(?:new|old|other|same) )?one\b|[こそあ]の{_KNOWN_JA}|[こそあ]れ(?:ら)?[はがをも]", "i"
)
_ANY = lazy_pattern(
    r"\b(?:it|its|them|they|their|this|that|these|those|there|he|she|him|her)\b"
    rf"|{_THING_JA}|[こそあ]っち|(?<![一-龥])(?:[こそあ]の|[こそ]う|ああ)(?!い|し|て)",
    "i",
)


def opens(text: str) -> bool:
    """Return whether a text begins with a word that points outside: "It fails", 「その件は」."""
    return _OPENING.search(text) is not None


def demonstrates(text: str) -> bool:
    """Return whether a text contains a demonstrative. "It" may stand for what the same sentence names; "these" hardly ever does."""
    return _DEMONSTRATIVE.search(text) is not None


def points(text: str) -> bool:
    """Return whether a text contains any word that may point outside."""
    return _ANY.search(text) is not None
