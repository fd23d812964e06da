"""Finds the repeats that make a regular expression take more than linear time for some text. Nothing is run, so no clock is needed.

`re` tries every way in which a text can be read. Two unbounded repeats multiply their lengths when there is a text `v` with which the first one
can stay where it is, lead to the second one, and the second one can stay where it is (Weber and Seidl 1991: infinite ambiguity): in `v v v …`
each `v` can be where the one ends and the other begins. A search counts as a first repeat, of any character. Within one repeat, two ways to read
`v` are worse: they take exponential time. None of this matters unless a text can go on so that everything fails, because the first success ends
the search and is consumed.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from .automaton import Automaton

_MOST_STATES, _MOST_PAIRS, _MOST_TEXTS = 12, 40_000, 8
"""How much of a repeat is looked at; more than any pattern of the package needs."""
SEARCH, REPEATS, EXPONENTIAL = "search", "repeats", "exponential"


class Finding(NamedTuple):
    """kind: whether a repeat is tried from each place, two repeats divide a text, or one repeat reads it in several ways; text: what a slow text repeats."""

    kind: str
    text: str


def findings(pattern: str | bytes, flags: int = 0, *, search: bool = True) -> list[Finding]:
    """Return what makes a pattern slow, one finding for each of its repeats. search: whether it is tried from each place of a text."""
    return list(_Analysis(Automaton(pattern, flags, search=search)).findings())


class _Analysis:
    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.following = dict(automaton.edges())
        self.preceding: dict[int, set[int]] = {}
        for begin, ends in self.following.items():
            for end in ends:
                self.preceding.setdefault(end, set()).add(begin)
        self.repeats = _components(self.following)
        self.searching = automaton.searching
        self.safe = {state for repeat in self.repeats for state in repeat if self._is_left(state, is_local=True)}
        self.done = {state for state in self.safe if self._is_left(state, is_local=False)}

    def findings(self) -> Iterator[Finding]:
        for second in self.repeats:
            if self.searching not in second and (found := self._after_another(second)) is not None:
                yield found
        for repeat in self.repeats:
            if self.searching not in repeat and any(self._may_fail(state, repeat) for state in sorted(repeat)[:_MOST_STATES]):
                text = self._two_ways(repeat - self.safe)
                if text is not None:
                    yield Finding(EXPONENTIAL, text)

    def _after_another(self, second: Collection[int]) -> Finding | None:
        """Return what makes a repeat slow together with one before it, None for nothing."""
        ends = sorted(second) if len(second) <= _MOST_STATES else [end for end in sorted(second) if self.preceding[end] - set(second)][:_MOST_STATES]
        for first in self.repeats:
            is_search = self.searching in first
            for end in ends if first is not second else ():
                if not self._may_fail(end, second, is_whole=is_search):
                    continue
                leading = self._leading_to(end)
                for begin in [state for state in first if state in leading][:_MOST_STATES]:
                    if self._can_divide(begin, end) and (text := self._dividing(begin, end, first, second, leading)) is not None:
                        return Finding(SEARCH if is_search else REPEATS, text)
        return None

    def _can_divide(self, begin: int, end: int) -> bool:
        """Return whether a repeat is still tried with fewer characters when another one fails."""
        of = self.automaton
        if begin == self.searching:
            return True
        return set(of.atomic[begin]) <= set(of.atomic[end]) and (not of.ahead[begin] or of.ahead[end])

    def _is_left(self, state: int, *, is_local: bool) -> bool:
        """Return whether nothing can fail after a state, or nothing in its atomic group."""
        of = self.automaton
        if of.ahead[state]:
            return False
        group = of.atomic[state][-1] if is_local and of.atomic[state] else None
        return all(of.is_left((state,), last, following, group) for last in of.lasts.values() for following in (*of.alphabet, None))

    def _may_fail(self, state: int, repeat: Collection[int], *, is_whole: bool = False) -> bool:
        """Return whether something can follow a repeat with which it fails. is_whole: whether leaving an atomic group is no success."""
        of = self.automaton
        group = None if is_whole or not of.atomic[state] else of.atomic[state][-1]
        if of.ahead[state] and group is None:
            return True
        for last in of.lasts.values():
            for following in (*of.alphabet, None):
                after = () if following is None else of.step(state, last, following)
                if not set(after).isdisjoint(repeat) or of.is_left((state,), last, following, group):
                    continue
                if following is None or not all(of.is_left(after, following, sign, group) for sign in (*of.alphabet, None)):
                    return True
        return False

    def _leading_to(self, end: int) -> set[int]:
        known, waiting = {end}, [end]
        while waiting:
            for begin in self.preceding.get(waiting.pop(), set()) - known:
                known.add(begin)
                waiting.append(begin)
        return known

    def _dividing(self, begin: int, end: int, first: Collection[int], second: Collection[int], leading: set[int]) -> str | None:
        """Return a text with which one state stays, leads to another, and that one stays; None if there is none that can fail.

        Where a text always succeeds because of one character in it, others are looked for without that character.
        """
        passed = self.done if begin == self.searching else self.safe
        second, between = set(second) - passed, leading if begin == self.searching else leading - passed
        left = list(self.automaton.alphabet)
        for _ in range(_MOST_TEXTS):
            text = self._read_by_all(begin, end, set(first), second, between, left)
            if text is None or self.automaton.ahead[end] or (sign := self._succeeds(begin, end, text)) is None:
                return text
            left.remove(sign)
        return None

    def _read_by_all(self, begin: int, end: int, first: set[int], second: set[int], between: set[int], alphabet: list[str]) -> str | None:
        """Return the shortest text of these characters with which `begin` stays, leads to `end`, and that one stays; None if there is none."""
        of = self.automaton
        for kind in of.lasts:
            start = begin, begin, end, kind
            texts, waiting = {start: ""}, [start]
            for place in waiting:
                last = of.lasts[place[3]]
                for sign in alphabet:
                    stays = second.intersection(of.step(place[2], last, sign))
                    firsts = first.intersection(of.step(place[0], last, sign)) if stays else ()
                    for one, two, three in ((a, b, c) for a in firsts for b in of.step(place[1], last, sign) if b in between for c in stays):
                        then = one, two, three, of.kind_of[sign]
                        if then == (begin, end, end, kind):
                            return texts[place] + sign
                        if then not in texts:
                            texts[then] = texts[place] + sign
                            waiting.append(then)
                if len(waiting) > _MOST_PAIRS:
                    break
        return None

    def _succeeds(self, begin: int, end: int, text: str) -> str | None:
        """Return the character before which a match that began where a `text` of many led to `end` is always found; None if it can fail."""
        if begin != self.searching:
            return self._success({begin}, text, text * 3)
        of = self.automaton
        found = text[0]
        for at in range(len(text)):
            states, last = {of.first}, text[at - 1]
            for sign in text[at:]:
                states, last = {after for state in states for after in of.step(state, last, sign)}, sign
            if end in states:
                success = self._success({of.first}, text[:at] or text, text[at:] + text * 3)
                if success is None:
                    return None
                found = success
        return found

    def _success(self, states: set[int], before: str, text: str) -> str | None:
        of = self.automaton
        last = before[-1]
        for place, sign in enumerate(text):
            if place and of.is_left(states, last, sign):
                return sign
            states, last = {after for state in states for after in of.step(state, last, sign)}, sign
        for following in (*of.alphabet, None):
            if of.is_left(states, last, following):
                continue
            after = {} if following is None else {after for state in states for after in of.step(state, last, following)}
            if following is None or not all(of.is_left(after, following, sign) for sign in (*of.alphabet, None)):
                return None
        return text[0]

    def _two_ways(self, repeat: Collection[int]) -> str | None:
        """Return a text that a repeat can read in two ways, None if there is none."""
        of = self.automaton
        for begin in sorted(repeat)[:_MOST_STATES]:
            for kind in of.lasts:
                start = begin, begin, False, kind
                texts, waiting = {start: ""}, [start]
                for place in waiting:
                    for sign, then in self._both(place, repeat):
                        if then == (begin, begin, True, kind):
                            return texts[place] + sign
                        if then not in texts:
                            texts[then] = texts[place] + sign
                            waiting.append(then)
                    if len(waiting) > _MOST_PAIRS:
                        break
        return None

    def _both(self, place: tuple[int, int, bool, object], repeat: Collection[int]) -> Iterator[tuple[str, tuple[int, int, bool, object]]]:
        """Yield (character, place after it) of two ways through a repeat. A place is (state, state, whether they differed, kind of the character before)."""
        of = self.automaton
        one, two, differed, kind = place
        last = of.lasts[kind]
        for sign in of.alphabet:
            ways = of.reached(one, last, sign)
            for first in of.step(one, last, sign):
                for second in of.step(two, last, sign) if first in repeat else ():
                    if second in repeat:
                        twice = one == two and first == second and sum(ways[each] for each in ways if of.leads(each, sign) == first) > 1
                        yield sign, (first, second, differed or first != second or twice, of.kind_of[sign])


def _components(following: dict[int, set[int]]) -> list[frozenset[int]]:
    """Return the sets of states between which a text can go round (Tarjan 1972)."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    found: list[frozenset[int]] = []
    for root in following:
        ways = [(root, iter(sorted(following[root])))] if root not in number else []
        while ways:
            state, ends = ways[-1]
            if state not in number:
                number[state] = lowest[state] = len(number)
                stack.append(state)
            new = next((end for end in ends if end not in number or (end in stack and lowest.update({state: min(lowest[state], number[end])}))), None)
            if new is not None:
                ways.append((new, iter(sorted(following[new]))))
                continue
            ways.pop()
            if ways:
                lowest[ways[-1][0]] = min(lowest[ways[-1][0]], lowest[state])
            if lowest[state] == number[state]:
                place = stack.index(state)
                members, stack[place:] = frozenset(stack[place:]), []
                if len(members) > 1 or state in following[state]:
                    found.append(members)
    return found
