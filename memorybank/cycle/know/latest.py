"""What is so at last: an answer that a later one changed is shown after it and with a mark, or not at all if it says nothing else. If the question is about
its other sentences, it has only the mark.

What changed follows from two passages (`fold.outdated`).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, ANSWERS, SAID
from memorybank.cycle.know import search
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_CHANGED = (*ANSWERS, SAID)
_KINDS = ", ".join(f"'{kind}'" for kind in _CHANGED)
# `+`: SQLite would use the index of kinds otherwise, and read the passages of the entire bank.
_NEWER = f"p.id IN (SELECT newer FROM outdated WHERE older = ?1) AND +kind IN ({_KINDS}) AND at <= ?2 AND {search.IS_SEEN} ORDER BY at DESC, memory DESC"
_MAY_BE_LEFT = f"kind = '{ANSWER}' AND at BETWEEN ? AND ? AND {search.IS_SEEN} AND p.id IN (SELECT older FROM outdated) ORDER BY at DESC, p.id LIMIT 60"
_MOST_STEPS = 5
_BEHIND = 0.9
"""The rank of an outdated answer that is shown after the later one, as a part of its rank."""


def of(earlier: Earlier, passage: Passage) -> Passage | None:
    """Return the last passage that changes what a passage says, None if nothing does. What changed it may have been changed again."""
    last = passage
    seen = {passage.id}
    for _ in range(_MOST_STEPS):
        newer = next((one for one in _newer(earlier, last) if one.id not in seen and earlier.shows(one)), None)
        if newer is None:
            break
        last = newer
        seen.add(last.id)
    if last is passage:
        return None
    last.matched = [term for term in last.terms if term in passage.matched]
    last.sum, last.share, last.rank = passage.sum, passage.share, passage.rank
    return last


def up_to_date(earlier: Earlier, found: Sequence[Passage]) -> list[Passage]:
    """Return these passages, each one that was changed later replaced by the later one, and kept behind it if it says something else too (`is_outdated`). What
    changed in the current session is known to its agent, so it is not repeated."""
    kept: dict[int, Passage] = {}
    for passage in found:
        newer = of(earlier, passage) if passage.kind in _CHANGED else None
        if newer is None:
            from memorybank.cycle.know import followed  # late: a call asks for no answers

            passage.later = followed.taken_up_by(earlier, passage) or passage.later
            kept.setdefault(passage.id, passage)
            continue
        changed = _changed_in(passage, newer)
        is_asked = not changed or _is_asked(passage, changed)
        if is_asked and newer.session != earlier.own:
            kept.setdefault(newer.id, newer)
        if not is_asked or _says_more(passage, changed):
            passage.is_outdated = True
            passage.rank *= _BEHIND if is_asked else 1.0
            kept.setdefault(passage.id, passage)
    return list(kept.values())


def left_since(earlier: Earlier, since: int) -> list[str]:
    """Return the sentences of answers since an instant (ms) that a later session changed, with the decisions about the same."""
    from memorybank.summarize.findings import decides  # late: only starts ask
    from memorybank.text.words.everyday import is_name

    found: list[str] = []
    for passage in earlier.selected(_MAY_BE_LEFT, (since, earlier.now)):
        newer = of(earlier, passage)
        if newer is None or newer.session == passage.session:
            continue
        changed = _changed_in(passage, newer)
        names = set(filter(is_name, content_terms(" ".join(changed))))
        every = sentences(passage.text)
        found += [one for one in every if one in changed or (decides(one) and not names.isdisjoint(content_terms(one)))] if changed else every
    return found


def _newer(earlier: Earlier, passage: Passage) -> list[Passage]:
    return earlier.selected(_NEWER, (passage.id, earlier.now))


def _changed_in(passage: Passage, newer: Passage) -> list[str]:
    """Return the sentences of a passage that a newer one changes."""
    from memorybank.text.prompts.changing import changes_of, is_left, values_of

    frames = {value.frame for value in values_of(newer.text)}
    changes = changes_of(newer.text)
    return [
        sentence
        for sentence in sentences(passage.text)
        if any(value.frame in frames for value in values_of(sentence)) or any(is_left(change, sentence) for change in changes)
    ]


def _is_asked(passage: Passage, changed: Sequence[str]) -> bool:
    """Return whether a question is about these sentences of a passage, and not rather about its others."""
    said = content_terms(" ".join(changed))
    return 2 * len([term for term in passage.matched if term in said]) >= len(passage.matched)


def _says_more(passage: Passage, changed: Sequence[str]) -> bool:
    """Return whether a passage says something besides what was changed."""
    from memorybank.summarize.findings import tells

    return bool(changed) and any(tells(sentence) for sentence in sentences(passage.text) if sentence not in changed)
