"""The same error again: what an earlier session did about an error that a person pasted into a prompt.

No call failed there, so only the prompt says which error it was, and the answers of its turn what caused and ended it. Who pastes the same error again in that
session says that the first answer did not end it, so the last turn counts, and the one that a short reply ("use option 1") asked for.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import PASTED, SAID
from memorybank.cycle.fold.repairs import wrong_words
from memorybank.cycle.know import search
from memorybank.text.commands.error_names import are_of_one_error, message_of, names_of
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_MOST_LINES, _MOST_COMPARED = 3, 24
_SAME, _LEAST = 0.7, 0.4
"""Least share of the words of both messages that the same error has in common, and of what the shortest message weighs."""
_MISSES = lazy_pattern(
    r"Module not found|Cannot find (?:module|package)|Can't resolve|No module named|Could not (?:find|resolve) (?:module|package)|not installed"
    r"|(?:モジュール|パッケージ)[^。]{0,80}(?:見つかりません|ありません)",
    "i",
)
_ANY = f"SELECT 1 FROM passages WHERE kind = '{PASTED}' LIMIT 1"
_CAUSE_CHARACTERS, _RESULT_CHARACTERS = 160, 320
_NEXT = (
    "SELECT id FROM turns WHERE file = (SELECT file FROM turns WHERE id = ?1) AND at > (SELECT at FROM turns WHERE id = ?1) AND at <= ?2"
    f" AND {search.IS_SEEN} ORDER BY at"
)
_ASKED = f"SELECT text FROM passages WHERE turn = ? AND session = ? AND kind IN ('{SAID}', '{PASTED}') AND {search.IS_SEEN} ORDER BY id"


def again(earlier: Earlier, lines: Sequence[str]) -> list[Passage]:
    """Return what other sessions answered to prompts with one of these errors, the newest first. error: its message."""
    said = [(line, words) for line in lines[:_MOST_LINES] if (words := wrong_words(message_of(line)))]
    asked = list(dict.fromkeys(word for _, words in said for word in words))
    has_any = bool(asked) and earlier.connection.execute(_ANY).fetchone() is not None
    latest: dict[str, Passage] = {}
    least = _LEAST * min((earlier.rarity.sum(words) for _, words in said), default=0.0) if has_any else 0.0
    for row in earlier.looked_at(asked, (PASTED,), least, _MOST_COMPARED) if has_any else ():
        passage = search.read(row)
        if any(_are_same(line, words, passage.text) for line, words in said):
            before = latest.get(passage.session)
            latest[passage.session] = passage if before is None or passage.at > before.at else before
    newest = sorted(latest.values(), key=lambda one: (-one.at, one.memory))
    answers = [answer for passage in newest if (answer := _answer(earlier, passage, set(asked))) is not None]
    return answers or [passage for passage in _replaced(earlier, lines) if earlier.finds(passage)]


def _replaced(earlier: Earlier, lines: Sequence[str]) -> Sequence[Passage]:
    """Return why the package that an error misses was removed."""
    missing = [name for line in lines[:_MOST_LINES] if _MISSES.search(line) for name in names_of(line)[:1]]
    if not missing:
        return []
    from memorybank.cycle.know import on_command  # late: few errors miss a package

    return on_command.of_packages(earlier, missing)


def _are_same(line: str, words: set[str], other: str) -> bool:
    theirs = wrong_words(message_of(other))
    return len(words & theirs) >= _SAME * len(words | theirs) and are_of_one_error(line, other)


def _answer(earlier: Earlier, passage: Passage, about: set[str]) -> Passage | None:
    """Return what was found out in the turn of a passage and what came of the reply to it, None for nothing that says enough."""
    from memorybank.cycle.know import findings, works  # late: few errors come again

    *before, last = [passage.turn, *_replies(earlier, passage)]
    answers = [one for one in works.answers_of(earlier, last) if earlier.finds(one)]
    chosen = works.telling(earlier.rarity, answers, _RESULT_CHARACTERS, about) if any(map(findings.says_enough, answers)) else []
    if not chosen:
        return None
    cause = works.result_of_turn(earlier, before[0], _CAUSE_CHARACTERS, about) if before else ""
    answer = chosen[0]
    answer.error, answer.text = message_of(passage.text), " ".join(filter(None, (cause, works.joined(chosen, _RESULT_CHARACTERS))))
    answer.rank = answer.share = 1.0  # it is the same error, which its age does not change
    return answer


def _replies(earlier: Earlier, passage: Passage) -> Iterator[int]:
    """Yield the turns after that of a passage as long as the person only accepts what was proposed."""
    from memorybank.cycle.know.passing import accepts

    for (turn,) in earlier.connection.execute(_NEXT, (passage.turn, earlier.now)).fetchall():
        said = [text for (text,) in earlier.connection.execute(_ASKED, (turn, passage.session))]
        if said and (len(said) > 1 or not accepts(said[0])):
            return  # "option 1" alone has too few words to be kept
        yield turn
