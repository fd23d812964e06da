"""Registers the MCP server with a host: in a file that memorybank may edit, otherwise by the host's own command, which a person types.

memorybank edits a project's file, which belongs to those who commit it, and for some hosts the person's settings that also contain the
hooks. Other files of a person are rewritten by a client while it runs (`~/.claude.json`, `~/.codex/config.toml`); these are only read.
The entry `memorybank` is added where it is missing. An existing one is a person's choice (`--as`, `--allow-write`) and stays. Sources:
`mcp list` and `mcp add` of the real clients (tests/real_hosts/test_mcp.py); Cursor's documentation.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from memorybank.errors import MemorybankError
from memorybank.hosts import install, originals, server_entries
from memorybank.hosts.install import SettingsChange
from memorybank.hosts.program import PORTABLE, Program, on_path, quote, which
from memorybank.hosts.registration import LOCAL, PROJECT, TABLE, USER, SettingsFile
from memorybank.hosts.server_entries import NAME, ServerFormat
from memorybank.hosts.status import BROKEN, INSTALLED, UNREADABLE
from memorybank.installed import extra_command

_LIBRARIES = ("mcp", "mcp_types", "jsonschema")
"""The libraries of the extra `mcp`. Versions of `mcp` before 2 lack `mcp_types`."""
_SERVERS = ServerFormat("mcpServers")
_CODEX = ServerFormat("mcp_servers", toml=True)
_OPENCODE = ServerFormat("mcp", in_one=True)


class ServerLocation(NamedTuple):
    """A place in which a host looks for servers.

    typed: the host's own command that writes this file, with {} for `add` or `remove`; memorybank then does not edit the file
    ask: a fact that a person must know about it
    by_project: whether the servers of a project are below the name of its folder
    """

    file: SettingsFile
    form: ServerFormat
    typed: str = ""
    ask: str = ""
    by_project: bool = False


_CLAUDE_JSON = SettingsFile(".claude.json", variable="CLAUDE_CONFIG_DIR", home_folder=".")
SERVER_LOCATIONS: dict[tuple[str, str], ServerLocation] = {
    ("claude-code", LOCAL): ServerLocation(_CLAUDE_JSON, _SERVERS, "claude mcp {} --scope local memorybank", by_project=True),
    ("claude-code", PROJECT): ServerLocation(SettingsFile(".mcp.json"), _SERVERS, ask="Claude Code asks once whether to use the MCP server."),
    ("claude-code", USER): ServerLocation(_CLAUDE_JSON, _SERVERS, "claude mcp {} --scope user memorybank"),
    ("codex", PROJECT): ServerLocation(SettingsFile(".codex/config.toml"), _CODEX, ask="Codex starts a project's MCP servers only in a folder that you trust."),
    ("codex", USER): ServerLocation(SettingsFile("config.toml", variable="CODEX_HOME", home_folder=".codex"), _CODEX, "codex mcp {} memorybank"),
    ("gemini", PROJECT): ServerLocation(TABLE["gemini"].files[PROJECT], _SERVERS),
    ("gemini", USER): ServerLocation(TABLE["gemini"].files[USER], _SERVERS),
    ("copilot", PROJECT): ServerLocation(
        SettingsFile(".github/mcp.json"), _SERVERS, ask="Copilot CLI starts a repository's MCP servers only in a folder that you trust."
    ),
    ("copilot", USER): ServerLocation(SettingsFile("mcp-config.json", variable="COPILOT_HOME", home_folder=".copilot"), _SERVERS, "copilot mcp {} memorybank"),
    ("cursor", PROJECT): ServerLocation(SettingsFile(".cursor/mcp.json"), _SERVERS),
    ("cursor", USER): ServerLocation(SettingsFile("mcp.json", home_folder=".cursor"), _SERVERS),
    ("opencode", PROJECT): ServerLocation(SettingsFile("opencode.json"), _OPENCODE),
    ("opencode", USER): ServerLocation(SettingsFile("opencode/opencode.json", variable="XDG_CONFIG_HOME", home_folder=".config"), _OPENCODE),
}


class InstallPlan(NamedTuple):
    """The hooks and the server of one host and scope.

    server: the change of the file that registers the server, None where no file does. If hooks and server share a file, it has one change.
    changes_server: whether the server's entry is added or removed
    """

    hooks: SettingsChange
    server: SettingsChange | None = None
    changes_server: bool = False

    @property
    def changes(self) -> tuple[SettingsChange, ...]:
        """The changes to execute. The server's comes first, because folders created for both are removed with the hooks."""
        if self.server is None:
            return (self.hooks,)
        return (self.server,) if self.server.path == self.hooks.path else (self.server, self.hooks)


class MissingRequirement(NamedTuple):
    """Something that a server needs and this machine lacks, and what to do about it."""

    thing: str
    step: str


class ServerStatus(NamedTuple):
    """The server as registered with one host and scope.

    state: `installed`, `broken` (something is missing) or `unreadable`
    words: the command line that starts it
    missing: the requirements of that command that this machine lacks
    problem: why the file is unreadable
    """

    host: str
    scope: str
    path: str
    state: str
    words: tuple[str, ...] = ()
    missing: tuple[MissingRequirement, ...] = ()
    problem: str = ""


def has_extra() -> bool:
    """Return whether `memorybank mcp` of this installation would start. The libraries are looked up, not loaded."""
    return all(find_spec(name) is not None for name in _LIBRARIES)


def add_command(host: str, scope: str, program: Program, known: Iterable[ServerStatus] = ()) -> str:
    """Return the command that registers the server, for a person to type; "" where a file does it, or where it is already registered.

    For a scope in which the host has no place for servers, it is the command for the person's own scope.
    known: where the server is already registered.
    """
    scope = scope if (host, scope) in SERVER_LOCATIONS else USER
    typed = SERVER_LOCATIONS[host, scope].typed
    return "" if not typed or _is_known(host, scope, known) else f"{typed.format('add')} -- {' '.join(_shown(program))} mcp"


