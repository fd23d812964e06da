"""Answers the questions about one session within its share of a day's summary: how it ended, what was committed, decided, left open, wanted and changed, and
what failed and was fixed.

They are answered in this order as far as the budget goes, each with at most its share. An answer that would have to be cut to a few words is left out: a
few questions answered well are better than all of them in half sentences. A result that only says that all went well comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from memorybank.summarize import coverage, findings, lines
from memorybank.summarize.coverage import SentenceCandidate
from memorybank.summarize.findings import TELLS
from memorybank.summarize.lines import SummaryLine
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, FIXES, GOALS, OPEN_ENDS, RESULTS
from memorybank.text.words.language import identify

SHORTEST = 24
"""Minimum budget of an answer, in characters."""
LEAST = 72
"""Minimum characters of a shortened answer; below, it is left out. Half of it for Japanese, which says as much in half the characters."""
LEAST_SUBJECT = 36
"""The same for the subject of a commit, when several of them share the budget."""
_PARTED = 2
"""Characters that separate a line from the one before."""
_SHARES = {RESULTS: 0.6, COMMITS: 0.5, DECISIONS: 0.4, OPEN_ENDS: 0.35, GOALS: 0.3, CHANGED: 0.5, FIXES: 0.4}
"""Maximum share of the session's budget for each section, in the order in which the sections are filled."""
FINDING_SHARE = 0.9
"""Share of the budget for the first sentence of the result when no other one is nearly as informative: a value that is cut off is lost."""
_COMMITS_KEPT = 0.45
"""Maximum share of the budget that is reserved for commits when a shorter sentence is nearly as informative."""
_LEADS = 2.0
"""Factor on the first informative sentence of an answer."""
_FINDING = 3.0
"""Worth from which a sentence must not be cut: the first sentence of an answer with a value, or one with a cause and values."""
_NEAR = 0.6
"""Least share of the best sentence's worth for another one that replaces it because it fits."""
_ALWAYS = (GOALS, COMMITS, CHANGED)
"""Sections that are shown by their beginning when there is no budget for more."""


