#!/usr/bin/env python3
"""Generate a bank of bilingual notes: 60 % English, 40 % Japanese, about 3 kB each, the same bytes for the same seed.

    python scripts/bench/generate.py DIR --notes 10000 [--seed 1] [--oldest-days 400] [--bytes 3000] [--japanese 0.4]

Notes have titles, front matter (half of them), headings, lists, code, links to notes (old ones are linked more), URLs, a few
near copies and a few important keywords. Ages are spread evenly up to `--oldest-days`.
"""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import vocabulary
from vocabulary import Words

FOLDERS = ("planning", "implementation", "sync", "shared")
TARGET_BYTES = 3000
JAPANESE_SHARE = 0.4
COPY_SHARE = 0.02
DAY = 86_400
_IMPORTANT = ("TODO", "FIXME", "NOTE", "WARNING", "ERROR")


class Generator:
    """Generates notes one after the other. Note `n` depends on the seed and on the notes before it.

    size: number of bytes that a note has at least.
    japanese: share of the notes that are in Japanese.
    """

    def __init__(self, seed: int, size: int = TARGET_BYTES, japanese: float = JAPANESE_SHARE) -> None:
        self.size, self.japanese_share = size, japanese
        self.chance = random.Random(f"notes {seed}")
        self.english = vocabulary.english(seed)
        self.japanese = vocabulary.japanese(seed)
        self.keys: list[str] = []
        self.last_text = ""

    def note(self) -> tuple[str, str]:
        """Return (key, text) of the next note."""
        chance = self.chance
        is_japanese = chance.random() < self.japanese_share
        title = self._title(is_japanese)
        key = self._key(title)
        if self.last_text and chance.random() < COPY_SHARE:
            text = self.last_text + "\n" + self._sentences(is_japanese, 60) + "\n"
        else:
            text = self._text(title, is_japanese)
            self.last_text = text
        self.keys.append(key)
        return key, text

    def _title(self, is_japanese: bool) -> str:
        words = (self.japanese if is_japanese else self.english).draw(self.chance, self.chance.randint(2, 4))
        return "の".join(words) if is_japanese else " ".join(words).capitalize()

    def _key(self, title: str) -> str:
        number = len(self.keys)
        folder = FOLDERS[number % len(FOLDERS)]
        area = f"area-{number // 400:03d}"
        return f"{folder}/{area}/{title.lower().replace(' ', '-')}-{number}.md"

    def _text(self, title: str, is_japanese: bool) -> str:
        parts = [self._front_matter(title, is_japanese), f"# {title}\n"]
        size = sum(len(part.encode()) for part in parts)
        while size < self.size:
            part = self._block(is_japanese)
            parts.append(part)
            size += len(part.encode()) + 1
        return "\n".join(parts)

    def _front_matter(self, title: str, is_japanese: bool) -> str:
        chance = self.chance
        if chance.random() < 0.5:
            return ""
        tags = ", ".join(self.english.draw(chance, 2) if not is_japanese else self.japanese.draw(chance, 2))
        lines = ["---", f"title: {title}", f"tags: [{tags}]"]
        if chance.random() < 0.3:
            lines.append(f"rating: {chance.randint(0, 7)}")
        if chance.random() < 0.3:
            lines.append(f"language: {'ja' if is_japanese else 'en'}")
        return "\n".join((*lines, "---\n"))

    def _block(self, is_japanese: bool) -> str:
        chance = self.chance
        kind = chance.random()
        if kind < 0.50:
            return self._sentences(is_japanese, chance.randint(40, 90)) + "\n"
        if kind < 0.65:
            return f"## {self._title(is_japanese)}\n"
        if kind < 0.80:
            return "\n".join(f"- {self._sentences(is_japanese, 9)}" for _ in range(chance.randint(2, 5))) + "\n"
        if kind < 0.87:
            names = self.english.draw(chance, 6)
            return f"```python\ndef {names[0]}({names[1]}):\n    return {names[2]}.{names[3]}({names[1]}, '{names[4]}')\n```\n"
        if kind < 0.97:
            return self._link(is_japanese) + "\n"
        return f"{chance.choice(_IMPORTANT)}: {self._sentences(is_japanese, 12)}\n"

    def _link(self, is_japanese: bool) -> str:
        chance = self.chance
        words = self._sentences(is_japanese, 10)
        if not self.keys or chance.random() < 0.3:
            return f"{words} https://example.invalid/{'/'.join(self.english.draw(chance, 2))}"
        target = self.keys[int(len(self.keys) * chance.random() ** 2)]
        if chance.random() < 0.5:
            return f"{words} [[{target}]]"
        return f"{words} [{self._title(is_japanese)}](../../{target.replace(' ', '%20')})"

    def _sentences(self, is_japanese: bool, words: int) -> str:
        return self._japanese(words) if is_japanese else self._english(words)

    def _english(self, count: int) -> str:
        drawn = self.english.draw(self.chance, count)
        sentences = []
        while drawn:
            length = self.chance.randint(7, 18)
            sentences.append(" ".join(drawn[:length]).capitalize() + ".")
            drawn = drawn[length:]
        return " ".join(sentences)

    def _japanese(self, count: int) -> str:
        """Return text as long as `count` English words. It has half as many words, because a Japanese word has twice the bytes, plus its particle."""
        chance = self.chance
        drawn = self.japanese.draw(chance, max(3, count // 2))
        particles = chance.choices(vocabulary.PARTICLES, k=len(drawn))
        sentences = []
        position = 0
        while position < len(drawn):
            end = position + chance.randint(2, 5)
            phrase = "".join(word + particle for word, particle in zip(drawn[position:end], particles[position:end], strict=True))
            sentences.append(f"{phrase}{chance.choice(vocabulary.PREDICATES)}。")
            position = end
        return "".join(sentences)


def queries(seed: int) -> dict[str, list[str]]:
    """Return queries by kind: two or three words of common, middle and rare ranks in both languages; single words for literal search."""
    chance = random.Random(f"queries {seed}")
    both = (vocabulary.english(seed), vocabulary.japanese(seed))
    ranks = {"common": (40, 160), "middling": (500, 2_000), "rare": (8_000, 16_000)}
    found: dict[str, list[str]] = {}
    for name, (first, last) in ranks.items():
        found[f"keyword {name}"] = [" ".join(chance.sample(words.ranked(first, last), chance.randint(2, 3))) for words in both for _ in range(3)]
        found[f"content {name}"] = [chance.choice(words.ranked(first, last)) for words in both for _ in range(2)]
    return found


def generate(
    bank: Path, notes: int, seed: int, oldest_days: float, youngest_days: float = 0.0, *, size: int = TARGET_BYTES, japanese: float = JAPANESE_SHARE
) -> None:
    """Write `notes` notes below `bank`/active. Their mtimes are spread between the two ages. size, japanese: as for `Generator`."""
    generator = Generator(seed, size, japanese)
    now = time.time()
    folders: set[str] = set()
    for number in range(notes):
        key, text = generator.note()
        path = os.path.join(bank, "active", key)
        folder = os.path.dirname(path)
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)
            folders.add(folder)
        with open(path, "wb") as stream:
            stream.write(text.encode())
        age = youngest_days + (oldest_days - youngest_days) * (notes - number) / notes
        os.utime(path, (now - age * DAY, now - age * DAY))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bank", type=Path, help="the folder of the bank, e.g. /some/where/.claude/memory")
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oldest-days", type=float, default=400.0)
    parser.add_argument("--bytes", type=int, default=TARGET_BYTES, help=f"size that a note has at least ({TARGET_BYTES})")
    parser.add_argument("--japanese", type=float, default=JAPANESE_SHARE, help=f"share of notes in Japanese ({JAPANESE_SHARE})")
    options = parser.parse_args()
    started = time.monotonic()
    generate(options.bank, options.notes, options.seed, options.oldest_days, size=options.bytes, japanese=options.japanese)
    print(json.dumps({"notes": options.notes, "seconds": round(time.monotonic() - started, 1)}))


__all__ = ["Generator", "Words", "generate", "queries"]

if __name__ == "__main__":
    main()
