"""The summarizer that needs nothing: no model, no network, the same text for the same day. Pure.

An episode answers what was wanted, what was changed where, what failed and what fixed it, what was decided and what is open: every one of these
that the day has is answered before the rest of the budget goes to the sentences that cover most of the day's content words (`coverage`).
Sentences stay whole and in their order; a message that only greets, praises or agrees covers nothing and is left out. At most 15 % of the budget
is a closing line of distinctive words that no chosen sentence has (measured in scripts/bench/summaries).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from math import log

from memorybank.summarize import content, coverage, sentences
from memorybank.summarize.coverage import Candidate
from memorybank.summarize.labels import label
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, EXTRACTIVE, FIXES, GOALS, OPEN_ENDS, RESULTS, SECTIONS, DayText, Summary

ALSO_SHARE = 0.15
"""Of the budget, for the closing line."""
LONGEST = 280
"""Characters of one sentence or item; longer ones are cut where a sentence or word ends."""
SHORTEST = 24
"""Characters that an item is never cut below."""
LABEL = 16
"""Characters of a section's name, about."""
LEAST_TERMS = 2
"""Content words of a sentence of a chat that is worth telling."""
QUESTION = 0.5
"""Factor of a question: what was said counts for more than what was asked."""
_SAID = "said"
_PRIORITY = (GOALS, OPEN_ENDS, FIXES, CHANGED, DECISIONS, RESULTS, COMMITS)
"""Where not every question can be answered within the budget."""
_JAPANESE_ENDS = ("。", "！", "？", "」", "』", "）")
_ENDS = (".", "!", "?", "…", ":", ")", "]", '"', "”")


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or item that can be told. section: one of SECTIONS, or `said`; who: of a chat's message."""

    section: str
    who: str
    text: str


class Extractive:
    """also: with the closing line of distinctive words."""

    name = EXTRACTIVE

    def __init__(self, also: bool = True) -> None:
        self.also = also

    def summarise(self, day: DayText) -> Summary:
        """Never raises. A day that says nothing gives an empty text."""
        lines = _lines(day)
        whole = _told(lines, day.language)
        if len(whole) <= day.budget:
            return Summary(whole, EXTRACTIVE)
        share = int(day.budget * ALSO_SHARE) if self.also else 0
        parts = [content.parts(line.text) for line in lines]
        terms = [content.terms_of(found) for found in parts]
        speakers = _speakers(lines)
        chosen = _chosen(lines, [found - speakers for found in terms], day.language, day.budget - share)
        text = _told([lines[at] for at in chosen], day.language) or sentences.shortened(lines[0].text, day.budget - share)
        told = speakers.union(*(terms[at] for at in chosen))
        extra = _also(parts, told, day.language, min(share, day.budget - len(text)) - 1)
        return Summary(f"{text}\n{extra}" if text and extra else text or extra, EXTRACTIVE)


