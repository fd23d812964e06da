"""The usual commands of a project: how most of its sessions test, check and build it. Computed when they are needed."""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import COMMANDS
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.know import problems, variables
from memorybank.cycle.know.search import IS_SEEN_FAILURE
from memorybank.storage.jsontext import decode, encode
from memorybank.text.commands import exact, forms, programs
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable

_LOGS, _LOOKED_AT, _AGE = 20, 80, 60 * DAY
"""The logs that are counted: the newest in which a command worked, among this many and at most this old (ms)."""
_LEAST_LOGS, _LEAST_SHARE = 3, 0.3
"""Minimum number and share of these logs in which a command worked."""
_MOST = 4
_LONGEST_LINE = 116
"""Characters of the line. A start has room for 120 (`recall.opening`), with the sign of its list."""
_KNOWN_TO_ALL = (
    programs.VIEWERS
    | programs.PREPARATION
    | programs.KEYWORDS
    | frozenset(str.split("git gh cp mv rm rmdir mkdir touch chmod chown ln tar zip unzip gzip gunzip kill pkill killall curl wget ssh scp rsync open code"))
)
"""Programs that every agent knows, whatever the project."""
_NEEDS_WORDS = frozenset(str.split("python node bun deno ruby perl php java bash sh zsh go cargo npm npx pnpm yarn uv make docker just task mise poetry"))
"""Programs whose name alone does not say what is done."""
_RUNS_FILES = frozenset(("uv run python", "uv run", "poetry run", "mise exec", "docker compose", "docker compose exec", "pnpm exec", "npm exec"))
"""Forms that say only how something is run, not what."""

_PLAIN = lazy_pattern(r"[\w.-]+(?: \w[\w:.-]*){0,2}", "a")


class UsualCommands(Value):
    """The commands that worked in most of the last sessions: their forms, the most frequent first, and how many sessions there were, until when (ms).

    ran: what these commands were each time, as far as it is the same (`text.commands.exact`), in the same order.
    """

    commands: tuple[str, ...]
    sessions: int
    at: int
    ran: tuple[str, ...]

    @property
    def memory(self) -> str:
        """The id of their memory: the same whichever they are, so that a person can reject them for good."""
        return f"{COMMANDS}:usual"

    def shown(self, language: str) -> str:
        """Return the commands in one line, with the variables that they need, and with their arguments as far as the line has room for them, the most
        frequent first."""
        written = [exact.shown_by_form(command, form) for form, command in zip(self.commands, self.ran, strict=True)]
        for place, command in enumerate(self.ran):
            entire = [*written[:place], exact.shown(command, self.commands[place]), *written[place + 1 :]]
            if len(_line(entire, language)) <= _LONGEST_LINE:
                written = entire
        return _line(written, language)


def find(connection: Connection, own: str, now: int, known: str = "", wrapping: frozenset[str] | None = None) -> UsualCommands | None:
    """Return the usual commands; None when there are none.

    own: id of the current session, which does not count.
    known: what agents read anyway. Commands in it are left out.
    wrapping: what `problems.wrappers` returns, for a caller that knows it.
    """
    newest = "SELECT id, last_at FROM files WHERE session IS NOT ? AND last_at BETWEEN ? AND ? ORDER BY last_at DESC, id LIMIT ?"
    with_one = f"SELECT id, last_at FROM ({newest}) WHERE EXISTS (SELECT 1 FROM forms WHERE worked AND file = id) LIMIT ?"
    logs = dict(connection.execute(with_one, (own, now - _AGE, now, _LOOKED_AT, _LOGS)).fetchall())
    least = max(_LEAST_LOGS, _LEAST_SHARE * len(logs))
    # A command of which both spellings, with and without a wrapper, are rarer than half of that is not usual.
    several = "SELECT form, json_group_array(file) FROM forms WHERE worked AND file IN (SELECT value FROM json_each(?)) GROUP BY form HAVING count(*) >= ?"
    rows = connection.execute(several, (encode(list(logs)), least / 2)).fetchall()
    if wrapping is None:
        wrapping = problems.wrappers(connection) if rows else frozenset()
    worked: dict[str, dict[str, set[int]]] = {}
    for form, files in rows:
        plain = forms.unwrapped(form, wrapping)
        if _is_of_project(plain):
            worked.setdefault(plain, {})[form] = set(decode(files))
    counted = sorted((-len(set[int]().union(*spelled.values())), plain) for plain, spelled in worked.items())
    frequent = [plain for count, plain in counted if -count >= least]
    usual: dict[str, str] = {}
    ran = set[int]()
    for spelled in (worked[plain] for plain in frequent if plain not in known):
        form = min(spelled, key=lambda form: (-len(spelled[form]), form))  # with or without a wrapper, as it worked in most logs
        command = variables.as_it_works(connection, form, logs, _failed(connection, form, logs)) if len(usual) < _MOST else None
        if command is not None and not (form in worked and _is_plain(exact.shown(command, form))):
            usual[form] = command
            ran = ran.union(*spelled.values())
    return UsualCommands(tuple(usual), len(ran), max(logs[log] for log in ran), tuple(usual.values())) if usual else None


def _failed(connection: Connection, form: str, logs: Collection[int]) -> int:
    """Return the number of these logs in which a call of a form failed."""
    asked = f"SELECT count(DISTINCT file) FROM failures WHERE form = ? AND file IN (SELECT value FROM json_each(?)) AND {IS_SEEN_FAILURE}"
    return int(connection.execute(asked, (form, encode(list(logs)))).fetchone()[0])


def _line(commands: Iterable[str], language: str) -> str:
    return phrase("usual_commands", language, commands=", ".join(f"`{command}`" for command in commands))


def sources(connection: Connection, usual: UsualCommands, now: int) -> list[tuple[str, int, str]]:
    """Return (session, its end in ms, the usual command that worked in it), the oldest first."""
    rows = connection.execute(
        "SELECT session, last_at, form FROM forms JOIN files ON id = file WHERE worked AND last_at BETWEEN ? AND ? AND form IN (SELECT value FROM json_each(?))"
        " ORDER BY last_at, session, form",
        (now - _AGE, now, encode(list(usual.commands))),
    )
    return [(str(session or ""), int(at), str(form)) for session, at, form in rows]


def _is_plain(command: str) -> bool:
    """Return whether a command is a few words without an option, a folder, a file or a variable, and not run by another program: the files of the project name
    it, and any agent tries it."""
    return _PLAIN.fullmatch(command) is not None and not any(command.startswith(f"{form} ") for form in _RUNS_FILES)


def _is_of_project(form: str) -> bool:
    program, _, rest = form.partition(" ")
    return program not in _KNOWN_TO_ALL and form not in _RUNS_FILES and bool(rest or program not in _NEEDS_WORDS)
