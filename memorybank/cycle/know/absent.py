"""Detects outdated statements that a program is not installed: a later session ran the program."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterator

_ABSENT = lazy_pattern(
    r"\bno (?P<none>[\w.+-]{1,40})\b[^.;,]{0,20}\b(?:present|installed|available)\b"
    r"|(?<![\w.+-])(?P<missing>[\w.+-]{1,40}) (?:is|are)(?: not|n['’]t) (?:\w+ )?(?:present|installed|available)\b"
    r"|(?P<ja>[A-Za-z][\w.+-]{0,39}) ?(?:は|が)(?:(?:入って|インストールされて)い?(?:ない|ません)|未インストール)",
    "i",
)
_ELSEWHERE = lazy_pattern(
    r"\b(?:in|on|at|inside) (?:the |our )?(?:ci|prod\w*|staging|servers?|build|containers?|images?|runners?|hosts?)\b|\b(?:never|do not|don['’]t|must not)\b"
    r"|CI|本番|ステージング|サーバ|コンテナ|環境では",
    "i",
)
"""Matches a fact about another machine, or a prohibition, which applies even where the program is installed."""
_RAN_LATER = "SELECT 1 FROM forms JOIN files ON files.id = forms.file WHERE worked AND last_at > ? AND (form = ? OR form BETWEEN ? AND ?) LIMIT 1"


def is_there_by_now(connection: Connection, said: str, at: int, called: Collection[str]) -> bool:
    """Return whether a sentence says that a program is missing which one of the called forms runs, and which worked in a later session.

    at: when the sentence was said (ms)
    """
    if _ELSEWHERE.search(said) is not None:
        return False
    running = {programs.name(form.partition(" ")[0]) for form in called}
    return any(
        name in running and connection.execute(_RAN_LATER, (at, name, f"{name} ", f"{name} ~")).fetchone() is not None
        for name in map(str.lower, _absent_in(said))
    )


def _absent_in(said: str) -> Iterator[str]:
    for found in _ABSENT.finditer(said):
        yield next(filter(None, found.groups()))