def _lines(day: DayText) -> list[Line]:
    """Everything that could be told: the parts section by section, then what was said; nothing twice."""
    found: dict[tuple[str, str], Line] = {}
    answered = {part.section for part in day.parts}
    longest = min(LONGEST, max(SHORTEST, int(day.budget * (1 - ALSO_SHARE)) // len(answered) - LABEL)) if answered else LONGEST
    for section in SECTIONS:
        for part in day.parts:
            if part.section == section:
                for text in _pieces(part.text, longest):
                    found.setdefault((section, text), Line(section, "", text))
    for message in day.said:
        for text in sentences.cut(message.text):
            found.setdefault((_SAID, text), Line(_SAID, message.who, sentences.shortened(text, min(LONGEST, day.budget))))
    return list(found.values())


def _pieces(text: str, longest: int) -> list[str]:
    return [text] if len(text) <= longest else [sentences.shortened(piece, longest) for piece in sentences.cut(text)]


def _chosen(lines: Sequence[Line], terms: Sequence[frozenset[str]], language: str, room: int) -> list[int]:
    """Which lines fit `room` characters and say most, each section of the day answered first."""
    weights = _weights(terms)
    room -= sum(len(label(section, language)) for section in {line.section for line in lines} - {_SAID})
    candidates = [Candidate(found, _cost(line), _factor(line, found)) for line, found in zip(lines, terms, strict=True)]
    first = _answers(lines, candidates, weights, room)
    return coverage.select(candidates, weights, max(0, room - sum(candidates[at].cost for at in first)), first)


def _speakers(lines: Iterable[Line]) -> frozenset[str]:
    """The names of those who spoke: each line says them anyway."""
    return frozenset(term for who in {line.who for line in lines} for term in content.terms(who))


def _weights(terms: Iterable[frozenset[str]]) -> dict[str, int]:
    """How much each term is worth, in thousandths: more for what the day comes back to, but less than each time anew."""
    counts = Counter(chain.from_iterable(terms))
    return {term: round(1_000 * (1 + log(count))) for term, count in counts.items()}


def _cost(line: Line) -> int:
    """Characters: the text, what parts it from the one before, and who said it."""
    return len(line.text) + 2 + (len(line.who) + 2) * bool(line.who)


def _factor(line: Line, terms: Set[str]) -> float:
    """Of a chat: half for a question, none for a sentence with hardly a word of content; what was noted of a session is there to be told."""
    if line.section != _SAID:
        return 1.0
    if len(terms) < LEAST_TERMS:
        return 0.0
    return QUESTION if line.text.endswith(("?", "？")) else 1.0


def _answers(lines: Sequence[Line], candidates: Sequence[Candidate], weights: Mapping[str, int], room: int) -> list[int]:
    """For each section the line that answers it: the first goal, the last result and open end, else what says most for its length."""
    by_section: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        if line.section != _SAID:
            by_section.setdefault(line.section, []).append(at)
    answers = []
    for section in sorted(by_section, key=_PRIORITY.index):
        at = _answer(section, by_section[section], candidates, weights)
        if candidates[at].cost <= room:
            answers.append(at)
            room -= candidates[at].cost
    return answers


def _answer(section: str, places: Sequence[int], candidates: Sequence[Candidate], weights: Mapping[str, int]) -> int:
    if section == GOALS:
        return places[0]
    if section in (RESULTS, OPEN_ENDS):
        return places[-1]
    return max(places, key=lambda at: (coverage.density(candidates[at], weights), -at))


def _told(lines: Sequence[Line], language: str) -> str:
    """The lines as text: a line of text a section, and one for each change of speaker."""
    parts: list[str] = []
    last: tuple[str, str] | None = None
    for line in lines:
        key = (line.section, line.who)
        if key == last:
            parts[-1] += _between(parts[-1]) + line.text
        else:
            head = f"{line.who}: " if line.section == _SAID and line.who else "" if line.section == _SAID else label(line.section, language)
            parts.append(head + line.text)
        last = key
    return "\n".join(parts)


def _between(text: str) -> str:
    """What parts two sentences: nothing after a Japanese end, a blank after an English one, else a semicolon."""
    return "" if text.endswith(_JAPANESE_ENDS) else " " if text.endswith(_ENDS) else "; "


def _also(parts: Iterable[Iterable[str]], told: Set[str], language: str, room: int) -> str:
    """The closing line: words of the day that no chosen line has, most telling first, as many as fit. told: terms that need not be said again."""
    counts: Counter[str] = Counter()
    forms: dict[str, str] = {}
    for part, count in Counter(chain.from_iterable(parts)).items():
        for term, form in content.words(part):
            if term not in told:
                counts[term] += count
                forms.setdefault(term, form)
    head = label("also", language)
    room -= len(head)
    comma = "、" if language == "ja" else ", "
    words: list[str] = []
    for term in sorted(counts, key=lambda term: (-_telling(forms[term], counts[term]), term)):
        cost = len(forms[term]) + len(comma)
        if cost <= room and not content.terms(forms[term]) <= told:
            words.append(forms[term])
            room -= cost
    return head + comma.join(words) if words else ""


def _telling(form: str, count: int) -> float:
    """A name or identifier tells more than a common word; a word for its length, since the room is counted in characters."""
    own = 1.5 if not form.islower() or "_" in form else 1.0
    worth: float = own * (1.0 + log(count)) / (len(form) + 2) ** 0.5
    return worth
