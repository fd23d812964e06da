"""A question that was asked before: each time it comes up again, its words are in more passages. So its repetitions, with their answers, count as one turn
where the rarity of its words is counted. Otherwise, the more often a question is asked, the less would be found for it."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import SAID
from memorybank.storage.jsontext import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Rarity

_MOSTLY = 0.7
"""Share of the words of each of two prompts that the other one contains, if they ask the same."""
_MOST = 60
"""Maximum number of passages that are compared, those with the most in common first; of equal ones, the newest."""
# `+`: see `Earlier.said`.
_TYPED = f"SELECT turn, terms FROM passages p JOIN passage_terms t ON t.id = p.id WHERE +kind = '{SAID}' AND turn IS NOT NULL AND p.id IN ({{}})"
_OF_TURNS = (
    "SELECT terms FROM passages p JOIN passage_terms t ON t.id = p.id"
    " WHERE session IN (SELECT value FROM json_each(?1)) AND turn IN (SELECT value FROM json_each(?2))"
)


def counted_once(earlier: Earlier, asked: Sequence[str]) -> Rarity:
    """Return the rarity of terms among passages of which those that repeat a question, or answer a repetition of it, count as one turn.

    asked: terms of the question.
    """
    connection, rarity = earlier.connection, earlier.rarity
    # Without a minimum weight: repetitions have made these words common, so that one other word can outweigh all of them.
    alike = earlier.nearest(rarity, asked, _MOST)
    turns = _repetitions(connection, asked, alike) if len(alike) > 1 else []
    if len(turns) < 2:
        return rarity
    sessions = [row[0] for row in connection.execute("SELECT DISTINCT session FROM passages WHERE id IN (SELECT value FROM json_each(?))", (encode(alike),))]
    held = dict.fromkeys(asked, 0)
    for (terms,) in connection.execute(_OF_TURNS, (encode(sessions), encode(turns))):
        for term in held.keys() & set(terms.split(" ")):
            held[term] += 1
    return rarity.reduced({term: count - count // len(turns) for term, count in held.items()})


def _repetitions(connection: Connection, asked: Sequence[str], alike: Sequence[int]) -> list[int]:
    """Return the turns that began with the question, in these words or others."""
    own = set(asked)
    rows = connection.execute(_TYPED.format(",".join(map(str, alike))))
    typed = ((turn, set(terms.split(" "))) for turn, terms in rows)
    return list({turn for turn, words in typed if len(own & words) >= _MOSTLY * max(len(own), len(words))})
