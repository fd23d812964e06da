"""Names what came nearest to a question for which recall found nothing: a note, a rule and what a session said, each with the reason why it is not shown.

Only a person asks for this (`memorybank recall --explain`). A hook stops where nothing has enough in common.
"""

from __future__ import annotations

from memorybank.cycle.event import TOOL_BEFORE
from memorybank.cycle.fold.kinds import ANSWERS, SAID
from memorybank.cycle.recall import candidates, ranking
from memorybank.cycle.recall.knowledge import Knowledge
from memorybank.cycle.recall.query import FAILURE, as_written
from memorybank.reasons.reason import Reason
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Recollection
    from memorybank.cycle.recall.recollect import Draft

_ANY = 1e-9
"""A match that every note with a word of the question reaches."""


def of(draft: Draft, event: Event) -> Sequence[Recollection]:
    """Return the memories that share most with a question, those that share more first; [] where none shares a word with it."""
    found = [_note(draft)]
    if draft.sources.cycle is not None:
        known = Knowledge(draft, event, draft.sources.cycle)
        asked = content_terms(draft.query.text)
        found += [_rule(draft, known, asked), _said(draft, known, asked)]
    named = {one.memory.memory: one for one in found if one is not None}  # a learned note has the id of its rule, which says more
    return sorted(named.values(), key=lambda one: (-one.memory.match, one.memory.memory))


def _note(draft: Draft) -> Recollection | None:
    """Return the note or episode with the greatest match. A call is not matched by words, so none came near to it."""
    found = candidates.find(draft.sources, draft.query, draft.reader, _ANY)
    _, near = ranking.rank(found, draft.query, draft.reader)
    return max((one for one in near if one.memory.matched), key=lambda one: (one.memory.match, one.memory.memory), default=None)


def _rule(draft: Draft, known: Knowledge, asked: Sequence[str]) -> Recollection | None:
    """Return the rule in force whose words in common with the question are the rarest."""
    every = [*(rule for rule in known.in_force() if rule.is_expected), *known.in_force(standing=False)]
    shared = [(rule, [term for term in asked if term in set(rule.terms)]) for rule in every]
    rule, words = max(shared, key=lambda one: known.earlier.rarity.sum(one[1]), default=(None, []))
    if rule is None or not words:
        return None
    memory = known.memories.of_rule(rule)
    memory.match = known.earlier.rarity.sum(words) / known.earlier.rarity.sum(asked)
    is_at_call = draft.query.moment in (TOOL_BEFORE, FAILURE)
    said = _in_words(draft, words)
    why = Reason("recall.rule_of_another_call", words=said) if is_at_call else Reason("recall.rule_at_its_call", words=said)
    return draft.recollect(memory, draft.suppressed(memory) or (ranking.ALREADY_SHOWN if rule.memory in draft.context.shown else why))


def _said(draft: Draft, known: Knowledge, asked: Sequence[str]) -> Recollection | None:
    """Return what earlier sessions said with the rarest words in common."""
    passages = known.earlier.search(asked, (SAID, *ANSWERS)) if asked else []
    if not passages or not passages[0].matched:
        return None
    memory = known.memories.of(passages[0], passages[0].rank or 1.0)
    return draft.recollect(memory, draft.suppressed(memory) or Reason("recall.not_about_it", words=_in_words(draft, passages[0].matched)))


def _in_words(draft: Draft, labels: Iterable[str]) -> tuple[str, ...]:
    """Return words as the question has them, for people: a label is a stem, or a pair of Japanese characters."""
    return tuple(dict.fromkeys(as_written(label, draft.query.text) for label in labels))
