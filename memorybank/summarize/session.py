"""The questions of one session, answered within its share of a day: what was wanted, what was done, what is open, what failed and what fixed it,
what was decided, how it came out. Pure.

In this order as far as the room goes. An answer may take so much of the room; one that would have to be cut to a few words is left out, so that
few questions are answered well rather than all in halves of sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memorybank.summarize import coverage, lines
from memorybank.summarize.coverage import Candidate
from memorybank.summarize.lines import Line
from memorybank.summarize.summarizer import CHANGED, COMMITS, DECISIONS, FIXES, GOALS, OPEN_ENDS, RESULTS
from memorybank.text.language import identify

SHORTEST = 24
"""Characters that no answer is cut below."""
LEAST = 72
LEAST_FIX = 100
"""Characters that an answer is not cut below, and one of what failed and what helped: it is told so that it says something, or not at all.
Japanese says as much in half of them."""
LEAST_SUBJECT = 36
"""The same of the subject of a commit, where several of them have to share the room."""
_SHARES = {GOALS: 0.3, COMMITS: 0.5, CHANGED: 0.5, OPEN_ENDS: 0.35, FIXES: 0.4, RESULTS: 0.4, DECISIONS: 0.4}
"""Of the whole room, at most, in the order in which they are answered."""
_ALWAYS = (GOALS, COMMITS, CHANGED)
"""What is told by its beginning where there is not room for more."""


def answers(
    known: Sequence[Line], places: Sequence[int], candidates: Sequence[Candidate], weights: Mapping[str, int], room: int, name: Callable[[str], int]
) -> dict[int, Line]:
    """{place: the line that answers, perhaps shortened}. places: of the session's lines within `known` and `candidates`; room: characters; name: those
    that the name of a section takes."""
    by_section: dict[str, list[int]] = {}
    for at in places:
        by_section.setdefault(known[at].section, []).append(at)
    if COMMITS in by_section:  # they say what was changed
        by_section.pop(CHANGED, None)
    found: dict[int, Line] = {}
    left = room
    for section, share in _SHARES.items():
        own = by_section.get(section)
        fair = min(left - name(section), max(SHORTEST, int(room * share))) if own else 0
        if not own or fair < SHORTEST:
            continue
        if section == COMMITS:
            told = _commits(known, own, candidates, weights, fair)
        elif section == CHANGED:
            told = _files(known, [at for at in own if candidates[at].factor] or own[:1], fair)
        else:
            told = _one(known, section, _best(known, section, own, candidates, weights), fair)
        cost = sum(line.cost for line in told.values()) + name(section)
        if told and cost <= left:
            found |= told
            left -= cost
    return found


def _one(known: Sequence[Line], section: str, at: int, room: int) -> dict[int, Line]:
    """One line within its room, or none where nothing would be left of it."""
    whole = known[at]
    least = LEAST_FIX if section == FIXES else LEAST
    if whole.cost > room and section not in _ALWAYS and room < (least // 2 if identify(whole.text) == "ja" else least):
        return {}
    return {at: lines.fitted(whole, room - (whole.cost - len(whole.text)))}


def _best(known: Sequence[Line], section: str, places: Sequence[int], candidates: Sequence[Candidate], weights: Mapping[str, int]) -> int:
    """The first request that says something, how the last result begins, the last open end, else what says most for its length."""
    if section == GOALS:
        return next((at for at in places if candidates[at].factor), places[0])
    if section == RESULTS:
        last = next((number for number in range(len(places) - 1, -1, -1) if known[places[number]].begins), 0)
        return next((at for at in places[last:] if candidates[at].factor >= 1), places[last])
    if section == OPEN_ENDS:
        return next((at for at in reversed(places) if known[at].begins and candidates[at].terms), places[-1])
    return max(places, key=lambda at: (coverage.density(candidates[at], weights), -at))


def _commits(known: Sequence[Line], places: Sequence[int], candidates: Sequence[Candidate], weights: Mapping[str, int], room: int) -> dict[int, Line]:
    """All commits where they fit; else each by the beginning of its subject; else those that together say most."""
    if sum(known[at].cost for at in places) <= room:
        return {at: known[at] for at in places}
    each = max(LEAST_SUBJECT, room // len(places) - 2)
    short = {at: lines.fitted(known[at], each) for at in places}
    priced = [Candidate(candidates[at].terms, short[at].cost, candidates[at].factor) for at in places]
    taken = [places[number] for number in coverage.select(priced, weights, room)] or [places[0]]
    left = room - sum(short[at].cost for at in taken)
    told = {at: short[at] for at in taken}
    for at in taken:  # what is left completes the first ones that it can
        more = known[at].cost - told[at].cost
        if 0 < more <= left:
            told[at] = known[at]
            left -= more
    return told


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
