"""Blocks of lines that memorybank owns in files of others: in attributes of git, and in scripts that git runs. Every other byte stays."""

from __future__ import annotations

import re

from memorybank.errors import ValidationFailed

_SHELL = re.compile(rb"#![ \t]*(?:/usr/bin/env[ \t]+)?(?:/[\w./-]*/)?(?:sh|bash|dash|zsh|ksh)(?:[ \t][^\n]*)?\r?\n")
SHEBANG = b"#!/bin/sh\n"


def begin(label: str) -> bytes:
    """Return the first line of a block. label: the bank that it is for, relative to the repository"""
    return f"# memorybank {label}: begin (written by 'memorybank git install', removed by 'memorybank git uninstall')\n".encode()


def end(label: str) -> bytes:
    """Return the last line of a block."""
    return f"# memorybank {label}: end\n".encode()


def block(label: str, lines: list[str]) -> bytes:
    """Return a block with these lines."""
    return begin(label) + "".join(f"{line}\n" for line in lines).encode() + end(label)


def find(data: bytes, label: str) -> tuple[int, int] | None:
    """Return where the block is, or None. Raises `ValidationFailed` when only one of its two marks is left, because its extent is unknown then."""
    first = _line(data, begin(label))
    last = _line(data, end(label))
    if first < 0 and last < 0:
        return None
    if first < 0 or last < first:
        raise ValidationFailed(f"one of the two lines that begin with '# memorybank {label}:' is missing")
    return first, last + len(end(label))


def _line(data: bytes, line: bytes) -> int:
    if data.startswith(line):
        return 0
    at = data.find(b"\n" + line)
    return at + 1 if at >= 0 else -1


def appended(data: bytes | None, label: str, lines: list[str]) -> bytes:
    """Return a file of attributes with the block: in its place, or at the end. data: None without a file"""
    data = data or b""
    wanted, found = block(label, lines), find(data, label)
    if found is not None:
        return data[: found[0]] + wanted + data[found[1] :]
    return data + (b"" if not data or data.endswith(b"\n") else b"\n") + wanted


def in_script(data: bytes | None, label: str, lines: list[str]) -> bytes:
    """Return a script of the shell with the block: in its place, or right after the first line, because a script may end anywhere.

    Raises `ValidationFailed` when the file is not a script of the shell.
    """
    data = data or SHEBANG
    wanted, found = block(label, lines), find(data, label)
    if found is not None:
        return data[: found[0]] + wanted + data[found[1] :]
    first = _SHELL.match(data)
    if first is None:
        raise ValidationFailed("it is not a script of the shell")
    return data[: first.end()] + wanted + data[first.end() :]


def removed(data: bytes, label: str) -> bytes | None:
    """Return a file without the block; None when nothing but the first line of a script would be left."""
    found = find(data, label)
    rest = data if found is None else data[: found[0]] + data[found[1] :]
    return None if rest in (b"", SHEBANG) else rest