class SessionAnswers:
    """Answers the questions about the sessions of a day. Sessions and answers are indices of the day's lines."""

    def __init__(
        self, known: Sequence[SummaryLine], candidates: Sequence[SentenceCandidate], weights: Mapping[str, int], heading_cost: Callable[[str], int]
    ) -> None:
        """Prepare the answers for one day.

        known, candidates: the lines of the day, and for each what it covers and costs
        weights: the weight of each term
        heading_cost: returns the characters that a section's heading takes
        """
        self.known = known
        self.candidates = candidates
        self.weights = weights
        self.heading_cost = heading_cost

    def of(self, places: Sequence[int], budget: int) -> dict[int, SummaryLine]:
        """Return {index: the line that answers, possibly shortened}, at most `budget` characters. places: the lines of the session."""
        by_section: dict[str, list[int]] = {}
        for at in places:
            by_section.setdefault(self.known[at].section, []).append(at)
        if COMMITS in by_section:  # their subjects say what was changed
            by_section.pop(CHANGED, None)
        found: dict[int, SummaryLine] = {}
        left = budget
        worths = self._worths(by_section.get(RESULTS, []))
        order = list(_SHARES) if max(worths.values(), default=0.0) >= TELLS else [*list(_SHARES)[1:], RESULTS]
        for section in order:
            own = by_section.get(section)
            available = left - self.heading_cost(section)
            fair = min(available, max(SHORTEST, int(budget * _SHARES[section])))
            if not own or fair < SHORTEST:
                continue
            if section == RESULTS:
                commits = sum(self.known[at].cost for at in by_section.get(COMMITS, []))
                first = min(commits, LEAST_SUBJECT + _PARTED) + self.heading_cost(COMMITS) if commits else 0
                kept = min(commits + self.heading_cost(COMMITS), int(budget * _COMMITS_KEPT)) if commits else 0
                chosen = self._results(worths, min(fair, available - kept), min(available - first, int(budget * FINDING_SHARE)))
            elif section == COMMITS:
                chosen = self._commits(own, fair)
            elif section == CHANGED:
                chosen = self._files([at for at in own if self.candidates[at].factor] or own[:1], fair)
            else:
                chosen = self._one(section, self._best(section, own), fair)
            cost = sum(line.cost for line in chosen.values()) + self.heading_cost(section)
            if chosen and cost <= left:
                found |= chosen
                left -= cost
        return found

    def _one(self, section: str, at: int, budget: int) -> dict[int, SummaryLine]:
        """Return one line within its budget, or none when hardly anything would be left of it."""
        line = self.known[at]
        if line.cost > budget and section not in _ALWAYS and budget < (LEAST // 2 if identify(line.text) == "ja" else LEAST):
            return {}
        shown = lines.fitted(line, budget - (line.cost - len(line.text)))
        return {at: shown} if shown.text else {}

    def _worths(self, places: Sequence[int]) -> dict[int, float]:
        """Return {index: worth} of the sentences of results. The first informative sentence of each answer counts more."""
        found: dict[int, float] = {}
        leads = True
        for at in places:
            leads = leads or self.known[at].begins
            found[at] = findings.worth(self.known[at].text)
            if leads and found[at] >= findings.PLAIN:
                found[at] *= _LEADS
                leads = False
        return found

    def _results(self, worths: Mapping[int, float], budget: int, most: int) -> dict[int, SummaryLine]:
        """Return the best sentence, or one nearly as good that fits completely, then the best sentence of each other answer. All within `budget`,
        except for a finding, which gets up to `most` characters.
        """
        ranked = sorted(worths, key=lambda at: (-worths[at], at))
        best = worths[ranked[0]]
        most = most if best >= _FINDING else budget
        near = [at for at in ranked if worths[at] >= best * _NEAR]
        first = next((at for limit in (budget, most) for at in near if self.known[at].cost <= limit), ranked[0])
        chosen = self._one(RESULTS, first, max(most, SHORTEST))
        if not chosen:
            return chosen
        left = budget - chosen[first].cost
        answers = {self._answer(worths, first)}
        for at in ranked:
            if self._answer(worths, at) not in answers and worths[at] >= TELLS and self.known[at].cost <= left:
                answers.add(self._answer(worths, at))
                chosen[at] = self.known[at]
                left -= self.known[at].cost
        return chosen

    def _answer(self, places: Iterable[int], place: int) -> int:
        """Return the index of the first sentence of the answer that a sentence belongs to."""
        return max((at for at in places if at <= place and self.known[at].begins), default=-1)

    def _best(self, section: str, places: Sequence[int]) -> int:
        """Return the place of the best line: of requests the first with content, of open ends the last, otherwise the one that covers most for its length."""
        if section == GOALS:
            return next((at for at in places if self.candidates[at].factor), places[0])
        if section == OPEN_ENDS:
            return next((at for at in reversed(places) if self.known[at].begins and self.candidates[at].terms), places[-1])
        return max(places, key=lambda at: (coverage.density(self.candidates[at], self.weights), -at))

    def _commits(self, places: Sequence[int], budget: int) -> dict[int, SummaryLine]:
        """Return all commits if they fit; else the beginning of each subject; else those that together cover most."""
        if sum(self.known[at].cost for at in places) <= budget:
            return {at: self.known[at] for at in places}
        each = max(LEAST_SUBJECT, budget // len(places) - 2)
        short = {at: lines.fitted(self.known[at], each) for at in places}
        priced = [replace(self.candidates[at], cost=short[at].cost) for at in places]
        taken = [places[number] for number in coverage.select(priced, self.weights, budget)] or [places[0]]
        chosen = {at: short[at] for at in taken}
        left = budget - sum(line.cost for line in chosen.values())
        for at in taken:  # the rest of the budget goes to complete subjects, first ones first
            more = self.known[at].cost - chosen[at].cost
            if 0 < more <= left:
                chosen[at] = self.known[at]
                left -= more
        return chosen

    def _files(self, places: Sequence[int], budget: int) -> dict[int, SummaryLine]:
        """Return the first changed files, without the changes themselves, as many as fit; at least one."""
        found: dict[int, SummaryLine] = {}
        for at in places:
            line = lines.fitted(lines.without_detail(self.known[at]), self.known[at].cost if found else budget)
            if found and line.cost > budget:
                break
            found[at] = line
            budget -= line.cost
        return found
