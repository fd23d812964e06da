"""Folding of texts for literal search: the index stores folded texts, and a search folds what it looks for in the same way."""

from unicodedata import normalize


def fold(text: str) -> str:
    """NFKC-normalize and case-fold a text, so that ｱｸｾｽ matches アクセス and ß matches ss. Line ends are preserved."""
    return (text if text.isascii() else normalize("NFKC", text)).casefold()
