"""A search: what earlier sessions said about the thing that an agent searches for.

An agent that searches asks a question, and asks it in the words of the code. So a search finds what no prompt finds: prompts say what a person wants, and
share few words with what was found out about the code.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import schema
from memorybank.cycle.fold.kinds import ANSWER, REMARK
from memorybank.cycle.know import search
from memorybank.cycle.know.findings import IDS, least_sum, say_the_same, says_enough
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3
from memorybank.summarize.findings import decides
from memorybank.text import searches
from memorybank.text.passages import is_table_row
from memorybank.text.paths import relative
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage, Rarity
    from memorybank.storage.layout import Layout

_SHARE, _LEAST = 0.6, 3.0
"""The part of one alternative of a search that a passage must contain, by rarity, and the nats that this part must have."""
_NAMES = 12
"""Passages in which a term may occur that names something. What more of them contain is found in too many to know which is meant."""
_REASON = 1.25
"""Factor of the rank of a passage that gives a reason."""
_LEADS_IN = (":", "：")
_MOST_SHOWN = 4
"""Findings in one context from which none is added because of a search."""


class Sought:
    """What a search asks for, in terms.

    alternatives: the terms of each.
    terms: the terms of all and of the places, as far as some passage contains them.
    """

    __slots__ = ("alternatives", "rarity", "terms")

    def __init__(self, rarity: Rarity, asked: searches.Search, root: str, folder: str) -> None:
        self.rarity = rarity
        self.alternatives = [terms for one in asked.alternatives if (terms := content_terms(one))]
        places = " ".join(relative(place, root, folder=folder) for place in asked.places)
        every = dict.fromkeys((*(term for terms in self.alternatives for term in terms), *content_terms(places)))
        rarity.learn(every)
        self.terms = [term for term in every if rarity.count(term)]

    def is_in(self, terms: Collection[str]) -> bool:
        """Return whether one alternative, or nearly all of it, is among these terms, with a name."""
        for one in self.alternatives:
            common = [term for term in one if term in terms]
            has_name = any(0 < self.rarity.count(term) <= _NAMES for term in common)
            if has_name and self.rarity.sum(common) >= max(_LEAST, _SHARE * self.rarity.sum(one)):
                return True
        return False


def sought_by(rarity: Rarity, event: Event, root: str) -> Sought | None:
    """Return what a call searches for; None when it does not search."""
    asked = searches.of_call(event.tool, event.inputs)
    return Sought(rarity, asked, root, event.cwd) if asked is not None else None


def may_be_known(layout: Layout, event: Event, root: str) -> bool:
    """Return whether there may be something to say about what a call searches for; if not, `said_about` finds nothing. Much cheaper than asking it."""
    connection = database.open_reading(schema.path(layout), schema.VERSION)
    if connection is None:
        return False
    try:
        rarity = search.Rarity(connection)
        sought = sought_by(rarity, event, root)
        return sought is not None and sought.is_in(set(sought.terms)) and search.most_in_common(connection, rarity, sought.terms) >= least_sum(rarity)
    except (sqlite3.DatabaseError, UnicodeEncodeError):  # damaged, locked for longer than a hook waits, or a text that is no UTF-8
        return False
    finally:
        connection.close()


def said_about(connection: Connection, sought: Sought, own: str, now: int, shown: Collection[str]) -> list[Passage]:
    """Return the answers and reasons that contain what is searched for, the best first.

    own: id of the current session.
    now: ms.
    shown: ids of memories that the agent was shown. After a few findings nothing is returned, and nothing that says what one of them says.
    """
    findings = [memory for memory in shown if memory.startswith(IDS)]
    if len(findings) >= _MOST_SHOWN or not sought.is_in(set(sought.terms)):
        return []
    rarity = sought.rarity
    least = least_sum(rarity)
    wanted = {term for one in sought.alternatives for term in one}
    said = [passage.terms for memory in findings for passage in _with_id(connection, memory)]
    found = []
    for passage in search.search(connection, rarity, sought.terms, (ANSWER, REMARK), own, now, least=least):
        if passage.rank < least or not sought.is_in(set(passage.terms)) or any(say_the_same(passage.terms, terms) for terms in said):
            continue
        gives_reason = decides(passage.text)
        is_answer = passage.kind == ANSWER and not is_table_row(passage.text) and not passage.text.rstrip("*`").endswith(_LEADS_IN)
        if says_enough(passage) and (gives_reason or is_answer):
            passage.rank *= _REASON if gives_reason else 1.0
            passage.matched = [term for term in passage.matched if term in wanted]  # of a long passage, the part about these is shown
            found.append(passage)
    return sorted(found, key=search.order)


def _with_id(connection: Connection, memory: str) -> Sequence[Passage]:
    rows = connection.execute(f"SELECT {search.COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id WHERE memory = ?", (memory,))
    return [search.read(row) for row in rows]
