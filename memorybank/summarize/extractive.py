"""The summarizer that needs nothing: no model, no network, the same text for the same day. Pure.

An episode answers what was wanted, what was changed where, what failed and what fixed it, what was decided and what is open: every one of these
that the day has is answered before the rest of the budget goes to the sentences that cover most of the day's content words (`coverage`).
Sentences stay whole and in their order; a message that only greets, praises or agrees covers nothing and is left out. At most 15 % of the budget
is a closing line of distinctive words that no chosen sentence has (measured in scripts/bench/summaries).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from math import log

from memorybank.summarize import content, coverage, lines, sentences
from memorybank.summarize.coverage import Candidate
from memorybank.summarize.labels import label
from memorybank.summarize.lines import SAID, Line
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, EXTRACTIVE, FIXES, GOALS, OPEN_ENDS, RESULTS, DayText, Summary

ALSO_SHARE = 0.15
"""Of the budget, for the closing line."""
ANSWERS_SHARE = 0.75
"""Of the room of a day that also has talk, for what its sessions came to."""
SHORTEST = 24
"""Characters that an answer is never cut below."""
LEAST_TERMS = 2
"""Content words of a sentence or request that is worth telling."""
QUESTION = 0.5
"""Factor of a question: what was said counts for more than what was asked."""
_FACTORS = {GOALS: 1.5, RESULTS: 1.2, DECISIONS: 1.2, COMMITS: 1.2, FIXES: 1.2, CHANGED: 0.6}
"""Of sections: what was wanted and came of it is told before more of the files, whose names cover many words."""
_PRIORITY = (GOALS, OPEN_ENDS, FIXES, CHANGED, DECISIONS, RESULTS, COMMITS)
"""Where not every question can be answered within the budget."""


class Extractive:
    """also: with the closing line of distinctive words."""

    name = EXTRACTIVE

    def __init__(self, also: bool = True) -> None:
        self.also = also

    def summarise(self, day: DayText) -> Summary:
        """Never raises. A day that says nothing gives an empty text."""
        known = lines.of_day(day)
        whole = lines.told(known, day.language)
        if len(whole) <= day.budget:
            return Summary(whole, EXTRACTIVE)
        share = int(day.budget * ALSO_SHARE) if self.also else 0
        parts = [content.parts(line.text) for line in known]
        terms = [content.terms_of(found) for found in parts]
        speakers = frozenset(chain.from_iterable(content.terms(who) for who in {line.who for line in known}))  # each line says them anyway
        chosen = _chosen(known, [found - speakers for found in terms], day.language, day.budget - share)
        text = lines.told(chosen, day.language) or sentences.shortened(known[0].text, day.budget - share)
        said = speakers.union(content.terms(text))
        extra = _also(parts, said, day.language, min(share, day.budget - len(text)) - 1)
        return Summary(f"{text}\n{extra}" if text and extra else text or extra, EXTRACTIVE)


def _chosen(known: Sequence[Line], terms: Sequence[frozenset[str]], language: str, room: int) -> list[Line]:
    """The lines that fit `room` characters and say most, each section of the day answered first."""
    weights = _weights(terms)
    room -= sum(len(label(section, language)) for section in {line.section for line in known} - {SAID})
    candidates = [Candidate(found, line.cost, _factor(line, found)) for line, found in zip(known, terms, strict=True)]
    answers = _answers(known, candidates, weights, int(room * ANSWERS_SHARE) if any(line.section == SAID for line in known) else room)
    room -= sum(line.cost for line in answers.values())
    return [answers.get(at, known[at]) for at in coverage.select(candidates, weights, max(0, room), sorted(answers))]


def _weights(terms: Iterable[frozenset[str]]) -> dict[str, int]:
    """How much each term is worth, in thousandths: more for what the day comes back to, but less than each time anew."""
    counts = Counter(chain.from_iterable(terms))
    worth = {count: round(1_000 * (1 + log(count))) for count in set(counts.values())}
    return {term: worth[count] for term, count in counts.items()}


def _factor(line: Line, terms: Set[str]) -> float:
    """None for what has hardly a word of content (a request to go on, how many more files there are), half for a chat's question."""
    if line.section in (SAID, GOALS, CHANGED) and len(terms) < LEAST_TERMS:
        return 0.0
    if line.section == SAID:
        return QUESTION if line.text.endswith(("?", "？")) else 1.0
    return _FACTORS.get(line.section, 1.0)


def _answers(known: Sequence[Line], candidates: Sequence[Candidate], weights: Mapping[str, int], room: int) -> dict[int, Line]:
    """{place: line} that answers each section, cut to its fair part of what room is left; the rarer questions last."""
    by_section: dict[str, list[int]] = {}
    for at, line in enumerate(known):
        if line.section != SAID:
            by_section.setdefault(line.section, []).append(at)
    answers: dict[int, Line] = {}
    for left, section in zip(range(len(by_section), 0, -1), sorted(by_section, key=_PRIORITY.index), strict=True):
        fair = max(SHORTEST, room // left - 2)
        if section == CHANGED:
            found = _files(known, [at for at in by_section[section] if candidates[at].factor], fair)
        else:
            at = _answer(known, section, by_section[section], candidates, weights)
            found = {at: lines.fitted(known[at], fair)}
        cost = sum(line.cost for line in found.values())
        if cost <= room:
            answers |= found
            room -= cost
    return answers


def _files(known: Sequence[Line], places: Sequence[int], room: int) -> dict[int, Line]:
    """The first files that were changed, without how, as many as fit; at least one."""
    found: dict[int, Line] = {}
    for at in places:
        line = lines.fitted(lines.without_detail(known[at]), room if not found else known[at].cost)
        if found and line.cost > room:
            break
        found[at] = line
        room -= line.cost
    return found


def _answer(known: Sequence[Line], section: str, places: Sequence[int], candidates: Sequence[Candidate], weights: Mapping[str, int]) -> int:
    """The first request that says something, how the last result begins, the last open end, else what says most for its length."""
    if section == GOALS:
        return next((at for at in places if candidates[at].factor), places[0])
    if section in (RESULTS, OPEN_ENDS):
        return next((at for at in reversed(places) if known[at].begins and candidates[at].terms), places[-1])
    return max(places, key=lambda at: (coverage.density(candidates[at], weights), -at))


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
    for _, term in sorted((-_telling(form, counts[term]), term) for term, form in forms.items()):
        if room <= len(comma):
            break
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
