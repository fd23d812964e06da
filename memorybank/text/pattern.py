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

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence
    from typing import Any, AnyStr

declared: list[str] = []
"""The text of every pattern, with its flags, in the modules loaded so far. `hosts.bytecode_file` compiles these."""


def lazy_pattern(text: str, flags: str = "") -> re.Pattern[str]:
    """Return a regular expression with the methods of a compiled one. For patterns that a module declares when it is loaded.

    flags: the letters of its flags, as in `(?im)`.
    """
    return LazyPattern(f"(?{flags}){text}" if flags else text)  # type: ignore[return-value]  # a stand-in with the same methods


class LazyPattern:
    """A regular expression that is compiled when one of its methods is looked up for the first time.

    search: the method of a compiled one. A text without any of the words that every text with a match contains is not searched, and the expression is not even
        loaded for it: most patterns that a hook asks are not in its texts, and looking for some words takes a tenth of the time.
    find: the same, for a caller that has looked for the words.
    """

    if TYPE_CHECKING:
        find: Callable[..., re.Match[str] | None]

    def __init__(self, text: str) -> None:
        self.pattern = text
        declared.append(text)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern, and keep it, so that a second look-up costs nothing."""
        words = bytecode.words(self.pattern) if name == "search" else ()
        value = self.__dict__[name] = self._sifting(words) if words else getattr(compiled(self.pattern), "search" if name == "find" else name)
        return value

    def _sifting(self, words: Sequence[str]) -> Callable[..., re.Match[str] | None]:
        """Return the method `search` of a pattern with these words."""

        def search(text: str, *span: int) -> re.Match[str] | None:
            if text.isascii() or not has_folded(text):
                lowered = text.lower()
                for word in words:
                    if word in lowered:
                        break
                else:
                    return None
            return self.find(text, *span)

        return search


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
