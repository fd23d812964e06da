"""Regular expressions of modules that hooks load, compiled when they are first used.

    _ITEM = lazy_pattern(r"[-*•] +")
    _CAUSE = lazy_pattern(r"\\bbecause\\b|原因", "i")

Compiling the patterns that a prompt needs takes 15 ms in each hook process, and importing `re` takes 5 ms. Therefore `hosts.bytecode_file` compiles
every pattern that is declared here, and a hook gives the result to `_sre`, the C module on which `re` is built. `_sre` is not documented as an
interface: where its version differs, or there is no such file, `re` compiles the pattern as usual.
"""

from __future__ import annotations

__light__ = True

from memorybank import bytecode
from memorybank.values import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence
    from typing import Any, AnyStr

declared: list[str] = []
"""The text of every pattern, with its flags, in the modules loaded so far. `hosts.bytecode_file` compiles these."""
_SIFTED = ("search", "match", "fullmatch", "sub")


def lazy_pattern(text: str, flags: str = "") -> re.Pattern[str]:
    """Return a regular expression with the methods of a compiled one. For patterns that a module declares when it is loaded.

    flags: the letters of its flags, as in `(?im)`.
    """
    return LazyPattern(f"(?{flags}){text}" if flags else text)  # type: ignore[return-value]  # a stand-in with the same methods


class LazyPattern:
    """A regular expression that is compiled when one of its methods is looked up for the first time.

    search, match, fullmatch, sub: the methods of a compiled one. A text without any of the words that every text with a match contains is not searched, and the
        expression is not even loaded for it: most patterns that a hook asks are not in its texts, and looking for some words takes a tenth of the time.
    find: `search` for a caller that has looked for the words.
    """

    if TYPE_CHECKING:
        compiled: re.Pattern[str]
        find: Callable[..., re.Match[str] | None]

    def __init__(self, text: str) -> None:
        self.pattern = text
        declared.append(text)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern, and keep it, so that a second look-up costs nothing."""
        words = bytecode.words(self.pattern) if name in _SIFTED else ()
        if name == "compiled":
            value: Any = compiled(self.pattern)
        else:
            value = self._sifting(name, words) if words else getattr(self.compiled, "search" if name == "find" else name)
        self.__dict__[name] = value
        return value

    def _sifting(self, name: str, words: Sequence[str]) -> Callable[..., Any]:
        """Return a method of a pattern with these words."""
        latin = [word for word in words if word.isascii()]
        others = [word for word in words if not word.isascii()]
        if name == "sub":
            return lambda new, text, count=0: self.compiled.sub(new, text, count) if _may_match(text, latin, others) else text
        return lambda text, *span: getattr(self.compiled, name)(text, *span) if _may_match(text, latin, others) else None


def _may_match(text: str, latin: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether a text contains one of the words in some spelling. latin, others: the words in ASCII, and the rest"""
    forms = _FORMS[text]
    if forms is None:
        return True
    lowered, short = forms
    for word in latin:
        if word in short:
            return True
    if lowered is not short:
        for word in others:
            if word in lowered:
                return True
    return False


def _forms(text: str) -> tuple[str, str] | None:
    """Return (a text in lower case, the same or only its letters of ASCII, among which words are found sooner); None if it `has_folded` signs."""
    if not text.isascii() and has_folded(text):
        return None
    lowered = text.lower()
    return lowered, lowered if lowered.isascii() else lowered.encode("ascii", "ignore").decode("ascii")


_FORMS = Memo(_forms, 8)
"""The forms of the latest texts: most are asked dozens of patterns, one after another."""


def has_folded(text: str) -> bool:
    """Return whether a text contains signs that a pattern may take for a Latin letter although their lower case is another."""
    return "İ" in text or "ı" in text or "ſ" in text or "\u212a" in text


def compiled(text: AnyStr) -> re.Pattern[AnyStr]:
    """Return the compiled pattern, made from the hooks' file if it contains this pattern."""
    program = bytecode.program(text)
    if program is not None:
        import _sre  # type: ignore[import-not-found]  # without stubs

        version, *parts = program
        if version == _sre.MAGIC:
            return _from_parts(text, *parts)
    import re

    return re.compile(text)


def _from_parts(text: AnyStr, flags: int, code: bytes, *groups: object) -> re.Pattern[AnyStr]:
    import _sre

    made: re.Pattern[AnyStr] = _sre.compile(text, flags, memoryview(code).cast("I").tolist(), *groups)
    return made
