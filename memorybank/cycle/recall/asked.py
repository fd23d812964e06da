"""What was asked before in these words, and where the work was then: earlier turns that a prompt resembles, and the files and commands
that they have in common.

Nobody asks for `src/billing/export.py` by its name; who asked for "the monthly CSV" before was led there. Counted when it is asked for, from
the turns that this reader may see. What this context knows already is left out. Reads only. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.recall import matching
from memorybank.cycle.recall.matching import Corpus
from memorybank.cycle.recall.ranking import TOGETHER, Memory
from memorybank.cycle.recall.together import MOST_TOLD, Companion, named, told_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from memorybank.cycle.recall.matching import Match
    from memorybank.cycle.recall.query import QueryContext

TURN_IS_SEEN = "((acl = 'user' AND privacy = 'public') OR sees('turn', at, acl, privacy, hold, role, session, agent))"
TURNS = Corpus(
    "turn_text",
    "SELECT term, doc FROM turn_terms WHERE term IN ({})",
    "SELECT id, text FROM turn_tokens WHERE id IN ({})",
    f"SELECT id, at FROM turns WHERE id IN ({{}}) AND {TURN_IS_SEEN}",
    1_000,
    phrases=False,
)
_MOST_TURNS = 6
_BESIDE_THE_BEST = 0.6
_LEAST_SHARE = 0.34
_SURE_SHARE = 0.75
"""What the turns have most in common, as a share of their weight: with less they are about different things."""
_DOUBT = 0.15
"""Added to the weight of all turns, in turns: what one did is less sure than what five did."""


class _Turn:
    """number: its row; at: when (ms); name: the same in every cache; match: what it holds of the prompt."""

    __slots__ = ("at", "match", "name", "number")

    def __init__(self, number: int, at: int, name: str, match: Match) -> None:
        self.number = number
        self.at = at
        self.name = name
        self.match = match


def find(
    connection: Connection, query: QueryContext, own: tuple[str, str], now: int, is_known: Callable[[str], bool], least: float, language: str
) -> list[Memory]:
    """At most one memory. own: session and agent whose own turns are none; is_known: whether its context knows an anchor already; least: the
    match below which a turn is about something else; language: of the words around it."""
    matches = {turn: match for turn, match in matching.match(connection, TURNS, query.words, (), least).items() if match.match >= least}
    turns = _turns(connection, matches, own, now)
    if not turns:
        return []
    weight = sum(turn.match.match for turn in turns)
    held: dict[str, float] = {}
    counted: dict[str, int] = {}
    for turn in turns:
        for (anchor,) in connection.execute("SELECT anchor FROM turn_anchors WHERE turn = ? ORDER BY place", (turn.number,)):
            held[anchor] = held.get(anchor, 0.0) + turn.match.match
            counted[anchor] = counted.get(anchor, 0) + 1
    enough = _LEAST_SHARE * (weight + _DOUBT)
    news = (anchor for anchor in sorted(held, key=lambda anchor: -held[anchor]) if held[anchor] >= enough and not is_known(anchor))
    told = [companion.anchor for companion in told_of([Companion(anchor) for anchor in news], MOST_TOLD)]
    if not told or max(held.values()) < _SURE_SHARE * (weight + _DOUBT):
        return []
    return [_memory(turns, told, counted, held[told[0]] / (weight + _DOUBT), language)]


def _turns(connection: Connection, matches: dict[int, Match], own: tuple[str, str], now: int) -> list[_Turn]:
    """Those that resemble the prompt most, of other contexts, with something to tell."""
    if not matches:
        return []
    listed = ",".join(map(str, matches))
    seen = connection.execute(
        f"SELECT id, at, session, agent, offset FROM turns WHERE id IN ({listed}) AND at <= ? AND {TURN_IS_SEEN}"
        " AND EXISTS (SELECT 1 FROM turn_anchors WHERE turn = id)",
        (now,),
    )
    found = [_Turn(turn, at, f"{session}@{offset}", matches[turn]) for turn, at, session, agent, offset in seen if (session, agent) != own]
    found.sort(key=lambda turn: (-turn.match.match, -turn.at))
    return [turn for turn in found[:_MOST_TURNS] if turn.match.match >= _BESIDE_THE_BEST * found[0].match.match]


def _memory(turns: list[_Turn], told: list[str], counted: dict[str, int], share: float, language: str) -> Memory:
    best = turns[0]
    found = Memory(f"{TOGETHER}:turn:{best.name}", TOGETHER, 0, max(turn.at for turn in turns), importance=min(1.0, share), author="tool")
    found.names = told
    found.matched, found.match, found.chance, found.telling = best.match.matched, best.match.match, best.match.chance, len(best.match.matched)
    parts = ", ".join(f"{named(anchor)} ({counted[anchor]}/{len(turns)})" for anchor in told)
    found.text = phrase("asked", language, parts=parts)
    return found
