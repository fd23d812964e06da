"""The gist of a session in one or two sentences: what it was about, and what came of it. Computed by rules and without a model.

The subject of a commit says best what a session was about; without one, the first request does that names something. Of the answers, the sentence is
chosen that tells most about it: a first sentence before the items that follow, and a cause or a value before plain words.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish.open_ends import Item
from memorybank.cycle.fold import wording
from memorybank.summarize.findings import PLAIN, worth
from memorybank.text import passages, typed
from memorybank.text.openers import answer_first
from memorybank.text.pattern import lazy_pattern
from memorybank.text.routine import is_routine
from memorybank.text.sentences import sentences
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_ABOUT, LONGEST_RESULT = 110, 180
"""Characters."""
_MOST_SUBJECTS = 2
_LEAST_IN_SUBJECT = 2
_LEAST_TERMS = 3
"""Content words of a commit's subject, and of a request or result, that names something."""
_READ = 2_000
"""Characters of one answer that are read. Agents write what matters first."""
_MOST_WORTH = 2.5
"""Worth from which a sentence does not count for more: many values in one sentence are details."""
_LEADS, _PER_SHARED, _MOST_SHARED = 2.0, 0.2, 3
"""Factor on the first telling sentence of an answer, and on each content word shared with what the session was about."""
_LATER = 0.98
"""Share of the best sentence's weight from which a later one replaces it."""
_POLITE = lazy_pattern(
    r"^(?:(?:ok(?:ay)?|so|now|hi|hey|hmm|well|great|thanks|and|also|then|first)\b[,.!:]?\s+)*"
    r"(?:(?:can|could|would|will) (?:you|we)|please|let['’]?s|i(?:['’]d| would) like (?:you |us )?to|(?:i|we) (?:need|want|should)(?: (?:you|us))? to"
    r"|you should)\s+(?:(?:please|also|now|maybe|just)\s+)*",
    "i",
)
_ADDRESS = lazy_pattern(r"\(?https?://\S+\)?")
_KIND = 24
"""Maximum characters of the kind that some projects put before a commit's subject."""
_OF_RECORDS = lazy_pattern(
    r"^(?:update|bump|add|edit)\w*(?: to)? (?:the )?(?:changelog|readme|version)\b|^(?:wip\b|merge\b|initial commit)"
    r"|^(?:変更履歴|CHANGELOG|README)\S{0,6}(?:更新|追記|追加)",
    "i",
)
"""Subjects of commits that only record what others did."""
_NUMBERED = lazy_pattern(r"^\W*(?:step|fix|phase|option|line|part|change|task|test|case|item|section|lines)s?\s+[\d(#]|^\W*(?:ステップ|手順|項目)\s*\d", "i")
"""A sentence that begins with the number of an item means little without the other items."""
_INCOMPLETE = 0.5
"""Factor on a sentence without an end: an item of a list, often without a verb."""
_ENDS = (".", "!", "?", "。", "！", "？", ".)", "。）")
_FENCED = lazy_pattern(r"(?:^|\n)[ \t]*(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)|$)", "s")


def gist(asked: Iterable[tuple[int, str]], answers: Iterable[tuple[int, str]], subjects: Iterable[tuple[int, str]]) -> list[Item]:
    """Return what a session was about and what came of it; [] when neither can be said, one item when only one can.

    asked: (instant in ms, prompt) of the person's prompts.
    answers: (instant, text) of the last words of each turn.
    subjects: (instant, subject) of the commits.
    """
    about = _committed(subjects) or _requested(asked)
    result = _result(answers, set(content_terms(about.text)) if about is not None else set())
    return [item for item in (about, result) if item is not None]


def _committed(subjects: Iterable[tuple[int, str]]) -> Item | None:
    """Return the last subjects, without those of records if there are others."""
    found = {bare: at for at, subject in subjects if len(set(content_terms(bare := without_kind(subject)))) >= _LEAST_IN_SUBJECT}
    telling = {subject: at for subject, at in found.items() if not _OF_RECORDS.search(subject)} or found
    chosen = list(telling)[-_MOST_SUBJECTS:]
    while len(chosen) > 1 and len("; ".join(chosen)) > LONGEST_ABOUT:
        del chosen[0]
    return Item(telling[chosen[-1]], wording.one_line("; ".join(chosen), LONGEST_ABOUT)) if chosen else None


def without_kind(subject: str) -> str:
    """Return a commit's subject without the kind that some projects put before it (`feat(ui): `)."""
    kind, colon, rest = subject.partition(": ")
    return rest if colon and rest and len(kind) <= _KIND and " " not in kind else subject


def _requested(asked: Iterable[tuple[int, str]]) -> Item | None:
    """Return the first sentence of a request that names something, without its polite beginning."""
    for at, prompt in asked:
        for sentence in sentences(_ADDRESS.sub("", typed.asked_by(prompt))):
            if sentence.endswith((":", "：")) or sentence.startswith("(") or is_routine(sentence) or len(set(content_terms(sentence))) < _LEAST_TERMS:
                continue
            bare = _POLITE.sub("", sentence)
            said = f"{bare[0].upper()}{bare[1:]}" if bare and bare != sentence else sentence
            return Item(at, wording.one_line(said.rstrip(" .。"), LONGEST_ABOUT))
    return None


def _result(answers: Iterable[tuple[int, str]], about: set[str]) -> Item | None:
    """Return the sentence that tells most about what came of the session. about: terms of what it was about."""
    best, most = None, 0.0
    for at, answer in answers:
        factor = _LEADS
        for sentence in _telling(answer):
            value = worth(sentence)
            if value < PLAIN:
                continue
            weight = factor * min(value, _MOST_WORTH)
            factor = 1.0
            terms = set(content_terms(sentence))
            if len(sentence) > LONGEST_RESULT or passages.leads_in(sentence) or _NUMBERED.match(sentence) or len(terms - about) < _LEAST_TERMS:
                continue
            weight *= 1.0 if sentence.endswith(_ENDS) else _INCOMPLETE
            weight *= 1.0 + _PER_SHARED * min(_MOST_SHARED, len(terms & about))
            if weight >= _LATER * most:
                best, most = Item(at, sentence), max(most, weight)
    return best


def _telling(answer: str) -> Iterator[str]:
    """Yield the sentences of the beginning of an answer, from the point where it answers, without code and Markdown."""
    for sentence in sentences(_FENCED.sub("\n", answer_first(answer[:_READ]))):
        yield sentence.replace("**", "").replace("__", "")
