"""Variables with which a call works: a call that sets them is not the one that fails without them."""

from __future__ import annotations

__light__ = True

from memorybank.storage.jsontext import encode
from memorybank.text.commands import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection


def worked_alone(connection: Connection, form: str, remedy: str, own: str) -> int:
    """Return the number of sessions, without `own`, in which a call of a form worked without any variable, and without the words that a remedy adds to it."""
    ran = connection.execute("SELECT command FROM forms JOIN files ON id = file WHERE form = ? AND worked AND session IS NOT ?", (form, own))
    return sum(not exact.variables(command) and not exact.has_words_of(command, form, remedy) for (command,) in ran)


def has_what_it_lacked(connection: Connection, form: str, remedy: str, remedied: str, command: str) -> bool:
    """Return whether a command has what the call of a form lacks: the option or the argument that a remedy adds, or the variables with which all commands
    worked that remedied it, or with which one of the same form worked before. remedied: what the commands of the remedy have in common"""
    ran = exact.by_form(command).get(form, "")
    if exact.has_words_of(ran, form, remedy):
        return True
    given = set(exact.names(ran)) if "=" in command else set()
    if not given:
        return False
    worked = [one for (one,) in connection.execute("SELECT command FROM forms WHERE form = ? AND worked", (form,))]
    ways = [*([remedied] if remedy.endswith(f" {form}") else []), *worked]
    return any(needed and given.issuperset(needed) for needed in map(exact.names, ways))


def as_it_works(connection: Connection, form: str, logs: Collection[int], failed: int) -> str | None:
    """Return what the calls of a form that worked in these logs have in common. None if more logs contain a failure of it than a success.

    Where it fails in more logs than it works without variables, only calls with variables count.

    failed: number of the logs in which it failed.
    """
    asked = "SELECT command FROM forms WHERE form = ? AND worked AND file IN (SELECT value FROM json_each(?))"
    ran = [command for (command,) in connection.execute(asked, (form, encode(list(logs))))]
    if failed > len(ran):
        return None
    with_some = [command for command in ran if exact.variables(command)]
    if failed <= len(ran) - len(with_some):
        return exact.common(ran)
    command = exact.common(with_some)
    return command if exact.variables(command) else None