def remove_command(host: str, scope: str, known: Iterable[ServerStatus]) -> str:
    """Return the command that removes the server from a file that only the client edits, if it is `known` to be there; otherwise ""."""
    place = SERVER_LOCATIONS.get((host, scope))
    return place.typed.format("remove") if place is not None and _is_known(host, scope, known) else ""


def _is_known(host: str, scope: str, known: Iterable[ServerStatus]) -> bool:
    return any((each.host, each.scope) == (host, scope) for each in known)


def plan_install(host: str, scope: str, project: str | None, program: Program, environ: Mapping[str, str], hooks: SettingsChange) -> InstallPlan:
    """Plan to register the server together with the hooks, where a file of this scope does it. hooks: the planned change of the hooks."""
    place = SERVER_LOCATIONS.get((host, scope))
    if place is None or place.typed:
        return InstallPlan(hooks)
    path = install.path_of(place.file, project, environ)
    words = [*([PORTABLE] if scope == PROJECT else _program(program)), "mcp"]
    shared = path == hooks.path
    before = hooks.after if shared else install.read(path)
    with install.about(path):
        after = server_entries.put(place.form, before or "", words)
    if shared:
        original = hooks.original._replace(installed=originals.digest(after)) if hooks.original is not None else None
        return _plan(place, hooks, hooks._replace(after=after, original=original))
    # The original for uninstalling must not be a text that memorybank itself wrote.
    known = originals.load(path, environ)
    is_as_we_left_it = known is not None and before is not None and originals.digest(before) == known.installed
    base = known.text if known is not None and (is_as_we_left_it or after == before) else before
    return _plan(place, hooks, SettingsChange(hooks.registration, scope, path, before, after, originals.SavedSettings(base, originals.digest(after), ())))


def plan_uninstall(host: str, scope: str, project: str | None, environ: Mapping[str, str], hooks: SettingsChange) -> InstallPlan:
    """Plan to remove memorybank's entry. A file that memorybank created and that contains nothing else is deleted."""
    place = SERVER_LOCATIONS.get((host, scope))
    if place is None or place.typed:
        return InstallPlan(hooks)
    path = install.path_of(place.file, project, environ)
    before = install.read(path)
    known = originals.load(path, environ)
    if before is not None and known is not None and originals.digest(before) == known.installed:
        after = known.text
    else:
        after = hooks.after if path == hooks.path else before
        with install.about(path):
            after = _without(place, after, was_made=known is not None and known.text is None)
    return _plan(place, hooks, SettingsChange(hooks.registration, scope, path, before, after, None))


def _without(place: ServerLocation, text: str | None, *, was_made: bool) -> str | None:
    if text is None:
        return None
    without = server_entries.take_out(place.form, text)
    return None if was_made and without != text and server_entries.is_empty(place.form, without) else without


def _plan(place: ServerLocation, hooks: SettingsChange, server: SettingsChange) -> InstallPlan:
    with install.about(server.path):
        was, will = (server_entries.find(place.form, text) if text else None for text in (server.before, server.after))
    return InstallPlan(hooks, server, was != will)


def server_statuses(project: str | None, environ: Mapping[str, str]) -> Iterator[ServerStatus]:
    """Yield every host and scope in which the server is registered, by memorybank or by a person."""
    for (host, scope), place in SERVER_LOCATIONS.items():
        if project is None and (place.by_project or not place.file.in_home):
            continue
        found = _status(host, scope, place, project, environ)
        if found is not None:
            yield found


def _status(host: str, scope: str, place: ServerLocation, project: str | None, environ: Mapping[str, str]) -> ServerStatus | None:
    shown = os.path.join(project or "", place.file.path)
    try:
        path = shown = install.path_of(place.file, project, environ)
        text = install.read(path)
        if text is None or NAME not in text:
            return None
        above = ("projects", os.path.realpath(project)) if place.by_project and project is not None else ()
        words = tuple(server_entries.command_line(server_entries.find(place.form, text, above)))
    except MemorybankError as error:
        return ServerStatus(host, scope, shown, UNREADABLE, problem=error.message)
    if not words:
        return None
    lacking = tuple(_missing(words[0]))
    return ServerStatus(host, scope, path, BROKEN if lacking else INSTALLED, words, lacking)


def _missing(program: str) -> Iterator[MissingRequirement]:
    if _is_this_installation(program) and not has_extra():
        yield MissingRequirement("the library of the extra memorybank[mcp]", extra_command("mcp"))
    if os.path.isabs(program) and not os.path.exists(program):
        yield MissingRequirement(program, "correct the entry, or remove it with 'memorybank hooks uninstall' and install it again")
    if not os.path.isabs(program) and not on_path(program):
        yield MissingRequirement(f"the command {program} (not on the PATH)", f"install {program} in a folder on the PATH")


def _is_this_installation(program: str) -> bool:
    """Return whether a program belongs to this installation. Other installations have libraries of their own, unknown here."""
    path = program if os.path.isabs(program) else which(program)
    return path is None or os.path.dirname(sys.executable) in (os.path.dirname(path), os.path.dirname(os.path.realpath(path)))


def _program(program: Program) -> list[str]:
    """Return how this machine starts memorybank. Without a command on the PATH, that is this Python with `-P`: a server starts in the project's
    folder, and no file there may be imported in place of a library."""
    return [PORTABLE] if on_path(PORTABLE) else [program.python, "-P", "-m", PORTABLE]


def _shown(program: Program) -> list[str]:
    return [quote(word) if word == program.python else word for word in _program(program)]
