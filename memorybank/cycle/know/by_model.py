"""The rules that a model named in sessions, and which model made an item.

A model's rule counts only where no person stated anything about the same subject, whenever that was: a model never overrides a person's own words.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.rules import Rule
from memorybank.cycle.know.search import IS_SEEN
from memorybank.text.prompts.stated import PREFERENCE, Statement
from memorybank.text.prompts.statements import kind_of
from memorybank.text.prompts.superseding import supersedes
from memorybank.text.prompts.traits import traits
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

_NEWEST = 200


class ModelSource(Value):
    """Who made an item, and what it quotes."""

    made_by: str
    quote: str


def rules(connection: Connection, own: str, now: int) -> list[Rule]:
    """Return the rules that a model named in other sessions than `own` and that nothing replaced: those of most sessions first, then the newest."""
    rows = connection.execute(
        "SELECT memory, made_by, subject, text, quote, at, session FROM extracted WHERE kind = 'rule' AND session IS NOT ? AND at <= ?"
        " ORDER BY at DESC, session, memory LIMIT ?",
        (own, now, _NEWEST),
    ).fetchall()
    if not rows:
        return []
    said = connection.execute(f"SELECT DISTINCT kind, text, subject FROM statements WHERE at <= ? AND {IS_SEEN}", (now,))
    people = [Statement(*row) for row in said]  # including those of the current session
    found: dict[str, Rule] = {}
    for memory, made_by, subject, text, quote, at, session in rows:
        one = Stated(at, session, Statement(kind_of(text) or PREFERENCE, text, subject), content_terms(text))
        known = found.get(memory)
        if known is not None:
            known.stated.append(one)
            known.quotes.append(quote)
        elif not _is_stated(one.statement, quote, people) and not any(supersedes(newer.stated[0].statement, one.statement) for newer in found.values()):
            found[memory] = Rule(one.statement.kind, [text], [one], made_by, [quote])
            found[memory].memory = memory
            found[memory].traits = frozenset(traits(one.statement.kind, text))
    return sorted(found.values(), key=lambda rule: (-rule.sessions, -rule.at, rule.memory))


def source(connection: Connection, memory: str) -> ModelSource | None:
    """Return who made an item, None for one that no model made."""
    row = connection.execute("SELECT made_by, quote FROM extracted WHERE memory = ? ORDER BY at DESC, session LIMIT 1", (memory,)).fetchone()
    return ModelSource(str(row[0]), str(row[1])) if row is not None else None


def _is_stated(rule: Statement, quote: str, people: list[Statement]) -> bool:
    """Return whether a person said something about the subject of a rule, or the rule only repeats a statement that is known in the person's words."""
    return any(supersedes(said, rule) or supersedes(rule, said) or said.text in quote or quote in said.text for said in people)
