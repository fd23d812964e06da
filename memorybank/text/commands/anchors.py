"""Finds anchors: texts for the things that two events certainly have in common, each with its kind before a colon.

`file:src/a.py` is a path relative to the repository, `cmd:<fingerprint>` a command, `err:<signature>` an error and
`note:planning/a.md` a note of the bank. Memories are indexed by anchors, and recall depends on them (cycle design, RECALL).
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.paths import FILE_NAMES, has_file_name, looks_like_path, relative, without_line
from memorybank.text.emphasis import without_emphasis
from memorybank.text.secrets.mark import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

FILE, COMMAND, ERROR, NOTE = "file:", "cmd:", "err:", "note:"
_NOTES = ".claude/memory/active/"
_MOST = 40
_MOST_KNOWN = 4
_known: dict[tuple[str, str, str], list[str]] = {}
"""The anchors of the last texts: those of a prompt are wanted for its record, for its question, and for what was pasted into it."""
_LONGEST_TEXT = 20_000
_SPLITS = dict.fromkeys(map(ord, "`\"'<>()[]{}|,;=「」『』“”‘’（）【】《》、。，．；：！？・…→"), " ")
_PATH_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./~@+-:#%")
_ENDS = ".,:;!?-"
PROGRAMS = frozenset(
    str.split("""git gh npm npx pnpm yarn bun node deno python python3 pip pip3 uv uvx poetry pdm hatch tox nox pytest mypy ruff black make just cargo rustc go
    docker podman kubectl helm terraform ansible mix iex elixir rake rails bundle gem composer php java mvn gradle gradlew dotnet swift flutter dart cmake
    ninja bazel sbt stack cabal jest vitest playwright eslint prettier tsc vite webpack bash sh scripts sqlite3 psql mysql redis-cli systemctl brew apt
    memorybank claude codex gemini""")
)
ERROR_SIGNS = ("error", "exception", "fatal", "panic", "** (", "err!", "not found", "エラー", "例外", "\x1b")
"""One of these is in every text with a line that is certainly an error. A prompt without one does not load what reads errors."""


def of_text(text: str, root: str, folder: str = "") -> list[str]:
    """Return the anchors in prose, in order and without repeats: paths (`src/a.py:12`, `docs/設計.md`), commands in backticks, pasted errors.

    Paths outside the repository yield no anchor.
    root: the repository, absolute
    folder: the working folder, from which relative paths start
    """
    asked = text, root, folder
    if asked not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[asked] = _of_text(text, root, folder)
    return list(_known[asked])


def _of_text(text: str, root: str, folder: str) -> list[str]:
    from memorybank.text.secrets.redact import redact  # late: whoever indexes a note looks for paths only

    # Redacted first, because anchors are stored: no part of a secret may become one.
    text = redact(text[:_LONGEST_TEXT], None)
    found: dict[str, None] = {}
    for path in paths_in(text):
        if len(found) < _MOST:
            found.update(dict.fromkeys(of_path(relative(path, root, folder=folder))))
    if "`" in text:
        found.update((COMMAND + mark, None) for mark in _commands(text, root, folder))
    lowered = text.lower()
    if any(sign in lowered for sign in ERROR_SIGNS):
        from memorybank.text.commands.error_excerpt import first_error_line

        line = first_error_line(text)
        if line is not None and len(line) <= 300:
            found.update(dict.fromkeys(of_error("Bash", line, root)))
    return list(found)[:_MOST]


def of_call(tool: str, inputs: Mapping[str, Any], root: str, folder: str = "", home: str = "", key: bytes | None = None) -> list[str]:
    """Return the anchors of one tool call, in order and without repeats: the files it names and the fingerprints of its command.

    inputs: arguments of the call under their canonical keys
    home, key: files outside the repository become `~/…` below home, else a keyed hash; without a key the latter yield no anchor
    """
    found: dict[str, None] = {}
    named = [inputs.get("file_path"), inputs.get("path"), *(inputs.get("paths") or ())]
    pattern = inputs.get("pattern")
    if tool == "Glob" and isinstance(pattern, str) and "*" not in pattern:
        named.append(pattern)
    for path in named:
        if isinstance(path, str) and path:
            found.update(dict.fromkeys(of_path(relative(path, root, home, key, folder))))
    command = inputs.get("command")
    if isinstance(command, str) and command.strip():
        from memorybank.text.commands import fingerprint

        for path in fingerprint.command_files(command, root, folder):
            found.update(dict.fromkeys(of_path(path)))
        found.update((COMMAND + mark, None) for mark in fingerprint.command_parts(command, root, folder))
    return list(found)[:_MOST]


def of_error(tool: str, error: str | None, root: str = "") -> list[str]:
    """Return `err:<signature>` in a list, or an empty list without an error text. Most calls have none and load nothing for it."""
    from memorybank.text.commands.error_excerpt import error_signature

    signature = error_signature(tool, error, root)
    return [ERROR + signature] if signature else []


def of_path(path: str) -> list[str]:
    """Return the anchors of a recorded path: `file:…`, and `note:…` for a note of the bank; none for "" and for the repository itself."""
    if path in ("", "."):
        return []
    at = path.find(_NOTES)
    note = path[at + len(_NOTES) :] if at == 0 or (at > 0 and path[at - 1] == "/") else ""
    return [FILE + path, NOTE + note] if note.endswith(".md") else [FILE + path]


def _commands(text: str, root: str, folder: str) -> Iterator[str]:
    """Yield the fingerprints of the commands in backticks. The command parser is imported only for texts with backticks."""
    from memorybank.text.commands import fingerprint, programs

    for quoted in _backticks(text):
        program, blank, rest = quoted.partition(" ")
        if blank and rest.strip() and (programs.name(program) in PROGRAMS or program.startswith("./")):
            mark = fingerprint.command(quoted, root, folder)
            if mark:
                yield mark


def _backticks(text: str) -> Iterator[str]:
    """Yield the inline code spans of a text, line by line."""
    for line in text.split("\n"):
        yield from (piece.strip() for piece in line.split("`")[1::2] if 3 < len(piece) < 400)


def paths_in(text: str) -> Iterator[str]:
    """Yield the words that look like paths, in order."""
    if "." not in text and "/" not in text and "file" not in text:
        return
    for word in without_emphasis(text).split():
        if ("." not in word and "/" not in word and "file" not in word) or MARK in word:
            continue
        if word[-1] == "." and word[:-1].isalpha() and word[:-1] not in FILE_NAMES:
            continue  # the last word of a sentence
        # A URL is not a path, but the Markdown link `[src/a.py](https://…)` has a path before the parenthesis.
        if "://" in word:
            word = word.partition("://")[0].rpartition("(")[0]
        for piece in word.translate(_SPLITS).split():
            if piece.isascii() or _is_one_path(piece):
                runs: Iterable[str] = (piece,)
            else:
                runs = _runs(piece)
            for run in runs:
                path = without_line(run.rstrip(_ENDS)).rstrip(_ENDS)
                if looks_like_path(path) if path.isascii() else _is_one_path(path):
                    yield path


def _is_one_path(word: str) -> bool:
    """Return whether a non-ASCII word is one path (`docs/設計.md`): folders, a file name at the very end, and no sentence that continues in between."""
    path = without_line(word.rstrip(_ENDS))
    names = path.split("/")
    return len(names) > 1 and has_file_name(names[-1]) and not any(_continues(name) for name in names)


def _continues(name: str) -> bool:
    """Return whether a part continues after a complete file name (`a.pyとdocs`): then the word is a sentence, not a path."""
    ascii_part = name
    for index, sign in enumerate(name):
        if not sign.isascii():
            ascii_part = name[:index]
            break
    return len(ascii_part) < len(name) and has_file_name(ascii_part)


def _runs(word: str) -> Iterator[str]:
    """Yield the paths in a Japanese sentence without spaces: a path starts with ASCII, and only after a `/` may other scripts follow."""
    at = 0
    while at < len(word):
        if word[at] not in _PATH_SIGNS:
            at += 1
            continue
        end = at
        while end < len(word) and word[end] in _PATH_SIGNS:
            end += 1
        if end < len(word) and word[end - 1] == "/":
            beyond = _after_file_name(word, end)
            end = beyond if beyond > end else end
        yield word[at:end]
        at = end


def _after_file_name(word: str, start: int) -> int:
    """Return the offset after the file name at `start` (`設計.md`, `画面/一覧.tsx`), or `start` itself when no file name follows."""
    dot = word.find(".", start)
    while dot >= 0:
        end = dot + 1
        while end < len(word) and word[end].isascii() and word[end].isalnum():
            end += 1
        if has_file_name("x" + word[dot:end]):
            return end
        dot = word.find(".", end)
    return start
