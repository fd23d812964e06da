"""The summarizer without a model or network: it selects sentences, and gives the same text for the same day.

A day of work is summarised session by session: each gets a share of the budget and answers the same questions (`session`), or one line when the shares
would be small (`listed`). Of chats, the
sentences are chosen that cover most of the day's content words (`coverage`). Sentences stay complete and in order. A message that only greets, praises or
agrees covers nothing and is left out. At most 15 % of the budget is a closing line of distinctive words that no chosen sentence has (measured in
scripts/bench/summaries).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import chain
from math import log, sqrt

from memorybank.summarize import content, coverage, findings, lines, listed, sentences
from memorybank.summarize.coverage import SentenceCandidate
from memorybank.summarize.lines import SAID, SummaryLine, label
from memorybank.summarize.session import SessionAnswers
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, EXTRACTIVE, FIXES, GIST, GOALS, OPEN_ENDS, RESULTS, SECTIONS, DaySummary, DayText

ALSO_SHARE = 0.15
"""Share of the budget for the closing line. A day of several sessions has none: complete answers would have to give way to single words."""
WASTED = 60
"""Number of unused characters of the closing line from which they are given back to sentences."""
LEAST_WORDS = 3
"""Minimum number of words in a closing line; fewer say nothing."""
ANSWERS_SHARE = 0.85
"""Share of the budget for the answers of sessions, on a day that also has chats."""
LEAST_TERMS = 2
"""Minimum number of content words in a sentence or request worth including."""
LEAST_GISTS = 0.5
"""A day is a list if more than this share of its sessions have a gist."""
LONGEST_LINE = 110
"""Maximum characters of a line of a list for a session without a gist."""
QUESTION = 0.5
"""Factor on a question in a chat: statements count for more."""
_FACTORS = {GOALS: 2.0, RESULTS: 1.2, DECISIONS: 1.2, COMMITS: 1.5, CHANGED: 0.6}
"""Factors of sections when the rest of the budget is distributed: more of the request and the result before more of the files, whose names cover many words."""
_TIMES = re.compile(r"(?<=failed )([1-9]\d{0,5}) times|(?<=が)([1-9]\d{0,5})回(?=失敗)")
"""How often a call failed before it succeeded: what took many attempts comes first."""
_WORDED = (SAID, GOALS, COMMITS, DECISIONS, RESULTS)
"""Sections in the words of people and agents. Commands, files and errors are included by the line or not at all."""
_MARK = 3
"""Characters before a line of a section when there are several sessions: the line end before it, and its dash or indentation."""
LEAST_SHARE = 160
"""Characters below which a session gets no share of its own."""
_TOGETHER = "together"
"""Session name of the lines of all sessions without a share of their own."""


class ExtractiveSummarizer:
    """The extractive summarizer. also: whether to add the closing line of distinctive words."""

    name = EXTRACTIVE

    def __init__(self, also: bool = True) -> None:
        self.also = also

    def summarise(self, day: DayText) -> DaySummary:
        """Return the summary of a day; an empty text for a day without content. Never raises."""
        every = lines.of_day(day)
        known = _answered(every)
        if known and len(lines.text_of(every, day.language)) <= day.budget:
            return DaySummary(lines.text_of(known, day.language), EXTRACTIVE)
        if (as_list := _as_list(day)) or not known:
            return DaySummary(as_list, EXTRACTIVE)
        has_also = day.said or len({part.session for part in day.parts}) < 2
        share = int(day.budget * ALSO_SHARE) if self.also and has_also else 0
        material = _Material(_grouped(known, day.language, day.budget - share), day.language)
        text, extra = material.texts(day.budget - share, share)
        if share - len(extra) >= WASTED:  # too few words for the line: sentences get the unused characters
            text, extra = material.texts(day.budget - len(extra) - 1, len(extra) + 1)
        return DaySummary(f"{text}\n{extra}" if text and extra else text or extra, EXTRACTIVE)


def _answered(known: Sequence[SummaryLine]) -> Sequence[SummaryLine]:
    """Return the lines without results that carry nothing, and without those of sessions in which something was asked and nothing came of it, unless the day
    has no others."""
    known = [line for line in known if line.section != RESULTS or findings.carries(line.text)] or known
    answered = {line.session for line in known if line.section not in (GOALS, OPEN_ENDS)}
    return [line for line in known if line.session in answered] or known


def _as_list(day: DayText) -> str:
    """Return a day of many sessions as a list, "" for another day."""
    gists = {part.session: part.text for part in day.parts if part.section == GIST}
    sizes = Counter[str]()
    for part in day.parts:
        sizes[part.session] += len(part.text)
    if day.said or len(sizes) < 2 or len(gists) <= len(sizes) * LEAST_GISTS or day.budget >= len(sizes) * listed.PER_SESSION:
        return ""
    return listed.listed([gists.get(session) or _instead_of_gist(day, session) for session in sizes], list(sizes.values()), day.budget)


def _instead_of_gist(day: DayText, session: str) -> str:
    """Return the line of a session that only said "go on": its first request, or else what it has first."""
    own = sorted((part for part in day.parts if part.session == session), key=lambda part: part.section != GOALS)
    return sentences.shortened(own[0].text, LONGEST_LINE)


class _Material:
    """The lines of a day that is too long, with their terms."""

    def __init__(self, known: Sequence[SummaryLine], language: str) -> None:
        self.known = known
        self.language = language
        self.parts = [content.parts(line.text) for line in known]
        found = [content.terms_of(part) for part in self.parts]
        # Terms of the speakers' names do not distinguish lines, because every line names its speaker.
        self.speakers = frozenset(
            chain.from_iterable(content.terms(speaker) for speaker in {line.who for line in known})
        )  # every line names its speaker anyway
        self.terms = [terms - self.speakers for terms in found]

    def texts(self, budget: int, share: int) -> tuple[str, str]:
        """Return (sentences of at most `budget` characters, a closing line of at most `share` characters)."""
        chosen = _chosen(self.known, self.terms, self.language, budget)
        text = lines.text_of(chosen, self.language) or sentences.shortened(self.known[0].text, budget)
        said = self.speakers.union(content.terms(text))
        worded = [part for part, line in zip(self.parts, self.known, strict=True) if line.section in _WORDED]
        return text, _also(worded, said, self.language, share - 1)


def _grouped(known: Sequence[SummaryLine], language: str, budget: int) -> list[SummaryLine]:
    """Return the lines, with all sessions too short for a share of their own joined to one at the end, and chat messages last."""
    by_session = _sessions(known)
    alone = _with_own_share([_size([known[at] for at in places], language) for places in by_session.values()], budget)
    own = [known[at] for number, places in enumerate(by_session.values()) if number in alone for at in places]
    rest = [replace(known[at], session=_TOGETHER) for number, places in enumerate(by_session.values()) if number not in alone for at in places]
    return [*own, *sorted(rest, key=lambda line: SECTIONS.index(line.section)), *(line for line in known if line.section == SAID)]


def _shares(sizes: Sequence[int], budget: int) -> list[int]:
    """Return the number of characters for each session, at most its size; their sum is at most `budget`.

    A long session has more to say than a short one, but not in proportion: shares follow the square root of the available text, and characters
    that a short session does not need go to the others.
    sizes: available characters, all above 0
    """
    given = dict.fromkeys(range(len(sizes)), 0)
    waiting = list(given)
    while waiting:
        total = sum(sqrt(sizes[at]) for at in waiting)
        parts = {at: int(budget * sqrt(sizes[at]) / total) for at in waiting}
        # Sessions that need less than their share get what they need, and the rest is divided again among the others.
        content = [at for at in waiting if sizes[at] <= parts[at]]
        if not content:
            given.update(parts)
            break
        for at in content:
            given[at] = sizes[at]
            budget -= sizes[at]
        waiting = [at for at in waiting if at not in content]
    return [given[at] for at in range(len(sizes))]


def _with_own_share(sizes: Sequence[int], budget: int) -> list[int]:
    """Return the indices of the sessions that get a share of their own: all of them if the budget suffices, otherwise the longest, with a share left for
    the others together."""
    needed = sum(min(size, LEAST_SHARE) for size in sizes)
    if needed <= budget:
        return list(range(len(sizes)))
    longest = sorted(range(len(sizes)), key=lambda at: (-sizes[at], at))
    return sorted(longest[: max(1, budget // LEAST_SHARE - 1)])


def _sessions(known: Sequence[SummaryLine]) -> dict[str, list[int]]:
    """Return {session: indices of its lines}, in order."""
    found: dict[str, list[int]] = {}
    for at, line in enumerate(known):
        if line.section != SAID:
            found.setdefault(line.session, []).append(at)
    return found


def _chosen(known: Sequence[SummaryLine], terms: Sequence[frozenset[str]], language: str, budget: int) -> list[SummaryLine]:
    """Return the lines that fit into `budget` characters and cover most. The questions of each session are answered first."""
    weights = _weights(terms)
    candidates = [SentenceCandidate(found, line.cost, _factor(line, found)) for line, found in zip(known, terms, strict=True)]
    by_session = _sessions(known)
    session_answers = SessionAnswers(known, candidates, weights, lambda section: _heading_cost(section, language))
    has_talk = any(line.section == SAID for line in known)
    sizes = [_size([known[at] for at in places], language) for places in by_session.values()]
    answers: dict[int, SummaryLine] = {}
    for places, share in zip(by_session.values(), _shares(sizes, int(budget * ANSWERS_SHARE) if has_talk else budget), strict=True):
        answers |= session_answers.of(places, share)
    budget = _completed(known, answers, budget - _size(answers.values(), language))
    named = {(line.session, line.section) for line in answers.values()}
    priced = [
        item if line.section == SAID or (line.session, line.section) in named else replace(item, cost=item.cost + _heading_cost(line.section, language))
        for line, item in zip(known, candidates, strict=True)
    ]
    return [answers.get(at, known[at]) for at in coverage.select(priced, weights, max(0, budget), sorted(answers))]


def _completed(known: Sequence[SummaryLine], answers: dict[int, SummaryLine], budget: int) -> int:
    """Lengthen shortened answers with the characters that are left, in equal parts, commits first. Returns what is still left."""
    shortened = [at for at, line in answers.items() if line.text != known[at].text and line.section != CHANGED]
    shortened.sort(key=lambda at: (known[at].section != COMMITS, at))
    for left, at in zip(range(len(shortened), 0, -1), shortened, strict=True):
        longer = lines.fitted(known[at], len(answers[at].text) + budget // left)
        if longer.cost > answers[at].cost:
            budget -= longer.cost - answers[at].cost
            answers[at] = longer
    return budget


def _size(known: Iterable[SummaryLine], language: str) -> int:
    """Return the number of characters of some lines, with the headings of their sections."""
    counted = list(known)
    named = {(line.session, line.section) for line in counted if line.section != SAID}
    return sum(line.cost for line in counted) + sum(_heading_cost(section, language) for _, section in named)


def _heading_cost(section: str, language: str) -> int:
    """Return the number of characters that a section's heading takes, with the beginning of its line."""
    return len(label(section, language)) + _MARK


