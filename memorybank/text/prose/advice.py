"""What an agent's answer says about how a command must be run: "the e2e tests only work with `--profile e2e`", "plain `sqlx prepare` misses the tests".

Answers name many commands and options, most of them to tell what was done. Only those next to a word that limits or warns count.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_CODE = r"`([^`\n]{2,120})`"
_NEEDS = lazy_pattern(
    rf"\b(?:only|must|needs?|requires?|unless|without)\b[^`.;]{{0,30}}{_CODE}|{_CODE}[^`.;,]{{0,12}}?\b(?:is (?:required|needed|necessary|mandatory)|must)\b"
    rf"|{_CODE}[^`。、]{{0,12}}?(?:でしか|のみ|だけ|必要|必須|付けないと|つけないと|付けて(?:く|実)|指定しないと|指定して(?:く|実)|ないと)",
    "i",
)
"""Matches what a command needs."""
_FAILS = lazy_pattern(
    rf"\b(?:plain|bare|a simple)\s+{_CODE}|{_CODE}(?: alone| by itself)?\s+(?:only\b(?! (?:if|when|with)\b)|misses|fails\b|cannot|does(?: not|n['’]t)|never)"
    rf"|(?:素の|ただの|単なる)\s*{_CODE}|{_CODE}\s*(?:だけでは|のみでは|では(?:[^`。]{{0,12}})(?:ない|ません|落ち|失敗))",
    "i",
)
"""Matches a command that does not do what one would expect."""
_ASSIGNMENT = lazy_pattern(r"[A-Z][A-Z0-9_]+=")
_SWITCHES_OFF = ("--no-", "--skip", "--force", "-f", "--ignore", "--allow", "--disable", "--dangerously")
"""Beginnings of options that switch a check off. Answers that name them are left out."""


def needed(sentence: str) -> list[str]:
    """Return the options, settings and commands that something only works with."""
    return [code for code in _found(_NEEDS.findall(sentence)) if not any(word.startswith(_SWITCHES_OFF) for word in code.split())]


def failing(sentence: str) -> list[str]:
    """Return the commands that do not do what one would expect."""
    return _found(_FAILS.findall(sentence))


def sets_variable(code: str) -> bool:
    """Return whether a command begins with an assignment (`CI=1 make test`)."""
    return _ASSIGNMENT.match(code) is not None


def special(words: Iterable[str]) -> list[str]:
    """Return the names of the options among the words of a command."""
    return [word.partition("=")[0] for word in words if word.startswith("-") and any(map(str.isalnum, word))]


def _found(matches: list[tuple[str, ...]]) -> list[str]:
    return [code for groups in matches for code in groups if code]
