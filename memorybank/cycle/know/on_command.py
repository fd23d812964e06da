"""A command: what earlier sessions found out about how it must be run (`fold.advised`)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search
from memorybank.text import advice, forms, ports
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.know.search import Passage

_MOST = 8


def said_about(connection: Connection, command: str, own: str, now: int) -> Sequence[Passage]:
    """Return the passages of other sessions about a command that is run in another way than they say, the newest first.

    own: id of the current session.
    now: ms.
    """
    called = forms.parts(command)
    keys = {key for form, _ in called for key in (form, form.partition(" ")[0])} | set(map(ports.as_word, ports.used(command)))
    if not keys:
        return []
    rows = connection.execute(
        f"SELECT {search.COLUMNS}, form, lacks, names FROM advice JOIN passages p ON p.id = passage JOIN passage_terms t ON t.id = p.id"
        f" WHERE form IN ({','.join('?' * len(keys))}) AND session IS NOT ? AND at <= ? AND {search.IS_SEEN} ORDER BY at DESC, p.id",
        (*sorted(keys), own, now),
    )
    found: dict[int, Passage] = {}
    for *row, key, lacks, names in rows:
        is_meant = key.startswith(":") or any(key in (form, form.partition(" ")[0]) and _is_other(command, form, words, lacks, names) for form, words in called)
        if is_meant and len(found) < _MOST:
            passage = found.setdefault(row[0], search.read(row))
            passage.rank = 1.0
            passage.matched = [term for term in content_terms(f"{key} {lacks}") if term in passage.terms]  # of a long passage, the part about these is shown
    return list(found.values())


def _is_other(command: str, form: str, words: Sequence[str], lacks: str, names: str) -> bool:
    """Return whether a call lacks what the advice names, and is about the same things."""
    is_given = bool(lacks) and all(word in command for word in lacks.split(" "))
    return not is_given and (not names or not set(names.split(" ")).isdisjoint(advice.things(form, words)))
