"""Error signatures: the line of an error message that says what went wrong, freed of what differs each time."""

from __future__ import annotations

__light__ = True

from memorybank.text import paths
from memorybank.text.redact import MARK, redact

_LONGEST_LINE = 600
_LONGEST = 160
COUNTS = (" 0 error", " 0 fail", "0 errors", "0 failed", "no errors", "without error")
"""What no error says."""
_SHARP = (
    "error:", "error[", "error ts", "[error]", "exception:", "fatal:", "panic:", "panicked at", "** (", "err!", "command not found",
    "エラー:", "エラー：", "例外:", "例外：",
)  # fmt: skip
_SHELLS = ("bash:", "sh:", "zsh:", "/bin/", "(eval)")
_MARKS = "✘✗✖×❌⚠>│┃|•-=: \t"
_RULE = "━─ "
_LONGEST_TEXT = 20_000
_OPENERS, _CLOSERS = "\"'`([{<“「『", "\"'`)]}>”」』.,;:!?…"
_HEX = frozenset("0123456789abcdefABCDEF-")


def error_signature(tool: str, error: str | None, root: str = "") -> str | None:
    """`Bash: fatal: not a git repository`: the tool and the first line that says what is wrong, normalised; None without a text.

    Numbers and hashes are `#`, secrets `_`; paths relative to root, others only their names. A line that ends in a colon takes the next one with it.
    """
    if not error or not error.strip():
        return None
    from memorybank.text.telling import telling_lines

    lines = telling_lines(error)
    if not lines:
        return None
    chosen = 1 if len(lines) > 1 and _is_heading(lines[0]) else 0
    text = lines[chosen]
    if text.endswith((":", "：")) and chosen + 1 < len(lines):
        text += " " + lines[chosen + 1]
    words = redact(text, None).split()
    return f"{tool}: {' '.join('_' if MARK in word else _steady(word, root) for word in words)}"[:_LONGEST].rstrip()


def first_error_line(text: str) -> str | None:
    """The first line of any text that is an error for sure (`error:`, `fatal:`, `ValueError: …`), as written; None without one."""
    for line in text[:_LONGEST_TEXT].splitlines():
        line = without_marks(_uncoloured(line[:_LONGEST_LINE]).strip())
        if line and _is_sharp(line, _beginning(line.lower())):
            return line
    return None


def without_marks(line: str) -> str:
    """A line without the crosses, bars and rules that programs put around it, and without pytest's margin."""
    line = line.lstrip(_MARKS).rstrip(_RULE)
    return line[1:].lstrip() if line.startswith("E   ") else line


def _uncoloured(line: str) -> str:
    if "\x1b" not in line:
        return line
    from memorybank.text import output_lines

    return output_lines.plain(line)


def _beginning(lowered: str) -> str:
    """The first two words: further on, `error:` is a word of a sentence. What a shell says (`sh: x: command not found`) is taken whole."""
    return lowered if lowered.startswith(_SHELLS) else " ".join(lowered.split(" ", 2)[:2])


def _is_heading(line: str) -> bool:
    """`1) test adds a cart (CartTest)`, `# Unhandled error between tests`: the message below it says more."""
    return line.startswith("# ") or (line[:1].isdecimal() and line.partition(")")[0].isdecimal())


def _is_sharp(line: str, lowered: str) -> bool:
    if any(count in lowered for count in COUNTS):
        return False
    if any(word in lowered for word in _SHARP):
        return True
    name = line.split(":", 1)[0].split("(", 1)[0]
    return name.endswith(("Error", "Exception")) and name.replace(".", "").replace("_", "").isalnum()


def _steady(word: str, root: str) -> str:
    """One word of the line: what a bracket or quote holds is looked at alone."""
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
    if core[0].isdecimal() or (core[0] in "+-~#@" and core[1:2].isdecimal()):
        return "#" if sum(sign.isdecimal() for sign in core) * 2 >= len(core) or len(core) < 8 else core
    if core.startswith("0x") or (len(core) >= 7 and all(sign in _HEX for sign in core) and any(sign.isdecimal() for sign in core)):
        return "#"
    return _without_long_numbers(core)


def _without_long_numbers(core: str) -> str:
    """`worker-48213` → worker-#; short numbers belong to names (`utf8`, `get/2`)."""
    letters = core.rstrip("0123456789")
    if sum(sign.isdecimal() for sign in core) < 3 or (letters.isalpha() and letters.isupper() and len(letters) <= 5):
        return core  # `TS2322`, `E0308`: the number of an error is what it is called
    return paths.without_long_numbers(core, 3)
