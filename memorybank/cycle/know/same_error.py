"""The same error again: what an earlier session did about an error that a person pasted into a prompt.

No call failed there, so only the prompt says which error it was, and the answers of its turn what caused and ended it. Who pastes the same error again in that
session, or says that it stays, says that the first answer did not end it, so the last turn counts, and the one that a short reply ("use option 1") asked for.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ACCEPTED, PASTED
from memorybank.cycle.fold.repairs import wrong_words
from memorybank.cycle.know import search
from memorybank.text.commands.error_names import are_of_one_error, message_of, names_of
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.destroying import without_destroying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


def again(earlier: Earlier, lines: Sequence[str]) -> list[Passage]:
    """Return what other sessions answered to prompts with one of these errors, the newest first. error: its message."""
    said = [(line, words) for line in lines[:_MOST_LINES] if (words := wrong_words(message_of(line)))]
    asked = list(dict.fromkeys(word for _, words in said for word in words))
    has_any = bool(asked) and earlier.connection.execute(_ANY).fetchone() is not None
    pasted: dict[str, list[Passage]] = {}
    least = _LEAST * min((earlier.rarity.sum(words) for _, words in said), default=0.0) if has_any else 0.0
    for row in earlier.looked_at(asked, (PASTED,), least, _MOST_COMPARED) if has_any else ():
        passage = search.read(row)
        if any(_are_same(line, words, passage.text) for line, words in said):
            pasted.setdefault(passage.session, []).append(passage)
    matters = sorted((sorted(found, key=lambda one: (-one.at, one.memory)) for found in pasted.values()), key=lambda found: (-found[0].at, found[0].memory))
    answers = [answer for found in matters if (answer := _answer(earlier, found, set(asked))) is not None]
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


def _answer(earlier: Earlier, pasted: Sequence[Passage], about: set[str]) -> Passage | None:
    """Return what came of an error in one session, and what was found out before the person accepted it; None for nothing that says enough.

    pasted: the prompts with this error, the newest first.
    """
    from memorybank.cycle.know import findings, works  # late: few errors come again

    begun = next((place for place, one in enumerate(pasted) if one.heading != ACCEPTED), len(pasted) - 1)
    for place, passage in enumerate(pasted[: begun + 1]):
        answers = harmless(filter(earlier.finds, works.answers_of(earlier, passage.turn)))
        if not any(map(findings.says_enough, answers)):
            continue
        chosen = works.telling(earlier.rarity, answers, _RESULT_CHARACTERS, about)
        cause = without_destroying(works.result_of_turn(earlier, pasted[begun].turn, _CAUSE_CHARACTERS, about)) if place < begun else ""
        answer = chosen[0]
        answer.error, answer.text = message_of(passage.text), " ".join(filter(None, (cause, works.joined(chosen, _RESULT_CHARACTERS))))
        answer.rank = answer.share = 1.0  # it is the same error, which its age does not change
        return answer
    return None


def harmless(answers: Iterable[Passage]) -> list[Passage]:
    """Return these passages without the sentences that destroy data; a passage of which nothing is left is left out."""
    return search.shortened(answers, without_destroying)
