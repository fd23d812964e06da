"""The usual commands of a project: how most of its sessions test, check and build it. Computed when they are needed."""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.storage.jsontext import encode
from memorybank.text import forms, programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection

COMMANDS = "commands"
_LOGS, _AGE = 20, 60 * DAY
"""The logs that are counted: the newest, at most this old (ms)."""
_LEAST_LOGS, _LEAST_SHARE = 3, 0.3
"""Minimum number and share of these logs in which a command worked."""
_MOST = 4
_KNOWN_TO_ALL = (
    programs.VIEWERS
    | programs.PREPARATION
    | programs.KEYWORDS
    | frozenset(str.split("git gh cp mv rm rmdir mkdir touch chmod chown ln tar zip unzip gzip gunzip kill pkill killall curl wget ssh scp rsync open code"))
)
"""Programs that every agent knows, whatever the project."""
_NEEDS_WORDS = frozenset(str.split("python python3 node bun deno ruby perl php java bash sh zsh go cargo npm npx pnpm yarn uv make docker just task mise poetry"))
"""Programs whose name alone does not say what is done."""


def commands(connection: Connection, wrappers: Collection[str], own: str, now: int) -> list[str]:
    """Return the forms of the commands that worked in most of the last sessions, the most frequent first.

    wrappers: programs that run others (`problems.wrappers`). With one of them in front, a command counts as the same.
    own: the session that asks.
    """
    newest = "SELECT id FROM files WHERE session IS NOT ? AND last_at BETWEEN ? AND ? AND id IN (SELECT file FROM forms WHERE worked) ORDER BY last_at DESC LIMIT ?"
    logs = [number for (number,) in connection.execute(newest, (own, now - _AGE, now, _LOGS))]
    ran: dict[str, dict[str, set[int]]] = {}
    for form, log in connection.execute("SELECT form, file FROM forms WHERE worked AND file IN (SELECT value FROM json_each(?))", (encode(logs),)):
        plain = forms.unwrapped(form, wrappers)
        if _is_of_project(plain):
            ran.setdefault(plain, {}).setdefault(form, set()).add(log)
    counted = sorted((-len(set[int]().union(*spelled.values())), plain) for plain, spelled in ran.items())
    usual = [plain for count, plain in counted if -count >= max(_LEAST_LOGS, _LEAST_SHARE * len(logs))]
    return [max(sorted(ran[plain]), key=lambda form: len(ran[plain][form])) for plain in usual[:_MOST]]


def _is_of_project(form: str) -> bool:
    program, _, rest = form.partition(" ")
    return program not in _KNOWN_TO_ALL and bool(rest or program not in _NEEDS_WORDS)