def _weights(terms: Iterable[frozenset[str]]) -> dict[str, int]:
    """Return the weight of each term, in thousandths. A term that the day repeats weighs more, with a smaller increase each time."""
    counts = Counter(chain.from_iterable(terms))
    worth = {count: round(1_000 * (1 + log(count))) for count in set(counts.values())}
    return {term: worth[count] for term, count in counts.items()}


def _factor(line: SummaryLine, terms: Set[str]) -> float:
    """Return the factor on a line's gain: 0 for a line with hardly any content words (a request to continue, a count of further files), half for a question
    in a chat.
    """
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


def _also(parts: Iterable[Iterable[str]], said: Set[str], language: str, budget: int) -> str:
    """Return the closing line: words of the day that no chosen line has, most distinctive first, as many as fit. said: terms that need no repetition."""
    counts: Counter[str] = Counter()
    forms: dict[str, str] = {}
    for part, count in Counter(chain.from_iterable(parts)).items():
        for term, form in content.words(part):
            if term not in said:
                counts[term] += count
                forms.setdefault(term, form)
    head = label("also", language)
    budget -= len(head)
    comma = "、" if language == "ja" else ", "
    words: list[str] = []
    for _, term in sorted((-_distinctness(form, counts[term]), term) for term, form in forms.items()):
        if budget <= len(comma):
            break
        cost = len(forms[term]) + len(comma)
        if cost <= budget and not content.terms(forms[term]) <= said:
            words.append(forms[term])
            budget -= cost
    return head + comma.join(words) if len(words) >= LEAST_WORDS else ""


def _distinctness(form: str, count: int) -> float:
    """Return how distinctive a word is for its length. Names and identifiers count more than common words."""
    own = 1.5 if not form.islower() or "_" in form else 1.0
    worth: float = own * (1.0 + log(count)) / (len(form) + 2) ** 0.5
    return worth
