"""Texts of a given size for one large note: ordinary prose in English and Japanese, and one text for each kind that makes a program slow.

The same kind and size give the same bytes. A text ends within a character of its size.
"""

import random
from collections.abc import Callable, Iterator

import vocabulary

_WORDS_AT_ONCE = 2_000
_SEED = 1


def text(kind: str, size: int) -> bytes:
    """Return the text of a kind, at most `size` bytes of valid UTF-8."""
    parts: list[bytes] = []
    left = size
    for part in KINDS[kind]():
        parts.append(part.encode())
        left -= len(parts[-1])
        if left <= 0:
            break
    return b"".join(parts)[:size].decode(errors="ignore").encode()


def _english() -> Iterator[str]:
    chance = random.Random("english prose")
    words = vocabulary.english(_SEED)
    while True:
        drawn = words.draw(chance, _WORDS_AT_ONCE)
        yield f"## {' '.join(drawn[:4]).capitalize()}\n\n"
        for begin in range(4, len(drawn), 60):
            sentences = (" ".join(drawn[at : at + 12]).capitalize() + "." for at in range(begin, begin + 60, 12))
            yield " ".join(sentences) + "\n\n"


def _japanese() -> Iterator[str]:
    chance = random.Random("japanese prose")
    words = vocabulary.japanese(_SEED)
    while True:
        drawn = words.draw(chance, _WORDS_AT_ONCE)
        particles = chance.choices(vocabulary.PARTICLES, k=len(drawn))
        predicates = chance.choices(vocabulary.PREDICATES, k=len(drawn))
        yield f"## {'の'.join(drawn[:3])}\n\n"
        for begin in range(3, len(drawn), 24):
            spans = range(begin, min(begin + 24, len(drawn)), 6)
            yield "".join("".join(map("".join, zip(drawn[at : at + 6], particles[at : at + 6], strict=False))) + predicates[at] + "。" for at in spans) + "\n\n"


def _one_line() -> Iterator[str]:
    return (part.replace("\n", " ") for part in _english())


def _one_japanese_line() -> Iterator[str]:
    return (part.replace("\n", "") for part in _japanese())


def _repeated(unit: str) -> Callable[[], Iterator[str]]:
    block = unit * (1 + 65_536 // len(unit.encode()))

    def blocks() -> Iterator[str]:
        while True:
            yield block

    return blocks


def _numbered(pattern: str) -> Callable[[], Iterator[str]]:
    """Repeat a pattern with another number each time, so that each link, heading or word is a different one."""

    def blocks() -> Iterator[str]:
        begin = 0
        while True:
            yield "".join(pattern.format(n=number) for number in range(begin, begin + 1_000))
            begin += 1_000

    return blocks


def _hexadecimal() -> Iterator[str]:
    chance = random.Random("hexadecimal")
    while True:
        yield "".join(f"{chance.getrandbits(64):016x} {chance.getrandbits(64):x}\n" for _ in range(1_000))


KINDS: dict[str, Callable[[], Iterator[str]]] = {
    "english": _english,
    "japanese": _japanese,
    "one line": _one_line,
    "one japanese line": _one_japanese_line,
    "one word": _repeated("x"),
    "one japanese word": _repeated("設"),
    "repeats": _repeated("x "),
    "brackets": _repeated("["),
    "open links": _repeated("[a]("),
    "quotes": _repeated("> "),
    "emphasis": _repeated("*a **b "),
    "blank lines": _repeated("\n"),
    "links": _numbered("See [part {n}](part-{n}.md) and [[topic {n}]].\n"),
    "mentions": _numbered("Read docs/part-{n}.md and src/module_{n}.py:{n} first.\n"),
    "addresses": _numbered("https://example.invalid/{n}?a={n}\n"),
    "headings": _numbered("# Part {n}\n\n"),
    "one heading": lambda: (part if at else f"# {part}" for at, part in enumerate(_repeated("word ")())),
    "items": _numbered("- item {n}\n"),
    "table": _numbered("| {n} | value {n} | 3.{n} |\n"),
    "code": _numbered("```\ncall_{n}(value_{n})\n```\n"),
    "tags": _numbered("#tag-{n} text\n"),
    "dates": _numbered("2026-01-{n:02d} 12:30 error {n}, 8 May 2023\n"),
    "words": _hexadecimal,
    "combining marks": _repeated("a\u0301"),
    "unusual spaces": _repeated("\u200b\u202e\u3000"),
}
