"""Port numbers in texts and commands.

A person or an agent that names two ports usually says which of them is the right one here, in whatever words: "5432 is the server of the system, ours is
5544", 「3000 は別のアプリで、開発用は 3100」. Which one that is shows in the command that runs next.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_NUMBER = lazy_pattern(r"(?<![A-Za-z0-9_.,/#-])\d{4,5}(?![A-Za-z0-9_]|[.,-]\d)")
_USED = lazy_pattern(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|::1\]?|[@/][\w.-]+):(\d{4,5})\b|(?:-p|--port|\bport)[ =](\d{4,5})\b|PORT=(\d{4,5})\b", "i")
_SIGNS = (":", "-p", "port ", "port=", "PORT=")
_FIRST, _LAST = 1024, 65535
_YEARS = range(1900, 2100)


def named(text: str) -> list[str]:
    """Return the numbers in a text that may be ports, in order, each once."""
    return list(dict.fromkeys(number for number in _NUMBER.findall(text) if _is_port(number)))


def used(text: str) -> list[str]:
    """Return the ports that a command uses, in order."""
    if not any(sign in text for sign in _SIGNS):  # cheap, and nearly always the end
        return []
    return [number for groups in _USED.findall(text) for number in groups if number and _is_port(number)]


def others(text: str, command: str) -> list[str]:
    """Return the ports that a text names besides the one of them that a command uses last; [] when it uses none of them."""
    among = named(text)
    chosen = [port for port in used(command) if port in among] if len(among) > 1 else []
    return [port for port in among if port != chosen[-1]] if chosen else []


def as_word(port: str) -> str:
    """Return a port in the form in which statements and inputs of calls contain it."""
    return f":{port}"


def is_port(word: str) -> bool:
    """Return whether a word is a port as `as_word` writes it."""
    return word.startswith(":")


def _is_port(number: str) -> bool:
    return _FIRST <= int(number) <= _LAST and int(number) not in _YEARS
