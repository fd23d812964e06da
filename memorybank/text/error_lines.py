"""Error signatures: the line of an error message that says what went wrong, without the parts that differ between runs."""

from __future__ import annotations

__light__ = True

from memorybank.text import paths
from memorybank.text.error_excerpt import COUNTS, without_marks
from memorybank.text.redact import MARK, redact

_LONGEST_LINE = 600
_LONGEST = 160
_SHARP = (
    "error:", "error[", "error ts", "[error]", "exception:", "fatal:", "panic:", "panicked at", "** (", "err!", "command not found",
    "エラー:", "エラー：", "例外:", "例外：",
)  # fmt: skip
_SHELLS = ("bash:", "sh:", "zsh:", "/bin/", "(eval)")
_LONGEST_TEXT = 20_000
_OPENERS, _CLOSERS = "\"'`([{<“「『", "\"'`)]}>”」』.,;:!?…"
_HEX = frozenset("0123456789abcdefABCDEF-")


def error_signature(tool: str, error: str | None, root: str = "") -> str | None:
    """Return the tool and the first line that says what is wrong, normalised: `Bash: fatal: not a git repository`; None without a text.

    Numbers and hashes become `#` and secrets `_`. Paths are relative to root; of other paths only the name remains. A line that
    ends in a colon includes the next line.
    """
    if not error or not error.strip():
        return None
    from memorybank.text.error_excerpt import error_excerpt_lines

    lines = error_excerpt_lines(error)
    if not lines:
        return None
    chosen = 1 if len(lines) > 1 and _is_heading(lines[0]) else 0
    text = lines[chosen]
    if text.endswith((":", "：")) and chosen + 1 < len(lines):
        text += " " + lines[chosen + 1]
    words = redact(text, None).split()
    return f"{tool}: {' '.join('_' if MARK in word else _steady(word, root) for word in words)}"[:_LONGEST].rstrip()


def first_error_line(text: str) -> str | None:
    """Return the first line of a text that certainly is an error (`error:`, `fatal:`, `ValueError: …`), as written; None if there is none."""
    for line in text[:_LONGEST_TEXT].splitlines():
        line = without_marks(_uncoloured(line[:_LONGEST_LINE]).strip())
        if line and _is_sharp(line, _beginning(line.lower())):
            return line
    return None


def _uncoloured(line: str) -> str:
    if "\x1b" not in line:
        return line
    from memorybank.text import output_lines

    return output_lines.plain(line)


def _beginning(lowered: str) -> str:
    """Return the first two words, because later in a line `error:` is part of a sentence; a shell's message (`sh: x: command not found`) in full."""
    return lowered if lowered.startswith(_SHELLS) else " ".join(lowered.split(" ", 2)[:2])


def _is_heading(line: str) -> bool:
    """Return whether the message on the next line says more than this one (`1) test adds a cart (CartTest)`, `# Unhandled error between tests`)."""
    return line.startswith("# ") or (line[:1].isdecimal() and line.partition(")")[0].isdecimal())


def _is_sharp(line: str, lowered: str) -> bool:
    if any(count in lowered for count in COUNTS):
        return False
    if any(word in lowered for word in _SHARP):
        return True
    name = line.split(":", 1)[0].split("(", 1)[0]
    return name.endswith(("Error", "Exception")) and name.replace(".", "").replace("_", "").isalnum()


def _steady(word: str, root: str) -> str:
    """Normalise one word of the line. Brackets and quotes around it stay."""
    start, end = 0, len(word)
    while start < end and word[start] in _OPENERS:
        start += 1
    while end > start and word[end - 1] in _CLOSERS:
        end -= 1
    core = word[start:end]
    steady = _core(core, root) if core else ""
    closing = word[end:].lstrip(")") if "(" in core and "(" not in steady else word[end:]
    return word[:start] + steady + closing


def _core(core: str, root: str) -> str:
    plain = paths.without_line(core)
    if "/" in plain and "://" not in plain and paths.looks_like_path(plain):
        where = paths.relative(plain, root) if root or not plain.startswith("/") else ""
        return where if where and not where.startswith(".") else plain.rstrip("/").rpartition("/")[2]
    if plain != core and paths.looks_like_path(plain):
        return plain
    # A long word that starts with a digit and has mostly other characters is a name, such as `2fa_enabled`, not a quantity.
    if core[0].isdecimal() or (core[0] in "+-~#@" and core[1:2].isdecimal()):
        return "#" if sum(sign.isdecimal() for sign in core) * 2 >= len(core) or len(core) < 8 else core
    if core.startswith("0x") or (len(core) >= 7 and all(sign in _HEX for sign in core) and any(sign.isdecimal() for sign in core)):
        return "#"
    return _without_long_numbers(core)


def _without_long_numbers(core: str) -> str:
    """Replace long numbers: `worker-48213` becomes `worker-#`. Short numbers are part of names (`utf8`, `get/2`)."""
    letters = core.rstrip("0123456789")
    if sum(sign.isdecimal() for sign in core) < 3 or (letters.isalpha() and letters.isupper() and len(letters) <= 5):
        return core  # `TS2322`, `E0308`: the number identifies the error
    return paths.without_long_numbers(core, 3)
