"""Anchors: the things that two moments can have in common for certain, as texts with a kind before a colon.

`file:src/a.py` a path relative to the repository · `cmd:<fingerprint>` a command · `err:<signature>` an error ·
`note:planning/a.md` a note of the bank. Memories are indexed by them, and recall is earned by them (cycle design, RECALL).

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text import fingerprint, programs
from memorybank.text.error_lines import error_signature, first_error_line
from memorybank.text.paths import has_file_name, looks_like_path, relative, without_line

__all__ = ["of_call", "of_error", "of_path", "of_text", "relative"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

FILE, COMMAND, ERROR, NOTE = "file:", "cmd:", "err:", "note:"
_NOTES = ".claude/memory/active/"
_MOST = 40
_LONGEST_TEXT = 100_000
_QUOTES = {"`": "`", '"': '"', "'": "'", "「": "」", "『": "』", "“": "”", "<": ">", "(": ")", "[": "]", "（": "）", "【": "】", "《": "》"}
_PATH_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./~@+-:#%")
_ENDS = ".,:;!?-"
_COMMANDS = frozenset(
    str.split("""git gh npm npx pnpm yarn bun node deno python python3 pip pip3 uv uvx poetry pdm hatch tox nox pytest mypy ruff black make just cargo rustc go
    docker podman kubectl helm terraform ansible mix iex elixir rake rails bundle gem composer php java mvn gradle gradlew dotnet swift flutter dart cmake
    ninja bazel sbt stack cabal jest vitest playwright eslint prettier tsc vite webpack bash sh scripts sqlite3 psql mysql redis-cli systemctl brew apt
    memorybank claude codex gemini""")
)


def of_text(text: str, root: str, folder: str = "") -> list[str]:
    """The anchors that prose names, in order, each once: paths (`src/a.py:12`, `docs/設計.md`), commands in backticks, pasted errors.

    Paths outside the repository give none. root: the repository, absolute; folder: the working folder, where relative paths begin.
    """
    text = text[:_LONGEST_TEXT]
    found: dict[str, None] = {}
    for path in _paths(text):
        if len(found) < _MOST:
            found.update(dict.fromkeys(of_path(relative(path, root, folder=folder))))
    for quoted in _backticks(text):
        program, blank, rest = quoted.partition(" ")
        if blank and rest.strip() and (programs.name(program) in _COMMANDS or program.startswith("./")):
            mark = fingerprint.command(quoted, root, folder)
            if mark:
                found[COMMAND + mark] = None
    line = first_error_line(text)
    if line is not None and len(line) <= 300:
        found.update(dict.fromkeys(of_error("Bash", line, root)))
    return list(found)[:_MOST]


def of_call(tool: str, inputs: Mapping[str, Any], root: str, folder: str = "", home: str = "", key: bytes | None = None) -> list[str]:
    """The anchors of one tool call: the files it names and the fingerprints of its command, in order, each once.

    inputs: canonical keys. home, key: with them files outside the repository are `~/…` or a keyed hash; without, they give none.
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
        for path in fingerprint.command_files(command, root, folder):
            found.update(dict.fromkeys(of_path(path)))
        found.update((COMMAND + mark, None) for mark in fingerprint.command_parts(command, root, folder))
    return list(found)[:_MOST]


def of_error(tool: str, error: str | None, root: str = "") -> list[str]:
    """`err:<signature>`, or nothing without an error text."""
    signature = error_signature(tool, error, root)
    return [ERROR + signature] if signature else []


def of_path(path: str) -> list[str]:
    """The anchors of a recorded path: `file:…`, and `note:…` for a note of the bank; nothing for "" and for the repository itself."""
    if path in ("", "."):
        return []
    at = path.find(_NOTES)
    note = path[at + len(_NOTES) :] if at == 0 or (at > 0 and path[at - 1] == "/") else ""
    return [FILE + path, NOTE + note] if note.endswith(".md") else [FILE + path]


def _backticks(text: str) -> Iterator[str]:
    """The inline code of a text, line by line."""
    if "`" not in text:
        return
    for line in text.split("\n"):
        yield from (piece.strip() for piece in line.split("`")[1::2] if 3 < len(piece) < 400)


def _paths(text: str) -> Iterator[str]:
    """What looks like a path, in order; a word that is one as a whole before the pieces of ASCII in it."""
    for word in text.split():
        if "." not in word and "/" not in word:
            if word.strip("`\"'.,:;()") in ("Makefile", "Dockerfile", "Gemfile", "Rakefile", "Justfile", "justfile"):
                yield word.strip("`\"'.,:;()")
            continue
        if "://" in word:
            continue
        whole = _bare(word)
        if whole.isascii():
            yield from _checked(whole)
        elif _is_path_beyond_ascii(whole):
            yield without_line(whole)
        else:
            for piece in _pieces(word):
                yield from _checked(piece)


def _checked(word: str) -> Iterator[str]:
    path = without_line(word.strip(_QUOTE_SIGNS).rstrip(_ENDS)).rstrip(_ENDS)
    if looks_like_path(path):
        yield path
    elif any(sign in path for sign in "\"'`()[]<>=,|"):
        for piece in _pieces(path):
            piece = without_line(piece.rstrip(_ENDS))
            if looks_like_path(piece):
                yield piece


_QUOTE_SIGNS = "".join((*_QUOTES, *_QUOTES.values()))


def _bare(word: str) -> str:
    """Without quotes and brackets around it and without what closes a sentence."""
    while word:
        stripped = word.strip(_QUOTE_SIGNS).rstrip(".,:;!?。、，．！？")
        if stripped == word:
            break
        word = stripped
    return word


def _is_path_beyond_ascii(word: str) -> bool:
    """`docs/設計.md`: folders and a file name with an ending at the very end, and no sign of a sentence in between."""
    path = without_line(word)
    if "/" not in path or any(sign in path for sign in "。、，！？「」『』（）：；・…\"'`()<>=|,;"):
        return False
    name = path.rpartition("/")[2]
    return has_file_name(name) and not any(_is_particle_run(part) for part in path.split("/"))


def _is_particle_run(part: str) -> bool:
    """Hiragana behind an ASCII name (`src/a.pyとdocs`): a sentence went on, it is no name."""
    return any("ぁ" <= sign <= "ん" and before.isascii() and before.isalnum() for before, sign in zip(part, part[1:], strict=False))


def _pieces(word: str) -> Iterator[str]:
    """The runs of signs that a path in a Japanese sentence can have."""
    start = -1
    for index, sign in enumerate(word + " "):
        if sign in _PATH_SIGNS:
            start = index if start < 0 else start
        elif start >= 0:
            yield word[start:index]
            start = -1
