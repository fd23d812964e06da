"""The summarizer that needs nothing: no model, no network, the same text for the same day. Pure.

A day of work is told session by session, each within its share of the room (`shares`) and by the questions that it answers (`session`). What was
said in chats is told by the sentences that cover most of the day's content words (`coverage`).
Sentences stay whole and in their order; a message that only greets, praises or agrees covers nothing and is left out. At most 15 % of the budget
is a closing line of distinctive words that no chosen sentence has (measured in scripts/bench/summaries).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import chain
from math import log, sqrt

from memorybank.summarize import content, coverage, findings, lines, sentences, session, shares
from memorybank.summarize.coverage import Candidate
from memorybank.summarize.labels import label
from memorybank.summarize.lines import SAID, Line
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, EXTRACTIVE, FIXES, GOALS, RESULTS, SECTIONS, DayText, Summary

ALSO_SHARE = 0.15
"""Of the budget, for the closing line. A day of several sessions has none: whole answers would have to make room for words."""
WASTED = 60
"""Characters set aside for it and not needed that are given back."""
LEAST_WORDS = 3
"""Of a closing line: fewer say nothing."""
ANSWERS_SHARE = 0.85
"""Of the room of a day that also has talk, for what its sessions came to."""
LEAST_TERMS = 2
"""Content words of a sentence or request that is worth telling."""
QUESTION = 0.5
"""Factor of a question: what was said counts for more than what was asked."""
_FACTORS = {GOALS: 2.0, RESULTS: 1.2, DECISIONS: 1.2, COMMITS: 1.5, CHANGED: 0.6}
"""Of sections, when what is left of the room is given away: more of the request and of the result before more of the files, whose names cover many words."""
_TIMES = re.compile(r"(?<=failed )([1-9]\d{0,5}) times|(?<=が)([1-9]\d{0,5})回(?=失敗)")
"""How often a call failed before it went well: what was tried long is told first."""
_WORDED = (SAID, GOALS, COMMITS, DECISIONS, RESULTS)
"""Sections in people's and agents' own words: those of commands, files and errors are told by the line or not at all."""
_MARK = 3
"""Characters that a line of a section begins with where several sessions are told: the line end before it, its dash or indentation."""
_TOGETHER = "together"
"""The session of what is told of sessions that have no room of their own."""


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
        has_room = day.said or len({part.session for part in day.parts}) < 2
        share = int(day.budget * ALSO_SHARE) if self.also and has_room else 0
        material = _Material(_grouped(known, day.language, day.budget - share), day.language)
        text, extra = material.told(day.budget - share, share)
        if share - len(extra) >= WASTED:  # there were not words enough: sentences have what is left of their room
            text, extra = material.told(day.budget - len(extra) - 1, len(extra) + 1)
        return Summary(f"{text}\n{extra}" if text and extra else text or extra, EXTRACTIVE)


class _Material:
    """The lines of a day that is too long, and what they are about."""

    def __init__(self, known: Sequence[Line], language: str) -> None:
        self.known = known
        self.language = language
        self.parts = [content.parts(line.text) for line in known]
        found = [content.terms_of(part) for part in self.parts]
        self.speakers = frozenset(chain.from_iterable(content.terms(who) for who in {line.who for line in known}))  # each line says them anyway
        self.terms = [terms - self.speakers for terms in found]

    def told(self, room: int, share: int) -> tuple[str, str]:
        """(sentences within `room`, the closing line within `share`)."""
        chosen = _chosen(self.known, self.terms, self.language, room)
        text = lines.told(chosen, self.language) or sentences.shortened(self.known[0].text, room)
        said = self.speakers.union(content.terms(text))
        telling = [part for part, line in zip(self.parts, self.known, strict=True) if line.section in _WORDED]
        return text, _also(telling, said, self.language, share - 1)


def _grouped(known: Sequence[Line], language: str, room: int) -> list[Line]:
    """The lines with those sessions at the end, as one, that are not told by themselves; what was said comes last."""
    by_session = _sessions(known)
    alone = shares.told_alone([_size([known[at] for at in places], language) for places in by_session.values()], room)
    own = [known[at] for number, places in enumerate(by_session.values()) if number in alone for at in places]
    rest = [replace(known[at], session=_TOGETHER) for number, places in enumerate(by_session.values()) if number not in alone for at in places]
    return [*own, *sorted(rest, key=lambda line: SECTIONS.index(line.section)), *(line for line in known if line.section == SAID)]


def _sessions(known: Sequence[Line]) -> dict[str, list[int]]:
    """{session: places of its lines}, in their order."""
    found: dict[str, list[int]] = {}
    for at, line in enumerate(known):
        if line.section != SAID:
            found.setdefault(line.session, []).append(at)
    return found


def _chosen(known: Sequence[Line], terms: Sequence[frozenset[str]], language: str, room: int) -> list[Line]:
    """The lines that fit `room` characters and say most, the questions of each session answered first."""
    weights = _weights(terms)
    candidates = [Candidate(found, line.cost, _factor(line, found)) for line, found in zip(known, terms, strict=True)]
    by_session = _sessions(known)
    has_talk = any(line.section == SAID for line in known)
    sizes = [_size([known[at] for at in places], language) for places in by_session.values()]
    answers: dict[int, Line] = {}
    for places, share in zip(by_session.values(), shares.of_room(sizes, int(room * ANSWERS_SHARE) if has_talk else room), strict=True):
        answers |= session.answers(known, places, candidates, weights, share, lambda section: _named(section, language))
    room = _completed(known, answers, room - _size(answers.values(), language))
    named = {(line.session, line.section) for line in answers.values()}
    priced = [
        item if line.section == SAID or (line.session, line.section) in named else replace(item, cost=item.cost + _named(line.section, language))
        for line, item in zip(known, candidates, strict=True)
    ]
    return [answers.get(at, known[at]) for at in coverage.select(priced, weights, max(0, room), sorted(answers))]


def _completed(known: Sequence[Line], answers: dict[int, Line], room: int) -> int:
    """Give answers that were shortened what room there is, each an equal part, what was committed first; returns what is left of it."""
    shortened = [at for at, line in answers.items() if line.text != known[at].text and line.section != CHANGED]
    shortened.sort(key=lambda at: (known[at].section != COMMITS, at))
    for left, at in zip(range(len(shortened), 0, -1), shortened, strict=True):
        longer = lines.fitted(known[at], len(answers[at].text) + room // left)
        if longer.cost > answers[at].cost:
            room -= longer.cost - answers[at].cost
            answers[at] = longer
    return room


def _size(known: Iterable[Line], language: str) -> int:
    """Characters that some lines take, with the names of their sections."""
    told = list(known)
    named = {(line.session, line.section) for line in told if line.section != SAID}
    return sum(line.cost for line in told) + sum(_named(section, language) for _, section in named)


def _named(section: str, language: str) -> int:
    """Characters that the name of a section takes, with what its line begins with."""
    return len(label(section, language)) + _MARK


def _weights(terms: Iterable[frozenset[str]]) -> dict[str, int]:
    """How much each term is worth, in thousandths: more for what the day comes back to, but less than each time anew."""
    counts = Counter(chain.from_iterable(terms))
    worth = {count: round(1_000 * (1 + log(count))) for count in set(counts.values())}
    return {term: worth[count] for term, count in counts.items()}


def _factor(line: Line, terms: Set[str]) -> float:
    """0 for what has hardly a word of content (a request to go on, how many more files there are), half for a chat's question."""
    if line.section in (SAID, GOALS, CHANGED, RESULTS) and len(terms) < LEAST_TERMS:
        return 0.0
    if line.section == RESULTS:
        return _FACTORS[RESULTS] * sqrt(findings.worth(line.text))
    if line.section == SAID:
        return QUESTION if line.text.endswith(("?", "？")) else 1.0
    if line.section == FIXES:
        times = _TIMES.search(line.text)
        return 1.0 + log(int(times[1] or times[2])) if times else 1.0
    if line.section == GOALS and not line.begins:
        return 1.0
    return _FACTORS.get(line.section, 1.0)


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
    return head + comma.join(words) if len(words) >= LEAST_WORDS else ""


def _telling(form: str, count: int) -> float:
    """A name or identifier tells more than a common word; a word for its length, since the room is counted in characters."""
    own = 1.5 if not form.islower() or "_" in form else 1.0
    worth: float = own * (1.0 + log(count)) / (len(form) + 2) ** 0.5
    return worth
