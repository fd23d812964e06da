"""What a prompt names: what earlier sessions said about the code and the error messages in it.

A trace that a person pastes is the best question, and so is the name of a thing that few passages contain. Both are rare by their nature, also in a bank of
some hundred passages, in which counting cannot show it. Among many passages one name does not make a question, as at calls
(`on_call`): what mentions it in passing is about another thing. There, the prompt must be about the name, or have something else in common with the passage.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.findings import LEAST_SUM, SMALL, is_description, least_sum, outlasts, says_enough
from memorybank.summarize.findings import asks_why, decides
from memorybank.text.prompts.questions import asks
from memorybank.text.prose.instructive import considers
from memorybank.text.prose.passages import is_table_row
from memorybank.text.words.code_names import contains, only_lists
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

_FEW = 12
"""Passages in which a name may occur. What more of them contain is found in too many to know which is meant."""
_NAME = 0.44
"""Share of `LEAST_SUM` that the names in a passage must weigh: one that is rare."""
_MANY_NAMES = 4
"""A prompt with this many known names is about what they have in common: a passage with one of them is about another thing."""
_ELSE, _PART_ELSE, _ABOUT_IT = 0.15, 0.1, 0.5
"""Among more than `SMALL` passages: share of `least_sum`, and part of the prompt, that the words in common besides the rarest name must weigh, or else the
part of the prompt that this name must be."""
_PART = 0.25
"""Among more than `SMALL` passages: share of what is asked, by rarity, that a passage must contain."""
_MESSAGE, _MOST_OF_IT, _LEAST_WORDS = 1.0, 0.7, 3
"""Of the message of an error, a passage must contain words that weigh `_MESSAGE` times `LEAST_SUM` and `_MOST_OF_IT`; shorter ones say too little."""
_REASON = 1.25
_MOST_READ = 80
"""Passages that are read, those with the rarest words first."""
_MOST_TOLD = 4
"""Passages that are returned, the best first. The caller shows one of them, and leaves out those that say the same as what is shown anyway."""
_KIND, _HEADING, _TEXT = 2, 6, 7
"""Places in the rows of `search.COLUMNS`. Most rows are only looked at, which takes less time than making passages of them."""
_LEADS_IN = (":", "：")


def said_about(earlier: Earlier, text: str, names: Iterable[str], messages: Iterable[str], *, is_error: bool) -> list[Passage]:
    """Return the answers that contain one of these names or messages, and what people typed with such a message, the best first.

    text: the prompt; of one with a pasted error, what was typed and what is wrong.
    is_error: whether it reports an error. To a request, only reasons, decisions and limits say what the code does not.
    """
    rarity = earlier.filled
    terms_of = {name: content_terms(name) for name in names}
    said = [terms for message in messages if len(terms := content_terms(message)) >= _LEAST_WORDS]
    rarity.learn(term for terms in (*terms_of.values(), *said) for term in terms)
    weights = {name: max(map(rarity.of, terms)) for name, terms in terms_of.items() if any(0 < rarity.count(term) <= _FEW for term in terms)}
    said = [terms for terms in said if any(0 < rarity.count(term) <= _FEW for term in terms)]
    asked = list(dict.fromkeys(term for terms in (*map(terms_of.__getitem__, weights), *said) for term in terms))
    if not asked:
        return []
    wanted = set(content_terms(text)) if rarity.passages > SMALL else set()
    why = asks_why(text)
    describes = not is_error and (is_description(rarity, text, why=why) or not (why or asks(text)))
    found = []
    names_of: dict[int, Sequence[str]] = {}
    # What contains a name or most of a message contains a rare term of it, and few passages contain that.
    for row in earlier.said(earlier.nearest(rarity, asked, _MOST_READ, _FEW)):
        kind, heading, text, terms = row[_KIND], row[_HEADING], row[_TEXT], row[-1]
        whole = f"{heading}\n{text}"
        said_of = [] if kind == SAID else [name for name in weights if contains(whole, name) or contains(whole.lower(), name)]
        if len(said_of) * _MANY_NAMES <= len(weights) or only_lists(whole, said_of):
            said_of = []
        if said_of and wanted and not _is_asked(rarity, wanted, terms_of[max(said_of, key=weights.__getitem__)], terms.split(" ")):
            said_of = []
        named = sum(weights[name] for name in said_of)
        quoted = max((_common(rarity, message, terms.split(" ")) for message in said), default=0.0)
        if max(named / _NAME, quoted / _MESSAGE) < LEAST_SUM:
            continue
        passage = search.read(row)
        passage.rank = (named + quoted) * (_REASON if decides(text) else 1.0)
        found.append(passage)
        names_of[passage.id] = said_of
    # Whether a passage says something takes longest, and the caller shows one.
    best = (
        passage
        for passage in sorted(found, key=search.order)
        if (passage.kind == SAID or (_tells(passage) and (not describes or minds(passage))))
        and earlier.finds(passage)
        and _still_names(passage, names_of[passage.id])
    )
    said_best = [passage for _, passage in zip(range(_MOST_TOLD), best, strict=False)]
    search.weigh(rarity, set(asked), said_best)
    return [passage for passage in said_best if passage.share >= _PART or rarity.passages <= SMALL]


def minds(passage: Passage) -> bool:
    """Return whether a passage says what to mind at the next request for the same thing: a reason, a decision, a limit or a caution."""
    from memorybank.text.prompts.sentences import sentences
    from memorybank.text.prose.cautions import cautions

    return outlasts(passage) or any(map(cautions, sentences(passage.text)))


def _still_names(passage: Passage, names: Sequence[str]) -> bool:
    """Return whether what is left of a passage without what is over contains one of the names for which it was found."""
    whole = f"{passage.heading}\n{passage.text}"
    return not names or any(contains(whole, name) or contains(whole.lower(), name) for name in names)


def _is_asked(rarity: Rarity, wanted: Collection[str], name: Collection[str], terms: Collection[str]) -> bool:
    """Return whether a prompt with these terms is about a name, or has something else in common with a passage that contains it."""
    common = rarity.sum(set(wanted).intersection(terms).difference(name))
    whole = rarity.sum(wanted)
    return common >= max(_ELSE * least_sum(rarity), _PART_ELSE * whole) or rarity.sum(name) >= _ABOUT_IT * whole


def _common(rarity: Rarity, message: Sequence[str], terms: Sequence[str]) -> float:
    """Return what the words of a message weigh that are among these terms, 0 when most of it is not."""
    common = rarity.sum(set(message).intersection(terms))
    return common if common >= _MOST_OF_IT * rarity.sum(message) else 0.0


def _tells(passage: Passage) -> bool:
    """Return whether a passage says something about what it names: a reason, or a sentence of an answer that does not only list what was possible."""
    is_answer = passage.kind == ANSWER and not is_table_row(passage.text) and not passage.text.rstrip("*`").endswith(_LEADS_IN)
    return says_enough(passage) and (is_answer or decides(passage.text)) and not considers(passage.heading or passage.text)
