"""Fixes: what ended the very same error in an earlier session, found by the line that says what is wrong.

Numbers, hashes and the lines around that line differ each time, so only its words count.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import FIX, WORKED_AS
from memorybank.cycle.fold.repairs import LINE_CHARACTERS, is_cut, wrong_words
from memorybank.cycle.fold.wording import BETWEEN_LINES
from memorybank.cycle.know import search
from memorybank.log import events
from memorybank.text.commands import forms
from memorybank.text.commands.error_names import are_of_one_error
from memorybank.text.prompts.destroying import destroys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.know.called import FailedCall
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

MOST_LINES = 8
"""Lines of an error that are compared."""
_MOST_LOOKED_AT = 16
"""Fixes that are compared, those with the rarest words in common first, and of equal ones the newest: an error that comes again and again has many."""
_SAME, _SAME_ELSEWHERE = 0.7, 0.9
"""Least share, by rarity, that two lines have in common when they say the same of the same thing, after the same command and after another one."""
_HEADING = 6
"""Place in the rows of `search.COLUMNS`. Most rows are only looked at, which takes less time than making passages of them."""
_BAND = 0.2
"""Lines whose shares differ by less are equally similar: then the newest fix counts, because an older one may not help any more."""


def ending(earlier: Earlier, failed: FailedCall, least: float) -> list[Passage]:
    """Return what fixed the same error in other sessions, the best first.

    least: rarity (nats) that the common words of two lines must have; with less, the line is one with which every failure ends.
    """
    connection, rarity = earlier.connection, earlier.rarity
    said = [(words, is_cut(line)) for line in failed.lines[:MOST_LINES] if (words := wrong_words(line[:LINE_CHARACTERS]))]
    heads = set(map(forms.head, failed.forms))
    asked = list(dict.fromkeys(word for words, _ in said for word in words))
    rarity.learn(asked)
    found = []
    # The error of a fix is found by its words, so what has fewer of them in common cannot have a line in common that says enough.
    rows = earlier.looked_at(asked, (FIX,), least, _MOST_LOOKED_AT)
    read: dict[str, list[tuple[set[str], bool]]] = {}
    """{error: the words of its lines}. The same error was fixed again and again."""
    ended = [(row, read.get(row[_HEADING]) or read.setdefault(row[_HEADING], _lines_of(row[_HEADING]))) for row in rows]
    rarity.learn(word for _, parts in ended for words, _ in parts for word in words)
    in_work = edited_in(connection, earlier.own) if ended else []
    for row, parts in ended:
        shared: set[str] = set()
        least_share = 1.0
        for words, is_short in parts:
            share, both = max(((_alike(rarity, words, line, is_short, cut), words & line) for line, cut in said), key=lambda match: match[0])
            shared, least_share = shared | both, min(least_share, share)
        if least_share < _SAME or rarity.sum(shared) < least:
            continue
        fix = search.read(row)
        fix.share = least_share
        # If this session has edited the file whose edit ended the error then, its own change causes the error, and may be the opposite.
        if not earlier.finds(fix) or destroys(fix.text) or _is_forbidden(earlier, fix) or any(f"`{name}`" in fix.text for name in in_work):
            continue
        if not any(are_of_one_error(line, part) for line in failed.lines[:MOST_LINES] for part in row[_HEADING].split(BETWEEN_LINES)):
            continue
        before = connection.execute("SELECT form FROM failures WHERE id = ?", (fix.failure,)).fetchone()
        is_same_call = before is not None and forms.head(before[0]) in heads
        if is_same_call or fix.share >= _SAME_ELSEWHERE:
            fix.matched = sorted(shared)
            fix.sum = rarity.sum(shared)
            fix.rank = 20 * fix.share + fix.sum + 3 * is_same_call
            found.append((is_same_call, int(fix.share / _BAND), fix.at, fix.memory, fix))
    found.sort(reverse=True)
    return [fix for *_, fix in found]


def _lines_of(error: str) -> list[tuple[set[str], bool]]:
    """Return (words, whether it was cut) of each line of an error that a fix ended."""
    return [(words, is_cut(part)) for part in error.split(BETWEEN_LINES) if (words := wrong_words(part))]


def _alike(rarity: Rarity, one: set[str], other: set[str], one_is_cut: bool, other_is_cut: bool) -> float:
    """Return the share that two lines have in common, by rarity: two messages about different things differ in their rarest word. Of a line that was cut,
    the rest is unknown."""
    masses = [rarity.sum(words) for words, is_cut in ((one, one_is_cut), (other, other_is_cut)) if is_cut] or [rarity.sum(one | other)]
    return min(1.0, rarity.sum(one & other) / (min(masses) or 1.0))


def _is_forbidden(earlier: Earlier, fix: Passage) -> bool:
    """Return whether a person later spoke against an option or a variable of the form in which a command worked."""
    if not fix.text.startswith(WORKED_AS):
        return False
    names = [word for word in fix.text.strip(f"{WORKED_AS}`").split() if word.startswith("-") or "=" in word]
    asked = f"SELECT text FROM statements WHERE at BETWEEN ? AND ? AND {search.IS_SEEN}"
    said = earlier.connection.execute(asked, (fix.at, earlier.now)) if names else ()
    return any(forms.forbids(text) and any(f" {name}" in f" {text}" for name in names) for (text,) in said)


def edited_in(connection: Connection, session: str) -> list[str]:
    """Return the names of the files that a session has edited."""
    turns = "SELECT t.id FROM turns t JOIN files f ON f.id = file WHERE f.name = ? AND t.session = ?"  # by the log's name, which has an index
    rows = connection.execute(f"SELECT DISTINCT name FROM turn_files WHERE turn IN ({turns})", (events.name_of(session), session))
    return [name for (name,) in rows]
