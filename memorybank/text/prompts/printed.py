"""What a prompt says about the project's code, above all a pasted error, trace or log: the names of its own code, and the messages.

Earlier sessions know nothing about the frames of a library.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_OF_LIBRARY = lazy_pattern(
    r"(?:site|dist)-packages/|node_modules/|\bnode:[a-z]|\.cargo/|/rustc/|/pkg/mod/|/usr/(?:lib|local/go|share)|/lib/python\d|<frozen |/\.venv/|/vendor/|/gems/"
    r"|\bat (?:java|javax|sun|jdk|kotlin|scala|org\.(?:junit|springframework|apache))\."
)
_SIGNS_OF_LIBRARY = (
    *("-packages/", "node_modules/", "node:", ".cargo/", "/rustc/", "/pkg/mod/", "/usr/", "/lib/python", "<frozen ", "/.venv/", "/vendor/", "/gems/"),
    *("at java", "at sun.", "at jdk.", "at kotlin.", "at scala.", "at org."),
)
"""One of these is in everything that `_OF_LIBRARY` matches."""
_FUNCTION = lazy_pattern(r"\bline \d+, in (\w+)|\bat (?:async )?(?:[\w$]+\.)*([\w$]+) \(|\bthread '([\w:]+)'")
"""A function of the project in a frame of Python, JavaScript or Java, and a Rust thread, which has the name of its test."""
_VALUE = lazy_pattern(r"\b(?:msg|message|err|error|reason|cause)=\"((?:[^\"\\]|\\.){3,400})\"")
"""The message in a line of a structured log."""
_HEAD = lazy_pattern(r"^\W*(?:[\d:.,TZ+/-]+\W+|[A-Z][a-z]{2} \d+ |\[[^\]]*\]\s*|(?:error|warn(?:ing)?|info|debug|fatal|panic)\b\W*)*", "i")
"""When a line was printed, and how bad it is."""
_BETWEEN = lazy_pattern(r"(?<=\w)[:：]\s+|\.\s+|。")
"""Separates what failed from its cause: `failed to open: unexpected status: 200 OK`."""
_MOST_LINES, _LONGEST_LINE, _MOST_NAMES, _MOST_MESSAGES = 400, 600, 24, 12
_LEAST_NAME = 4


def names_of(text: str) -> list[str]:
    """Return the names of code of the project in a prompt, whoever wrote it."""
    names: dict[str, None] = {}
    for line in _of_project(text.split("\n")):
        names.update((name, None) for found in _FUNCTION.findall(line) for name in found if len(name) >= _LEAST_NAME)
        names.update(dict.fromkeys(names_in(line)))
    return list(names)[:_MOST_NAMES]


def error_of(lines: Sequence[str]) -> list[str]:
    """Return those of the printed lines that say what is wrong in the project."""
    if not lines:
        return []
    from memorybank.text.commands.error_excerpt import error_excerpt_lines  # late: most prompts contain nothing pasted

    return error_excerpt_lines("\n".join(_of_project(lines)))


def messages_of(lines: Sequence[str]) -> list[str]:
    """Return the parts of the messages in the lines of an error, what failed before its cause. One word alone is not a message."""
    messages: dict[str, None] = {}
    for line in lines:
        for said in [found.replace('\\"', '"') for found in _VALUE.findall(line)] or [line]:
            parts = map(str.strip, _BETWEEN.split(_HEAD.sub("", said)))
            messages.update((part, None) for part in parts if (" " in part or not part.isascii()) and not part.endswith((":", "：")))
    return list(messages)[:_MOST_MESSAGES]


def _of_project(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are not about code of a library. Python prints the code of a frame below it, further to the right."""
    read = lines[:_MOST_LINES]
    together = "\n".join(read)
    if not any([sign in together for sign in _SIGNS_OF_LIBRARY]):  # most prompts; the pattern takes long for a paragraph
        yield from [line[:_LONGEST_LINE] for line in read]
        return
    skipped = -1
    for line in read:
        indent = len(line) - len(line.lstrip())
        if _OF_LIBRARY.search(line):
            skipped = indent
        elif not 0 <= skipped < indent:
            skipped = -1
            yield line[:_LONGEST_LINE]
