"""The same error again: what an earlier session did about an error that a person pasted into a prompt.

No call failed there, so only the prompt says which error it was, and the answers of its turn what caused and ended it. Who pastes the same error again in that
session says that the first answer did not end it, so the last turn counts, and the one that a short reply ("use option 1") asked for.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import MET, SAID
from memorybank.cycle.fold.repairs import wrong_words
from memorybank.cycle.know import search
from memorybank.text.commands.error_names import are_of_one_error, message_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_MOST_LINES, _MOST_COMPARED = 3, 24
_SAME = 0.7
"""Least share of the words of both messages that the same error has in common."""
_CAUSE_CHARACTERS, _RESULT_CHARACTERS = 160, 320
_NEXT = f"SELECT id FROM turns WHERE file = (SELECT file FROM turns WHERE id = ?1) AND at > (SELECT at FROM turns WHERE id = ?1) AND at <= ?2 AND {search.IS_SEEN}"
_ASKED = f"SELECT text FROM passages WHERE turn = ? AND session = ? AND kind IN ('{SAID}', '{MET}') AND {search.IS_SEEN} ORDER BY id"


def again(earlier: Earlier, lines: Sequence[str]) -> list[Passage]:
    """Return what other sessions did about the errors with these lines, the newest first. heading: the error; text: what came of it."""
    said = [(line, words) for line in lines[:_MOST_LINES] if (words := wrong_words(message_of(line)))]
    asked = list(dict.fromkeys(word for _, words in said for word in words))
    latest: dict[str, Passage] = {}
    for row in earlier.looked_at(asked, (MET,), 0.0, _MOST_COMPARED) if asked else ():
        passage = search.read(row)
        if any(_are_same(line, words, passage.text) for line, words in said):
            before = latest.get(passage.session)
            latest[passage.session] = passage if before is None or passage.at > before.at else before
    found = []
    for passage in sorted(latest.values(), key=lambda one: (-one.at, one.memory)):
        passage.heading, passage.text = message_of(passage.text), _result(earlier, passage, set(asked))
        if passage.text and earlier.finds(passage):
            passage.rank = passage.share = 1.0  # it is the same error, which its age does not change
            found.append(passage)
    return found


def _are_same(line: str, words: set[str], other: str) -> bool:
    theirs = wrong_words(message_of(other))
    return len(words & theirs) >= _SAME * len(words | theirs) and are_of_one_error(line, other)


def _result(earlier: Earlier, passage: Passage, about: set[str]) -> str:
    """Return what was found out in the turn of a passage, and what came of the reply to it."""
    from memorybank.cycle.know.works import result_of_turn  # late: few errors come again

    *before, last = [passage.turn, *_replies(earlier, passage)]
    result = result_of_turn(earlier, last, _RESULT_CHARACTERS, about)
    cause = result_of_turn(earlier, before[0], _CAUSE_CHARACTERS, about) if before else ""
    return " ".join(filter(None, (cause, result)))


def _replies(earlier: Earlier, passage: Passage) -> Iterator[int]:
    """Yield the turns after that of a passage as long as the person only accepts what was proposed."""
    from memorybank.cycle.know.passing import accepts

    for (turn,) in earlier.connection.execute(f"{_NEXT} ORDER BY at", (passage.turn, earlier.now)).fetchall():
        said = [text for (text,) in earlier.connection.execute(_ASKED, (turn, passage.session))]
        if len(said) > 1 or not accepts("".join(said)):
            return
        yield turn
