"""Where a command writes to by its options: `curl -o docs/index.html`, `tar -x -C vendor`."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.programs import name

_WRITES_TO: dict[str, frozenset[str]] = {
    "curl": frozenset(("-o", "--output-dir")),
    "wget": frozenset(str.split("-O -P --output-document --directory-prefix")),
    "tar": frozenset(("-C", "--directory")),
    "unzip": frozenset(("-d",)),
    "cp": frozenset(("-t", "--target-directory")),
    "mv": frozenset(("-t", "--target-directory")),
    "pandoc": frozenset(("-o",)),
}
_OUTPUTS = frozenset(str.split("--output --output-dir --output-file --outfile --outdir --out-dir --out"))
"""Options of any program whose value is written to."""


def written_by(words: list[str]) -> list[str]:
    """Return the files and folders that a command writes to by its options: `curl -o file`, `tar -x -C folder`."""
    program = name(words[0])
    options = _WRITES_TO.get(program, frozenset())
    if program == "tar" and not any(map(_unpacks, words[1:], range(1, len(words)))):
        return []  # it packs or lists
    options |= _OUTPUTS
    found = [words[place + 1] for place, word in enumerate(words[:-1]) if word in options and not words[place + 1].startswith("-")]
    return found + [value for option, equals, value in (word.partition("=") for word in words) if equals and option in options]


def _unpacks(word: str, place: int) -> bool:
    """Return whether a word of a `tar` command, at a place of it, asks to unpack."""
    return word in ("--extract", "--get") or ("x" in word and word[:2] != "--" and (place == 1 or word[:1] == "-"))
